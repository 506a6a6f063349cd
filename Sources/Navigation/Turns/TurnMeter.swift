import Calibration
import LodestoneCore

/// Counts the turns of a magnet: of a water or gas meter, an anemometer, a wheel.
public struct TurnMeter: Instrument {
  /// Counts.
  public typealias Reading = TurnReading
  /// A field, or a part of it: one axis shows a magnet that turns.
  public static let needs: DeviceParts = [.field, .alongProbe]
  /// True: a magnet may be strong.
  public static let followsRange = true

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// Whole turns forward before the first sample.
    public var forward = 0
    /// Whole turns backward before the first sample.
    public var backward = 0
    /// The axis that forward turns go round by the right hand, in the device frame; nil takes the direction of the
    /// first turn. See ``TurnReading/forwardAxis``.
    public var forwardAxis: Vector3?

    /// Settings for a count from zero.
    public init() {}
  }

  private let start: (forward: Int, backward: Int)
  private var counter: TurnCounter
  private var pace = TurnPace()
  private var last = TurnReading()
  private var isSaturated = false

  /// The largest count that a record holds exactly.
  private static let most = 1 << 53
  private static func count(_ turns: Int) -> Int { max(-most, min(turns, most)) }
  /// Seconds between two readings at most.
  private static let longest = 1.0
  /// A magnet that turns by less within a second or two stands.
  private static let leastTurn = 0.05

  /// A counter of any device.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    start = (Self.count(settings.forward), Self.count(settings.backward))
    counter = TurnCounter(forwardAxis: settings.forwardAxis)
  }

  /// A reading after each whole turn, and one a second.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout TurnReading) -> Bool {
    let along = sample.alongProbe.map { Vector3($0, 0, 0) }
    guard let field = sample.field?.field.microtesla ?? along, field.isFinite else { return false }
    let time = sample.time
    if sample.flags.contains(.saturated) { isSaturated = true }
    counter.add(field)
    let (forward, backward) = (start.forward + counter.forward, start.backward + counter.backward)
    let isNews = forward != last.forward || backward != last.backward
    guard isNews || time - last.time >= Self.longest || time < last.time else { return false }
    reading = TurnReading()
    reading.time = time
    reading.turns = Double(start.forward - start.backward) + counter.turns
    (reading.forward, reading.backward) = (forward, backward)
    reading.amplitude = counter.amplitude
    reading.forwardAxis = counter.forwardAxis
    if counter.view != .none, let made = pace.turns(counter.turns, at: time) {
      reading.rate = abs(made.turns) / made.seconds * 60
      let isTurning = abs(made.turns) > Self.leastTurn
      reading.direction =
        !isTurning ? .standing : counter.view == .oneAxis ? nil : made.turns > 0 ? .forward : .backward
    }
    if counter.view == .none { reading.flags.insert(.searching) }
    if counter.view == .oneAxis { reading.flags.insert(.oneAxis) }
    if counter.isTooFast { reading.flags.insert(.tooFast) }
    if isSaturated { reading.flags.insert(.saturated) }
    isSaturated = false
    last = reading
    return true
  }
}

/// Turns of the last second or two.
private struct TurnPace: Sendable {
  private var marks: [(time: Double, turns: Double)] = []

  mutating func turns(_ turns: Double, at time: Double) -> (turns: Double, seconds: Double)? {
    if let last = marks.last, time < last.time { marks = [] }
    if marks.last.map({ time - $0.time >= 1 }) != false { marks.append((time, turns)) }
    if marks.count > 2 { marks.removeFirst() }
    guard let first = marks.first, time > first.time else { return nil }
    return (turns - first.turns, time - first.time)
  }
}

/// The turns counted up to one moment.
public struct TurnReading: Record, Equatable {
  /// The direction in which a magnet turns.
  public enum Direction: String, CaseIterable, Sendable {
    /// The way of the first turn that was ever counted; the other way; not at all.
    case forward, backward, standing
  }

  /// Facts that the numbers do not show.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Nothing is seen to go round yet: what has passed is counted once it is.
    public static let searching = Flags(rawValue: 1)
    /// One axis alone sees the magnet: all turns count as forward.
    public static let oneAxis = Flags(rawValue: 2)
    /// About as fast as half the sampling rate, or faster: the count may be wrong.
    public static let tooFast = Flags(rawValue: 4)
    /// The sensor was at the end of its range.
    public static let saturated = Flags(rawValue: 8)

    static let words = ["searching", "one-axis", "too-fast", "saturated"]
  }

  /// The time of its sample in seconds.
  public var time = 0.0
  /// Forward less backward, with the fraction of the turn under way.
  public var turns = 0.0
  /// Whole turns as the first one went.
  public var forward = 0
  /// Whole turns the other way.
  public var backward = 0
  /// The direction; nil where that cannot be told.
  public var direction: Direction?
  /// Turns a minute, whichever way; nil before anything goes round.
  public var rate: Double?
  /// Half of what the field swings, in µT; nil before anything goes round.
  public var amplitude: Double?
  /// The axis that forward turns go round by the right hand, of length one in the device frame; nil before it is known.
  /// A counter that is to go on later needs it. It is no column.
  public var forwardAxis: Vector3?
  /// Facts that the numbers do not show.
  public var flags: Flags = []

  /// A reading without a turn.
  public init() {}

  /// The kind of record.
  public static let schema = RecordSchema("turns", of: TurnReading.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    columns.add(.number("turns", .none, decimals: 2), turns)
    columns.add(.integer("forward_turns").asTotal(), forward)
    columns.add(.integer("backward_turns").asTotal(), backward)
    columns.add("direction", word: direction)
    columns.add(.number("rate", .perMinute, decimals: 2), rate)
    columns.add(.field("amplitude"), amplitude)
    columns.add(.flags("flags", Flags.words), Int(flags.rawValue))
  }
}

/// A meter whose magnet turns once for so much water or gas.
public struct VolumeMeter: Instrument {
  /// Counts and volumes.
  public typealias Reading = VolumeReading
  /// The parts that its counter reads.
  public static let needs = TurnMeter.needs
  /// True: a magnet may be strong.
  public static let followsRange = true

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// The counter's settings.
    public var turns = TurnMeter.Settings()
    /// Litres that pass in a turn.
    public var litresPerTurn = 1.0

    /// A litre a turn.
    public init() {}
  }

  private let litres: Double
  private var meter: TurnMeter

  /// A meter of any device.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    litres = settings.litresPerTurn
    meter = TurnMeter(settings.turns, profile: profile, mounting: mounting)
  }

  /// A reading after each whole turn, and one a second.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout VolumeReading) -> Bool {
    guard meter.read(sample, into: &reading.count) else { return false }
    reading.volume = Double(reading.count.forward) * litres
    reading.flow = reading.count.rate.map { reading.count.direction == .backward ? -$0 * litres : $0 * litres }
    return true
  }
}

/// Counts with the volumes that they stand for.
public struct VolumeReading: Record, Equatable {
  /// The counts.
  public var count = TurnReading()
  /// The volume in litres, by the whole turns forward: it never falls.
  public var volume = 0.0
  /// The flow in litres a minute, backward negative.
  public var flow: Double?

  /// A reading without a turn.
  public init() {}
  /// The time of the count in the stream's seconds.
  public var time: Double { count.time }

  /// The kind of record.
  public static let schema = RecordSchema("turns", of: VolumeReading.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    count.list(in: &columns)
    columns.add(.volume("volume").asTotal(), volume)
    columns.add(.number("flow", .litresPerMinute, decimals: 3), flow)
  }
}
