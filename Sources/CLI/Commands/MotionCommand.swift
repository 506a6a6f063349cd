import ArgumentParser
import Glibc
import Lodestone
import LodestoneCore
import LodestonePorts
import LodestoneTerminal
import Navigation

/// `lodestone motion`: what acts on a board, and what a hand does with it.
struct MotionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion", abstract: "Stream gravity, user acceleration, movements and shakes.",
    discussion: """
      Examples:
        lodestone motion
        lodestone motion ttyACM0 --on shake 'notify-send shaken'

      Events stand on the line where they were recognized: movement (right, left, top, bottom, towards-face, \
      away-from-face), shake (along x, y or z), jolt (two axes that change at once) and orientation (held another way). \
      Nothing is said in the first second, in which gravity is found.

      In a terminal the accelerations of the last ten seconds are drawn, with the events beside them; f switches between \
      movement without gravity, gravity alone, and both as measured. --events, --format and --output write lines.

      --on shake 'notify-send shaken' starts a program when that happens. No shell is involved: the words are the \
      program and its arguments.
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var calibrationOptions: CalibrationOptions
  @OptionGroup var publishOptions: PublishOptions
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var formatOption: FormatOption

  @Option(help: ArgumentHelp("Seconds to average gravity over without a gyroscope.", valueName: "seconds"))
  var gravityTime = 0.95

  @Option(help: ArgumentHelp("Seconds between two jolts at least.", valueName: "seconds"))
  var interval = 1.0

  @Flag(help: "Print only lines with an event.")
  var events = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Start a program at an event: movement, shake, jolt or orientation.", valueName: "event command")
  )
  var on: [String] = []

  func validate() throws {
    _ = try formatOption.kind(for: MotionReading.schema)
    if !(gravityTime > 0 && gravityTime <= 60) {
      throw ValidationError("--gravity-time \(gravityTime): not in 0 to 60 s")
    }
    if !(interval >= 0 && interval <= 3600) { throw ValidationError("--interval \(interval): not in 0 to 3600 s") }
    _ = try EventPrograms(on)
  }

  func run() throws {
    var settings = Motion.Settings()
    (settings.gravityTime, settings.interval) = (gravityTime, interval)
    let programs = try EventPrograms(on)
    let run = try InstrumentRun<Motion>(
      settings, deviceOptions, calibrationOptions, format: formatOption, publish: publishOptions,
      stream: streamOptions)
    try run.finish { try run.showsScreen && !events ? show(run, programs) : write(run, programs) }
  }

  /// What a program that was started prints would tear the screen: where it could, it goes nowhere.
  private func show(_ run: InstrumentRun<Motion>, _ programs: EventPrograms) throws -> StreamLoop.End {
    let isMute = TerminalSession.isTerminal(STDERR_FILENO)
    var screen = try ScreenRun(run, MotionState()) { reading in
      reading.event.map { programs.start(for: $0.kind, isMute: isMute) } ?? []
    }
    return try screen.run()
  }

  private func write(_ run: InstrumentRun<Motion>, _ programs: EventPrograms) throws -> StreamLoop.End {
    try run.writeLines(
      where: { reading in
        for problem in reading.event.map({ programs.start(for: $0.kind) }) ?? [] { run.notices.say(problem) }
        return !events || reading.event != nil
      }, always: { $0.event != nil }
    ).end
  }
}
