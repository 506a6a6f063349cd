import LodestoneCore
import Drivers
import LodestonePorts

/// Samples of a kernel device: from its buffer, paced by its driver; or read one by one where there is no buffer, or no
/// right to start it, or another program has it.
final class IIOStream: SampleStream {
  let isLive = true
  let identity: String
  let unixStart: Double?

  private let listing: IIOListing
  private let rate: Double?
  private var presence: Presence
  private let roots: SystemRoots
  private let name: String
  private let started: MonotonicTime
  private var device: IIODevice?
  /// The accelerometer and gyroscope that are other devices of the kernel.
  private var accelerometer, gyroscope: IIONeighbour?
  private var (force, rates) = (ForceWatch(), RateWatch())
  private var isBuffered = false
  private var isAnnounced = false
  private var due = 0.0
  /// Whether a sample has just been given: where the driver is slower than the rate, the loop gets a turn between two.
  private var yields = false
  private var lastTime = -Double.infinity
  /// Stream time minus the device's own clock, in seconds.
  private var clockOffset: Double?
  private var nextFlags: Sample.Flags = []
  private var isImplausible = false
  private var notices: [StreamNotice] = []
  private var waiting: Sample?

  /// Samples a second that a compass wants, where nobody says.
  private static let usualRate = 20.0
  /// Samples a second with a gyroscope that is read singly: those wanted, and the fewest that will do.
  private static let (turningRate, slowestTurning) = (50.0, 25.0)
  /// No field that a person or an instrument makes is outside these, in µT: 1 nT to 1 T.
  private static let plausibleStrength = 0.001...1e6
  /// Seconds without data, and at least ten periods, after which a buffer is given up: its trigger may need setting up.
  private static let longestSilence = 2.0
  /// Seconds by which a look that was due may be late; machines may be busy.
  private static let latestLook = 1.0

  init(
    _ listing: IIOListing, rate: Double?, reconnects: Bool, in roots: SystemRoots = .real
  ) throws(StreamError) {
    self.listing = listing
    self.rate = rate
    presence = Presence(isAwaited: reconnects)
    self.roots = roots
    name = "iio:\(listing.name)"
    identity = listing.identity
    started = .now
    unixStart = WallClock.unixTime
    do { try start(listing) } catch { throw .port(error) }
  }

  var descriptor: Int32? { isBuffered ? device?.descriptor : nil }
  var wakeTime: MonotonicTime? { presence.nextLook ?? started + due }
  private var now: Double { MonotonicTime.now - started }
  private var wantedRate: Double { rate ?? (gyroscope == nil ? Self.usualRate : Self.turningRate) }
  /// Reads a second of a device without a buffer.
  private var pollRate: Double { min(device?.rate ?? wantedRate, wantedRate, 1000) }
  private var patience: Double { max(Self.longestSilence, 10 / pollRate) }

  func next() throws(StreamError) -> StreamEvent {
    if !notices.isEmpty { return .notice(notices.removeFirst()) }
    if let sample = waiting {
      waiting = nil
      return .sample(sample)
    }
    guard !yields else {
      yields = false
      return .waiting
    }
    guard let device else { return lookForReturn() }
    do throws(PortError) {
      return try isBuffered ? buffered(device) : polled(device)
    } catch {
      return try lose(error)
    }
  }

  private func start(_ listing: IIOListing) throws(PortError) {
    let device = try IIODevice(listing)
    accelerometer = IIONeighbour(.accelerometer, beside: listing, in: roots)
    gyroscope = IIONeighbour(.gyroscope, beside: listing, in: roots)
    if let rate {
      try device.set(rate: rate)
    } else if device.rate ?? 0 < wantedRate {
      try? device.set(rate: wantedRate)  // what it cannot be told, or not by us, stays as it is
    }
    isBuffered = startBuffer(device)
    if !isBuffered { hasten(device) }
    if min(device.rate ?? .infinity, wantedRate) < Self.slowestTurning { gyroscope = nil }
    due = isBuffered ? now + patience : now
    self.device = device
    clockOffset = nil
    if isBuffered { announce(device.rate) }
  }

  /// Whether the driver paces the samples. Another program's buffer is left alone.
  private func startBuffer(_ device: IIODevice) -> Bool {
    do throws(PortError) {
      try device.startBuffer(in: roots)
      return true
    } catch {
      if case .busy(_, let holders) = error { notices.append(.bufferInUse(name, by: holders)) }
      return false
    }
  }

  /// Says once what was found, and how fast samples come; nil where nothing tells.
  private func announce(_ rate: Double?) {
    guard !isAnnounced else { return }
    isAnnounced = true
    var names = [accelerometer, gyroscope].compactMap { $0?.name }
    if names.count == 2, accelerometer?.node == gyroscope?.node { names.removeLast() }
    let motion = names.isEmpty ? nil : names.joined(separator: " and ")
    notices.append(.chipsFound(name, magnetometer: listing.name, motion: motion, rate: rate))
  }

  private func buffered(_ device: IIODevice) throws(PortError) -> StreamEvent {
    guard let (measurement, nanoseconds) = try device.next() else {
      // After a stop of the program, or a sleep of the machine, nobody has been silent.
      if now >= due + Self.latestLook { due = now + patience } else if now >= due { giveUpBuffer(device) }
      return .waiting
    }
    due = now + patience
    let time = nanoseconds.map { streamTime($0) } ?? now
    if lastTime.isFinite, time - lastTime > patience { noteGap(until: time) }
    return told(sample(measurement, at: time, room: nil))
  }

  private func noteGap(until time: Double) {
    notices.append(.gap(seconds: time - lastTime))
    nextFlags.insert(.gap)
  }

  /// Read singly, most drivers wait for a conversion of their own for each axis: at a slow rate, for seconds.
  private func hasten(_ device: IIODevice) {
    if let fastest = device.rates.last { try? device.set(rate: fastest) }
  }

  /// Nothing has come through the buffer for long: the device is read one by one. What was missed since the last sample
  /// is told.
  private func giveUpBuffer(_ device: IIODevice) {
    if lastTime.isFinite { noteGap(until: now) }
    device.stopBuffer()
    isBuffered = false
    hasten(device)
    due = now
  }

  private func polled(_ device: IIODevice) throws(PortError) -> StreamEvent {
    guard due <= now else { return .waiting }
    let begin = now
    let measurement = try device.measure()
    let end = now
    let slowest = rate == nil ? Self.slowestTurning : pollRate
    let sample = sample(measurement, at: (begin + end) / 2, room: 1 / min(pollRate, slowest) - (end - begin))
    due = max(due + 1 / pollRate, now)
    yields = true
    // How long a reading takes is known now: no more than that comes.
    announce(min(pollRate, 1 / max(now - begin, 1e-6)))
    return told(sample)
  }

  /// A sample, after what is to be said before it.
  private func told(_ new: Sample) -> StreamEvent {
    var sample = new
    if let notice = rates.mark(&sample) { notices.append(notice) }
    if let acceleration = sample.acceleration, let length = force.length(of: acceleration.g, at: sample.time) {
      notices.append(.oddGravity(name, g: length))
    }
    let strength = sample.field?.strength ?? 1
    let wasImplausible = isImplausible
    isImplausible = !Self.plausibleStrength.contains(strength)
    if isImplausible, !wasImplausible { notices.append(.implausibleField(name, microtesla: strength)) }
    guard !notices.isEmpty else { return .sample(sample) }
    waiting = sample
    return .notice(notices.removeFirst())
  }

  /// The device's clock is that of `MonotonicTime` where the kernel let us choose; otherwise the first frame sets it.
  private func streamTime(_ nanoseconds: Int64) -> Double {
    let own = MonotonicTime(nanoseconds: nanoseconds) - started
    if let clockOffset { return own + clockOffset }
    let offset = abs(own - now) < 1 ? 0 : now - own
    clockOffset = offset
    return own + offset
  }

  /// - Parameter room: the seconds until the next sample is to be read; nil where the driver paces them.
  private func sample(_ measurement: Measurement, at time: Double, room: Double?) -> Sample {
    defer { nextFlags = [] }
    if measurement.saturated { nextFlags.insert(.saturated) }
    lastTime = max(time, lastTime)
    // The rate comes first, for it is of its moment.
    let turning = measured(by: gyroscope, at: time, room: room.map { $0 - (accelerometer?.duration ?? 0) })
    let force = measured(by: accelerometer, at: time, room: nil)
    return Sample(
      time: lastTime, field: measurement.field, acceleration: measurement.acceleration ?? force?.acceleration,
      rotationRate: measurement.rotationRate ?? turning?.rotationRate, temperature: measurement.temperature,
      flags: nextFlags)
  }

  /// A neighbour's measurement at a time; whatever keeps it from being read is told.
  private func measured(by neighbour: IIONeighbour?, at time: Double, room: Double?) -> Measurement? {
    guard let neighbour else { return nil }
    do throws(PortError) {
      return try neighbour.measurement(at: time, room: room) { now }
    } catch {
      if case .busy = error {
        let holders = Holder.all(of: "\(roots.dev)/\(neighbour.node)", procRoot: roots.proc)
        notices.append(.bufferInUse("iio:\(neighbour.name)", by: holders))
      }
      return nil
    }
  }

  private func lose(_ error: PortError) throws(StreamError) -> StreamEvent {
    (device, accelerometer, gyroscope) = (nil, nil, nil)
    isBuffered = false
    switch error {
    case .gone, .notThere: return try presence.lose(name, .now)
    default: throw .port(named(error))
    }
  }

  /// An attribute cannot be held, but the node can.
  private func named(_ error: PortError) -> PortError {
    guard case .busy = error else { return error }
    return .busy(path: listing.node, heldBy: Holder.all(of: listing.node, procRoot: roots.proc))
  }

  private func lookForReturn() -> StreamEvent {
    guard presence.isDue(.now) else { return .waiting }
    let same = listIIODevices(in: roots).first { $0.name == listing.name && $0.label == listing.label }
    guard let same, (try? start(same)) != nil else {
      presence.miss(.now)
      return .waiting
    }
    nextFlags.insert(.gap)
    return presence.find(name, .now) ?? .waiting
  }
}
