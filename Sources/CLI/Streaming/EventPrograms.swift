import ArgumentParser
import Glibc
import LodestoneCore
import LodestonePorts
import Navigation

/// The programs that `--on` starts. Each runs beside this one, without a shell and without anything that came from the
/// device; what it prints goes where this one's notices go.
struct EventPrograms {
  private let programs: [(kind: MotionReading.Event.Kind, words: [String])]

  /// From pairs of an event and a command.
  init(_ arguments: [String]) throws {
    guard arguments.count % 2 == 0 else { throw ValidationError("--on: give an event and a command") }
    programs = try stride(from: 0, to: arguments.count, by: 2).map { index in
      guard let kind = MotionReading.Event.Kind(rawValue: arguments[index]) else {
        let names = MotionReading.Event.Kind.allCases.map { $0.rawValue }
        throw ValidationError("--on \(arguments[index]): there are \(names.listed)")
      }
      let words = arguments[index + 1].split(separator: " ").map(String.init)
      guard !words.isEmpty else { throw ValidationError("--on \(arguments[index]): the command is empty") }
      return (kind, words)
    }
  }

  /// Starts what was asked for at such an event. Returns what is to be said about those that cannot be started; the
  /// stream goes on.
  /// - Parameter isMute: what the programs print goes nowhere.
  func start(for kind: MotionReading.Event.Kind, isMute: Bool = false) -> [String] {
    while waitpid(-1, nil, WNOHANG) > 0 {}
    var problems: [String] = []
    for program in programs where program.kind == kind {
      do {
        _ = try StartedProgram(program.words) { actions in
          posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
          if isMute { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
          posix_spawn_file_actions_adddup2(&actions, 2, 1)
        }
      } catch {
        problems.append("can't start \(program.words[0]): \(error.message)")
      }
    }
    return problems
  }
}
