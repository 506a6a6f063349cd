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
/// The place of a receiver, and how far it has gone.
public typealias LocationSession = Session<Location>

/// A device with one instrument on it: an address in, readings out.
///
/// A session belongs to whoever made it: one thread or task uses it at a time.
public final class Session<Kind: Instrument> {
  /// An event of a session, for programs that do more than take readings.
  public enum Event {
    /// A reading came: it is the session's `reading`.
    case reading
    /// A sample came that the instrument made no reading of, or one that was thinned out: it is the session's `sample`.
    case sample
    /// A notice for the user.
    indirect case notice(Notice)
    /// The loop's `tickInterval` has passed.
    case tick
    /// The loop has waited, and served whoever shares the wait.
    case turn
  }

  /// A program's answer to an event.
  public typealias Body = (Event) throws -> StreamLoop.Verdict

  /// The device, for another instrument besides.
  public let device: Device
  /// The instrument on the device.
  public let attachment: Attachment<Kind>

  /// The stream that is read.
  public var stream: any SampleStream { device.stream }
  /// The loop in which it waits.
  public var loop: StreamLoop { device.loop }
  /// The calibration in use; nil for none.
  public var profile: Profile? { device.profile }
  /// The result of a swing with this calibration; nil where none is kept.
  public var deviation: SavedDeviation? { device.deviation }
  /// The Earth's field where the device is.
  public var place: LocalField { device.place }
  /// The instrument, to be asked or told something besides its readings.
  public var instrument: Kind {
    _read { yield attachment.instrument }
    _modify { yield &attachment.instrument }
  }
  /// The last reading.
  public var reading: Kind.Reading { attachment.reading }
  /// The last sample, in the device frame.
  public var sample: DeviceSample { device.sample }
  /// Called with what the user should know. Without it nobody is told, except by `run`.
  public var onNotice: ((Notice) -> Void)? {
    get { device.onNotice }
    set { device.onNotice = newValue }
  }

  /// A session with a device by its address, or with the only one attached.
  /// - Parameters:
  ///   - device: such as `/dev/ttyACM0`, `usb:`, `sim:` or a recording.
  ///   - place: where it is: gives true headings.
  ///   - profile: the calibration.
  ///   - mounting: how the chip sits in the device.
  ///   - settings: of the instrument.
  public convenience init(
    device: String? = nil, place: Place? = nil, profile: ProfileChoice = .saved, mounting: Mounting = .aligned,
    settings: Kind.Settings = Kind.Settings()
  ) throws {
    var open = OpenOptions()
    open.autoRange = Kind.followsRange
    open.readsAhead = !Kind.readsPositions
    try self.init(
      Devices.open(device, open), settings, SessionOptions(place: place, profile: profile, mounting: mounting))
  }

  /// A session with a source of one's own.
  public convenience init(
    source: some SampleSource, place: Place? = nil, profile: ProfileChoice = .saved, mounting: Mounting = .aligned,
    settings: Kind.Settings = Kind.Settings()
  ) throws {
    try self.init(
      source.makeStream(), settings, SessionOptions(place: place, profile: profile, mounting: mounting))
  }

  /// A session with a stream that is open.
  /// - `output`: where a command writes lines; nil for a program that takes readings itself.
  /// - `takesSignals`: Ctrl-C ends the session instead of the process.
  public init(
    _ stream: any SampleStream, _ settings: Kind.Settings = Kind.Settings(),
    _ options: SessionOptions = SessionOptions(), output: OutputPipe? = nil, takesSignals: Bool = false
  ) throws {
    device = try Device(stream, options, output: output, takesSignals: takesSignals)
    attachment = device.attach(Kind.self, settings)
    try device.begin()
  }

  /// Puts a notice among those of the session, to be told with them.
  public func tell(_ notice: Notice) { device.tell(notice) }

  /// The next reading, waited for as long as it takes; nil at the end of a recording, and when `stop` was called.
  public func next() throws -> Kind.Reading? {
    var isThere = false
    _ = try device.pump(until: { event in
      try pass(
        event,
        to: {
          guard case .reading = $0 else { return .goOn }
          isThere = true
          return .stop
        })
    })
    return isThere ? attachment.reading : nil
  }

  /// Ends `next`, `run` or the sequence of readings that is under way; from any thread.
  public var stop: @Sendable () -> Void { device.stop }

  /// Runs until something ends it, with everything that happens. What was written has reached the output then.
  public func run(_ body: Body) throws -> StreamLoop.End {
    try device.run { event in try pass(event, to: body) }
  }

  @inline(__always)
  private func pass(_ event: Device.Event, to body: Body) throws -> StreamLoop.Verdict {
    switch event {
    case .sample: return try body(attachment.isFresh ? .reading : .sample)
    case .position: return attachment.isFresh ? try body(.reading) : .goOn
    case .tick: return try body(.tick)
    case .turn: return try body(.turn)
    case .notice(let notice):
      if case .instrument(.zeroRefused(let refusal, isFinal: true)) = notice {
        throw SessionError.noZeroPoint(refusal)
      }
      return try body(.notice(notice))
    }
  }
}
