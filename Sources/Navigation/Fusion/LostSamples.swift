import LodestoneCore

/// The seconds from one measurement to the next while none is lost on the way: three of ten steps are shorter.
struct UsualStep: Sendable {
  /// Nil before the first step.
  private(set) var seconds: Double?

  private static let (rise, fall) = (1.015, 0.965)

  /// Takes a step in seconds, and returns the usual one.
  @discardableResult
  mutating func add(_ step: Double) -> Double {
    let usual = seconds ?? step
    seconds = usual * (step > usual ? Self.rise : Self.fall)
    return usual
  }
}

/// The mean rate over a step in which samples were lost: those between two that came lie on a line between them.
struct LostSamples: Sendable {
  private var usual = UsualStep()

  /// A step that is so many times as long as usual has lost samples.
  private static let least = 1.5

  /// The mean rate over a step; the new rate itself where nothing was lost.
  /// - Parameters:
  ///   - before: the rate before and its time in seconds; nil where there was none.
  ///   - now: the rate that holds at the end of the step, and its time.
  ///   - step: in seconds, since the last sample of any kind.
  mutating func meanRate(
    from before: (value: Vector3, time: Double)?, to now: (value: Vector3, time: Double), for step: Double
  ) -> Vector3 {
    guard let before, now.time > before.time else { return now.value }
    let usual = usual.add(now.time - before.time)
    guard step > Self.least * usual else { return now.value }
    return before.value + (now.value - before.value) * ((1 + usual / step) / 2)
  }
}
