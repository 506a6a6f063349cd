import Glibc
import LodestonePorts

/// A program that was started beside this one, without a shell.
struct StartedProgram {
  /// Its number, to be waited for by whoever started it.
  let process: pid_t

  /// Starts a program.
  /// - Parameters:
  ///   - words: its name and its arguments.
  ///   - path: where it is; nil for one that is found in PATH by its name.
  ///   - variables: `NAME=value`, besides those of this program.
  ///   - leadsGroup: a Ctrl-C at the terminal does not reach it.
  ///   - connect: says what its descriptors are; the others that are open here are not open there.
  init(
    _ words: [String], at path: String? = nil, adding variables: [String] = [], leadsGroup: Bool = false,
    connect: (inout posix_spawn_file_actions_t) -> Void
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    connect(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This program ignores the signals of a write that fails; most programs count on being ended by them.
    var ignored = sigset_t()
    sigemptyset(&ignored)
    for number in [SIGPIPE, SIGXFSZ] { sigaddset(&ignored, number) }
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    let flags = POSIX_SPAWN_SETSIGDEF | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let added = variables.map { strdup($0) }
    defer { for variable in added { free(variable) } }
    // Of two with the same name, programs take the first.
    var environment = added
    var next = environ
    while let variable = next.pointee {
      environment.append(variable)
      next += 1
    }
    environment.append(nil)
    var process: pid_t = 0
    let code =
      if let path {
        posix_spawn(&process, path, &actions, &attributes, &arguments, &environment)
      } else {
        posix_spawnp(&process, words.first ?? "", &actions, &attributes, &arguments, &environment)
      }
    guard code == 0 else { throw SystemError("posix_spawn", code: code) }
    self.process = process
  }
}
