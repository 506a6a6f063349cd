import ArgumentParser

/// The command `lodestone`.
@main
struct Lodestone: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lodestone",
    abstract: "A digital compass and teslameter for any magnetometer on a serial port or USB.",
    version: "0.1.0",
    subcommands: [
      CalibrateCommand.self,
      HeadingCommand.self,
      TeslameterCommand.self,
      DeclinationCommand.self,
      RecordCommand.self,
      ReplayCommand.self,
      SimulateCommand.self,
      DevicesCommand.self,
      ChipCommand.self,
      ProfilesCommand.self,
    ])
}
