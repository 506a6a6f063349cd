import LodestoneCore
import Glibc

/// Why a gyroscope is not used.
public enum GyroscopeFault: Equatable, Sendable {
  /// It turns against the field and the force.
  case wrongSign
  /// Its axes are not those of the other sensors.
  case wrongAxes
  /// It reads radians per second for degrees per second.
  case radians
  /// It reads this many times too much.
  case scale(Double)
  /// Its numbers stay the same, or run along a straight line, while the board turns otherwise.
  case stuck
  /// Field and force show one turn after the other that it has not felt, or has felt otherwise: an axis of it is dead,
  /// turns the other way or reads too much, or its range is too small.
  case missesTurns
}

/// Whether a gyroscope's turns are those of the field and of the force. Over windows of a quarter of a second the
/// change that the gyroscope makes of a direction is held against the change that was measured. The field does not feel
/// pushes, the force does not feel iron: where one of them agrees, the gyroscope is believed.
struct GyroscopeAgreement: Sendable {
  /// The verdict on the gyroscope.
  enum Verdict: Equatable, Sendable {
    /// Nothing has turned yet, or not enough.
    case unproven
    /// Its turns are those of the field or of the force.
    case agrees
    /// They are not, just now.
    case doubtful
    /// They have not been for a while.
    case wrong(GyroscopeFault)
  }

  /// The strength in µT that the Earth's field should have, which it keeps where the board turns; nil without a
  /// calibration: the board's own iron is in the field then.
  var earthStrength: Double?
  private(set) var verdict = Verdict.unproven
  /// The gyroscope's fault, once that is sure.
  var fault: GyroscopeFault? {
    if case .wrong(let fault) = verdict { return fault }
    return nil
  }

  private var turn = Vector3.zero
  private var span = 0.0
  private var field = Comparison()
  private var force = Comparison()
  private var axes = OddAxes()
  private var against = 0
  private var isProven = false
  private var repeated = RepeatedRate()

  /// Seconds of a window.
  fileprivate static let window = 0.25
  /// Windows against a gyroscope before it is called wrong.
  private static let patience = 12
  /// A correlation that chance does not make.
  private static let trace = 0.15

  /// Takes a sample's field and force in any unit, and the rate with its bias in radians per second; what is nil was
  /// not measured.
  mutating func add(field b: Vector3?, force f: Vector3?, rate: Vector3, bias: Vector3 = .zero, step: Double) {
    turn += (rate - bias) * step
    span += step
    repeated.add(rate, field: field.measured, force: force.measured, step: step)
    field.measured = b ?? field.measured
    force.measured = f ?? force.measured
    guard span >= Self.window else { return }
    field.compare(turn, expected: earthStrength)
    force.compare(turn)
    (turn, span) = (.zero, 0)
    judge()
  }

  /// After a gap: what was turned in between is not known.
  mutating func restart() {
    (turn, span) = (.zero, 0)
    (field.before, force.before) = (nil, nil)
  }

  private mutating func judge() {
    guard !repeated.isStuck(field: field.measured, force: force.measured) else {
      (verdict, isProven) = (.wrong(.stuck), false)
      return
    }
    axes.judge(byField: earthStrength != nil && !isIron ? field.scales : nil, byForce: force.scales)
    guard axes.fault != nil || axes.areConvicted || !field.agrees && !force.agrees else {
      verdict = .agrees
      (against, isProven) = (0, true)
      return
    }
    guard let contradiction = contradiction ?? axes.fault else {
      against = 0
      if case .wrong = verdict { return }
      verdict = isProven ? .agrees : field.isUnseen && !isIron ? .doubtful : .unproven
      return
    }
    against += 1
    if against >= Self.patience {
      (verdict, isProven) = (.wrong(contradiction), false)
      axes.convict()
    } else if verdict == .unproven {
      verdict = .doubtful
    }
  }

  /// The fault that its turns show. A gyroscope that has agreed before keeps its axes and its unit: iron and pushes are
  /// likelier than a change of those, as long as anything of its turns is seen. Steps push a force about: it accuses no
  /// gyroscope that the field speaks for. A field with the board's iron in it turns less than the board, or against it.
  private var contradiction: GyroscopeFault? {
    if isProven, field.correlation > Self.trace || force.correlation > Self.trace { return nil }
    guard !isIron else { return force.fault }
    let byField = earthStrength != nil || field.fault == .radians ? field.fault : nil
    return byField ?? (field.vouches ? nil : force.fault)
  }

  /// The field is turned by iron and not by the board, or holds more of it than the calibration knows, as far as its
  /// strength tells.
  private var isIron: Bool { earthStrength != nil && (field.isStretched || field.isAnother) }
}

/// A rate that comes again and again to the last digit, or runs along a straight line, as where somebody filled in what
/// a recording had lost; and where field and force pointed when that began.
private struct RepeatedRate: Sendable {
  private var rate = Vector3.zero
  /// By which it changes, in rad/s².
  private var slope = Vector3.zero
  private var span = 0.0
  /// The turn that the rates since then make.
  private var turn = Quaternion.identity
  private var field: Vector3?
  private var force: Vector3?

  /// Seconds of such numbers that no turning board sends.
  private static let stuckTime = 1.0
  /// Radians per second that a straight line is off by where its numbers are rounded: no gyroscope has as little noise.
  private static let rounding = 3e-5
  /// The cosine of an angle past noise.
  private static let near = cos(Angle.radians(10))
  /// Radians per second that no gyroscope reads at rest.
  private static let turning = Angle.radians(3)

  mutating func add(_ next: Vector3, field b: Vector3?, force f: Vector3?, step: Double) {
    let change = next - rate
    let goesOn = next == rate || (change - slope * step).length < Self.rounding
    (rate, slope) = (next, change / step)
    guard goesOn else {
      (span, turn, field, force) = (0, .identity, b, f)
      return
    }
    span += step
    turn = turn * Quaternion(rotation: next * step)
  }

  /// The board has not turned as the rate says. A rate of nothing needs both to say so: iron moves a field, and a push
  /// a force.
  func isStuck(field b: Vector3?, force f: Vector3?) -> Bool {
    guard span > Self.stuckTime else { return false }
    let (byField, byForce) = (isElsewhere(b, from: field), isElsewhere(f, from: force))
    return rate.length > Self.turning ? byField || byForce : byField && byForce
  }

  private func isElsewhere(_ now: Vector3?, from then: Vector3?) -> Bool {
    guard let now = now?.direction, let then = then?.direction else { return false }
    return (turn.conjugate * then).dot(now) < Self.near
  }
}

/// The changes of one direction against the changes that a rotation makes of it, over the last seconds.
private struct Comparison: Sendable {
  /// As it came last, of any length.
  var measured: Vector3?
  /// At the end of the window before.
  var before: Vector3?
  private var together = 0.0
  private var forecasts = 0.0
  private var changes = 0.0
  /// By what share its length changed.
  private var stretches = 0.0
  /// By what share its length was another one than expected, weighted as the changes.
  private var strays = 0.0
  private var length = 0.0
  /// The same by each axis.
  private(set) var scales = AxisScales()

  /// Share of the past that is left after a window: a memory of five seconds.
  private static let kept = 0.95
  /// Squares of angles in rad² that tell turning from noise.
  private static let evidence = 0.05
  /// The same of the largest bias while the board lies still.
  private static let still = pow(GyroscopeRest.rawBiasLimit * GyroscopeAgreement.window, 2) / (1 - kept)
  /// The ratio of the squares of both that no turn makes: iron that moves changes a field's length by about as much as
  /// it turns it.
  private static let mostStretch = 0.05

  /// Takes what the gyroscope turned by since the last time, in radians.
  /// - Parameter expected: its length; nil where any is right.
  mutating func compare(_ turn: Vector3, expected: Double? = nil) {
    let (latest, last) = (measured?.direction, length)
    length = measured?.length ?? 0
    defer { before = latest }
    guard let before, let latest, latest != before else { return }
    let stretch = (length - last) / max(length, last)
    stretches = stretches * Self.kept + stretch * stretch
    let change = latest - before
    let stray = expected.map { length / $0 - 1 } ?? 0
    strays = strays * Self.kept + stray * stray * change.squaredLength
    let mean = (latest + before) * 0.5
    let forecast = mean.cross(turn)
    scales.add(change, mean: mean, turn: turn, kept: Self.kept)
    together = together * Self.kept + change.dot(forecast)
    forecasts = forecasts * Self.kept + forecast.squaredLength
    changes = changes * Self.kept + change.squaredLength
  }

  /// It has changed in length as well as in direction, as it does not where a board turns.
  var isStretched: Bool { stretches > Self.mostStretch * changes }
  /// It is not as long as it should be.
  var isAnother: Bool { strays > CalibrationHealth.strengthLimit * CalibrationHealth.strengthLimit * changes }
  /// Something has turned, and the gyroscope has hardly felt it: iron, a push, or another unit.
  var isUnseen: Bool { hasTurned && forecasts < Self.evidence / 4 }
  var hasTurned: Bool { changes > Self.evidence }
  var correlation: Double { together / max((forecasts * changes).squareRoot(), 1e-12) }
  private var slope: Double { together / max(forecasts, 1e-12) }

  var agrees: Bool {
    hasTurned && forecasts > Self.evidence / 4 && correlation > 0.6 && slope > 0.5 && slope < 2
  }

  /// It has turned as the gyroscope says from window to window, though not by much yet.
  var vouches: Bool {
    min(forecasts, changes) > Self.evidence / 4 && correlation > 0.9 && slope > 0.5 && slope < 2
  }

  /// The fault, where it shows.
  var fault: GyroscopeFault? {
    guard !agrees else { return nil }
    if hasTurned, correlation > 0.8, slope > 30, slope < 100 { return .radians }
    guard forecasts > Self.evidence else { return nil }
    guard hasTurned else {
      return forecasts > Self.still && changes < forecasts / 25
        ? .scale((forecasts / max(changes, 1e-6)).squareRoot()) : nil
    }
    if correlation < -0.6 { return .wrongSign }
    if correlation > 0.6 { return .scale(1 / slope) }
    // A push changes a force in length as well as in direction, and iron a field: neither is a fault of the gyroscope.
    return correlation < 0.4 && !isStretched ? .wrongAxes : nil
  }
}
