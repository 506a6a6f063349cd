import LodestoneCore

/// Samples and readings of another lodestone in InfluxDB's line protocol:
/// `sample,device=boat mx_uT=-12.9,my_uT=15.7,mz_uT=-43.5 1764230400000000000`.
/// A line says what the same record says as JSON: its fields are keys, its stamp is the time in nanoseconds since
/// 1970-01-01 UTC, and what is absent is left out. Lines of other programs are labelled ones.
/// Source: "Line protocol", InfluxDB v2 documentation.
struct InfluxLines: LineReading {
  static let name = "influx"
  static let endsAlike = true
  static let proof = WireProof.signature

  var framer = LineFramer()
  private var objects = JSONLines()
  /// The line as an object of JSON.
  private var object: [UInt8] = []

  init() {}

  var fieldNaming: FieldNaming { objects.fieldNaming }

  mutating func seek(_ causes: CauseNames) { objects.seek(causes) }

  mutating func hear(at arrival: Double) { objects.hear(at: arrival) }

  mutating func noteDamage() { objects.noteDamage() }

  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool {
    objects.takeJoined(atEnd: atEnd, into: &message)
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard let kind = Self.kind(of: line) else { return .rejected(.unrecognized) }
    var text: [UInt8] = []
    swap(&text, &object)
    defer { swap(&text, &object) }
    text.removeAll(keepingCapacity: true)
    guard Self.append(line, of: kind, to: &text) else { return .rejected(.malformed) }
    return objects.read(text.span, into: &message)
  }

  // MARK: Lines

  /// A kind of record: its name, and the keys by which its objects are known, which a line leaves out where they are
  /// absent.
  private typealias Kind = (name: StaticString, keys: StaticString)

  private static let kinds: [Kind] = [
    ("sample", ""), ("field", ""), ("level", ""), ("motion", ""), ("location", "\"horizontal_accuracy_m\":null,"),
    ("heading", "\"magnetic_heading_deg\":null,\"accuracy_deg\":null,"),
    ("attitude", "\"magnetic_heading_deg\":null,\"yaw_accuracy_deg\":null,"),
  ]

  /// Parts of names that tell a record of lodestone from a sentence that begins with the same word.
  private static let marks: [StaticString] = [
    "_uT=", "_nT=", "_mT=", "_G=", "_mG=", "_counts=", "_deg=", "_g=", "_dps=", "_C=", "quality=\"",
  ]

  /// A line is one of another lodestone.
  static func isOne(_ line: Span<UInt8>) -> Bool { kind(of: line) != nil }

  private static func kind(of line: Span<UInt8>) -> Kind? {
    let kind = kinds.first { kind in
      let end = kind.name.utf8CodeUnitCount
      return line.count > end && (line[end] == .comma || line[end] == .space) && line.holds(kind.name, at: 0)
    }
    guard let kind, line.indices.contains(where: { place in marks.contains { line.holds($0, at: place) } }) else {
      return nil
    }
    return kind
  }

  /// Appends a line as an object of JSON; false where it is damaged.
  private static func append(_ line: Span<UInt8>, of kind: Kind, to object: inout [UInt8]) -> Bool {
    object.append(UInt8(ascii: "{"))
    object.append(text: kind.keys)
    var index = kind.name.utf8CodeUnitCount
    // A tag's blanks are behind backslashes.
    while index < line.count, line[index] != .space { index += line[index] == UInt8(ascii: "\\") ? 2 : 1 }
    repeat {
      index += 1
      guard appendField(line, from: &index, to: &object) else { return false }
    } while index < line.count && line[index] == .comma
    while index < line.count, line[index] == .space { index += 1 }
    if index < line.count {
      let nanoseconds = index..<line.count
      guard nanoseconds.dropFirst().allSatisfy({ line[$0].isDigit }), parseDecimal(line, from: &index) != nil,
        index == line.count
      else { return false }
      object.append(text: ",\"time_s\":")
      object += line.bytes(in: nanoseconds)
      object.append(text: "e-9")
    }
    object.append(UInt8(ascii: "}"))
    return true
  }

  /// Appends a field with its value, a number or words between quotes, and moves the index behind it; false for
  /// anything else.
  private static func appendField(_ line: Span<UInt8>, from index: inout Int, to object: inout [UInt8]) -> Bool {
    let key = index
    while index < line.count, line[index].isLetter || line[index].isDigit || line[index] == UInt8(ascii: "_") {
      index += 1
    }
    guard index > key, index + 1 < line.count, line[index] == UInt8(ascii: "=") else { return false }
    if object.last != .comma, object.count > 1 { object.append(.comma) }
    object.append(.quote)
    object += line.bytes(in: key..<index)
    object.append(text: "\":")
    let isFlags = line.holds("flags", in: key..<index)
    index += 1
    let value = index
    if line[index] == .quote {
      repeat { index += 1 } while index < line.count && line[index] != .quote
      guard index < line.count else { return false }
      index += 1
      if isFlags { object.append(UInt8(ascii: "[")) }
      for byte in line.bytes(in: value..<index) {
        if isFlags, byte == .space { object.append(text: "\",\"") } else { object.append(byte) }
      }
      if isFlags { object.append(UInt8(ascii: "]")) }
      return true
    }
    guard parseDecimal(line, from: &index) != nil else { return false }
    object += line.bytes(in: value..<index)
    if index < line.count, line[index] == UInt8(ascii: "i") { index += 1 }
    return true
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let vectors: [([StaticString], Vector3?)] = [
      (["mx_uT=", "my_uT=", "mz_uT="], message.microtesla), (["ax_g=", "ay_g=", "az_g="], message.gravities),
      (["gx_dps=", "gy_dps=", "gz_dps="], message.degreesPerSecond),
    ]
    let start = bytes.count
    bytes.append(text: "sample ")
    let first = bytes.count
    func put(_ name: StaticString, _ value: Double, _ bytes: inout [UInt8]) {
      if bytes.count > first { bytes.append(.comma) }
      bytes.append(text: name)
      bytes.append(value, decimals: 6)
    }
    for (names, vector) in vectors {
      guard let vector else { continue }
      for (axis, name) in names.enumerated() { put(name, vector[axis], &bytes) }
    }
    if let temperature = message.temperature { put("temperature_C=", temperature, &bytes) }
    guard bytes.count > first else { return bytes.removeLast(bytes.count - start) }
    if message.saturated { bytes.append(text: ",flags=\"saturated\"") }
    if let time = message.time, abs(time) < 9e9 {
      bytes.append(.space)
      bytes.append(contentsOf: String(Int((time * 1e9).rounded())).utf8)
    }
    bytes.append(text: "\n")
  }
}
