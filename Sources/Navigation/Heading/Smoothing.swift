import LodestoneCore
import Glibc

/// An exponential mean on the circle with a time constant: a heading that crosses north stays near north.
public struct CircularSmoothing: Sendable {
  /// The time constant in seconds, after which a step is followed to 63 %. Small: quick and restless; large: calm and
  /// late.
  public let timeConstant: Double
  private var mean = CircularMean()
  private var lag = SmoothingLag()
  /// The time of the last direction, and the measurement that it was of.
  private var last: (time: Double, degrees: Double)?

  /// The share of a heading's accuracy below which a lag does not count.
  private static let leastLag = 0.1

  /// A mean with this time constant in seconds, more than zero.
  public init(timeConstant: Double) { self.timeConstant = timeConstant }

  /// Takes a direction in degrees at a time in seconds and returns the mean, in 0 ..< 360, and how far that lags behind
  /// while the direction turns, in degrees; by nothing at rest.
  /// - Parameters:
  ///   - accuracy: 95 % of directions are within this many degrees.
  ///   - isRepeat: the measurement that the last one came of is sent again, as is one of the same direction.
  public mutating func add(
    degrees: Double, accuracy: Double, isRepeat: Bool = false, at time: Double
  ) -> (degrees: Double, lag: Double) {
    let elapsed = last.map { max(0, time - $0.time) } ?? .infinity
    let measured = isRepeat ? last?.degrees ?? degrees : degrees
    let change = last.map { Vector3(Angle.shortestTurn(from: $0.degrees, to: measured), 0, 0) }
    last = (time, measured)
    let kept = exp(-elapsed / timeConstant)
    mean.scale(by: kept)
    mean.add(degrees: degrees, weight: 1 - kept)
    let smooth = mean.degrees ?? Angle.wrapped(degrees: degrees)
    let lag = lag.add(
      distance: Vector3(Angle.shortestTurn(from: smooth, to: degrees), 0, 0), change: change, kept: kept,
      elapsed: elapsed, usualNoise: accuracy / Quantile.normal, least: Self.leastLag * accuracy)
    return (smooth, lag)
  }
}

/// Lets a heading through when it has turned by at least `turn` degrees since the last one let through, or when it has
/// begun or ceased to be trustworthy and stayed so for a second.
public struct HeadingFilter: Sendable {
  /// The turn that is worth a line, in degrees.
  public let turn: Double
  private var last: (degrees: Double?, isTrusted: Bool)?
  private var otherSince: Double?

  /// Seconds for which a heading must be trusted, or not be, before that is worth a line.
  private static let patience = 1.0

  /// A filter for turns of at least this many degrees.
  public init(turn: Double) { self.turn = turn }

  /// Whether this reading is worth a line; remembers it if so.
  public mutating func passes(_ reading: HeadingReading) -> Bool {
    let now = reading.magneticHeading?.degrees ?? reading.trueHeading?.degrees
    let isTrusted = now != nil && reading.quality != .disturbed
    guard let last, !hasTurned(from: last.degrees, to: now), !isOther(last.isTrusted != isTrusted, at: reading.time)
    else {
      last = (now, isTrusted)
      otherSince = nil
      return true
    }
    return false
  }

  private func hasTurned(from last: Double?, to now: Double?) -> Bool {
    guard let now else { return false }
    return last.map { abs(Angle.shortestTurn(from: $0, to: now)) >= turn } ?? true
  }

  private mutating func isOther(_ isOther: Bool, at time: Double) -> Bool {
    guard isOther else {
      otherSince = nil
      return false
    }
    let since = min(otherSince ?? time, time)
    otherSince = since
    return time - since >= Self.patience
  }
}
