import LodestoneCore

/// The parameter groups of NMEA 2000 that a compass sends, and their numbers: angles in counts of 0.0001 rad, a rate of
/// turn in counts of 3.125e-8 rad/s, each value's highest count for "not available". Clockwise, bow up, starboard down
/// and east are positive. Source: canboat's definitions (pgns.json), where each field's place and resolution stands.
public enum NMEA2000 {
  /// Vessel heading: sequence, heading, deviation, variation, and in two bits which north (0 true, 1 magnetic).
  static let heading = 127_250
  /// Rate of turn: sequence, rate in 32 bits.
  static let rateOfTurn = 127_251
  /// Attitude: sequence, yaw, pitch, roll.
  static let attitude = 127_257
  /// Magnetic variation: sequence, where it comes from in four bits, the day, variation.
  static let variation = 127_258
  /// Position, rapid update: latitude and longitude in 1e-7°.
  static let position = 129_025

  /// Counts of half a turn.
  private static let halfTurn: UInt16 = 31_416

  /// Radians in one count of an angle.
  static let angleCount = 1e-4
  /// Radians a second in one count of a rate of turn: 1/32 of a millionth.
  static let rateCount = 1e-6 / 32

  /// A compass's heading and attitude at one moment; degrees and degrees a second. Absent is nil.
  public struct Heading: Equatable, Sendable {
    /// The sensor's heading, against magnetic north before the deviation.
    public var magnetic: Double?
    /// The heading against true north.
    public var trueNorth: Double?
    /// The angle to be added to what the sensor reads, in degrees, east positive.
    public var deviation: Double?
    /// The angle from magnetic to true north, in degrees, east positive.
    public var variation: Double?
    /// Heading axis above the horizontal.
    public var pitch: Double?
    /// Right edge down positive.
    public var roll: Double?
    /// Clockwise positive.
    public var rateOfTurn: Double?

    /// A message of which nothing is known.
    public init() {}

  }

  /// Hands over the frames that say it: rate of turn, attitude, variation and, last, the heading, which ends what
  /// belongs to one moment.
  /// - Parameters:
  ///   - sequence: the same for all values of one moment, 0 to 252.
  ///   - source: the address of the sender.
  public static func forEachFrame(
    of heading: Heading, sequence: UInt8, source: UInt8, _ send: (CANFrame) -> Void
  ) {
    if let rate = heading.rateOfTurn {
      var frame = CANFrame(group: rateOfTurn, priority: 2, source: source)
      frame.append(sequence)
      frame.append(little: counts(rate, of: rateCount, Int32.self))
      pad(&frame, send)
    }
    if let pitch = heading.pitch, let roll = heading.roll {
      var frame = CANFrame(group: attitude, priority: 3, source: source)
      frame.append(sequence)
      frame.append(little: Int16.max)
      frame.append(little: counts(pitch, of: angleCount, Int16.self))
      frame.append(little: counts(roll, of: angleCount, Int16.self))
      pad(&frame, send)
    }
    if let east = heading.variation {
      var frame = CANFrame(group: variation, priority: 7, source: source)
      frame.append(sequence)
      frame.append(0xFF)  // where it comes from: not said
      frame.append(little: UInt16.max)  // the day of the model: not said
      frame.append(little: counts(east, of: angleCount, Int16.self))
      pad(&frame, send)
    }
    guard let degrees = heading.magnetic ?? heading.trueNorth else { return }
    var frame = CANFrame(group: self.heading, priority: 2, source: source)
    frame.append(sequence)
    frame.append(little: counts(ofHeading: degrees))
    let isMagnetic = heading.magnetic != nil
    frame.append(little: (isMagnetic ? heading.deviation : nil).map { counts($0, of: angleCount, Int16.self) } ?? .max)
    frame.append(little: heading.variation.map { counts($0, of: angleCount, Int16.self) } ?? .max)
    frame.append(isMagnetic ? 0xFD : 0xFC)
    send(frame)
  }

  /// Fills the rest of the eight bytes with ones, as reserved, and sends the frame.
  private static func pad(_ frame: inout CANFrame, _ send: (CANFrame) -> Void) {
    while frame.append(0xFF) {}
    send(frame)
  }

  /// Degrees in counts, short of those that stand for "not available" and "out of range".
  private static func counts<Count: FixedWidthInteger>(_ degrees: Double, of unit: Double, _: Count.Type) -> Count {
    min(Count(rounding: Angle.radians(degrees) / unit), .max - 2)
  }

  /// A heading in counts within the circle: of a turn's 62831.85 the last would be past it, and is nearest to north.
  private static func counts(ofHeading degrees: Double) -> UInt16 {
    let count = counts(Angle.wrapped(degrees: degrees), of: angleCount, UInt16.self)
    return count < 2 * halfTurn ? count : 0
  }

  /// Counts that are a value; nil for those that stand for "not available" and "out of range".
  static func available<Count: FixedWidthInteger>(_ counts: Count?) -> Count? {
    counts.flatMap { $0 < Count.max - 1 ? $0 : nil }
  }

  /// An angle of a frame in degrees; nil where the sender has none, or one past half a turn.
  static func angle(_ frame: CANFrame, at place: Int) -> Double? {
    guard let counts = available(frame.little(Int16.self, at: place)), counts.magnitude <= halfTurn else { return nil }
    return Angle.degrees(Double(counts) * angleCount)
  }
}

/// Joins the frames of a compass into messages. On a boat there may be several compasses.
struct NMEA2000Reader: Sendable {
  /// The choice of a compass by the address of the sender.
  private var compass = CompassChoice()
  private var attitude = HeldAttitude()
  /// The variation by another frame than the heading's, of whichever sender.
  private var variation: Double?
  /// The clock of the sender.
  var clock = PeriodicClock()

  /// Takes a frame in: a heading makes a message, with what was said of tilt, turn and variation before it.
  /// - Parameter time: the sender's clock in seconds, where it is told.
  mutating func read(_ frame: CANFrame, at time: Double?, into message: inout WireMessage) -> WireMeaning {
    switch frame.group {
    case NMEA2000.heading:
      guard let told = heading(frame), isOfCompass(frame.source), let own = attitude.join(told, at: time) else {
        return .other
      }
      message.own = own
      message.withdrawn = own.missing
    case NMEA2000.position:
      guard let position = Self.position(frame) else { return .other }
      message.position = position
    case NMEA2000.attitude, NMEA2000.rateOfTurn:
      if isOfCompass(frame.source, alsoUnknown: true) { note(frame, at: time) }
      return .other
    case NMEA2000.variation:
      variation = NMEA2000.angle(frame, at: 4)
      return .other
    default: return .other
    }
    message.time = time
    return .message
  }

  /// Keeps the tilt or the turn in a frame, or that the sender does not know it.
  private mutating func note(_ frame: CANFrame, at time: Double?) {
    var (own, withdrawn) = (OwnHeading(), AttitudeParts())
    if frame.group == NMEA2000.attitude {
      if let pitch = NMEA2000.angle(frame, at: 3), let roll = NMEA2000.angle(frame, at: 5) {
        (own.pitch, own.roll) = (pitch, roll)
      }
      withdrawn = AttitudeParts(tiltMissingIn: own)
    } else {
      own.rateOfTurn = NMEA2000.available(frame.little(Int32.self, at: 1)).map {
        Angle.degrees(Double($0) * NMEA2000.rateCount)
      }
      withdrawn = .rateOfTurn
    }
    _ = attitude.join(own, without: withdrawn, at: time)
  }

  /// The heading in a frame. The compass's heading with the deviation is against magnetic north.
  private func heading(_ frame: CANFrame) -> OwnHeading? {
    guard frame.count == CANFrame.longest, let counts = NMEA2000.available(frame.little(UInt16.self, at: 1)) else {
      return nil
    }
    let degrees = Angle.degrees(Double(counts) * NMEA2000.angleCount)
    guard degrees <= 360.01 else { return nil }
    var own = OwnHeading()
    switch frame[7] & 3 {
    case 0: own.trueNorth = Heading(degrees: degrees)
    case 1:
      let magnetic = Heading<MagneticNorth>(degrees: degrees + (NMEA2000.angle(frame, at: 3) ?? 0))
      own.magnetic = magnetic
      own.trueNorth = (NMEA2000.angle(frame, at: 5) ?? variation).map { magnetic + Declination(degrees: $0) }
    default: return nil
    }
    return own
  }

  private mutating func isOfCompass(_ source: UInt8, alsoUnknown: Bool = false) -> Bool {
    let known = compass.chosen
    if alsoUnknown { return known == nil || known == UInt64(source) }
    guard compass.reads(UInt64(source)) else { return false }
    if let known, known != UInt64(source) { attitude.forget() }
    return true
  }

  /// The address of another compass that is passed over.
  var otherCompass: String? { compass.other.map { "the sender \($0)" } }

  private static func position(_ frame: CANFrame) -> WirePosition? {
    guard let latitude = frame.little(Int32.self, at: 0), let longitude = frame.little(Int32.self, at: 4),
      latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000
    else { return nil }
    return Coordinate(latitude: Double(latitude) * 1e-7, longitude: Double(longitude) * 1e-7).map {
      WirePosition(.whole, Position($0))
    }
  }
}
