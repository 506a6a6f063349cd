import LodestoneCore

/// Honeywell's HMR2300 in binary: three big-endian 16-bit counts and a CR, 15000 counts a gauss. The CR at every
/// seventh byte is all there is to find the frames by: the first are believed when three follow one another. Source:
/// Honeywell HMR2300 manual.
struct HMR2300Binary: WireProtocol {
  static let name = "hmr2300-binary"
  static let proof = WireProof.framing

  private static let length = 7
  /// Frames in a row that make a beginning.
  private static let framesToBelieve = 3

  /// The last frame ended where this one begins.
  private var isLocked = false

  init() {}

  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep? {
    let required = isLocked ? 1 : Self.framesToBelieve
    var index = position
    while bytes.count - index >= Self.length * required {
      if frames(required, at: index, in: bytes) {
        if index > position { break }
        isLocked = true
        position = index + Self.length
        message = Self.message(bytes, at: index)
        return .message
      }
      if isLocked {
        isLocked = false
        return next(in: bytes, from: &position, into: &message)
      }
      // A frame's seventh byte is a CR: the search goes on where one is.
      let end = bytes.quickIndex(of: .carriageReturn, in: min(index + Self.length, bytes.count)..<bytes.count)
      index = max(index + 1, (end ?? bytes.count) - Self.length + 1)
    }
    guard index > position else { return nil }
    defer { position = index }
    return .rejected(.unrecognized, byteCount: index - position)
  }

  /// Takes whole frames at the end though no third one follows.
  mutating func finish(in bytes: Span<UInt8>, from position: inout Int) -> WireEvent? {
    if let event = next(in: bytes, from: &position) { return event }
    let rest = bytes.count - position
    guard rest > 0 else { return nil }
    if rest % Self.length == 0, frames(rest / Self.length, at: position, in: bytes) {
      defer { position += Self.length }
      return .message(Self.message(bytes, at: position))
    }
    defer { position = bytes.count }
    return .rejected(.truncated, byteCount: rest)
  }

  /// Whether frames follow one another from a place on.
  private func frames(_ count: Int, at start: Int, in bytes: Span<UInt8>) -> Bool {
    for number in 0..<count {
      let at = start + number * Self.length
      guard bytes[at + Self.length - 1] == .carriageReturn, let counts = bytes.bigInt16Vector(at: at) else {
        return false
      }
      for axis in 0..<3 where !HMR2300.range.contains(counts[axis]) { return false }
    }
    return true
  }

  private static func message(_ bytes: Span<UInt8>, at start: Int) -> WireMessage {
    HMR2300.message(bytes.bigInt16Vector(at: start) ?? .zero)
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let field = message.microtesla else { return }
    let counts = field * (HMR2300.countsPerGauss / FieldUnit.gauss.microtesla)
    let range = HMR2300.range
    for axis in 0..<3 {
      bytes.append(big: Int16(rounding: min(max(counts[axis], range.lowerBound), range.upperBound)))
    }
    bytes.append(.carriageReturn)
  }
}
