import LodestoneCore

/// The quantities that a device tells.
public struct DeviceParts: OptionSet, Hashable, Sendable {
  /// One bit a part.
  public let rawValue: UInt8
  /// From bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A magnetic field along three axes.
  public static let field = DeviceParts(rawValue: 1)
  /// A specific force along three axes.
  public static let acceleration = DeviceParts(rawValue: 2)
  /// Rotation rates about three axes.
  public static let rotation = DeviceParts(rawValue: 4)
  /// A heading or an attitude that it computed itself.
  public static let heading = DeviceParts(rawValue: 8)
  /// Positions, as a receiver tells them.
  public static let position = DeviceParts(rawValue: 16)
  /// How strong the field is: its numbers are more than directions.
  public static let strength = DeviceParts(rawValue: 32)
  /// The field along the axis of a probe, which has no other: a part of the field, and neither its direction nor its
  /// strength.
  public static let alongProbe = DeviceParts(rawValue: 64)
  /// A specific force that the calibration left out of what belongs to the field.
  public static let forceAlone = DeviceParts(rawValue: 128)

  /// The quantities in a sample of a stream.
  public init(_ sample: borrowing Sample) {
    self.init(
      field: sample.field != nil, sample.flags, acceleration: sample.acceleration != nil,
      rotation: sample.rotationRate != nil, heading: sample.own != nil, alongProbe: sample.alongProbe != nil)
  }

  /// The quantities in a sample.
  public init(_ sample: borrowing DeviceSample) {
    self.init(
      field: sample.field != nil, sample.flags, acceleration: sample.acceleration != nil,
      rotation: sample.rotationRate != nil, heading: sample.own != nil, alongProbe: sample.alongProbe != nil)
    if sample.forceAlone != nil { insert(.forceAlone) }
  }

  private init(
    field: Bool, _ flags: Sample.Flags, acceleration: Bool, rotation: Bool, heading: Bool, alongProbe: Bool
  ) {
    self = []
    if field { formUnion(flags.contains(.unscaled) ? .field : [.field, .strength]) }
    if acceleration { insert(.acceleration) }
    if rotation { insert(.rotation) }
    if heading { insert(.heading) }
    if alongProbe { insert(.alongProbe) }
  }

  /// Whether the field is in counts of unknown scale, where its strength is needed.
  public func lackScale(for needs: DeviceParts) -> Bool {
    needs.contains(.strength) && contains(.field) && !contains(.strength)
  }

  /// Whether an attitude can be told of it: by a gyroscope beside an accelerometer, or by the device itself.
  public var tellAttitude: Bool { contains([.acceleration, .rotation]) || contains(.heading) }

  /// The sensor that an attitude against north still needs beside a gyroscope; nil where there are all.
  public var missingForAttitude: DeviceParts? {
    contains(.acceleration) ? contains(.field) ? nil : .field : .acceleration
  }
}

/// Watches whether a device tells anything that an instrument can use.
public struct PartsWatch: Sendable {
  /// Seconds in vain after which the user is told; the shorter one counts from a first sample that came late.
  private static let patience = (late: 3.0, short: 0.9)
  /// The factor on that where a recording tells no times, and its messages are counted, one a second.
  private static let counted = 100.0
  /// Seconds that no device is silent for: so far apart are a clock from zero and one that tells the date.
  private static let anotherClock = 1e8

  /// Any of these is enough.
  public private(set) var needed: DeviceParts
  /// The parts that the device has told so far.
  public private(set) var seen: DeviceParts = []
  /// The times of the first sample and of the first position, which have a clock of their own where they tell a date.
  private var firstSample: Double?
  private var firstPosition: Double?
  private var isTold = false
  /// Whether times are numbers of messages.
  public var countsMessages = false
  /// Whether something of use has come.
  public private(set) var isOver = false

  /// A watch that has seen nothing yet.
  public init(needed: DeviceParts = []) { self.needed = needed }

  /// Somebody else listens, for whom any of these is enough.
  public mutating func need(_ parts: DeviceParts) { needed.formUnion(parts) }

  /// Takes in what a device has told at a time in seconds; true when it is time to tell that nothing of it is of use.
  public mutating func see(_ parts: DeviceParts, at time: Double) -> Bool {
    seen.formUnion(parts)
    isOver = !seen.isDisjoint(with: needed)
    let start = parts == .position ? Self.start(&firstPosition, at: time) : Self.start(&firstSample, at: time)
    guard !isOver, !isTold else { return false }
    if parts.contains(.alongProbe) {  // A probe grows no other axes.
      isTold = true
      return true
    }
    // Live streams begin at zero: a board that took its time to start has been waited for already.
    let isLate = time >= Self.patience.late && start >= 0 && start < Self.patience.late
    let patience = (isLate ? Self.patience.short : Self.patience.late) * (countsMessages ? Self.counted : 1)
    guard time - start >= patience else { return false }
    isTold = true
    return true
  }

  /// The time that seconds are counted from. A receiver may learn the date after its first position.
  private static func start(_ first: inout Double?, at time: Double) -> Double {
    if let first, abs(time - first) < anotherClock { return first }
    first = time
    return time
  }

  /// Seconds from the first sample to a time; nil where no sample has come, or times count messages.
  public func seconds(until time: Double) -> Double? { countsMessages ? nil : firstSample.map { time - $0 } }

  /// Whether something came and nothing of it is of use.
  public var isInVain: Bool { !seen.isEmpty && seen.isDisjoint(with: needed) }
}
