import Glibc
import Support
import Testing

/// Events of all instruments, and the programs that they start, through the built command.
@Suite(.waiting) struct EventTests {
  private static func run(_ arguments: [String]) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.lodestone(arguments, environment: ["XDG_DATA_HOME": folder])
    }
  }

  /// A board that spins by 36°/s passes a sector once in ten seconds.
  @Test func aHeadingThatLeavesItsSectorIsTold() throws {
    let device = "sim:?motion=spin&turn=36&heading=0&speed=max"
    let run = try Self.run(
      ["heading", device, "--duration", "40", "--format", "csv", "--events", "--on", "inside:80..100", "true"])
    #expect(run.exitCode == 0, "\(run.errors)")
    let rows = MainJobTests.rows(run.text).filter { $0["event"] == "inside" }
    #expect((3...4).contains(rows.count), "\(run.text)")
  }

  /// The reading's values stand in the program's environment, and a closed pipe ends it as usual.
  @Test func programsKnowWhatHappened() throws {
    try TemporaryFolder.with { folder in
      let script = folder + "/told"
      try CommandRun.write(
        "#!/bin/sh\necho \"$LODESTONE_EVENT $LODESTONE_PITCH_DEG\" > \(folder)/values\n"
          + "(yes; echo \"status $?\") 2>&1 | head -1 > \(folder)/pipe\n", to: script)
      let run = try CommandRun.lodestone(
        [
          "level", "sim:?motion=still&pitch=12&roll=0&speed=max", "--duration", "3", "--on", "tilt:5",
          "sh \(script)",
        ], environment: ["XDG_DATA_HOME": folder])
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(
        eventually {
          guard let bytes = try? CommandRun.contents(of: folder + "/values") else { return false }
          return String(decoding: bytes, as: UTF8.self).hasPrefix("tilt:5 1")
        })
    }
  }

  /// What this program ignores for itself ends others as usual: a closed pipe, and files that grow too large.
  @Test func programsHaveTheUsualSignals() throws {
    try TemporaryFolder.with { folder in
      let script = folder + "/told"
      try CommandRun.write(
        "grep SigIgn /proc/self/status > \(folder)/made\nmv \(folder)/made \(folder)/ignored\n", to: script)
      let run = try CommandRun.lodestone(
        ["level", "sim:?motion=still&pitch=12&roll=0&speed=max", "--duration", "3", "--on", "tilt:5", "sh \(script)"],
        environment: ["XDG_DATA_HOME": folder])
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(eventually { access(folder + "/ignored", F_OK) == 0 })
      let text = String(decoding: try CommandRun.contents(of: folder + "/ignored"), as: UTF8.self)
      let mask = text.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) }
      // Linux numbers signals from 1, in the mask from 0.
      let ours = UInt64(1) << UInt64(SIGPIPE - 1) | UInt64(1) << UInt64(SIGXFSZ - 1)
      #expect(mask.map { $0 & ours } == 0, "\(text)")
    }
  }

  @Test func eventsThatAnInstrumentHasNotAreRefused() throws {
    let device = "sim:?speed=max"
    for (command, event, named) in [
      ("heading", "shake", "outside:80..100"), ("level", "disturbed", "tilt:0.5"), ("attitude", "above", "still"),
      ("teslameter", "step", "above:100"), ("motion", "above:1", "free-fall"),
    ] {
      let run = try Self.run([command, device, "--on", event, "true"])
      #expect(run.exitCode == 64 && run.errors.contains(named), "\(command): \(run.errors)")
    }
  }
}
