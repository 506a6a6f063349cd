import ArgumentParser
import Calibration
import Instruments
import Lodestone
import LodestoneCore
import LodestoneOutput
import Navigation

/// `lodestone batch`: many recordings on many cores.
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Process many recordings in parallel.",
    discussion: """
      Examples:
        lodestone batch calibrate sweeps/*.csv > results.jsonl
        find rides -name '*.csv' | lodestone batch heading --output-dir headings

      One JSON object a file on standard output, in the order of the names: file, command, exit (as the command alone \
      would end: 0, 65 and so on), and what came of it, or error and hint. A bad file ends nothing: the exit code is 0 \
      once every file has its object.

      With --output-dir, what belongs to rides/a.csv is written to DIR/rides/a.csv.heading.csv; --skip-done leaves out \
      what is there already.
      """,
    subcommands: [Calibrate.self, Headings.self, Fields.self])
}

extension BatchCommand {
  struct Calibrate: BatchTask {
    static let configuration = CommandConfiguration(
      commandName: "calibrate",
      abstract: "Fit a calibration to each recording; with --output-dir, write its profile there.")
    @OptionGroup var batch: BatchOptions
    @OptionGroup var placeOptions: PlaceOptions

    var fileType: String { "json" }

    func result(of recording: BatchRecording) throws -> [JSONValue.Member] {
      var settings = CalibrationSettings()
      settings.place = try placeOptions.field(of: recording.stream).map { CalibrationSettings.Place($0) }
      settings.knownAxes = AxisMap(of: .saved(of: recording.stream.identity), mounting: batch.input.mount)
      let session = try CalibrationSession(recording.stream, settings, mounting: batch.input.mount, isGuided: false)
      var notices = BatchNotices(advice: CalibrationAdvice(recording.name))
      session.onNotice = { notices.add($0) }
      do {
        _ = try session.run()
      } catch StreamError.ambiguousUnit(_, _, isTurned: false) {
        throw Failure.notTurned
      }
      let profile = try session.made().profile
      if let path = recording.output {
        try worded(to: "write") { () throws(ProfileStoreProblem) in try profile.write(to: path) }
      }
      return [
        JSONValue.Member(key: "device", value: .string(profile.device)),
        JSONValue.Member(key: "quality", value: profile.quality.known), notices.member,
      ]
    }
  }

  struct Headings: BatchTask {
    static let configuration = CommandConfiguration(
      commandName: "heading", abstract: "Read headings in each recording; with --output-dir, write them there.")
    @OptionGroup var batch: BatchOptions

    @Option(help: CalibrationOptions.help, completion: .profiles)
    var profile: String?
    var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

    @OptionGroup var placeOptions: PlaceOptions

    @Option(help: HeldOrientation.help)
    var orientation: HeldOrientation = .auto

    @Option(help: HeldOrientation.pointingHelp)
    var pointing: Pointing = .auto

    @OptionGroup var formatOption: FormatOption<HeadingReading>

    func validate() throws { try validate(formatOption) }

    var fileType: String { formatOption.format ?? CSVFormat.name }

    func result(of recording: BatchRecording) throws -> [JSONValue.Member] {
      var settings = Compass.Settings()
      (settings.orientation, settings.pointing) = (orientation.fixed, pointing)
      var options = sessionOptions(calibrationOptions)
      options.place = try placeOptions.settings()
      let session = try CompassSession(recording.stream, settings, options)
      var counts = [Int](repeating: 0, count: HeadingReading.Quality.allCases.count)
      let common = try recording.read(session, calibrationOptions, as: formatOption.kind()) { reading in
        if let place = HeadingReading.Quality.allCases.firstIndex(of: reading.quality) { counts[place] += 1 }
      }
      if let option = placeOptions.dependsOnPlace, session.place.earth == nil { throw PlaceOptions.useless(option) }
      let qualities = zip(HeadingReading.Quality.allCases, counts).map {
        JSONValue.Member(key: $0.rawValue, value: .integer($1))
      }
      return [JSONValue.Member(key: "qualities", value: .object(qualities))] + common
    }
  }

  struct Fields: BatchTask {
    static let configuration = CommandConfiguration(
      commandName: "teslameter",
      abstract: "Measure each recording against its first seconds; with --output-dir, write the readings there.")
    @OptionGroup var batch: BatchOptions

    @Option(help: CalibrationOptions.help, completion: .profiles)
    var profile: String?
    var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Seconds to average the zero-point over, eight samples at least.", valueName: "seconds"))
    var zeroSeconds = 2.0

    @Option(help: UnitOption.help)
    var unit: FieldDisplayUnit?
    var unitOption: UnitOption { UnitOption(unit: unit) }

    @OptionGroup var formatOption: FormatOption<FieldReading>

    func validate() throws {
      try validate(formatOption)
      if unitOption.unit == .counts {
        throw ValidationError("--unit counts is for one recording: lodestone teslameter")
      }
      if let unit = unitOption.unit, batch.outputDir == nil, batch.input.columns == nil {
        throw ValidationError("--unit \(unit.name) needs --output-dir: the objects are in µT")
      }
      try OptionRange.check("--zero-seconds", zeroSeconds, to: 600, " s")
    }

    var fileType: String { formatOption.format ?? CSVFormat.name }
    var columnUnit: String? { unitOption.unit?.name }

    func result(of recording: BatchRecording) throws -> [JSONValue.Member] {
      var settings = Teslameter.Settings()
      settings.zeroSeconds = zeroSeconds
      let session = try TeslameterSession(recording.stream, settings, sessionOptions(calibrationOptions))
      session.instrument.tries = 1
      var count = 0
      let common = try recording.read(
        session, calibrationOptions, as: formatOption.kind(), unit: unitOption.shown
      ) { _ in count += 1 }
      guard case .measuring(let zero) = session.instrument.phase else { return common }
      let summary = zero.summary(count > 0 ? session.reading : nil, count: count)
      return summary.filter { $0.key != "readings" } + common
    }
  }
}

/// The options of every batch: which recordings, how they are read, how many at a time.
struct BatchOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Recordings. With none given, their names come on standard input, one a line.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Processes that work at the same time. (default: one a core)", valueName: "number"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp("Write what comes of each recording under this folder.", valueName: "folder"),
    completion: .directory)
  var outputDir: String?

  @Flag(help: "Leave out recordings of which there is a file under --output-dir already.")
  var skipDone = false

  @OptionGroup var input: InputOptions

  @Flag(name: [.short, .long], help: "Say nothing on standard error but errors.")
  var quiet = false

  /// A process that this command has started: it does the work.
  @Flag(help: .hidden) var worker = false

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs): not in 1 to 1024") }
    if skipDone, outputDir == nil { throw ValidationError("--skip-done needs --output-dir") }
  }
}

/// A recording in a worker's hands.
struct BatchRecording {
  /// Its name, as it was given.
  let name: String
  /// The samples of the recording.
  let stream: any SampleStream
  /// The path of the output; nil for none.
  let output: String?

  /// Reads all of it, and writes the readings where they are wanted. Returns what is told of every instrument.
  func read<Device: Instrument>(
    _ session: Session<Device>, _ calibration: CalibrationOptions, as format: (any Format.Type)?,
    unit: FieldDisplayUnit = .microtesla, _ body: (borrowing Device.Reading) -> Void
  ) throws -> [JSONValue.Member] {
    var notices = BatchNotices(session.profile, advice: CalibrationAdvice(name, calibration.choice))
    session.onNotice = { notices.add($0) }
    let facts = StreamFacts(
      device: stream.identity, unixStart: stream.unixStart, units: DisplayUnits(field: unit))
    var lines = RecordWriter(Device.Reading.schema, as: format ?? CSVFormat.self, facts)
    var file = try OutputFile(path: output ?? "/dev/null")
    var text = TextBuffer(capacity: 80_000)
    text.append(bytes: lines.stream.header.span)
    var span: (from: Double, to: Double)?
    var count = 0
    _ = try session.run { event in
      guard case .reading = event else { return .goOn }
      let reading = session.reading
      count += 1
      span = (span?.from ?? reading.time, reading.time)
      body(reading)
      guard output != nil else { return .goOn }
      try lines.write(reading) { text.append(bytes: $0) }
      if text.count > 65_536 { try file.write(&text) }
      return .goOn
    }
    try lines.end { text.append(bytes: $0) }
    try file.write(&text)
    try file.finish()
    return [
      JSONValue.Member(key: "device", value: .string(stream.identity)),
      JSONValue.Member(key: "readings", value: .integer(count)),
      JSONValue.Member(key: "from_s", value: .orNull(span?.from)),
      JSONValue.Member(key: "to_s", value: .orNull(span?.to)), notices.member,
    ]
  }
}

/// The notices that a user would have seen of a recording, once each.
struct BatchNotices {
  private var words: [String] = []
  private let profile: Profile?
  private let advice: CalibrationAdvice

  init(_ profile: Profile? = nil, advice: CalibrationAdvice) { (self.profile, self.advice) = (profile, advice) }

  /// The most notices that are kept.
  private static let limit = 20

  mutating func add(_ notice: Notice) {
    guard words.count < Self.limit, let text = Notices.words(notice, profile, advice: advice), !words.contains(text)
    else { return }
    words.append(text)
  }

  var member: JSONValue.Member { JSONValue.Member(key: "notices", value: .array(words.map { .string($0) })) }
}
