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
  ///   - leadsGroup: a Ctrl-C at the terminal does not reach it.
  ///   - connect: says what its descriptors are; the others that are open here are not open there.
  init(
    _ words: [String], at path: String? = nil, leadsGroup: Bool = false,
    connect: (inout posix_spawn_file_actions_t) -> Void
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    connect(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if leadsGroup { posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP)) }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code =
      if let path {
        posix_spawn(&process, path, &actions, &attributes, &arguments, environ)
      } else {
        posix_spawnp(&process, words.first ?? "", &actions, &attributes, &arguments, environ)
      }
    guard code == 0 else { throw SystemError("posix_spawn", code: code) }
    self.process = process
  }
}
