import LodestoneCore
import Glibc

// How far the force leans in a level turn. A vehicle that goes round at ω with a speed v is pushed inwards by ω v, and
// what its accelerometer takes for up leans by
//
//     tan λ = ω v / g,                                                                                        (1)
//
// the same way in the board all the time. The circle of its fields lies level for all that: it is tilted against up.
// So is that of a board in a hand, by its soft iron and by how its chips lie, σ about each axis. With ℓ the angle
// between up and the circle's axis, p the share of turns that vehicles make, and N(ℓ; s) = exp(−ℓ²/2s)/s, a vehicle is
// as likely as w, and the lean's mean square is
//
//     w = p N(ℓ; σ² + λ²/2) / (p N(ℓ; σ² + λ²/2) + (1 − p) N(ℓ; σ²)),
//     E|c|² = w (k² ℓ² + 2 k σ²),    k = (λ²/2) / (λ²/2 + σ²).                                                (2)
//
// where a vehicle is likelier than a hand. A board that stands still before, between or after its circles settles it:
// there up is up. Where up is the same in both at the same place of the circle there is no lean; where it is another
// one, that is the lean.

/// How far up as the force shows it may lean in a level turn.
struct LevelLean {
  /// Root mean square about each horizontal axis in radians.
  let deviation: Double
  /// The angle in radians between up and the axis of the circle that the fields lie on.
  let tilt: Double

  /// How far up seems to lean in the turn, in degrees.
  var degrees: Double { Angle.degrees(max(tilt, deviation * 2.0.squareRoot())) }
  /// Whether a vehicle's curve may make it lean so far.
  var isLikely: Bool { degrees < 20 }

  /// The heading error that it makes, root mean square in degrees, for an angle from up to the field in radians.
  func heading(angle: Double) -> Double { Angle.degrees(deviation) / max(abs(tan(angle)), 0.05) }

  /// Metres per second of a vehicle that goes in circles, and the share of level turns that vehicles make.
  private static let (pace, share) = (3.0, 0.15)
  /// Radians about each axis by which ordinary soft iron and chips tilt the circle.
  private static let usual = Angle.radians(3.5)
  /// Leans in radians that hardly matter.
  private static let slight = Angle.radians(0.3)
  /// The rates of a board that stands still and of one that turns, as shares of the mean one, and moments that tell.
  private static let (still, quick, fewest) = (0.2, 0.8, 2)
  /// Seconds between the moments before and after one past which its rate is not known.
  private static let gap = 1.0
  /// The share of how far the field moves where the board itself is tilted that parts a lean of the force from that.
  private static let ofTheBoard = 0.5

  /// From moments of a turn in the order of time, their fields in the accelerometer's axes and of a strength in µT, `up`
  /// their mean; nil where they lie on no circle.
  init?(_ moments: [Rest], turns: Double, up: Vector3, strength: Double) {
    guard let first = moments.first, let last = moments.last, last.to > first.from else { return nil }
    let mean = moments.reduce(Vector3.zero) { $0 + $1.raw } / Double(moments.count)
    guard let axes = SymmetricMatrix.axes(of: Matrix3.moments(moments.lazy.map { $0.raw - mean })) else { return nil }
    let angle = axes.directions.row0.angle(to: up)
    tilt = min(angle, .pi - angle)
    let rate = 2 * .pi * turns / (last.to - first.from)
    let (radius, lean) = (
      median(moments.map { ($0.raw - mean).length }), atan(rate * Self.pace / Acceleration.standardGravity)
    )
    deviation =
      lean < Self.slight
      ? 0
      : Self.seen(moments, speed: rate * radius, strength, least: max(Self.slight, lean / 4))
        ?? Self.expected(tilt: tilt, lean: lean)
  }

  /// (2), about each axis; 0 where a hand is likelier.
  private static func expected(tilt: Double, lean: Double) -> Double {
    let (own, pushed) = (usual * usual, lean * lean / 2)
    func likelihood(_ variance: Double) -> Double { exp(-tilt * tilt / (2 * variance)) / variance }
    let (vehicle, hand) = (share * likelihood(own + pushed), (1 - share) * likelihood(own))
    guard vehicle > hand else { return 0 }
    let drawn = pushed / (own + pushed)
    let square = vehicle / (vehicle + hand) * (drawn * drawn * tilt * tilt + 2 * drawn * own)
    return (square / 2).squareRoot()
  }

  /// The lean about each axis that a board which stands still at times shows, 0 for none; nil where it does not stand
  /// still, or was held otherwise then.
  private static func seen(_ moments: [Rest], speed: Double, _ strength: Double, least: Double) -> Double? {
    let last = moments.count - 1
    let speeds = moments.indices.map { index -> Double in
      let (before, after) = (moments[max(index - 1, 0)], moments[min(index + 1, last)])
      let seconds = after.from - before.from
      return seconds > 0 && seconds < gap ? (after.raw - before.raw).length / seconds : .nan
    }
    let standing = moments.indices.filter { index in
      (max(index - 1, 0)...min(index + 1, last)).allSatisfy { speeds[$0] < still * speed }
    }.map { moments[$0] }
    let turning = moments.indices.filter { speeds[$0] > quick * speed }.map { moments[$0] }
    guard standing.count >= fewest, turning.count >= fewest else { return nil }
    let pairs = standing.compactMap { moment in
      turning.min { ($0.raw - moment.raw).squaredLength < ($1.raw - moment.raw).squaredLength }.map {
        (up: moment.up.angle(to: $0.up), field: (moment.raw - $0.raw).length)
      }
    }
    let (lean, way) = (median(pairs.map { $0.up }), median(pairs.map { $0.field }))
    if lean < least { return 0 }
    return way < ofTheBoard * lean * strength ? lean / 2.0.squareRoot() : nil
  }
}
