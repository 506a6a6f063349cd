import ArgumentParser
import Calibration
import Geomagnetism
import Lodestone
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation

/// `lodestone swing`: how an installed compass deviates, heading by heading.
struct SwingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swing", abstract: "Find the deviation of an installed compass.",
    discussion: """
      Examples:
        lodestone swing --at 48.2,16.37 --true --card card.svg   typed headings
        lodestone swing --marks swing.csv                        a table of headings

      Lay the boat (or the robot, or the car) on a heading you know, hold it, type that heading in degrees and press \
      Enter; eight or more headings spread over the circle make the deviation's five coefficients. An empty line or q \
      ends the swing, - takes the last heading back. Typed headings are magnetic; with --true they are true ones, and \
      --at says where.

      The result is kept beside the calibration and goes out in NMEA's deviation field; lodestone heading --deviation on \
      adds it to the headings. After another calibration the compass has to be swung again.
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var calibrationOptions: CalibrationOptions
  @OptionGroup var placeOptions: PlaceOptions

  @Option(
    help: ArgumentHelp(
      "Take the headings from a table instead: compass and right heading in degrees, a pair a line.",
      valueName: "file"))
  var marks: String?

  @Flag(name: .customLong("true"), help: "The right headings are true ones, not magnetic.")
  var isTrue = false

  @Option(help: "text, csv or json.")
  var format: SwingReport.Format = .text

  @Option(help: ArgumentHelp("Draw a card for the chart table.", valueName: "svg"))
  var card: String?

  @Flag(help: "Keep nothing beside the calibration.")
  var dryRun = false

  @Flag(name: [.short, .long], help: "Say nothing on standard error but errors.")
  var quiet = false

  func run() throws {
    if isTrue, try placeOptions.settings().place == nil {
      throw ValidationError("--true needs the place: --at LAT,LON")
    }
    let declination = isTrue ? try placeOptions.field()?.declination : nil
    if let marks {
      var swing = Swing()
      swing.add(try SwingTable.read(marks, declination: declination))
      let path: String? =
        if case .file(let path) = calibrationOptions.choice { path } else { nil }
      let profile = try path.map { path in try worded(ProfileStore.read(path).get) }
      return try conclude(swing, profile: profile, path: path, title: profile?.device ?? marks)
    }
    let run = try SwingRun(self, declination: declination)
    let end = try run.collect()
    if end == .interrupted {
      say("stopped; nothing was kept")
      return try finish(end)
    }
    let session = run.session
    let path = try worded { () throws(ProfileStoreProblem) in
      try calibrationOptions.choice.path(of: session.stream.identity)
    }
    try conclude(run.swing, profile: session.profile, path: path, title: session.stream.identity)
  }

  /// Fits, writes, keeps.
  private func conclude(_ swing: Swing, profile: Profile?, path: String?, title: String) throws {
    let deviation: Deviation
    do throws(Deviation.Refusal) {
      deviation = try Deviation(swing.marks)
    } catch {
      throw Failure(error)
    }
    let report = SwingReport(deviation, swing.marks)
    try writeToStandardOutput(report.text(format))
    if let card { try write(report.card(of: title).svg, to: card) }
    guard !dryRun else { return }
    guard let profile, let path else {
      return say("not kept: there is no calibration file to keep it beside")
    }
    let saved = SavedDeviation(deviation, headings: swing.marks.count, profile: profile)
    let kept = try worded(to: "write") { () throws(ProfileStoreProblem) in try saved.keep(beside: path) }
    say("kept in \(kept.harmless); lodestone heading --deviation on adds it to the headings")
  }

  /// Says something to the user.
  func say(_ words: String) {
    if !quiet { writeToStandardError("lodestone: \(words)\n") }
  }
}

/// A swing with a device: its headings beside those that are typed.
private final class SwingRun {
  let session: CompassSession
  private(set) var swing = Swing()
  private let command: SwingCommand
  private let declination: Declination?
  private let notices: Notices
  private var typed = TypedLines()

  init(_ command: SwingCommand, declination: Declination?) throws {
    self.command = command
    self.declination = declination
    var options = SessionOptions()
    options.mounting = command.deviceOptions.mount
    options.profile = command.calibrationOptions.choice
    let stream = try command.deviceOptions.open()
    guard stream.isLive else {
      throw Failure(.usage, "a swing needs a live compass", hint: "a table of headings is read with --marks FILE")
    }
    session = try CompassSession(stream, Compass.Settings(), options, takesSignals: true)
    session.loop.readsKeys = true
    notices = Notices(isQuiet: command.quiet, profile: session.profile)
  }

  /// Until the user has typed the last heading.
  func collect() throws -> StreamLoop.End {
    command.say("hold a heading you know and type it in degrees; q ends")
    return try session.run { [self] event in
      switch event {
      case .reading:
        if let heading = session.reading.magneticHeading { swing.add(heading, at: session.reading.time) }
      case .notice(let notice): notices.say(notice)
      case .keys(let bytes):
        let (lines, isLast) = typed.take(bytes)
        for line in lines where take(line) == .stop { return .stop }
        return isLast ? .stop : .goOn
      default: break
      }
      return .goOn
    }
  }

  private func take(_ text: String) -> StreamLoop.Verdict {
    if text.isEmpty || text == "q" { return .stop }
    if text == "-" {
      command.say(swing.removeLast() == nil ? "there is no heading to take back" : "taken back; \(count)")
      return .goOn
    }
    guard let degrees = Double(decimal: Array(text.utf8).span), (-360...360).contains(degrees) else {
      command.say("'\(text.harmless)' is not a heading in degrees")
      return .goOn
    }
    var reference = Heading<MagneticNorth>(degrees: degrees)
    if let declination { reference = Heading<TrueNorth>(degrees: degrees) - declination }
    do throws(Swing.Problem) {
      let mark = try swing.mark(reference)
      command.say(
        "compass \(SwingReport.heading(mark.compass)), right \(SwingReport.heading(mark.reference)): deviation "
          + "\(DeviationCard.deviation(mark.deviation)); \(count)")
    } catch {
      switch error {
      case .noHeading: command.say("the compass says nothing yet")
      case .turning(let degrees):
        command.say("not taken: the heading moved by \(degrees.text(decimals: 0))°. Hold it for two seconds")
      }
    }
    return .goOn
  }

  /// How many there are, and what is missing.
  private var count: String {
    let count = swing.marks.count
    let words = "\(count) \(count == 1 ? "heading" : "headings")"
    do throws(Deviation.Refusal) {
      _ = try Deviation(swing.marks)
      return "\(words), enough: q ends"
    } catch {
      switch error {
      case .tooFew(let count): return "\(words), \(Deviation.fewestHeadings - count) more are needed"
      case .gap(let from, let degrees):
        return "\(words), none between \(SwingReport.heading(from)) and \(SwingReport.heading(from + degrees))"
      }
    }
  }
}

extension Failure {
  /// Words a swing that makes no deviation.
  init(_ refusal: Deviation.Refusal) {
    switch refusal {
    case .tooFew(let count):
      self.init(
        .badData, "no deviation: \(count) headings are too few",
        hint: "a swing needs \(Deviation.fewestHeadings), spread over the circle")
    case .gap(let from, let degrees):
      let (start, end) = (SwingReport.heading(from), SwingReport.heading(from + degrees))
      self.init(
        .badData, "no deviation: there are no headings between \(start) and \(end)", hint: "add one every 45°")
    }
  }
}
