import LodestoneCore

/// Parts of an attitude that a device tells apart from its heading.
public struct AttitudeParts: OptionSet, Sendable {
  /// One bit a part.
  public let rawValue: UInt8
  /// The parts from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Heading axis above the horizontal.
  public static let pitch = AttitudeParts(rawValue: 1)
  /// Right edge down.
  public static let roll = AttitudeParts(rawValue: 2)
  /// Clockwise.
  public static let rateOfTurn = AttitudeParts(rawValue: 4)
  /// The angle from magnetic to true north.
  public static let variation = AttitudeParts(rawValue: 8)

  /// Pitch and roll that a message with room for them does not hold.
  init(tiltMissingIn own: OwnHeading?) {
    self = []
    if own?.pitch == nil { insert(.pitch) }
    if own?.roll == nil { insert(.roll) }
  }
}

extension OwnHeading {
  /// The parts that are not there.
  var missing: AttitudeParts {
    var parts = AttitudeParts(tiltMissingIn: self)
    if rateOfTurn == nil { parts.insert(.rateOfTurn) }
    if trueNorth == nil { parts.insert(.variation) }
    return parts
  }
}

/// Heading, pitch, roll and turn come in different messages: what was told last is added to the next headings, for two
/// seconds, or until the device says that it does not know it any more. A true heading beside magnetic ones tells the
/// variation, and that is kept: a boat turns from one heading to the next.
struct HeldAttitude: Sendable {
  /// A number and when it was told.
  private struct Told {
    var value: Double
    var time: Double

    func value(at now: Double) -> Double? { abs(now - time) <= HeldAttitude.life ? value : nil }
  }

  private var pitch: Told?
  private var roll: Told?
  private var rateOfTurn: Told?
  private var variation: Told?
  /// The last magnetic heading, and the one before.
  private var (magnetic, before): (Told?, Told?)
  /// Whether true headings stand before the magnetic one of their moment, as the first did; only asked where times are
  /// not known.
  private var leads = false
  /// A true heading whose magnetic one has not come yet.
  private var lead: Told?
  private var latest = 0.0

  /// Seconds after which what was told no longer belongs to a heading.
  private static let life = 2.0
  /// Seconds from one message to the next where nobody knows them: as many messages as `CompassChoice` waits for.
  private static let step = life / 50
  /// Seconds up to which two headings are of one moment, however fast the turn.
  private static let moment = 0.1

  /// The heading with what belongs to it; nil while there is none. See `complete`.
  mutating func join(_ own: OwnHeading, without withdrawn: AttitudeParts = [], at time: Double?) -> OwnHeading? {
    var joined: OwnHeading? = own
    complete(&joined, without: withdrawn, at: time)
    return joined
  }

  /// Puts to a heading what belongs to it, where it lies; nil while there is none.
  /// - Parameters:
  ///   - withdrawn: what the device says not to know.
  ///   - time: in seconds; nil where nobody knows.
  mutating func complete(_ own: inout OwnHeading?, without withdrawn: AttitudeParts, at time: Double?) {
    let now = time ?? latest + Self.step
    latest = now
    Self.hold(&pitch, own?.pitch, isWithdrawn: withdrawn.contains(.pitch), at: now)
    Self.hold(&roll, own?.roll, isWithdrawn: withdrawn.contains(.roll), at: now)
    Self.hold(&rateOfTurn, own?.rateOfTurn, isWithdrawn: withdrawn.contains(.rateOfTurn), at: now)
    if withdrawn.contains(.variation) { (variation, lead) = (nil, nil) }
    guard let heading = own?.magnetic else { return completeTrue(&own, at: now, isTimed: time != nil) }
    note(heading, own?.trueNorth, at: now)
    if own?.trueNorth == nil, let east = variation?.value(at: now) {
      own?.trueNorth = heading + Declination(degrees: east)
    }
    addHeld(to: &own, at: now)
  }

  /// Puts to a true heading, without a magnetic one beside it, what belongs to it.
  private mutating func completeTrue(_ own: inout OwnHeading?, at now: Double, isTimed: Bool) {
    guard let trueNorth = own?.trueNorth else {
      own = nil
      return
    }
    if magnetic?.value(at: now) != nil {
      note(trueNorth, at: now, isTimed: isTimed)
      own = nil
      return
    }
    if !isTimed { (leads, lead) = (true, Told(value: trueNorth.degrees, time: now)) }
    addHeld(to: &own, at: now)
  }

  /// Puts pitch, roll and turn beside a heading.
  @inline(__always)
  private func addHeld(to own: inout OwnHeading?, at now: Double) {
    own?.pitch = pitch?.value(at: now)
    own?.roll = roll?.value(at: now)
    own?.rateOfTurn = rateOfTurn?.value(at: now)
  }

  /// Forgets what another device has told.
  mutating func forget() { self = HeldAttitude(at: latest) }

  init() {}

  private init(at time: Double) { latest = time }

  /// Keeps what a message tells of a part, or forgets it.
  @inline(__always)
  private static func hold(_ held: inout Told?, _ value: Double?, isWithdrawn: Bool, at now: Double) {
    if let value { held = Told(value: value, time: now) } else if isWithdrawn { held = nil }
  }

  /// A magnetic heading, with a true one of the same moment or without.
  private mutating func note(_ heading: Heading<MagneticNorth>, _ trueNorth: Heading<TrueNorth>?, at now: Double) {
    if let north = trueNorth?.degrees ?? lead?.value(at: now) {
      variation = Told(value: Angle.shortestTurn(from: heading.degrees, to: north), time: now)
    }
    lead = nil
    (before, magnetic) = (magnetic, Told(value: heading.degrees, time: now))
  }

  /// A true heading between magnetic ones: the variation is its difference from the magnetic heading of its moment.
  private mutating func note(_ trueNorth: Heading<TrueNorth>, at now: Double, isTimed: Bool) {
    if !isTimed, leads {
      lead = Told(value: trueNorth.degrees, time: now)
    } else if let heading = isTimed ? magneticHeading(at: now) : magnetic?.value {
      variation = Told(value: Angle.shortestTurn(from: heading, to: trueNorth.degrees), time: now)
    }
  }

  /// The magnetic heading now, at the pace at which it turned last; nil where that is not known and it may have turned.
  private func magneticHeading(at now: Double) -> Double? {
    guard let magnetic else { return nil }
    guard let before, magnetic.time > before.time, magnetic.time - before.time <= Self.life else {
      return now - magnetic.time <= Self.moment ? magnetic.value : nil
    }
    let pace = Angle.shortestTurn(from: before.value, to: magnetic.value) / (magnetic.time - before.time)
    return magnetic.value + pace * (now - magnetic.time)
  }
}
