import Glibc
import LodestoneCore
import LodestonePorts
import Support
import Testing

/// A rotating magnet counted through the built command.
@Suite(.waiting) struct TurnsTests {
  private static var recording: String { recording(1) }

  /// 200 turns at 0.1 of the sampling rate, one way or the other (−1), the last samples at rest.
  private static func recording(_ way: Double) -> String {
    let rows = (0..<2100).map { step in
      let angle = way * 2 * Double.pi * 0.1 * Double(min(step, 2000))
      let field = Vector3(20 + 60 * cos(angle), -15 + 40 * sin(angle), 40)
      return "\(Double(step) / 100),\(field.x),\(field.y),\(field.z)"
    }
    return (["time_s,mx_uT,my_uT,mz_uT"] + rows).joined(separator: "\n") + "\n"
  }

  @Test func countsGoOnFromTheirFile() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.recording, to: folder + "/meter.csv")
      let arguments = [
        "teslameter", folder + "/meter.csv", "--profile", "none", "--turns", "--turns-file", folder + "/turns.json",
        "--per-turn", "0.5L", "--format", "csv",
      ]
      for total in [200.0, 400] {
        let run = try CommandRun.lodestone(arguments, environment: ["XDG_DATA_HOME": folder])
        #expect(run.exitCode == 0, "\(run.errors)")
        let last = try #require(MainJobTests.rows(run.text).last)
        let forward = try #require(last["forward_turns"].flatMap { Double($0) })
        #expect(abs(forward - total) <= 1 && last["backward_turns"] == "0")
        #expect(last["volume_L"].flatMap { Double($0) } == forward / 2)
        #expect(access(folder + "/turns.json", F_OK) == 0 && access(folder + "/.turns.json.lock", F_OK) != 0)
      }
    }
  }

  /// A meter that turns back after a restart takes nothing for forward.
  @Test func theWayForwardStaysInTheFile() throws {
    try TemporaryFolder.with { folder in
      for (way, name) in [(1.0, "there"), (-1, "back")] {
        try CommandRun.write(Self.recording(way), to: folder + "/\(name).csv")
        let run = try CommandRun.lodestone(
          [
            "teslameter", folder + "/\(name).csv", "--profile", "none", "--turns", "--turns-file",
            folder + "/turns.json", "--format", "csv",
          ], environment: ["XDG_DATA_HOME": folder])
        let last = try #require(MainJobTests.rows(run.text).last)
        let counts = try ["forward_turns", "backward_turns"].map { try #require(last[$0].flatMap { Double($0) }) }
        #expect(abs(counts[0] - 200) <= 1 && abs(counts[1] - (way > 0 ? 0 : 200)) <= 1, "\(last)")
      }
    }
  }

  /// A second program waits for its turn, and what stands in the way of the lock is no program.
  @Test func twoProgramsDoNotCountIntoOneFile() throws {
    try TemporaryFolder.with { folder in
      let arguments = ["teslameter", "sim:?speed=max", "--turns", "--duration", "1", "--turns-file"]
      let lock = try #require(try FileLock(folder + "/.turns.lock"))
      try withExtendedLifetime(lock) {
        let run = try CommandRun.lodestone(arguments + [folder + "/turns"], environment: ["XDG_DATA_HOME": folder])
        #expect(run.exitCode == 75 && run.errors.contains("another program counts into this file"), "\(run.errors)")
      }
      let run = try CommandRun.lodestone(arguments + [folder + "/none/turns"], environment: ["XDG_DATA_HOME": folder])
      #expect(run.exitCode != 0 && run.errors.contains("can't write \(folder)/none/.turns.lock"), "\(run.errors)")
    }
  }

  @Test func aFileThatIsSomethingElseStays() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("precious", to: folder + "/other")
      let run = try CommandRun.lodestone(
        ["teslameter", "sim:?speed=max", "--turns", "--turns-file", folder + "/other", "--duration", "1"],
        environment: ["XDG_DATA_HOME": folder])
      #expect(run.exitCode == 65 && run.errors.contains("--turns-file"))
      #expect(try CommandRun.contents(of: folder + "/other") == Array("precious".utf8))
    }
  }

  @Test func volumesThatAreNoneAreRefused() throws {
    for volume in ["0L", "5", "-1L", "xL", "1 gal"] {
      let run = try CommandRun.lodestone(["teslameter", "sim:", "--turns", "--per-turn", volume])
      #expect(run.exitCode == 64, "\(volume)")
    }
    #expect(try CommandRun.lodestone(["teslameter", "sim:", "--per-turn", "1L"]).exitCode == 64)
  }
}
