import ArgumentParser
import Lodestone
import Calibration
import LodestoneCore
import Geomagnetism
import Instruments
import Navigation
import LodestoneOutput
import LodestoneTerminal

/// `lodestone heading`: the compass.
struct HeadingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heading", abstract: "Stream magnetic and true headings.",
    discussion: """
      Examples:
        lodestone heading   the only device attached
        lodestone heading ttyUSB0 --at 48.2,16.37 --rose   a rose, true headings too
        lodestone heading ride.csv --format csv > headings.csv
        lodestone heading --format nmea --publish tcp://:10110   for a chart plotter

      In a terminal one line that is written over, or a compass rose; in a pipe one line a sample. True headings need to \
      know where the device is: --at 48.2,16.37.

      The accuracy holds for 95 of 100 lines. It allows for disturbances that change the field's strength or inclination; \
      one that points straight to magnetic east or west changes neither and is not seen.

      With a gyroscope the heading holds while the board is carried, shaken or accelerated: the gyroscope carries it from \
      sample to sample, gravity and field keep it from drifting. A gyroscope whose axes, sign or unit are not those of \
      the other sensors is reported and ignored.
      """)

  @OptionGroup var deviceOptions: DeviceOptions

  @Option(help: CalibrationOptions.help, completion: .profiles)
  var profile: String?
  var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

  @Option(help: LearningOptions.help)
  var learn: Learning = .off
  var learningOptions: LearningOptions { LearningOptions(learn: learn) }

  @OptionGroup var placeOptions: PlaceOptions

  @Option(help: LocationOptions.help)
  var location: String?
  var locationOptions: LocationOptions { LocationOptions(location: location) }

  @OptionGroup var publishOptions: PublishOptions<HeadingReading>
  @OptionGroup var streamOptions: StreamOptions

  @Option(help: HeldOrientation.help)
  var orientation: HeldOrientation = .auto

  @Option(help: HeldOrientation.pointingHelp)
  var pointing: Pointing = .auto

  @OptionGroup var formatOption: FormatOption<HeadingReading>
  @OptionGroup var eventOptions: EventOptions<HeadingReading>

  @Option(help: UnitOption.help)
  var unit: FieldDisplayUnit?
  var unitOption: UnitOption { UnitOption(unit: unit) }

  @Flag(help: "Draw a compass rose on the terminal.")
  var rose = false

  @Option(help: TalkerOption.help)
  var talker: String?
  var talkerOption: TalkerOption { TalkerOption(talker: talker) }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print only changes of at least N degrees.", valueName: "degrees"))
  var filter: Double?

  @Option(help: "on: a gyroscope that agrees with the other sensors carries the heading; off: without it.")
  var fusion: Switch = .on

  @Option(help: "on: correct headings by what lodestone swing found; off: pass it on in NMEA's deviation field.")
  var deviation: Switch = .off

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Smoothing time in seconds, on the circle.", valueName: "seconds"))
  var smooth: Double?

  func validate() throws {
    try locationOptions.validate()
    try talkerOption.validate()
    _ = try formatOption.kind()
    try eventOptions.check()
    try formatOption.check(talkerOption.typed, publishOptions)
    try learningOptions.validate(calibrationOptions)
    if rose, formatOption.format != nil || streamOptions.output != nil || eventOptions.events || filter != nil {
      throw ValidationError("--rose draws on the terminal: leave --format, --output, --events and --filter out")
    }
    if learningOptions.learn != .off, deviation == .on {
      throw ValidationError("--learn: a deviation belongs to one calibration; leave --deviation out")
    }
    try OptionRange.check("--filter", filter, in: 0...180, "°")
    try OptionRange.check("--smooth", smooth, to: 3600, " s")
  }

  func run() throws {
    let run = try InstrumentRun<Compass>(
      settings, deviceOptions, calibrationOptions, place: placeOptions, location: locationOptions,
      learning: learningOptions.learn, format: formatOption, publish: publishOptions, stream: streamOptions,
      unit: unitOption, triggers: eventOptions.triggers, talker: talkerOption.chosen())
    if rose, !run.showsScreen {
      throw ValidationError("--rose draws a live device on a terminal: leave it out, and lines are written")
    }
    if deviation == .on, run.session.deviation == nil { throw try missingDeviation(run.session) }
    try learningOptions.check(run.session.profile, advice)
    var passing = filter.map { HeadingFilter(turn: $0) }
    try run.finish {
      let programs = try run.programs(eventOptions)
      guard run.showsScreen, !eventOptions.events else {
        let passes = { (reading: borrowing HeadingReading) in passing?.passes(reading) != false }
        return try run.writeLines(programs, where: filter == nil ? nil : passes).end
      }
      guard !rose else { return try run.show(roseState(run.session), programs) }
      var line = HeadingLineRun(run, programs, passing)
      return try line.run(count: streamOptions.count)
    }
  }

  /// How the device is calibrated.
  private var advice: CalibrationAdvice { CalibrationAdvice(deviceOptions.address, calibrationOptions.choice) }

  /// Why there is no deviation to add, and what leads to one: it is kept beside a calibration, which a device that
  /// sends headings alone cannot have.
  private func missingDeviation(_ session: CompassSession) throws -> Failure {
    let path = try worded { () throws(ProfileStoreProblem) in
      try calibrationOptions.choice.path(of: session.stream.identity)
    }
    guard path == nil else {
      return Failure(
        .noInput, "no deviation is kept for this calibration",
        hint: "lodestone swing finds it; it has to be found again after each calibration")
    }
    let parts = try session.device.tells()
    guard parts.contains(.heading), !parts.contains(.field) else {
      return Failure(
        .noInput, "no deviation is kept: there is no saved calibration to keep it beside",
        hint: "\(advice.command()) saves one, then lodestone swing finds the deviation")
    }
    return Failure(
      .noInput, "no deviation is kept: the device sends no field, and has no calibration to keep one beside",
      hint: "lodestone swing --card card.svg draws the deviation, to be read off or set in the compass itself")
  }

  /// A rose that knows what the field should be.
  private func roseState(_ session: CompassSession) -> HeadingState {
    let (profile, earth) = (session.profile, session.place.earth)
    var state = HeadingState()
    state.unit = unitOption.shown
    state.expectedStrength = profile?.fieldStrength ?? earth?.strength
    state.expectedInclination = profile?.inclination ?? earth?.inclination
    return state
  }

  private var settings: Compass.Settings {
    var settings = Compass.Settings()
    (settings.orientation, settings.pointing) = (orientation.fixed, pointing)
    settings.smoothing = smooth
    settings.usesGyroscope = fusion == .on
    settings.appliesDeviation = deviation == .on
    return settings
  }
}

/// `--fusion` and `--deviation`: with it or without.
enum Switch: String, ChosenWord {
  case on, off
}
