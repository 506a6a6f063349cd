import ArgumentParser
import Lodestone
import LodestoneTerminal
import Navigation

/// `lodestone level`: an inclinometer.
struct LevelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "level", abstract: "Measure tilt: pitch, roll, and the angle of an upright board.",
    discussion: """
      Examples:
        lodestone level   needle and dial
        lodestone level ttyACM0 --zero --format csv > tilt.csv

      pitch is the top edge above the horizontal, roll the right edge down; angle is how far a board that stands upright \
      is turned in its plane, 0 with the top edge up.

      ± holds 95 %. Without a gyroscope a push that lasts, as in a vehicle's bend or on its brakes, looks like a tilt, and \
      the ± does not include it.

      In a terminal: z takes the present tilt for level, c calibrates. Press c, turn the board by 180° on the same spot, \
      and press c again: half the sum of both readings is the board's error, half the difference the table's.
      """)

  @OptionGroup var deviceOptions: DeviceOptions

  @Option(help: CalibrationOptions.help, completion: .profiles)
  var profile: String?
  var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

  @OptionGroup var publishOptions: PublishOptions<LevelReading>
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var formatOption: FormatOption<LevelReading>
  @OptionGroup var eventOptions: EventOptions<LevelReading>

  @Flag(help: "Take the tilt of the first second for level.")
  var zero = false

  func validate() throws {
    _ = try formatOption.kind()
    try eventOptions.check()
  }

  func run() throws {
    var settings = Level.Settings()
    settings.zeroesAtStart = zero
    let run = try InstrumentRun<Level>(
      settings, deviceOptions, calibrationOptions, format: formatOption, publish: publishOptions,
      stream: streamOptions, triggers: eventOptions.triggers)
    try run.finish { try run.show(LevelState(), run.programs(eventOptions)) }
  }
}
