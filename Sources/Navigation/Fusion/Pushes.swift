import LodestoneCore
import Glibc

/// How much a force is pushed aside from up, and for how long to the same side.
///
/// Shaking averages out: a step's push is over in half a second, an engine's in a twentieth, and their means over
/// seconds are next to nothing. A bend or a swell pushes to one side for seconds. So the force, in the frame that the
/// gyroscope carries, is followed by low-passes of eight lengths τ, an octave apart: each a mean over τ/2 of a mean
/// over τ/2, which leaves a sixteenth of a tone's power to the next length where a single mean leaves a quarter.
/// Between two of them lies an octave of what pushes, whatever up is off by. White noise of the density S leaves S /
/// 6.35τ of variance there; with a tenth more for tones,
///
///     S_τ = 7 τ |mean_τ − mean_2τ|² / 2
///
/// and a filter that learns up from that mean in more than c τ hears only what is longer: of all lengths the one counts
/// that makes the force worth most. No S is believed to be less than a quarter of the one before. What is much stronger
/// than before has just begun, and may last: it is taken to grow from length to length.
///
/// That is what pushes did. Whether any does now, the length of the mean force m shows, in units of gravity, which no
/// error of up changes: |m|² − 1 is the square of a push across. So what a board that brakes and gains its speed again
/// leans by between the two says more of up than either.
struct Pushes: Sendable {
  private let settings: Fusion.Settings
  /// The means of the force over half of each length.
  private var halves = Halves()
  /// The means of what those lean by over as long again, about east and north against up as it is now, in radians.
  private var east = SIMD8<Double>.zero
  private var north = SIMD8<Double>.zero
  /// The mean square about one axis of what lies between a length and the next.
  private var power = SIMD8<Double>.zero
  /// The mean square of what a force leaned lately about one axis, in rad².
  private var usual: Double
  /// The mean square of what shakes a board across, in g².
  var shaking: Double { 2 * usual }
  /// Seconds since the beginning, or the last gap, and those in which pushes have been seen.
  private var (elapsed, known) = (0.0, 0.0)

  /// The lengths of the low-passes, in seconds.
  private static let lengths = SIMD8<Double>(0.15, 0.3, 0.6, 1.2, 2.4, 4.8, 9.6, 19.2)
  /// Seconds in which nothing is known of pushes, and for which the shortest are remembered.
  private static let (start, leastMemory) = (0.5, 4.0)
  /// The multiple of the mean square past which a push is new, and may last: bends and brakes last for some seconds.
  private static let novelty = SIMD8<Double>(3, 3, 3, 3, 2.55, 2.55, 3, 3)
  /// The factor of a noise's density from one length to the next, at least, and that of a new push.
  private static let (fall, rise) = (0.25, 1.9)
  /// The half of 0.6 s, which with the next shows whether a board is pushed.
  private static let short = 3
  /// Seconds for which a push that so shows may last, and the square of what does not show, of both axes.
  private static let (span, hidden) = (2.5, 0.0032)
  /// The half of 2.4 s.
  private static let lasts = 5
  /// The ratio of the variance of a force's lean by pushes that last to what lies between the lengths from 1.2 s on: a
  /// push that goes on is seen as it begins and as it ends.
  private static let ofLasting = 16.0
  /// One standard deviation of that about one axis before any push has been seen, in radians, and the seconds after
  /// which it counts half.
  private static let (unseen, seen) = (Angle.radians(6), 10.0)
  /// Those that have one above them.
  private static let octaves = 7
  /// The multiple of τ |mean_τ − mean_2τ|² that is a density.
  private static let ofOctave = 7.0
  /// The share of the patience that the lengths up to 1.2 s take: swells are longer.
  private static let patience = SIMD8<Double>(0.4, 0.4, 0.4, 0.4, 1, 1, 1, 1)

  init(_ settings: Fusion.Settings) {
    self.settings = settings
    usual = settings.leastPush * settings.leastPush / settings.usualPushShare
  }

  /// The lean of the mean force of the last 2.4 s about east and north, in radians.
  var mean: SIMD2<Double> { SIMD2(halves.east[Self.lasts], halves.north[Self.lasts]) }
  /// The mean of that over as long: next to nothing of steps is left in it.
  var lasting: SIMD2<Double> { SIMD2(east[Self.lasts], north[Self.lasts]) }

  /// The variance of up about one axis, in rad², where it is set to the force of a moment, by pushes that last for a
  /// second and more.
  var lastingVariance: Double {
    Self.ofLasting * (power[3] + power[4] + power[5] + power[6]) + Self.unseen * Self.unseen / (1 + known / Self.seen)
  }

  /// Up has been turned about east and north, in radians: what leaned so does not any more.
  mutating func follow(_ turn: Vector3) {
    halves.follow(turn)
    east -= SIMD8(repeating: turn.x)
    north -= SIMD8(repeating: turn.y)
  }

  /// Means of the force over half of each length.
  private struct Halves: Sendable {
    /// The lean of each about east and north, against up as it is now, in radians.
    private(set) var (east, north) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    /// The part of each along up, in units of gravity.
    private(set) var up = SIMD8<Double>(repeating: 1)

    /// The square of the push that the length of each mean shows, in units of gravity.
    var excess: SIMD8<Double> { east * east + north * north + up * up - 1 }

    mutating func add(lean: Vector3, up new: Double, shares: SIMD8<Double>) {
      east += (lean.x - east) * shares
      north += (lean.y - north) * shares
      up += (new - up) * shares
    }

    mutating func follow(_ turn: Vector3) {
      up += east * turn.x + north * turn.y - SIMD8(repeating: (turn.x * turn.x + turn.y * turn.y) / 2)
      east -= SIMD8(repeating: turn.x)
      north -= SIMD8(repeating: turn.y)
    }
  }

  /// The mean lean of a force about east and north, in radians, and the density of the noise in that about one axis,
  /// in rad² s.
  struct Mean {
    /// About east and north, in radians.
    var lean: Vector3
    /// In rad² s.
    var density: Double
  }

  /// Takes a force, and returns the mean of what forces lean by that says most of up.
  /// - Parameters:
  ///   - force: in units of gravity, in the frame.
  ///   - expected: the variance of up about an axis.
  mutating func add(force: Vector3, expected: Double, step: Double) -> Mean {
    elapsed += step
    known += step
    let lean = Vector3(force.y, -force.x, 0)
    let lengths = Self.lengths
    let half = (lengths / 2).replacing(with: elapsed, where: lengths .> 2 * elapsed)
    let shares = (step / half).replacing(with: 1, where: half .< step)
    halves.add(lean: lean, up: force.z, shares: shares)
    east += (halves.east - east) * shares
    north += (halves.north - north) * shares
    usual += (lean.squaredLength / 2 - usual) * min(1, step / settings.usualPushSpan)
    let least =
      2 * settings.pushCorrelation
      * min(
        settings.leastPush * settings.leastPush,
        settings.restPush * settings.restPush + settings.usualPushShare * usual)
    guard elapsed > Self.start else {
      return Mean(lean: lean, density: settings.startPush * min(1, usual / 0.09) + least)
    }
    let (x, y) = (east - Self.above(east), north - Self.above(north))
    let now = (x * x + y * y) * 0.5
    let new = now - Self.novelty * power
    let spans = lengths.replacing(with: known, where: lengths .> known)
    let memory = settings.pushMemory * spans + SIMD8(repeating: min(known, Self.leastMemory))
    let change = (now - power) * (step / memory)
    power += known > elapsed ? change.replacing(with: 0, where: 2 * lengths .> elapsed) : change
    let scale = lengths * Self.ofOctave
    let (length, density) = best(seen: power * scale, new: new * scale, expected: expected)
    let shown = max(pushedNow, settings.pushPatience * expected * Self.lengths[Self.short] / 2)
    guard shown < density else { return Mean(lean: Vector3(east[length], north[length], 0), density: least + density) }
    return Mean(lean: Vector3(halves.east[Self.short], halves.north[Self.short], 0), density: least + shown)
  }

  /// The density of the noise in what forces lean by, as the lengths of short means show, in rad² s.
  @inline(__always)
  private var pushedNow: Double {
    let squares = halves.excess
    return Self.span * (max(abs(squares[Self.short]), abs(squares[Self.short + 1])) + Self.hidden)
  }

  /// The mean force of the last 0.6 s, and how it differs from those of half and twice the length.
  struct Now {
    /// Its lean about east and north, in radians.
    var lean: SIMD2<Double>
    /// The lean of the mean of 0.6 s less that of 0.3 s, in radians.
    var change: SIMD2<Double>
    /// The square of the push that the length of that mean and of the one of 1.2 s show, in units of gravity: of the
    /// one that shows more, and of the one that shows less, which is below zero for a force shorter than gravity.
    var (most, least): (Double, Double)
  }

  /// The mean force of the last 0.6 s, as a missed turn is looked for in it.
  @inline(__always)
  var now: Now {
    let (index, squares) = (Self.short, halves.excess)
    let (east, north) = (halves.east, halves.north)
    return Now(
      lean: SIMD2(east[index], north[index]),
      change: SIMD2(east[index] - east[index - 1], north[index] - north[index - 1]),
      most: max(squares[index], squares[index + 1]), least: min(squares[index], squares[index + 1]))
  }

  /// The value of the next length, for each length.
  private static func above(_ v: SIMD8<Double>) -> SIMD8<Double> {
    SIMD8(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[7])
  }

  /// The length whose mean says most of up, and the density of what is left in it.
  @inline(__always)
  private func best(seen: SIMD8<Double>, new: SIMD8<Double>, expected: Double) -> (length: Int, density: Double) {
    let lengths = Self.lengths
    let least = settings.pushPatience * Self.patience * expected * lengths
    var densities = SIMD8<Double>.zero
    var (before, news, count) = (0.0, 0.0, 0)
    for index in 0..<Self.octaves where index == 0 || lengths[index] * 2 < known {
      before = max(seen[index], Self.fall * before)
      news = max(new[index], Self.rise * news)
      densities[index] = max(before, news)
      count = index + 1
    }
    var (longer, best, length) = (0.0, Double.infinity, 0)
    for index in stride(from: count - 1, through: 0, by: -1) {
      longer = max(longer, densities[index])
      let density = max(longer, least[index])
      if density <= best, index == 0 || lengths[index] * 2 < elapsed { (best, length) = (density, index) }
    }
    return (length, best)
  }

  /// Begins again where up is found anew: what it was off by before is no push.
  mutating func forget() {
    restart()
    (power, known) = (.zero, 0)
  }

  /// Begins again after a gap; how the board is pushed stays known.
  mutating func restart() {
    (halves, east, north, elapsed) = (Halves(), .zero, .zero, 0)
  }
}
