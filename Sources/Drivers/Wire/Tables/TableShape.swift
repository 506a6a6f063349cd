import LodestoneCore

/// The way in which rows of bare numbers are written, and what that says of their columns: how many there are, the
/// units behind them, and which of them stand together between brackets or bars, behind what word.
struct TableShape: Equatable, Sendable {
  private(set) var columnCount = 0
  /// The word before the numbers; empty where none is.
  var tag = ColumnWord()
  /// The quantity that this word names; nil where it names none.
  var quantity: TableLayout.Quantity?
  /// The unit of each column, five bits a column, the first one lowest; zero for none.
  private var units: UInt64 = 0
  /// The group of each column, four bits a column, the first one lowest.
  private var groups: UInt64 = 0

  /// The largest number of columns.
  static let limit = 12

  /// No column.
  init() {}

  /// Columns of which nothing is said.
  init(columnCount: Int) { self.columnCount = columnCount }

  mutating func append(group: Int) {
    groups |= UInt64(group & 15) << UInt64(4 * columnCount)
    columnCount += 1
  }

  /// Sets the unit of the last column; false where it has one already.
  mutating func take(_ unit: ColumnUnit) -> Bool {
    guard columnCount > 0, self.unit(at: columnCount - 1) == nil else { return false }
    units |= UInt64(unit.rawValue) << UInt64(5 * (columnCount - 1))
    return true
  }

  /// The unit behind a column; nil where none is.
  func unit(at column: Int) -> ColumnUnit? {
    ColumnUnit(rawValue: UInt8(truncatingIfNeeded: units >> UInt64(5 * column) & 31))
  }

  private func group(at column: Int) -> UInt64 { groups >> UInt64(4 * column) & 15 }

  var hasUnits: Bool { units != 0 }

  /// Whether there is more than numbers and what separates them.
  var isMarked: Bool { units != 0 || groups != 0 }

  /// The first column is a time, as its unit says.
  var beginsWithTime: Bool { unit(at: 0)?.timeScale != nil }

  /// The unit of the field, where the columns that begin at a place have one; `g` is gauss here.
  func fieldUnit(at place: Int) -> FieldUnit? { unit(of: place)?.fieldUnit }

  func accelerationUnit(at place: Int) -> AccelerationUnit? { unit(of: place)?.accelerationUnit }

  func rotationRateUnit(at place: Int) -> RotationRateUnit? { unit(of: place)?.rotationRateUnit }

  /// The unit of three columns stands behind each of them, or behind the last.
  private func unit(of place: Int) -> ColumnUnit? { unit(at: place + 2) }

  // MARK: What it says of an order

  /// Whether nothing that the row says contradicts the order.
  func allows(_ layout: TableLayout) -> Bool {
    if let quantity, layout.quantities != [quantity] { return false }
    guard isMarked else { return true }
    if beginsWithTime != layout.hasTime, beginsWithTime || unit(at: 0) != nil { return false }
    // `g` beside `G` are gravities beside gauss.
    let units = (0..<columnCount).lazy.compactMap { unit(at: $0) }
    let isTold = units.contains { $0.isSmall } && units.contains { $0.isCapital }
    let places = layout.places
    for (quantity, place) in zip(layout.quantities, places) {
      guard allows(quantity, at: place, isCaseTold: isTold) else { return false }
    }
    for column in 0..<columnCount where !places.contains(where: { ($0..<$0 + 3).contains(column) }) {
      guard let unit = unit(at: column) else { continue }
      // A column of its own in the unit of a quantity is the length of that.
      let isOfSample = unit.fieldUnit != nil || unit.accelerationUnit != nil || unit.rotationRateUnit != nil
      let isLength = places.contains { self.unit(of: $0) == unit }
      guard isLength || !isOfSample else { return false }
    }
    return true
  }

  /// Three columns from a place on may be a quantity: their unit is one of its own, behind each of them or behind the
  /// last, and they stand in one group, unless groups are too small for that.
  private func allows(_ quantity: TableLayout.Quantity, at place: Int, isCaseTold: Bool) -> Bool {
    for column in place..<place + 3 where group(at: column) != group(at: place) {
      if size(ofGroupAt: column) > 2 || size(ofGroupAt: place) > 2 { return false }
    }
    let (first, second, last) = (unit(at: place), unit(at: place + 1), unit(at: place + 2))
    guard first == second, first == nil || first == last else { return false }
    return last.map { Self.allows($0, quantity, isCaseTold) } ?? true
  }

  private static func allows(_ unit: ColumnUnit, _ quantity: TableLayout.Quantity, _ isCaseTold: Bool) -> Bool {
    switch quantity {
    case .field: unit.fieldUnit != nil && !(isCaseTold && unit.isSmall)
    case .acceleration: unit.accelerationUnit != nil && !(isCaseTold && unit.isCapital)
    case .rotation: unit.rotationRateUnit != nil
    }
  }

  private func size(ofGroupAt column: Int) -> Int {
    (0..<columnCount).count { group(at: $0) == group(at: column) }
  }

  /// The units leave nothing open about which columns are which quantity.
  var tellsQuantities: Bool {
    guard hasUnits else { return false }
    let layouts = TableLayout.all(of: columnCount, time: 0).filter { allows($0) }
    guard let first = layouts.first else { return false }
    let quantities: [TableLayout.Quantity] = [.field, .acceleration, .rotation]
    return layouts.allSatisfy { layout in quantities.allSatisfy { layout.place(of: $0) == first.place(of: $0) } }
  }

  /// Whether each column is told: by its unit, or as one of three that have one.
  func tellsAll(_ layout: TableLayout) -> Bool {
    let places = layout.places
    return (0..<columnCount).allSatisfy { column in
      places.contains { ($0..<$0 + 3).contains(column) } || unit(at: column) != nil
    }
  }
}
