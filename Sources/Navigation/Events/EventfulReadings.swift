import Glibc
import LodestoneCore

extension HeadingReading: EventfulReading {
  /// Events of headings, and of how the board is held.
  public static let events: [EventName] = [
    .orientation, .disturbed, .still, .moved, .tilt, .outside, .inside, .above, .below,
  ]
  /// True: north is 0 and 360.
  public static let isCircular = true
  /// Against true north where that is known.
  public var eventValue: Double? { trueHeading?.degrees ?? magneticHeading?.degrees }
  /// A degree.
  public var eventSlack: Double { 1 }
  /// Whether its quality says so.
  public var isDisturbed: Bool { quality == .disturbed }
  /// The orientation that the heading is of.
  public var heldOrientation: Orientation? { orientation }
  /// The tilt of the face: by the pitch of the back that the heading is of, else by pitch and roll.
  public var tilt: Double? { isOfBack ? pitch.map { 90 + $0 } : Inclination.tilt(pitch: pitch, roll: roll) }
  /// The heading as a point on a circle, so that north is no jump, and the tilt: 2° each.
  public var place: [(value: Double, slack: Double)] {
    guard let heading = magneticHeading?.degrees else { return [] }
    let slack = Angle.radians(2)
    let angles = [pitch, roll].map { (value: $0 ?? 0, slack: 2.0) }
    return [(cos(Angle.radians(heading)), slack), (sin(Angle.radians(heading)), slack)] + angles
  }
}

extension FieldReading: EventfulReading {
  /// Events of the difference to the zero-point.
  public static let events: [EventName] = [.outside, .inside, .above, .below, .still, .moved]
  /// How strong the difference is, or how large along a probe; at least, where an axis is saturated.
  public var eventValue: Double? { magnitude ?? (flags.contains(.oneAxis) ? abs(difference.x) : difference.length) }
  /// Whether an axis is at the end of its range.
  public var isLowerBound: Bool { flags.contains(.saturated) }
  /// The noise of the strength, or a hundredth of it. The ± grows with the age of the zero-point: by it no event would
  /// end.
  public var eventSlack: Double { max(scatter, (eventValue ?? 0) / 100) }
  /// The difference, axis by axis, within twice its noise, which noise alone leaves once in many hours.
  public var place: [(value: Double, slack: Double)] {
    (0..<(flags.contains(.oneAxis) ? 1 : 3)).map { (difference[$0], max(1, 2 * scatter)) }
  }
}

extension LevelReading: EventfulReading {
  /// Events of the tilt.
  public static let events: [EventName] = [.tilt, .still, .moved, .outside, .inside, .above, .below]
  /// The tilt.
  public var eventValue: Double? { tilt }
  /// A fifth of a degree.
  public var eventSlack: Double { 0.2 }
  /// The tilt by pitch and roll.
  public var tilt: Double? { Inclination.tilt(pitch: pitch, roll: roll) }
  /// Pitch and roll, within 0.3°.
  public var place: [(value: Double, slack: Double)] { [(pitch, 0.3), (roll, 0.3)] }
}

extension AttitudeReading: EventfulReading {
  /// Events of the yaw, and of rest.
  public static let events: [EventName] = [.still, .moved, .tilt, .outside, .inside, .above, .below]
  /// True: yaw is −180 and 180 in the same direction.
  public static let isCircular = true
  /// The yaw.
  public var eventValue: Double? {
    attitude.map { convention == .device ? $0.yawPitchRoll.x : $0.aerospaceAngles.x }
  }
  /// A degree.
  public var eventSlack: Double { 1 }
  /// The angle between the face and the horizontal.
  public var tilt: Double? {
    gravity.map { Angle.degrees($0.angle(to: Vector3(0, 0, convention == .ned ? 1 : -1))) }
  }
  /// The place by the instrument's own rest: the same while that lasts.
  public var place: [(value: Double, slack: Double)] {
    attitude == nil ? [] : [(isAtRest ? 0 : time, 0)]
  }
}

extension LocationReading: EventfulReading {
  /// Events of the distance, and of moving on.
  public static let events: [EventName] = [.outside, .inside, .above, .below, .still, .moved]
  /// The distance in metres.
  public var eventValue: Double? { distance }
  /// The error of the fix.
  public var eventSlack: Double { position.horizontalAccuracy ?? 1 }
  /// Whoever walks leaves the error of a fix in that many seconds.
  public static let patience = 10.0
  /// The least speed in m/s: a receiver at rest tells less.
  private static let leastSpeed = 0.5
  /// The Earth's mean radius in metres.
  private static let radius = 6_371_000.0

  /// The point on the globe in metres, within the error of the fix; no place where the receiver tells that it moves.
  public var place: [(value: Double, slack: Double)] {
    guard let here = position.coordinate else { return [] }
    let (latitude, longitude) = (Angle.radians(here.latitude), Angle.radians(here.longitude))
    let point = Vector3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)) * Self.radius
    let slack = max(2, position.horizontalAccuracy ?? 10)
    let moves = position.speed.map { $0 > Self.leastSpeed } ?? false
    return [(moves ? time : 0, 0)] + (0..<3).map { (point[$0], slack) }
  }
}

extension MotionReading: EventfulReading {
  /// The events of a hand's motion, of rest and of tilt.
  public static let events: [EventName] = [
    .movement, .shake, .jolt, .freeFall, .step, .orientation, .still, .moved, .tilt,
  ]
  /// The event that was recognized.
  public var told: EventName? { event.flatMap { EventName(rawValue: $0.kind.rawValue) } }
  /// From gravity.
  public var tilt: Double? { Angle.degrees(gravity.angle(to: Vector3(0, 0, -1))) }
  /// Gravity and what acts beside it, within 0.05 g.
  public var place: [(value: Double, slack: Double)] {
    (0..<3).map { (gravity[$0] + userAcceleration[$0], 0.05) }
  }
}

/// How far a face leans.
private enum Inclination {
  /// The angle between it and the horizontal, in degrees, by pitch and roll.
  static func tilt(pitch: Double?, roll: Double?) -> Double? {
    guard let pitch, let roll else { return nil }
    return Angle.degrees(acos(max(-1, min(1, cos(Angle.radians(pitch)) * cos(Angle.radians(roll))))))
  }
}
