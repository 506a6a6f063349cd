/// The values of one record in the order of its columns, in storage that is used again and again. What is absent is
/// nil, never zero; a word is its place among the column's words, flags are their bits.
public struct Row: ~Copyable, @unchecked Sendable {
  /// The values, one a column; NaN where one is absent.
  @usableFromInline let values: UnsafeMutablePointer<Double>
  /// The number of columns.
  public let count: Int
  @usableFromInline var position = 0

  /// The number of values that any row has room for: the columns of a list need not be checked one by one.
  @inlinable @inline(__always) static var room: Int { 64 }

  /// A row for records of a kind, with every value absent.
  public init(_ schema: RecordSchema) {
    count = schema.columns.count
    values = .allocate(capacity: max(count, Self.room))
    values.initialize(repeating: .nan, count: max(count, Self.room))
  }

  deinit { values.deallocate() }

  /// Takes the values of a record where it is; it is only read: what is handed over like this is not copied.
  @inlinable @inline(__always)
  public mutating func take<Reading: Record>(from reading: inout Reading) { take(reading) }

  /// Takes the values of a record.
  @inlinable @inline(__always)
  public mutating func take<Reading: Record>(_ reading: borrowing Reading) {
    position = 0
    put(reading.time)
    reading.fill(&self)
    while position < count { put(nil) }
  }

  /// Puts the next column's value. What no column is left for is dropped.
  @inlinable @inline(__always)
  public mutating func put(_ value: Double?) {
    guard position < count else { return }
    values[position] = value ?? .nan
    position &+= 1
  }

  /// Puts the values that a record lists behind its time.
  @inlinable @inline(__always)
  public mutating func putList(of reading: borrowing some Record) {
    var list = List(values: values, count: count)
    reading.list(in: &list)
    position = min(list.position, count)
  }

  /// The values as a record lists them. Where the next one goes stands apart from the row, so that it is a constant
  /// wherever the list is known.
  @usableFromInline
  struct List: ~Copyable, RecordColumns {
    @usableFromInline let values: UnsafeMutablePointer<Double>
    @usableFromInline let count: Int
    @usableFromInline var position = 1

    @inlinable @inline(__always)
    init(values: UnsafeMutablePointer<Double>, count: Int) { (self.values, self.count) = (values, count) }

    @inlinable @inline(__always)
    mutating func add(_ column: @autoclosure () -> Column, _ value: Double?) {
      if position < Row.room || position < count { values[position] = value ?? .nan }
      position &+= 1
    }
  }

  /// The value of a column; nil where it is absent or not finite, or there is no such column.
  @inlinable
  public subscript(_ column: Int?) -> Double? {
    guard let column, column >= 0, column < count else { return nil }
    let value = values[column]
    return value.isFinite ? value : nil
  }

  /// The value of a column as it stands, NaN where it is absent: for those who write nothing for what is not finite.
  @inlinable @inline(__always)
  public func number(_ column: Int) -> Double {
    UInt(bitPattern: column) < UInt(bitPattern: count) ? values[column] : .nan
  }

  /// A whole number, the place of a column's word, or the bits of its flags; nil where it is absent.
  @inlinable
  public func integer(_ column: Int?) -> Int? {
    guard let value = self[column], value.magnitude < 9e15 else { return nil }
    return Int(value)
  }
}
