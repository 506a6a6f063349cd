import LodestoneCore

/// Counts the turns of a magnet, from field to field: finds out first how its field goes round, and counts what passed
/// meanwhile afterwards.
struct TurnCounter: Sendable {
  /// Whole turns each way since the beginning. Where one axis alone sees the magnet all count as forward.
  private(set) var forward = 0
  private(set) var backward = 0
  /// Turns since the beginning, forward less backward, with their fraction.
  var turns: Double { doubt?.turns ?? followed }
  private var followed: Double { settled + (follower.map { $0.turns * sense } ?? Double(swing?.halfTurns ?? 0) / 2) }

  /// The number of axes that see the rotation.
  enum View: Equatable {
    /// Nothing goes round yet.
    case none
    /// One axis sees it: which way it turns cannot be told.
    case oneAxis
    /// Two axes see it.
    case twoAxes
  }

  private var waiting: [Vector3] = []
  private var nextLook = Self.firstLook
  /// Whether the field is at the other end in each sample, so that a half turn and one and a half look alike.
  private var alternates = false
  private var follower: TurnFollower?
  private var swing: SwingFollower?
  private var swingAxis = Vector3(1, 0, 0)
  /// The turns when the field left its ellipse or its swing, and the fields since; nil while it is where it was.
  private var doubt: (turns: Double, fields: [Vector3])?
  /// Turns of rotations that came to an end.
  private var settled = 0.0
  /// The axis that forward turns go round by the right hand, of length one; nil before the first turn where nothing
  /// tells.
  private(set) var forwardAxis: Vector3?
  /// +1 where the follower's positive direction is forward.
  private var sense = 1.0
  /// The whole turn that is under way.
  private var level = 0.0

  private static let firstLook = 16
  private static let mostWaiting = 4096
  /// Fields that are kept while it is open whether the field is another one: as many more off than on it say so.
  private static let (mostInDoubt, strange) = (256, 16)
  /// The error of an angle in turns: a magnet that stands where a whole turn ends has made it.
  private static let tolerance = 0.01
  /// Turns after which a magnet that is seen at a few places alone is believed.
  private static let sureTurns = 3.0
  /// How far a magnet has to turn back from a whole turn before it counts: in turns at least and at most, and in
  /// between as a multiple of the angle's noise. A magnet that stands there wanders by six times that within an hour:
  /// its ellipse is learnt from the same noise.
  private static let hysteresis = 0.1...0.6
  private static let noises = 10.0
  /// The shorter axis of an ellipse that one axis alone does not make, as a share of the longer.
  private static let narrow = 0.4
  /// The least amplitude of a rotating field, in µT: less is noise.
  private static let leastAmplitude = 1.0
  private static let leastCoherence = 0.5
  /// The share of samples at the other end from which on a field alternates from sample to sample.
  private static let everySample = 0.9

  /// A counter from zero.
  /// - Parameter forwardAxis: that of an earlier counter; nil takes the direction of the first turn.
  init(forwardAxis: Vector3? = nil) { self.forwardAxis = forwardAxis }

  /// How it is seen.
  var view: View { follower != nil ? .twoAxes : swing != nil ? .oneAxis : .none }

  /// Half of the field's swing, in µT.
  var amplitude: Double? { follower?.ellipse.amplitude ?? swing?.amplitude }

  /// Whether it turns faster than can be counted.
  var isTooFast: Bool { follower?.isTooFast ?? swing?.isTooFast ?? alternates }

  /// Takes the field of the next sample, in µT.
  mutating func add(_ field: Vector3) {
    if follower != nil {
      follow(field)
    } else if swing != nil {
      sway(field)
    } else {
      wait(field)
    }
  }

  private mutating func follow(_ field: Vector3) {
    follower?.add(field)
    guard let follower, !isInDoubt(of: field, strangeness: follower.strangeness) else { return }
    if forwardAxis == nil, abs(follower.turns) >= 1 - Self.tolerance {
      sense = follower.turns < 0 ? -1 : 1
      forwardAxis = (follower.ellipse.axis * sense).direction
    }
    if forwardAxis != nil { count(follower.turns * sense, noise: follower.noise) }
    if follower.coherence < Self.leastCoherence { lose() }
  }

  private mutating func count(_ turns: Double, noise: Double) {
    let hysteresis = max(Self.hysteresis.lowerBound, min(Self.noises * noise, Self.hysteresis.upperBound))
    while turns >= level + 1 - Self.tolerance {
      level += 1
      forward += 1
    }
    while turns < level - Self.tolerance - hysteresis {
      level -= 1
      backward += 1
    }
  }

  private mutating func sway(_ field: Vector3) {
    swing?.add(field.dot(swingAxis))
    guard let swing, !isInDoubt(of: field, strangeness: swing.strangeness) else { return }
    let whole = swing.halfTurns / 2
    forward += max(0, whole - Int(level))
    level = Double(whole)
    if swing.residual > 0.5 * swing.amplitude { lose() }
  }

  /// Whether nothing is counted for now, because the field is off what the magnet described: garbled, or disturbed for a
  /// moment. Where it is another one, what has come of it is looked at anew, and the turn that was under way goes on.
  private mutating func isInDoubt(of field: Vector3, strangeness: Int) -> Bool {
    guard strangeness > 0 else {
      doubt = nil
      return false
    }
    let isNew = doubt == nil
    var fields = doubt?.fields ?? []
    let turns = turns
    doubt = nil
    if !isNew { fields.append(field) }
    if strangeness >= Self.strange {
      let begun = forwardAxis == nil ? 0 : turns - settled - level
      lose()
      (settled, level) = (turns, -begun)
      (waiting, nextLook) = (fields, max(Self.firstLook, fields.count + 1))
      return true
    }
    guard fields.count < Self.mostInDoubt else { return false }
    doubt = (turns, fields)
    return true
  }

  /// Begins again: the rotating field has changed, or is gone.
  private mutating func lose() {
    settled = followed
    (follower, swing, level, waiting, nextLook) = (nil, nil, 0, [], Self.firstLook)
  }

  private mutating func wait(_ field: Vector3) {
    waiting.append(field)
    guard waiting.count >= nextLook else { return }
    if find() {
      let fields = waiting
      waiting = []
      for field in fields { add(field) }
    } else if alternates {
      (waiting, nextLook) = ([], Self.firstLook)
    } else if waiting.count >= Self.mostWaiting {
      waiting.removeFirst(Self.mostWaiting / 2)
    } else {
      nextLook = waiting.count * 5 / 4
    }
  }

  private mutating func find() -> Bool {
    let spread = FieldSpread(waiting)
    alternates = false
    guard spread.firstLength > Self.leastAmplitude else { return false }
    if spread.secondLength < Self.narrow * spread.firstLength { return findSwing(spread) }
    guard let ellipse = MagnetEllipse(spread) else { return false }
    var trial = TurnFollower(ellipse)
    var steadiness = 0.0
    for field in waiting {
      trial.add(field)
      steadiness += trial.steadiness
      if trial.strangeness >= Self.strange { return false }
    }
    guard steadiness > 0.7 * Double(waiting.count), ellipse.isWhole || abs(trial.turns) >= Self.sureTurns
    else { return false }
    follower = TurnFollower(ellipse)
    sense = forwardAxis.map { $0.dot(ellipse.axis) < 0 } == true ? -1 : 1
    return true
  }

  /// One axis: it has to be crossed a few times from one end to the other.
  private mutating func findSwing(_ spread: FieldSpread) -> Bool {
    guard spread.firstLength > 2.5 * spread.secondLength else { return false }
    let middle = spread.middle.dot(spread.first)
    var (crossings, isHigh) = (0, false)
    for field in waiting {
      let place = (field.dot(spread.first) - middle) / spread.firstLength
      guard abs(place) > 0.4 else { continue }
      if (place > 0) != isHigh { crossings += 1 }
      isHigh = place > 0
    }
    alternates = Double(crossings) > Self.everySample * Double(waiting.count)
    guard crossings >= 4, !alternates else { return false }
    swingAxis = spread.first
    let half = spread.firstLength
    swing = SwingFollower(low: middle - half, high: middle + half, noise: max(spread.secondLength / 3, 0.05 * half))
    return true
  }
}
