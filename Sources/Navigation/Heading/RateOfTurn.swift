import LodestoneCore

extension AttitudeTracker {
  /// The rate of turn in degrees per second: that of the board about the vertical, clockwise as seen from above, to
  /// starboard, positive. Nil without a gyroscope that agrees with the other sensors, and until its bias is known.
  /// - Parameter up: of length 1, in the device frame.
  @inline(__always)
  func rateOfTurn(up: Vector3) -> Double? {
    guard let rate = estimate?.rate, rate.isFinite else { return nil }
    let unknown = bias.deviation.times(up)
    return unknown.squaredLength <= Self.leastKnown * Self.leastKnown ? -rate.dot(up) : nil
  }

  /// The uncertainty of a bias, one standard deviation in degrees per second, past which a rate of turn says nothing
  /// yet.
  private static var leastKnown: Double { 0.5 }
}
