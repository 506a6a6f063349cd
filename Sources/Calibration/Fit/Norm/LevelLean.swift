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
// A turn that is not quite even tells more: a vehicle's lean changes with its rate, by κ times its own size, κ between
// 1 and 2 (LevelRate). With s the change that shows and τ its error, a vehicle has N(s; κ² λ²/2 + τ²) in (2) too, a
// hand N(s; τ²), and c is s/κ where that is the surer one. A board that stands still before, between or after its
// circles settles it: there up is up. Where up is the same in both at the same place of the circle there is no lean;
// where it is another one, that is the lean.

/// How far up as the force shows it may lean in a level turn.
struct LevelLean {
  /// Root mean square about each horizontal axis in radians.
  let deviation: Double
  /// The angle in radians between up and the axis of the circle that the fields lie on.
  let tilt: Double

  /// The lean in radians of an ordinary vehicle that goes round like this, where nothing tells that this was none; 0
  /// where a stand or the turn itself does.
  let unsettled: Double

  /// How far up seems to lean in the turn, in degrees.
  var degrees: Double { Angle.degrees(max(tilt, deviation * 2.0.squareRoot())) }
  /// Whether a vehicle's curve may make it lean so far.
  var isLikely: Bool { degrees < 20 }

  /// The heading error that it makes, root mean square in degrees, for an angle from up to the field in radians.
  func heading(angle: Double) -> Double { Self.heading(deviation, angle) }
  /// The heading error at the worst heading, in degrees, of an ordinary vehicle that is not ruled out.
  func openHeading(angle: Double) -> Double { Self.heading(unsettled, angle) }

  private static func heading(_ lean: Double, _ angle: Double) -> Double {
    Angle.degrees(lean) / max(abs(tan(angle)), 0.05)
  }

  /// Metres per second of a vehicle that goes in circles, and the share of level turns that vehicles make.
  private static let (pace, vehicles) = (3.0, 0.15)
  /// Radians about each axis by which ordinary soft iron and chips tilt the circle.
  private static let usual = Angle.radians(3.5)
  /// Leans in radians that hardly matter.
  private static let slight = Angle.radians(0.3)
  /// By how many times its size a lean changes with the rate, and how far that is off, as a share of it.
  private static let (byRate, byRateOff) = (1.5, 0.33)
  /// The most about each axis where a hand is likelier: a board that is turned evenly on the spot stays usable, and
  /// what a vehicle's curve would do is said in words.
  private static let mostUnshown = Angle.radians(0.8)
  /// The probability of a vehicle under which it is ruled out.
  private static let unlikely = 0.03
  /// The rates of a board that stands still and of one that turns, as shares of the mean one, and moments that tell.
  private static let (still, quick, fewest) = (0.2, 0.8, 2)
  /// Seconds between the moments before and after one past which its rate is not known.
  private static let gap = 1.0
  /// The share of how far the field moves where the board itself is tilted that parts a lean of the force from that.
  private static let ofTheBoard = 0.5

  /// From moments of a turn in the order of time, their fields in the accelerometer's axes and of a strength in µT,
  /// `up` their mean; `centre` is that of their circle. Nil where they lie on none.
  init?(_ moments: [Rest], turns: Double, centre: Vector3, up: Vector3, strength: Double) {
    guard let first = moments.first, let last = moments.last, last.to > first.from else { return nil }
    let mean = moments.reduce(Vector3.zero) { $0 + $1.raw } / Double(moments.count)
    guard let axes = SymmetricMatrix.axes(of: Matrix3.moments(moments.lazy.map { $0.raw - mean })) else { return nil }
    let angle = axes.directions.row0.angle(to: up)
    tilt = min(angle, .pi - angle)
    let rate = 2 * .pi * turns / (last.to - first.from)
    let (radius, lean) = (
      median(moments.map { ($0.raw - mean).length }), atan(rate * Self.pace / Acceleration.standardGravity)
    )
    let shown =
      lean < Self.slight ? 0 : Self.seen(moments, speed: rate * radius, strength, least: max(Self.slight, lean / 4))
    if let shown {
      (deviation, unsettled) = (shown, 0)
      return
    }
    let vehicle = Self.expected(tilt: tilt, lean: lean, LevelRate(moments, centre: centre, up: up))
    (deviation, unsettled) = (vehicle.deviation, vehicle.share > Self.unlikely ? lean : 0)
  }

  /// (2): how likely a vehicle is, and the deviation about each axis.
  private static func expected(
    tilt: Double, lean: Double, _ rate: LevelRate?
  ) -> (share: Double, deviation: Double) {
    let (own, pushed) = (usual * usual, lean * lean / 2)
    func likelihood(_ size: Double, _ variance: Double) -> Double { exp(-size * size / (2 * variance)) / variance }
    var (vehicle, hand) = (vehicles * likelihood(tilt, own + pushed), (1 - vehicles) * likelihood(tilt, own))
    let drawn = pushed / (own + pushed)
    var (square, error) = (drawn * drawn * tilt * tilt, 2 * drawn * own)
    if let rate {
      let noise = rate.deviation * rate.deviation + slight * slight
      vehicle *= likelihood(rate.lean, byRate * byRate * pushed + noise)
      hand *= likelihood(rate.lean, noise)
      let shown: Double = rate.lean * rate.lean / (byRate * byRate)
      let told: Double = 2 * noise / (byRate * byRate) + byRateOff * byRateOff * shown
      if told < error { (square, error) = (shown, told) }
    }
    let share = vehicle / max(vehicle + hand, .leastNonzeroMagnitude)
    let deviation = (share * (square + error) / 2).squareRoot()
    return (share, share < 0.5 ? min(deviation, mostUnshown) : deviation)
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
