import Calibration
import LodestoneCore

/// Turns a field that was measured before the rate beside it to where the board points now: what a hub, a driver or a
/// filter keeps back of the magnetometer's readings. By how long is in the calibration.
struct FieldDelay: Sendable {
  /// Seconds by which the field is older than a rate that holds at its row's time; negative for a younger one.
  private let lag: Double
  /// The last steps of the rate, the newest at `newest`: seconds, and the turn in radians.
  private var steps: [(seconds: Double, turn: Vector3)]
  private var newest = 0
  private var count = 0

  /// The number of steps that are kept: 80 ms at 800 Hz.
  private static let capacity = 64

  /// Of a calibrated device; nil where the calibration does not know it.
  init?(_ lag: FieldLag?) {
    guard let lag else { return nil }
    self.lag = lag.seconds
    steps = Array(repeating: (0, .zero), count: Self.capacity)
  }

  /// A rate in degrees per second, and the seconds since the one before.
  mutating func take(rate: Vector3, step: Double) {
    newest = (newest + 1) % Self.capacity
    steps[newest] = (step, rate * (step * .pi / 180))
    count = min(count + 1, Self.capacity)
  }

  /// The rates before a gap tell nothing.
  mutating func restart() { count = 0 }

  /// The field as it is where the board points at the newest rate. The fusion takes a rate for the mean since the row
  /// before, so a rate that holds at its row's time is half a row older than that.
  func turned(_ field: Vector3) -> Vector3 {
    guard count > 0 else { return field }
    var rest = lag + steps[newest].seconds / 2
    guard rest > 0 else { return field }
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
