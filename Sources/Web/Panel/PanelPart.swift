import Calibration
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation

/// One instrument of the panel, whatever it reads.
protocol PanelPart: AnyObject {
  /// Takes a sample, and publishes what it makes of it.
  func take(_ sample: DeviceSample, at now: MonotonicTime)
  /// Takes the Earth's field where the device is.
  func follow(_ earth: EarthReference?)
  /// What its user should know, since the last call.
  func nextNotice() -> InstrumentNotice?
  /// Appends its last reading for Prometheus.
  func appendMetrics(to text: inout TextBuffer)
}

/// The readings of one kind on their way to the page, thirty a second at most, and to Prometheus.
final class ReadingChannel<Reading: Record> {
  /// Between two readings, in seconds.
  private let interval = 1.0 / 30
  private let event: WebEvent
  private let server: WebServer
  private var writer: RecordWriter
  private var due: MonotonicTime?
  private var last: Reading?

  init(_ event: WebEvent, _ facts: StreamFacts, server: WebServer) {
    self.event = event
    self.server = server
    writer = RecordWriter(Reading.schema, as: JSONFormat.self, facts)
  }

  /// Whether one may be sent again. A reading that comes earlier is only kept.
  private func isDue(at now: MonotonicTime) -> Bool {
    if let due, now < due { return false }
    due = now + interval
    return true
  }

  /// Sends a reading if it is time for one.
  /// - Parameter isKept: nobody may miss it, so it is sent in any case.
  func publish(_ reading: borrowing Reading, isKept: Bool = false, at now: MonotonicTime) {
    last = copy reading
    guard isDue(at: now) || isKept else { return }
    try? writer.write(reading) { bytes throws(OutputError) in server.publish(event, json: bytes, isKept: isKept) }
  }

  /// Says something else instead of a reading.
  func publish(_ state: JSONValue, at now: MonotonicTime) {
    last = nil
    guard isDue(at: now) else { return }
    Array(state.line.utf8).withUnsafeBytes { server.publish(event, json: $0) }
  }

  func appendMetrics(to text: inout TextBuffer) {
    guard let last else { return }
    var row = Row(Reading.schema)
    row.take(last)
    Metrics.append(row, Reading.schema, to: &text)
  }
}

/// An instrument on the panel's stream.
final class InstrumentPart<Device: Instrument>: PanelPart {
  /// The instrument, to be told something.
  var instrument: Device
  private let channel: ReadingChannel<Device.Reading>
  /// What to say of a sample that gave no reading.
  private let otherwise: (Device, Double) -> JSONValue?
  /// Readings that nobody may miss.
  private let keeps: (Device.Reading) -> Bool
  private var reading = Device.Reading()

  init(
    _ event: WebEvent, _ settings: Device.Settings, _ profile: Profile?, _ mounting: Mounting, _ facts: StreamFacts,
    server: WebServer, otherwise: @escaping (Device, Double) -> JSONValue? = { _, _ in nil },
    keeps: @escaping (Device.Reading) -> Bool = { _ in false }
  ) {
    instrument = Device(settings, profile: profile, mounting: mounting)
    channel = ReadingChannel(event, facts, server: server)
    self.otherwise = otherwise
    self.keeps = keeps
  }

  func take(_ sample: DeviceSample, at now: MonotonicTime) {
    if instrument.read(sample, into: &reading) {
      channel.publish(reading, isKept: keeps(reading), at: now)
    } else if let state = otherwise(instrument, sample.time) {
      channel.publish(state, at: now)
    }
  }

  func follow(_ earth: EarthReference?) { instrument.follow(earth) }
  func nextNotice() -> InstrumentNotice? { instrument.nextNotice() }
  func appendMetrics(to text: inout TextBuffer) { channel.appendMetrics(to: &text) }
}
