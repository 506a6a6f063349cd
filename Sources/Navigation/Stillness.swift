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
  /// The largest deviation of a force's length from 1 g, in g.
  private static let lengthLimit = 0.05

  /// Nothing known yet.
  public init() {}

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
    if (force - now).length > Self.changeLimit || abs(force.length - 1) > Self.lengthLimit { since = time }
    return time - since >= Self.span
  }
}
