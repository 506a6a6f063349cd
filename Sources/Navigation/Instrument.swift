import Calibration
import LodestoneCore

/// An instrument: samples in the device frame in, or what a receiver says of its position, and readings out. A value
/// without clock, port or thread; time comes with what it reads.
public protocol Instrument: Sendable {
  /// The reading of a sample.
  associatedtype Reading: Record
  /// Settings that the user may choose.
  associatedtype Settings: InstrumentSettings

  /// Whether the calibration is watched while the instrument runs: its user is told when there is none, and when it no
  /// longer fits.
  static var watchesCalibration: Bool { get }
  /// Whether it measures more than the Earth's field, so that a magnetometer's range follows the field where it can.
  static var followsRange: Bool { get }
  /// Whether it reads positions and not samples, of a device that is a receiver.
  static var readsPositions: Bool { get }
  /// The parts that make a device of use: any of these is enough.
  static var needs: DeviceParts { get }
  /// The request to the user who holds the device.
  static var handRequest: HandRequest { get }

  /// Whether a reading tells of an event, which is passed on however much readings are thinned out.
  static func isEvent(_ reading: borrowing Reading) -> Bool

  /// An instrument for a device. What the calibration and the mounting do to samples is done before they come here;
  /// both are told for what they say about errors.
  init(_ settings: Settings, profile: Profile?, mounting: Mounting)

  /// The reading of a sample, written where it is wanted; false for no reading.
  mutating func read(_ sample: borrowing DeviceSample, into reading: inout Reading) -> Bool
  /// The reading of a position, written where it is wanted; false for no reading.
  mutating func read(_ position: Position, into reading: inout Reading) -> Bool
  /// Takes the Earth's field where the device is; nil while that is not known.
  mutating func follow(_ earth: EarthReference?)
  /// Goes on under this calibration, which is the one before with another hard iron: samples come corrected by it.
  mutating func follow(_ profile: Profile)
  /// Takes what a swing found of the compass as it is installed.
  mutating func follow(_ deviation: Deviation)
  /// The next notice for the user since the last call; nil when there is nothing more.
  mutating func nextNotice() -> InstrumentNotice?
  /// The stream has ended: what remains to be said.
  mutating func end() -> InstrumentNotice?
}

/// The settings of an instrument, for the user to choose; each has a default.
public protocol InstrumentSettings: Sendable {
  /// The defaults.
  init()
}

extension Instrument {
  /// False: it works as well without a calibration.
  public static var watchesCalibration: Bool { false }
  /// False: it measures the Earth's field alone.
  public static var followsRange: Bool { false }
  /// False: it reads samples.
  public static var readsPositions: Bool { false }
  /// No reading: samples are what it reads.
  public mutating func read(_ position: Position, into reading: inout Reading) -> Bool { false }
  /// A field.
  public static var needs: DeviceParts { .field }
  /// None: the device may be moved.
  public static var handRequest: HandRequest { .none }
  /// No reading is more than the others.
  public static func isEvent(_ reading: borrowing Reading) -> Bool { false }
  /// Works the same everywhere.
  public mutating func follow(_ earth: EarthReference?) {}
  /// Samples are corrected before they come.
  public mutating func follow(_ profile: Profile) {}
  /// Reads no headings.
  public mutating func follow(_ deviation: Deviation) {}
  /// Has nothing to say.
  public mutating func nextNotice() -> InstrumentNotice? { nil }
  /// Has nothing to say.
  public mutating func end() -> InstrumentNotice? { nil }

  /// The reading of a sample; nil for a sample that says nothing here.
  public mutating func read(_ sample: DeviceSample) -> Reading? {
    var reading = Reading()
    return read(sample, into: &reading) ? reading : nil
  }
}

/// The Earth's field where the device is, as plain values: the session asks a model of it, an instrument uses them.
public struct EarthReference: Equatable, Sendable {
  /// The declination: true minus magnetic.
  public var declination: Declination
  /// One standard deviation of the declination, in degrees; nil where none is known.
  public var declinationUncertainty: Double?
  /// The field's strength in µT.
  public var strength: Double?
  /// The field's angle below the horizontal in degrees, down positive.
  public var inclination: Double?

  /// A field by what is known of it.
  public init(
    declination: Declination, declinationUncertainty: Double? = nil, strength: Double? = nil,
    inclination: Double? = nil
  ) {
    self.declination = declination
    self.declinationUncertainty = declinationUncertainty
    self.strength = strength
    self.inclination = inclination
  }
}

/// A notice for an instrument's user. It holds facts; whoever shows it words them.
public enum InstrumentNotice: Equatable, Sendable {
  /// No calibration: headings may be far off.
  case uncalibrated
  /// No calibration, but a device that computes headings itself: they are passed on.
  case ownHeadings
  /// The headings are the device's own, which these settings do not change.
  case settingsIdle([FieldSetting])
  /// No place has told which way up the calibration's axes are: headings may be far off.
  case signAssumed
  /// No accelerometer: the device is assumed to be level.
  case assumedLevel
  /// The calibration left the accelerometer out: headings take the device to be level.
  case forceLeftOut
  /// The calibration's strength or inclination no longer holds, or holds again.
  case calibration(CalibrationHealth.Event)
  /// The Earth's field where the device is said to be is not that of the calibration: the place's is expected.
  case otherPlace(PlaceDifference)
  /// The effect of one of the calibration's causes on the field is not known.
  case cause(CauseFault)
  /// The chip is warmer or colder than when it was calibrated; both in degrees Celsius.
  case temperature(now: Double, calibrated: Double)
  /// An axis of a sensor keeps its number: what it spoils is left out.
  case deadAxis(DeadAxis)
  /// The numbers of the field come in steps of this many µT, and directions are as rough.
  case coarseField(step: Double)
  /// The gyroscope is not used, and why.
  case gyroscope(GyroscopeFault)
  /// The gyroscope's zero has changed since the calibration and is by now this many degrees per second off it. It is
  /// corrected.
  case gyroscopeZero(Double)
  /// The deviation is not added: true headings come alone, and nothing tells the declination.
  case deviationNotAdded
  /// The instrument needs a gyroscope, and there is none.
  case noGyroscope
  /// The device tells these parts, and the instrument needs one of those.
  case nothingOfUse(tells: DeviceParts, needs: DeviceParts)
  /// A receiver's fix, or the lack of one.
  case receiver(ReceiverNotice)
  /// A zero-point was taken.
  indirect case zeroed(ZeroPoint)
  /// A field is left behind by a stronger one.
  case remanence(Remanence)
  /// A zero-point was refused; another is being collected unless it was the last try.
  case zeroRefused(ZeroPoint.Refusal, isFinal: Bool)
}
