import ArgumentParser
import LodestoneCore
import Drivers
import Instruments
import Lodestone
import LodestoneOutput
import LodestonePorts

/// `lodestone replay`: a recording offered again as if the board were there.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Offer a recording or a raw capture again, in real time.",
    discussion: """
      Examples:
        lodestone replay sweep.csv   on a pseudo-terminal
        lodestone replay capture.log --tcp 10110 --loop

      Its bytes are sent unchanged on a pseudo-terminal or a TCP port, each when its time has come: as FILE.times tells, \
      which record --raw writes, or as the times in its own messages. It begins when a program comes to read.
      """)

  @Argument(help: ArgumentHelp("The recording or capture.", valueName: "file"), completion: .file())
  var file: String

  @OptionGroup var outletOptions: OutletOptions

  @Option(parsing: .unconditional, help: .duration)
  var duration: Double?

  @Option(name: [.short, .long], help: .output, completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: .quiet)
  var quiet = false

  @Option(parsing: .unconditional, help: ArgumentHelp("Playback speed factor.", valueName: "factor"))
  var speed = 1.0

  @Flag(help: "Begin again at the end, until Ctrl-C.")
  var loop = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Messages per second if the file has no times.", valueName: "Hz"))
  var rate = 10.0

  func validate() throws {
    try StreamOptions.check(duration: duration)
    try OptionRange.check("--speed", speed, to: 1e6)
    try OptionRange.check("--rate", rate, to: 1e5, " Hz")
  }

  func run() throws {
    if NodeKind.at(file) == nil, let scheme = DeviceAddress(file).scheme, scheme != "file" {
      throw Failure(
        .usage, "can't replay '\(file)': it is not a file",
        hint: "lodestone simulate \(file.shellQuoted) offers what a device measures")
    }
    var settings = CaptureReplay.Settings()
    settings.speed = speed
    settings.loops = loop
    settings.rate = rate
    let outlet = try outletOptions.open(drops: false)
    let stream = try ReplayStream(file, settings, into: outlet)
    if !stream.replay.isPaced, !quiet {
      writeToStandardError(
        "lodestone: nothing in \(file.harmless) tells times or a message: all of it is sent at once\n")
    }
    let loop = try StreamLoop(stream, output: StreamOptions.open(output, .dropOldest))
    loop.duration = duration
    try finish(loop.serve(outlet) { try loop.run { _ in .goOn } })
  }
}

/// A replay in the loop's place for a stream: it has no samples, and hands its bytes on.
private final class ReplayStream: SampleStream {
  let descriptor: Int32? = nil
  let isLive = true
  let identity: String
  let unixStart: Double? = nil
  let replay: CaptureReplay
  private let outlet: any BoardSink
  /// Whether those who come get the title first; the first of them gets it with all the rest.
  private var hasGreeting = false
  private var buffer = [UInt8](repeating: 0, count: TCPSink.pieceByteCount)

  init(_ path: String, _ settings: CaptureReplay.Settings, into outlet: any BoardSink) throws(Failure) {
    identity = path
    self.outlet = outlet
    do {
      replay = try CaptureReplay(path: path, settings)
    } catch {
      throw Failure(error)
    }
  }

  var wakeTime: MonotonicTime? { replay.wakeTime }

  private func send(_ count: Int) throws(StreamError) {
    do {
      try buffer[..<count].withUnsafeBytes { try outlet.send($0) }
    } catch {
      throw .disconnected(identity)
    }
  }

  func next() throws(StreamError) -> StreamEvent {
    while !outlet.isFull {
      switch buffer.withUnsafeMutableBytes({ replay.read(into: $0) }) {
      case .bytes(let count):
        try send(count)
        if !hasGreeting, let title = replay.title {
          outlet.greet(with: title)
          hasGreeting = true
        }
        return .waiting
      case .wouldBlock: return .waiting
      case .ended, .gone: return .ended
      case .failed(let error): throw .port(.system(path: identity, error))
      }
    }
    return .waiting
  }
}
