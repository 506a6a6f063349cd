import ArgumentParser
import CLinux
import Glibc
import Instruments
import Lodestone
import LodestoneCore
import LodestonePorts

/// The work of a batch on each recording.
protocol BatchTask: ParsableCommand {
  /// The recordings, and how they are processed.
  var batch: BatchOptions { get }
  /// How the name of a file under `--output-dir` ends.
  var fileType: String { get }
  /// The unit of the field in `--columns`, where no other option says it.
  var columnUnit: String? { get }
  /// Processes a recording, and writes its output. Returns what is told of it.
  func result(of recording: BatchRecording) throws -> [JSONValue.Member]
}

extension BatchTask {
  var columnUnit: String? { nil }

  /// Starts the workers and feeds them; as a worker, does the work.
  func run() throws {
    if batch.worker { return try serve() }
    if let folder = batch.outputDir {
      do throws(FileProblem) { try Folder.make(folder, mode: 0o777) } catch { throw Failure(error, to: "make") }
      guard NodeKind.at(folder) == .directory else {
        throw Failure(.usage, "can't write to \(folder): it is not a folder", hint: "give another --output-dir")
      }
    }
    if batch.files.isEmpty, isatty(STDIN_FILENO) == 1 {
      throw Failure(.usage, "no recordings given", hint: "name files, or send their names to standard input")
    }
    // Each recording takes as much memory as the one before: a worker that keeps it saves a sixth of its time.
    setenv("GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=268435456", 0)
    // The same arguments again, and the word that makes it a worker.
    let name = Self._commandName
    let words =
      [CommandLine.arguments.first ?? "lodestone", "batch", name, "--worker"] + CommandLine.arguments.dropFirst(3)
    let names = try BatchNames(batch.files)
    let outputs = batch.outputDir.map { BatchOutputs(folder: $0, suffix: ".\(name).\(fileType)") }
    try BatchRun(
      names, command: name, workers: words, jobs: batch.jobs ?? Self.coreCount, isQuiet: batch.quiet, outputs: outputs
    ).run()
  }

  /// An option that is of no use without files to write is an error.
  func validate(_ option: FormatOption<some Record>) throws {
    guard try option.kind() != nil, batch.outputDir == nil else { return }
    throw ValidationError("--format needs --output-dir")
  }

  /// How an instrument reads a recording.
  func sessionOptions(_ calibration: CalibrationOptions) -> SessionOptions {
    var options = SessionOptions()
    options.mounting = batch.input.mount
    options.profile = calibration.choice
    return options
  }

  /// The cores of this machine.
  private static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  // MARK: The worker

  /// Answers each name on standard input with an object on standard output. Names come as JSON, because they may hold
  /// line ends.
  private func serve() throws {
    linux_end_with_parent()
    while let line = readLine() {
      guard case .array(let list)? = JSONValue(parsing: Array(line.utf8)), case .string(let name)? = list.first else {
        throw Failure(.usage, "--worker is for lodestone batch itself")
      }
      try writeToStandardOutput(object(of: name).line)
    }
  }

  private func object(of name: String) -> JSONValue {
    do {
      let path = try outputPath(of: name)
      if batch.skipDone, let path, NodeKind.at(path) == .regularFile {
        return BatchObject.success(
          name, Self._commandName, path, [JSONValue.Member(key: "skipped", value: .bool(true))])
      }
      let recording = BatchRecording(name: name, stream: try open(name), output: path)
      return BatchObject.success(name, Self._commandName, path, try result(of: recording))
    } catch {
      let useless = (error as? ValidationError).map { Failure(.usage, $0.message, hint: "leave it out") }
      let failure = useless ?? Failure(wording: error) ?? Failure(.inputOutput, "can't read \(name): \(error)")
      return BatchObject.failure(name, Self._commandName, failure)
    }
  }

  /// Opens a recording: what waits for a device or a peer would hold the others up.
  private func open(_ name: String) throws -> any SampleStream {
    let address = DeviceAddress(name)
    let kind = NodeKind.at(address.body)
    if kind == .directory { throw Failure(PortError.notAFile(path: address.body, kind: .directory)) }
    guard address.scheme == nil || address.scheme == "file", address.body != "-", kind == nil || kind == .regularFile
    else {
      throw Failure(
        .usage, "can't use '\(name)': it is not a file", hint: "lodestone \(Self._commandName) --device reads devices")
    }
    var options = OpenOptions()
    batch.input.describe(&options, columnUnit: columnUnit)
    return try AddressSchemes.open(name, options)
  }

  /// The path of a recording's output. Its folder is made.
  private func outputPath(of name: String) throws -> String? {
    guard let folder = batch.outputDir else { return nil }
    let path = BatchOutputs(folder: folder, suffix: ".\(Self._commandName).\(fileType)").path(of: name)
    let above = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? folder
    do throws(FileProblem) { try Folder.make(above, mode: 0o777) } catch { throw Failure(error, to: "make") }
    if let kind = NodeKind.at(path), kind != .regularFile {
      throw Failure(.usage, "can't write \(path): it is not a file", hint: "give another --output-dir")
    }
    return path
  }
}

/// The paths of the outputs of recordings: no two recordings are written to one place.
struct BatchOutputs {
  private let folder: String
  private let suffix: String
  /// The hash of a recording's own path by that of its output: a name takes 16 bytes.
  private var claims: [Int: Int] = [:]

  /// - Parameter suffix: what follows the recording's name.
  init(folder: String, suffix: String) {
    self.folder = folder
    self.suffix = suffix
  }

  /// Under the folder where the recording is under this one, or under the root; `..` is a folder `__`, and one that is
  /// called so has a `_` more.
  func path(of name: String) -> String {
    let parts = DeviceAddress(name).body.split(separator: "/").filter { $0 != "." }.map { part in
      part == ".." ? "__" : part.count > 1 && part.allSatisfy { $0 == "_" } ? part + "_" : String(part)
    }
    return ([folder] + parts).joined(separator: "/") + suffix
  }

  /// Takes the place of a recording's output; a failure where that of another recording is.
  mutating func claim(_ name: String) -> Failure? {
    let path = path(of: name)
    let own = Self.absolute(DeviceAddress(name).body).hashValue
    guard let other = claims.updateValue(own, forKey: path.hashValue), other != own else { return nil }
    claims[path.hashValue] = other
    return Failure(
      .usage, "can't write \(path): what comes of another recording is there",
      hint: "use relative names or absolute ones, not both")
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return ([String(cString: folder)] + path.split(separator: "/").filter { $0 != "." }.map(String.init))
      .joined(separator: "/")
  }
}

/// The object that reports on a file.
enum BatchObject {
  /// The object for a success, with the path of the output.
  static func success(_ file: String, _ command: String, _ path: String?, _ members: [JSONValue.Member]) -> JSONValue {
    let output = path.map { [JSONValue.Member(key: "output", value: .string($0))] } ?? []
    return .object(head(file, command, exit: 0) + output + members)
  }

  /// Why nothing did.
  static func failure(_ file: String, _ command: String, _ failure: Failure) -> JSONValue {
    let words = [
      JSONValue.Member(key: "error", value: .string(failure.message.withoutPasswords)),
      JSONValue.Member(key: "hint", value: failure.hint.map { .string($0) } ?? .null),
    ]
    return .object(head(file, command, exit: Int(failure.exitCode.rawValue)) + words)
  }

  private static func head(_ file: String, _ command: String, exit: Int) -> [JSONValue.Member] {
    [
      JSONValue.Member(key: "file", value: .string(file.withoutPasswords)),
      JSONValue.Member(key: "command", value: .string(command)),
      JSONValue.Member(key: "exit", value: .integer(exit)),
    ]
  }
}
