import LodestoneCore
import Glibc

// Which way the field dips, from a board that is turned level. Its fields lie on a circle, and a centre below the
// circle serves as well as one above: the hard iron along the circle's axis and the field's vertical part change
// places. Only a tilt parts them. Where up leans by x towards the field, as seen in the board's plane, the part of the
// field in that plane is
//
//     ρ = H − Z x + what goes with the heading,                                                              (1)
//
// H its horizontal and Z its vertical part, down positive. Iron that the circle did not quite show and a leaning table
// go with the heading, up to its second harmonic, and are taken out beside Z. The costs of the two centres do not tell
// this much: without any tilt they differ by 2 sin 2I √n for the noise of n samples alone, I the inclination.

/// The field's vertical part, as the wobble of a level turn shows it.
struct LevelWobble {
  /// The part of the field in µT, down positive.
  let down: Double
  /// Its standard deviation in µT.
  let deviation: Double

  /// Standard deviations past which it tells whether the field dips down or up.
  private static let sure = 4.0
  /// One, five of the heading's harmonics, and Z.
  private static let unknowns = 6
  private static let fewest = 30

  /// Whether it tells which way the field dips.
  var isSure: Bool { abs(down) > Self.sure * deviation }
  /// The largest vertical part, in µT, that it leaves possible where it is not sure.
  var most: Double { abs(down) + 2 * deviation }

  /// From moments of the turn, with hard and soft iron as the circle shows them and the direction that is up when the
  /// board is level; nil for too few moments, and for a turn that did not go all round.
  init?(_ moments: [Rest], _ correction: Correction, level: Vector3) {
    guard moments.count >= Self.fewest, let (a, b) = level.plane else { return nil }
    let rows = moments.compactMap { moment -> [Double]? in
      let field = correction.softIron * (moment.raw - correction.hardIron)
      let (x, y) = (field.dot(a), field.dot(b))
      let length = hypot(x, y)
      guard length > 1e-6 else { return nil }
      let (cosine, sine) = (x / length, y / length)
      let lean = moment.up.dot(a) * cosine + moment.up.dot(b) * sine
      return [1, cosine, sine, cosine * cosine - sine * sine, 2 * cosine * sine, -lean, length]
    }
    var (matrix, right) = (SymmetricMatrix(size: Self.unknowns), [Double](repeating: 0, count: Self.unknowns))
    for row in rows {
      for i in 0..<Self.unknowns {
        right[i] += row[i] * row[Self.unknowns]
        for j in 0..<Self.unknowns { matrix[i, j] += row[i] * row[j] }
      }
    }
    guard let inverse = matrix.inverse, case let x = inverse.times(right), let down = x.last else { return nil }
    let left = rows.map { row in row[Self.unknowns] - zip(row, x).reduce(0) { $0 + $1.0 * $1.1 } }
    let free = Double(max(rows.count - Self.unknowns, 1))
    let variance = left.reduce(0) { $0 + $1 * $1 } / free
    let scaled = left.map { $0 / max(variance.squareRoot(), 1e-9) }
    let correlation = Correlation.time(of: scaled, used: scaled.map { _ in true })
    self.down = down
    deviation = (variance * correlation * inverse[Self.unknowns - 1, Self.unknowns - 1]).squareRoot()
  }
}

extension Vector3 {
  /// Two directions at right angles to this one of length 1, and to each other; nil for a vector that has no direction.
  var plane: (a: Vector3, b: Vector3)? {
    guard let a = cross(abs(x) < 0.7 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)).direction else { return nil }
    return (a, cross(a))
  }
}
