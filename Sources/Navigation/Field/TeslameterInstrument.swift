import Calibration
import LodestoneCore

/// A teslameter of a magnetometer, or of a probe of one axis: collects a zero-point while the sensor is still, then
/// measures against it; a new zero-point at any time.
public struct Teslameter: Instrument {
  /// A field in µT, or a part of it.
  public static let needs: DeviceParts = [.strength, .alongProbe]
  /// Fields against the zero-point.
  public typealias Reading = FieldReading
  /// Magnets are stronger than the Earth.
  public static let followsRange = true
  /// Its zero-point holds for one attitude.
  public static let handRequest = HandRequest.still

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// Seconds over which the zero-point is averaged.
    public var zeroSeconds = 2.0
    /// The standard uncertainty of the sensor's gain, relative; nil takes it from the calibration, or from data sheets.
    public var gainUncertainty: Double?
    /// A time constant in seconds for the field; nil leaves each sample as it is.
    public var smoothing: Double?

    /// Degrees within which the sensor is kept as it was at the zero-point, where no gyroscope tells its turns: what
    /// such a turn does is in the uncertainty. Nil for one that is fixed.
    public var stillTo: Double?

    /// Two seconds, and the calibration's gain.
    public init() {}
  }

  /// How far it has come.
  public enum Phase: Sendable {
    /// The zero-point is being collected; done so far, 0 ... 1.
    case zeroing(progress: Double)
    /// Differences to this zero-point are measured.
    case measuring(ZeroPoint)
  }

  /// The most that a zero-point takes, in multiples of its seconds.
  private static let mostTimes = 5.0

  /// A zero-point in the making.
  private struct Zeroing {
    var collector = ZeroPointCollector()
    var begin: Double?
    /// The share of its seconds that is over.
    var elapsed = 0.0
    /// The time that it takes, in multiples of its seconds: more for smoothed numbers.
    var times = 1.0

    /// The share of it that is done. A slow board takes longer: until there are samples enough.
    var progress: Double {
      min(elapsed / times, Double(collector.samples) / Double(ZeroPointCollector.fewestSamples))
    }
  }

  /// Tries of the first zero-point before it is given up; nil for no end of tries.
  public var tries: Int?
  private let settings: Settings
  private let gainUncertainty: Double
  private let profile: Profile?
  private let mounting: Mounting
  /// The meter against the last zero-point that was taken.
  private var meter: FieldMeter?
  /// The meter of a probe of one axis.
  private var probe: ProbeMeter?
  private var isOfProbe = false
  private var zeroing: Zeroing? = Zeroing()
  private var notice: InstrumentNotice?
  private var remanence = RemanenceWatch()
  private var refusals = 0
  /// The age of a zero-point goes on where a recording's clock is set back.
  private var clock = ForwardTime()
  /// The refusal that was told last, for as long as tries end like that; nil for none.
  private var told: ZeroPoint.Refusal?

  /// A teslameter that begins with its zero-point.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    self.settings = settings
    (self.profile, self.mounting) = (profile, mounting)
    gainUncertainty = settings.gainUncertainty ?? FieldMeter.gainUncertainty(of: profile)
  }

  /// How far it has come.
  public var phase: Phase {
    if zeroing == nil, let zero = meter?.zero ?? probe?.zeroAlongProbe { return .measuring(zero) }
    return .zeroing(progress: zeroing?.progress ?? 0)
  }

  /// A zero-point is being collected.
  public var isZeroing: Bool { zeroing != nil }

  /// Begins a new zero-point. The old one holds until the new one is taken, and if it is refused.
  public mutating func zero() { (zeroing, told) = (Zeroing(), nil) }

  /// Forgets peak and minimum.
  public mutating func resetPeak() {
    meter?.resetPeak()
    probe?.resetPeak()
  }

  /// Measures against the zero-point, or collects one; false while it does, and for a sample without a field.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout FieldReading) -> Bool {
    let (time, force) = (clock.seconds(of: sample.time), sample.force)
    guard let field = sample.field?.field.microtesla else {
      if let along = sample.alongProbe { return read(along, of: sample, at: time, into: &reading) }
      meter?.follow(time: time, force: force, rate: sample.rotationRate, flags: sample.flags)
      return false
    }
    if isOfProbe { begin(ofProbe: false) }
    if zeroing != nil {
      collect(
        field, up: force?.direction, rate: sample.rotationRate, isSaturated: sample.flags.contains(.saturated),
        at: time)
      return false
    }
    guard
      let now = meter?.read(time: time, field: field, force: force, rate: sample.rotationRate, flags: sample.flags)
    else { return false }
    reading = now
    reading.time = sample.time
    if let left = remanence.see(now) { notice = .remanence(left) }
    return true
  }

  /// Begins anew with another kind of sensor: nothing of what was measured holds for it.
  private mutating func begin(ofProbe isOfProbe: Bool) {
    (self.isOfProbe, meter, probe) = (isOfProbe, nil, nil)
    (zeroing, refusals, told) = (Zeroing(), 0, nil)
    guard let setting = isOfProbe ? settingOfThreeAxes : nil else { return }
    (zeroing, notice) = (nil, .zeroRefused(.oneAxis(setting), isFinal: true))
  }

  /// The setting that a probe of one axis cannot be measured with; nil for none.
  private var settingOfThreeAxes: ZeroPoint.ThreeAxisSetting? {
    if profile != nil { return .calibration }
    if mounting != .aligned { return .mounting }
    return (settings.stillTo ?? 0) > 0 ? .stillTo : nil
  }

  /// Measures along a probe, or collects its zero-point; false while it does.
  @inline(never)
  private mutating func read(
    _ along: Double, of sample: borrowing DeviceSample, at time: Double, into reading: inout FieldReading
  ) -> Bool {
    if !isOfProbe { begin(ofProbe: true) }
    if zeroing != nil {
      collect(
        ProbeMeter.vector(along), up: nil, rate: nil, isSaturated: sample.flags.contains(.saturated), at: time)
      return false
    }
    guard let now = probe?.read(time: time, along: along, flags: sample.flags) else { return false }
    reading = now
    reading.time = sample.time
    return true
  }

  /// Takes a sample of the zero-point. A field at the end of the range refuses it at once.
  private mutating func collect(
    _ field: Vector3, up: Vector3?, rate: RotationRate?, isSaturated: Bool, at time: Double
  ) {
    guard var now = zeroing else { return }
    let begin = now.begin ?? time
    now.begin = begin
    guard time >= begin else {  // Between a refusal and the next try.
      return
    }
    now.elapsed = max(0, (time - begin) / settings.zeroSeconds)
    guard now.progress < 1, !isSaturated else {
      let result = isSaturated ? .failure(.saturated) : now.collector.result()
      guard case .failure(.moving) = result, now.times < Self.mostTimes, now.collector.mayBeSmoothed else {
        return conclude(result, at: time)
      }
      now.times += 1
      now.collector.add(field, up: up, rate: rate, at: time)
      zeroing = now
      return
    }
    now.collector.add(field, up: up, rate: rate, at: time)
    zeroing = now
  }

  private mutating func conclude(_ result: Result<ZeroPoint, ZeroPoint.Refusal>, at time: Double) {
    switch result {
    case .success(var zero):
      if let profile, !profile.strengthIsAssumed { zero.calibratedStrength = profile.fieldStrength }
      measure(against: zero)
      (zeroing, remanence) = (nil, RemanenceWatch())
      notice = .zeroed(probe?.zeroAlongProbe ?? zero)
      (refusals, told) = (0, nil)
    case .failure(let refusal):
      refusals += 1
      zeroing = hasNoMeter ? Zeroing(begin: time + (refusal == .saturated ? settings.zeroSeconds : 0)) : nil
      let isFinal = hasNoMeter && tries.map { refusals >= $0 } ?? false
      guard isFinal || told?.isAlike(refusal) != true else { return }
      (notice, told) = (.zeroRefused(refusal, isFinal: isFinal), refusal)
    }
  }

  /// Begins to measure against a zero-point, of a probe against one of vectors that stand for its numbers.
  private mutating func measure(against zero: ZeroPoint) {
    guard !isOfProbe else {
      probe = ProbeMeter(zero: zero, gainUncertainty: gainUncertainty, smoothing: settings.smoothing)
      return
    }
    meter = FieldMeter(
      zero: zero, gainUncertainty: gainUncertainty, isCalibrated: profile != nil, smoothing: settings.smoothing,
      stillTo: settings.stillTo ?? 0,
      resolution: SensorResolution(standing: zero.field, profile: profile, mounting: mounting))
  }

  /// No zero-point was taken yet.
  private var hasNoMeter: Bool { meter == nil && probe == nil }

  /// A zero-point that was taken since the last call, or refused for another reason than the last try was.
  public mutating func nextNotice() -> InstrumentNotice? {
    defer { notice = nil }
    return notice
  }

  /// A stream that ended before its zero-point was averaged has nothing to say.
  public mutating func end() -> InstrumentNotice? {
    guard hasNoMeter else { return nil }
    guard let zeroing, zeroing.elapsed >= 1, zeroing.progress < 1 else { return .zeroRefused(.ended, isFinal: true) }
    if case .failure(let refusal) = zeroing.collector.result() { return .zeroRefused(refusal, isFinal: true) }
    return .zeroRefused(.ended, isFinal: true)
  }
}
