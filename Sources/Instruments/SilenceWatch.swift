import Ports

/// Notices when a live stream says nothing, or nothing that makes sense. Silence is told once until bytes come again,
/// nonsense every ten seconds at most.
struct SilenceWatch {
  /// What is wrong.
  enum Complaint: Equatable {
    /// No byte for so many seconds.
    case silent(seconds: Double)
    /// Bytes, but no message among them.
    case senseless
  }

  /// After so many seconds the user is told.
  private static let patience = 3.0
  /// Seconds before nonsense is told again.
  private static let repetition = 10.0

  private let isLive: Bool
  private let began: MonotonicTime
  private var lastByte: MonotonicTime?
  private var firstSenseless: MonotonicTime?
  private var silenceIsTold = false
  private var mayRepeat: MonotonicTime
  /// A message has come since the stream began.
  private(set) var hasMessages = false

  init(isLive: Bool, since now: MonotonicTime) {
    self.isLive = isLive
    began = now
    mayRepeat = now
  }

  /// Bytes have come.
  mutating func received(_ now: MonotonicTime) {
    guard isLive else { return }
    lastByte = now
    silenceIsTold = false
    firstSenseless = firstSenseless ?? now
  }

  /// A message has come.
  @inline(__always)
  mutating func heard(_ now: @autoclosure () -> MonotonicTime) {
    guard isLive else { return }
    hasMessages = true
    firstSenseless = nil
  }

  /// When to look again; nil when only bytes can change anything.
  var wakeTime: MonotonicTime? {
    guard isLive, !silenceIsTold else { return nil }
    let silence = (lastByte ?? began) + Self.patience
    return firstSenseless.map { min(silence, max($0 + Self.patience, mayRepeat)) } ?? silence
  }

  /// What is wrong now, if the user is to be told.
  mutating func complaint(_ now: MonotonicTime) -> Complaint? {
    guard let due = wakeTime, due <= now else { return nil }
    let quiet = now - (lastByte ?? began)
    guard quiet < Self.patience else {
      silenceIsTold = true
      return .silent(seconds: quiet)
    }
    mayRepeat = now + Self.repetition
    return .senseless
  }
}

/// A piece of what arrived, fit for a message: printable ASCII as it is, everything else in hexadecimal.
enum PrintableBytes {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { text, byte in
      if byte >= 0x20, byte < 0x7F {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let hex = String(byte, radix: 16)
        text += "\\x" + (hex.count < 2 ? "0" : "") + hex
      }
    }
  }
}
