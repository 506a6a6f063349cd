import Core
import Glibc

/// An exponential mean on the circle with a time constant: a heading that crosses north stays near north.
public struct CircularSmoothing: Sendable {
  /// After this many seconds a step is followed to 63 %. Small: quick and restless; large: calm and late.
  public let timeConstant: Double
  private var mean = CircularMean()
  private var lastTime: Double?

  /// A mean with this time constant in seconds, more than zero.
  public init(timeConstant: Double) { self.timeConstant = timeConstant }

  /// Takes a direction in degrees at a time in seconds and returns the mean, in 0 ..< 360.
  public mutating func add(degrees: Double, at time: Double) -> Double {
    let elapsed = lastTime.map { max(0, time - $0) }
    lastTime = time
    guard let elapsed else {
      mean.add(degrees: degrees)
      return Angle.wrapped(degrees: degrees)
    }
    let kept = exp(-elapsed / timeConstant)
    mean.scale(by: kept)
    mean.add(degrees: degrees, weight: 1 - kept)
    return mean.degrees ?? Angle.wrapped(degrees: degrees)
  }
}

/// Lets a heading through when it has turned by at least so many degrees since the last one let through, or when its
/// quality has changed.
public struct HeadingFilter: Sendable {
  /// The turn that is worth a line, in degrees.
  public let turn: Double
  private var last: Double?
  private var lastQuality: Reading.Quality?

  /// A filter for turns of at least this many degrees.
  public init(turn: Double) { self.turn = turn }

  /// Whether this reading is worth a line; remembers it if so.
  public mutating func passes(_ reading: Reading) -> Bool {
    let now = reading.magneticHeading?.degrees ?? reading.trueHeading?.degrees
    if reading.quality == lastQuality, let now, let last, abs(Angle.shortestTurn(from: last, to: now)) < turn {
      return false
    }
    if reading.quality == lastQuality, now == nil, last == nil { return false }
    last = now
    lastQuality = reading.quality
    return true
  }
}
