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

    /// Nil where time or rate is missing.
    init?(_ message: WireMessage) {
      guard let time = message.time, let rate = message.rotationRate else { return nil }
      (self.time, self.rate, field, acceleration) = (time, rate, message.field, message.acceleration)
    }
  }

  /// Nil where too much time lies between, or none.
  init?(from last: Moment, to moment: Moment) {
    let seconds = moment.time - last.time
    guard seconds > 0, seconds < 0.5 else { return nil }
    turn = (moment.rate + last.rate) * (seconds / 2)
    if let from = last.field, let to = moment.field { fields = (from, to) }
    if let from = last.acceleration, let to = moment.acceleration { accelerations = (from, to) }
  }

  /// Radians of turn for one number and second: a direction that stands still in the world moves by −ω × v in the device.
  /// The size alone: axes may be swapped. Of field and gravity the one that agrees better; nil where neither does, or
  /// neither was turned: what noise at rest agrees with says nothing.
  static func slope(of steps: [TurnStep], center: Vector3?) -> (slope: Double, correlation: Double)? {
    let center = center ?? .zero
    let field = regression(steps) { step in step.fields.map { ($0.from - center, $0.to - center) } }
    let gravity = regression(steps) { step in step.accelerations.map { ($0.from, $0.to) } }
    let best = [field, gravity].compactMap { $0 }.max { $0.correlation < $1.correlation }
    return best.flatMap { $0.correlation > 0.1 ? $0 : nil }
  }

  private static func regression(
    _ steps: [TurnStep], _ vectors: (TurnStep) -> (Vector3, Vector3)?
  ) -> (slope: Double, correlation: Double)? {
    var product = 0.0, expectedSquare = 0.0, seenSquare = 0.0
    var first: Vector3?, turned = 0.0
    for step in steps {
      guard let (start, end) = vectors(step), let from = start.direction, let to = end.direction else { continue }
      turned = max(turned, (first ?? from).angle(to: to))
      first = first ?? from
      let expected = -step.turn.cross((from + to) * 0.5), seen = to - from
      product += expected.dot(seen)
      expectedSquare += expected.squaredLength
      seenSquare += seen.squaredLength
    }
    guard turned > leastTurn, expectedSquare > 0, seenSquare > 0 else { return nil }
    return (abs(product) / expectedSquare, abs(product) / (expectedSquare * seenSquare).squareRoot())
  }
}
