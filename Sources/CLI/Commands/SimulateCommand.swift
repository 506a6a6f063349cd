import ArgumentParser
import LodestoneCore
import Drivers
import Instruments
import Lodestone
import Navigation
import LodestoneOutput
import LodestonePorts

/// `lodestone simulate`: a board that exists in arithmetic only, for other programs to be tried with.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Offer the built-in virtual breakout to other programs, in any protocol.",
    discussion: """
      Examples:
        lodestone simulate --protocol razor   prints the pseudo-terminal's path
        lodestone simulate 'sim:?motion=walk' --protocol nmea --tcp 10110
        lodestone simulate sweep.csv --protocol motioncal

      It speaks on a pseudo-terminal, whose path is printed, or at a TCP port, and begins when a program comes to read. Any \
      device can take the breakout's place: a recording then speaks in another protocol, at the pace it was made.
      """)

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("The protocol: \(Protocols.all.map { $0.name }.listed).", valueName: "name"),
    completion: .list(Protocols.all.map { $0.name }))
  var protocolName = "csv"

  @OptionGroup var deviceOptions: DeviceOptions

  @Option(help: CalibrationOptions.help, completion: .profiles)
  var profile: String?
  var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

  @OptionGroup var outletOptions: OutletOptions
  @OptionGroup var streamOptions: StreamOptions

  func validate() throws {
    if Protocols.named(protocolName) == nil {
      throw ValidationError("--protocol \(protocolName): there are \(Protocols.all.map { $0.name }.listed)")
    }
  }

  func run() throws {
    guard let type = Protocols.named(protocolName) else { return }
    let stream = try source().open(ownHeadings: true)
    var options = SessionOptions(
      place: nil, profile: calibrationOptions.choice, mounting: deviceOptions.input.mount)
    options.duration = streamOptions.duration
    let device = try Device(
      stream, options, output: streamOptions.openOutput(isLive: true), takesSignals: true)
    let compass = device.attach(Compass.self)
    let outlet = try outletOptions.open(drops: true)
    let notices = Notices(streamOptions)
    let board = SimulatedBoard(type, on: outlet)
    if board.onlyAnswers { notices.say("\(protocolName) speaks only when it is asked: each request is answered") }
    defer { for loss in outlet.losses { notices.say(loss.words) } }
    var limit = RateLimit(deviceOptions.address.wantedRate)
    var count = 0
    let end = try device.loop.serve(outlet) {
      try device.run { event in
        switch event {
        case .sample:
          guard limit?.passes(device.raw.time) != false else { break }
          board.take(device.raw, event.reading(of: compass))
          count += 1
          if let words = board.wordsOfSilence(at: device.raw.time) { notices.say(words) }
          return count == streamOptions.count ? .stop : .goOn
        case .notice(.stream(let notice)): notices.say(notice)
        case .position(let fix): board.take(fix)
        case .notice, .tick, .turn: break
        }
        return .goOn
      }
    }
    try finish(end)
  }

  /// The device behind it: the breakout unless another is named, never faster than it was.
  private func source() -> DeviceOptions {
    var source = deviceOptions
    let name = source.address.device ?? "sim:"
    source.address.device = name
    source.address.realtime = DeviceAddress((try? AddressOptions.address(name)) ?? name).isRecording
    return source
  }
}

/// Samples in, what a board of a protocol would send out.
private final class SimulatedBoard {
  /// Whether it only answers, and does not speak by itself.
  let onlyAnswers: Bool
  private let type: any WireProtocol.Type
  private let outlet: any BoardSink
  private var encoder: any WireProtocol
  private var latest: WireMessage?
  private var heard: [UInt8] = []
  private var bytes: [UInt8] = []
  private var firstTime: Double?
  private var (hasSent, silenceIsTold) = (false, false)

  init(_ type: any WireProtocol.Type, on outlet: any BoardSink) {
    self.type = type
    self.outlet = outlet
    encoder = type.init()
    onlyAnswers = type.onlyAnswers
    outlet.onArrival = { [unowned self] in encoder = type.init() }  // a table needs its header again
    outlet.onInput = { [unowned self] in hear($0) }
  }

  /// Sends a sample, and the heading that was read in it.
  func take(_ sample: Sample, _ reading: HeadingReading?) {
    var message = WireMessage(sample)
    message.own = sample.own ?? reading.flatMap { OwnHeading($0) }
    message.turn(to: type.axes)
    latest = message
    if !onlyAnswers { send(message) }
  }

  /// Sends a position, where the protocol has a place for one.
  func take(_ position: Position) {
    var message = WireMessage()
    message.position = WirePosition(.whole, position)
    if !onlyAnswers { send(message) }
  }

  /// Seconds without a message after which the user is told.
  private static let patience = 3.0

  /// Says once that the protocol has no place for what the device measures; nil where it has sent something, and
  /// before.
  func wordsOfSilence(at time: Double) -> String? {
    guard !onlyAnswers, !hasSent, !silenceIsTold else { return nil }
    let first = firstTime ?? time
    firstTime = first
    silenceIsTold = time - first >= Self.patience
    guard silenceIsTold else { return nil }
    return "nothing is sent: \(type.name) has no place for what the device measures"
  }

  private func send(_ message: WireMessage) {
    bytes.removeAll(keepingCapacity: true)
    encoder.encode(message, into: &bytes)
    guard !bytes.isEmpty else { return }
    hasSent = true
    bytes.withUnsafeBytes { try? outlet.send($0) }
  }

  /// Answers the requests in what a program says.
  private func hear(_ input: UnsafeRawBufferPointer) {
    guard let request = type.request else { return }
    heard += input
    while let start = heard.firstRange(of: request) {
      heard.removeSubrange(..<start.upperBound)
      if let latest { send(latest) }
    }
    if heard.count >= request.count { heard.removeFirst(heard.count - request.count + 1) }
  }
}

extension WireMessage {
  /// A message with all that a sample holds, in µT, g and deg/s.
  fileprivate init(_ sample: Sample) {
    self.init()
    time = sample.time
    field = sample.field?.microtesla
    acceleration = sample.acceleration?.g
    rotationRate = sample.rotationRate?.degreesPerSecond
    temperature = sample.temperature
    own = sample.own
    saturated = sample.flags.contains(.saturated)
  }
}

extension OwnHeading {
  /// A reading as a device would tell it; nil for one without a heading.
  fileprivate init?(_ reading: HeadingReading) {
    guard reading.magneticHeading != nil || reading.trueHeading != nil else { return nil }
    self.init(
      magnetic: reading.magneticHeading, trueNorth: reading.trueHeading, pitch: reading.pitch, roll: reading.roll,
      rateOfTurn: reading.rateOfTurn)
  }
}
