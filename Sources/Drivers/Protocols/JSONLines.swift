import Core

/// One JSON object a line: `{"mx":-18.0,"my":33.0,"mz":-42.0,"ax":0,"ay":0,"az":9.81}`, or with the axes in objects or
/// arrays (`{"mag":{"x":…}}`, `{"mag":[…]}`). Keys are understood as the columns of a table are.
struct JSONLines: LineProtocol {
  static let name = "json"
  static let proof = WireProof.signature

  var framer = LineFramer()
  /// The keys seen so far, in the order of their first appearance. Boards repeat the same keys, so that each is looked up
  /// where it was the last time.
  private var keys: [LearnedKey] = []
  /// Seconds in one unit of the time; 0 until the first value has been seen.
  private var timeScale = 0.0

  /// Keys past this many are not looked at.
  private static let keyLimit = 64

  init() {}

  mutating func read(_ line: Span<UInt8>) -> WireEvent? {
    guard line[0] == UInt8(ascii: "{") else { return .rejected(.unrecognized, byteCount: line.count) }
    var scanner = JSONScanner()
    var values = RoleValues()
    var message = WireMessage()
    var place = 0
    while let item = scanner.next(in: line) {
      guard let known = learn(item, line, &place), known.role != CSVColumns.Role.ignored else { continue }
      guard let number = item.number else {
        if item.string == nil { continue }
        return .rejected(.malformed, byteCount: line.count)
      }
      values.set(number, known.role)
      if let unit = known.fieldUnit { message.fieldUnit = unit }
      if let unit = known.accelerationUnit { message.accelerationUnit = unit }
      if let unit = known.rotationRateUnit { message.rotationRateUnit = unit }
      if known.role == CSVColumns.Role.time { message.time = seconds(number, known) }
    }
    guard scanner.isComplete, values.fill(&message) else { return .rejected(.malformed, byteCount: line.count) }
    return message.field == nil && message.acceleration == nil && message.rotationRate == nil
      ? .other : .message(message)
  }

  /// A closing brace proves that an object is whole.
  mutating func readLast(_ line: Span<UInt8>) -> WireEvent? {
    if case .message(let message) = read(line) { return .message(message) }
    return .rejected(.truncated, byteCount: line.count)
  }

  private mutating func seconds(_ value: Double, _ key: LearnedKey) -> Double {
    if timeScale == 0 { timeScale = key.timeScale ?? CSVColumns.likelyTimeScale(of: value) }
    return value * timeScale
  }

  // MARK: Keys

  /// A key and what it stands for.
  private struct LearnedKey {
    var parent: [UInt8]
    var key: [UInt8]
    var index: Int
    var role: UInt8
    var fieldUnit: FieldUnit?
    var accelerationUnit: AccelerationUnit?
    var rotationRateUnit: RotationRateUnit?
    var timeScale: Double?

    func matches(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Bool {
      index == item.index && line.holds(key, in: item.key) && line.holds(parent, in: item.parent)
    }
  }

  /// What the key of an item stands for. `place` is where to look first, and moves on.
  @inline(__always)
  private mutating func learn(_ item: JSONScanner.Item, _ line: Span<UInt8>, _ place: inout Int) -> LearnedKey? {
    if place < keys.count, keys[place].matches(item, line) {
      place &+= 1
      return keys[place &- 1]
    }
    for index in keys.indices where keys[index].matches(item, line) {
      place = index &+ 1
      return keys[index]
    }
    guard keys.count < Self.keyLimit else { return nil }
    keys.append(Self.understand(item, line))
    place = keys.count
    return keys[keys.count - 1]
  }

  private static func understand(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> LearnedKey {
    let parent = line.bytes(in: item.parent), key = line.bytes(in: item.key)
    let axes = ["x", "y", "z"]
    var name = String(decoding: key, as: UTF8.self)
    if item.index >= 0 { name = item.index < 3 ? axes[item.index] : "" }
    if !parent.isEmpty { name = String(decoding: parent, as: UTF8.self) + "_" + name }
    let column = ColumnName(name)
    return LearnedKey(
      parent: parent, key: key, index: item.index, role: column.role ?? CSVColumns.Role.ignored,
      fieldUnit: column.fieldUnit, accelerationUnit: column.accelerationUnit,
      rotationRateUnit: column.rotationRateUnit, timeScale: column.timeScale)
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    let start = bytes.count
    func put(_ name: StaticString, _ value: Double, _ bytes: inout [UInt8]) {
      if bytes.count > start { bytes.append(.comma) }
      bytes.append(.quote)
      bytes.append(text: name)
      bytes.append(text: "\":")
      bytes.append(value, decimals: 6)
    }
    func put(_ names: [StaticString], _ vector: Vector3?, _ bytes: inout [UInt8]) {
      guard let vector else { return }
      for (axis, name) in names.enumerated() { put(name, vector[axis], &bytes) }
    }
    if let time = message.time { put("time_s", time, &bytes) }
    put(["mx_uT", "my_uT", "mz_uT"], message.microtesla, &bytes)
    put(["ax_g", "ay_g", "az_g"], message.gravities, &bytes)
    put(["gx_dps", "gy_dps", "gz_dps"], message.degreesPerSecond, &bytes)
    if let temperature = message.temperature { put("temperature_C", temperature, &bytes) }
    bytes.append(text: "}\n")
  }
}
