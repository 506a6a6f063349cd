import Calibration
import Geomagnetism
import Instruments
import LodestoneCore
import LodestonePorts
import Navigation

/// A compass of a device.
public typealias CompassSession = Session<Compass>
/// A teslameter of a device.
public typealias TeslameterSession = Session<Teslameter>
/// The attitude of a device with a gyroscope.
public typealias AttitudeSession = Session<Attitude>
/// An inclinometer of a device with an accelerometer.
public typealias LevelSession = Session<Level>
/// The movements of a device with an accelerometer.
public typealias MotionSession = Session<Motion>
/// Where a receiver is, and how far it has gone.
public typealias LocationSession = Session<Location>

/// An instrument with everything around it: the device's stream, its calibration, the place that follows positions, and
/// the loop that waits for them. An address in, readings out.
///
/// A session belongs to whoever made it: one thread or task uses it at a time.
public final class Session<Device: Instrument> {
  /// What happened, for programs that do more than take readings.
  public enum Event {
    /// A reading came: it is the session's `reading`.
    case reading
    /// A sample came that the instrument made no reading of: it is the session's `sample`.
    case sample
    /// Something that the user should know.
    indirect case notice(Notice)
    /// Bytes from the keyboard, where the loop reads it; none when it has ended.
    case keys(UnsafeRawBufferPointer)
    /// The loop's `tickInterval` has passed.
    case tick
    /// The terminal has another size.
    case resized
  }

  /// What a program does with what happened.
  public typealias Body = (Event) throws -> StreamLoop.Verdict

  /// What is read.
  public var stream: any SampleStream { loop.stream }
  /// Where it waits.
  public let loop: StreamLoop
  /// The calibration in use; nil for none.
  public let profile: Profile?
  /// What a swing with this calibration found; nil where none is kept.
  public let deviation: SavedDeviation?
  /// Where the device is.
  public let place: LocalField
  /// The instrument, to be asked or told something besides its readings.
  /// Unchecked, like what follows: asked for each sample, and changed between samples only.
  @exclusivity(unchecked) public var instrument: Device
  /// The last reading.
  @exclusivity(unchecked) public private(set) var reading = Device.Reading()
  /// The last sample, in the device frame.
  @exclusivity(unchecked) public private(set) var sample = DeviceSample()
  /// Called with what the user should know. Without it nobody is told, except by `run`.
  @exclusivity(unchecked) public var onNotice: ((Notice) -> Void)?

  private let frame: DeviceFrame
  @exclusivity(unchecked) private var watch: CalibrationWatch?
  @exclusivity(unchecked) private var waiting: [Notice] = []
  private var hasEnded = false
  /// Whether the device tells anything of use here.
  private var parts = PartsWatch(needed: Device.needs)

  /// A session with a device by its address, or with the only one attached.
  /// - Parameters:
  ///   - device: such as `/dev/ttyACM0`, `usb:`, `sim:` or a recording.
  ///   - place: where it is: gives true headings.
  ///   - profile: the calibration.
  ///   - mounting: how the chip sits in the device.
  ///   - settings: of the instrument.
  public convenience init(
    device: String? = nil, place: Place? = nil, profile: ProfileChoice = .saved, mounting: Mounting = .aligned,
    settings: Device.Settings = Device.Settings()
  ) throws {
    var open = OpenOptions()
    open.autoRange = Device.followsRange
    open.readsAhead = !Device.readsPositions
    var options = SessionOptions()
    options.place = PlaceSettings(place)
    options.profile = profile
    options.mounting = mounting
    try self.init(Devices.open(device, open), settings, options)
  }

  /// A session with a stream.
  /// - Parameters:
  ///   - output: where a command writes lines; nil for a program that takes readings itself.
  ///   - takesSignals: Ctrl-C ends the session instead of the process.
  public init(
    _ stream: any SampleStream, _ settings: Device.Settings = Device.Settings(),
    _ options: SessionOptions = SessionOptions(), output: OutputPipe? = nil, takesSignals: Bool = false
  ) throws {
    if Device.readsPositions, !stream.seekPositions() { throw StreamError.noReceiver(stream.identity) }
    place = try LocalField(options.place, isLive: stream.isLive)
    let profile = try options.profile.load(for: stream)
    self.profile = profile
    frame = DeviceFrame(profile, mounting: options.mounting)
    instrument = Device(settings, profile: profile, mounting: options.mounting)
    deviation = try Self.deviation(options.profile, profile, of: stream.identity)
    if let deviation { instrument.follow(deviation.deviation) }
    stream.follow(Device.handRequest)
    watch = Device.watchesCalibration ? CalibrationWatch(profile) : nil
    loop = try StreamLoop(stream, output: output, takesSignals: takesSignals)
    loop.duration = options.duration
    loop.followsPositions = Device.readsPositions
    if stream.isLive { loop.companions.append(place) }
    place.onNotice = { [unowned self] in waiting.append($0) }
    place.onChange = { [unowned self] in instrument.follow($0) }
    instrument.follow(place.earth.map { EarthReference($0) })
    place.begin()
    guard let location = options.location else { return }
    let positions = try AddressSchemes.open(location, OpenOptions())
    loop.companions.append(SecondStream(positionsOf: positions, name: location, for: place))
  }

  private static func deviation(
    _ choice: ProfileChoice, _ profile: Profile?, of device: String
  ) throws(ProfileStoreProblem) -> SavedDeviation? {
    guard let profile, let path = try choice.path(of: device) else { return nil }
    return try SavedDeviation.kept(beside: path, for: profile)
  }

  /// Puts the last reading where it is wanted: for loops, where a property would be copied on its way.
  @_specialize(where Device == Compass)
  public func copyReading(to reading: inout Device.Reading) { reading = self.reading }

  /// Puts a notice among those of the session, for whoever takes them.
  public func tell(_ notice: Notice) { waiting.append(notice) }

  /// The next reading, waited for as long as it takes; nil at the end of a recording, and when `stop` was called.
  public func next() throws -> Device.Reading? {
    var isThere = false
    _ = try pump { event in
      guard case .reading = event else { return .goOn }
      isThere = true
      return .stop
    }
    return isThere ? reading : nil
  }

  /// Ends `next`, `run` or the sequence of readings that is under way; from any thread.
  public var stop: @Sendable () -> Void {
    let bell = loop.bell
    return { bell.ring() }
  }

  /// Runs until something ends it, with everything that happens. What was written has reached the output then.
  @_specialize(where Device == Compass)
  public func run(_ body: Body) throws -> StreamLoop.End {
    let end = try loop.run { event in try take(event, body) }
    try conclude(end, body)
    return end
  }

  private func pump(_ body: Body) throws -> StreamLoop.End {
    let end = try loop.pump { event in try take(event, body) }
    try conclude(end, body)
    return end
  }

  /// What an instrument still has to say when its stream has ended.
  private func conclude(_ end: StreamLoop.End, _ body: Body) throws {
    guard !hasEnded, end == .streamEnded || end == .durationReached else { return }
    hasEnded = true
    if end == .streamEnded, parts.isInVain { throw SessionError.nothingOfUse(tells: parts.seen, needs: parts.needed) }
    if let notice = instrument.end() { _ = try tell(.instrument(notice), body) }
  }

  @_specialize(where Device == Compass)
  private func take(_ event: StreamLoop.Event, _ body: Body) throws -> StreamLoop.Verdict {
    switch event {
    case .sample: return try take(body)
    case .notice(let notice): return try tell(.stream(notice), body)
    case .position(let position):
      guard !Device.readsPositions else { return try take(position, body) }
      place.move(to: position)
      if !parts.isOver, parts.see(.position, at: position.time), try tellUseless(body) == .stop { return .stop }
    case .keys(let bytes): return try body(.keys(bytes))
    case .tick:
      if try tellWaiting(body) == .stop { return .stop }
      return try body(.tick)
    case .resized: return try body(.resized)
    }
    return try tellWaiting(body)
  }

  @_specialize(where Device == Compass)
  @inline(__always)
  private func take(_ body: Body) throws -> StreamLoop.Verdict {
    frame.read(loop.sample, into: &sample)
    if !waiting.isEmpty, try tellWaiting(body) == .stop { return .stop }
    if watch?.isDue(at: sample.time) == true {
      for notice in watch?.see(sample) ?? [] where try tell(.instrument(notice), body) == .stop { return .stop }
    }
    if !parts.isOver, parts.see(DeviceParts(sample), at: sample.time), try tellUseless(body) == .stop { return .stop }
    let isReading = instrument.read(sample, into: &reading)
    if try tellInstrument(body) == .stop { return .stop }
    return try body(isReading ? .reading : .sample)
  }

  /// Says that nothing that the device tells is of use here.
  private func tellUseless(_ body: Body) throws -> StreamLoop.Verdict {
    try tell(.instrument(.nothingOfUse(tells: parts.seen, needs: parts.needed)), body)
  }

  /// What a receiver said: a reading, or nothing.
  private func take(_ position: Position, _ body: Body) throws -> StreamLoop.Verdict {
    let isReading = instrument.read(position, into: &reading)
    if try tellInstrument(body) == .stop { return .stop }
    return isReading ? try body(.reading) : .goOn
  }

  @inline(__always)
  private func tellInstrument(_ body: Body) throws -> StreamLoop.Verdict {
    while let notice = instrument.nextNotice() {
      if try tell(.instrument(notice), body) == .stop { return .stop }
    }
    return .goOn
  }

  private func tellWaiting(_ body: Body) throws -> StreamLoop.Verdict {
    while !waiting.isEmpty {
      if try tell(waiting.removeFirst(), body) == .stop { return .stop }
    }
    return .goOn
  }

  private func tell(_ notice: Notice, _ body: Body) throws -> StreamLoop.Verdict {
    onNotice?(notice)
    if case .instrument(.zeroRefused(let refusal, isFinal: true)) = notice { throw SessionError.noZeroPoint(refusal) }
    return try body(.notice(notice))
  }
}
