import Ports

/// Notices when a live stream says nothing, or nothing that makes sense.
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
  /// After so many seconds of bytes without a message another baud rate may be tried.
  private static let rateDwell = 0.5

  private let isLive: Bool
  private let began: MonotonicTime
  private var lastByte: MonotonicTime?
  private var firstSenseless: MonotonicTime?
  private var toldUntil: MonotonicTime
  private var hasMessages = false

  init(isLive: Bool, since now: MonotonicTime) {
    self.isLive = isLive
    began = now
    toldUntil = now
  }

  /// Bytes have come.
  mutating func received(_ now: MonotonicTime) {
    guard isLive else { return }
    lastByte = now
    firstSenseless = firstSenseless ?? now
  }

  /// A message has come.
  @inline(__always)
  mutating func heard(_ now: @autoclosure () -> MonotonicTime) {
    guard isLive else { return }
    hasMessages = true
    firstSenseless = nil
  }

  /// When to look again.
  var wakeTime: MonotonicTime? {
    guard isLive else { return nil }
    if let firstSenseless { return max(firstSenseless, toldUntil) + (hasMessages ? Self.patience : Self.rateDwell) }
    return max(lastByte ?? began, toldUntil) + Self.patience
  }

  /// What is wrong now; the same is said again only after a while.
  mutating func complaint(_ now: MonotonicTime) -> Complaint? {
    guard let due = wakeTime, due <= now else { return nil }
    if firstSenseless != nil, now - (lastByte ?? began) < Self.patience {
      firstSenseless = now
      return .senseless
    }
    toldUntil = now
    return .silent(seconds: now - (lastByte ?? began))
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
