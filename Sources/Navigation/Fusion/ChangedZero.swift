import LodestoneCore
import Glibc

/// A gyroscope's zero that is no longer the one that a fusion knows: a board that was reset takes it anew while it is moved, and
/// some move by degrees per second as they warm. A zero that is off by δ turns the frame that the gyroscope carries, and with it
/// each direction d that stands still outside, by
///
///     Δd = (δ × d) T                                                                                              (1)
///
/// in the device's axes, T the time. Field and force are such directions. So δ is a regression on what both have turned by in
/// the last seconds, each with the weight that what it leaves over gives it. Iron turns the field alone, and a push the force:
/// where both tell of the same δ, it is believed at once. A board that is moved about may push its force too much to tell;
/// the field alone is believed once it has turned further than iron turns it that leaves its strength as it was.
struct ChangedZero: Sendable {
  /// The variance of north as long as a change is not sure, in rad².
  var variance: Double {
    let turn = suspected.turn.length + suspected.change.length * Self.delay
    return turn * turn
  }

  private var (field, force) = (Direction(), Direction())
  /// The change that is seen and not sure yet, in radians per second, and what it has turned the frame by since, in radians.
  private var suspected = (change: Vector3.zero, turn: Vector3.zero)
  /// Corrections of the attitude in this window, in radians, and the seconds of that.
  private var (turned, span) = (Vector3.zero, 0.0)
  /// Corrections since the last field and force.
  private var since = Vector3.zero
  /// The mean square of rates in (rad/s)².
  private var turning = 0.0

  /// Seconds of a window, in which steps are over, and over which windows are remembered.
  private static let (window, memory) = (0.5, 3.0)
  /// Seconds for which a change goes unseen, about.
  static let delay = 2.0
  /// The share of a turn that gains and axes make unsure, and the deviation of a direction at which a window counts half.
  private static let (gains, half) = (0.03, 0.02)
  /// The least variance of what a direction changes by in a window, in rad².
  private static let least = 0.002 * 0.002
  /// One standard deviation of what a zero may have changed by about an axis, in radians per second.
  private static let usual = Angle.radians(10)
  /// The least change that counts: in radians per second, as a share of the rates, whose gains are off by some of it, and in
  /// standard deviations of the zero as it is known.
  private static let (leastChange, ofRates, deviations) = (Angle.radians(0.4), 0.01, 3.0)
  /// By how much a change must explain what the field, and both, have turned by, in variances of what is left.
  private static let (byField, byBoth) = (8.0, 25.0)
  /// How much of that the force explains where it tells as well, and the turn in radians by which the field is sure alone.
  private static let (byForce, alone) = (6.0, Angle.radians(12))
  /// The cosine between two changes that are one.
  private static let alike = 0.7
  /// The share of what was seen that counts still once a change is known.
  private static let left = 0.3

  /// The frame is another one, or has turned by nobody knows what.
  mutating func restart() {
    field.restart()
    force.restart()
    (turned, since, span, suspected) = (.zero, .zero, 0, (.zero, .zero))
  }

  /// A correction has turned the frame by this, in radians.
  mutating func follow(_ turn: Vector3) { since += turn }

  /// Takes the mean directions of some milliseconds.
  /// - Parameters:
  ///   - b: the field in the frame, in µT; nil where there was none, or one that is no field of the Earth.
  ///   - f: the force in the frame, in g.
  ///   - attitude: of the board.
  ///   - zero: as it is known, in radians per second, and one standard deviation of that.
  ///   - rate: of the board, in radians per second.
  ///   - step: in seconds.
  /// - Returns: the zero where that has changed for sure, in radians per second.
  mutating func add(
    field b: Vector3?, force f: Vector3?, attitude: Quaternion, zero: (value: Vector3, deviation: Double), rate: Double,
    step: Double
  ) -> Vector3? {
    span += step
    turned += since
    field.follow(since)
    force.follow(since)
    since = .zero
    if let b { field.take(b) }
    if let f { force.take(f) }
    guard span >= Self.window else { return nil }
    let kept = exp(-span / Self.memory)
    let unsure = Self.gains * rate * span
    let window = Window(
      turn: Quaternion(rotation: turned), back: attitude.conjugate, zero: zero.value, span: span, kept: kept,
      weight: 1 / (1 + unsure * unsure / (Self.half * Self.half)))
    field.add(window)
    force.add(window)
    turning += (rate * rate - turning) * (1 - kept)
    (turned, span) = (.zero, 0)
    let limit = max(Self.leastChange + Self.ofRates * turning.squareRoot(), Self.deviations * zero.deviation)
    return look(zero.value, least: limit)
  }

  private mutating func look(_ zero: Vector3, least limit: Double) -> Vector3? {
    guard let rough = fit(zero, by: zero), let now = fit(zero, by: rough) else { return nil }
    let change = now - zero
    let (byField, byForce) = (field.explained(by: now, for: zero), force.explained(by: now, for: zero))
    guard
      change.squaredLength > limit * limit, now.length < GyroscopeRest.rawBiasLimit, byField > Self.byField,
      byField + byForce > Self.byBoth
    else {
      suspected = (.zero, .zero)
      return nil
    }
    let before = suspected.turn
    let goesOn = before.dot(change) > Self.alike * before.length * change.length
    suspected = (change, (goesOn ? before : .zero) + change * Self.window)
    guard byForce > Self.byForce || suspected.turn.length > Self.alone else { return nil }
    suspected = (.zero, .zero)
    field.forget(Self.left)
    force.forget(Self.left)
    return now
  }

  /// The zero that explains most, each direction with the weight that another one leaves it.
  private func fit(_ zero: Vector3, by other: Vector3) -> Vector3? {
    let (ofField, ofForce) = (1 / field.variance(other), 1 / force.variance(other))
    let ofBefore = 1 / (Self.usual * Self.usual)
    let sum = field.products * ofField + force.products * ofForce + Matrix3.identity * ofBefore
    return sum.inverse.map { $0 * (field.responses * ofField + force.responses * ofForce + zero * ofBefore) }
  }

  private struct Window {
    /// By which corrections have turned the frame, and the turn from there to the device.
    let turn, back: Quaternion
    /// The zero that was taken off, in radians per second.
    let zero: Vector3
    /// Its seconds, the share of the past that is kept, and its weight.
    let span, kept, weight: Double
  }

  /// The regression (1) of one direction, on the whole zero.
  private struct Direction: Sendable {
    /// Its sum in this window, and its direction in the one before, in the frame.
    private var (sum, before): (Vector3, Vector3?) = (.zero, nil)
    /// The sums of its regressors' products, of those with the changes, and of the changes' squares.
    private(set) var (products, responses) = (Matrix3(diagonal: .zero), Vector3.zero)
    private var (squares, count) = (0.0, 0.0)

    mutating func restart() { (sum, before) = (.zero, nil) }

    mutating func follow(_ turn: Vector3) { sum += turn.cross(sum) }

    mutating func take(_ vector: Vector3) { sum += vector }

    mutating func add(_ window: Window) {
      let now = sum.direction
      defer { (sum, before) = (.zero, now) }
      guard let before, let now else { return }
      let (then, change) = (window.back * now, window.back * (now - window.turn * before))
      let whole = change - then.cross(window.zero) * window.span
      let part = Matrix3.identity + Matrix3.outer(then, then) * -1
      let (kept, weight) = (window.kept, window.weight * window.span)
      products = products * kept + part * (weight * window.span)
      responses = responses * kept + then.cross(whole) * weight
      squares = squares * kept + whole.squaredLength * window.weight
      count = count * kept + window.weight
    }

    mutating func forget(_ kept: Double) {
      (products, responses) = (products * kept, responses * kept)
      (squares, count) = (squares * kept, count * kept)
    }

    /// The sum of squares that a zero leaves.
    private func left(_ zero: Vector3) -> Double {
      max(0, squares - 2 * responses.dot(zero) + zero.dot(products * zero))
    }

    /// The variance of a change, where this zero is right.
    func variance(_ zero: Vector3) -> Double { left(zero) / max(1, 2 * count - 3) + ChangedZero.least }

    /// The part of the squares that one zero explains and the other does not, in variances.
    func explained(by zero: Vector3, for other: Vector3) -> Double { (left(other) - left(zero)) / variance(zero) }
  }
}
