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

  func run() throws {
    let stream = try deviceOptions.open(unit: inputUnit.unit)
    let output = try streamOptions.openOutput(isLive: false)  // a recording drops nothing
    let loop = try StreamLoop(stream, output: output)
    loop.duration = streamOptions.duration
    let notices = Notices(streamOptions)
    let metadata = RecordingWriter.Metadata(device: stream.identity, unixStart: stream.unixStart)
    var writer = RecordingWriter()
    var text = TextBuffer(capacity: 1024)
    var count = 0
    let end = try loop.run { event in
      switch event {
      case .sample(let sample):
        text.removeAll()
        guard writer.append(sample, metadata: metadata, to: &text) else { return .goOn }
        try output.append(text)
        count += 1
        return count == streamOptions.count ? .stop : .goOn
      case .notice(let notice): notices.say(notice)
      default: break
      }
      return .goOn
    }
    guard count > 0 || end != .streamEnded else {
      throw Failure(.badData, "nothing to record: \(stream.identity) sends no field", hint: "it may send headings only")
    }
    if streamOptions.output != nil { notices.say("recorded \(count) samples") }
    try finish(end)
  }
}
