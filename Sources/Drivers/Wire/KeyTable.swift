import Core

/// What the keys of named values (`"mx":1`, `mx:1`) stand for. Each is understood once, as the columns of a table are, and
/// then looked up where it was the last time, for boards repeat the same keys in the same order.
struct KeyTable: Sendable {
  /// A key and what it stands for.
  struct Key: Sendable {
    fileprivate var parent: [UInt8]
    fileprivate var name: [UInt8]
    fileprivate var index: Int
    /// A role of `CSVColumns`.
    var role: UInt8
    fileprivate var fieldUnit: FieldUnit?
    fileprivate var accelerationUnit: AccelerationUnit?
    fileprivate var rotationRateUnit: RotationRateUnit?
    fileprivate var timeScale: Double?

    fileprivate func matches(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Bool {
      index == item.index && line.holds(name, in: item.key) && line.holds(parent, in: item.parent)
    }
  }

  /// Keys past this many are not looked at.
  private static let limit = 64

  private var keys: [Key] = []
  /// Seconds in one unit of the time; 0 until the first value has been seen.
  private var timeScale = 0.0

  /// What the key of an item stands for. `place` is where to look first, and moves on. Nil past the limit.
  @inline(__always)
  mutating func find(_ item: JSONScanner.Item, _ line: Span<UInt8>, _ place: inout Int) -> Key? {
    if place < keys.count, keys[place].matches(item, line) {
      place &+= 1
      return keys[place &- 1]
    }
    for index in keys.indices where keys[index].matches(item, line) {
      place = index &+ 1
      return keys[index]
    }
    guard keys.count < Self.limit else { return nil }
    keys.append(Self.understand(item, line))
    place = keys.count
    return keys[keys.count - 1]
  }

  /// Puts the value of a key where it belongs.
  @inline(__always)
  mutating func take(_ number: Double, _ key: Key, _ values: inout RoleValues, _ message: inout WireMessage) {
    values.set(number, key.role)
    if let unit = key.fieldUnit { message.fieldUnit = unit }
    if let unit = key.accelerationUnit { message.accelerationUnit = unit }
    if let unit = key.rotationRateUnit { message.rotationRateUnit = unit }
    guard key.role == CSVColumns.Role.time else { return }
    if timeScale == 0 { timeScale = key.timeScale ?? CSVColumns.likelyTimeScale(of: number) }
    message.time = number * timeScale
  }

  private static func understand(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Key {
    let parent = line.bytes(in: item.parent), key = line.bytes(in: item.key)
    let axes = ["x", "y", "z"]
    var name = String(decoding: key, as: UTF8.self)
    if item.index >= 0 { name = item.index < 3 ? axes[item.index] : "" }
    if !parent.isEmpty { name = String(decoding: parent, as: UTF8.self) + "_" + name }
    var column = ColumnName(name)
    if column.quantity == nil, column.isBare, column.axis != nil { column.quantity = .field }
    let role = column.role
    return Key(
      parent: parent, name: key, index: item.index, role: role ?? CSVColumns.Role.ignored,
      fieldUnit: column.quantity == .field ? column.fieldUnit : nil,
      accelerationUnit: column.quantity == .acceleration ? column.accelerationUnit : nil,
      rotationRateUnit: column.quantity == .rotationRate ? column.rotationRateUnit : nil, timeScale: column.timeScale)
  }
}
