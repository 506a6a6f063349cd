import LodestoneCore
import Glibc

/// Finds rests in a stream. Constant memory, constant time.
///
/// A rest is 0.7 s or more in which the means over tenths of a second stay within some range on every axis of the
/// specific force and the field turns by less than 5° a second, both widened by what the measured noise does to such
/// means.
struct RestFinder: Sendable {
  private static let tenth = 0.1
  /// The longest rest in seconds; longer ones are split, so that a board left on a table is no single enormous rest.
  private static let longest = 4.0
  /// Largest span of the field's means over tenths in a rest, relative to its strength: 5° a second in the shortest.
  private static let fieldRange = 0.06
  /// Standard deviations that a few dozen means span.
  private static let noiseSpan = 4.0

  /// Largest span of the specific force's means over tenths in a rest, on each axis, in g.
  let forceRange: Double
  /// Seconds of a rest at least.
  private let shortest: Double
  /// Strength of the Earth's field in the unit of the measurements, for the rate of turn.
  var strength = 48.0
  /// Standard deviation of one axis of one measurement, in the same unit.
  var noise = 0.0
  private var forceNoise = NoiseMeter()
  private var tenthMean = RestSums()
  private var tenthStart = -Double.infinity
  private var rest = RestSums()
  private var tremor = TremorSums()
  private var restStart = 0.0
  private var end = 0.0
  /// The means of its first and of its last tenth.
  private var (firstRaw, lastRaw) = (Vector3.zero, Vector3.zero)
  private var force = Span()
  private var field = Span()

  init(forceRange: Double = 0.03, shortest: Double = 0.7) {
    self.forceRange = forceRange
    self.shortest = shortest
  }

  /// Takes the next row; a rest, when one has just ended. It becomes part of the loop that calls it, so that no row
  /// copies a rest.
  @inline(__always)
  mutating func add(_ measurement: SweepPoint, time: Double) -> Rest? {
    guard let force = measurement.force else { return nil }
    guard time - tenthStart >= Self.tenth * 0.999 || time < tenthStart else {
      take(measurement, force: force)
      return nil
    }
    let ended = closeTenth(next: time)
    tenthStart = time
    take(measurement, force: force)
    return ended
  }

  private mutating func take(_ measurement: SweepPoint, force: Vector3) {
    forceNoise.add(force)
    tenthMean.add(measurement, force: force)
  }

  /// Whether a rest is under way.
  var isStill: Bool { rest.count > 0 && end - restStart > 0.35 }

  /// The difference from 1 g that the specific force of a rest may have.
  private static let lengthRange = 0.15

  /// Whether it is held still, but what the accelerometer reads is too far from 1 g for gravity.
  var isForceOff: Bool { rest.count > 0 && abs(rest.force.length - 1) >= Self.lengthRange }

  /// The rest under way as it stands, however short; nil where there is none, or the board is not at rest.
  var underWay: Rest? {
    guard rest.count > 0, !isForceOff, let up = rest.force.direction else { return nil }
    return Rest(
      raw: rest.raw, force: rest.force, up: up, from: restStart, to: end, count: rest.count, scatter: rest.scatter,
      tremor: tremor.deviationOfMean, rate: rest.rate.mean, drift: drift, temperature: rest.temperature.mean?.x)
  }

  /// The change of the field over the rest under way, a second.
  private var drift: Vector3 {
    let seconds = end - restStart - Self.tenth
    return seconds > Self.tenth ? (lastRaw - firstRaw) / seconds : .zero
  }

  /// The rest that the stream ends with.
  mutating func finish() -> Rest? {
    closeTenth(next: .infinity) ?? take()
  }

  private mutating func closeTenth(next: Double) -> Rest? {
    guard tenthMean.count > 0 else { return nil }
    defer { tenthMean = RestSums() }
    let (raw, mean) = (tenthMean.raw, tenthMean.force)
    var ended: Rest?
    if rest.count > 0, !fits(raw: raw, force: mean) || tenthStart - restStart > Self.longest { ended = take() }
    if rest.count == 0 {
      restStart = tenthStart
      (force, field, tremor) = (Span(at: mean), Span(at: raw), TremorSums())
      firstRaw = raw
    }
    lastRaw = raw
    force = force.including(mean)
    field = field.including(raw)
    tremor.add(mean)
    rest.add(tenthMean)
    end = min(next, tenthStart + Self.tenth)
    if next - tenthStart > 1 { ended = ended ?? take() }
    return ended
  }

  private func fits(raw: Vector3, force mean: Vector3) -> Bool {
    let share = 1 / Double(max(tenthMean.count, 1)).squareRoot()
    let forceLimit = min(hypot(forceRange, Self.noiseSpan * forceNoise.deviation * share), 4 * forceRange)
    let fieldLimit = hypot(Self.fieldRange * strength, Self.noiseSpan * noise * share)
    return force.including(mean).widest <= forceLimit && field.including(raw).widest <= fieldLimit
  }

  private mutating func take() -> Rest? {
    defer { rest = RestSums() }
    guard end - restStart >= shortest * 0.999, rest.count >= 5 else { return nil }
    return underWay
  }
}

/// Looks for rests of a steady hand, and for those of a hand that trembles by 20 mg, which are rougher: they count
/// where there are too few others.
struct RestSearch: Sendable {
  private var steady = RestFinder()
  private var trembling = RestFinder(forceRange: 0.08)
  private var steadyRests = Rests()
  private var tremblingRests = Rests()

  /// Strength of the Earth's field and noise of one axis, in the unit of the measurements.
  mutating func expect(strength: Double, noise: Double) {
    (steady.strength, trembling.strength) = (strength, strength)
    (steady.noise, trembling.noise) = (noise, noise)
  }

  /// Takes the next row.
  mutating func add(_ row: SweepPoint, time: Double) {
    if let rest = steady.add(row, time: time) { steadyRests.add(rest) }
    if let rest = trembling.add(row, time: time) { tremblingRests.add(rest) }
  }

  /// Takes the rest that the stream ends with.
  mutating func finish() {
    if let rest = steady.finish() { steadyRests.add(rest) }
    if let rest = trembling.finish() { tremblingRests.add(rest) }
  }

  /// The rests found, without those that a condition rejects.
  func rests(centre: Vector3, where isKept: (Rest) -> Bool = { _ in true }) -> Rests {
    let found = steadyRests.filtered(isKept)
    guard found.distinct(centre: centre) < Rests.needed else { return found }
    let rougher = tremblingRests.filtered(isKept)
    return rougher.distinct(centre: centre) > found.distinct(centre: centre) ? rougher : found
  }
}

/// The lowest and the highest value of each axis.
private struct Span: Sendable {
  private var low = Vector3.zero
  private var high = Vector3.zero

  init() {}

  init(at v: Vector3) { (low, high) = (v, v) }

  func including(_ v: Vector3) -> Span {
    var span = self
    for axis in 0..<3 {
      span.low[axis] = min(low[axis], v[axis])
      span.high[axis] = max(high[axis], v[axis])
    }
    return span
  }

  /// The widest axis.
  var widest: Double { max(high.x - low.x, high.y - low.y, high.z - low.z) }
}

/// Noise of one axis, from second differences: what changes steadily has none.
private struct NoiseMeter: Sendable {
  private var last: Vector3?
  private var beforeLast: Vector3?
  private var variance = 0.0

  mutating func add(_ value: Vector3) {
    if let last, let beforeLast {
      // The square of a difference of 1, −2, 1 is six times the variance, on each of three axes.
      let square = min((value - last * 2 + beforeLast).squaredLength / 18, 0.01)
      variance += (square - variance) * 0.05
    }
    (beforeLast, last) = (last, value)
  }

  var deviation: Double { variance.squareRoot() }
}

/// How the means over tenths of a second scatter within a rest.
private struct TremorSums: Sendable {
  private var count = 0
  private var sum = Vector3.zero
  private var squares = 0.0

  mutating func add(_ mean: Vector3) {
    count += 1
    sum += mean
    squares += mean.squaredLength
  }

  /// The standard deviation of one axis of their mean. Neighbouring tenths share half of what a hand does.
  var deviationOfMean: Double {
    guard count > 1 else { return 0 }
    let about = max(squares - sum.squaredLength / Double(count), 0) / (3 * Double(count - 1))
    return (2 * about / Double(count)).squareRoot()
  }
}

/// The mean of what some measurements have and others have not.
private struct OptionalMean: Sendable {
  private var sum = Vector3.zero
  private var count = 0

  mutating func add(_ value: Vector3?) {
    guard let value else { return }
    sum += value
    count += 1
  }

  mutating func add(_ other: OptionalMean) {
    sum += other.sum
    count += other.count
  }

  var mean: Vector3? { count > 0 ? sum / Double(count) : nil }
}

/// Sums over the measurements of a rest.
private struct RestSums: Sendable {
  var count = 0
  private var rawSum = Vector3.zero
  private var forceSum = Vector3.zero
  private var squares = 0.0
  private var origin = Vector3.zero
  private(set) var rate = OptionalMean()
  private(set) var temperature = OptionalMean()

  mutating func add(_ point: SweepPoint, force: Vector3) {
    let raw = point.raw
    rate.add(point.rate)
    temperature.add(point.temperature.map { Vector3($0, 0, 0) })
    if count == 0 { origin = raw }
    count += 1
    rawSum += raw - origin
    forceSum += force
    squares += (raw - origin).squaredLength
  }

  mutating func add(_ other: RestSums) {
    guard count > 0 else {
      self = other
      return
    }
    let shift = other.origin - origin
    squares += other.squares + 2 * shift.dot(other.rawSum) + shift.squaredLength * Double(other.count)
    rawSum += other.rawSum + shift * Double(other.count)
    forceSum += other.forceSum
    rate.add(other.rate)
    temperature.add(other.temperature)
    count += other.count
  }

  var raw: Vector3 { origin + rawSum / Double(max(count, 1)) }
  var force: Vector3 { forceSum / Double(max(count, 1)) }
  /// Standard deviation of one axis.
  var scatter: Double {
    guard count > 1 else { return 0 }
    let about = squares - rawSum.squaredLength / Double(count)
    return (max(about, 0) / (3 * Double(count - 1))).squareRoot()
  }
}
