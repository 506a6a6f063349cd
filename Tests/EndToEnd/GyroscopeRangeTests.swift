import LodestoneCore
import Support
import Testing

/// A board whose gyroscope measures 250 °/s, as the first sensors of many kits do, in a hand that makes figures of
/// eight of 430: the ends of its range are known by the numbers of the recording alone.
@Suite(.waiting) struct GyroscopeRangeTests {
  private static func recorded(_ settings: String, to path: String) throws {
    let device = "sim:?motion=figure-eight&calibrated=no&speed=max&rate=100&\(settings)"
    let run = try CommandRun.lodestone(["record", "--quiet", "--device", device, "--count", "6000", "--output", path])
    #expect(run.exitCode == 0, "\(run.errors)")
  }

  /// The gains of a calibration are those of the turns that the gyroscope has measured: with what it missed one was 4 %
  /// too large. Who reads headings is told.
  @Test(arguments: 1...3) func turnsPastTheRangeAreNoGainAndAreTold(sensor: Int) throws {
    try TemporaryFolder.with { folder in
      let (sweep, profile) = ("\(folder)/sweep.csv", "\(folder)/board.json")
      try Self.recorded("sensor=\(sensor)&gyro-range=250.13", to: sweep)
      let calibration = try CommandRun.lodestone(["calibrate", "--device", sweep, "--profile", profile, "--json"])
      #expect(calibration.exitCode == 0, "\(calibration.errors)")
      let calibrated = String(decoding: try CommandRun.contents(of: profile), as: UTF8.self)
      if let gains = calibrated.firstRange(of: "\"gyroscope_gain\"") {
        let numbers = calibrated[gains.upperBound...].prefix { $0 != "}" }.split { !"-.0123456789e".contains($0) }
        for diagonal in [0, 4, 8] {
          let gain = try #require(Double(numbers.dropFirst(diagonal).first ?? ""))
          #expect(abs(gain - 1) < 0.01, "\(gain)")
        }
      }
      let heading = try CommandRun.lodestone([
        "heading", "--device", sweep, "--profile", profile, "--format", "csv",
      ])
      #expect(heading.exitCode == 0)
      let told = heading.errors.split(separator: "\n")
      #expect(told.count { $0.contains("faster than its gyroscope measures (250 °/s)") } == 1, "\(told)")
    }
  }

  @Test func turnsWithinTheRangeAreNot() throws {
    try TemporaryFolder.with { folder in
      let sweep = "\(folder)/sweep.csv"
      try Self.recorded("gyro-range=500", to: sweep)
      let heading = try CommandRun.lodestone(["heading", "--device", sweep, "--profile", "none", "--format", "csv"])
      #expect(heading.exitCode == 0 && !heading.errors.contains("gyroscope"), "\(heading.errors)")
    }
  }
}
