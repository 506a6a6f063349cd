/// A statement of an instrument about one sample: named columns, and a value for each. Every format writes records from
/// their columns alone.
public protocol Record: Sendable {
  /// The name and the columns that records of this kind share.
  static var schema: RecordSchema { get }
  /// A record that says nothing yet.
  init()
  /// The time of its sample in seconds since the stream began.
  var time: Double { get }
  /// Lists each column with its value; the first one, which is always the time, left out.
  func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns)
  /// Puts the value of each column.
  func fill(_ row: inout Row)
}

extension Record {
  /// Puts the values of the list.
  @inlinable @inline(__always)
  public func fill(_ row: inout Row) { row.putList(of: self) }
}

/// Takes the columns of a record with their values: a row keeps the values, a schema the columns.
public protocol RecordColumns: ~Copyable {
  /// Takes the next column, and its value: nil where it is absent.
  mutating func add(_ column: @autoclosure () -> Column, _ value: Double?)
}

extension RecordColumns where Self: ~Copyable {
  /// Takes the next column, and its value: a whole number, a word's place or flags.
  @inlinable @inline(__always)
  public mutating func add(_ column: @autoclosure () -> Column, _ value: Int) { add(column(), Double(value)) }

  /// Takes the next three columns, and the components of a vector.
  @inlinable @inline(__always)
  public mutating func add(
    _ x: @autoclosure () -> Column, _ y: @autoclosure () -> Column, _ z: @autoclosure () -> Column, _ vector: Vector3?
  ) {
    add(x(), vector?.x)
    add(y(), vector?.y)
    add(z(), vector?.z)
  }

  /// Takes the next column, whose words are all cases of a type, and the case that holds; nil for none.
  @inlinable
  public mutating func add<Word: CaseIterable & RawRepresentable<String> & Equatable>(
    _ name: @autoclosure () -> String, word: Word?
  ) where Word.AllCases == [Word] {
    let place = word.flatMap { Word.allCases.firstIndex(of: $0) }
    add(.word(name(), Word.allCases.map { $0.rawValue }), place.map { Double($0) })
  }
}

/// The columns of a kind of record.
public struct RecordSchema: Sendable {
  /// One word for the kind: "heading".
  public let name: String
  /// The columns. The first is the time.
  public let columns: [Column]
  /// How a line for people is written; nil for names and values one after the other.
  public let line: (any RecordLine.Type)?

  /// The columns that a kind of record lists, behind its time.
  public init<Reading: Record>(_ name: String, of kind: Reading.Type, line: (any RecordLine.Type)? = nil) {
    var list = ColumnList()
    kind.init().list(in: &list)
    self.init(name, list.columns, line: line)
  }

  /// A kind of record: its time in seconds, and the columns after it.
  private init(_ name: String, _ columns: [Column], line: (any RecordLine.Type)?) {
    self.name = name
    self.columns = [.number("time", .seconds, decimals: 6)] + columns
    self.line = line
  }

  /// The schema with columns behind its own.
  public func with(_ others: [Column]) -> RecordSchema { RecordSchema(name, columns.dropFirst() + others, line: line) }

  /// The place of the column with a name, which is without its unit; nil where there is none.
  public func index(of name: String) -> Int? { columns.firstIndex { $0.name == name } }
}

/// The columns of a record without their values.
private struct ColumnList: RecordColumns {
  var columns: [Column] = []
  mutating func add(_ column: @autoclosure () -> Column, _ value: Double?) { columns.append(column()) }
}

/// Writes a record as a line for people.
public protocol RecordLine: Sendable {
  /// A writer for rows of a kind, in the units that the user chose. It looks its columns up here, once.
  init(_ schema: RecordSchema, units: DisplayUnits)
  /// Appends a line without its end.
  func append(_ row: borrowing Row, to text: inout TextBuffer)
}

/// One column of a kind of record: its name, its unit and how its values are written.
public struct Column: Sendable {
  /// The kinds of values.
  public enum Kind: Sendable {
    /// A number with a count of decimals.
    case number(decimals: Int)
    /// An angle in degrees that is rounded and then wrapped to 0 ..< 360.
    case heading(decimals: Int)
    /// A whole number.
    case integer
    /// One of these words, by its place among them.
    case word([String])
    /// Some of these words: the first stands for bit 0, and so on.
    case flags([String])
  }

  /// The unit of a number. The unit is the end of the column's name.
  public enum Unit: Sendable {
    /// Nothing but itself.
    case none
    case seconds, degrees, degreesPerSecond, gravities, metres, metresPerSecond, celsius, hertz, perMinute,
      litresPerMinute
    /// Metres in the row; written in the unit that the user chose, with the decimals that fit it.
    case distance
    /// Litres in the row; written in the unit that the user chose, with the decimals that fit it.
    case volume
    /// Microtesla in the row; written in the unit that the user chose, with the decimals that fit it.
    case field

    /// The unit as a part of a column's name.
    fileprivate func suffix(_ units: DisplayUnits) -> String {
      switch self {
      case .none: ""
      case .seconds: "s"
      case .degrees: "deg"
      case .degreesPerSecond: "dps"
      case .gravities: "g"
      case .metres: "m"
      case .metresPerSecond: "m_per_s"
      case .celsius: "C"
      case .hertz: "hz"
      case .perMinute: "per_min"
      case .litresPerMinute: "L_per_min"
      case .volume: units.volume.rawValue
      case .distance: units.distance.rawValue
      case .field: units.field.name
      }
    }
  }

  /// The formats that write a column.
  public enum Reach: Sendable {
    /// Every format.
    case all
    /// Formats that name each value (JSON, Influx), not tables.
    case objects
    /// Formats that ask for it by its name.
    case byName
  }

  /// The name without the unit: `magnetic_heading`.
  public let name: String
  /// The unit of a number.
  public let unit: Unit
  /// The kind of its values.
  public let kind: Kind
  /// The formats that write it.
  public let reach: Reach
  /// Whether it is a count that never falls, except when it begins anew.
  public private(set) var isTotal = false

  /// The column as one of counts that never fall.
  public func asTotal() -> Column {
    var column = self
    column.isTotal = true
    return column
  }

  /// A column of numbers.
  public static func number(_ name: String, _ unit: Unit, decimals: Int, reach: Reach = .all) -> Column {
    Column(name: name, unit: unit, kind: .number(decimals: decimals), reach: reach)
  }

  /// A column of fields, in µT in the row, and with the decimals for that; another unit has as many more or fewer as it
  /// needs.
  public static func field(
    _ name: String, decimals: Int = FieldUnit.microtesla.decimals, reach: Reach = .all
  ) -> Column {
    Column(name: name, unit: .field, kind: .number(decimals: decimals), reach: reach)
  }

  /// A column of distances, in metres in the row.
  public static func distance(_ name: String, reach: Reach = .all) -> Column {
    Column(name: name, unit: .distance, kind: .number(decimals: DistanceUnit.metre.decimals), reach: reach)
  }

  /// A column of volumes, in litres in the row.
  public static func volume(_ name: String, reach: Reach = .all) -> Column {
    Column(name: name, unit: .volume, kind: .number(decimals: VolumeUnit.litre.decimals), reach: reach)
  }

  /// A column of directions in degrees, 0 ..< 360.
  public static func heading(_ name: String, decimals: Int = 2, reach: Reach = .all) -> Column {
    Column(name: name, unit: .degrees, kind: .heading(decimals: decimals), reach: reach)
  }

  /// A column of whole numbers.
  public static func integer(_ name: String, reach: Reach = .all) -> Column {
    Column(name: name, unit: .none, kind: .integer, reach: reach)
  }

  /// A column of one word of several.
  public static func word(_ name: String, _ words: [String], reach: Reach = .all) -> Column {
    Column(name: name, unit: .none, kind: .word(words), reach: reach)
  }

  /// A column of words that hold, by their bits.
  public static func flags(_ name: String, _ words: [String], reach: Reach = .all) -> Column {
    Column(name: name, unit: .none, kind: .flags(words), reach: reach)
  }

  /// The name with its unit: `magnetic_heading_deg`, `bx_mT`.
  public func title(_ units: DisplayUnits = DisplayUnits()) -> String {
    let suffix = unit.suffix(units)
    return suffix.isEmpty ? name : name + "_" + suffix
  }
}
