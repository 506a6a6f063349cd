import LodestoneCore
import Glibc

/// How much a force is pushed aside: what it leans beyond what up is uncertain by, over the last seconds; and for how long
/// it is pushed to the same side. An engine's pushes are over in a moment, a step's in half a second, a bend's and a
/// swell's last for seconds. Those come again: what they were is remembered for long, or up would be drawn to the side
/// where a swell turns round and a force stays longest.
struct Pushes: Sendable {
  /// What pushes that last for seconds add to the noise of a force's direction about one axis, in rad² s.
  var swellNoise: Double { 2 * settings.swellCorrelation * swell }

  private let settings: Fusion.Settings
  private var mean = 0.0
  private var slow = Vector3.zero
  private var lasting = Vector3.zero
  private var swell = 0.0

  /// What leans for longer than any push is no push: up itself is wrong. By how much its variance about an axis should
  /// grow, in rad² a second.
  func doubt(expected: Double) -> Double {
    max(0, lasting.squaredLength / 2 - 2 * expected) / settings.longestLean
  }

  init(_ settings: Fusion.Settings) { self.settings = settings }

  /// The variance of a force's direction about one axis, in rad².
  /// - Parameters:
  ///   - lean: about east and north, in radians.
  ///   - expected: the variance of up about an axis.
  mutating func add(lean: Vector3, expected: Double, step: Double) -> Double {
    slow += (lean - slow) * min(1, step / settings.pushSpan)
    lasting += (lean - lasting) * min(1, step / settings.longestLean)
    swell += ((slow - lasting).squaredLength / 2 - swell) * min(1, step / settings.swellMemory)
    let across = max(0, lean.squaredLength / 2 - expected)
    let now = settings.pushShare * across
    mean += (now - mean) * min(1, step / settings.pushMemory)
    return settings.leastPush * settings.leastPush + max(now, mean, settings.swellShare * swell)
  }
}

/// How much of a field is not the Earth's. Two parts of it are seen, along the field (strength) and in the vertical plane
/// (inclination); they tell the size of the third, which turns north.
struct FieldDisturbance: Sendable {
  /// What the field should be; nil where it is not known: the mean of what was seen.
  var reference: HeadingErrorModel.Reference?
  /// The tangent of the inclination: how much a lean to the east turns the field.
  var slope: Double { tan(expected?.inclination ?? 0) }

  private let settings: Fusion.Settings
  private var learned: (strength: Double, inclination: Double)?
  private var slow = (strength: 0.0, inclination: 0.0)
  private var mean = 0.0
  private var last = (field: Vector3.zero, time: -Double.infinity)

  /// Seconds over which a field nobody expects is averaged.
  private static let learningTime = 13.0
  /// Seconds for which a field that stays the same to the last digit is an old one.
  private static let patience = 0.2

  init(_ settings: Fusion.Settings, reference: HeadingErrorModel.Reference?) {
    self.settings = settings
    self.reference = reference
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
  private var expected: (strength: Double, inclination: Double)? {
    guard let reference else { return learned }
    guard let inclination = reference.inclination else {
      return (reference.strength, learned?.inclination ?? Angle.radians(60))
    }
    return (reference.strength, Angle.radians(inclination))
  }

  /// The variance that a disturbance gives to north, in rad².
  mutating func add(strength: Double, inclination: Double, step: Double) -> Double {
    learn(strength: strength, inclination: inclination, step: step)
    guard let expected else { return 0 }
    let off = (strength - expected.strength, (inclination - expected.inclination) * expected.strength)
    let share = min(1, step / settings.slowTime)
    slow.strength += (off.0 - slow.strength) * share
    slow.inclination += (off.1 - slow.inclination) * share
    let (a, b) = (off.0 - slow.strength, off.1 - slow.inclination)
    let now = (a * a + b * b) / 2
    mean += (now - mean) * min(1, step / settings.fieldMemory)
    let seen = max(now, mean).squareRoot()
    let unseen = seen * settings.disturbanceShare * (1 + seen / settings.steepness)
    let north = unseen / max(expected.strength * cos(expected.inclination), 3)
    return north * north
  }

  private mutating func learn(strength: Double, inclination: Double, step: Double) {
    guard reference?.inclination == nil else { return }
    guard let before = learned else {
      learned = (strength, inclination)
      return
    }
    let share = min(1, step / Self.learningTime)
    learned = (
      before.strength + (strength - before.strength) * share,
      before.inclination + (inclination - before.inclination) * share
    )
  }
}
