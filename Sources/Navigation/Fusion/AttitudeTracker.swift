import Calibration
import LodestoneCore
import Glibc

/// Fusion for a device: takes its samples, knows its calibration, and lets the gyroscope take part only where its turns
/// agree with those of the other sensors.
public struct AttitudeTracker: Sendable {
  /// The attitude now; nil without a gyroscope that agrees, and before there is one.
  public private(set) var estimate: Fusion.Estimate?
  /// The gyroscope's fault; nil where there is none, or nothing is known yet.
  public var fault: GyroscopeFault? { agreement.fault ?? (missesTurns ? .missesTurns : nil) }
  /// The last sample is an old one: where the board points now nobody knows.
  var isOld: Bool { repeated.isOld }
  /// How far the gyroscope's zero is off the calibration's by now, in degrees per second, where it has changed for sure
  /// since then; else nil.
  public var changedZero: Double? { fusion.biasChange }
  /// The gyroscope's bias, its reading at rest, in degrees per second, and the standard deviation of that.
  public var bias: (value: Vector3, deviation: Vector3) { fusion.bias }

  private var fusion: Fusion
  private(set) var agreement = GyroscopeAgreement()
  private var missesTurns = false
  private var errors: HeadingErrorModel
  private var earth: EarthReference?
  /// Nil where a field is as old as the rate beside it, as far as is known.
  private var delay: FieldDelay?
  private var lastTime = -Double.infinity
  /// As it was measured last: one that is sent again and turned along tells nothing of the gyroscope.
  private var lastField: Vector3?
  /// Field and force of messages since the last rate: with the next one they show the turn that it tells.
  private var beside: (field: Vector3?, force: Vector3?)
  private var glitches = RateGlitches()
  private var repeated = RepeatedSample()
  /// There is a gyroscope: without one nothing is carried.
  private var hasRates = false

  /// A tracker for a device with this error model.
  /// - Parameters:
  ///   - zero: what was subtracted from its rotation rates; nil where nobody measured it.
  ///   - gain: what they were multiplied by.
  ///   - lag: how much older its fields are than the rates beside them; nil where nobody measured it.
  public init(
    errors: HeadingErrorModel, zero: GyroscopeZero? = nil, gain: GyroscopeGain? = nil, lag: FieldLag? = nil,
    settings: Fusion.Settings = Fusion.Settings()
  ) {
    self.errors = errors
    delay = FieldDelay(lag)
    fusion = Fusion(settings, reference: errors.isCalibrated ? errors.reference : nil, zero: zero, gain: gain)
    fusion.follow(errors.calibration)
    agreement.earthStrength = errors.isCalibrated ? errors.expected.strength : nil
  }

  /// A tracker for a calibrated device, or for one without a calibration.
  public init(profile: Profile?, mounting: Mounting = .aligned) {
    self.init(
      errors: profile.map { HeadingErrorModel($0, mounting: mounting) } ?? .uncalibrated, zero: profile?.gyroscopeZero,
      gain: profile.map { $0.gyroscopeGain ?? .unmeasured }, lag: profile?.fieldLag)
  }

  /// Takes the Earth's field where the device is: a disturbance is what differs from the field that is expected there.
  public mutating func follow(_ earth: EarthReference?) {
    self.earth = earth
    guard errors.isCalibrated else { return }
    errors.follow(earth)
    agreement.earthStrength = errors.expected.strength
    fusion.follow(errors.expected)
  }

  /// How the field of the place is another one than the calibration's; nil where it is about the same.
  @inline(__always)
  var placeDifference: PlaceDifference? { errors.difference }

  /// By how much a hard iron moves that is known better, and is the same, in µT.
  private static let sameHardIron = 1.0
  /// Goes on under a calibration with another hard iron. Where that is far from the one before, north is found anew.
  public mutating func follow(_ profile: Profile, mounting: Mounting) {
    let before = errors.hardIron
    errors = HeadingErrorModel(profile, mounting: mounting)
    errors.follow(earth)
    fusion.follow(errors.calibration)
    agreement.earthStrength = errors.isCalibrated ? errors.expected.strength : nil
    if (errors.hardIron - before).length > Self.sameHardIron { fusion.recalibrate(at: lastTime) }
  }

  /// The field, in µT in the device frame, of iron that the calibration does not know: it is taken off.
  public var carriedIron: Vector3 { fusion.carriedIron }

  /// Leaves such iron in the field from here on.
  /// - Parameter isCorrected: a table corrects what it makes of headings; else the accuracy holds that.
  public mutating func leaveIron(isCorrected: Bool) { fusion.leaveIron(isCorrected: isCorrected) }

  /// Takes a sample in the device frame.
  @inlinable @inline(__always)
  public mutating func add(_ sample: borrowing DeviceSample) {
    add(
      time: sample.time, field: sample.field?.field.microtesla, force: sample.acceleration?.g,
      rate: sample.rotationRate?.degreesPerSecond, flags: sample.flags)
  }

  @usableFromInline
  mutating func add(time: Double, field: Vector3?, force: Vector3?, rate: Vector3?, flags: Sample.Flags) {
    hasRates = hasRates || rate != nil
    guard hasRates, !Fusion.isLate(time - lastTime) else { return }
    if flags.contains(.restarted) { begin(at: time) }
    let measured = flags.contains(.saturated) ? nil : field
    let rateIsLeast = flags.contains(.rateSaturated)
    let step = time - lastTime
    let goesOn = step > 0 && step < Fusion.longestStep
    // A rate that comes again at the same time is the same one.
    let isNew = step != 0 && rate?.isFinite == true
    let rate = isNew && !rateIsLeast ? rate.map { glitches.sound($0, step: step) } : rate
    let newRate = isNew ? rate : nil
    guard !isRepeated(measured, force, newRate, step: goesOn ? step : 0) else {
      lastTime = time
      return
    }
    if let newRate {
      lastTime = time
      if goesOn { delay?.take(rate: newRate, step: step) } else { delay?.restart() }
    }
    let hadField = field != nil
    let field = measured.map { delay?.turned($0) ?? $0 }
    let news = measured == lastField ? nil : field
    if hadField { lastField = measured }
    if let newRate {
      if goesOn, !rateIsLeast {
        agreement.add(
          field: news ?? beside.field, force: force ?? beside.force, rate: newRate * (.pi / 180),
          bias: fusion.knownBias, step: step)
      } else {
        agreement.restart()
      }
      beside = (nil, nil)
    } else {
      beside = (news ?? beside.field, force ?? beside.force)
    }
    fusion.add(
      time: time, field: field, measured: measured, force: force, rate: rate, rateIsLeast: rateIsLeast,
      fieldNoise: errors.fieldNoise)
    missesTurns = fusion.missesTurns(at: time)
    switch agreement.verdict {
    case .agrees where !missesTurns, .unproven where !missesTurns:
      estimate = fusion.estimate
      if let delay, let ahead = estimate?.attitude { estimate?.attitude = delay.atRow(ahead) }
    case .doubtful: estimate = nil
    case .wrong, .agrees, .unproven:
      estimate = nil
      fusion.restart(at: time)
    }
  }

  /// Whether a sample is an old one. With the first of them all that came before is forgotten.
  private mutating func isRepeated(_ field: Vector3?, _ force: Vector3?, _ rate: Vector3?, step: Double) -> Bool {
    let wasOld = isOld
    guard repeated.comesAgain(field: field, force: force, rate: rate) else {
      if repeated.isElsewhere { begin(at: lastTime) }
      return false
    }
    repeated.turn(bias: fusion.bias, step: step)
    guard isOld else { return false }
    if !wasOld {
      begin(at: lastTime)
      estimate = nil
    }
    return true
  }

  /// Begins again after an absence of unknown length, in which the board may have turned.
  private mutating func begin(at time: Double) {
    fusion.restart(at: time)
    agreement.restart()
    delay?.restart()
    (lastTime, lastField, beside) = (-.infinity, nil, (nil, nil))
  }

  /// How far the heading of an axis may be off, in degrees (95 %); nil where no figure can be vouched for.
  /// - Parameters:
  ///   - axis: in the device frame.
  ///   - matrix: the attitude as a matrix, where it is known already.
  @inline(__always)
  public func accuracy(of axis: Vector3, field: Vector3, attitude matrix: Matrix3? = nil) -> HeadingAccuracy {
    guard let attitude = estimate?.attitude, let yaw = estimate?.yawVariance, let tilt = estimate?.tiltVariance else {
      return .disturbed
    }
    let matrix = matrix ?? attitude.matrix
    let inFrame = matrix * field
    let least = HeadingErrorModel.leastHorizontal
    guard inFrame.x * inFrame.x + inFrame.y * inFrame.y >= least * least else { return .vertical }
    let pointing = matrix * axis
    let level = max(pointing.x * pointing.x + pointing.y * pointing.y, 1e-6)
    let rise = pointing.z * pointing.z / level
    let square = (180 / Double.pi) * (180 / Double.pi)
    // An axis that rises is turned by a lean to its side, too.
    let doubt = delay.map { matrix * $0.doubt } ?? .zero
    let turned = doubt.z - pointing.z * (pointing.x * doubt.x + pointing.y * doubt.y) / level
    let variance = yaw + turned * turned * square + tilt * rise
    if !errors.isCalibrated { return uncalibrated(field, up: matrix.row2, otherVariance: variance / square) }
    let degrees = Quantile.normal * variance.squareRoot()
    return degrees <= Self.largestFigure ? .within(degrees: degrees) : .disturbed
  }

  /// Variance of up, in the device frame, by what a late field leaves unknown of the rates beside it, in square
  /// degrees.
  @inline(__always)
  func leanVariance(up: Vector3) -> Double {
    guard let doubt = delay?.doubt else { return 0 }
    let square = (180 / Double.pi) * (180 / Double.pi)
    return doubt.cross(up).squaredLength * square
  }

  /// A gyroscope that holds a heading steady knows no more of the board's iron than a single field does.
  @inline(__always)
  private func uncalibrated(_ field: Vector3, up: Vector3, otherVariance: Double) -> HeadingAccuracy {
    let solution = HeadingSolution(field: Correction.none.apply(to: MagneticField(microtesla: field)), up: up)
    let degrees = solution.flatMap { errors.degrees(uncalibrated: $0, otherVariance: otherVariance) }
    return degrees.map { .within(degrees: $0) } ?? .vertical
  }

  /// Past this many degrees a figure helps nobody.
  private static let largestFigure = 45.0
}

/// A gyroscope's fault, and a zero that has changed, each told once.
struct FaultNotice: Sendable {
  private var told: GyroscopeFault?
  private var hasToldZero = false

  /// The notice, where it is news.
  mutating func next(_ tracker: borrowing AttitudeTracker) -> InstrumentNotice? {
    if told == nil, let fault = tracker.fault {
      told = fault
      return .gyroscope(fault)
    }
    guard !hasToldZero, let change = tracker.changedZero else { return nil }
    hasToldZero = true
    return .gyroscopeZero(change)
  }
}

extension Fusion.Estimate {
  /// The attitude, once north is known.
  var northAttitude: Quaternion? { yawVariance == nil ? nil : attitude }
}

extension CorrectedField {
  /// The angle below the horizontal, down positive, for a direction of length 1 that points up; nil for a zero field.
  func inclination(up: Vector3) -> MeasuredAngle? {
    let strength = field.strength
    return strength > 0 ? .sine(-field.microtesla.dot(up) / strength) : nil
  }
}
