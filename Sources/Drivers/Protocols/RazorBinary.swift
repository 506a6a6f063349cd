import LodestoneCore

/// The Razor's binary outputs: little-endian floats without any frame, either 3 (yaw, pitch, roll) or 9 (acceleration,
/// field, rotation rate). They can be read only from a place that the board marks: the answer `#SYNCHxy` and CR LF to
/// `#sxy`. Which of the two it is, the first values tell. Axes and signs as in `Razor`: the acceleration is sent
/// negated. Source: Razor_AHRS.ino 1.4.2 in Razor-AHRS/razor-9dof-ahrs.
struct RazorBinary: WireProtocol {
  static let name = "razor-binary"
  static let proof = WireProof.request
  static let axes = WireAxes.forwardRightDown
  static let request: [UInt8]? = Array("#s00".utf8)

  /// `#SYNCH`, two characters, CR LF.
  private static let markLength = 10
  private static let attitudeLength = 12, sensorsLength = 36

  /// Bytes of one message; zero before the mark has been seen.
  private var length = 0
  private var isSynchronized = false

  init() {}

  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep? {
    guard isSynchronized else { return findMark(bytes, &position) }
    if bytes.holds("#SYNCH", at: position) {
      guard bytes.count - position >= Self.markLength else { return nil }
      position += Self.markLength
      return .other
    }
    if length == 0 {
      guard bytes.count - position >= Self.sensorsLength else { return nil }
      length = areAngles(bytes, position) && areAngles(bytes, position + 12) ? Self.attitudeLength : Self.sensorsLength
    }
    guard bytes.count - position >= length else { return nil }
    defer { position += length }
    message.clear()
    return read(bytes.extracting(position..<position + length), into: &message).step(of: length)
  }

  private mutating func findMark(_ bytes: Span<UInt8>, _ position: inout Int) -> WireStep? {
    var index = position
    while index < bytes.count {
      index = bytes.quickIndex(of: UInt8(ascii: "#"), in: index..<bytes.count) ?? bytes.count
      if bytes.count - index < Self.markLength || bytes.holds("#SYNCH", at: index) { break }
      index += 1
    }
    if index > position {
      defer { position = index }
      return .rejected(.unrecognized, byteCount: index - position)
    }
    guard bytes.count - position >= Self.markLength else { return nil }
    position += Self.markLength
    isSynchronized = true
    return .other
  }

  private func areAngles(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
    guard let angles = bytes.littleFloatVector(at: at) else { return false }
    return abs(angles.x) <= 180 && abs(angles.y) <= 90 && abs(angles.z) <= 180
  }

  private mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if length == Self.attitudeLength {
      guard areAngles(frame, 0), let angles = frame.littleFloatVector(at: 0) else { return lose() }
      message.own = OwnHeading(magnetic: Heading(degrees: angles.x), pitch: angles.y, roll: angles.z)
      return .message
    }
    guard let acceleration = frame.littleFloatVector(at: 0), let field = frame.littleFloatVector(at: 12),
      let rate = frame.littleFloatVector(at: 24), max(acceleration.length, field.length, rate.length) < 1e6
    else { return lose() }
    message.acceleration = -acceleration
    message.field = field
    message.rotationRate = rate
    return .message
  }

  /// Rejects a packet whose contents cannot be right: bytes were lost, and the next mark is awaited.
  private mutating func lose() -> WireMeaning {
    isSynchronized = false
    return .rejected(.malformed)
  }

  /// The mark was written.
  private var hasEncodedMark = false

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    if !hasEncodedMark {
      bytes.append(text: "#SYNCH00\r\n")
      hasEncodedMark = true
    }
    guard let field = message.microtesla else { return }
    bytes.append(littleFloat: -(message.gravities ?? .zero) * Razor.countsPerGravity)
    bytes.append(littleFloat: field * Razor.countsPerMicrotesla)
    bytes.append(littleFloat: (message.degreesPerSecond ?? .zero) * Razor.countsPerDegreePerSecond)
  }
}
