import Calibration
import LodestoneCore

/// A tilt-compensated compass: finds up, picks the heading axis, and reads the heading along it with what it is worth.
public struct Compass: Instrument {
  /// The parts that it reads.
  public static let needs: DeviceParts = [.field, .heading]
  /// Headings.
  public typealias Reading = HeadingReading
  /// True: a heading is as good as its calibration.
  public static let watchesCalibration = true

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// How the device is held; nil derives it from gravity.
    public var orientation: Orientation?
    /// The axis that the heading is of once the screen is upright.
    public var pointing = Pointing.auto
    /// A time constant in seconds for the heading; nil leaves each as it is.
    public var smoothing: Double?
    /// Whether a gyroscope that agrees with the other sensors carries the heading and steadies up; else its rates are
    /// ignored.
    public var usesGyroscope = true
    /// Whether headings are corrected by the deviation of a swing; otherwise it comes beside them.
    public var appliesDeviation = false
    /// Whether headings are those of the compass as it is installed: iron that its calibration does not know stays in
    /// them.
    public var leavesIron = false

    /// Held as gravity tells, not smoothed.
    public init() {}
  }

  /// The settings that were asked for.
  public private(set) var settings: Settings
  /// The declination, true minus magnetic; nil while the place is unknown. It may change as the device moves.
  public var declination: Declination?
  /// One standard deviation of the declination in degrees; nil where none is known.
  public var declinationUncertainty: Double?
  /// How far headings may be off under the calibration.
  private var errors: HeadingErrorModel
  private let mounting: Mounting
  @usableFromInline let isCalibrated: Bool
  /// The time at which the device told a heading of its own last.
  private var lastOwn: Double?
  private var gravity = ApparentGravity()
  private var anomaly = FieldAnomaly()
  private var held = HeldField()
  private var upEstimate = UpEstimate()
  private var orientation = OrientationTracker()
  private var pointing: PointingTracker
  private var smoothing: CircularSmoothing?
  /// The smoothing of headings that come as true ones.
  private var trueSmoothing: CircularSmoothing?
  /// The field of the last sample: a board that is faster than its magnetometer sends it again.
  private var lastField: MagneticField?
  private var tracker: AttitudeTracker
  /// Whether the gyroscope is used; without a calibration there is nothing to carry.
  private let listensToGyroscope: Bool
  /// Whether the gyroscope carries the heading, as long as its attitude holds.
  private var isCarried = false
  private var fault = FaultNotice()
  private var place = PlaceNotice()
  private var earth: EarthReference?
  private var deviation: Deviation?
  private var undeviated = UndeviatedHeadings()
  private var idle: IdleSettings
  /// The error of the last field in µT that comes from causes whose values are not known.
  @usableFromInline var openField = 0.0
  /// Specific force in g of a message before the last field, which had none of its own; nil where it had.
  @usableFromInline var heldForce: Vector3?

  /// A compass of a device with this calibration, or with none.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    self.settings = settings
    self.mounting = mounting
    errors = profile.map { HeadingErrorModel($0, mounting: mounting) } ?? .uncalibrated
    isCalibrated = profile != nil
    pointing = PointingTracker(settings.pointing)
    smoothing = settings.smoothing.map { CircularSmoothing(timeConstant: $0) }
    trueSmoothing = smoothing
    tracker = AttitudeTracker(profile: profile, mounting: mounting)
    listensToGyroscope = settings.usesGyroscope && profile != nil
    idle = IdleSettings(
      [
        profile == nil ? nil : .calibration, mounting == .aligned ? nil : .mounting,
        settings.orientation == nil ? nil : .orientation, settings.pointing == .auto ? nil : .pointing,
      ].compactMap { $0 })
    if settings.leavesIron { tracker.leaveIron(isCorrected: false) }
  }

  /// Takes the declination of the place.
  public mutating func follow(_ earth: EarthReference?) {
    declination = earth?.declination
    declinationUncertainty = earth?.declinationUncertainty
    tracker.follow(earth)
    self.earth = earth
    let before = errors.expected
    errors.follow(earth)
    if errors.expected != before { anomaly = FieldAnomaly() }
  }

  /// Goes on under a calibration with another hard iron.
  public mutating func follow(_ profile: Profile) {
    errors = HeadingErrorModel(profile, mounting: mounting)
    errors.follow(earth)
    anomaly = FieldAnomaly()
    tracker.follow(profile, mounting: mounting)
  }

  /// Takes the deviation of the compass where it is installed: iron stays in the headings that it is the deviation of.
  public mutating func follow(_ deviation: Deviation) {
    self.deviation = deviation
    settings.leavesIron = true
    tracker.leaveIron(isCorrected: true)
  }

  /// The field, in µT in the device frame, of iron that the calibration does not know: it is taken off.
  public var carriedIron: Vector3 { tracker.carriedIron }

  /// Leaves such iron in the headings from here on: their accuracy holds what it may turn them by.
  public mutating func leaveIron() {
    settings.leavesIron = true
    tracker.leaveIron(isCorrected: false)
  }

  /// The edge that headings are read along, by the orientation in which it is the top of the screen.
  public var headingEdge: Orientation {
    settings.orientation.flatMap { $0.screenTop == nil ? nil : $0 } ?? orientation.upright
  }

  /// Whether headings are those of the back, because the edge points up or down.
  public var pointsBack: Bool { pointing.pointsBack }

  /// A gyroscope that cannot be used, a place that is not the calibration's, a deviation that cannot be added, and
  /// settings that change nothing, each told once.
  public mutating func nextNotice() -> InstrumentNotice? {
    fault.next(tracker) ?? place.next(errors.difference) ?? undeviated.next() ?? idle.next(hasField: lastField != nil)
  }

  /// A deviation that could not be added, and settings that change nothing, where few headings came.
  public mutating func end() -> InstrumentNotice? {
    undeviated.next(atEnd: true) ?? idle.next(hasField: lastField != nil, atEnd: true)
  }

  /// The reading of a sample; false for one that says nothing about a heading. It is part of the caller, so that a
  /// sample need not be copied for each row of a recording.
  @inlinable @inline(__always)
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout HeadingReading) -> Bool {
    let isTold = isCalibrated ? false : hasOwn(sample.own, at: sample.time)
    if !isTold, let field = sample.field {
      (openField, heldForce) = (sample.openField, sample.heldForce)
      read(
        field, sample.acceleration, sample.rotationRate, sample.flags, at: sample.time, into: &reading)
    } else if let own = sample.own {
      take(own, sample.field?.field, at: sample.time, into: &reading)
    } else {
      turn(sample.acceleration, sample.rotationRate, sample.flags, at: sample.time)
      return false
    }
    if sample.flags.contains(.unscaled) { reading.field = nil }
    return true
  }

  /// Whether the device has told a heading of its own, now or a moment ago: it knows better than a field without a
  /// calibration.
  @usableFromInline
  mutating func hasOwn(_ own: OwnHeading?, at time: Double) -> Bool {
    if own?.magnetic != nil || own?.trueNorth != nil { lastOwn = time }
    return lastOwn.map { abs(time - $0) < Self.ownSeconds } ?? false
  }

  /// Boards that send fields and headings apart send each more often than that.
  private static let ownSeconds = 2.0

  /// A sample between two fields: it turns the device, and gives no reading.
  @usableFromInline
  mutating func turn(
    _ acceleration: Acceleration?, _ rate: RotationRate?, _ flags: Sample.Flags, at time: Double
  ) {
    guard listensToGyroscope else { return }
    tracker.add(time: time, field: nil, force: acceleration?.g, rate: rate?.degreesPerSecond, flags: flags)
  }

  @usableFromInline
  mutating func read(
    _ field: CorrectedField, _ acceleration: Acceleration?, _ rate: RotationRate?, _ flags: Sample.Flags,
    at time: Double, into reading: inout HeadingReading
  ) {
    reading = HeadingReading(time: time)
    reading.field = field.field
    let isRepeat = lastField == field.field
    lastField = field.field
    if listensToGyroscope {
      tracker.add(
        time: time, field: field.field.microtesla, force: acceleration?.g, rate: rate?.degreesPerSecond, flags: flags)
    }
    let isSaturated = !flags.isDisjoint(with: [.saturated, .forceLost]) || tracker.isOld
    let attitude = tracker.estimate?.northAttitude
    if isCarried, let attitude {
      carry(attitude, field, isSaturated: isSaturated, into: &reading)
      return
    }
    let up = followUp(acceleration, flags.contains(.rateSaturated) ? nil : rate, field, at: time)
    let solution = HeadingSolution(field: field, up: up ?? Vector3(0, 0, 1))
    let knownUp = up == nil ? nil : solution?.up
    let axis = hold(up: knownUp, into: &reading)
    if let knownUp {
      reading.set(inclination: solution?.inclination, pitch: axis.pitch(up: knownUp), roll: axis.roll(up: knownUp))
    }
    if axis.hasDirection(up: knownUp) { reading.measuredHeading = solution?.heading(of: axis.forward) }
    if let attitude { reading.rateOfTurn = tracker.rateOfTurn(up: attitude.matrix.row2) }
    let accuracy = solution.map {
      errors.accuracy(
        of: $0, along: axis.forward, tilt: up == nil ? Self.assumedLevel : gravity.deviation, following: &anomaly,
        at: time)
    }
    isCarried = attitude != nil && isSurer(axis.forward, field, than: accuracy)
    if isCarried, let attitude {
      carry(attitude, field, isSaturated: isSaturated, into: &reading)
      return
    }
    let turned = isRepeat || held.hasBegun ? turnedSinceField(reading, isRepeat: isRepeat) : 0
    judge(
      &reading, accuracy?.widened(by: turned) ?? .vertical, isDisturbed: anomaly.isDisturbed, isSaturated: isSaturated)
    finish(&reading, isRepeat: isRepeat)
  }

  /// Degrees by which a board that sends its field again has turned since it was measured. Apart, because most never
  /// do.
  @inline(never)
  private mutating func turnedSinceField(_ reading: borrowing HeadingReading, isRepeat: Bool) -> Double {
    guard let heading = reading.magneticHeading?.degrees else { return 0 }
    let noise = errors.degrees(ofField: Self.largestNoise * anomaly.noise.squareRoot())
    return held.turn(heading: heading, isRepeat: isRepeat, noise: noise, at: reading.time)
  }

  /// Whether the gyroscope knows better by now than a single sample, or about as well: it is the steadier one. It takes
  /// its time to learn what it reads at rest. It changes nothing, but is asked for each sample, and a function that may
  /// change a large value is not given a copy of it.
  private mutating func isSurer(_ axis: Vector3, _ field: CorrectedField, than accuracy: HeadingAccuracy?) -> Bool {
    guard let carried = tracker.accuracy(of: axis, field: field.field.microtesla).degrees else { return false }
    return carried <= Self.steadiness * (accuracy?.degrees ?? .infinity)
  }

  private static let steadiness = 1.15
  /// Standard deviations of the noise of one field that two of them seldom differ by: three of their difference.
  private static let largestNoise = 4.2

  /// The heading of an attitude that the gyroscope carries.
  private mutating func carry(
    _ attitude: Quaternion, _ field: CorrectedField, isSaturated: Bool, into reading: inout HeadingReading
  ) {
    let matrix = attitude.matrix
    let up = matrix.row2
    let axis = hold(up: up, into: &reading)
    reading.rateOfTurn = tracker.rateOfTurn(up: up)
    reading.set(inclination: field.inclination(up: up), pitch: axis.pitch(up: up), roll: axis.roll(up: up))
    let pointing = matrix * axis.forward
    if axis.hasDirection(up: up) { reading.measuredHeading = .sides(opposite: pointing.x, adjacent: pointing.y) }
    let accuracy = tracker.accuracy(of: axis.forward, field: field.field.microtesla, attitude: matrix)
    judge(&reading, accuracy, isDisturbed: false, isSaturated: isSaturated)
    finish(&reading)
  }

  /// How far up may be from where a board without an accelerometer is assumed to have it: 5° in 95 of 100 cases.
  private static let assumedLevel = Angle.radians(5 / Quantile.normal)

  /// A vector of any length that points up, steadied by the gyroscope where that may be used and has no fault; nil
  /// without an accelerometer.
  private mutating func followUp(
    _ acceleration: Acceleration?, _ rate: RotationRate?, _ field: CorrectedField, at time: Double
  ) -> Vector3? {
    guard let force = acceleration?.g ?? heldForce else { return nil }
    guard UpEstimate.isTold(by: force) else { return .zero }
    let rate = settings.usesGyroscope ? rate : nil
    let up = upEstimate.add(time: time, force: force, rate: tracker.fault == nil ? rate : nil)
    gravity.add(
      time: time, force: force, field: field.field.microtesla, rate: rate, noiseShare: upEstimate.noiseShare,
      isCalibrated: isCalibrated)
    return up
  }

  /// Says how far the heading may be off, and what it is worth. It changes nothing of the compass: see `isSurer`.
  private mutating func judge(
    _ reading: inout HeadingReading, _ accuracy: HeadingAccuracy, isDisturbed: Bool, isSaturated: Bool
  ) {
    let known = tracker.estimate?.knownTurn ?? 0
    reading.accuracy = isSaturated ? nil : accuracy.degrees.map { min(180, known + withDeclination(withOpenField($0))) }
    if accuracy == .vertical { reading.measuredHeading = nil }
    let hasHeading = reading.measuredHeading != nil
    if !hasHeading { reading.accuracy = nil }
    guard isCalibrated else {
      reading.quality = .uncalibrated
      return
    }
    guard let degrees = reading.accuracy, !isDisturbed else {
      // An edge that points up is no fault of the field.
      reading.quality = hasHeading || isDisturbed || isSaturated || accuracy.degrees == nil ? .disturbed : .poor
      return
    }
    reading.quality = HeadingReading.Quality(accuracy: degrees)
  }

  /// An accuracy with the part of causes whose values are not known.
  @inline(__always)
  private func withOpenField(_ degrees: Double) -> Double {
    openField > 0 ? min(180, degrees + errors.degrees(ofField: openField)) : degrees
  }

  /// The accuracy in degrees (95 %) with the declination's uncertainty, for true headings too.
  @inline(__always)
  private func withDeclination(_ degrees: Double) -> Double {
    guard declination != nil, let deviation = declinationUncertainty else { return degrees }
    let share = Quantile.normal * deviation
    return min(180, (degrees * degrees + share * share).squareRoot())
  }

  /// Follows how the device is held and returns the axes to read along.
  private mutating func hold(up: Vector3?, into reading: inout HeadingReading) -> HeadingAxis {
    if let up { orientation.update(up: up, at: reading.time) }
    reading.orientation = settings.orientation ?? orientation.orientation
    let top = settings.orientation?.screenTop ?? orientation.upright.screenTop ?? Vector3(0, 1, 0)
    let axis = pointing.axis(screenTop: top, up: up ?? Vector3(0, 0, 1))
    reading.isOfBack = pointing.pointsBack
    return axis
  }

  /// A heading that the device computed itself: passed on, not made better.
  @usableFromInline
  mutating func take(
    _ own: OwnHeading, _ field: MagneticField?, at time: Double, into reading: inout HeadingReading
  ) {
    reading = HeadingReading(time: time, quality: .device)
    idle.note()
    reading.field = field
    reading.magneticHeading = own.magnetic ?? own.trueNorth.flatMap { north in declination.map { north - $0 } }
    reading.trueHeading = own.trueNorth
    reading.pitch = own.pitch
    reading.roll = own.roll
    reading.rateOfTurn = own.rateOfTurn
    // The one of its two headings that it does not tell comes of the declination.
    let tellsBoth = own.magnetic != nil && own.trueNorth != nil
    reading.accuracy = own.accuracy.map { tellsBoth ? $0 : withDeclination($0) }
    finish(&reading)
  }

  /// Says how the compass deviates at this heading, by which it is off, or takes it off.
  private mutating func deviate(_ reading: inout HeadingReading) {
    if settings.appliesDeviation { undeviated.note(reading) }
    guard let deviation, let compass = reading.magneticHeading else { return }
    let (off, left) = (deviation.degrees(at: compass.degrees), deviation.uncertainty(at: compass.degrees))
    if settings.appliesDeviation {
      let right = deviation.corrected(compass)
      // The device's own true heading is its magnetic one with the variation.
      reading.trueHeading = reading.trueHeading.map { Heading(degrees: $0.degrees + right.degrees - compass.degrees) }
      reading.magneticHeading = right
    } else {
      reading.deviation = off
    }
    guard let accuracy = reading.accuracy else { return }
    let stays = settings.appliesDeviation ? 0 : abs(off)
    reading.widen(to: stays + (accuracy * accuracy + left * left).squareRoot())
  }

  /// Smooths, and adds the declination. While the device turns, a smoothed heading is late, and its accuracy is that
  /// much larger.
  /// - Parameter isRepeat: whether it comes of the field of the sample before, which was sent again.
  private mutating func finish(_ reading: inout HeadingReading, isRepeat: Bool = false) {
    let accuracy = reading.accuracy ?? 180
    var lag = 0.0
    if let heading = reading.magneticHeading?.degrees,
      let smooth = smoothing?.add(degrees: heading, accuracy: accuracy, isRepeat: isRepeat, at: reading.time)
    {
      reading.magneticHeading = Heading(degrees: smooth.degrees)
      lag = smooth.lag
    }
    if let heading = reading.trueHeading?.degrees,
      let smooth = trueSmoothing?.add(degrees: heading, accuracy: accuracy, at: reading.time)
    {
      reading.trueHeading = Heading(degrees: smooth.degrees)
      lag = max(lag, smooth.lag)
    }
    if deviation != nil { deviate(&reading) }
    if lag > 0, let accuracy = reading.accuracy { reading.widen(to: accuracy + lag) }
    guard let declination, let magnetic = reading.magneticHeading else { return }
    reading.trueHeading = magnetic + declination
  }
}
