import ArgumentParser
import Core
import Instruments
import Output

/// `lodestone record`: samples to a file.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record raw samples as CSV, for any spreadsheet and as a device for every command."
  )

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var inputUnit: InputUnitOption
  @OptionGroup var streamOptions: StreamOptions

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
    let writesSamples = capture == nil || streamOptions.output != nil
    let metadata = RecordingWriter.Metadata(device: stream.identity, unixStart: stream.unixStart)
    var writer = RecordingWriter()
    var text = TextBuffer(capacity: 1024)
    var count = 0
    let end = try loop.run { event in
      switch event {
      case .sample:
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
    if let capture { notices.say("captured \(capture.byteCount) bytes, \(count) samples in them") }
    guard count > 0 || end != .streamEnded || !writesSamples else {
      throw Failure(.badData, "nothing to record: \(stream.identity) sends no field", hint: "it may send headings only")
    }
    if streamOptions.output != nil { notices.say("recorded \(count) samples") }
    try finish(end)
  }

  /// Begins to write down the bytes of a stream as they arrive.
  private func beginCapture(of stream: any SampleStream, in path: String) throws -> RawCapture {
    guard let stream = stream as? any ByteCarrying else {
      throw Failure(.usage, "can't capture \(stream.identity): it has registers, not a stream of bytes")
    }
    do throws(StreamError) {
      let capture = try RawCapture(path: path, device: stream.identity, unixStart: stream.unixStart)
      stream.tap = { bytes, seconds throws(StreamError) in try capture.append(bytes, at: seconds) }
      return capture
    } catch {
      throw Failure(error)
    }
  }
}
