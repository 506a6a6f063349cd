import LodestoneCore

/// Parts of an attitude that a device tells apart from its heading.
public struct AttitudeParts: OptionSet, Sendable {
  /// One bit a part.
  public let rawValue: UInt8
  /// From bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Heading axis above the horizontal.
  public static let pitch = AttitudeParts(rawValue: 1)
  /// Right edge down.
  public static let roll = AttitudeParts(rawValue: 2)
  /// Clockwise.
  public static let rateOfTurn = AttitudeParts(rawValue: 4)
  /// From magnetic to true north.
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
  /// True headings stand before the magnetic one of their moment, as the first did; only asked where times are not known.
  private var leads = false
  /// One whose magnetic heading has not come yet.
  private var lead: Told?
  private var latest = 0.0

  /// Seconds after which what was told no longer belongs to a heading.
  private static let life = 2.0
  /// Seconds from one message to the next where nobody knows them: as many messages as `CompassChoice` waits for.
  private static let step = life / 50
  /// Seconds up to which two headings are of one moment, however fast the turn.
  private static let moment = 0.1

  /// The heading with what belongs to it; nil while there is none.
  /// - Parameters:
  ///   - withdrawn: what the device says not to know.
  ///   - time: in seconds; nil where nobody knows.
  mutating func join(_ own: OwnHeading, without withdrawn: AttitudeParts = [], at time: Double?) -> OwnHeading? {
    let now = time ?? latest + Self.step
    latest = now
    hold(own, withdrawn, at: now)
    if let magnetic = own.magnetic {
      note(magnetic, own.trueNorth, at: now)
    } else {
      guard let trueNorth = own.trueNorth else { return nil }
      if magnetic?.value(at: now) != nil {
        note(trueNorth, at: now, isTimed: time != nil)
        return nil
      }
      if time == nil { (leads, lead) = (true, Told(value: trueNorth.degrees, time: now)) }
    }
    var joined = own
    joined.pitch = pitch?.value(at: now)
    joined.roll = roll?.value(at: now)
    joined.rateOfTurn = rateOfTurn?.value(at: now)
    if own.trueNorth == nil, let magnetic = own.magnetic, let east = variation?.value(at: now) {
      joined.trueNorth = magnetic + Declination(degrees: east)
    }
    return joined
  }

  /// Forgets what another device has told.
  mutating func forget() { self = HeldAttitude(at: latest) }

  init() {}

  private init(at time: Double) { latest = time }

  private mutating func hold(_ own: OwnHeading, _ withdrawn: AttitudeParts, at now: Double) {
    func told(_ value: Double?, _ part: AttitudeParts, _ held: Told?) -> Told? {
      value.map { Told(value: $0, time: now) } ?? (withdrawn.contains(part) ? nil : held)
    }
    pitch = told(own.pitch, .pitch, pitch)
    roll = told(own.roll, .roll, roll)
    rateOfTurn = told(own.rateOfTurn, .rateOfTurn, rateOfTurn)
    variation = told(nil, .variation, variation)
    if withdrawn.contains(.variation) { lead = nil }
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
