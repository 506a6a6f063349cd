import Support
import Testing

/// `heading --learn`: a hard iron that has moved since the calibration is followed; through the built command.
@Suite(.waiting) struct LearningTests {
  private static let board = "sim:?speed=max&sensor=7&gyro=yes"
  private static let moved = board + "&hard=20,20,-15&motion=figure-eight"

  private typealias Heading = (_ arguments: String...) throws -> CommandRun

  /// A store with the calibration of the board as it was, and `heading` with that store.
  private func scene(_ body: (_ folder: String, _ heading: Heading) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let environment = ["XDG_DATA_HOME": folder]
      let run = try CommandRun.lodestone(
        ["calibrate", "--device", Self.board + "&hard=10,20,-15"], environment: environment)
      try #require(run.exitCode == 0, "\(run.errors)")
      try body(folder) { (arguments: String...) in
        try CommandRun.lodestone(["heading"] + arguments, environment: environment)
      }
    }
  }

  private func profile(_ number: Int, in folder: String) -> String? {
    let path = folder + "/lodestone/profiles/sim-7/000\(number).json"
    return (try? CommandRun.contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The numbers of a table, row by row; nil where a field is none.
  private func rows(_ text: String) -> [[Double?]] {
    text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    }
  }

  /// The share of headings from a time on that are as near as they say, and their root mean square error in degrees.
  private func judge(_ headings: String, truth: String, from begin: Double) throws -> (within: Double, error: Double) {
    var (within, count, squares) = (0.0, 0.0, 0.0)
    for (told, real) in zip(rows(headings), rows(truth)) {
      guard let time = told[0], time > begin, let heading = told[1], let accuracy = told[3], let true_ = real[1] else {
        continue
      }
      let off = abs((heading - true_ + 540).truncatingRemainder(dividingBy: 360) - 180)
      (within, count, squares) = (within + (off <= accuracy ? 1 : 0), count + 1, squares + off * off)
    }
    try #require(count > 1000)
    return (within / count, (squares / count).squareRoot())
  }

  @Test func headingsFollowTheHardIron() throws {
    try scene { folder, heading in
      let truth = folder + "/truth.csv"
      let walking = Self.board + "&hard=20,20,-15&motion=walk"
      let run = try heading(
        "--device", walking, "--duration", "90", "--learn", "--format", "csv", "--truth", truth)
      #expect(run.exitCode == 0 && run.errors.contains("the hard iron has moved by 10."), "\(run.errors)")
      #expect(run.errors.contains("--learn save would save that"))
      let real = String(decoding: try CommandRun.contents(of: truth), as: UTF8.self)
      let learnt = try judge(run.text, truth: real, from: 35)
      #expect(learnt.within > 0.93 && learnt.error < 1.5, "\(learnt)")
      // In doubt, the accuracy covers what the first window saw.
      #expect(try judge(run.text, truth: real, from: 8.1).within > 0.93)
      // Without, it is followed for as long as the command runs, and nothing is said of it.
      let without = try heading("--device", walking, "--duration", "90", "--format", "csv")
      let followed = try judge(without.text, truth: real, from: 8.1)
      #expect(followed.within > 0.93 && followed.error < 1.5 && !without.errors.contains("moved by"), "\(followed)")
      let blind = try heading("--device", walking, "--duration", "90", "--format", "csv", "--fusion", "off")
      #expect(try judge(blind.text, truth: real, from: 35).error > 4)
      #expect(profile(2, in: folder) == nil)
    }
  }

  @Test func aNewVersionIsSavedWhereThatIsAsked() throws {
    try scene { folder, heading in
      let before = profile(1, in: folder)
      let run = try heading("--device", Self.moved, "--duration", "100", "--learn", "save", "--format", "csv")
      #expect(run.exitCode == 0 && run.errors.contains("what was learnt is saved as "), "\(run.errors)")
      #expect(profile(1, in: folder) == before && profile(2, in: folder)?.contains("\"touch-up\"") == true)
      #expect(profile(3, in: folder) == nil)
      let after = try heading("--device", Self.moved, "--duration", "60", "--learn", "save", "--format", "csv")
      #expect(after.exitCode == 0 && !after.errors.contains("moved by"), "\(after.errors)")
    }
  }

  /// A calibration that fits is never written again, and one in a vehicle asks to be tilted.
  @Test func nothingIsSavedWithoutNeed() throws {
    try scene { folder, heading in
      let same = Self.board + "&hard=10,20,-15&motion=walk"
      let run = try heading("--device", same, "--duration", "120", "--learn", "save", "--format", "csv")
      #expect(run.exitCode == 0 && !run.errors.contains("moved by"), "\(run.errors)")
      let level = Self.board + "&hard=20,20,-15&motion=spin"
      let turning = try heading("--device", level, "--duration", "120", "--learn", "save", "--format", "csv")
      #expect(turning.exitCode == 0 && turning.errors.contains("tilt the board as well as turning it"))
      #expect(profile(2, in: folder) == nil)
    }
  }

  @Test func whatCannotWorkIsRefused() throws {
    try scene { folder, heading in
      let none = try heading("--device", Self.moved, "--profile", "none", "--learn")
      #expect(none.exitCode == 66 && none.errors.contains("--learn: the device is not calibrated"), "\(none.errors)")
      let file = try heading("--device", Self.moved, "--profile", "x.json", "--learn", "save")
      #expect(file.exitCode == 64 && file.errors.contains("leave --profile out"))
      let swung = try heading("--device", Self.moved, "--learn", "--deviation", "on")
      #expect(swung.exitCode == 64 && swung.errors.contains("leave --deviation out"))
      let blind = try heading(
        "--device", "sim:?speed=max&sensor=7&gyro=no&hard=20,20,-15", "--duration", "20", "--learn", "--format", "csv")
      #expect(blind.exitCode == 0 && blind.errors.contains("the device sends no rotation rates"), "\(blind.errors)")
    }
  }
}
