import LodestoneCore

/// Keeps the compasses of a stream of NMEA 0183 sentences apart, by their talkers, and the headings that one talker
/// tells several times: of each moment one is read.
///
/// A talker with a magnetic compass is read before a log that passes headings on, and that before one that tells true
/// headings alone; of equals the first one heard. Another takes over when it falls silent.
struct NMEATalkers: Sendable {
  /// The origin of a heading, by its sentence; the best is last.
  private enum Origin: Int {
    /// True headings alone, as of HDT, THS and PASHR.
    case trueNorth
    /// VHW: a heading that was passed on, often rounded.
    case log
    /// HDM, and the sentences of makers.
    case compass
    /// HDG: the sensor's heading with deviation and variation.
    case sensor

    init(isMagnetic: Bool, _ address: NMEAAddress) {
      guard isMagnetic else {
        self = .trueNorth
        return
      }
      switch address.sentence {
      case NMEASentence.Word.hdg: self = .sensor
      case NMEASentence.Word.vhw: self = .log
      default: self = .compass
      }
    }
  }

  /// The choice of a talker.
  private var talkers = CompassChoice()
  /// The choice of a sentence of the talker that is read.
  private var sentences = CompassChoice()
  /// The time at which the next sentences arrived, in seconds of the stream; nil where nobody says.
  private var now: Double?
  /// The last headings of the talker that is read, in degrees.
  private var (magnetic, trueNorth): (Double?, Double?)
  /// The variation by its VHW while the heading of that is not read, in degrees, east positive.
  private var variation: Double?
  /// A talker that is passed over and tells other headings, and how many it has told in a row.
  private var other: (talker: UInt64, count: Int)?

  /// Degrees by which headings of one moment may differ: they are rounded, or passed on a little later.
  private static let agreement = 2.0
  /// Other headings in a row from which on a talker is another compass.
  private static let several = 5

  /// Notes when the next sentences arrived, in seconds of the stream.
  mutating func hear(at arrival: Double) { now = arrival }

  /// The talkers as at the start of the stream, with what is known of who speaks in it.
  func fromStart() -> NMEATalkers {
    var start = NMEATalkers()
    (start.talkers, start.sentences) = (talkers, sentences)
    return start
  }

  /// The talker that tells other headings and is left out, and the one that is read; nil where there is none.
  var otherCompass: String? {
    guard let other, other.count >= Self.several, let chosen = talkers.chosen else { return nil }
    return "talker \(NMEAAddress.text(other.talker)); \(NMEAAddress.text(chosen)) is read"
  }

  /// Takes the heading out of a message where another talker is read, or a better sentence of the same one.
  mutating func sift(_ message: inout WireMessage, _ address: NMEAAddress) {
    let (told, toldNorth) = (message.own?.magnetic, message.own?.trueNorth)
    guard told != nil || toldNorth != nil else { return }
    let (talker, before, origin) = (address.talker, talkers.chosen, Origin(isMagnetic: told != nil, address))
    guard talkers.reads(talker, rank: min(origin.rawValue, Origin.compass.rawValue), at: now) else {
      compare(told, toldNorth, of: talker)
      return message.removeHeading()
    }
    if before != nil, before != talker {
      self = NMEATalkers(talkers, at: now)
      // The true north told so far was that of the other compass.
      message.withdrawn.insert(.variation)
    }
    // A true heading belongs to the magnetic ones beside it.
    let isBeside = origin == .trueNorth && sentences.rank > Origin.trueNorth.rawValue
    guard isBeside || sentences.reads(address.bits, rank: origin.rawValue, at: now) else {
      if origin == .log { variation = Self.variation(told, toldNorth) }
      return message.removeHeading()
    }
    if let told { magnetic = told.degrees }
    if let toldNorth {
      trueNorth = toldNorth.degrees
    } else if let variation, let told {
      let north = told + Declination(degrees: variation)
      message.own?.trueNorth = north
      trueNorth = north.degrees
    }
  }

  init() {}

  private init(_ talkers: CompassChoice, at now: Double?) { (self.talkers, self.now) = (talkers, now) }

  /// Counts headings of a talker that is passed over while they differ from those of the one that is read. Where the
  /// two tell different norths nothing says that they agree.
  private mutating func compare(
    _ told: Heading<MagneticNorth>?, _ toldNorth: Heading<TrueNorth>?, of talker: UInt64
  ) {
    guard other.map({ $0.talker == talker && $0.count < Self.several }) ?? true else { return }
    let pairs = [(told?.degrees, magnetic), (toldNorth?.degrees, trueNorth)]
    let apart = pairs.lazy.compactMap { told, known in
      if let told, let known { abs(Angle.shortestTurn(from: known, to: told)) } else { nil }
    }.first
    other = apart.map { $0 <= Self.agreement } == true ? nil : (talker, (other?.count ?? 0) + 1)
  }

  /// The angle from magnetic to true north, in degrees; nil where one of them is not told.
  private static func variation(_ magnetic: Heading<MagneticNorth>?, _ trueNorth: Heading<TrueNorth>?) -> Double? {
    guard let magnetic, let trueNorth else { return nil }
    return Angle.shortestTurn(from: magnetic.degrees, to: trueNorth.degrees)
  }
}

extension WireMessage {
  /// Leaves the heading out, and what is said not to be known with it. Pitch, roll and turn stay.
  fileprivate mutating func removeHeading() {
    withdrawn = []
    guard var own else { return }
    (own.magnetic, own.trueNorth, own.accuracy) = (nil, nil, nil)
    self.own = own == OwnHeading() ? nil : own
  }
}
