import LodestoneCore

/// One step from a message to the next: what the rotation rate says, and what gravity and field did.
struct TurnStep: Sendable {
  /// Radians of turn in all that tell a rate from noise: 10°.
  private static let leastTurn = 0.17

  var turn: Vector3
  var fields: (from: Vector3, to: Vector3)?
  var accelerations: (from: Vector3, to: Vector3)?

  /// The moment of a message: its time, rotation rate, field and acceleration.
  struct Moment: Sendable {
    let time: Double
    let rate: Vector3
    let field, acceleration: Vector3?

    /// A step to a message; nil where time or rate is missing.
    @inline(__always)
    init?(_ message: WireMessage) {
      guard let time = message.time, let rate = message.rotationRate else { return nil }
      (self.time, self.rate, field, acceleration) = (time, rate, message.field, message.acceleration)
    }
  }

  /// The step between two moments, with what the board turned by in between.
  init(turn: Vector3, from first: Moment, to last: Moment) {
    self.turn = turn
    if let from = first.field, let to = last.field { fields = (from, to) }
    if let from = first.acceleration, let to = last.acceleration { accelerations = (from, to) }
  }

  /// Radians of turn for one number and second: a direction that stands still in the world moves by −ω × v in the
  /// device. The size alone: axes may be swapped. Of field and gravity the one that agrees better; nil where neither
  /// does, or neither was turned: what noise at rest agrees with says nothing.
  static func slope(of steps: [TurnStep]) -> (slope: Double, correlation: Double)? {
    let field = regression(steps, hasIron: true) { $0.fields }
    let gravity = regression(steps, hasIron: false) { $0.accelerations }
    let best = [field, gravity].compactMap { $0 }.max { $0.correlation < $1.correlation }
    return best.flatMap { $0.correlation > 0.1 ? $0 : nil }
  }

  /// The fewest steps that tell four unknowns.
  private static let fewest = 8

  /// - Parameter hasIron: a part h of the vectors that is the same in all steps turns with the board: they move by −ω ×
  ///   (v − h). The middle of an arc would not do for it.
  private static func regression(
    _ steps: [TurnStep], hasIron: Bool, _ vectors: (TurnStep) -> (from: Vector3, to: Vector3)?
  ) -> (slope: Double, correlation: Double)? {
    var fit = LinearFit(unknowns: hasIron ? 4 : 1)
    var first: Vector3?, turned = 0.0, size = 0.0, count = 0
    for step in steps {
      guard let (from, to) = vectors(step), from.squaredLength > 0, to.squaredLength > 0 else { continue }
      let start = first ?? from
      if first == nil { (first, size) = (start, start.length) }
      turned = max(turned, start.angle(to: to))
      count += 1
      let (expected, seen) = (-step.turn.cross((from + to) * 0.5), to - from)
      let turn = step.turn * size
      let byIron = [Vector3(0, turn.z, -turn.y), Vector3(-turn.z, 0, turn.x), Vector3(turn.y, -turn.x, 0)]
      for axis in 0..<3 {
        fit.add(SIMD4(expected[axis], byIron[axis].x, byIron[axis].y, byIron[axis].z), seen[axis])
      }
    }
    let isEnough = turned > leastTurn && count >= (hasIron ? fewest : 1)
    guard isEnough, let slope = fit.solution?[0], let explained = fit.explained else { return nil }
    return (abs(slope), max(0, explained).squareRoot())
  }
}

/// Steps out of messages that come one after the other: long enough to turn a direction by more than its noise.
struct TurnSteps: Sendable {
  private var first, last: TurnStep.Moment?
  private var turn = Vector3.zero

  /// Seconds of a step, where messages come more often than that.
  private static let span = 0.099
  /// Seconds between two messages past which nothing is known of the turn.
  private static let gap = 0.5

  /// Whether there is no message before.
  var isEmpty: Bool { last == nil }

  /// Takes a moment in; the step that ends with it, nil while that is too short. A moment that is nil ends what has
  /// begun.
  mutating func add(_ moment: TurnStep.Moment?) -> TurnStep? {
    guard let moment, let first, let last, moment.time > last.time, moment.time - last.time < Self.gap else {
      (first, last, turn) = (moment, moment, .zero)
      return nil
    }
    turn += (moment.rate + last.rate) * ((moment.time - last.time) / 2)
    self.last = moment
    guard moment.time - first.time >= Self.span else { return nil }
    defer { (self.first, turn) = (moment, .zero) }
    return TurnStep(turn: turn, from: first, to: moment)
  }
}
