import ArgumentParser
import LodestoneCore
import Instruments
import Lodestone
import LodestoneOutput
import LodestonePorts

/// `lodestone record`: samples to a file.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record raw samples as CSV, for any spreadsheet and as a device for every command.",
    discussion: """
      --publish mqtt://broker/boat sends each sample as JSON to a broker too; every command of another machine takes \
      --device mqtt://broker/boat for the board.
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var inputUnit: InputUnitOption
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var publishOptions: PublishOptions

  @Option(
    help: ArgumentHelp(
      "Capture the raw bytes in this file, and in FILE.times when they arrived, instead of samples.", valueName: "file")
  )
  var raw: String?

  func run() throws {
    let stream = try deviceOptions.open(unit: inputUnit.unit, readsAhead: raw == nil)
    let capture = try raw.map { path in try beginCapture(of: stream, in: path) }
    let output = try streamOptions.openOutput(isLive: false)  // a recording drops nothing
    let loop = try StreamLoop(stream, output: output)
    loop.duration = streamOptions.duration
    let notices = Notices(streamOptions)
    let facts = StreamFacts(device: stream.identity, unixStart: stream.unixStart)
    let publisher = try publishOptions.open(SampleRecord.schema, as: nil, facts, notices: notices)
    if let publisher { loop.companions += publisher.sinks }
    let writesSamples = capture == nil || streamOptions.output != nil
    let metadata = RecordingWriter.Metadata(device: stream.identity, unixStart: stream.unixStart)
    var writer = RecordingWriter()
    var text = TextBuffer(capacity: 1024)
    var count = 0
    let end = try Failure.naming(streamOptions.output) {
      try loop.run { event in
        switch event {
        case .sample:
          try publisher?.publish(SampleRecord(loop.sample))
          if writesSamples {
            text.removeAll()
            guard writer.append(loop.sample, metadata: metadata, to: &text) else { return .goOn }
            try output.append(text)
          }
          count += 1
          return count == streamOptions.count ? .stop : .goOn
        case .notice(let notice): notices.say(notice)
        default: break
        }
        return .goOn
      }
    }
    for sink in publisher?.sinks ?? [] { try? sink.finish(until: .now + 2) }
    for loss in publisher?.losses ?? [] { notices.say(loss.words) }
    if let capture { notices.say("captured \(capture.byteCount) bytes, \(count) samples in them") }
    guard count > 0 || end != .streamEnded || !writesSamples else {
      throw Failure(.badData, "nothing to record: \(stream.identity) sends no field", hint: "it may send headings only")
    }
    notices.sayLosses(of: output)
    if streamOptions.output != nil { notices.say("recorded \(count) samples") }
    try finish(end)
  }

  /// Begins to write down the bytes of a stream as they arrive.
  private func beginCapture(of stream: any SampleStream, in path: String) throws -> RawCapture {
    var capture: RawCapture?
    guard stream.tap({ bytes, seconds throws(StreamError) in try capture?.append(bytes, at: seconds) }) else {
      throw Failure(.usage, "can't capture \(stream.identity): it has no raw bytes")
    }
    do throws(StreamError) {
      let made = try RawCapture(path: path, device: stream.identity, unixStart: stream.unixStart)
      capture = made
      return made
    } catch {
      throw Failure(error)
    }
  }
}
