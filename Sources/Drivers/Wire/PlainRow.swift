import LodestoneCore

/// A row of a table with nothing in it but numbers and separators, read in a single pass: what long recordings are made
/// of. It knows no blanks, quotes, holes or surplus columns; a row with any of these is left to whoever reads lines.
final class PlainRow: Sendable {
  /// One column tells the time.
  let hasTime: Bool
  /// What all rows have in common: which quantities there are, and their units.
  private let common: WireMessage
  private let count: Int
  /// The roles of the columns, four bits each, the first one lowest.
  private let roles: UInt64

  /// Nil for more columns than there are roles, and for axes in different units.
  init?(_ columns: CSVColumns) {
    guard columns.isUsable, columns.factors == nil, columns.roles.count <= CSVColumns.Role.count else { return nil }
    guard !columns.roles.contains(CSVColumns.Role.ignored) else { return nil }
    count = columns.roles.count
    roles = columns.roles.reversed().reduce(0) { $0 << 4 | UInt64($1) }
    hasTime = columns.roles.contains(CSVColumns.Role.time)
    var common = WireMessage()
    if columns.isComplete(CSVColumns.Role.field) { common.field = .zero }
    if columns.isComplete(CSVColumns.Role.acceleration) { common.acceleration = .zero }
    if columns.isComplete(CSVColumns.Role.rotationRate) { common.rotationRate = .zero }
    if columns.roles.contains(CSVColumns.Role.temperature) { common.temperature = 0 }
    common.fieldUnit = columns.fieldUnit
    common.accelerationUnit = columns.accelerationUnit
    common.rotationRateUnit = columns.rotationRateUnit
    self.common = common
  }

  /// Reads the row that begins at `position`, its line end included. False, and nothing has happened, for any other row,
  /// and for one whose end has not come.
  /// - Parameter timeScale: seconds in one unit of the time.
  @inline(__always)
  func read(
    _ bytes: Span<UInt8>, from position: inout Int, separator: UInt8, timeScale: Double, into message: inout WireMessage
  ) -> Bool {
    var values = InlineArray<16, Double>(repeating: 0)
    var index = position
    var roles = roles
    for _ in 1..<count {
      guard let value = Self.number(bytes, &index) else { return false }
      guard index < bytes.count, bytes[index] == separator else { return false }
      index &+= 1
      values[Int(truncatingIfNeeded: roles & 0xF)] = value
      roles >>= 4
    }
    guard let value = Self.number(bytes, &index) else { return false }
    values[Int(truncatingIfNeeded: roles & 0xF)] = value
    if index < bytes.count, bytes[index] == .carriageReturn { index &+= 1 }
    guard index < bytes.count, bytes[index] == .lineFeed else { return false }
    index &+= 1
    guard index &- position <= LineFramer.limit else { return false }
    position = index
    message = common
    if common.field != nil { message.field = Vector3(values[1], values[2], values[3]) }
    if common.acceleration != nil { message.acceleration = Vector3(values[4], values[5], values[6]) }
    if common.rotationRate != nil { message.rotationRate = Vector3(values[7], values[8], values[9]) }
    if common.temperature != nil { message.temperature = values[10] }
    if hasTime { message.time = values[0] * timeScale }
    return true
  }

  @inline(always)
  private static func number(_ bytes: Span<UInt8>, _ index: inout Int) -> Double? {
    parseShortDecimal(bytes, from: &index) ?? parseDecimal(bytes, from: &index)
  }
}
