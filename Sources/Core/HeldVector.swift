/// The last measurement of a sensor that speaks in messages of its own, beside those of another one. It holds until the
/// next is overdue.
public struct HeldVector: Sendable {
  @usableFromInline var vector = Vector3.zero
  /// The time of the measurement in seconds; infinitely long ago where there is none.
  @usableFromInline var time = -Double.infinity
  /// The longest step from one measurement to the next lately, in seconds.
  @usableFromInline var step = 0.2
  /// Whether there is a measurement.
  public var isHeld: Bool { time > -.infinity }

  /// Steps and seconds after which the next one is overdue.
  private static let (steps, most) = (2.5, 3.0)

  /// A vector that was not measured yet.
  public init() {}

  /// Takes a measurement of a time in seconds.
  @inlinable
  public mutating func take(_ vector: Vector3, at time: Double) {
    let step = time - self.time
    if step > 0, step < .infinity { self.step = max(step, 0.9 * self.step) }
    (self.vector, self.time) = (vector, time)
  }

  /// The measurement that holds at a time in seconds; nil where there is none.
  public func value(at time: Double) -> Vector3? {
    abs(time - self.time) <= min(Self.steps * step, Self.most) ? vector : nil
  }

  /// Forgets the measurement.
  public mutating func forget() { time = -.infinity }
}
