import LodestoneCore
import Glibc

/// Whether a board is carried from place to place: the length of its force changes, as with steps or on a road.
struct Carriage: Sendable {
  /// As in the last second.
  var isCarried: Bool { variance > Self.leastBump * Self.leastBump }
  /// As by steps: more than a hand does that turns a board about.
  var isStepping: Bool { variance > Self.leastStep * Self.leastStep }
  /// The mean square of that, in g².
  var bumping: Double { variance }
  private var mean: Double?
  private var variance = 0.0

  /// One standard deviation of a force's length, in g: steps of a careful walker make twice as much.
  private static let leastBump = 0.025
  /// The same for those of most walkers, in g.
  private static let leastStep = 0.1
  /// In seconds.
  private static let span = 1.0

  /// Takes the length of a force in g, `step` seconds after the one before.
  mutating func add(_ length: Double, step: Double) {
    let before = mean ?? length
    let share = min(1, step / Self.span)
    let off = length - before
    mean = before + off * share
    variance += (off * off - variance) * share
  }
}

/// How much of a field is not the Earth's. Two parts of it are seen, along the field (strength) and in the vertical
/// plane (inclination); they tell the size of the third, which turns north.
///
/// A deviation of both wherever the board is carried is an error of its calibration, or of what is expected, and turns
/// north by little. A deviation where it lies, as it is turned, or of late, is iron: it turns north for as long as
/// it stays. A hand that turns a board above a desk moves it as a careful walker does: what stays off meanwhile may be
/// the desk's, until steps, long pushes or a field that changes from place to place say that there were many of them.
struct FieldDisturbance: Sendable {
  /// The effect of a disturbance on north.
  struct Effect: Sendable {
    /// The variance that it gives to north as one window sees it, in rad².
    var variance: Double
    /// The turn of north by the part that lasts, alike in every window: one standard deviation in radians.
    var lasting: Double
  }

  /// The deviations of strength and inclination, in µT: the inclination in radians times the strength.
  private struct Offset {
    var strength = 0.0
    var inclination = 0.0

    /// The mean square of the two.
    var power: Double { (strength * strength + inclination * inclination) / 2 }

    mutating func follow(_ now: Offset, by share: Double) {
      strength += (now.strength - strength) * share
      inclination += (now.inclination - inclination) * share
    }

    /// The part of it beyond what lies between none and the other.
    func beyond(_ other: Offset) -> Offset {
      func part(_ a: Double, _ b: Double) -> Double { a - max(min(0, b), min(max(0, b), a)) }
      return Offset(strength: part(strength, other.strength), inclination: part(inclination, other.inclination))
    }

    static func + (a: Offset, b: Offset) -> Offset {
      Offset(strength: a.strength + b.strength, inclination: a.inclination + b.inclination)
    }

    static func - (a: Offset, b: Offset) -> Offset {
      Offset(strength: a.strength - b.strength, inclination: a.inclination - b.inclination)
    }
  }

  /// The expected field; nil where it is not known: then the mean of what was seen.
  private var reference: HeadingErrorModel.Reference?
  /// It is known what the field should be: it was corrected by a calibration.
  var isExpected: Bool { reference != nil }
  /// The strength of the expected field and its horizontal part, in µT, and the tangent of its inclination: how much a
  /// lean to the east turns it. Nil where nothing is known of it.
  private(set) var expectedField: (strength: Double, horizontal: Double, slope: Double)?

  private let settings: Fusion.Settings
  private var learned: (strength: Double, inclination: Double)?
  private var learnedFor = 0.0
  /// The deviation of the field where the board was carried: in the last seconds, and in the last minutes.
  private var (slow, usual) = (Offset(), Offset())
  private var carriedFor = 0.0
  private var places = Places()
  private var mean = 0.0
  /// The deviation of the last seconds beyond the usual one. Where the board is not carried a field as it should be is
  /// none either: what is usual may be of the iron that it was carried by.
  private var lately = Offset()
  private var seenFor = 0.0
  private var kept = KeptDeviation()
  /// The size of the disturbance as seen lately, in µT; anything may be there at first.
  private(set) var seen = Double.infinity
  private var last = (field: Vector3.zero, time: -Double.infinity)

  /// Seconds over which a field nobody expects is averaged.
  private static let learningTime = 13.0
  /// Seconds for which a field that stays the same to the last digit is an old one.
  private static let patience = 0.2
  /// The least that the horizontal part of an expected field is taken for, in µT.
  private static let leastHorizontal = 3.0
  /// The deviation of a good calibration, in µT.
  private static let calibrated = 0.5
  /// The largest ratio of the eastward part of a place's iron, which may point anywhere, to what is seen of it, one
  /// standard deviation: where little is seen nearly all may be hidden, as of 5 µT that point within a tenth of east,
  /// and a calibration's errors hide some of the rest. Much iron that hides is seldom: half of the ratio is left where
  /// so many µT are seen.
  private static let (placeShare, placeLimit) = (6.0, 1.0)
  /// No field turns north by more, in radians.
  private static let largest = 2.0

  init(_ settings: Fusion.Settings, reference: HeadingErrorModel.Reference?) {
    self.settings = settings
    self.reference = reference
    findField()
  }

  /// Takes what the field should be from here on. Where the board was carried it stays as usual as it was.
  mutating func expect(_ reference: HeadingErrorModel.Reference?) {
    let before = expected
    self.reference = reference
    findField()
    guard let before, let expected, carriedFor > 0 else { return }
    let moved = Offset(
      strength: before.strength - expected.strength,
      inclination: (before.inclination - expected.inclination) * expected.strength)
    (slow, usual) = (slow + moved, usual + moved)
  }

  /// How far a field in the frame is off, in µT; nil where it was not known before what it should be.
  @inline(__always)
  func off(_ field: Vector3) -> CarriedIron.Misfit? {
    off(strength: field.length, inclination: atan2(-field.z, hypot(field.x, field.y)))
  }

  /// How far a field of this strength in µT and inclination in radians is off, in µT.
  @inline(__always)
  func off(strength: Double, inclination: Double) -> CarriedIron.Misfit? {
    guard reference != nil, let expected else { return nil }
    return (strength - expected.strength, (inclination - expected.inclination) * expected.strength)
  }

  /// A field in the frame is as strong as the Earth's should be, as far as that is known.
  @inline(__always)
  func isEarths(_ field: Vector3) -> Bool {
    guard let reference else { return false }
    return abs(field.length / reference.strength - 1) < CalibrationHealth.strengthLimit
  }

  /// Fields are corrected otherwise from here on: what was usual is not any more.
  mutating func forgetUsual() { (carriedFor, kept) = (0, KeptDeviation()) }

  /// North has been found anew: what a field was learnt to be before may be of another attitude. One that nobody
  /// expects tells nothing of iron at first.
  mutating func begin() {
    (learned, learnedFor, mean) = (nil, 0, reference == nil ? Self.calibrated * Self.calibrated : 0)
    findField()
  }

  /// A board that measures its field more seldom than it sends samples repeats it: such a field is of another moment.
  mutating func isRepeated(_ field: Vector3, at time: Double) -> Bool {
    guard field == last.field, abs(time - last.time) < Self.patience else {
      last = (field, time)
      return false
    }
    return true
  }

  /// The strength in µT and the inclination in radians.
  @inline(__always)
  private var expected: (strength: Double, inclination: Double)? {
    guard let reference else { return learned }
    guard let inclination = reference.inclination else {
      return (reference.strength, learned?.inclination ?? Angle.radians(60))
    }
    return (reference.strength, Angle.radians(inclination))
  }

  /// Works `expectedField` out.
  private mutating func findField() {
    expectedField = expected.map { expected in
      let horizontal = expected.strength * cos(expected.inclination)
      return (expected.strength, max(horizontal, Self.leastHorizontal), tan(expected.inclination))
    }
  }

  /// Takes the field of a window.
  /// - Parameters:
  ///   - strength: in µT.
  ///   - inclination: in radians.
  ///   - noise: the variance of one axis of it by the sensor's noise, in µT².
  ///   - turned: what iron has turned its azimuth by, as the gyroscope tells, in radians.
  ///   - lean: the variance of up about one axis, in rad²: inclinations are seen off by that.
  ///   - step: seconds since the window before.
  ///   - isCarried: from place to place.
  ///   - travels: over metres, as no hand moves a board above a desk.
  mutating func add(
    strength: Double, inclination: Double, noise: Double, turned: Double, lean: Double, step: Double, isCarried: Bool,
    travels: Bool
  ) -> Effect {
    learn(strength: strength, inclination: inclination, step: step)
    guard let expected, let horizontal = expectedField?.horizontal else { return Effect(variance: 0, lasting: 0) }
    let off = Offset(
      strength: strength - expected.strength,
      inclination: (inclination - expected.inclination) * expected.strength)
    let leaning = lean * expected.strength * expected.strength / 2
    if isCarried {
      accept(off, step: step)
      let changes = (off - usual).power - settings.noiseShare * noise
      places.add(change: changes, unsure: leaning, travels: travels, step: step)
    }
    let power = (off - slow).power
    mean += (power - mean) * min(1, step / settings.fieldMemory)
    let margin = isCarried ? 0 : 1.0
    let jump = max(0, power.squareRoot() - margin * settings.noiseLimit * noise.squareRoot())
    let stays = max(0, mean - margin * settings.noiseShare * noise)
    let least = settings.leastDisturbance * settings.leastDisturbance
    seen = (max(jump * jump, stays) + least).squareRoot()
    seenFor = min(settings.lastingSpan, seenFor + step)
    lately.follow(isCarried ? off - usual : off.beyond(usual), by: min(1, step / seenFor))
    let north = seen * settings.disturbanceShare * (1 + seen / settings.steepness) / horizontal
    let lasting = self.lasting(beyond: 0, turned: turned, horizontal: horizontal)
    let little =
      isCarried ? 0 : kept.add(off.beyond(usual).power, lately: lately.power, leaning: leaning, step: step)
    let (large, ofPlace) = (
      self.lasting(beyond: leaning, turned: turned, horizontal: horizontal),
      hidden(ofOnePlace(beyond: leaning)) / horizontal
    )
    return Effect(
      variance: north * north + settings.lastingWeight * lasting * lasting,
      lasting: (large * large + ofPlace * ofPlace + little / (horizontal * horizontal)).squareRoot())
  }

  /// The part of the usual deviation that may be of one place: of each of the two that are seen, in µT.
  private func ofOnePlace(beyond leaning: Double) -> Double {
    let part = places.oneShare
    return max(0, usual.power * part * part - Self.calibrated * Self.calibrated - leaning).squareRoot()
  }

  /// One standard deviation of the eastward part of a place's iron, in µT, by what is seen of it.
  private func hidden(_ seen: Double) -> Double { Self.placeShare * seen / (1 + seen / Self.placeLimit) }

  /// The turn of north by iron that stays, one standard deviation in radians.
  /// - Parameter leaning: what an error of up makes of a field that is off, in µT².
  private func lasting(beyond leaning: Double, turned: Double, horizontal: Double) -> Double {
    let excess = max(0, lately.power - settings.ordinary * settings.ordinary - leaning)
    return min(Self.largest, max(abs(turned), settings.lastingShare * excess.squareRoot() / horizontal))
  }

  /// Takes what the field is off by where the board is carried.
  private mutating func accept(_ off: Offset, step: Double) {
    carriedFor += step
    let isNew = carriedFor < settings.usualStart
    slow.follow(off, by: min(1, step / settings.slowTime))
    usual.follow(off, by: min(1, step / (isNew ? max(settings.slowTime, carriedFor) : settings.usualMemory)))
  }

  private mutating func learn(strength: Double, inclination: Double, step: Double) {
    guard reference?.inclination == nil else { return }
    defer { findField() }
    guard let before = learned else {
      learned = (strength, inclination)
      return
    }
    learnedFor = min(Self.learningTime, learnedFor + step)
    let share = min(1, step / learnedFor)
    learned = (
      before.strength + (strength - before.strength) * share,
      before.inclination + (inclination - before.inclination) * share
    )
  }
}

/// By how little strength and inclination stay off where a board lies or is turned by hand: as a battery that was
/// changed since the calibration, or an accelerometer whose zero has moved, makes them. Some of it shows in each
/// attitude, and more of it in one than in another: the part that points east may be as large as any that was seen.
private struct KeptDeviation: Sendable {
  private var (mean, elapsed) = (0.0, 0.0)

  /// Seconds over which it is averaged.
  private static let memory = 100.0
  /// The mean square, in µT², that a calibration leaves, and that which counts most: more is of the place.
  private static let (calibrated, most) = (0.04, 1.0)

  /// Takes what they are off by, and returns the variance of the part that points east, in µT².
  /// - Parameters:
  ///   - power: the mean square of the two, in µT².
  ///   - lately: that of their means over some seconds.
  ///   - leaning: what an error of up makes of them, in µT².
  mutating func add(_ power: Double, lately: Double, leaning: Double, step: Double) -> Double {
    elapsed = min(Self.memory, elapsed + step)
    let share = power / Self.most
    mean += (power / (1 + share * share) - mean) * min(1, step / elapsed)
    return 2 * FieldAnomaly.eastShare * max(0, max(lately, mean) - Self.calibrated - leaning)
  }
}

/// Whether a board has been at more than one place, as far as its motion and the field tell.
private struct Places: Sendable {
  /// The share of a deviation that may be of one place.
  var oneShare: Double { Self.oneTime / (Self.oneTime + travelled) }
  /// In seconds.
  private var (travelled, elapsed) = (0.0, 0.0)
  /// The mean square of what the field changed by, in µT².
  private var change = 0.0

  /// Seconds of steps after which half of it may be.
  private static let oneTime = 17.0
  /// How much more a field tells that changes as rooms make it, by this mean square in µT².
  private static let (changeWeight, ofRooms) = (33.0, 0.3)
  /// Seconds over which it is averaged, and of those in which nothing is usual yet.
  private static let (span, start) = (8.0, 4.0)

  /// Takes what a field that is carried is off from the usual.
  /// - Parameters:
  ///   - change: squared, in µT².
  ///   - unsure: what errors of up make of that, in µT².
  ///   - travels: over metres.
  mutating func add(change new: Double, unsure: Double, travels: Bool, step: Double) {
    elapsed += step
    change += (new - change) * min(1, step / Self.span)
    guard elapsed > Self.start else { return }
    let known = max(0, change - unsure)
    let share = known * known / (known * known + Self.ofRooms * Self.ofRooms)
    travelled += step * max(travels ? 1 : 0, Self.changeWeight * share)
  }
}

/// Iron whose field points east or west changes neither strength nor inclination. It shows all the same as it comes:
/// the field turns, and the gyroscope does not. A turn that a gyroscope may miss is slower; other iron, which a moved
/// board comes by as well, is seen.
struct TurnedField: Sendable {
  /// The turn of the field by iron that has come, in radians.
  private(set) var turn = 0.0
  /// It is so large that a gyroscope that is known keeps its bias: what north follows is iron.
  var isSuspect: Bool { abs(turn) > Self.suspect }
  /// The turn of the field by anything, however slow, in radians: iron that has gone is not in it any more.
  private var turnOfAll = 0.0
  private var first: Double?
  private var second = 0.0
  /// The field turns as no gyroscope misses it, or that comes to its end.
  private var isTurning = false

  /// Seconds of each of the two low-passes that take the noise out.
  private static let span = 1.0
  /// In radians per second, where the board lies still and where it is moved.
  private static let (slowest, slowestMoved) = (Angle.radians(1), Angle.radians(3))
  /// The share of that down to which a turn goes on: the low-passes leave half of one to its end.
  private static let endOfTurn = 0.25
  /// In radians.
  private static let suspect = Angle.radians(2)
  /// Seconds after which it is forgotten where the board is moved: iron that goes again, or that becomes known, ends it
  /// before.
  private static let memory = 300.0
  /// The disturbance that is seen, in µT, at which half of a turn where the board is moved is by that.
  private static let leastSeen = 0.7

  /// Takes the azimuth that the field is seen at, against that of the attitude, in radians.
  /// - Parameter seen: the disturbance that strength and inclination show, in µT.
  mutating func add(azimuth: Double, isStill: Bool, seen: Double, step: Double) {
    let share = min(1, step / Self.span)
    if first == nil { second = azimuth }
    let now = (first ?? azimuth) + (azimuth - (first ?? azimuth)) * share
    first = now
    let change = (now - second) * share
    second += change
    let kept = isStill ? 1 : 1 - min(1, step / Self.memory)
    (turn, turnOfAll) = (turn * kept, turnOfAll * kept + change)
    let unseen = isStill ? 1 : 1 / (1 + seen * seen / (Self.leastSeen * Self.leastSeen))
    let slowest = (isStill ? Self.slowest : Self.slowestMoved) * step
    isTurning = abs(change) > (isTurning ? Self.endOfTurn * slowest : slowest)
    if isTurning { turn += change * unseen }
    bound()
  }

  /// Iron on the board that has become known, or is known better, is taken off the field, which turns by that, in
  /// radians: that is no iron that comes, and of a turn that it was the cause of it leaves nothing.
  mutating func explain(_ change: Double) {
    guard let before = first else { return }
    (first, second) = (before + change, second + change)
    turnOfAll = turnOfAll > 0 ? max(0, turnOfAll + min(0, change)) : min(0, turnOfAll + max(0, change))
    bound()
  }

  private mutating func bound() {
    turn = turnOfAll > 0 ? min(max(0, turn), turnOfAll) : max(min(0, turn), turnOfAll)
  }

  /// Takes what the field has turned the attitude by, in radians: it is seen no more, and there all the same.
  mutating func follow(_ correction: Double) { turnOfAll += correction }
}
