import LodestoneCore

// Iron that stays beside the board is no noise of any correlation: it turns every field by the same s. North is a mean
// of fields, in which each correction counts by its gain k. So what it is off by for that is followed as the same mean,
//
//     m ← m + k (s − m)                                                                                           (4)
//
// and m² is added to the variance of north that is stated. While a gyroscope holds a heading against iron that has just
// come, it is small.
//
// Iron on the board turns with it: what is known of that is taken off (`CarriedIron`). What of it is in north already
// is followed by (4) as well, axis by axis (`FollowedIron`): so much is turned back once it is known, and stated of
// what it may be besides.
//
// The filter takes its errors for larger than they are, so that it soon comes back to the field: of its variance of
// north a share is stated, and besides a share of what an error of up turns the field by, tan I times as much.
//
// Where the field is as it should be, what is seen says more. Errors of up lean the mean force, and turn inclination
// and strength off; errors of north, and what the field is off while it is not followed, turn the field. So with e and
// n the deviations lately of lasting forces about east and north, a, d and f those of the field's azimuth, inclination
// and strength (a share of it), the stated variances are at most
//
//     e'² = min(e², 2 d²),   m² = (f² + max(0, d² − e'²)) / 2,
//     tilt = (n² + e'²) / 2 + m²,   north = a² + tan² I n² + (1 + tan² I) m²                                     (5)
//
// where e² and n² are a share of what such forces lean, because up follows what is longer. An error of up about east is
// the one that inclinations show, and that they correct; that about north is seen by no field, and m is what else the
// field is off, with d and f no less than their means over minutes: what is wrong with a board hides in one attitude
// and shows in another. A push that lasts for seconds comes again, and an attitude that has followed it looks right: it
// is remembered for longer, and no inclination makes it less. In places where m is microteslas this says nothing, and
// north may have followed some of it for long: of (1 + tan² I) m², up to 7° squared, 8 % are stated besides, and while
// the first 4 s of fields are a larger part of all, so much: north was found by those. Up to 0.2 µT of m is what a good
// calibration is off by, which is known of it besides: that counts once.
//
// After a gap up is found anew, and may lean by a push as large as those of the last minute: their variance counts as
// one of up about north, less and less over 20 s.
//
// Where nobody knows what the field should be, and of any board in its first seconds, forces alone tell of up: tilt is
// at most the mean of e² and n² with l² added, l² the largest mean square that forces of 2.4 s leaned lately. Before
// those there is what the first forces showed.

/// How large the errors of an attitude are said to be.
struct StatedErrors: Sendable {
  /// Variances in rad².
  struct Variances: Sendable {
    /// About the vertical, and about one horizontal axis.
    var (north, tilt): (Double, Double)
    /// The part of the first that errors of the calibration make as well: what is known of those is no more besides.
    var misfit = 0.0
  }

  /// The largest squares of lately: they sink again.
  private struct Largest<Values: SIMD<Double>>: Sendable where Values: Sendable {
    private(set) var squares = Values.zero

    mutating func add(_ new: Values, memory: Double, step: Double) {
      squares = pointwiseMax(new, squares * (1 - min(1, step / memory)))
    }
  }

  /// Pushes of the last minute have moved the board by metres.
  var isPushed: Bool { push.squares.x > Self.leastPush * Self.leastPush }
  /// The turn of north so far by disturbances that last: one standard deviation in radians.
  private var misled = 0.0
  /// The share of the filter's variance of north that is stated: as it was cautious while that variance grew.
  private var share = 1.0
  /// Squares in rad²: of the lean of lasting forces about east and north, and about one axis of what mean forces lean
  /// by, first the part of it that no error of up explains, then all of it.
  private var (lean, push) = (Largest<SIMD2<Double>>(), Largest<SIMD2<Double>>())
  /// The variance of the first up about one axis in rad², and what its deviation grows by in rad/s.
  private var first = (variance: Double.infinity, drift: 0.0)
  /// The squares of what the field is off by in azimuth and in inclination, in rad², and in strength, as a share of
  /// that.
  private var field = Largest<SIMD4<Double>>()
  /// The means of the same over the last minutes, and their seconds: a board that hides in one attitude what is wrong
  /// with it shows it in others.
  private var (usual, usualFor) = (SIMD4<Double>.zero, 0.0)
  private var off = SIMD4<Double>.zero
  /// Seconds in which it was known what the field should be, and those since the last gap.
  private var (elapsed, sinceGap) = (0.0, 0.0)

  /// Seconds over which what is seen is remembered, a push longer: bends come that seldom.
  private static let (memory, pushMemory) = (8.0, 40.0)
  /// The variance of a mean's lean that may be an error of up, for one of up.
  private static let ofUp = 3.5
  /// Seconds for which a mean force leans that is a push: a shorter one, as after a gap, is up's that is still being
  /// found.
  private static let pushSpan = 2.4
  /// The share of the seconds so far over which it is remembered at first, and after a gap: what is seen while an
  /// attitude is found again tells nothing of it later.
  private static let firstMemory = 1.0 / 3
  /// Seconds over which what a field is off by is averaged.
  private static let span = 0.3
  /// Seconds in which not enough was seen, at first and after a gap.
  private static let (start, startAgain) = (20.0, 2.0)
  /// The share of the largest square that is its mean: 2.4 standard deviations.
  private static let meanShare = 0.18
  /// The variance of an error of up for one that inclinations show.
  private static let unshown = 2.0
  /// The factor on the caution once inclinations correct up: they make its variance small, and what their field is off
  /// by does not show in it. At least, at most, and by how much more for a field that is all off.
  private static let (leastCaution, mostCaution, offCaution) = (0.65, 1.15, 30.0)
  /// The share of the square of what lasting forces lean by that up follows.
  private static let leanShare = 0.8
  /// The share of what else the field is off that north follows for long, the seconds of first fields that it was found
  /// by, and the most of that which iron on the way explains: 7°, in rad².
  private static let (followed, found, largest) = (0.08, 4.0, 0.015)
  /// The part of what fields are off by that errors of a good calibration make, in rad²: 0.2 µT of 48. More is iron on
  /// the way.
  private static let ofCalibration = Angle.radians(0.24) * Angle.radians(0.24)
  /// Seconds after a gap for which up that was found anew may lean by a push like those before it.
  private static let again = 20.0
  /// Seconds over which those means run, and after a gap before they do.
  private static let (usualMemory, firstUsual) = (100.0, 5.0)
  /// Seconds of field after which inclinations correct up.
  private static let firstShown = 5.0
  /// The factors that make the variance of an inclination by iron of the mean squares that strengths and inclinations
  /// were off by lately, and the share of up's variance that explains some of those of inclinations.
  private static let (strengthShare, bendShare, upShare) = (16.0, 30.0, 0.1)
  /// The least variance of an attitude about one axis, in rad².
  private static let least = Angle.radians(0.03) * Angle.radians(0.03)
  /// The mean force across, in g, of 2.4 s that no hand above a desk makes: 2 m.
  private static let leastPush = 0.08

  /// North has been set, by a filter of this caution.
  mutating func begin(caution: Double) { (misled, share) = (0, caution * caution) }

  /// The frame is another one.
  mutating func restart() {
    elapsed = min(elapsed, Self.start - Self.startAgain)
    bridge()
  }

  /// Up is the mean of the first forces.
  mutating func begin(_ force: FirstForce) { (first, sinceGap) = ((force.variance, force.drift), 0) }

  /// Fields are corrected otherwise from here on: what they were off by is not any more.
  mutating func forgetUsual() { (usual, usualFor) = (.zero, 0) }

  /// Up is another one, after a gap that was bridged.
  mutating func bridge() { (first.variance, sinceGap) = (.infinity, 0) }

  /// The filter's variance of north has grown under this caution.
  mutating func grow(from before: Double, to now: Double, caution: Double) {
    guard now > before else { return }
    share = (share * before + caution * caution * (now - before)) / now
  }

  /// North follows a field that iron turns by this, one standard deviation in radians: equation (4).
  mutating func mislead(by lasting: Double, gain: Double) { misled += (lasting - misled) * gain }

  /// Seconds over which what is seen is remembered.
  private var memory: Double { min(Self.memory, Self.firstMemory * sinceGap) }

  /// Takes what a mean force leans by about east and north, the mean of that, and the filter's variance of up, in
  /// radians.
  mutating func add(lean new: SIMD2<Double>, lasting: SIMD2<Double>, expected: Double, step: Double) {
    let square = (new * new).sum() / 2
    let excess = max(0, square - Self.ofUp * expected)
    lean.add(lasting * lasting * Self.leanShare, memory: memory, step: step)
    sinceGap += step
    let isLong = sinceGap > Self.pushSpan
    push.add(isLong ? SIMD2(excess, square) : .zero, memory: Self.pushMemory, step: step)
  }

  /// Takes what the field is off by.
  /// - Parameters:
  ///   - azimuth: against that of the attitude, in radians.
  ///   - off: in strength and inclination; nil where nobody knows what they should be.
  ///   - noise: the variance of one axis by the sensor's noise, in µT².
  ///   - expected: the strength of the field and its horizontal part, in µT, and the tangent of its inclination.
  mutating func add(
    azimuth: Double, off new: CarriedIron.Misfit?, noise: Double,
    expected: (strength: Double, horizontal: Double, slope: Double)?, step: Double
  ) {
    guard let new, let (strength, horizontal, _) = expected else { return }
    elapsed += step
    let share = min(1, step / Self.span)
    off += (SIMD4(azimuth, new.inclination / strength, new.strength / strength, 0) - off) * share
    let (whole, across) = (noise / (strength * strength), noise / (horizontal * horizontal))
    let ofNoise = SIMD4(across, whole, whole, 0) * (share / 2)
    field.add(pointwiseMax(off * off * Self.meanShare - ofNoise, .zero), memory: memory, step: step)
    guard sinceGap > Self.firstUsual else { return }
    usualFor = min(Self.usualMemory, usualFor + step)
    usual += (pointwiseMax(off * off - ofNoise, .zero) - usual) * min(1, step / usualFor)
  }

  /// The variance of inclinations by iron, as fields were off lately, in rad²; nil before that is known.
  /// - Parameter expected: the variance of up about east, which turns inclinations off as well.
  @inline(__always)
  func inclinationVariance(expected: Double) -> Double? {
    guard elapsed > Self.firstShown else { return nil }
    return Self.strengthShare * field.squares.z + Self.bendShare * max(0, field.squares.y - Self.upShare * expected)
  }

  /// The variance of up about one axis as far as forces alone show it, in rad².
  private var tiltByForce: Double {
    let drift = first.drift * sinceGap
    guard sinceGap > Self.pushSpan else { return first.variance + drift * drift + Self.least }
    guard elapsed == 0 else { return .infinity }
    return (lean.squares.x + lean.squares.y) / 2 + push.squares.y + Self.least
  }

  /// The variances that are stated of the filter's errors.
  /// - Parameters:
  ///   - leanCaution: standard deviations of north for one of what up turns the field by.
  ///   - slope: the tangent of the inclination of the expected field.
  @inline(__always)
  func variances(of errors: borrowing FusionErrors, leanCaution: Double, slope: Double) -> Variances {
    let bent = slope * slope
    let isShown = elapsed > Self.start
    let strength = max(field.squares.z, usual.z)
    let doubt = Self.leastCaution + Self.offCaution * (strength + usual.y).squareRoot()
    let caution = isShown ? leanCaution * min(Self.mostCaution, doubt) : leanCaution
    let pushed = first.variance < .infinity ? push.squares.x * max(0, 1 - sinceGap / Self.again) : 0
    let north = errors.yawVariance * share + max(errors.variance(about: 1) * caution * caution, pushed) * bent
    let shown = Self.unshown * field.squares.y
    let east = isShown ? max(min(lean.squares.x, shown), push.squares.x) + Self.least : errors.tiltVariance
    let misfit = (strength + max(0, max(field.squares.y, usual.y) - east)) / 2
    let bends = (1 + bent) * misfit
    let followed = max(Self.followed, Self.found / max(elapsed, Self.found))
    let byFilter = north + followed * min(bends, Self.largest)
    guard isShown else {
      return Variances(north: byFilter + misled * misled, tilt: min(errors.tiltVariance, tiltByForce))
    }
    let upNorth = max(lean.squares.y, push.squares.x) + Self.least
    let seen = field.squares.x + bent * upNorth + bends
    let tilt = min(errors.tiltVariance, (east + upNorth) / 2 + misfit)
    guard seen < byFilter else { return Variances(north: byFilter + misled * misled, tilt: tilt) }
    return Variances(
      north: seen + misled * misled, tilt: tilt, misfit: (1 + bent) * min(misfit, Self.ofCalibration))
  }
}
