import LodestoneCore

/// A row of a table with nothing in it but numbers and separators, read in a single pass: what long recordings are made
/// of. It knows no quotes, holes or surplus columns, and no blanks but one behind each separator; a row with any of
/// these is left to whoever reads lines.
struct PlainRow: Sendable {
  private let separator: UInt8
  /// The bytes between two numbers, in rows as they come.
  private var gap: Gap
  /// Seconds in one unit of the time.
  private let timeScale: Double
  /// The quantities that there are.
  private let hasTime, hasField, hasAcceleration, hasRotationRate, hasTemperature: Bool
  /// The causes that there are, one bit each.
  private let causes: UInt16
  private let fieldUnit: FieldUnit?
  private let fieldIsCounts: Bool
  private let accelerationUnit: AccelerationUnit?
  private let rotationRateUnit: RotationRateUnit?
  private let count: Int
  /// The roles of the columns, four bits each, the first one lowest.
  private let roles: UInt64

  /// A separator, or one with a blank behind it.
  private struct Gap {
    /// The text of two bytes, the first one lowest.
    let text: UInt16
    /// The bits that are compared.
    let mask: UInt16
    let byteCount: Int

    init(_ separator: UInt8, hasBlank: Bool) {
      text = UInt16(separator) | UInt16(UInt8.space) << 8
      mask = hasBlank ? 0xFFFF : 0xFF
      byteCount = hasBlank ? 2 : 1
    }
  }

  /// The plain row of a table. Nil for more columns than there are roles, for axes in different units, and while the
  /// unit of the time is not known.
  init?(_ table: CSVTable) {
    let columns = table.columns
    guard columns.isUsable, !table.hasDecimalCommas, columns.factors == nil, !columns.fieldIsNormalized,
      columns.roles.count <= CSVColumns.Role.count
    else { return nil }
    // Columns behind the last one that matters are there in whole rows.
    guard !columns.roles.contains(CSVColumns.Role.ignored), columns.roles.count == table.count else { return nil }
    count = columns.roles.count
    roles = columns.roles.reversed().reduce(0) { $0 << 4 | UInt64($1) }
    separator = table.separator
    gap = Gap(separator, hasBlank: false)
    timeScale = table.timeScale
    hasTime = columns.roles.contains(CSVColumns.Role.time)
    guard timeScale != 0 || !hasTime else { return nil }
    hasField = columns.isComplete(CSVColumns.Role.field)
    hasAcceleration = columns.isComplete(CSVColumns.Role.acceleration)
    hasRotationRate = columns.isComplete(CSVColumns.Role.rotationRate)
    hasTemperature = columns.roles.contains(CSVColumns.Role.temperature)
    causes = columns.present >> UInt16(CSVColumns.Role.cause)
    fieldUnit = columns.fieldUnit
    fieldIsCounts = columns.fieldIsCounts
    accelerationUnit = columns.accelerationUnit
    rotationRateUnit = columns.rotationRateUnit
  }

  /// Reads the row that begins at `position`, its line end included. False, and nothing has been read, for any other
  /// row, and for one whose end has not come.
  @inline(__always)
  mutating func read(_ bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage) -> Bool {
    var values = InlineArray<16, Double>(repeating: 0)
    var index = position
    if !readShort(bytes, &index, into: &values) {
      index = position
      guard readAny(bytes, &index, into: &values) else { return false }
    }
    if index < bytes.count, bytes[index] == .carriageReturn { index &+= 1 }
    guard index < bytes.count, bytes[index] == .lineFeed else { return false }
    index &+= 1
    guard index &- position <= LineFramer.limit else { return false }
    position = index
    message.clear()
    message.fieldUnit = fieldUnit
    message.fieldIsCounts = fieldIsCounts
    message.accelerationUnit = accelerationUnit
    message.rotationRateUnit = rotationRateUnit
    if hasField { message.field = Vector3(values[1], values[2], values[3]) }
    if hasAcceleration { message.acceleration = Vector3(values[4], values[5], values[6]) }
    if hasRotationRate { message.rotationRate = Vector3(values[7], values[8], values[9]) }
    if hasTemperature { message.temperature = values[10] }
    if causes != 0 { setCauses(values, &message) }
    if hasTime { message.time = values[0] * timeScale }
    return true
  }

  @inline(never)
  private func setCauses(_ values: InlineArray<16, Double>, _ message: inout WireMessage) {
    for place in 0..<CauseValues.limit where causes >> UInt16(place) & 1 == 1 {
      message.causes[place] = values[Int(CSVColumns.Role.cause) + place]
    }
  }

  /// Reads a number for each role, where all are short and many bytes follow; otherwise false, and the values are
  /// anything. Apart, so that all that the loop needs stays in registers.
  @inline(never)
  private func readShort(
    _ bytes: Span<UInt8>, _ index: inout Int, into values: inout InlineArray<16, Double>
  ) -> Bool {
    guard bytes.count &- index >= count &* ShortNumber.byteCount else { return false }
    var number = ShortNumber(bytes, at: index)
    var (roles, fault) = (roles, number.fault)
    values[Int(truncatingIfNeeded: roles & 0xF)] = number.value
    for _ in 1..<count {
      fault |= UInt64((bytes.twoBytes(unchecked: number.end) ^ gap.text) & gap.mask)
      number = ShortNumber(bytes, at: number.end &+ gap.byteCount)
      roles >>= 4
      values[Int(truncatingIfNeeded: roles & 0xF)] = number.value
      fault |= number.fault
    }
    index = number.end
    let next = bytes[unchecked: index]
    return fault == 0 && (next == .lineFeed || next == .carriageReturn)
  }

  /// Reads a number for each role, and takes note of the blanks.
  @inline(never)
  private mutating func readAny(
    _ bytes: Span<UInt8>, _ index: inout Int, into values: inout InlineArray<16, Double>
  ) -> Bool {
    var roles = roles
    for column in 1...count {
      guard let value = parseDecimal(bytes, from: &index) else { return false }
      values[Int(truncatingIfNeeded: roles & 0xF)] = value
      roles >>= 4
      guard column < count else { break }
      guard index &+ 1 < bytes.count, bytes[index] == separator else { return false }
      index &+= 1
      gap = Gap(separator, hasBlank: bytes[index] == .space)
      index &+= gap.byteCount &- 1
    }
    return true
  }
}
