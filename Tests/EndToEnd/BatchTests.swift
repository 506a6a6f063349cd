import Glibc
import LodestoneCore
import LodestonePorts
import Support
import Testing

/// Many recordings through the built command: an object each, whatever is wrong with some.
@Suite(.waiting) struct BatchTests {
  static let examples = PackageFolder.root + "Calibration/examples/"

  /// The objects of a text, one a line.
  private static func objects(_ text: String) -> [JSONValue] {
    text.split(separator: "\n").compactMap { JSONValue(parsing: Array($0.utf8)) }
  }

  private static func batch(
    _ arguments: [String], input: String = "", in folder: String, shell: String = #"exec "$@""#
  ) throws -> CommandRun {
    try CommandRun.lodestone(
      ["batch"] + arguments, input: input, environment: ["XDG_DATA_HOME": folder + "/data"], shell: shell)
  }

  private static func text(of path: String) throws -> String {
    String(decoding: try CommandRun.contents(of: path), as: UTF8.self)
  }

  /// Rows of a board that lies still, as many as wanted.
  private static func makeLongRecording(at path: String, rows: Int) throws {
    let rows = (0..<rows).map { "\(Double($0) / 100),20.\($0 % 7),\($0 % 9),-43.\($0 % 5)" }
    try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n" + rows.joined(separator: "\n") + "\n", to: path)
  }

  @Test func eachFileGetsItsObjectInOrderAndABadOneEndsNothing() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("nothing of use\n", to: folder + "/bad.csv")
      let names = [
        "figure-eight.csv", "planar-refused.csv", "no-accelerometer.csv", "../none.csv", "disturbed.csv",
      ].map { Self.examples + $0 }
      let files = [names[0], folder + "/bad.csv"] + names.dropFirst() + ["sim:", folder, names[0]]
      let run = try Self.batch(["calibrate", "--jobs", "3"] + files, in: folder)
      #expect(run.exitCode == 0)
      #expect(run.errors == "lodestone: 9 files, 5 of them failed\n")
      let objects = Self.objects(run.text)
      #expect(objects.map { $0["file"] } == files.map { .string($0) })
      #expect(objects.map { $0["exit"] } == [0, 65, 65, 0, 66, 0, 64, 66, 0].map { .number($0) })
      #expect(objects.allSatisfy { $0["command"] == .string("calibrate") })
      for object in objects where object["exit"] != .number(0) {
        guard case .string(let error)? = object["error"], case .string(let hint)? = object["hint"] else {
          Issue.record("\(object)")
          continue
        }
        #expect(!error.isEmpty && !hint.isEmpty)
      }
      // What the command alone says of it.
      let alone = try CommandRun.lodestone(
        ["calibrate", "--json", "--profile", folder + "/p.json", "--device", names[0]],
        environment: ["XDG_DATA_HOME": folder + "/data"])
      #expect(objects[0]["quality"] == JSONValue(parsing: alone.output))
      #expect(objects[0] == objects[8])
    }
  }

  @Test func namesComeOnStandardInputAndResultsGoUnderTheFolder() throws {
    try TemporaryFolder.with { folder in
      let names = ["figure-eight.csv", "level.csv"].map { Self.examples + $0 }
      let run = try Self.batch(
        ["heading", "--profile", "none", "--output-dir", folder + "/out"],
        input: "\(names[0])\r\n\n\(names[1])", in: folder)
      #expect(run.exitCode == 0)
      let objects = Self.objects(run.text)
      #expect(objects.map { $0["file"] } == names.map { .string($0) })
      for (name, object) in zip(names, objects) {
        let path = "\(folder)/out\(name).heading.csv"
        #expect(object["output"] == .string(path))
        let alone = try CommandRun.lodestone(
          ["heading", "--profile", "none", "--format", "csv", "--device", name],
          environment: ["XDG_DATA_HOME": folder + "/data"])
        #expect(try Self.text(of: path) == alone.text)
        #expect(object["readings"] == .number(Double(MainJobTests.rows(alone.text).count)))
        #expect(object["qualities"]?["uncalibrated"] == object["readings"])
      }
    }
  }

  @Test func whatIsDoneIsLeftOut() throws {
    try TemporaryFolder.with { folder in
      for (number, name) in ["figure-eight.csv", "level.csv"].enumerated() {
        symlink(Self.examples + name, "\(folder)/\(number).csv")
      }
      let arguments = [
        "calibrate", "--output-dir", folder + "/out", "--skip-done", "--jobs", "1", folder + "/0.csv",
        folder + "/1.csv",
      ]
      let first = Self.objects(try Self.batch(arguments, in: folder).text)
      #expect(first.count == 2 && first.allSatisfy { $0["skipped"] == nil && $0["exit"] == .number(0) })
      let kept = "\(folder)/out\(folder)/0.csv.calibrate.json", gone = "\(folder)/out\(folder)/1.csv.calibrate.json"
      #expect(try Self.text(of: kept).contains("lodestone-profile"))
      let whole = try Self.text(of: gone)
      try CommandRun.write("{}", to: kept)
      #expect(unlink(gone) == 0)
      let second = Self.objects(try Self.batch(arguments, in: folder).text)
      #expect(second.map { $0["skipped"] } == [.bool(true), nil])
      #expect(second.map { $0["output"] } == [kept, gone].map { .string($0) })
      #expect(try Self.text(of: kept) == "{}")
      #expect(try Self.text(of: gone).utf8.count == whole.utf8.count)
    }
  }

  @Test func fieldsAreMeasured() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/magnet.csv"
      _ = try CommandRun.lodestone([
        "record", "--device", "sim:?motion=still&speed=max&magnet=0,0,400@10&soft=0&misalignment=0", "--duration",
        "20", "--output", path,
      ])
      let run = try Self.batch(["teslameter", "--profile", "none", path], in: folder)
      let object = try #require(Self.objects(run.text).first)
      guard case .number(let peak)? = object["peak_uT"], case .number(let within)? = object["peak_uncertainty_uT"]
      else {
        Issue.record("\(object)")
        return
      }
      #expect(abs(peak - 400) < 4 && (38...45).contains(within) && object["zero_x_uT"] != nil)
    }
  }

  /// The processes that a batch has started, once there are any.
  private static func workers(of batch: ChildProgram) -> [pid_t] {
    var workers: [pid_t] = []
    #expect(
      eventually {
        workers = ((try? Folder.names(in: "/proc")) ?? []).compactMap { pid_t($0) }.filter { process in
          guard let facts = try? CommandRun.contents(of: "/proc/\(process)/stat") else { return false }
          let fields = String(decoding: facts, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
          return fields.count > 1 && pid_t(fields[1]) == batch.process && fields[0] != "Z"
        }
        return !workers.isEmpty
      })
    return workers
  }

  /// A file that kills what reads it costs that file alone.
  @Test func aWorkerThatDiesIsReplaced() throws {
    try TemporaryFolder.with { folder in
      try Self.makeLongRecording(at: folder + "/long.csv", rows: 300_000)
      let program = try #require(ChildProgram("lodestone", arguments: ["batch", "calibrate", "--jobs", "1"]))
      program.send(folder + "/long.csv")
      let workers = Self.workers(of: program)
      for worker in workers { kill(worker, SIGKILL) }
      let failed = try #require(Self.objects(program.line() ?? "").first)
      #expect(failed["file"] == .string(folder + "/long.csv") && failed["exit"] == .number(74))
      #expect(failed["error"].map { "\($0)".contains("signal 9") } == true)
      let good = Self.examples + "figure-eight.csv"
      let next = try #require(Self.objects(program.ask(good) ?? "").first)
      #expect(next["file"] == .string(good) && next["exit"] == .number(0))
    }
  }

  @Test func aSignalEndsTheWorkersToo() throws {
    try TemporaryFolder.with { folder in
      try Self.makeLongRecording(at: folder + "/long.csv", rows: 300_000)
      let out = folder + "/out"
      let program = try #require(
        ChildProgram("lodestone", arguments: ["batch", "heading", "--jobs", "1", "--output-dir", out]))
      program.send(folder + "/long.csv")
      let workers = Self.workers(of: program)
      #expect(program.end(by: SIGINT) == 130)
      #expect(eventually { workers.allSatisfy { kill($0, 0) != 0 } })
      // No half of a file under its name: it would be taken for done.
      #expect(NodeKind.at("\(out)\(folder)/long.csv.heading.csv") == nil)
    }
  }

  /// Killed as the system kills when memory is short: what it has started ends too.
  @Test func aKilledBatchLeavesNoWorker() throws {
    try TemporaryFolder.with { folder in
      try Self.makeLongRecording(at: folder + "/long.csv", rows: 300_000)
      let program = try #require(ChildProgram("lodestone", arguments: ["batch", "heading", "--jobs", "1"]))
      program.send(folder + "/long.csv")
      let workers = Self.workers(of: program)
      kill(program.process, SIGKILL)
      #expect(
        eventually {
          workers.allSatisfy { worker in
            let facts = (try? CommandRun.contents(of: "/proc/\(worker)/stat")) ?? []
            return facts.isEmpty || String(decoding: facts, as: UTF8.self).contains(") Z ")
          }
        })
    }
  }

  /// As `find -print0` writes them, line ends within names included.
  /// A name in other bytes than UTF-8 is not taken for that of another file.
  @Test func aNameThatIsNotTextIsAnError() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n0,20,1,-40\n1,20,2,-40\n", to: folder + "/\u{FFFD}.csv")
      let run = try CommandRun.lodestone(
        ["batch", "heading"], environment: ["XDG_DATA_HOME": folder],
        shell: #"cd \#(folder) && printf '\377.csv\n' | "$@""#)
      #expect(run.text.contains("\"exit\":64") && run.text.contains("is not in UTF-8"), "\(run.text)")
    }
  }

  @Test func namesMayEndInZeros() throws {
    try TemporaryFolder.with { folder in
      let names = ["a.csv", "b\nc.csv"].map { "\(folder)/\($0)" }
      for name in names { symlink(Self.examples + "level.csv", name) }
      let run = try Self.batch(
        ["heading", "--profile", "none"], input: names.map { $0 + "\u{0}" }.joined(), in: folder)
      let objects = Self.objects(run.text)
      #expect(objects.map { $0["file"] } == names.map { .string($0) }, "\(run.text)")
      #expect(objects.allSatisfy { $0["exit"] == .number(0) })
    }
  }

  /// Two recordings whose results would have one name, and a place where nothing can be written.
  @Test func noResultTakesAnothersPlace() throws {
    try TemporaryFolder.with { folder in
      try Folder.make(folder + "/here" + folder + "/there")
      for name in ["\(folder)/there/a.csv", "\(folder)/here\(folder)/there/a.csv"] {
        try Folder.make(String(name.dropLast(6)))
        symlink(Self.examples + "level.csv", name)
      }
      let relative = String((folder + "/there/a.csv").dropFirst())
      let run = try CommandRun.lodestone(
        ["batch", "heading", "--profile", "none", "--output-dir", folder + "/out", folder + "/there/a.csv", relative],
        environment: ["XDG_DATA_HOME": folder + "/data"], shell: "cd \(folder)/here && exec \"$@\"")
      let objects = Self.objects(run.text)
      #expect(objects.map { $0["exit"] } == [.number(0), .number(64)], "\(run.text)\(run.errors)")
      let out = "\(folder)/out\(folder)/there/a.csv.heading.csv"
      #expect(unlink(out) == 0 && mkfifo(out, 0o600) == 0)
      let again = try Self.batch(
        ["heading", "--profile", "none", "--output-dir", folder + "/out", folder + "/there/a.csv"], in: folder)
      #expect(Self.objects(again.text).first?["exit"] == .number(64), "\(again.text)")
    }
  }

  @Test func aTerminalShowsHowFarItIs() throws {
    try TemporaryFolder.with { folder in
      // A fast machine is through with the first before there is anything to show.
      var text = ""
      for rows in [300_000, 3_000_000] where !text.contains("\r0 of 1 files, 0 a second\u{1B}[K") {
        try Self.makeLongRecording(at: folder + "/long.csv", rows: rows)
        text = try Self.batch(
          ["heading", "--profile", "none", folder + "/long.csv"], in: folder,
          shell: #"exec script -qec "$*" /dev/null"#
        ).text
      }
      #expect(text.contains("\r0 of 1 files, 0 a second\u{1B}[K"), "\(text)")
      #expect(text.contains("\r\u{1B}[K{\"file\":"), "\(text)")
    }
  }

  @Test(arguments: [
    (["heading", "--skip-done", "a.csv"], "--skip-done needs --output-dir"),
    (["heading", "--format", "csv", "a.csv"], "--format needs --output-dir"),
    (["calibrate", "--jobs", "0", "a.csv"], "--jobs 0"),
  ])
  func optionsThatCannotWorkAreErrors(arguments: [String], words: String) throws {
    try TemporaryFolder.with { folder in
      let run = try Self.batch(arguments, in: folder)
      #expect(run.exitCode == 64 && run.errors.contains(words), "\(run.errors)")
    }
  }
}
