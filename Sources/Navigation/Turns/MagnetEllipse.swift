import LodestoneCore
import Glibc

/// The ellipse that the field of a rotating magnet describes: b(θ) = c + p cos θ + q sin θ, in µT.
///
/// It follows the drift of the field by the means of eight sectors of the turn: however long the magnet stands in one
/// of them, the others keep the centre in place. A sector's mean field belongs to the mean of cos θ and sin θ in it,
/// which is shorter than 1: the mean over an eighth of a turn by 2.6 %. The direction in which the field is strongest
/// along a fixed axis is θ = 0, so that the angle does not creep while the ellipse is learnt again and again.
struct MagnetEllipse: Sendable {
  private(set) var center = Vector3.zero
  private(set) var cosine = Vector3.zero
  private(set) var sine = Vector3.zero
  /// Whether all of the turn was seen, and not only some places of it.
  private(set) var isWhole = false
  /// The mean distance of the fields that it was found in, as a share of the amplitude: noise, and what no ellipse has.
  private(set) var usual = 0.0
  /// The fixed axis.
  private let start: Vector3
  private var sectors = InlineArray<8, Vector3>(repeating: .zero)
  /// The means of cos θ and sin θ in the sectors.
  private var waves = Self.middles

  private static let count = 8
  /// The share of a new sample in the mean of its sector.
  private static let share = 0.2
  /// The determinant of the waves' spread past which they lie all around: 16 for eight even ones.
  private static let leastSpread = 1.0

  /// The ellipse of fields that go round, at least one round of them; nil where they do not describe one.
  init?(_ frame: FieldSpread) {
    start = frame.first
    center = frame.middle
    cosine = frame.first * frame.firstLength
    sine = frame.second * frame.secondLength
    for sector in 0..<Self.count { sectors[sector] = field(waves[sector]) }
    var counts = [Double](repeating: 0, count: Self.count)
    for field in frame.fields {
      guard let angle = angle(of: field) else { return nil }
      let sector = Self.sector(angle)
      counts[sector] += 1
      take(field, at: angle, share: 1 / counts[sector])
    }
    guard Self.goRound(counts) else { return nil }
    isWhole = counts.allSatisfy { $0 > 0 }
    fit()
    usual = frame.fields.reduce(0) { sum, field in sum + (angle(of: field).map { distance(of: field, at: $0) } ?? 0) }
    usual /= Double(frame.fields.count)
  }

  /// Whether no half of the turn is left out. A magnet that turns by a third or a fifth from sample to sample is never
  /// seen in some of the sectors.
  private static func goRound(_ counts: [Double]) -> Bool {
    (0..<count).allSatisfy { start in (0..<count / 2).contains { counts[(start + $0) % count] > 0 } }
  }

  /// The field at cos θ and sin θ by the ellipse so far.
  private func field(_ wave: Wave) -> Vector3 { center + cosine * wave.cosine + sine * wave.sine }

  /// Half of the longest axis, in µT.
  var amplitude: Double { cosine.length }

  /// The axis that it goes round by the right hand from `cosine` to `sine`, of any length.
  var axis: Vector3 { cosine.cross(sine) }

  /// The angle at which the magnet stands, in radians; nil for a field in the middle.
  func angle(of field: Vector3) -> Double? {
    let offset = field - center
    let (pp, pq, qq) = (cosine.squaredLength, cosine.dot(sine), sine.squaredLength)
    let determinant = pp * qq - pq * pq
    guard determinant > 0 else { return nil }
    let (p, q) = (cosine.dot(offset), sine.dot(offset))
    let angle = atan2(pp * q - pq * p, qq * p - pq * q)
    return angle.isFinite ? angle : nil
  }

  /// How far a field of an angle is from the ellipse, as a share of the amplitude.
  func distance(of field: Vector3, at angle: Double) -> Double {
    (field - self.field(Wave(cosine: cos(angle), sine: sin(angle)))).length / amplitude
  }

  /// Follows the field of an angle.
  mutating func follow(_ field: Vector3, at angle: Double) {
    take(field, at: angle, share: Self.share)
    fit()
  }

  private mutating func take(_ field: Vector3, at angle: Double, share: Double) {
    let sector = Self.sector(angle)
    sectors[sector] += (field - sectors[sector]) * share
    waves[sector].cosine += (cos(angle) - waves[sector].cosine) * share
    waves[sector].sine += (sin(angle) - waves[sector].sine) * share
  }

  private static func sector(_ angle: Double) -> Int {
    let turn = angle / (2 * .pi) + 0.5
    return min(count - 1, max(0, Int((turn - turn.rounded(.down)) * Double(count))))
  }

  /// The ellipse through the means of the sectors, by least squares.
  private mutating func fit() {
    let mean = 1 / Double(Self.count)
    var (middle, wave) = (Vector3.zero, Wave(cosine: 0, sine: 0))
    for sector in 0..<Self.count {
      middle += sectors[sector] * mean
      wave.cosine += waves[sector].cosine * mean
      wave.sine += waves[sector].sine * mean
    }
    var (cc, cs, ss, cosines, sines) = (0.0, 0.0, 0.0, Vector3.zero, Vector3.zero)
    for sector in 0..<Self.count {
      let (c, s) = (waves[sector].cosine - wave.cosine, waves[sector].sine - wave.sine)
      (cc, cs, ss) = (cc + c * c, cs + c * s, ss + s * s)
      let offset = sectors[sector] - middle
      cosines += offset * c
      sines += offset * s
    }
    let determinant = cc * ss - cs * cs
    guard determinant > Self.leastSpread else { return }
    let scale = 1 / determinant
    let (p, q) = ((cosines * ss - sines * cs) * scale, (sines * cc - cosines * cs) * scale)
    center = middle - p * wave.cosine - q * wave.sine
    let phase = atan2(start.dot(q), start.dot(p))
    let (c, s) = (cos(phase), sin(phase))
    cosine = p * c + q * s
    sine = q * c - p * s
    if phase != 0 { turnWaves(c, s) }
  }

  /// The angles' zero has moved by a phase of this cosine and sine.
  private mutating func turnWaves(_ c: Double, _ s: Double) {
    for sector in 0..<Self.count {
      let wave = waves[sector]
      waves[sector] = Wave(cosine: wave.cosine * c + wave.sine * s, sine: wave.sine * c - wave.cosine * s)
    }
  }

  fileprivate struct Wave: Sendable {
    var cosine: Double
    var sine: Double
  }

  /// The middles of the sectors.
  private static let middles: InlineArray<8, Wave> = InlineArray { sector in
    let angle = (Double(sector) + 0.5) * .pi / 4 - .pi
    return Wave(cosine: cos(angle), sine: sin(angle))
  }
}

/// How fields are spread: their middle, and the two directions in which they are spread most.
struct FieldSpread {
  /// The fields without the few that lie far outside all others: a bus or a cable has garbled them.
  let fields: [Vector3]
  var middle = Vector3.zero
  var first = Vector3(1, 0, 0)
  var second = Vector3(0, 1, 0)
  /// Half the way from one end to the other, in µT.
  var firstLength = 0.0
  var secondLength = 0.0

  /// The number of fields at either end of an axis that may be garbled.
  private static let few = 2
  /// The spread of at least one field.
  init(_ all: [Vector3]) {
    fields = Self.usual(all)
    guard let some = fields.first else { return }
    var (low, high) = (some, some)
    for field in fields {
      for axis in 0..<3 {
        low[axis] = min(low[axis], field[axis])
        high[axis] = max(high[axis], field[axis])
      }
    }
    let middle = (low + high) * 0.5
    let offsets = fields.map { $0 - middle }
    first = Self.strongest(offsets) ?? first
    second = Self.strongest(offsets.map { [first] in $0 - first * $0.dot(first) }) ?? Self.across(first)
    let (along, over) = (Self.ends(offsets, first), Self.ends(offsets, second))
    firstLength = (along.high - along.low) / 2
    secondLength = (over.high - over.low) / 2
    self.middle = middle + first * ((along.high + along.low) / 2) + second * ((over.high + over.low) / 2)
  }

  /// The fields that are off the range of the others by no more than that range, along each axis.
  private static func usual(_ fields: [Vector3]) -> [Vector3] {
    guard fields.count > 4 * few else { return fields }
    let ranges = (0..<3).map { axis in
      let sorted = fields.map { $0[axis] }.sorted()
      let (low, high) = (sorted[few], sorted[sorted.count - 1 - few])
      return (2 * low - high)...(2 * high - low)
    }
    return fields.filter { field in (0..<3).allSatisfy { ranges[$0].contains(field[$0]) } }
  }

  /// The direction of the largest sum of squares, by repeated multiplication.
  private static func strongest(_ offsets: [Vector3]) -> Vector3? {
    guard var axis = offsets.max(by: { $0.squaredLength < $1.squaredLength })?.direction else { return nil }
    for _ in 0..<12 {
      let sum = offsets.reduce(Vector3.zero) { $0 + $1 * $1.dot(axis) }
      axis = sum.direction ?? axis
    }
    return axis
  }

  private static func across(_ axis: Vector3) -> Vector3 {
    axis.cross(abs(axis.x) < 0.7 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)).direction ?? Vector3(0, 1, 0)
  }

  private static func ends(_ offsets: [Vector3], _ axis: Vector3) -> (low: Double, high: Double) {
    let places = offsets.map { $0.dot(axis) }
    return (places.min() ?? 0, places.max() ?? 0)
  }
}
