import Core
import Glibc

// Boards combine chips whose axes differ: an MPU-9250's magnetometer reads +y, +x, −z in the accelerometer's axes, an
// ICM-20948's +x, −y, −z, an LSM9DS1's is left-handed. Of the 48 signed permutations P the right one makes the angle
// between P q and up the same in every attitude. A map and its negation give supplementary angles and tie; a gyroscope
// cannot part them either, for d(Pq)/dt = −ω × Pq holds for both. The place parts them by the sign of its inclination;
// without it, axes as they come are believed, and of two maps the right-handed one unless it makes the field dip upwards,
// as it does for few people: then the left-handed one is taken, and the doubt is said.

/// How the magnetometer's axes lie in the accelerometer's, found from the data.
public struct AxisMap: Sendable, Equatable {
  /// What a finding rests on.
  public enum Basis: String, Sendable {
    /// There was no gravity to compare with, or no need to look: the axes are taken as they come.
    case assumed
    /// Gravity, and both chips taken as right-handed.
    case gravity
    /// Gravity, and the sign of the place's inclination.
    case place
  }

  /// P: accelerometer's axes = P · magnetometer's axes.
  public var matrix: Matrix3
  /// Standard deviation of the angle between field and gravity under it, in degrees; nil where assumed.
  public var spreadDegrees: Double?
  /// The same under the best other map that is not its negation; nil where assumed.
  public var nextSpreadDegrees: Double?
  /// What it rests on.
  public var basis: Basis
  /// The sign of the map could not be settled: the other one is nearly as likely, and turns every heading about.
  public var signIsAmbiguous = false
  /// The accelerometer reads gravity itself, (0, 0, −1) g face up, where specific force is meant: the place's
  /// inclination has the other sign under the axes as they come.
  public var accelerometerIsReversed = false

  /// The axes as they come.
  public static let assumed = AxisMap(matrix: .identity, basis: .assumed)

  /// Negative: one of the chips is left-handed.
  public var handedness: Int { matrix.determinant < 0 ? -1 : 1 }

  /// From 0 (as good as another map) to 1 (no other comes near); nil where assumed.
  public var confidence: Double? {
    guard let spreadDegrees, let nextSpreadDegrees, nextSpreadDegrees > 0 else { return nil }
    return max(0, 1 - spreadDegrees / nextSpreadDegrees)
  }

  /// As people write it: `+y,+x,-z`.
  public var name: String {
    (0..<3).map { row in
      for (axis, letter) in ["x", "y", "z"].enumerated() where matrix[row][axis] != 0 {
        return (matrix[row][axis] < 0 ? "-" : "+") + letter
      }
      return "?"
    }.joined(separator: ",")
  }
}

/// Field and up at one moment, both of length 1.
struct DirectionPair {
  /// In the magnetometer's axes, hard and soft iron removed.
  var field: Vector3
  /// In the accelerometer's axes.
  var up: Vector3
}

extension AxisMap {
  /// Another map than the one the axes suggest must make the spread smaller by this factor, and smaller than this many
  /// degrees.
  private static let neededGain = 0.6
  private static let largestSpread = 18.0
  /// Axes as they come that are as good as this are believed.
  private static let smallestSpread = 1.0

  /// The map under which field and gravity keep their angle.
  static func found(_ pairs: [DirectionPair], inclination: Double?) -> AxisMap {
    guard pairs.count >= 8 else { return .assumed }
    let scored = positive.map { (map: $0, score: angle(pairs, under: $0)) }.sorted { $0.score.spread < $1.score.spread }
    guard let best = scored.first, let identity = scored.first(where: { $0.map == .identity }) else { return .assumed }
    let isIdentity =
      identity.score.spread <= max(best.score.spread / neededGain, smallestSpread)
      || best.score.spread > largestSpread
    let chosen = isIdentity ? identity : best
    let other = scored.first { $0.map != chosen.map }?.score.spread
    var map = AxisMap(
      matrix: chosen.map, spreadDegrees: chosen.score.spread, nextSpreadDegrees: other, basis: .gravity)
    map.settleSign(meanAngle: chosen.score.mean, inclination: inclination)
    return map
  }

  /// Under the map the field points `meanAngle` degrees from up: inclined by that less 90°.
  private mutating func settleSign(meanAngle: Double, inclination: Double?) {
    let found = meanAngle - 90
    guard let inclination else {
      guard matrix != .identity, found < 10 else { return }
      signIsAmbiguous = true
      if found < 0 { matrix = matrix * -1 }
      return
    }
    guard abs(inclination) > 10, abs(found) > 10 else {
      signIsAmbiguous = matrix != .identity
      return
    }
    basis = .place
    guard found * inclination < 0 else { return }
    if matrix == .identity { accelerometerIsReversed = true } else { matrix = matrix * -1 }
  }

  /// The 24 maps that keep handedness; their negations are the other 24.
  private static let positive: [Matrix3] = {
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
  private static func angle(_ pairs: [DirectionPair], under map: Matrix3) -> (mean: Double, spread: Double) {
    let angles = pairs.map { Angle.degrees(acos(max(-1, min(1, (map * $0.field).dot($0.up))))) }
    let middle = median(angles)
    let limit = quantile(angles.map { abs($0 - middle) }, 0.9)
    let kept = angles.filter { abs($0 - middle) <= limit }
    let mean = kept.reduce(0, +) / Double(kept.count)
    let squares = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / Double(kept.count)).squareRoot())
  }
}
