import LodestoneCore

// Iron that stays beside the board is no noise of any correlation: it turns every field by the same s. North is a mean of
// fields, in which each correction counts by its gain k. So what it is off by for that is followed as the same mean,
//
//     m ← m + k (s − m)                                                                                           (4)
//
// and m² is added to the variance of north that is stated. While a gyroscope holds a heading against iron that has just
// come, it is small.
//
// Iron on the board turns with it: what is known of that is taken off (`CarriedIron`). What of it is in north already is
// followed by (4) as well, axis by axis (`FollowedIron`): so much is turned back once it is known, and stated of what it may
// be besides.
//
// The filter takes its errors for larger than they are, so that it soon comes back to the field: of its variance of north a
// share is stated, and besides a share of what an error of up turns the field by, tan I times as much.
//
// Where the field is as it should be, what is seen says more. Errors of up lean the mean force, and turn inclination and
// strength off; errors of north, and what the field is off while it is not followed, turn the mean field. So with l, a and m
// the deviations of these three lately, the stated variances are at most
//
//     tilt = l² + (m/F)²,   north = a² + tan² I l² + (m/H)²,                                                     (5)
//
// F the strength of the field and H its horizontal part. A push that lasts for seconds comes again, and an attitude that
// has followed it looks right: it is remembered for longer. In places where m is microteslas this says nothing.

/// How large the errors of an attitude are said to be.
struct StatedErrors: Sendable {
  /// Variances in rad².
  struct Variances: Sendable {
    /// About the vertical, and about one horizontal axis.
    var (north, tilt): (Double, Double)
  }

  /// The largest square of lately: it sinks again.
  private struct Largest: Sendable {
    private(set) var square = 0.0

    mutating func add(_ new: Double, memory: Double, step: Double) {
      square = max(new, square * (1 - min(1, step / memory)))
    }
  }

  /// Pushes of the last minute have moved the board by metres.
  var isPushed: Bool { push.square > Self.leastPush * Self.leastPush }
  /// The turn of north so far by disturbances that last: one standard deviation in radians.
  private var misled = 0.0
  /// The share of the filter's variance of north that is stated: as it was cautious while that variance grew.
  private var share = 1.0
  /// Squares in rad²: of the lean of mean forces about one axis, of the part of it that no error of up explains, and of mean
  /// azimuths.
  private var (lean, push, turn) = (Largest(), Largest(), Largest())
  private var azimuth = 0.0
  /// Seconds since the beginning.
  private var elapsed = 0.0

  /// Seconds over which what is seen is remembered, a push longer: bends come that seldom.
  private static let (memory, pushMemory) = (8.0, 40.0)
  /// Seconds over which azimuths are averaged.
  private static let span = 2.0
  /// Seconds in which not enough was seen.
  private static let start = 20.0
  /// The share of the largest square that is its mean: two standard deviations.
  private static let meanShare = 0.25
  /// The least variance of an attitude about one axis, in rad².
  private static let least = Angle.radians(0.05) * Angle.radians(0.05)
  /// The mean force across, in g, of 2.4 s that no hand above a desk makes: 2 m.
  private static let leastPush = 0.08

  /// North has been set, by a filter of this caution.
  mutating func begin(caution: Double) { (misled, share) = (0, caution * caution) }

  /// The frame is another one.
  mutating func restart() { elapsed = 0 }

  /// The filter's variance of north has grown under this caution.
  mutating func grow(from before: Double, to now: Double, caution: Double) {
    guard now > before else { return }
    share = (share * before + caution * caution * (now - before)) / now
  }

  /// North follows a field that iron turns by this, one standard deviation in radians: equation (4).
  mutating func mislead(by lasting: Double, gain: Double) { misled += (lasting - misled) * gain }

  /// Takes the mean square of what a mean force leans by about one axis, and the filter's variance of up, in rad².
  mutating func add(lean new: Double, expected: Double, step: Double) {
    elapsed += step
    lean.add(Self.meanShare * new, memory: Self.memory, step: step)
    push.add(max(0, new - 2 * expected), memory: Self.pushMemory, step: step)
  }

  /// Takes the azimuth that the field is seen at, against that of the attitude, in radians.
  mutating func add(azimuth new: Double, step: Double) {
    azimuth += (new - azimuth) * min(1, step / Self.span)
    turn.add(Self.meanShare * azimuth * azimuth, memory: Self.memory, step: step)
  }

  /// The variances that are stated of the filter's errors.
  /// - Parameters:
  ///   - leanCaution: standard deviations of north for one of what up turns the field by.
  ///   - misfit: the mean square of what strength and inclination are off, in µT²; nil where nobody knows what they should be.
  ///   - field: the expected one: its strength and its horizontal part, in µT, and the tangent of its inclination.
  func variances(
    of errors: FusionErrors, leanCaution: Double, misfit: Double?,
    field: (strength: Double, horizontal: Double, slope: Double)?
  ) -> Variances {
    let bent = field.map { $0.slope * $0.slope } ?? 0
    let north = errors.yawVariance * share + errors.tiltVariance * leanCaution * leanCaution * bent
    guard elapsed > Self.start, let misfit, let field else {
      return Variances(north: north + misled * misled, tilt: errors.tiltVariance)
    }
    let leaning = max(lean.square, push.square) + Self.least
    let seen = turn.square + Self.least + bent * leaning + misfit / (field.horizontal * field.horizontal)
    return Variances(
      north: min(north, seen) + misled * misled,
      tilt: min(errors.tiltVariance, leaning + misfit / (field.strength * field.strength)))
  }
}
