import ArgumentParser
import Glibc
import Lodestone
import LodestoneCore
import LodestonePorts

/// The command `lodestone`.
@main
struct LodestoneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lodestone",
    abstract: "A digital compass and teslameter for any magnetometer on a serial port or USB.",
    discussion: """
      Examples:
        lodestone heading sim:              a compass without hardware
        lodestone devices                   what is attached
        lodestone calibrate                 the only device attached, step by step
        lodestone heading --at 48.2,16.37   its headings, magnetic and true
      """,
    version: Release.version,
    subcommands: [
      CalibrateCommand.self,
      HeadingCommand.self,
      TeslameterCommand.self,
      AttitudeCommand.self,
      LevelCommand.self,
      MotionCommand.self,
      LocationCommand.self,
      SwingCommand.self,
      DeclinationCommand.self,
      RecordCommand.self,
      ReplayCommand.self,
      SimulateCommand.self,
      ServeCommand.self,
      BatchCommand.self,
      DevicesCommand.self,
      ChipCommand.self,
      ProfilesCommand.self,
      ConfigCommand.self,
      FirmwareCommand.self,
      DoctorCommand.self,
      SupportedCommand.self,
    ])
}

extension LodestoneCommand {
  /// Parses the arguments, runs the command they name, and words what went wrong.
  static func main() {
    StandardDescriptors.reserve()
    if let failure = textFailure() { end(failure) }
    let arguments = LearningOptions.spelledOut(withVersionSpelledOut(Array(CommandLine.arguments.dropFirst())))
    if arguments == ["--version"] { return writeVersion() }
    if CommandLine.arguments.first?.isEmpty != false {
      end(Failure(.usage, "started without arguments", hint: "see lodestone --help"))
    }
    if arguments.first == "help", let failure = command(in: arguments.dropFirst()).failure { end(failure) }
    Signals.install()
    do {
      if var command = named(in: arguments) { return try command.run() }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      end(error, arguments)
    }
  }

  /// The failure where an argument is not text: as a file's name it would be that of another file.
  private static func textFailure() -> Failure? {
    zip(CommandLine.arguments, UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))).first {
      $1.flatMap { String(validatingCString: $0) } == nil
    }.map { Failure(notText: $0.0) }
  }

  /// `-V` is `--version`, behind a command too; not behind `--`, where options end.
  private static func withVersionSpelledOut(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].map { $0 == "-V" ? "--version" : $0 } + arguments[end...]
  }

  private static func writeVersion() {
    try? writeToStandardOutput(configuration.version + "\n")
  }

  /// The command that the first argument names, parsed without the tree of all the others, which takes longer than most
  /// answers. Nil where the tree is needed: for help, for what is no command, and to word a usage error.
  private static func named(in arguments: [String]) -> (any ParsableCommand)? {
    guard let name = arguments.first, !arguments.contains(where: { ["-h", "--help"].contains($0) }),
      let type = configuration.subcommands.first(where: { $0._commandName == name })
    else { return nil }
    return try? type.parseAsRoot(Array(arguments.dropFirst()))
  }

  private static func end(_ error: any Error, _ arguments: [String]) -> Never {
    if let failure = Failure(wording: error) { end(failure) }
    let code = exitCode(for: error)
    guard code == .validationFailure else { exit(withError: error) }
    end(usageFailure(error, arguments))
  }

  /// The failure for wrong arguments, with where help stands or the command that was probably meant.
  private static func usageFailure(_ error: any Error, _ arguments: [String]) -> Failure {
    let (words, failure) = command(in: arguments[...])
    return failure ?? Failure(.usage, Self.oneLine(message(for: error)), hint: "see \(words) --help")
  }

  /// The command that arguments name, as it is typed, and the failure where a word should be one and is none.
  private static func command(in arguments: ArraySlice<String>) -> (words: String, failure: Failure?) {
    var (words, type) = ("lodestone", self as any ParsableCommand.Type)
    for argument in arguments where !type.configuration.subcommands.isEmpty {
      let commands = type.configuration.subcommands
      if let next = commands.first(where: { $0._commandName == argument }) {
        words += " " + argument
        type = next
        continue
      }
      if argument.hasPrefix("-") || argument == "help" { break }
      let meant = commands.map { $0._commandName }.nearest(to: argument).map { "did you mean \(words) \($0)?" }
      let failure = Failure(.usage, "there is no command '\(argument.harmless)'", hint: meant ?? "see \(words) --help")
      return (words, failure)
    }
    return (words, nil)
  }

  /// A list that the parser breaks into lines, as a sentence.
  private static func oneLine(_ message: String) -> String {
    message.split(separator: "\n").map { line in
      let text = line.drop { $0 == " " }
      return text.hasPrefix("- ") ? text.dropFirst(2) + "," : text
    }.joined(separator: " ").trimmingSuffix(",")
  }

  private static func end(_ failure: Failure) -> Never {
    writeToStandardError(failure.lines)
    Glibc.exit(failure.exitCode.rawValue)
  }
}

extension String {
  /// The text without its last character where that is this one.
  fileprivate func trimmingSuffix(_ last: Character) -> String { self.last == last ? String(dropLast()) : self }
}
