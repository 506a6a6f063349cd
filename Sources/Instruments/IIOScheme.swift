import Core
import Drivers
import Ports

/// `iio:` — a magnetometer that a driver of the kernel serves.
enum IIOScheme: AddressScheme {
  static let scheme: String? = "iio"
  static let example = "iio:lis3mdl"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = try address.checked(allowing: ["rate"])
    let rate = try ChipRequest(address, options).settings.rate
    let all = listIIODevices()
    let found = all.filter { $0.isNamed(address.body) }
    guard found.count <= 1 else { throw .noDevice(found: found.map { $0.address(among: all) }) }
    guard let device = found.first else {
      throw .notInKernel(address.text, found: all.map { $0.address(among: all) })
    }
    return try IIOStream(device, rate: rate, reconnects: options.reconnects)
  }
}

extension IIOListing {
  /// An empty name means any.
  fileprivate func isNamed(_ text: String) -> Bool {
    text.isEmpty || text == name || text == label || text == "device\(number)" || text == "iio:device\(number)"
  }

  /// What to type: the chip's name, or the number where several have the same.
  func address(among all: [IIOListing]) -> String {
    all.filter { $0.name == name }.count > 1 ? "iio:device\(number)" : "iio:\(name)"
  }
}

/// Samples of a kernel device: from its buffer, paced by its driver; or read one by one where there is no buffer, or no
/// right to start it.
final class IIOStream: SampleStream {
  let isLive = true
  let identity: String
  let unixStart: Double?

  private let listing: IIOListing
  private let rate: Double?
  private let reconnects: Bool
  private let name: String
  private let started: MonotonicTime
  private var device: IIODevice?
  private var isBuffered = false
  private var due = 0.0
  private var lastTime = -Double.infinity
  /// Stream time minus the device's own clock, in seconds.
  private var clockOffset: Double?
  private var lostAt: Double?
  private var nextFlags: Sample.Flags = []
  private var notices: [StreamNotice] = []

  private static let lookInterval = 0.5
  /// How often a device without a buffer is read, in samples a second, where nobody says.
  private static let usualRate = 20.0
  /// A buffer that brings nothing for so many seconds and ten periods is given up: its trigger may need setting up.
  private static let longestSilence = 2.0

  init(_ listing: IIOListing, rate: Double?, reconnects: Bool) throws(StreamError) {
    self.listing = listing
    self.rate = rate
    self.reconnects = reconnects
    name = "iio:\(listing.name)"
    identity = listing.label.map { "iio-\(listing.name)-\($0)" } ?? "iio-\(listing.name)"
    started = .now
    unixStart = WallClock.unixTime
    do { try start(listing) } catch { throw .port(error) }
    notices.append(.chipsFound(name, magnetometer: listing.name, motion: nil, rate: pollRate))
  }

  var descriptor: Int32? { isBuffered ? device?.descriptor : nil }
  var wakeTime: MonotonicTime? { started + due }
  private var now: Double { MonotonicTime.now - started }
  private var pollRate: Double { min(rate ?? listing.rate ?? Self.usualRate, 1000) }
  private var patience: Double { max(Self.longestSilence, 10 / pollRate) }

  func next() throws(StreamError) -> StreamEvent {
    if !notices.isEmpty { return .notice(notices.removeFirst()) }
    guard let device else { return lookForReturn() }
    do throws(PortError) {
      return try isBuffered ? buffered(device) : polled(device)
    } catch {
      return try lose(error)
    }
  }

  private func start(_ listing: IIOListing) throws(PortError) {
    let device = try IIODevice(listing)
    if let rate { try set(rate, of: device) }
    isBuffered = (try? device.startBuffer()) != nil
    due = isBuffered ? now + patience : now
    self.device = device
    clockOffset = nil
  }

  /// The next faster rate that it offers. What it cannot be told, or not by us, stays as it is.
  private func set(_ rate: Double, of device: IIODevice) throws(PortError) {
    let offered = device.rates
    guard let chosen = offered.first(where: { $0 >= rate * 0.9999 }) ?? offered.last else { return }
    try device.set(rate: chosen)
  }

  private func buffered(_ device: IIODevice) throws(PortError) -> StreamEvent {
    guard let (measurement, nanoseconds) = try device.next() else {
      if now >= due { try readSingly() }
      return .waiting
    }
    due = now + patience
    return .sample(sample(measurement, at: nanoseconds.map { streamTime($0) } ?? now))
  }

  private func readSingly() throws(PortError) {
    device = nil
    device = try IIODevice(listing)
    isBuffered = false
    due = now
  }

  private func polled(_ device: IIODevice) throws(PortError) -> StreamEvent {
    guard due <= now else { return .waiting }
    let begin = now
    let measurement = try device.measure()
    let end = now
    due = max(due + 1 / pollRate, end)
    return .sample(sample(measurement, at: (begin + end) / 2))
  }

  /// The device's clock is the monotonic one where the kernel let us choose; otherwise the first frame sets it.
  private func streamTime(_ nanoseconds: Int64) -> Double {
    let own = MonotonicTime(nanoseconds: nanoseconds) - started
    if let clockOffset { return own + clockOffset }
    let offset = abs(own - now) < 1 ? 0 : now - own
    clockOffset = offset
    return own + offset
  }

  private func sample(_ measurement: Measurement, at time: Double) -> Sample {
    defer { nextFlags = [] }
    lastTime = max(time, lastTime)
    return Sample(
      time: lastTime, field: measurement.field, acceleration: measurement.acceleration,
      rotationRate: measurement.rotationRate, temperature: measurement.temperature, flags: nextFlags)
  }

  private func lose(_ error: PortError) throws(StreamError) -> StreamEvent {
    device = nil
    isBuffered = false
    let isGone =
      switch error {
      case .gone, .notThere: true
      default: false
      }
    guard isGone else { throw .port(error) }
    guard reconnects else { throw .gone(name) }
    lostAt = now
    due = now + Self.lookInterval
    return .notice(.lost(name))
  }

  private func lookForReturn() -> StreamEvent {
    guard due <= now else { return .waiting }
    due = now + Self.lookInterval
    let same = listIIODevices().first { $0.name == listing.name && $0.label == listing.label }
    guard let same, (try? start(same)) != nil else { return .waiting }
    nextFlags.insert(.gap)
    defer { lostAt = nil }
    return .notice(.returned(name, seconds: now - (lostAt ?? now)))
  }
}
