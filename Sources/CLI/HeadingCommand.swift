import ArgumentParser
import Calibration
import Core
import Geomagnetism
import Instruments
import Navigation
import Output
import Ports

/// `lodestone heading`: the compass.
struct HeadingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heading", abstract: "Stream magnetic and true headings.",
    discussion: """
      In a terminal one line that is written over, or a compass rose; in a pipe one line a sample. True headings need to \
      know where the device is: --at 48.2,16.37.
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var inputUnit: InputUnitOption
  @OptionGroup var calibrationOptions: CalibrationOptions
  @OptionGroup var placeOptions: PlaceOptions
  @OptionGroup var locationOptions: LocationOptions
  @OptionGroup var publishOptions: PublishOptions
  @OptionGroup var streamOptions: StreamOptions

  @Option(help: "How the device is held; auto derives it from gravity.")
  var orientation: HeldOrientation = .auto

  @Option(help: "What the heading is of once the device is held upright: its top edge or its back.")
  var pointing: Pointing = .auto

  @Option(help: "text, json, csv, nmea or signalk.")
  var format: String?

  @Flag(help: "Draw a compass rose on the terminal.")
  var rose = false

  @Option(help: ArgumentHelp("The talker of NMEA sentences.", valueName: "letters"))
  var talker = "HC"

  @Option(help: ArgumentHelp("Print only changes of at least so many degrees.", valueName: "degrees"))
  var filter: Double?

  @Option(help: ArgumentHelp("Smooth over so many seconds, on the circle.", valueName: "seconds"))
  var smooth: Double?

  func validate() throws {
    let formats = ReadingFormats.all.map { $0.name }
    if let format, !formats.contains(format) {
      throw ValidationError("--format \(format): there are \(formats.listed)")
    }
    if let filter, !(filter >= 0 && filter <= 180) { throw ValidationError("--filter \(filter): not in 0 to 180°") }
    if let smooth, !(smooth > 0 && smooth <= 3600) { throw ValidationError("--smooth \(smooth): not in 0 to 3600 s") }
    let letters = talker.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
    if talker.utf8.count != 2 || !letters { throw ValidationError("--talker \(talker): must be two capital letters") }
  }

  func run() throws {
    let notices = Notices(streamOptions)
    let stream = try deviceOptions.open(unit: inputUnit.unit)
    let field = try LocalField(placeOptions, isLive: stream.isLive, notices: notices)
    let profile = try calibrationOptions.load(for: stream)
    let output = try streamOptions.openOutput(isLive: stream.isLive)
    let loop = try StreamLoop(stream, output: output)
    loop.duration = streamOptions.duration
    let facts = StreamFacts(talker: talker, unixStart: stream.unixStart)
    let publisher = try publishOptions.open(format: format, facts: facts, notices: notices)
    if stream.isLive { loop.companions.append(field) }
    if let publisher { loop.companions.append(publisher) }
    if let location = try locationOptions.open(for: field, notices: notices) { loop.companions.append(location) }
    let watch = CalibrationWatch(profile, notices: notices)
    let session = HeadingSession(Compass(settings(profile)), field: field, publisher: publisher)
    defer {
      notices.sayLosses(of: output)
      if let losses = publisher?.losses { notices.say(losses) }
    }
    if format == nil, streamOptions.output == nil, stream.isLive, LiveScreen.isPossible {
      var run = HeadingScreenRun(session, loop: loop, earth: field.earth, profile: profile, notices: notices)
      try finish(rose ? run.showRose() : run.showLine(count: streamOptions.count))
    } else {
      let lines = ReadingLines(format: format ?? "text", facts: facts)
      var run = HeadingLinesRun(
        session: session, lines: lines, watch: watch, notices: notices,
        passing: filter.map { HeadingFilter(turn: $0) }, limit: streamOptions.count)
      try finish(run.run(loop))
    }
  }

  private func settings(_ profile: Profile?) -> Compass.Settings {
    var settings = Compass.Settings()
    settings.mounting = deviceOptions.mount
    settings.orientation = orientation.fixed
    settings.pointing = pointing
    settings.smoothing = smooth
    if let profile { settings.use(profile) }
    return settings
  }
}

/// Headings as lines: one a sample.
struct HeadingLinesRun: ~Copyable {
  var session: HeadingSession
  var lines: ReadingLines
  var watch: CalibrationWatch
  let notices: Notices
  var passing: HeadingFilter?
  let limit: Int?

  /// Runs until the stream, the user or the count ends it.
  mutating func run(_ loop: StreamLoop) throws -> StreamLoop.End {
    try lines.begin(on: loop.output)
    var reading = Reading(time: 0)
    return try loop.run { event in
      switch event {
      case .sample:
        guard session.read(loop.sample, into: &reading) else { return .goOn }
        watch.see(reading.field, reading.inclination, loop.sample.acceleration, at: reading.time)
        guard passing?.passes(reading) != false else { return .goOn }
        try lines.write(reading, to: loop.output)
        return lines.count == limit ? .stop : .goOn
      case .notice(let notice): notices.say(notice)
      case .position(let fix): session.move(to: fix)
      default: break
      }
      return .goOn
    }
  }
}

/// `--orientation`: one of the seven, or as gravity tells.
enum HeldOrientation: ExpressibleByArgument {
  case auto
  case pinned(Orientation)

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else {
      guard let orientation = Orientation(rawValue: argument) else { return nil }
      self = .pinned(orientation)
    }
  }

  static var allValueStrings: [String] { ["auto"] + Orientation.allCases.map { $0.rawValue } }
  var defaultValueDescription: String { "auto" }

  /// The orientation, unless gravity shall tell.
  var fixed: Orientation? {
    guard case .pinned(let orientation) = self else { return nil }
    return orientation
  }
}
