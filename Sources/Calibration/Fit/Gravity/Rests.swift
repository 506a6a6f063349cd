import LodestoneCore

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
  /// The error of the mean force by the hand's tremor, in g.
  var tremor = 0.0
  /// The mean rotation rate in radians per second; nil without a gyroscope.
  var rate: Vector3?
  /// How fast its field changed from its first tenth of a second to its last, in µT a second.
  var drift = Vector3.zero
  /// The chip's mean temperature in degrees Celsius; nil for a device that tells none.
  var temperature: Double?
  /// Standard deviation of its angle beyond what a rest has, in radians: for moments that are no true rest.
  var extraDeviation = 0.0

  /// Standard deviation of the angle it gives, in radians: 0.006 for each tenth of a second, never less than 0.0015,
  /// for a hand trembles and an accelerometer is not straight; more where it trembled more; and the field's own noise.
  /// How far rests really scatter decides in the end.
  func angleDeviation(noise: Double, strength: Double) -> Double {
    let tenths = max(1, (to - from) * 10)
    let field = noise / max(strength, 1) / max(1, Double(count)).squareRoot()
    let hand = 0.006 * 0.006 / tenths + 0.0015 * 0.0015 + tremor * tremor
    return (hand + field * field + extraDeviation * extraDeviation).squareRoot()
  }

  /// The rate at which it turned about the vertical, in degrees per second, by its field; nil where less than 1 µT of
  /// that is horizontal.
  func turn(centre: Vector3) -> Double? {
    let field = raw - centre
    let horizontal = field - up * field.dot(up)
    guard horizontal.squaredLength > 1 else { return nil }
    return Angle.degrees(drift.cross(horizontal).dot(up) / horizontal.squaredLength)
  }

  /// Standard deviation of the force's length in g.
  var lengthDeviation: Double { (0.0015 * 0.0015 + tremor * tremor).squareRoot() }
}

/// Rests in attitudes that differ.
struct Rests: Sendable {
  /// Rests from which on they say something of the rotation between the chips.
  static let fewest = 3
  /// Rests enough for that rotation whatever it is: fewer need the word that the board is an ordinary one.
  static let needed = 8
  /// The number of these that must be tilted by 20° or more from the first axis they share.
  static let neededTilted = 3
  /// The most rests that are kept.
  static let most = 200

  private(set) var all: [Rest] = []

  init() {}

  /// Keeps a rest. One in an attitude already there is kept too but counts no further attitude; where there are many, a
  /// board that lies on takes no place from those that are still to come.
  mutating func add(_ rest: Rest) {
    guard all.count < Self.most, all.count < Self.most / 2 || !isLyingOn(rest) else { return }
    all.append(rest)
  }

  /// Whether a rest is in the attitude of the one before.
  private func isLyingOn(_ rest: Rest) -> Bool {
    guard let last = all.last, last.up.angle(to: rest.up) < Angle.radians(8) else { return false }
    return (rest.raw - last.raw).length <= 6 * max(rest.scatter, last.scatter)
  }

  /// Puts what a rest came to in the place of what was known of it before it ended.
  mutating func replaceLast(with rest: Rest) {
    guard !all.isEmpty else { return }
    all[all.count - 1] = rest
  }

  /// The rests for which a condition holds.
  func filtered(_ isKept: (Rest) -> Bool) -> Rests {
    var rests = self
    rests.all = all.filter(isKept)
    return rests
  }

  /// One of each attitude that differs from those before it: by 8° in what is up, or by 15° in where magnetic east is.
  func attitudes(centre: Vector3) -> [Rest] {
    var kept: [Rest] = []
    for rest in all where !kept.contains(where: { Self.isSame($0, rest, centre: centre) }) { kept.append(rest) }
    return kept
  }

  /// The number of attitudes that differ.
  func distinct(centre: Vector3) -> Int { attitudes(centre: centre).count }

  /// Whether there are enough attitudes, and enough of them tilted against the mean, to solve the rotation.
  func sufficeForRotation(centre: Vector3) -> Bool {
    let kept = attitudes(centre: centre)
    guard kept.count >= Self.needed else { return false }
    let level = kept.map { rest in kept.filter { $0.up.angle(to: rest.up) < Angle.radians(20) }.count }.max() ?? 0
    return kept.count - level >= Self.neededTilted
  }

  static func isSame(_ a: Rest, _ b: Rest, centre: Vector3) -> Bool {
    let (east, otherEast) = ((a.raw - centre).cross(a.up), (b.raw - centre).cross(b.up))
    return a.up.angle(to: b.up) < Angle.radians(8) && east.angle(to: otherEast) < Angle.radians(15)
  }
}
