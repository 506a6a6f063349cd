import LodestoneCore
import Glibc

/// A gyroscope's zero that is no longer the one that a fusion knows: a board that was reset takes it anew while it is
/// moved, and some move by degrees per second as they warm. A zero that is off by δ turns the frame that the gyroscope
/// carries, and with it each direction d that stands still outside, by
///
///     Δd = (δ × d) T                                                                                              (1)
///
/// in the device's axes, T the time. Field and force are such directions. So δ is a regression on what both have turned
/// by in the last seconds, each with the weight that what it leaves over gives it. When the zero changed nobody knows:
/// the last two seconds are looked at, or a few more or less, and those count that tell most. Iron turns the field
/// alone, and a push the force: where both tell of the same δ, it is believed at once. A board that is moved about may
/// push its force too much to tell; the field alone is believed once it has turned further than iron turns it that
/// leaves its strength as it was.
struct ChangedZero: Sendable {
  /// A zero that has changed.
  struct Change: Sendable {
    /// The new one, in radians per second.
    var zero: Vector3
    /// Its difference from the one before, in radians per second.
    var size: Double
    /// For how many seconds it has been seen.
    var seconds: Double

    /// The turn of the frame since, in radians.
    var turn: Double { size * seconds }
  }

  /// The variance of north as long as a change is not sure, in rad².
  var variance: Double { suspected * suspected }

  private var (field, force) = (Direction(), Direction())
  /// The last windows, the newest last.
  private var windows: [Window] = []
  /// The turn of the frame by a change that is seen and not sure yet, in radians.
  private var suspected = 0.0
  /// Corrections of the attitude in this window, in radians, and the seconds of that.
  private var (turned, span) = (Vector3.zero, 0.0)
  /// Corrections since the last field and force.
  private var since = Vector3.zero
  /// The mean square of rates in (rad/s)².
  private var turning = 0.0

  /// Seconds of a window, in which steps are over, and over which rates are remembered.
  private static let (window, memory) = (0.5, 3.0)
  /// The numbers of last windows that are looked at, and that are kept.
  private static let (lengths, longest) = ([3, 4, 6, 9, 12], 12)
  /// The share of a turn that gains and axes make unsure, and the deviation of a direction at which a window counts
  /// half.
  private static let (gains, half) = (0.03, 0.02)
  /// The least variance of what a direction changes by in a window, in rad².
  private static let least = 0.002 * 0.002
  /// One standard deviation of what a zero may have changed by about an axis, in radians per second.
  private static let usual = Angle.radians(10)
  /// The least change that counts: in radians per second, as a share of the rates, whose gains are off by some of it,
  /// and in standard deviations of the zero as it is known.
  private static let (leastChange, ofRates, deviations) = (Angle.radians(0.4), 0.01, 3.0)
  /// By how much a change must explain what the field, and both, have turned by, in variances of what is left.
  private static let (byField, byBoth) = (8.0, 25.0)
  /// The variances that it must explain besides, divided by the windows that are looked at: few leave little by chance.
  /// Less in the first windows of all: zeros change most while a board is switched off.
  private static let (few, fewFirst) = (400.0, 100.0)
  /// The part of those that the force explains where it tells as well.
  private static let byForce = 6.0
  /// The turn in radians by which the field is sure alone, and the share of the rates that the change must be then:
  /// iron on the board turns a field by a share of what the board turns by.
  private static let (alone, ofTurns) = (Angle.radians(15), 0.08)

  init() { windows.reserveCapacity(Self.longest) }

  /// The frame is another one, or has turned by nobody knows what.
  mutating func restart() {
    field.restart()
    force.restart()
    (turned, since, span, suspected) = (.zero, .zero, 0, 0)
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
  /// - Returns: the zero where that has changed for sure.
  mutating func add(
    field b: Vector3?, force f: Vector3?, attitude: Quaternion, zero: (value: Vector3, deviation: Double), rate: Double,
    step: Double
  ) -> Change? {
    span += step
    turned += since
    field.follow(since)
    force.follow(since)
    since = .zero
    if let b { field.take(b) }
    if let f { force.take(f) }
    guard span >= Self.window else { return nil }
    let unsure = Self.gains * rate * span
    let (turn, back) = (Quaternion(rotation: turned), attitude.conjugate)
    let window = Window(
      field: field.end(turn: turn, back: back, drift: zero.value * span),
      force: force.end(turn: turn, back: back, drift: zero.value * span), span: span,
      weight: 1 / (1 + unsure * unsure / (Self.half * Self.half)))
    if windows.count == Self.longest { windows.removeFirst() }
    windows.append(window)
    turning += (rate * rate - turning) * (1 - exp(-span / Self.memory))
    (turned, span) = (.zero, 0)
    let limit = max(Self.leastChange + Self.ofRates * turning.squareRoot(), Self.deviations * zero.deviation)
    return look(zero.value, least: limit)
  }

  private mutating func look(_ zero: Vector3, least limit: Double) -> Change? {
    var (field, force, count, seconds) = (Regression(), Regression(), 0, 0.0)
    let isFirst = windows.count < Self.longest
    var best: (change: Change, surplus: Double, byForce: Double)?
    for window in windows.reversed() {
      field.add(window.field, window)
      force.add(window.force, window)
      (count, seconds) = (count + 1, seconds + window.span)
      guard Self.lengths.contains(count), let now = Self.fit(field, force, zero) else { continue }
      let (byField, byForce) = (field.explained(by: now, for: zero), force.explained(by: now, for: zero))
      let surplus = (byField + byForce) / (Self.byBoth + (isFirst ? Self.fewFirst : Self.few) / Double(count))
      let change = Change(zero: now, size: (now - zero).length, seconds: seconds)
      guard
        change.size > limit, now.length < GyroscopeRest.rawBiasLimit, byField > Self.byField,
        surplus > best?.surplus ?? 1
      else { continue }
      best = (change, surplus, byForce)
    }
    suspected = best?.change.turn ?? 0
    guard let best, best.byForce > Self.byForce || best.byForce > 0 && isSureAlone(best.change) else { return nil }
    suspected = 0
    windows.removeAll(keepingCapacity: true)
    return best.change
  }

  private func isSureAlone(_ change: Change) -> Bool {
    change.turn > Self.alone && change.size > Self.ofTurns * turning.squareRoot()
  }

  /// The zero that explains most, each direction with the weight that another one leaves it.
  private static func fit(_ field: Regression, _ force: Regression, _ zero: Vector3) -> Vector3? {
    func fit(by other: Vector3) -> Vector3? {
      let (ofField, ofForce) = (1 / field.variance(other), 1 / force.variance(other))
      let ofBefore = 1 / (usual * usual)
      let sum = field.products * ofField + force.products * ofForce + Matrix3.identity * ofBefore
      return sum.inverse.map { $0 * (field.responses * ofField + force.responses * ofForce + zero * ofBefore) }
    }
    return fit(by: zero).flatMap(fit)
  }

  /// The turns of both directions, as far as they were seen, in a stretch of half a second.
  private struct Window {
    let field, force: Turn?
    /// Its seconds, and its weight.
    let span, weight: Double
  }

  /// The turn of a direction in a window, in the device's axes.
  private struct Turn {
    /// The direction at its end.
    var then: Vector3
    /// Its change without any zero taken off, in radians.
    var whole: Vector3
    /// The square of what its length changed by, as a share of it: iron and pushes turn a direction by about as much,
    /// in rad².
    var unsure: Double
  }

  /// A direction that stands still outside.
  private struct Direction: Sendable {
    /// Its sum in this window, and its direction in the one before, in the frame.
    private var (sum, before): (Vector3, Vector3?) = (.zero, nil)
    /// How often it came in this window, and its mean length in the one before.
    private var (count, length) = (0.0, 0.0)

    mutating func restart() { (sum, before, count) = (.zero, nil, 0) }

    mutating func follow(_ turn: Vector3) { sum += turn.cross(sum) }

    mutating func take(_ vector: Vector3) {
      sum += vector
      count += 1
    }

    /// Ends a window.
    /// - Parameters:
    ///   - turn: by which corrections have turned the frame.
    ///   - back: the turn from there to the device.
    ///   - drift: the zero that was taken off, times the window's seconds.
    mutating func end(turn: Quaternion, back: Quaternion, drift: Vector3) -> Turn? {
      let (now, mean) = (sum.direction, sum.length / max(1, count))
      defer { (sum, before, count, length) = (.zero, now, 0, mean) }
      guard let before, let now else { return nil }
      let then = back * now
      let stretch = (mean - length) / max(mean, length)
      return Turn(then: then, whole: back * (now - turn * before) - then.cross(drift), unsure: stretch * stretch)
    }
  }

  /// The regression (1) of one direction, on the whole zero.
  private struct Regression {
    /// The sums of its regressors' products, of those with the changes, and of the changes' squares.
    private(set) var (products, responses) = (Matrix3(diagonal: .zero), Vector3.zero)
    private var (squares, count, unsure) = (0.0, 0.0, 0.0)

    mutating func add(_ turn: Turn?, _ window: Window) {
      guard let turn else { return }
      let (then, whole, weight) = (turn.then, turn.whole, window.weight * window.span)
      products = products + (Matrix3.identity + Matrix3.outer(then, then) * -1) * (weight * window.span)
      responses = responses + then.cross(whole) * weight
      squares += whole.squaredLength * window.weight
      count += window.weight
      unsure += turn.unsure * window.weight
    }

    /// The sum of squares that a zero leaves.
    private func left(_ zero: Vector3) -> Double {
      max(0, squares - 2 * responses.dot(zero) + zero.dot(products * zero))
    }

    /// The variance of a change, where this zero is right.
    func variance(_ zero: Vector3) -> Double {
      max(left(zero) / max(1, 2 * count - 3), unsure / max(1, count)) + ChangedZero.least
    }

    /// The part of the squares that one zero explains and the other does not, in variances.
    func explained(by zero: Vector3, for other: Vector3) -> Double { (left(other) - left(zero)) / variance(zero) }
  }
}
