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

/// Whether samples were lost before a rate, and the mean rate over such a step: those between two that came lie on a
/// line between them.
struct LostSamples: Sendable {
  private var steps = UsualStep()
  /// Seconds between two rates as they come, before the newest one.
  private var usual = 0.0

  /// A step that is so many times as long as usual has lost samples.
  private static let least = 1.5
  /// Seconds without a sample past which a rate is not taken to have lasted.
  static let gap = 0.12

  /// Takes the time of the rate before and of the newest one, in seconds.
  mutating func add(from before: Double, to now: Double) {
    if now > before { usual = steps.add(now - before) }
  }

  /// Samples were lost in a step that ends with the newest rate, in seconds since the last sample of any kind.
  func areLost(in step: Double) -> Bool { usual > 0 && step > Self.least * usual }

  /// Rates are missing since the last one came: it is not taken to have lasted.
  func isAwaited(at now: Double, since last: Double) -> Bool { now - last > Self.gap && areLost(in: now - last) }

  /// The mean rate over such a step; the newest rate itself where nothing was lost.
  func meanRate(from before: Vector3, to now: Vector3, for step: Double) -> Vector3 {
    areLost(in: step) ? before + (now - before) * ((1 + usual / step) / 2) : now
  }
}
