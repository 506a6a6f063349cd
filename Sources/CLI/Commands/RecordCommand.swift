import ArgumentParser
import Calibration
import Drivers
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
      Examples:
        lodestone record -o ride.csv                          until Ctrl-C
        lodestone record ttyUSB0 --duration 60 -o sweep.csv
        lodestone record ttyUSB0 --cause current_A -o sweep.csv   a motor's current, too
        lodestone record --publish mqtt://broker.local/boat   for other machines

      --publish mqtt://broker/boat sends each sample as JSON to a broker too; every command of another machine takes \
      --device mqtt://broker/boat for the board.

      --format writes the raw samples as JSON, Influx lines or an observatory's minute means instead.
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var columnUnit: ColumnUnitOption
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var formatOption: FormatOption<SampleRecord>
  @OptionGroup var publishOptions: PublishOptions<SampleRecord>

  @Option(
    help: ArgumentHelp(
      "Capture the raw bytes in this file, and in FILE.times when they arrived, instead of samples.", valueName: "file"),
    completion: .file())
  var raw: String?

  @Option(
    name: [.long, .customLong("with")],
    help: ArgumentHelp(
      "Record this column or value of the device, too (current_A, throttle, rudder). Repeatable.",
      discussion: "calibrate --cause finds it in the recording. Those of the saved calibration are recorded anyway.",
      valueName: "name"))
  var cause: [String] = []

  func validate() throws {
    _ = try formatOption.kind()
    if deviceOptions.input.mount != .aligned {
      throw ValidationError("--mount: samples are recorded in the chip's axes; give it where the recording is read")
    }
    try OutputFile.checkBesides("--raw", raw)
    try CauseOptions.check(cause)
    for name in cause where CauseNames.isOfSample(name) {
      throw ValidationError("--cause \(name): it is recorded anyway")
    }
  }

  func run() throws {
    let stream = try deviceOptions.open(columnUnit: columnUnit.unit(for: deviceOptions), readsAhead: raw == nil)
    let notices = Notices(streamOptions)
    let (sought, causes) = seekCauses(in: stream, notices)
    let schema = SampleRecord.schema(with: causes)
    let capture = try raw.map { path in try beginCapture(of: stream, in: path) }
    let output = try streamOptions.openOutput(isLive: false)  // a recording drops nothing
    let loop = try StreamLoop(stream, output: output)
    loop.duration = streamOptions.duration
    let facts = StreamFacts(device: stream.identity, unixStart: stream.unixStart, isLive: stream.isLive)
    notices.sayClock(of: facts, isLive: stream.isLive)
    let format = try formatOption.kind()
    let publisher = try publishOptions.open(schema, as: format, facts, notices: notices)
    loop.companions += publisher?.sinks ?? []
    publisher?.tell { notices.say($1.words(of: $0)) }
    let writesSamples = capture == nil || streamOptions.output != nil
    var lines = try SampleLines(format, facts, causes, to: output)
    var limit = RateLimit(deviceOptions.address.wantedRate)
    var watch = RecordWatch(causes: cause, sought: sought) { notices.say($0) }
    var count = 0
    var hasEnded = false
    defer {
      // An error loses none of the samples before it.
      if !hasEnded { _ = (try? lines.end(), try? loop.drain(after: .streamEnded)) }
    }
    var end = try Failure.naming(streamOptions.output) {
      try loop.run { event in
        switch event {
        case .sample:
          if writesSamples { watch.see(loop.sample) }
          if limit?.passes(loop.sample.time) == false { return .goOn }
          try publisher?.publish(SampleRecord(loop.sample))
          if writesSamples, try !lines.write(loop.sample) { return .goOn }
          count += 1
          return count == streamOptions.count ? .stop : .goOn
        case .position(let position): if writesSamples { watch.see(position) }
        case .notice(.columnsNotRead(let names)): notices.say(Self.leftOut(names))
        case .notice(let notice):
          if case .unitsChosen(let scales) = notice { lines.take(scales) }
          if Notice.stream(notice).endsReadings { publisher?.deviceIsAway() }
          notices.say(notice)
        default: break
        }
        return .goOn
      }
    }
    watch.end()
    hasEnded = true
    if let silent = try lines.end() { notices.say(Notices.silence(of: silent)) }
    end = try Failure.naming(streamOptions.output) { [end] in try loop.drain(after: end) }
    try publisher?.finish(after: end, notices)
    publisher?.sayLosses(notices)
    if let capture { notices.say("captured \(capture.byteCount) bytes, \(count) samples in them") }
    guard count > 0 || end != .streamEnded || !writesSamples else { throw Self.nothing(watch, from: stream.identity) }
    notices.sayLosses(of: output)
    if streamOptions.output != nil { notices.say("recorded \(count) \(count == 1 ? "sample" : "samples")") }
    if lines.hasLaterColumns { notices.say(Self.laterColumns) }
    try finish(end)
  }

  /// Asks the device for the causes that are wanted, and for those that the saved calibration takes off. Returns the
  /// names it was asked for, in order, and the columns that are recorded.
  private func seekCauses(in stream: any SampleStream, _ notices: Notices) -> ([String], RecordedCauses) {
    var saved: [Cause] = []
    do throws(ProfileStoreProblem) {
      saved = try ProfileStore.ofUser?.current(of: stream.identity)?.causes ?? []
    } catch {
      notices.say("\(Failure(error, to: "read").message): what it takes off is recorded only where --cause names it")
    }
    let all = cause + saved.map { $0.name }.filter { !cause.contains($0) }
    let names = Array(all.filter { !CauseValues.isTemperature($0) }.prefix(CauseValues.limit))
    if !names.isEmpty { stream.seek(CauseNames(names)) }
    return (names, RecordedCauses(names, temperature: all.contains { CauseValues.isTemperature($0) }))
  }

  private static func nothing(_ watch: RecordWatch, from name: String) -> Failure {
    watch.problem.map { Failure($0, of: name) } ?? Failure(.badData, "nothing to record came from \(name)")
  }

  private static func leftOut(_ names: [String]) -> String {
    "not recorded: \(names.listed). --cause \(names.first ?? "NAME") adds a column"
  }

  private static let laterColumns = """
    a sensor came later than the others: its columns begin below another header. lodestone reads both; for programs that \
    expect one, lodestone record FILE --format json has all in each line
    """

  /// Begins to write down the bytes of a stream as they arrive.
  private func beginCapture(of stream: any SampleStream, in path: String) throws -> RawCapture {
    var capture: RawCapture?
    guard stream.tap({ bytes, seconds throws(StreamError) in try capture?.append(bytes, at: seconds) }) else {
      throw Failure(
        .usage, "can't capture \(stream.identity): it has no raw bytes",
        hint: "leave --raw out: lodestone record writes its samples")
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

/// Samples on their way out: as a recording, or in a format.
private struct SampleLines: ~Copyable {
  private let output: OutputPipe
  private let metadata: RecordingWriter.Metadata
  private let format: (any Format.Type)?
  private var recording: RecordingWriter
  private var text = TextBuffer(capacity: 1024)
  private var lines: RecordWriter
  /// The first samples, before their columns are known; nil once they are.
  private var held: [Sample]? = []

  /// Seconds, and samples, in which a field has to come that is to have its column from the first row on: no sensor of
  /// a board is slower than its magnetometer.
  private static let (patience, most) = (1.0, 256)

  init(
    _ format: (any Format.Type)?, _ facts: StreamFacts, _ causes: RecordedCauses, to output: OutputPipe
  ) throws {
    self.output = output
    recording = RecordingWriter(causes: causes)
    // The table that every command takes as a device has what a plain one has no place for.
    self.format = format == CSVFormat.self ? nil : format
    metadata = RecordingWriter.Metadata(device: facts.device, unixStart: facts.unixStart)
    lines = RecordWriter(SampleRecord.schema(with: causes), as: format ?? CSVFormat.self, facts)
    if self.format != nil { try output.append(header: lines.stream.header) }
  }

  /// Takes note of what the device's numbers are.
  mutating func take(_ scales: WireScales) { recording.countSize = scales.field.microtesla }

  /// Whether a sensor came so late that its columns are below a header of their own.
  var hasLaterColumns: Bool { recording.hasLaterColumns }

  /// Writes a sample; false for one of which nothing can be written.
  mutating func write(_ sample: Sample) throws -> Bool {
    guard format == nil else {
      guard RecordingWriter.takes(sample) else { return false }
      try lines.write(SampleRecord(sample)) { bytes throws(OutputError) in try output.append(bytes) }
      return true
    }
    guard RecordingWriter.takes(sample) else { return false }
    guard var first = held else {
      try append(sample)
      return true
    }
    first.append(sample)
    held = first
    let span = sample.time - first[0].time
    let isKnown = sample.field != nil || sample.alongProbe != nil
    if isKnown || !(0..<Self.patience).contains(span) || first.count >= Self.most { try begin() }
    return true
  }

  /// Writes the first samples below a header that has columns for them all.
  private mutating func begin() throws {
    guard let first = held, !first.isEmpty else { return }
    held = nil
    first.forEach { recording.takeColumns(of: $0) }
    text.removeAll()
    recording.appendTop(metadata, to: &text)
    try output.append(text)
    for sample in first { try append(sample) }
  }

  private mutating func append(_ sample: Sample) throws {
    text.removeAll()
    guard recording.append(sample, metadata: metadata, to: &text) else { return }
    try output.append(text)
  }

  /// Writes what is left. Returns the format where it had nothing to say about any sample.
  mutating func end() throws -> (any Format.Type)? {
    guard format != nil else {
      try begin()
      return nil
    }
    try lines.end { bytes throws(OutputError) in try output.append(bytes) }
    return lines.count > 0 && lines.isSilent ? format : nil
  }
}
