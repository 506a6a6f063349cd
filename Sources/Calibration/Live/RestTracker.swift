import LodestoneCore

/// Follows the rests of a guided calibration as they happen: one counts as soon as it has lasted long enough, not only
/// when it ends.
struct RestTracker: Sendable {
  /// Seconds after which a rest counts.
  static let needed = 1.2

  /// The rest that begins to count with a measurement, if any.
  enum Step: Sendable {
    /// No event.
    case none
    /// A rest in an attitude that was not held before.
    case new
    /// A rest in an attitude that was, but not just before.
    case repeated
  }

  private(set) var rests = Rests()
  private(set) var finder = RestFinder(forceRange: 0.08)
  /// Whether the rest under way has been counted, so that its place among all is taken.
  private var isCounted = false
  /// Whether it was one that counts: not in the attitude of the one before.
  private var isNews = false
  /// Whether it is in the attitude of the one before, and counts no further one.
  private(set) var isHeldAgain = false
  /// The moment since which the board is held still, with no more than a twitch between; nil while it moves.
  private(set) var stillSince: Double?
  /// Whether one of the rests since then has counted, or the attitude did before.
  private(set) var hasCounted = false
  /// The moment since which it moves; nil while it is held still.
  private(set) var movingSince: Double?
  private var lastStill = -Double.infinity

  /// Seconds without stillness that do not end it.
  private static let shortPause = 0.6

  /// Strength of the Earth's field and noise of one axis, in the unit of the measurements.
  mutating func expect(strength: Double, noise: Double) { (finder.strength, finder.noise) = (strength, noise) }

  /// Takes a measurement; `centre` is the hard iron as far as it is known.
  mutating func add(_ measurement: SweepPoint, time: Double, centre: Vector3) -> Step {
    if let ended = finder.add(measurement, time: time) {
      if isCounted { rests.replaceLast(with: ended) }
      (isCounted, isNews) = (false, false)
    }
    note(time)
    isHeldAgain =
      !isNews && finder.isStill && (finder.underWay.map { isLikeLast($0, rests, centre: centre) } ?? false)
    hasCounted = hasCounted || isHeldAgain
    guard let rest = finder.underWay, rest.to - rest.from >= Self.needed, !isCounted else { return .none }
    let before = rests
    rests.add(rest)
    (isCounted, hasCounted, isNews) = (true, true, !isLikeLast(rest, before, centre: centre))
    if rests.distinct(centre: centre) > before.distinct(centre: centre) { return .new }
    return isNews ? .repeated : .none
  }

  private func isLikeLast(_ rest: Rest, _ rests: Rests, centre: Vector3) -> Bool {
    rests.all.last.map { Rests.isSame($0, rest, centre: centre) } ?? false
  }

  /// The share of a rest that has passed: 0 while the device moves, or is held as before, 1 once it counts.
  var progress: Double {
    guard let rest = finder.underWay, !isHeldAgain else { return 0 }
    return isCounted ? 1 : min((rest.to - rest.from) / Self.needed, 1)
  }

  private mutating func note(_ time: Double) {
    if finder.isStill {
      stillSince = stillSince ?? time
      lastStill = time
      movingSince = nil
    } else if time - lastStill > Self.shortPause || time < lastStill {
      (stillSince, hasCounted) = (nil, false)
      movingSince = movingSince ?? time
    }
  }
}
