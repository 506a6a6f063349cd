import ArgumentParser
import Lodestone
import LodestoneTerminal
import Navigation

/// `lodestone motion`: what acts on a board, and what a hand does with it.
struct MotionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion", abstract: "Stream gravity, user acceleration, movements, shakes and steps.",
    discussion: """
      Examples:
        lodestone motion
        lodestone motion ttyACM0 --on shake 'notify-send shaken'

      Events stand on the line where they were recognized: movement (right, left, top, bottom, towards-face, \
      away-from-face), shake (along x, y or z), jolt (two axes that change at once), free-fall (less than 0.3 g for \
      0.1 s), orientation (held another way) and step. Steps are counted wherever on the body the board is, the first \
      four together; cadence is their number a minute. A turn is no movement. Movements, shakes and jolts are not told in \
      the first second, in which gravity is found, nor within a second of another orientation.

      --interval keeps jolts apart, too, and programs of the same event.

      In a terminal the accelerations of the last ten seconds are drawn, with the events beside them; f switches between \
      movement without gravity, gravity alone, and both as measured. --events, --format and --output write lines.

      --on shake 'notify-send shaken' starts a program when that happens. No shell is involved: the words are the \
      program and its arguments.
      """)

  @OptionGroup var deviceOptions: DeviceOptions

  @Option(help: CalibrationOptions.help, completion: .profiles)
  var profile: String?
  var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

  @OptionGroup var publishOptions: PublishOptions<MotionReading>
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var formatOption: FormatOption<MotionReading>
  @OptionGroup var eventOptions: EventOptions<MotionReading>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds to average gravity over without a gyroscope.", valueName: "seconds"))
  var gravityTime = 0.95

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A movement exceeds N g along an axis.", valueName: "g"))
  var movementThreshold = 0.3

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The strongest swing of a shake exceeds N g.", valueName: "g"))
  var shakeThreshold = 1.25

  @Option(help: ArgumentHelp("Look for movements and shakes along these axes only: x, xy, … ", valueName: "axes"))
  var axes: MotionAxes = .all

  func validate() throws {
    _ = try formatOption.kind()
    try OptionRange.check("--gravity-time", gravityTime, to: 60, " s")
    try OptionRange.check("--movement-threshold", movementThreshold, to: 100, " g")
    try OptionRange.check("--shake-threshold", shakeThreshold, to: 100, " g")
    try eventOptions.check(spacesEvents: true)
  }

  func run() throws {
    var settings = Motion.Settings()
    (settings.gravityTime, settings.interval) = (gravityTime, eventOptions.leastInterval)
    (settings.movementThreshold, settings.shakeThreshold) = (movementThreshold, shakeThreshold)
    settings.axes = axes
    let run = try InstrumentRun<Motion>(
      settings, deviceOptions, calibrationOptions, format: formatOption, publish: publishOptions,
      stream: streamOptions, triggers: eventOptions.triggers)
    try run.finish {
      let programs = try run.programs(eventOptions)
      guard run.showsScreen, !eventOptions.events else { return try write(run, programs) }
      return try run.show(MotionState(), programs)
    }
  }

  /// A line names what was recognized by itself.
  private func write(_ run: InstrumentRun<Motion>, _ programs: EventPrograms<MotionReading>) throws -> StreamLoop.End {
    try run.writeLines(
      where: { reading in !eventOptions.events || reading.event != nil },
      always: { reading in
        for problem in try run.take(reading, programs).problems { run.notices.say(problem) }
        return reading.event != nil
      }
    ).end
  }
}

extension MotionAxes: ExpressibleByArgument {
  /// Axes from an option's text.
  public init?(argument: String) { self.init(argument) }

  /// All three axes.
  public var defaultValueDescription: String { "xyz" }
}
