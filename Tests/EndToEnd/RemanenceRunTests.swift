import LodestoneCore
import Support
import Testing

/// Iron that a magnet leaves magnetised beside a sensor.
@Suite(.waiting) struct RemanenceRunTests {
  @Test(arguments: [("uT", "3.0 µT are left after 15"), ("mT", "0.0030 mT are left after 1.5")])
  func whatStaysAfterAMagnetIsTold(unit: String, words: String) throws {
    var random = SeededGenerator(seed: 4)
    func noise() -> Double { Double.random(in: -0.05...0.05, using: &random) }
    let rows = (0..<800).map { row in
      let time = Double(row) / 20
      let (magnet, left) = ((10..<20).contains(time) ? 1500.0 : 0, time >= 20 ? 3.0 : 0)
      let field = [noise() + magnet, 20 + noise() + left, -45 + noise()].map { $0.text(decimals: 3) }
      return ([time.text(decimals: 2)] + field).joined(separator: ",")
    }
    try TemporaryFolder.with { folder in
      let file = "\(folder)/magnet.csv"
      try CommandRun.write((["time_s,mx_uT,my_uT,mz_uT"] + rows).joined(separator: "\n") + "\n", to: file)
      let run = try CommandRun.lodestone(
        ["teslameter", "--profile", "none", "--unit", unit, "--device", file], environment: ["XDG_DATA_HOME": folder])
      #expect(run.exitCode == 0)
      let told = run.errors.split(separator: "\n").filter { $0.contains("left after") }
      #expect(told.count == 1 && told.allSatisfy { $0.contains(words) }, "\(run.errors)")
      #expect(told.allSatisfy { $0.contains("Take the zero-point again") }, "\(run.errors)")
    }
  }

  /// A zero-point that nobody calibrated, beside a magnet of 150 µT, which is subtracted as well.
  @Test(arguments: [
    ("uT", 150.0, "the Earth's field is 70.0 µT at most"), ("mT", 150, "the Earth's field is 0.0700 mT at most"),
    ("uT", 30, nil),
  ])
  func aZeroPointBesideAMagnetIsTold(unit: String, magnet: Double, words: String?) throws {
    let rows = (0..<100).map { row in
      "\((Double(row) / 20).text(decimals: 2)),\((magnet + Double(row % 3) / 10).text(decimals: 2)),20,-45"
    }
    try TemporaryFolder.with { folder in
      let file = "\(folder)/near.csv"
      try CommandRun.write((["time_s,mx_uT,my_uT,mz_uT"] + rows).joined(separator: "\n") + "\n", to: file)
      let run = try CommandRun.lodestone(
        ["teslameter", "--profile", "none", "--unit", unit, "--device", file], environment: ["XDG_DATA_HOME": folder])
      #expect(run.errors.contains(words ?? "zero-point"), "\(run.errors)")
      #expect(run.errors.contains("the Earth's field is") == (words != nil), "\(run.errors)")
    }
  }
}
