import LodestoneCore

// Attitudes from a gyroscope. With r its reading, z its zero and G its gains a board turns at ω = G (r − z), and
//
//     R_{k+1} = R_k · exp(ω Δt),                                                                             (1)
//
// R_k from the board at moment k into the board at the first. A reading is either the rate at its own moment, and a
// cubic through four of them serves, or the mean since the reading before it, and then the later one does: at ten
// readings a second that makes per cents of the gain. A field that comes τ later than the turn is held against R at t −
// τ. Small changes of z, G and τ turn R, as seen in the first frame, by
//
//     φ_k = Σ_j R_j δω_j Δt − R_k ω_k δτ,    δω = δG (r − z) − G δz,                                         (2)
//
// cumulative sums, so that all derivatives cost one pass.

/// The unknowns of a gyroscope beside a magnetometer.
struct Gyroscope: Sendable {
  /// Their number: z, G row by row, τ.
  static let count = 13

  /// z in radians per second.
  var zero = Vector3.zero
  /// G, without unit.
  var gain = Matrix3.identity
  /// τ: seconds by which the field is older than the rate beside it.
  var lag = 0.0

  /// z, G − 1 row by row, τ.
  var values: [Double] {
    [
      zero.x, zero.y, zero.z, gain.row0.x - 1, gain.row0.y, gain.row0.z, gain.row1.x, gain.row1.y - 1, gain.row1.z,
      gain.row2.x, gain.row2.y, gain.row2.z - 1, lag,
    ]
  }

  /// With a step of all thirteen added.
  func adding(_ step: [Double]) -> Gyroscope {
    guard step.count == Self.count else { return self }
    var sum = self
    sum.zero += Vector3(step[0], step[1], step[2])
    for row in 0..<3 { sum.gain[row] += Vector3(step[3 + 3 * row], step[4 + 3 * row], step[5 + 3 * row]) }
    sum.lag += step[12]
    return sum
  }

  /// A step of ten unknowns as one of all thirteen: zero, gains xx, yy, zz, xy, xz, yz, and lag. The gains are
  /// symmetric, for how the axes lie against the magnetometer's is a rotation between the chips.
  static func widened(_ step: ArraySlice<Double>) -> [Double] {
    let g = Array(step)
    guard g.count == 10 else { return [] }
    return [g[0], g[1], g[2], g[3], g[6], g[7], g[6], g[4], g[8], g[7], g[8], g[5], g[9]]
  }
}

/// The attitudes of a board by its gyroscope, with their derivatives.
struct TurnIntegral {
  /// The meaning of a gyroscope's reading.
  enum Reading: Sendable, CaseIterable {
    /// The mean rate since the reading before it.
    case mean
    /// The rate at its own moment.
    case momentary
  }

  /// The attitude in which a field was measured.
  struct Attitude {
    /// R.
    let matrix: Matrix3
    /// φ by each of the unknowns, in the first frame.
    let turns: InlineArray<13, Vector3>
  }

  private let times: [Double]
  private var attitudes: [Quaternion] = []
  /// ω between a moment and the next, in radians per second.
  private var rates: [Vector3] = []
  private let lag: Double
  /// Moments whose derivatives are kept, with the sums up to the reading before the field of each.
  private let points: [Int]
  private var sums: [InlineArray<13, Vector3>] = []

  /// Integrates readings in radians per second, at times in seconds. `points` are the indices of the moments whose
  /// derivatives are wanted, in their order.
  init(
    _ moments: some Collection<(time: Double, rate: Vector3)>, by gyroscope: Gyroscope, reading: Reading,
    derivingAt points: [Int] = []
  ) {
    times = moments.map { $0.time }
    (lag, self.points) = (gyroscope.lag, points)
    attitudes.reserveCapacity(times.count)
    rates.reserveCapacity(times.count)
    sums.reserveCapacity(points.count)
    attitudes.append(.identity)
    var attitude = Quaternion.identity
    var sum = InlineArray<13, Vector3>(repeating: .zero)
    let all = Array(moments)
    keep(sum, gyroscope.gain, at: 0)
    for index in all.indices.dropFirst() {
      let (before, here) = (all[index - 1], all[index])
      let read = reading == .mean ? here.rate : Self.mean(all, before: index)
      let step = here.time - before.time
      let unbiased = read - gyroscope.zero
      let rate = gyroscope.gain * unbiased
      if sums.count < points.count {
        let half = Quaternion(rotation: rate * (step / 2))
        let middle = attitude * half
        attitude = middle * half
        Self.add(middle.matrix * step, unbiased, to: &sum)
        keep(sum, gyroscope.gain, at: index)
      } else {
        attitude = attitude * Quaternion(rotation: rate * step)
      }
      attitudes.append(attitude)
      rates.append(rate)
    }
    if let last = rates.last { rates.append(last) } else { rates.append(.zero) }
  }

  /// Keeps the sums for the points that this reading stands before.
  private mutating func keep(_ sum: InlineArray<13, Vector3>, _ gain: Matrix3, at reading: Int) {
    while sums.count < points.count, near(points[sums.count]) <= reading {
      var kept = sum
      kept[0] = -(sum[0] * gain.row0.x + sum[1] * gain.row1.x + sum[2] * gain.row2.x)
      kept[1] = -(sum[0] * gain.row0.y + sum[1] * gain.row1.y + sum[2] * gain.row2.y)
      kept[2] = -(sum[0] * gain.row0.z + sum[1] * gain.row1.z + sum[2] * gain.row2.z)
      sums.append(kept)
    }
  }

  /// The mean rate over the step that ends with a reading, from momentary ones: the integral of the cubic through four.
  private static func mean(_ all: [(time: Double, rate: Vector3)], before index: Int) -> Vector3 {
    let middle = all[index - 1].rate + all[index].rate
    guard index >= 2, index + 1 < all.count else { return middle * 0.5 }
    return (middle * 13 - all[index - 2].rate - all[index + 1].rate) * (1.0 / 24)
  }

  /// (2) for one step but for −G, which the first three share; `turn` is R Δt.
  @inline(__always)
  private static func add(_ turn: Matrix3, _ unbiased: Vector3, to sum: inout InlineArray<13, Vector3>) {
    let columns = turn.transposed
    for axis in 0..<3 {
      sum[axis] += columns[axis]
      sum[3 + 3 * axis] += columns[axis] * unbiased.x
      sum[4 + 3 * axis] += columns[axis] * unbiased.y
      sum[5 + 3 * axis] += columns[axis] * unbiased.z
    }
  }

  /// The attitude that the field of a point belongs to, with its derivatives. The points are counted from 0.
  @inline(__always)
  func attitude(ofPoint point: Int) -> Attitude { attitude(ofPoint: point, matrix: matrix(at: points[point])) }

  /// The attitude that the field of a point belongs to, from its matrix R, with its derivatives.
  @inline(__always)
  func attitude(ofPoint point: Int, matrix: Matrix3) -> Attitude {
    var turns = sums[point]
    turns[12] = -(matrix * rates[near(points[point])])
    return Attitude(matrix: matrix, turns: turns)
  }

  /// The attitude that the field of a moment belongs to: R.
  func matrix(at index: Int) -> Matrix3 {
    let near = near(index)
    return (attitudes[near] * Quaternion(rotation: rates[near] * (times[index] - lag - times[near]))).matrix
  }

  /// The reading before the moment that a field belongs to.
  private func near(_ index: Int) -> Int {
    let time = times[index] - lag
    var near = index
    while near > 0, times[near] > time { near -= 1 }
    while near + 1 < times.count, times[near + 1] <= time { near += 1 }
    return near
  }
}
