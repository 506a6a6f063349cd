import Glibc
import LodestoneCore
import Support
import Testing

/// A rotating magnet counted through the built command.
@Suite(.waiting) struct TurnsTests {
  /// 200 turns at 0.1 of the sampling rate, the last samples at rest.
  private static var recording: String {
    let rows = (0..<2100).map { step in
      let angle = 2 * Double.pi * 0.1 * Double(min(step, 2000))
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
      }
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
