import LodestoneCore

/// Tells gravity from a hand in motion: only while the specific force stays what it is, and is about 1 g, is it up.
public struct Stillness: Sendable {
  private var mean: Vector3?
  private var last = 0.0
  private var since = 0.0

  /// Seconds over which the mean runs, and after which it is believed.
  private static let span = 0.5
  /// The largest deviation of a force from its mean, in g.
  private static let changeLimit = 0.03
  /// How long a force at rest may be, in g.
  private let lengths: ClosedRange<Double>

  /// Nothing known yet, of an accelerometer whose force at rest has one of these lengths in g.
  public init(lengths: ClosedRange<Double> = 0.95...1.05) { self.lengths = lengths }

  /// Whether the device is at rest at this sample.
  /// - Parameters:
  ///   - force: specific force in g.
  ///   - time: of the sample, in seconds.
  public mutating func add(_ force: Vector3, at time: Double) -> Bool {
    defer { last = time }
    guard let before = mean, time > last, time - last < Self.span else {
      (mean, since) = (force, time)
      return false
    }
    let now = before + (force - before) * min(1, (time - last) / Self.span)
    mean = now
    let (square, change) = (force.squaredLength, (force - now).squaredLength)
    let isLikeRest =
      change <= Self.changeLimit * Self.changeLimit && square >= lengths.lowerBound * lengths.lowerBound
      && square <= lengths.upperBound * lengths.upperBound
    if !isLikeRest { since = time }
    return time - since >= Self.span
  }
}
