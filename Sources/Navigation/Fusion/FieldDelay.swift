import Calibration
import LodestoneCore

/// Puts field, rate and row in order of time. A field that was measured before the rate beside it is turned to where
/// the board points now: hubs, drivers and filters keep magnetometers' readings back, by how long is in the
/// calibration. And the fusion takes a rate for the mean since the row before: one that holds at its row's time brings
/// the attitude half a row ahead, which is turned back.
struct FieldDelay: Sendable {
  /// Seconds by which the field is older than a rate that holds at its row's time; negative for a younger one.
  private let lag: Double
  /// The lag is that of a field which is older than its row, and tells nothing of the meaning of rates.
  private let isLate: Bool
  /// The last steps of the rate, the newest at `newest`: seconds, and the turn in radians.
  private var steps: [(seconds: Double, turn: Vector3)]
  private var newest = 0
  private var count = 0
  private var usual = UsualStep()

  /// The number of steps that are kept: 80 ms at 800 Hz.
  private static let capacity = 64
  /// The delay of a low-pass of 42 Hz, in seconds (MPU-6050 register map, CONFIG).
  private static let filterDelay = 0.0048

  /// Of a calibrated device; nil where the calibration does not know it.
  init?(_ lag: FieldLag?) {
    guard let lag else { return nil }
    (self.lag, isLate) = (lag.seconds, lag.seconds > 3 * lag.deviation)
    steps = Array(repeating: (0, .zero), count: Self.capacity)
  }

  /// A rate in degrees per second, and the seconds since the one before.
  mutating func take(rate: Vector3, step: Double) {
    newest = (newest + 1) % Self.capacity
    steps[newest] = (step, rate * (step * .pi / 180))
    count = min(count + 1, Self.capacity)
    halfStep = usual.add(step) / 2
  }

  /// The rates before a gap tell nothing.
  mutating func restart() { count = 0 }

  /// The field as it is where the fusion takes the board to point.
  func turned(_ field: Vector3) -> Vector3 { turned(field, by: lag + halfStep) }

  /// The fusion's attitude as it was at the time of the newest row.
  func atRow(_ attitude: Quaternion) -> Quaternion {
    ahead > 0 ? attitude * Quaternion(rotation: turn(of: ahead) * -1) : attitude
  }

  /// The turn of some seconds at the newest rate, in radians.
  private func turn(of seconds: Double) -> Vector3 {
    count > 0 ? steps[newest].turn * (seconds / steps[newest].seconds) : .zero
  }

  /// One standard deviation of what the attitude at the row may be turned by, in radians about the device's axes: of a
  /// field that comes late nobody knows whether the rates beside it are momentary or means.
  var doubt: Vector3 { isLate ? turn(of: max(age, halfStep - age)) * 0.6 : .zero }

  /// Half of the seconds that a rate stands for: where samples were lost, the time since the last one is longer.
  private var halfStep = 0.0

  /// The age of a rate beside a late field, in seconds: between that of a momentary one and of a mean, but no older
  /// than what most chips' filters keep it back.
  private var age: Double { min(halfStep / 2, Self.filterDelay) }

  /// Seconds by which the fusion is ahead of the row. A row's field is as old as the row or older, never younger, so a
  /// rate that is half a row older than the field is a mean.
  private var ahead: Double { isLate ? halfStep - age : min(max(lag + halfStep, 0), halfStep) }

  private func turned(_ field: Vector3, by seconds: Double) -> Vector3 {
    var rest = seconds
    guard count > 0, rest > 0 else { return field }
    var turn = Vector3.zero
    for back in 0..<count {
      let step = steps[(newest - back + Self.capacity) % Self.capacity]
      let share = min(1, rest / step.seconds)
      turn += step.turn * share
      rest -= share * step.seconds
      if rest <= 1e-9 { break }
    }
    return Quaternion(rotation: turn * -1) * field
  }
}
