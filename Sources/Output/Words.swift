import Core
import Navigation

// The machine formats' words for cases, as literals, so that a line costs no string.

extension Orientation {
  /// As `rawValue`.
  var word: StaticString {
    switch self {
    case .portrait: "portrait"
    case .portraitUpsideDown: "portrait-upside-down"
    case .landscapeLeft: "landscape-left"
    case .landscapeRight: "landscape-right"
    case .faceUp: "face-up"
    case .faceDown: "face-down"
    case .unknown: "unknown"
    }
  }
}

extension Reading.Quality {
  /// As `rawValue`.
  var word: StaticString {
    switch self {
    case .good: "good"
    case .fair: "fair"
    case .poor: "poor"
    case .disturbed: "disturbed"
    case .uncalibrated: "uncalibrated"
    case .device: "device"
    }
  }
}

extension FieldReading.Flags {
  /// The words of the flags that are set, with spaces between.
  func append(to text: inout TextBuffer) {
    var isFirst = true
    for (flag, word) in Self.words where contains(flag) {
      if !isFirst { text.append(byte: UInt8(ascii: " ")) }
      text.append(word)
      isFirst = false
    }
  }
}
