import ArgumentParser
import Calibration
import Geomagnetism
import Lodestone
import LodestoneCore
import LodestonePorts
import Navigation

/// `lodestone swing`: how an installed compass deviates, heading by heading.
struct SwingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swing", abstract: "Find the deviation of an installed compass.",
    discussion: """
      Examples:
        lodestone swing --at 48.2,16.37 --true --card card.svg   typed headings
        lodestone swing --reference nmea:/dev/ttyUSB1            a second compass
        lodestone swing --course --location gpsd://127.0.0.1     a receiver's course
        lodestone swing --marks swing.csv                        a table of headings

      Lay the boat (or the robot, or the car) on a heading you know, hold it, type that heading in degrees and press \
      Enter; eight or more headings spread over the circle make the deviation's five coefficients. Steer the first two or \
      three again at the end: they show whether iron moved meanwhile. An empty line or q ends the swing, - takes the last \
      heading back. Typed headings are magnetic; with --true they are true ones, and --at says where.

      With --reference or --course nothing is typed: turn through the whole circle in steps of 30° or less, and hold each \
      heading for two seconds (by course for five, straight on at 2 m/s or more). It ends when the circle is complete. A \
      current or a side wind sets the course off the heading: choose a calm place, or swing once each way round.

      The result is kept beside the calibration and goes out in NMEA's deviation field; lodestone heading --deviation on \
      adds it to the headings. After another calibration the compass has to be swung again.
      """)

  @OptionGroup var deviceOptions: DeviceOptions

  @Option(help: CalibrationOptions.help, completion: .profiles)
  var profile: String?
  var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

  @OptionGroup var placeOptions: PlaceOptions

  @Option(help: LocationOptions.help)
  var location: String?
  var locationOptions: LocationOptions { LocationOptions(location: location) }

  @Option(
    help: ArgumentHelp(
      """
      Take the headings from a table instead: compass and right heading in degrees, a pair a line, or columns that a \
      header names compass and right.
      """,
      valueName: "file"), completion: .file())
  var marks: String?

  @Option(
    help: ArgumentHelp(
      "Take the right headings from a second compass: a device, or nmea: and a port or address.",
      valueName: "address"), completion: .devices)
  var reference: String?

  @Flag(help: "Take the right headings from the course of the receiver of --location.")
  var course = false

  @Flag(name: .customLong("true"), help: "The right headings are true ones, not magnetic.")
  var isTrue = false

  @Option(help: "text, csv or json.")
  var format: SwingReport.Format = .text

  @Option(help: ArgumentHelp("Draw a card for the chart table.", valueName: "svg"), completion: .file())
  var card: String?

  @Flag(help: "Do not save the result.")
  var dryRun = false

  @Option(parsing: .unconditional, help: .duration)
  var duration: Double?

  @Option(name: [.short, .long], help: .output, completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: .quiet)
  var quiet = false

  @Flag(name: [.short, .long], help: .verbose)
  var verbose = false

  func validate() throws {
    try locationOptions.validate()
    try StreamOptions.check(duration: duration)
    try OutputFile.checkBesides("--card", card)
    let sources = [("--marks", marks != nil), ("--reference", reference != nil), ("--course", course)]
    let chosen = sources.filter { $0.1 }.map { $0.0 }
    if chosen.count > 1 { throw ValidationError("\(chosen.listed) say where right headings come from: choose one") }
    if isTrue, reference != nil || course {
      throw ValidationError("--true is for headings that are typed or in a table")
    }
    if marks != nil { try refuseUnused() }
  }

  /// Refuses what says nothing of a table of headings: no device is read, and only true headings need a place.
  private func refuseUnused() throws(ValidationError) {
    let others = [
      ("--location", locationOptions.location != nil), ("--duration", duration != nil), ("--verbose", verbose),
    ]
    let ofDevice = deviceOptions.given + others.filter { $0.1 }.map { $0.0 }
    if !ofDevice.isEmpty {
      throw ValidationError("\(ofDevice.listed) \(ofDevice.count == 1 ? "is" : "are") for a device, not for --marks")
    }
    if !isTrue, let option = placeOptions.at != nil ? "--at" : placeOptions.dependsOnPlace {
      throw ValidationError("\(option): only true headings need the place: add --true, or leave it out")
    }
  }

  func run() throws {
    if isTrue, try placeOptions.settings().place == nil {
      throw ValidationError("--true needs the place: --at LAT,LON")
    }
    // Before the outputs are opened, which must not take their place.
    if let marks, marks != "-" { UserFiles.note(input: marks) }
    if case .file(let path) = calibrationOptions.choice { UserFiles.note(input: path, .kept) }
    var drawing = try card.map { try OutputFile(path: $0, .drawing) }
    var report = try OutputFile(path: output)
    let declination = isTrue ? try placeOptions.field()?.declination : nil
    if let marks {
      var swing = Swing()
      swing.add(try SwingTable.read(marks, declination: declination))
      let path = try pathOfCalibration()
      let profile = try path.map { path in try worded(ProfileStore.read(path).get) }
      try checkKeeping(beside: path)
      return try conclude(swing, profile: profile, path: path, title: profile?.device ?? marks, &report, &drawing)
    }
    let run = try SwingRun(self, declination: declination)
    let session = run.session
    let path = try worded { () throws(ProfileStoreProblem) in
      try calibrationOptions.choice.path(of: session.stream.identity)
    }
    if session.profile != nil {
      try checkKeeping(beside: path)
    } else if !dryRun {
      say("there is no calibration to keep the result beside: it is printed only, and --card draws it")
    }
    do {
      let end = try run.collect()
      guard end == .interrupted else {
        return try conclude(
          run.swing, profile: session.profile, path: path, title: session.stream.identity, &report, &drawing)
      }
      say("stopped; nothing was kept")
      tell(headings: run.swing.marks)
      return try finish(end)
    } catch {
      tell(headings: run.swing.marks)
      throw error
    }
  }

  /// The file of the calibration that headings of a table were read with: that of the device, where one is named.
  private func pathOfCalibration() throws -> String? {
    if case .file(let path) = calibrationOptions.choice { return path }
    guard deviceOptions.address.device != nil else { return nil }
    let device = try deviceOptions.open().identity
    return try worded { () throws(ProfileStoreProblem) in try calibrationOptions.choice.path(of: device) }
  }

  /// Refuses a result that could not be kept, before a heading is steered.
  private func checkKeeping(beside path: String?) throws {
    guard !dryRun, let path else { return }
    try worded(to: "write") { () throws(ProfileStoreProblem) in try SavedDeviation.checkKeeping(beside: path) }
  }

  /// Fits, writes, keeps.
  private func conclude(
    _ swing: Swing, profile: Profile?, path: String?, title: String, _ file: inout OutputFile,
    _ drawing: inout OutputFile?
  ) throws {
    let deviation: Deviation
    do throws(Deviation.Refusal) {
      deviation = try Deviation(swing.marks)
    } catch {
      throw Failure(error)
    }
    let report = SwingReport(deviation, swing.marks)
    // It is kept, whoever reads the report.
    if !dryRun { try keep(deviation, of: swing, profile: profile, path: path) }
    try file.finish(with: report.text(format))
    if let turn = deviation.mountingTurn { tell(mountingTurn: turn) }
    if let count = deviation.changedAfter { tell(changeAfter: count) }
    try drawing?.finish(with: report.card(of: title).svg)
  }

  private func keep(_ deviation: Deviation, of swing: Swing, profile: Profile?, path: String?) throws {
    guard let profile, let path else {
      return say("not kept: there is no calibration file to keep it beside")
    }
    let saved = SavedDeviation(deviation, headings: swing.marks.count, profile: profile)
    let kept = try worded(to: "write") { () throws(ProfileStoreProblem) in try saved.keep(beside: path) }
    say("kept in \(kept.harmless); lodestone heading --deviation on adds it to the headings")
  }

  /// Says that the deviation holds a turn of the compass, which other commands do not know.
  private func tell(mountingTurn turn: Double) {
    let side = turn < 0 ? "to the right" : "to the left"
    say(
      "A is \(turn.text(decimals: 0, plus: true))°: the compass points that far \(side) of the bow. Turn it, or say with "
        + "--mount how it is mounted, and swing again. Until then headings are right with --deviation on only")
  }

  /// Says that no deviation fits the whole swing.
  private func tell(changeAfter count: Int) {
    say(
      "the headings after about the first \(count) do not fit those: iron near the compass moved during the swing, or the compass "
        + "did. Put everything where it stays, and swing again")
  }

  /// Says the headings of a swing that made no deviation: as a table, they need not be steered again.
  private func tell(headings marks: [Deviation.Mark]) {
    guard !marks.isEmpty else { return }
    let rows = marks.map { "\($0.compass.headingText(decimals: 2)),\($0.reference.headingText(decimals: 2))" }
    let table = (["compass,right"] + rows).joined(separator: "\n")
    say("the headings so far, as lodestone swing --marks FILE reads them:\n\(table)")
  }

  /// Says something to the user.
  func say(_ words: String) {
    if !quiet { writeToStandardError("lodestone: \(words)\n") }
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
    case .gap(let from, let degrees) where degrees > 359.5:
      self.init(
        .badData, "no deviation: all headings are \(SwingReport.heading(from))",
        hint: "a swing needs \(Deviation.fewestHeadings), spread over the circle: add one every 45°")
    case .gap(let from, let degrees):
      let (start, end) = (SwingReport.heading(from), SwingReport.heading(from + degrees))
      self.init(
        .badData, "no deviation: there are no headings between \(start) and \(end)", hint: "add one every 45°")
    case .contradictory(let residual):
      self.init(
        .badData, "no deviation: the headings contradict each other by \(residual.text(decimals: 0))°",
        hint: "look for a typing error, and for columns the wrong way round; iron near the compass must not move")
    }
  }
}
