import LodestoneCore

/// An event of a device, by the word for it.
public enum EventName: String, CaseIterable, Sendable {
  /// Pushed, swung to and fro, two axes that changed at once, not held by anything, a step of whoever carries it.
  case movement, shake, jolt
  case freeFall = "free-fall"
  case step
  /// Held another way.
  case orientation
  /// The field is not the Earth's.
  case disturbed
  /// The device has come to rest; it has left its place.
  case still, moved
  /// Tilted by more than a number of degrees.
  case tilt
  /// The value is past one of two numbers, or between them.
  case outside, inside
  /// The value is more, or less, than a number.
  case above, below

  /// The number of numbers that belong to it.
  public var numberCount: Int {
    switch self {
    case .outside, .inside: 2
    case .above, .below, .tilt: 1
    default: 0
    }
  }
}

/// A condition that a program waits for: `shake`, `above:100`, `outside:80..100`, `tilt:0.5`.
public struct EventTrigger: Equatable, Sendable {
  /// The event to wait for.
  public let name: EventName
  /// Its numbers, in the unit in which the value is shown.
  public let numbers: [Double]
  /// The trigger as it was typed.
  public let text: String

  /// A trigger from a text; nil for a text that is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let word = parts.first, let name = EventName(rawValue: String(word)) else { return nil }
    let numbers = parts.count < 2 ? [] : Self.numbers(String(parts[1]))
    guard numbers.count == name.numberCount, numbers.allSatisfy({ $0.isFinite }) else { return nil }
    if name == .tilt, !numbers.allSatisfy({ $0 >= 0 && $0 <= 180 }) { return nil }
    self.name = name
    self.numbers = numbers
    self.text = text
  }

  /// Two numbers with two dots between them, or one.
  private static func numbers(_ text: String) -> [Double] {
    guard let dots = text.firstRange(of: "..") else { return [Double(text) ?? .nan] }
    return [text[..<dots.lowerBound], text[dots.upperBound...]].map { Double($0) ?? .nan }
  }
}

/// A reading that events are made of. What a reading does not tell is nil, and events of it cannot be waited for.
public protocol EventfulReading: Record {
  /// The events that such readings can make.
  static var events: [EventName] { get }
  /// Whether the value goes round a circle of 360°. Any other is a size, and never less than zero.
  static var isCircular: Bool { get }
  /// The value that numbers are compared with: a heading, a field in µT, a tilt, a distance in metres.
  var eventValue: Double? { get }
  /// Whether the true value is `eventValue` or more.
  var isLowerBound: Bool { get }
  /// How far the value has to come back before the same event can happen again.
  var eventSlack: Double { get }
  /// Whether the field is not the Earth's.
  var isDisturbed: Bool { get }
  /// How it is held; nil where that is not known.
  var heldOrientation: Orientation? { get }
  /// The angle between the face and the horizontal, in degrees.
  var tilt: Double? { get }
  /// The values that change when it is moved, each with its change while it stands still.
  var place: [(value: Double, slack: Double)] { get }
  /// Seconds at one place after which it is at rest.
  static var patience: Double { get }
  /// The event that the reading tells by itself.
  var told: EventName? { get }
}

extension EventfulReading {
  /// False: the value is a size.
  public static var isCircular: Bool { false }
  /// One.
  public static var patience: Double { 1 }
  /// No value.
  public var eventValue: Double? { nil }
  /// False: the value is exact.
  public var isLowerBound: Bool { false }
  /// A hundredth of the value.
  public var eventSlack: Double { abs(eventValue ?? 0) / 100 }
  /// False: it is not told.
  public var isDisturbed: Bool { false }
  /// No orientation.
  public var heldOrientation: Orientation? { nil }
  /// No tilt.
  public var tilt: Double? { nil }
  /// No place.
  public var place: [(value: Double, slack: Double)] { [] }
  /// No event.
  public var told: EventName? { nil }
}
