import LodestoneCore
import Support
import Testing

/// Notices of `lodestone heading` about the calibration it uses, on recordings of minutes.
@Suite(.waiting) struct CalibrationWatchTests {
  /// A field of 48 µT that dips by 65°.
  private static let field = Vector3(0, 20.286, -43.503)

  private static let profile = """
    {
      "format": "lodestone-profile", "version": 1, "device": "board", "created": "2026-01-01T00:00:00Z",
      "hard_iron_uT": [0, 0, 0], "soft_iron": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
      "field_uT": 48, "inclination_deg": 65, "axes": "x,y,z", "noise_uT": 0.3, "parameters": [], "covariance": [],
      "quality": {
        "verdict": "good", "kind": "full", "heading_error_deg": 0.3, "heading_error_level_deg": 0.2,
        "misalignment": "solved", "samples": 3000, "rests": 8, "coverage_percent": 95, "residual_uT": 0.3,
        "ignored": [], "warnings": []
      }
    }
    """

  /// The notices over three minutes at 20 Hz in which the specific force turns about the x axis as the seconds tell, in
  /// degrees.
  private func notices(_ turn: (Double) -> Double) throws -> String {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.profile, to: folder + "/board.json")
      let rows = (0..<3600).map { index in
        let time = Double(index) / 20
        let force = Matrix3(rotation: Vector3(Angle.radians(turn(time)), 0, 0)) * Vector3(0, 0, 1)
        return ([time] + Self.field.components + force.components).map { "\($0)" }.joined(separator: ",")
      }
      let text = (["time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g"] + rows).joined(separator: "\n")
      try CommandRun.write(text + "\n", to: folder + "/run.csv")
      let run = try CommandRun.lodestone([
        "heading", "--device", folder + "/run.csv", "--profile", folder + "/board.json", "--output", "/dev/null",
      ])
      #expect(run.exitCode == 0, "\(run.errors)")
      return run.errors
    }
  }

  @Test(arguments: [(45, "20 °C warmer"), (5, "20 °C colder")])
  func anotherTemperatureIsSaidOnce(temperature: Int, words: String) throws {
    let arguments = ["heading", "--duration", "20", "--output", "/dev/null", "--device"]
    let run = try CommandRun.lodestone(arguments + ["sim:?temperature=\(temperature)&speed=max"])
    #expect(run.exitCode == 0 && run.errors.ranges(of: words).count == 1, "\(run.errors)")
    #expect(run.errors.contains("the chip has \(temperature) °C"))
    let near = try CommandRun.lodestone(arguments + ["sim:?temperature=39&speed=max"])
    #expect(!near.errors.contains(" K "))
  }

  @Test func anotherInclinationAtRestIsSaid() throws {
    #expect(try notices { _ in 0 } == "")
    #expect(try notices { _ in 10 }.contains("no longer fits: the field is 0.0 % off, its inclination"))
  }

  /// A force that swings is always 1 g long, and never that of a device at rest.
  @Test func inMotionTheInclinationSaysNothing() throws {
    #expect(try notices { time in -20 - 60 * (time - time.rounded(.down)) } == "")
  }
}

extension Vector3 {
  fileprivate var components: [Double] { [x, y, z] }
}
