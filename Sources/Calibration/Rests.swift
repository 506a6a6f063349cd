import Core
import Glibc

/// A moment in which the board was held still: the only time when specific force is up.
///
/// While a hand moves the board about an elbow, apparent gravity is off by 10° and more, and by the same amount each
/// time the hand comes round: no weight makes such errors harmless. So the angle between field and gravity is taken
/// from rests alone.
struct Rest: Sendable, Equatable {
  /// The mean raw field in µT, in the magnetometer's axes.
  var raw: Vector3
  /// The mean specific force in g.
  var force: Vector3
  /// Direction of `force`.
  var up: Vector3
  /// Seconds.
  var from: Double
  /// Seconds.
  var to: Double
  /// Measurements in it.
  var count: Int
  /// Standard deviation of one measurement's axis within it, in µT.
  var scatter: Double
  /// Of its angle, beyond what a rest has, in radians: for moments that are no true rest.
  var extraDeviation = 0.0

  /// Standard deviation of the angle it gives, in radians: 0.006 for each tenth of a second, never less than 0.0015,
  /// for a hand trembles and an accelerometer is not straight; and the field's own noise. How far rests really scatter
  /// decides in the end.
  func angleDeviation(noise: Double, strength: Double) -> Double {
    let tenths = max(1, (to - from) * 10)
    let field = noise / max(strength, 1) / max(1, Double(count)).squareRoot()
    return (0.006 * 0.006 / tenths + 0.0015 * 0.0015 + field * field + extraDeviation * extraDeviation).squareRoot()
  }
}

/// Finds rests in a stream. Constant memory, constant time.
///
/// A rest is 0.7 s or more in which the means over tenths of a second stay within 0.03 g on every axis of the specific
/// force and the field turns by less than 5° a second.
struct RestFinder: Sendable {
  private static let tenth = 0.1
  private static let shortest = 0.7
  /// Longer ones are split, so that leaving the board on a table is no single enormous rest.
  private static let longest = 4.0
  private static let forceRange = 0.03
  /// Of the field's mean over a tenth, as a share of the field's strength: 5° a second over the shortest rest.
  private static let fieldRange = 0.06

  /// Of the Earth's field in the unit of the measurements, for the rate of turn.
  var strength = 48.0
  private var tenthMean = RestSums()
  private var tenthStart = -Double.infinity
  private var rest = RestSums()
  private var restStart = 0.0
  private var end = 0.0
  private var forceLow = Vector3.zero
  private var forceHigh = Vector3.zero
  private var fieldLow = Vector3.zero
  private var fieldHigh = Vector3.zero

  init() {}

  /// Takes the next measurement; a rest, when one has just ended.
  mutating func add(_ measurement: Measurement, time: Double) -> Rest? {
    guard let force = measurement.force else { return nil }
    var ended: Rest?
    if time - tenthStart >= Self.tenth * 0.999 || time < tenthStart {
      ended = closeTenth(next: time)
      tenthStart = time
    }
    tenthMean.add(raw: measurement.raw, force: force)
    return ended
  }

  /// A rest is under way.
  var isStill: Bool { rest.count > 0 && end - restStart > 0.35 }

  /// The rest that the stream ends with.
  mutating func finish() -> Rest? {
    closeTenth(next: .infinity) ?? take()
  }

  private mutating func closeTenth(next: Double) -> Rest? {
    guard tenthMean.count > 0 else { return nil }
    defer { tenthMean = RestSums() }
    let (raw, force) = (tenthMean.raw, tenthMean.force)
    var ended: Rest?
    if rest.count > 0, !fits(raw: raw, force: force) || tenthStart - restStart > Self.longest { ended = take() }
    if rest.count == 0 {
      restStart = tenthStart
      (forceLow, forceHigh, fieldLow, fieldHigh) = (force, force, raw, raw)
    }
    widen(raw: raw, force: force)
    rest.add(tenthMean)
    end = min(next, tenthStart + Self.tenth)
    if next - tenthStart > 1 { ended = ended ?? take() }
    return ended
  }

  private func fits(raw: Vector3, force: Vector3) -> Bool {
    for axis in 0..<3 {
      let forceSpan = max(forceHigh[axis], force[axis]) - min(forceLow[axis], force[axis])
      let fieldSpan = max(fieldHigh[axis], raw[axis]) - min(fieldLow[axis], raw[axis])
      if forceSpan > Self.forceRange || fieldSpan > Self.fieldRange * strength { return false }
    }
    return true
  }

  private mutating func widen(raw: Vector3, force: Vector3) {
    for axis in 0..<3 {
      forceLow[axis] = min(forceLow[axis], force[axis])
      forceHigh[axis] = max(forceHigh[axis], force[axis])
      fieldLow[axis] = min(fieldLow[axis], raw[axis])
      fieldHigh[axis] = max(fieldHigh[axis], raw[axis])
    }
  }

  private mutating func take() -> Rest? {
    defer { rest = RestSums() }
    guard end - restStart >= Self.shortest, rest.count >= 5, let up = rest.force.direction,
      abs(rest.force.length - 1) < 0.15
    else { return nil }
    return Rest(
      raw: rest.raw, force: rest.force, up: up, from: restStart, to: end, count: rest.count, scatter: rest.scatter)
  }
}

/// Sums over the measurements of a rest.
private struct RestSums: Sendable {
  var count = 0
  private var rawSum = Vector3.zero
  private var forceSum = Vector3.zero
  private var squares = 0.0
  private var origin = Vector3.zero

  mutating func add(raw: Vector3, force: Vector3) {
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
    count += other.count
  }

  var raw: Vector3 { origin + rawSum / Double(max(count, 1)) }
  var force: Vector3 { forceSum / Double(max(count, 1)) }
  /// Of one axis.
  var scatter: Double {
    guard count > 1 else { return 0 }
    let about = squares - rawSum.squaredLength / Double(count)
    return (max(about, 0) / (3 * Double(count - 1))).squareRoot()
  }
}

/// Rests in attitudes that differ.
struct Rests: Sendable {
  /// Rests enough for the rotation between the chips: with six the worst of many seeds is off by 6°, with eight by 1°.
  static let needed = 8
  /// Of these, tilted by 20° or more from the first axis they share.
  static let neededTilted = 3
  /// More than these are not kept.
  static let most = 200

  private(set) var all: [Rest] = []

  init() {}

  /// Keeps a rest. One in an attitude already there is kept too but counts no further attitude.
  mutating func add(_ rest: Rest) {
    guard all.count < Self.most else { return }
    all.append(rest)
  }

  /// One of each attitude that differs from those before it: by 8° in what is up, or by 15° in where magnetic east is.
  func attitudes(centre: Vector3) -> [Rest] {
    var kept: [Rest] = []
    for rest in all where !kept.contains(where: { Self.isSame($0, rest, centre: centre) }) { kept.append(rest) }
    return kept
  }

  /// How many differ.
  func distinct(centre: Vector3) -> Int { attitudes(centre: centre).count }

  /// Whether there are enough attitudes, and enough of them tilted against the mean, to solve the rotation.
  func sufficeForRotation(centre: Vector3) -> Bool {
    let kept = attitudes(centre: centre)
    guard kept.count >= Self.needed else { return false }
    let level = kept.map { rest in kept.filter { $0.up.angle(to: rest.up) < Angle.radians(20) }.count }.max() ?? 0
    return kept.count - level >= Self.neededTilted
  }

  private static func isSame(_ a: Rest, _ b: Rest, centre: Vector3) -> Bool {
    let (east, otherEast) = ((a.raw - centre).cross(a.up), (b.raw - centre).cross(b.up))
    return a.up.angle(to: b.up) < Angle.radians(8) && east.angle(to: otherEast) < Angle.radians(15)
  }
}
