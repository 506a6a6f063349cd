import Core

/// A row of a table with nothing in it but numbers and separators, read in a single pass: what long recordings are made
/// of. It knows no blanks, quotes, holes or surplus columns; a row with any of these is left to whoever reads lines.
struct PlainRow: Sendable {
  let hasTime: Bool
  let fieldUnit: FieldUnit?
  let accelerationUnit: AccelerationUnit?
  let rotationRateUnit: RotationRateUnit?

  private let count: Int
  /// The roles of the columns, four bits each, the first one lowest.
  private let roles: UInt64

  /// Nil for more columns than there are roles.
  init?(_ columns: CSVColumns) {
    guard columns.isUsable, columns.roles.count <= CSVColumns.Role.count else { return nil }
    guard !columns.roles.contains(CSVColumns.Role.ignored) else { return nil }
    count = columns.roles.count
    roles = columns.roles.reversed().reduce(0) { $0 << 4 | UInt64($1) }
    hasTime = columns.roles.contains(CSVColumns.Role.time)
    fieldUnit = columns.fieldUnit
    accelerationUnit = columns.accelerationUnit
    rotationRateUnit = columns.rotationRateUnit
  }

  /// Reads the row that begins at `position`, its line end included. False, and the position where it was, for any other
  /// row, and for one whose end has not come.
  @inline(__always)
  func read(_ bytes: Span<UInt8>, from position: inout Int, separator: UInt8, into values: inout RoleValues) -> Bool {
    var index = position
    var roles = roles
    for column in 1...count {
      guard let value = parseDecimal(bytes, from: &index), index < bytes.count else { return false }
      values.set(value, UInt8(truncatingIfNeeded: roles & 0xF))
      roles >>= 4
      if column == count, bytes[index] == .carriageReturn { index &+= 1 }
      guard index < bytes.count, bytes[index] == (column < count ? separator : .lineFeed) else { return false }
      index &+= 1
    }
    guard index &- position <= LineFramer.limit else { return false }
    position = index
    return true
  }
}
