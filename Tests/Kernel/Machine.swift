import Glibc
import Support

/// The machine that the checks have to themselves.
enum Machine {
  private static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

  /// Loads a module with what it needs.
  static func load(_ module: String, _ options: String...) throws {
    let name = module.replacing("-", with: "_")
    guard !exists("/sys/module/" + name) else { return }
    let folder = variable("LODESTONE_MODULES")
    let list = read(folder + "/modules.dep") ?? ""
    let line = list.split(separator: "\n").first { line in
      line.prefix { $0 != ":" }.split(separator: "/").last?.replacing("-", with: "_") == name + ".ko"
    }
    guard let files = line?.split(whereSeparator: { ": ".contains($0) }), !files.isEmpty else {
      throw CannotCheck("the kernel has no module \(module)")
    }
    for file in files.reversed() {
      let words = ["insmod", "\(folder)/\(file)"] + (file == files[0] ? options : [])
      _ = ChildProgram(variable("LODESTONE_BUSYBOX"), arguments: words, joinsErrors: true)?.exitCode()
    }
    guard exists("/sys/module/" + name) else { throw CannotCheck("\(module) is not taken") }
  }

  /// Takes a module out again.
  static func unload(_ module: String) {
    _ = ChildProgram(variable("LODESTONE_BUSYBOX"), arguments: ["rmmod", module], joinsErrors: true)?.exitCode()
  }

  /// Writes an attribute of sysfs or configfs.
  static func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw CannotCheck("\(path): \(String(cString: strerror(errno)))") }
    defer { close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
      throw CannotCheck("\(path) takes no '\(text)': \(String(cString: strerror(errno)))")
    }
  }

  /// A small file's text without its line's end; nil where there is none.
  static func read(_ path: String) -> String? {
    guard var text = (try? CommandRun.contents(of: path)).map({ String(decoding: $0, as: UTF8.self) }) else {
      return nil
    }
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Waits until something is so, half a minute at most.
  static func await(_ what: String, _ condition: () -> Bool) throws {
    guard eventually(condition) else { throw CannotCheck("\(what) does not come") }
  }

  /// Runs the command to its end.
  static func lodestone(_ arguments: String..., user: Int? = nil) throws -> Finished {
    Finished(try start(arguments, user: user))
  }

  /// Starts the command; its errors come among its lines.
  static func start(_ arguments: [String], user: Int? = nil) throws -> ChildProgram {
    let program: ChildProgram?
    if let user {
      let identity = ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"]
      program = ChildProgram(
        "/usr/bin/setpriv", arguments: identity + [ChildProgram.folder + "/lodestone"] + arguments, joinsErrors: true)
    } else {
      program = ChildProgram("lodestone", arguments: arguments, joinsErrors: true)
    }
    guard let program else { throw CannotCheck("lodestone does not start") }
    return program
  }

  /// The outcome of a command.
  struct Finished {
    let text: String
    let exitCode: Int32
    /// The strength of the field in µT in each line of JSON.
    let strengths: [Double]
    /// The times of those lines.
    let times: [Double]

    init(_ program: ChildProgram) {
      var lines: [String] = []
      while let line = program.line() { lines.append(line) }
      text = lines.joined(separator: "\n")
      // One that says nothing for so long would never end by itself.
      if program.end(by: 0) == nil { kill(program.process, SIGKILL) }
      exitCode = program.exitCode()
      strengths = lines.compactMap { Machine.strength(in: $0) }
      times = lines.compactMap { Machine.number("time_s", in: $0) }
    }
  }

  /// `field_uT` of a line of JSON.
  static func strength(in line: String) -> Double? { number("field_uT", in: line) }

  /// A number of a line of JSON.
  static func number(_ name: String, in line: String) -> Double? {
    guard let start = line.firstRange(of: "\"\(name)\":")?.upperBound else { return nil }
    return Double(line[start...].prefix { !",}".contains($0) })
  }
}
