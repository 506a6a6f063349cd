import LodestoneCore
import Support
import Testing

/// Rows without names as sketches and scripts print them: between bars, in brackets, with units behind the numbers.
/// They are read by the rules of bare tables, from a file as from a board.
@Suite(.waiting) struct BareRowsTests {
  private typealias Line = FirstContactTests.Line
  private typealias Pose = FirstContactTests.Pose

  private static let si = 9.80665, radian = Double.pi / 180

  /// Numbers with a unit behind each.
  private static func text(_ values: [Double], _ decimals: Int, _ unit: String, _ separator: String) -> String {
    values.map { $0.text(decimals: decimals) + unit }.joined(separator: separator)
  }

  private static let bars = [
    Line("bars") { Pose.text($0.level(), 2, " | ") }, Line("bars alone") { Pose.text($0.level(), 2, "|") },
    Line("a row of a text table") { "| " + Pose.text($0.level(), 2, " | ") + " |" },
    Line("bars and a time") { "\($0.milliseconds) | " + Pose.text($0.level(), 2, " | ") },
    Line("groups") {
      Pose.text($0.force(), 3) + " | " + Pose.text($0.rate(), 2) + " | " + Pose.text($0.field(), 2)
    },
    Line("groups of blanks") { Pose.text($0.force(), 3, " ") + " | " + Pose.text($0.field(), 2, " ") },
    Line("groups, a time, °C") {
      "\($0.milliseconds) | " + Pose.text($0.field(), 2, ", ") + " | " + Pose.text($0.force(si), 3, ", ") + " | 24.5"
    }, Line("decimal commas") { Pose.text($0.level(), 2, " | ").replacing(".", with: ",") },
    Line("names between bars") { Pose.text(["mx: ", "my: ", "mz: "], $0.level(), 2, " | ") },
    Line("sensors between bars") {
      "Mag: " + Pose.text($0.field(), 2) + " | Acc: " + Pose.text($0.force(), 3) + " | Gyr: "
        + Pose.text($0.rate(), 2)
    },
  ]

  private static let units = [
    Line("µT each") { text($0.level(), 2, " uT", ", ") }, Line("µT close by") { text($0.level(), 1, "uT", " ") },
    Line("µ") { text($0.level(), 2, " µT", "  ") }, Line("mG each") { text($0.level(10), 0, " mG", " ") },
    Line("gauss each") { text($0.level(0.01), 4, " Gauss", ", ") },
    Line("nT and tabs") { text($0.level(1000), 0, " nT", "\t") },
    Line("one unit") { Pose.text($0.level(), 2, ", ") + " [uT]" },
    Line("names and units") { Pose.text(["X: ", "Y: ", "Z: "], $0.level(), 2, " µT  ") + " µT" },
    Line("g and µT") { text($0.force(), 3, " g", " ") + " " + text($0.field(), 2, " uT", " ") },
    Line("mg, °/s, mG, °C") {
      text($0.force(1000), 0, "mg", " ") + " " + text($0.rate(), 2, "dps", " ") + " " + text($0.field(10), 0, "mG", " ")
        + " 24.5C"
    },
    Line("a time and three units") {
      "\($0.milliseconds) ms, " + text($0.force(si), 2, " m/s²", ", ") + ", " + text($0.rate(radian), 4, " rad/s", ", ")
        + ", " + text($0.field(), 2, " µT", ", ")
    }, Line("a unit a sensor") { Pose.text($0.field(), 2, " ") + " uT " + Pose.text($0.force(), 3, " ") + " g" },
    Line("field and magnitude") { pose in
      let field = pose.level()
      let length = field.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return text(field + [length], 2, " uT", ", ")
    },
  ]

  private static let lists = [
    Line("a list") { "[" + Pose.text($0.level(), 2, ", ") + "]" },
    Line("a list of a list") { "[" + Pose.text($0.level(), 2) + "]," },
    Line("a list of six") { "[" + Pose.text($0.force() + $0.field(), 3, ", ") + "]" },
    Line("a list with a time") { "[\($0.milliseconds), " + Pose.text($0.field() + $0.force(), 3, ", ") + "]" },
    Line("lists in a list") {
      "[[" + Pose.text($0.force(si), 2, ", ") + "], [" + Pose.text($0.rate(radian), 4, ", ") + "], ["
        + Pose.text($0.field(), 2, ", ") + "]]"
    }, Line("tuples") { "(" + Pose.text($0.force(si), 2, ", ") + ") (" + Pose.text($0.field(), 2, ", ") + ")" },
    Line("an array's text") { "[" + Pose.text($0.level(), 2, "  ") + " ]" },
    Line("NumPy's numbers") { "(" + $0.level().map { "np.float64(\($0))" }.joined(separator: ", ") + ")" },
    Line("NumPy's array") { "array([" + Pose.text($0.level(), 2, ", ") + "])" },
    Line("NumPy's numbers with a name") {
      "{'mag': (" + $0.level().map { "np.float64(\($0))" }.joined(separator: ", ") + "), 'ok': True}"
    }, Line("NumPy's arrays with names") { "mag: array([" + Pose.text($0.level(), 2, ", ") + "])" },
    Line("lists with names") {
      "{\"mag\":[" + Pose.text($0.field(), 2) + "],\"acc\":[" + Pose.text($0.force(), 3) + "]}"
    },
  ]

  private static let all = bars + units + lists

  private static func check(_ run: CommandRun, count: Int, _ line: Line) {
    let rows = MainJobTests.rows(run.text)
    #expect(run.exitCode == 0 && rows.count == count, "\(line.testDescription): \(rows.count) \(run.errors)")
    for row in rows {
      let heading = row["magnetic_heading_deg"].flatMap { Double($0) } ?? .nan
      let field = row["field_uT"].flatMap { Double($0) } ?? .nan
      #expect(abs(Angle.shortestTurn(from: 40.3, to: heading)) < 1.5, "\(line.testDescription): \(heading)")
      #expect(abs(field / 48 - 1) < 0.02, "\(line.testDescription): \(field) µT")
    }
  }

  private static let heading = ["heading", "--format", "csv", "--profile", "none", "--fusion", "off", "--device"]

  /// All rows of a file, and the time where it is told.
  @Test(arguments: all.indices) func filesAreReadRight(_ index: Int) throws {
    let line = Self.all[index]
    try TemporaryFolder.with { folder in
      let rows = (0..<60).map { line.text(Pose(number: $0)) + "\r\n" }.joined()
      try CommandRun.write(rows, to: folder + "/rows.txt")
      let run = try CommandRun.lodestone(Self.heading + [folder + "/rows.txt"])
      Self.check(run, count: 60, line)
      guard line.testDescription.contains("a time") else { return }
      let times = MainJobTests.rows(run.text).compactMap { $0["time_s"].flatMap { Double($0) } }
      #expect(abs((times.last ?? 0) - (times.first ?? 0) - 59 * 0.05) < 1e-6, "\(times)")
    }
  }

  @Test(arguments: [bars[0], bars[4], units[0], units[8], lists[0], lists[4]].indices)
  func boardsAreReadRight(_ index: Int) throws {
    let line = [Self.bars[0], Self.bars[4], Self.units[0], Self.units[8], Self.lists[0], Self.lists[4]][index]
    let board = try PtyBoard(rate: 20) { Array((line.text(Pose(number: $0)) + "\r\n").utf8) }
    Self.check(try CommandRun.lodestone(Self.heading + [board.path, "--count", "30"]), count: 30, line)
  }

  /// Names above rows that are written otherwise, and names between bars.
  @Test func headersHoldForThem() throws {
    let rows: [(String, Line)] = [
      ("mx,my,mz", Self.bars[0]), ("mx my mz", Self.lists[0]), ("mx\tmy\tmz", Self.units[0]),
      ("mx | my | mz", Self.bars[0]),
      ("| mx (uT) | my (uT) | mz (uT) |", Self.bars[2]), ("ax,ay,az | gx,gy,gz | mx,my,mz", Self.bars[4]),
    ]
    try TemporaryFolder.with { folder in
      for (header, line) in rows {
        let text = header + "\n" + (0..<30).map { line.text(Pose(number: $0)) + "\n" }.joined()
        try CommandRun.write(text, to: folder + "/rows.txt")
        Self.check(try CommandRun.lodestone(Self.heading + [folder + "/rows.txt"]), count: 30, line)
      }
      // The user's names, too.
      try CommandRun.write(
        (0..<30).map { Self.lists[2].text(Pose(number: $0)) + "\n" }.joined(), to: folder + "/rows.txt")
      let named = Self.heading + [folder + "/rows.txt", "--columns"]
      Self.check(try CommandRun.lodestone(named + ["ax,ay,az,mx,my,mz"]), count: 30, Self.lists[2])
      let run = try CommandRun.lodestone(named + ["mx,my,mz"])
      #expect(run.exitCode == 65 && run.errors.contains("names 3 columns, and the rows have 6"), "\(run.errors)")
    }
  }

  private static let without: [(Line, String)] = [
    (Line("a tuple of m/s²") { "(" + Pose.text($0.force(si), 2, ", ") + ")" }, "accelerations"),
    (Line("g each") { text($0.force(), 3, " g", " ") }, "accelerations"),
    (
      Line("an MPU6050's example") {
        Pose.text(["AcX = ", "AcY = ", "AcZ = "], $0.force(16_384), 0, " | ") + " | Tmp = 25.11 | "
          + Pose.text(["GyX = ", "GyY = ", "GyZ = "], $0.rate(131), 0, " | ")
      }, "accelerations and rotation rates"
    ),
    (
      Line("an MPU6050's counts") { Pose.text($0.force(16_384) + $0.rate(131), 0, " | ") },
      "there may be no magnetic field in them"
    ),
    (
      Line("an MPU6050's acceleration") { "[" + Pose.text($0.force(16_384), 0, ", ") + "]" },
      "may be an acceleration in counts"
    ),
    (Line("an ADXL345's counts") { Pose.text($0.force(256), 0) }, "may be an acceleration in counts"),
    (Line("angles") { _ in "40.3 deg, 1.2 deg, -0.5 deg" }, "no magnetic field"),
    (Line("roll, pitch, heading") { _ in "-2.0,3.0,40.3" }, "look like roll, pitch and heading"),
    (
      Line("a slow turn") { "-2.0,3.0,\((40.3 + 0.3 * Double($0.number)).text(decimals: 1))" },
      "roll, pitch and heading"
    ),
    (
      // No field: an MPU6050's numbers and the angles that are worked out of them. asin(0.104) = 6.0°, asin(0.025) =
      // 1.4°.
      Line("angles behind a motion chip's") { Pose.text($0.force() + $0.rate() + [1.4, 6, 40.3], 3) },
      "no magnetic field"
    ),
  ]

  /// A board without a magnetometer never makes a heading, and it is said.
  @Test(arguments: without.indices) func boardsWithoutAMagnetometerAreTold(_ index: Int) throws {
    let (line, words) = Self.without[index]
    try TemporaryFolder.with { folder in
      let rows = (0..<60).map { line.text(Pose(number: $0)) + "\r\n" }.joined()
      try CommandRun.write(rows, to: folder + "/rows.txt")
      let run = try CommandRun.lodestone(Self.heading + [folder + "/rows.txt"])
      #expect(run.exitCode == 65 && run.errors.contains(words), "\(line.testDescription): \(run.errors)")
      #expect(MainJobTests.rows(run.text).isEmpty, "\(line.testDescription)")
    }
  }

  /// Text of nothing but marks, brackets without end, and units that contradict one another end with a reason.
  @Test func nonsenseIsRefused() throws {
    let brackets = String(repeating: "[", count: 100_000)
    let texts = [
      String(repeating: "||||||||\n", count: 500), String(repeating: "| | | |\n", count: 500), brackets,
      brackets + "1,2,3" + String(repeating: "]", count: 100_000) + "\n",
      String(repeating: "[[[12.92,15.70,-43.49]]]\n", count: 50),
      String(repeating: "12.92 uT 15.70 mT -43.49 G\n", count: 50),
      String(repeating: "12.92 uT 15.70 g -43.49 dps\n", count: 50),
      String(repeating: "[12.92,15.70,-43.49\n", count: 50), String(repeating: "12.92)|(15.70|-43.49\n", count: 50),
      "[" + String(repeating: "1,", count: 50_000) + "1]\n",
    ]
    try TemporaryFolder.with { folder in
      for text in texts {
        try CommandRun.write(text, to: folder + "/rows.txt")
        let run = try CommandRun.lodestone(Self.heading + [folder + "/rows.txt"])
        #expect(run.exitCode == 65 && !run.errors.isEmpty, "\(text.prefix(40)): \(run.exitCode) \(run.errors)")
        #expect(MainJobTests.rows(run.text).isEmpty, "\(text.prefix(40))")
      }
    }
  }
}
