import Calibration
import LodestoneCore
import Glibc

/// The frames that an attitude can be in. In each z is up and the frame is right-handed. The names are those of Core
/// Motion's reference frames.
public enum AttitudeFrame: String, CaseIterable, Sendable {
  /// Yaw begins at 0 and drifts with the gyroscope: for turns of seconds, free of the field.
  case arbitrary
  /// Yaw begins at 0, and the field keeps it from drifting.
  case corrected
  /// x points to magnetic north, y west.
  case magnetic
  /// x points to true north, y west.
  case trueNorth = "true"
}

/// Fused attitude of a board with a gyroscope.
public struct Attitude: Instrument {
  /// The parts that it reads.
  public static let needs: DeviceParts = [.rotation, .acceleration, .field, .heading]
  /// Attitudes.
  public typealias Reading = AttitudeReading
  /// North is as good as the calibration.
  public static let watchesCalibration = true

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// The frame that the attitude is against.
    public var frame = AttitudeFrame.magnetic
    /// Which axes the world and the board have.
    public var convention = AttitudeConvention.device

    /// Against magnetic north.
    public init() {}
  }

  private let settings: Settings
  private let isCalibrated: Bool
  private let mounting: Mounting
  private var tracker: AttitudeTracker
  private var fault = GyroscopeNotice()
  private var missing = MissingSensor()
  private var place = PlaceNotice()
  private var declination: Declination?
  /// One standard deviation of it in degrees; nil where none is known.
  private var declinationUncertainty: Double?
  private var firstYaw: Double?
  private var orientation = OrientationTracker()
  private var pointing = PointingTracker(.auto)

  /// An instrument for a device with this calibration, or with none.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    self.settings = settings
    isCalibrated = profile != nil
    self.mounting = mounting
    tracker = AttitudeTracker(profile: profile, mounting: mounting)
  }

  /// Takes the declination of the place: the frame of true north needs it.
  public mutating func follow(_ earth: EarthReference?) {
    declination = earth?.declination
    declinationUncertainty = earth?.declinationUncertainty
    tracker.follow(earth)
  }

  /// Goes on under a calibration with another hard iron.
  public mutating func follow(_ profile: Profile) { tracker.follow(profile, mounting: mounting) }

  /// No gyroscope, or one that cannot be used, no other sensor that the frame needs, and a place that is not the
  /// calibration's: each told once.
  public mutating func nextNotice() -> InstrumentNotice? {
    fault.next(tracker) ?? missing.next() ?? place.next(tracker.placeDifference)
  }

  /// The attitude after a sample; false while there is none in the frame that was asked for, and none of the device's
  /// own.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout AttitudeReading) -> Bool {
    tracker.add(sample)
    // A heading alone is no attitude.
    let own = sample.own
    let tellsAttitude = own?.pitch != nil || own?.roll != nil
    fault.see(isOfUse: sample.rotationRate != nil || tellsAttitude, at: sample.time)
    reading = AttitudeReading(time: sample.time, frame: settings.frame)
    reading.device = own
    guard let estimate = tracker.estimate, let attitude = inFrame(estimate) else {
      if tellsAttitude { missing.isOver = true } else { missing.see(DeviceParts(sample), at: sample.time) }
      return tellsAttitude
    }
    missing.isOver = true
    reading.attitude = attitude
    reading.rate = estimate.rate
    reading.isAtRest = estimate.isAtRest
    let up = estimate.attitude.conjugate * Vector3(0, 0, 1)
    reading.rateOfTurn = tracker.rateOfTurn(up: up)
    reading.gravity = -up
    if let force = sample.acceleration?.g { reading.userAcceleration = up - force }
    reading.inclinationAccuracy = Quantile.normal * (estimate.tiltVariance + tracker.leanVariance(up: up)).squareRoot()
    point(estimate, up: up, into: &reading)
    defer { reading.turn(to: settings.convention) }
    guard let field = sample.field?.field else { return true }
    reading.field = field
    let horizontal = field.microtesla.cross(up).length
    let open = sample.openField > 0 ? Angle.degrees(atan2(sample.openField, horizontal)) : 0
    let north = tracker.accuracy(of: Vector3(0, 1, 0), field: field.microtesla).degrees.map { min(180, $0 + open) }
    reading.fieldAccuracy = isCalibrated ? AttitudeReading.FieldAccuracy(north) : .uncalibrated
    switch settings.frame {
    case .magnetic: reading.yawAccuracy = north
    case .trueNorth: reading.yawAccuracy = north.map { withDeclination($0) }
    case .arbitrary, .corrected: break
    }
    return true
  }

  /// The accuracy in degrees (95 %) with the declination's uncertainty.
  private func withDeclination(_ degrees: Double) -> Double {
    min(180, hypot(degrees, Quantile.normal * (declinationUncertainty ?? 0)))
  }

  /// The heading that the compass shows.
  private mutating func point(_ estimate: Fusion.Estimate, up: Vector3, into reading: inout AttitudeReading) {
    orientation.update(up: up, at: reading.time)
    guard let top = orientation.upright.screenTop else { return }
    let axis = pointing.axis(screenTop: top, up: up)
    reading.compassTilt = (axis.pitch(up: up).degrees, axis.roll(up: up).degrees)
    guard let north = estimate.northAttitude else { return }
    let ahead = north * axis.forward
    let heading = Heading<MagneticNorth>(degrees: Angle.degrees(atan2(ahead.x, ahead.y)))
    reading.magneticHeading = heading
    reading.trueHeading = declination.map { heading + $0 }
  }

  /// The attitude in the frame; nil while north or the declination is not known.
  private mutating func inFrame(_ estimate: Fusion.Estimate) -> Quaternion? {
    switch settings.frame {
    case .arbitrary: return fromStart(estimate.drifting)
    case .corrected: return estimate.northAttitude.map { fromStart($0) }
    case .magnetic: return estimate.northAttitude.map { Self.aboutUp(-90) * $0 }
    case .trueNorth:
      guard let declination else { return nil }
      return estimate.northAttitude.map { Self.aboutUp(-90 - declination.degrees) * $0 }
    }
  }

  /// Turned about the vertical so that the first yaw was 0 by the convention's axes.
  private mutating func fromStart(_ attitude: Quaternion) -> Quaternion {
    let first = firstYaw ?? attitude.yawPitchRoll.x - settings.convention.unturned.yawPitchRoll.x
    firstYaw = first
    return Self.aboutUp(-first) * attitude
  }

  private static func aboutUp(_ degrees: Double) -> Quaternion {
    Quaternion(angle: Angle.radians(degrees), about: Vector3(0, 0, 1))
  }
}

/// Attitudes with their matrices.
public struct MatrixAttitude: Instrument {
  /// The parts that it reads.
  public static let needs: DeviceParts = Attitude.needs
  /// Attitudes with nine more columns.
  public typealias Reading = AttitudeMatrixReading
  /// The settings of an attitude.
  public typealias Settings = Attitude.Settings
  /// North is as good as the calibration.
  public static let watchesCalibration = true
  private var attitude: Attitude

  /// An instrument for a device with this calibration, or with none.
  public init(_ settings: Attitude.Settings, profile: Profile?, mounting: Mounting) {
    attitude = Attitude(settings, profile: profile, mounting: mounting)
  }

  /// Takes the declination of the place.
  public mutating func follow(_ earth: EarthReference?) { attitude.follow(earth) }
  /// Goes on under a calibration with another hard iron.
  public mutating func follow(_ profile: Profile) { attitude.follow(profile) }
  /// The next notice of the attitude.
  public mutating func nextNotice() -> InstrumentNotice? { attitude.nextNotice() }
  /// The attitude after a sample.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout AttitudeMatrixReading) -> Bool {
    attitude.read(sample, into: &reading.attitude)
  }
}

/// A gyroscope's fault, a zero of it that has changed, or that there is none, each told once.
struct GyroscopeNotice: Sendable {
  private var told = FaultNotice()
  private var samples = 0
  private var first: Double?
  private var hasWaited = false
  private var isOfUse = false
  private var isTold = false

  /// Samples, and seconds, without anything of use before it is said that there is no gyroscope.
  private static let patience = (samples: 50, seconds: 0.9)

  /// - Parameter isOfUse: there is a rotation rate, or the device tells an attitude of its own.
  mutating func see(isOfUse now: Bool, at time: Double) {
    isOfUse = isOfUse || now
    guard !isOfUse, !hasWaited else { return }
    samples += 1
    let start = first ?? time
    first = start
    hasWaited = samples >= Self.patience.samples || (samples >= 3 && time - start >= Self.patience.seconds)
  }

  mutating func next(_ tracker: borrowing AttitudeTracker) -> InstrumentNotice? {
    if let notice = told.next(tracker) { return notice }
    guard !isTold, hasWaited, !isOfUse, tracker.fault == nil else { return nil }
    isTold = true
    return .noGyroscope
  }
}

/// The sensor that an attitude needs beside the gyroscope and that does not come, told once.
struct MissingSensor: Sendable {
  /// There is an attitude, or it has been told why there is none.
  var isOver = false

  private var seen: DeviceParts = []
  private var samples = 0
  private var first: Double?
  private var hasWaited = false

  /// Samples and seconds without an attitude before it is said.
  private static let patience = (samples: 3, seconds: 2.0)

  /// Takes note of a sample of which there is no attitude.
  mutating func see(_ parts: DeviceParts, at time: Double) {
    guard !isOver else { return }
    seen.formUnion(parts)
    samples += 1
    let start = first ?? time
    first = start
    hasWaited = samples >= Self.patience.samples && time - start >= Self.patience.seconds
  }

  mutating func next() -> InstrumentNotice? {
    guard hasWaited, !isOver, seen.contains(.rotation), let missing = seen.missingForAttitude else { return nil }
    isOver = true
    return .nothingOfUse(tells: seen, needs: missing)
  }
}
