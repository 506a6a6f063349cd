import LodestoneCore

/// How far a board has turned since its field was measured, where it sends the same field again: one that is faster
/// than its magnetometer. Without a gyroscope the fields before tell how it turns.
struct HeldField: Sendable {
  private var last: (heading: Double, time: Double)?
  /// The mean lately, in degrees per second.
  private var rate = 0.0

  /// Whether a field was sent again; from then on fields are followed.
  var hasBegun: Bool { last != nil }

  private var usual = UsualStep()

  /// Seconds of the mean rate.
  private static let span = 0.5
  /// The multiple of the usual step after which a field that stays tells that the board has stopped: its numbers are
  /// coarse.
  private static let longest = 3.0

  /// The turn in degrees since the field was measured, as far as fields have shown it: none for a new one.
  /// - Parameters:
  ///   - heading: in degrees.
  ///   - noise: by how many degrees noise alone turns one heading from another.
  ///   - time: of the sample, in seconds.
  mutating func turn(heading: Double, isRepeat: Bool, noise: Double, at time: Double) -> Double {
    guard let before = last, time > before.time else {
      last = (heading, time)
      return 0
    }
    let step = time - before.time
    if isRepeat {
      if step > Self.longest * (usual.seconds ?? 0) { rate = 0 }
      return max(0, abs(rate) - noise / Self.span) * step
    }
    usual.add(step)
    rate += (Angle.shortestTurn(from: before.heading, to: heading) / step - rate) * min(1, step / Self.span)
    last = (heading, time)
    return 0
  }
}
