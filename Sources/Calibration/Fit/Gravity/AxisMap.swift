import LodestoneCore
import Glibc

// Boards combine chips whose axes differ: an MPU-9250's magnetometer reads +y, +x, −z in the accelerometer's axes, an
// ICM-20948's +x, −y, −z, an LSM9DS1's accelerometer is left-handed. Of the 48 signed permutations P the right one
// makes the angle between P q and up the same in every attitude held still, and lets the field turn as the gyroscope
// says, d(Pq)/dt = −ω × Pq. Gravity in a moving hand proves nothing unless it hardly moves: its errors go with the
// attitude, and at a low dip they make a wrong map look right, though never to a few degrees. A map and its negation
// give supplementary angles and the same turning, and tie. The place parts them by the sign of its inclination; without
// it, axes as they come are believed, and of two maps the right-handed one unless it makes the field dip upwards, as it
// does for few people: then the left-handed one is taken, and the doubt is said.

/// How the magnetometer's axes lie in the accelerometer's, found from the data.
public struct AxisMap: Sendable, Equatable {
  /// The evidence for a map.
  public enum Basis: String, Sendable {
    /// No proof: the axes are taken as they come.
    case assumed
    /// The user's word, or an earlier calibration of the same board.
    case known
    /// Gravity in rests, and both chips taken as right-handed.
    case gravity
    /// The turning of the field, as the gyroscope saw it, and both chips taken as right-handed.
    case gyroscope
    /// Rests or turning, and the sign of the place's inclination.
    case place
  }

  /// P: accelerometer's axes = P · magnetometer's axes.
  public var matrix: Matrix3
  /// Standard deviation of the angle between field and gravity under it, in degrees; nil where assumed.
  public var spreadDegrees: Double?
  /// Standard deviation of the angle under the best other map that is not its negation, in degrees; nil where assumed.
  public var nextSpreadDegrees: Double?
  /// The evidence for this map.
  public var basis: Basis
  /// Whether the sign of the map could not be settled: the other one is nearly as likely, and turns every heading
  /// about.
  public var signIsAmbiguous = false
  /// Whether the accelerometer reads gravity itself, (0, 0, −1) g face up, where specific force is meant: the place's
  /// inclination has the other sign under the axes as they come.
  public var accelerometerIsReversed = false

  /// A map that is known beforehand, as `+y,+x,-z`; nil where that is no map.
  public init?(known name: String) {
    guard let matrix = try? Mounting(name).matrix else { return nil }
    self.init(matrix: matrix, basis: .known)
  }

  /// The chips' axes as a full calibration of the board found them, or else as a mounting tells them, which is meant
  /// for both chips; nil without either.
  public init?(of profile: Profile?, mounting: Mounting) {
    if let profile, profile.quality.kind == .full {
      self.init(of: profile)
    } else if mounting != .aligned {
      self.init(matrix: .identity, basis: .known)
    } else {
      return nil
    }
  }

  /// R P, or P, of a saved calibration's correction S = R(ρ) P U, U symmetric and positive. The profile names the
  /// nearest map, which is not all of P where the compass is tilted.
  /// - Parameter rotation: ρ in radians; zero where R belongs to the axes.
  init(of profile: Profile, without rotation: Vector3 = .zero) {
    self.init(
      matrix: Matrix3(rotation: -rotation) * profile.correction.softIron.orthonormalFactor, basis: .known)
    if tiltDegrees < Self.rounding { matrix = nearestMap }
    accelerometerIsReversed = profile.accelerometerIsReversed
  }

  init(matrix: Matrix3, spreadDegrees: Double? = nil, nextSpreadDegrees: Double? = nil, basis: Basis) {
    self.matrix = matrix
    self.spreadDegrees = spreadDegrees
    self.nextSpreadDegrees = nextSpreadDegrees
    self.basis = basis
  }

  /// The axes as they come.
  public static let assumed = AxisMap(matrix: .identity, basis: .assumed)

  /// Negative: one of the chips is left-handed.
  public var handedness: Int { matrix.determinant < 0 ? -1 : 1 }

  /// The confidence from 0 (as good as another map) to 1 (no other comes near); nil where assumed.
  public var confidence: Double? {
    guard let spreadDegrees, let nextSpreadDegrees, nextSpreadDegrees > 0 else { return nil }
    return max(0, 1 - spreadDegrees / nextSpreadDegrees)
  }

  /// Whether no other map comes near: attitudes held still that hardly differ along one axis suit its mirror image as
  /// well.
  var isProven: Bool {
    guard let spreadDegrees, let nextSpreadDegrees else { return false }
    return nextSpreadDegrees * Self.neededGain >= max(spreadDegrees, 1)
  }

  /// The map as people write it: `+y,+x,-z`; of a compass that is tilted, the nearest.
  public var name: String {
    let map = nearestMap
    return (0..<3).map { row in
      for (axis, letter) in ["x", "y", "z"].enumerated() where map[row][axis] != 0 {
        return (map[row][axis] < 0 ? "-" : "+") + letter
      }
      return "?"
    }.joined(separator: ",")
  }
}

/// Field and up at one moment, both of length 1.
struct DirectionPair {
  /// The field in the magnetometer's axes, hard and soft iron removed.
  var field: Vector3
  /// Up in the accelerometer's axes.
  var up: Vector3
}

/// The field's direction over a tenth of a second, and the turn that the gyroscope saw in it.
struct FieldTurn {
  /// Seconds.
  let from: Double
  private let start: Vector3
  private var end: Vector3
  /// The turn in radians about each axis of the gyroscope.
  private(set) var turn = Vector3.zero

  private var force: (start: Vector3, end: Vector3)?

  init(at field: Vector3, force: Vector3? = nil, from time: Double) {
    from = time
    (start, end) = (field, field)
    self.force = force.map { ($0, $0) }
  }

  mutating func add(_ more: Vector3, to field: Vector3, force after: Vector3? = nil) {
    turn += more
    end = field
    if let force { self.force = after.map { (force.start, $0) } }
  }

  /// The stretch with the specific force's direction in place of the field's; nil where there is none.
  var forceTurn: FieldTurn? {
    guard let start = force?.start.direction, let end = force?.end.direction else { return nil }
    var other = FieldTurn(at: start, from: from)
    other.add(turn, to: end)
    return other
  }

  /// How far the field went, and where it was on the way, in the magnetometer's axes.
  var step: Vector3 { end - start }
  var middle: Vector3 { (start + end) * 0.5 }
}

extension AxisMap {
  /// Degrees by which a map that was saved may come out beside itself.
  private static let rounding = 1e-4
  /// The factor by which another map than the one the axes suggest must make the spread smaller.
  private static let neededGain = 0.6
  /// Degrees that the angle between field and gravity may spread under a map that rests prove. Axes as they come that
  /// are as good as this are believed.
  static let provenSpread = 4.0
  /// The provable spread of stations, whose chips lie within 6° of each other and have zeros of 50 mg.
  private static let heldSpread = 8.0
  /// Spread in degrees past which moving gravity contradicts the axes as they come; spread below which a slow motion
  /// proves a map, if the next map's spread is this many times larger, and larger than the last number.
  private static let (doubtfulSpread, slowSpread, slowMargin, slowNextSpread) = (14.0, 5.0, 3.0, 10.0)
  /// Correlation of the field's turning with the gyroscope's under a map that it proves, and by how much that exceeds
  /// the next one's.
  private static let (provenTurning, provenMargin) = (0.8, 0.2)

  /// The map that rests prove; nil where they prove none.
  static func found(_ rests: [DirectionPair], inclination: Double?) -> AxisMap? {
    found(among: scored(rests), provenSpread: provenSpread, inclination: inclination)
  }

  /// The map that positions held prove, before the instrument's chips are calibrated; nil where they prove none.
  static func found(held scored: [Score], inclination: Double?) -> AxisMap? {
    found(among: scored, provenSpread: heldSpread, inclination: inclination)
  }

  private static func found(among scored: [Score], provenSpread: Double, inclination: Double?) -> AxisMap? {
    guard let best = scored.first, let identity = scored.first(where: { $0.map == .identity }) else { return nil }
    let isIdentity = identity.spread <= max(best.spread / neededGain, provenSpread)
    let chosen = isIdentity ? identity : best
    guard chosen.spread < provenSpread, let other = scored.first(where: { $0.map != chosen.map }) else { return nil }
    var map = AxisMap(
      matrix: chosen.map, spreadDegrees: chosen.spread, nextSpreadDegrees: other.spread, basis: .gravity)
    guard isIdentity || map.isProven else { return nil }
    if !map.isProven { map.basis = .assumed }
    map.settleSign(meanAngle: chosen.mean, inclination: inclination)
    return map
  }

  /// The map that a slow motion proves; nil where it proves none.
  static func found(slow scored: [Score], inclination: Double?) -> AxisMap? {
    guard scored.count > 1, scored[0].count >= 100, scored[0].spread < slowSpread,
      scored[1].spread > slowMargin * scored[0].spread,
      scored[1].spread > slowNextSpread
    else { return nil }
    var map = AxisMap(
      matrix: scored[0].map, spreadDegrees: scored[0].spread, nextSpreadDegrees: scored[1].spread, basis: .gravity)
    map.settleSign(meanAngle: scored[0].mean, inclination: inclination)
    return map
  }

  /// The map that the gyroscope proves; nil where it proves none. `meanAngle` is the angle from up to the field under a
  /// map, for the sign.
  static func found(
    turning turns: [FieldTurn], moving spreads: [Score], meanAngle: (Matrix3) -> Double?, _ inclination: Double?
  ) -> AxisMap? {
    guard let force = axesOfForce(turns), let field = proven(turning: turns) else { return nil }
    let proven = force.transposed * field
    guard let angle = meanAngle(proven) else { return nil }
    var map = AxisMap(
      matrix: proven, spreadDegrees: spreads.first { $0.map == proven }?.spread,
      nextSpreadDegrees: spreads.first { $0.map != proven }?.spread, basis: .gyroscope)
    map.settleSign(meanAngle: Angle.degrees(angle), inclination: inclination)
    return map
  }

  /// The map into the gyroscope's axes, among those that keep handedness, under which a direction that stands still in
  /// the world turns as it says; nil where none is proven.
  static func proven(turning turns: [FieldTurn]) -> Matrix3? {
    guard turns.count >= 40 else { return nil }
    let scored = positive.map { (map: $0, agreement: agreement(turns, under: $0)) }
      .sorted { $0.agreement > $1.agreement }
    let isProven = scored[0].agreement > provenTurning && scored[0].agreement - scored[1].agreement > provenMargin
    return isProven ? scored[0].map : nil
  }

  /// The spread under the axes as they come in degrees, where it speaks against them and for another map; nil where it
  /// does not.
  static func doubt(_ scored: [Score]) -> Double? {
    guard let best = scored.first, best.count >= 20, let identity = scored.first(where: { $0.map == .identity }),
      identity.spread > doubtfulSpread, best.spread < neededGain * identity.spread
    else { return nil }
    return identity.spread
  }

  /// How well a map does.
  struct Score {
    let map: Matrix3
    /// Mean and standard deviation of the angle between field and gravity under it, in degrees.
    let mean: Double
    let spread: Double
    /// Pairs that speak of it.
    let count: Int
  }

  /// The maps that keep handedness, the best first; none without pairs.
  static func scored(_ pairs: [DirectionPair]) -> [Score] {
    guard !pairs.isEmpty else { return [] }
    return positive.map { map in
      let (mean, spread) = angle(pairs, under: map)
      return Score(map: map, mean: mean, spread: spread, count: pairs.count)
    }.sorted { $0.spread < $1.spread }
  }

  /// Whether gravity turns as the gyroscope says under the axes as they come, and under no others: a gyroscope with an
  /// axis or a sign of its own proves nothing.
  static func isOfTheAccelerometer(_ turns: [FieldTurn]) -> Bool { axesOfForce(turns) == .identity }

  /// How the accelerometer's axes lie in the gyroscope's, with right-handed ones, as gravity turns: as they come where
  /// no others are better, else those that are far better; nil where it proves none.
  private static func axesOfForce(_ turns: [FieldTurn]) -> Matrix3? {
    let force = turns.compactMap { $0.forceTurn }
    guard force.count >= 40 else { return nil }
    let own = agreement(force, under: .identity)
    if own > 0, positive.allSatisfy({ $0 == .identity || agreement(force, under: $0) < own }) { return .identity }
    return proven(turning: force)
  }

  /// Correlation of the field's steps with −ω × Pq, 0 for turns of no size or another scale.
  static func agreement(_ turns: [FieldTurn], under map: Matrix3) -> Double {
    var (product, expectedSquare, seenSquare) = (0.0, 0.0, 0.0)
    for turn in turns {
      let (seen, expected) = (map * turn.step, (map * turn.middle).cross(turn.turn))
      product += seen.dot(expected)
      expectedSquare += expected.squaredLength
      seenSquare += seen.squaredLength
    }
    guard expectedSquare > 0, seenSquare > 0, (0.6...1.6).contains(product / expectedSquare) else { return 0 }
    return product / (expectedSquare * seenSquare).squareRoot()
  }

  /// Under the map the field points `meanAngle` degrees from up: inclined by that less 90°.
  mutating func settleSign(meanAngle: Double, inclination: Double?) {
    let found = meanAngle - 90
    guard let inclination else {
      guard nearestMap != .identity, found < 10 else { return }
      signIsAmbiguous = true
      if found < 0 { matrix = matrix * -1 }
      return
    }
    guard abs(inclination) > 10, abs(found) > 10 else {
      signIsAmbiguous = nearestMap != .identity
      return
    }
    basis = .place
    guard found * inclination < 0 else { return }
    if nearestMap == .identity { accelerometerIsReversed = true } else { matrix = matrix * -1 }
  }

  /// The 24 maps that keep handedness; their negations are the other 24.
  static let positive: [Matrix3] = {
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    var maps: [Matrix3] = []
    for first in 0..<3 {
      for second in 0..<3 where second != first {
        for signs in 0..<4 {
          let a = axes[first] * (signs & 1 == 0 ? 1 : -1)
          let b = axes[second] * (signs & 2 == 0 ? 1 : -1)
          maps.append(Matrix3(a, b, a.cross(b)))
        }
      }
    }
    return maps
  }()

  /// Mean and standard deviation of the angle in degrees, without the tenth that lies farthest off.
  static func angle(_ pairs: [DirectionPair], under map: Matrix3) -> (mean: Double, spread: Double) {
    let angles = pairs.map { Angle.degrees(acos(max(-1, min(1, (map * $0.field).dot($0.up))))) }
    let middle = median(angles)
    let limit = angles.count < 10 ? .infinity : quantile(angles.map { abs($0 - middle) }, 0.9)
    let kept = angles.filter { abs($0 - middle) <= limit }
    let mean = kept.reduce(0, +) / Double(kept.count)
    let squares = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / Double(kept.count)).squareRoot())
  }
}
