import LodestoneCore
import Support
import Testing

/// Lines that boards and the examples of libraries really print: read right, or the reason is said; never a wrong
/// heading.
@Suite(.waiting) struct FirstContactTests {
  /// A board at rest that points to 40.3° where the field is 48 µT and dips 65°: level, or tilted by 6°, with a digit
  /// of noise.
  struct Pose {
    /// Level: east is right of north. Tilted: the same field and 1 g in the axes of a board that leans.
    static let level = [-12.92, 15.70, -43.49]
    static let field = [-14.15, 10.95, -44.52]
    static let force = [0.025, 0.104, 0.994]
    static let rate = [2.60, 0.39, -5.43]

    let number: Int
    private func noisy(_ values: [Double], _ size: Double, _ scale: Double = 1) -> [Double] {
      values.enumerated().map { ($1 + size * Double((number * (7 + 4 * $0)) % 5 - 2)) * scale }
    }

    var milliseconds: Int { 12_395 + number * 50 }
    /// Seconds of a minute, with two digits and three decimals.
    var clock: String { (Double(milliseconds % 50_000) / 1000 + 10).text(decimals: 3) }
    func level(_ scale: Double = 1) -> [Double] { noisy(Self.level, 0.05, scale) }
    func field(_ scale: Double = 1) -> [Double] { noisy(Self.field, 0.05, scale) }
    func force(_ scale: Double = 1) -> [Double] { noisy(Self.force, 0.001, scale) }
    func rate(_ scale: Double = 1) -> [Double] { noisy(Self.rate, 0.05, scale) }

    /// Numbers with so many decimals and what stands between.
    static func text(_ values: [Double], _ decimals: Int, _ separator: String = ",") -> String {
      values.map { $0.text(decimals: decimals) }.joined(separator: separator)
    }

    /// Numbers behind labels.
    static func text(_ labels: [String], _ values: [Double], _ decimals: Int, _ separator: String = " ") -> String {
      zip(labels, values).map { $0 + $1.text(decimals: decimals) }.joined(separator: separator)
    }
  }

  struct Line: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: @Sendable (Pose) -> String

    init(_ name: String, _ text: @escaping @Sendable (Pose) -> String) { (testDescription, self.text) = (name, text) }
  }

  static let si = 9.80665, radian = Double.pi / 180
  private static let axes = ["X: ", "Y: ", "Z: "]

  static let tables = [
    Line("µT") { Pose.text($0.level(), 2) }, Line("mG") { Pose.text($0.level(10), 0) },
    Line("G") { Pose.text($0.level(0.01), 4) }, Line("HMC5883L counts") { Pose.text($0.level(10.9), 0) },
    Line("QMC5883L counts at 8 G") { Pose.text($0.level(30), 0) },
    Line("QMC5883L counts at 2 G") { Pose.text($0.level(120), 0, "\t") },
    Line("millis, field") { "\($0.milliseconds)," + Pose.text($0.level(), 2) },
    Line("field, temperature") { Pose.text($0.level(), 2) + ",24.5" },
    Line("field, magnitude") { pose in
      let field = pose.level()
      let length = field.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return Pose.text(field + [length], 2)
    }, Line("millis, field, temperature") { "\($0.milliseconds)," + Pose.text($0.level(), 2) + ",24.5" },
    Line("counts, µT") { Pose.text($0.level(10.9), 0) + "," + Pose.text($0.level(), 2) },
    Line("field, g") { Pose.text($0.field(), 2) + "," + Pose.text($0.force(), 3) },
    Line("millis, field, g") { "\($0.milliseconds)," + Pose.text($0.field(), 2) + "," + Pose.text($0.force(), 3) },
    Line("m/s², rad/s, µT") {
      Pose.text($0.force(si), 3, "\t") + "\t" + Pose.text($0.rate(radian), 4, "\t") + "\t"
        + Pose.text($0.field(), 2, "\t")
    },
    Line("m/s², rad/s, µT, °C") {
      Pose.text($0.force(si) + $0.rate(radian) + $0.field() + [24.501], 6, "\t")
    },
    Line("a recording without its header") {
      Pose.text([0.05 + 0.05 * Double($0.number)], 6) + "," + Pose.text($0.field() + $0.force() + $0.rate(), 4)
    },
  ]

  static let labelled = [
    Line("X: Y: Z:") { Pose.text(axes, $0.level(), 2) },
    Line("a serial monitor's copy") { "14:02:\($0.clock) -> " + Pose.text(axes, $0.level(), 2) },
    Line("a serial monitor's copy of numbers") { "14:02:\($0.clock) -> " + Pose.text($0.level(), 2) },
    Line("ESP-IDF") { "\u{1b}[0;32mI (\($0.milliseconds)) mag: " + Pose.text(axes, $0.level(), 2) + "\u{1b}[0m" },
    Line("a/g/m") {
      "a/g/m:\t" + Pose.text($0.force(16384), 0, "\t") + "\t" + Pose.text($0.rate(131), 0, "\t") + "\t"
        + Pose.text($0.field(10 / 1.5), 0, "\t")
    },
    Line("a serial plotter") {
      Pose.text(["ax:", "ay:", "az:", "mx:", "my:", "mz:"], $0.force(si) + $0.field(), 2, ",")
    },
    Line("LIS3MDL, raw and µT") {
      "\r\n" + Pose.text(["X:  ", "\tY:  ", "\tZ:  "], $0.level(68.42), 0) + "\r\n\t"
        + Pose.text(["X: ", "\tY: ", "\tZ: "], $0.level(), 2) + " uTesla "
    },
    Line("a heading between") {
      Pose.text(axes, $0.level(), 2, "  ") + "  uT\r\nHeading (degrees): 129.7"
    }, Line("an axis a line") { Pose.text(axes, $0.level(), 4, " uT\r\n") + " uT" },
    Line("a sensor a line") {
      Pose.text(["Accel X: ", "Y: ", "Z: "], $0.force(si), 2, " m/s^2\t") + " m/s^2 \r\n"
        + Pose.text(["Mag X: ", "Y: ", "Z: "], $0.field(), 2, " uT\t") + " uT\r\n"
        + Pose.text(["Gyro X: ", "Y: ", "Z: "], $0.rate(radian), 4, " rad/s\t") + " rad/s\r\n"
    },
    Line("units in brackets") {
      "Scaled. Acc (mg) [  " + Pose.text($0.force(1000), 2, ", ") + " ], Gyr (DPS) [ " + Pose.text($0.rate(), 2, ", ")
        + " ], Mag (uT) [ " + Pose.text($0.field(), 2, ", ") + " ], Tmp (C) [  00025.50 ]"
    }, Line("counts and an azimuth") { Pose.text(axes, $0.level(30), 0) + " Azimuth: 129 Bearing: 3  NE " },
    Line("tabs") { "mag:\t" + Pose.text($0.level(10.9), 0, "\t") + "\theading:\t129.70" },
    Line("raw and scaled") {
      "Raw:\t" + Pose.text($0.level(10.9), 0, "   ") + "   \tScaled:\t" + Pose.text($0.level(10), 2, "   ")
        + "   \tHeading:\t0.70 Radians   \t129.7 Degrees   \t"
    }, Line("a unit spelled out") { "Magnetometer (microteslas): (" + Pose.text($0.level(), 3) + ")" },
    Line("a tuple") { "(" + Pose.text($0.level(), 2, ", ") + ")" },
    Line("a name for three") { "Mag(uT): " + Pose.text($0.level(), 2, ", ") },
    Line("= and gauss") { "Magnetometer: " + Pose.text(["X=", "Y=", "Z="], $0.level(0.01), 4) + " gauss" },
    Line("decimal commas") {
      Pose.text(["X=", "Y=", "Z="], $0.level(), 2).replacing(".", with: ",")
    },
    Line("JSON in milliseconds") {
      "{\"t\": \($0.milliseconds), \"mag\": {"
        + Pose.text(["\"x\": ", "\"y\": ", "\"z\": "], $0.level(), 2, ", ") + "}}"
    }, Line("a heading") { _ in "Heading: 40.3" },
    Line("a BNO055's angles") { _ in "X: 40.2699\tY: 0.3133\tZ: -1.1454\t\tSys:3 G:3 A:1 M:2" },
  ]

  private func board(_ line: Line, rate: Double = 20) throws -> PtyBoard {
    try PtyBoard(rate: rate) { number in Array((line.text(Pose(number: number)) + "\r\n").utf8) }
  }

  @Test(arguments: tables + labelled + sketches)
  func headingsAreRight(_ line: Line) throws {
    let board = try board(line)
    let run = try CommandRun.lodestone([
      "heading", "--device", board.path, "--format", "csv", "--profile", "none", "--fusion", "off", "--count", "30",
    ])
    let rows = MainJobTests.rows(run.text)
    #expect(run.exitCode == 0 && rows.count == 30, "\(run.errors)")
    for row in rows {
      let heading = row["magnetic_heading_deg"].flatMap { Double($0) } ?? .nan
      #expect(abs(Angle.shortestTurn(from: 40.3, to: heading)) < 1.5, "\(heading) \(run.errors)")
      if let field = row["field_uT"].flatMap({ Double($0) }) { #expect(abs(field / 48 - 1) < 0.1, "\(field)") }
    }
    let times = rows.compactMap { $0["time_s"].flatMap { Double($0) } }
    let span = (times.last ?? 0) - (times.first ?? 0)
    #expect((0...20).contains(span), "\(span) s")
    #expect(!run.errors.contains("can't read"), "\(run.errors)")
  }

  /// A time without a unit is taken by its steps at first; what its pace against arrival shows counts, and is told.
  @Test(arguments: [(20, 1638, 70, "in no usual unit"), (500, 2000, 1500, "in another unit")])
  func aTimeWithoutAUnitGoesByItsPace(rate: Double, step: Int, count: Int, words: String) throws {
    let board = try board(Line("ticks") { "\(1000 + $0.number * step)," + Pose.text($0.level(), 2) }, rate: rate)
    let run = try CommandRun.lodestone([
      "heading", "--device", board.path, "--format", "csv", "--profile", "none", "--count", "\(count)",
    ])
    let rows = MainJobTests.rows(run.text)
    let times = rows.compactMap { $0["time_s"].flatMap { Double($0) } }
    #expect(run.exitCode == 0 && times.count == count, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    let span = (times.last ?? 0) - (times.dropFirst(count * 2 / 3).first ?? 0)
    #expect((0.5...3).contains(span), "\(span) s for the last third of \(count) rows at \(rate) Hz")
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  static let told: [(Line, String)] = [
    (Line("a number alone") { _ in "40" }, "if it is a heading in degrees, ?protocol=hmr3300 passes it on"),
    (Line("an angle alone") { _ in "40°" }, "if it is a heading in degrees, ?protocol=hmr3300 passes it on"),
    (Line("weather") { _ in "23.00,45.05,1013.15" }, "Is this a magnetometer?"),
    (Line("a wrong checksum") { _ in "$HCHDM,40.3,M*00" }, "the checksum of every sentence is wrong"),
    (
      Line("an accelerometer's axes") { Pose.text(axes, $0.force(si), 2) + " m/s^2" },
      "the device sends accelerations, and this needs a magnetic field"
    ), (Line("g that is no gauss") { Pose.text(axes, $0.force(), 3) + " g" }, "the device sends accelerations"),
    (Line("an accelerometer") { Pose.text($0.force(), 3) }, "and this needs a magnetic field or headings of its own"),
    (Line("a dead sensor") { _ in "0.00,0.00,0.00" }, "the field is zero on all axes"),
    (
      Line("no field in any unit") { Pose.text($0.level(2.5).map { $0 + 0.003 }, 3) }, "which is not the Earth's field"
    ),
    (
      Line("counts of all") { Pose.text($0.rate(16.4) + $0.force(16_384) + $0.field(10), 0) },
      "the order of the 9 columns is ambiguous"
    ),
    (Line("counts of a board without a magnetometer") { Pose.text($0.force(16_384) + $0.rate(131), 0) }, "ambiguous"),
    (
      Line("words") { _ in "The quick brown fox jumps over the lazy dog" },
      "there are no x, y and z of a field in what arrives: The quick brown"
    ),
    (
      Line("a quaternion") { _ in "qW: 0.9389 qX: 0.0212 qY: -0.0187 qZ: -0.3442" },
      "there are no x, y and z of a field in what arrives: qW"
    ),
    (
      Line("another unit than it says") { Pose.text(axes, $0.level(0.01), 4) + " mG" },
      "in G it would be: --field-unit G"
    ), (Line("raw counts") { Pose.text($0.level(30), 0) }, "in an unknown unit, probably raw counts"),
    (
      Line("two magnetometers") {
        "Mag1: " + Pose.text(axes, $0.level(), 2) + "\r\nMag2: " + Pose.text(axes, [30.1, -25.7, -33.5], 2)
      }, "another compass in the stream (Mag2)"
    ), (Line("a temperature before a field at rest") { "24.51," + Pose.text($0.level(), 2) }, "ambiguous"),
    (Line("mG or counts") { Pose.text($0.level(10), 0) }, "If they are raw counts, give --field-unit counts"),
  ]

  @Test(arguments: told.indices)
  func whatIsNotClearIsTold(_ index: Int) throws {
    let (line, words) = Self.told[index]
    let board = try board(line)
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["heading", "--device", board.path, "--profile", "none", "--format", "json"],
        joinsErrors: true))
    let told = program.line(holding: words, "magnetic_heading_deg\":")
    #expect(told?.contains(words) == true, "\(told ?? "nothing")")
  }

  /// A board that prints another unit from a moment on is not followed in silence.
  @Test func aUnitThatChangesIsTold() throws {
    let board = try board(Line("µT, then mG") { Pose.text($0.level($0.number < 60 ? 1 : 10), 2) })
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["heading", "--device", board.path, "--profile", "none", "--format", "json"],
        joinsErrors: true))
    #expect(program.line(holding: "assuming µT") != nil)
    #expect(program.line(holding: "assuming mG") != nil)
  }

  /// Readable text is no matter of the baud rate, and what is no heading gives none.
  @Test(arguments: others)
  func whatIsNoHeadingGivesNone(_ line: Line) throws {
    let board = try board(line)
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["heading", "--device", board.path, "--profile", "none", "--format", "json"],
        joinsErrors: true))
    let told = program.line(
      holding: "this needs a magnetic field", "no x, y and z of a field", "baud rate", "heading_deg")
    #expect(told?.contains("field") == true && told?.contains("heading_deg") == false, "\(told ?? "nothing")")
  }

  static let misfits: [(String, Line, String)] = [
    (
      "level", tables[0],
      "and this needs accelerations: lodestone heading or lodestone teslameter"
    ), ("level", heading, "and this needs accelerations: lodestone heading or lodestone swing can read it"),
    ("teslameter", heading, "and this needs a magnetic field: lodestone heading or lodestone swing can read it"),
    ("calibrate", heading, "and this needs a magnetic field: lodestone heading or lodestone swing can read it"),
    ("attitude", tables[0], "an attitude needs a gyroscope. lodestone heading needs none"),
    ("location", tables[0], "and this needs positions: lodestone heading or lodestone teslameter can read it"),
  ]
  private static let heading = Line("a heading of NMEA") { _ in "$HCHDG,40.3,,,4.1,E*1B" }

  /// The wrong instrument names the right one, and no reader asks whether the board is connected while it sends.
  @Test(arguments: misfits.indices)
  func theWrongInstrumentNamesTheRightOne(_ index: Int) throws {
    let (command, line, words) = Self.misfits[index]
    let board = try board(line)
    try TemporaryFolder.with { folder in
      let style = command == "calibrate" ? ["--plain", "--profile", folder + "/board.json"] : ["--format", "json"]
      let program = try #require(
        ChildProgram("lodestone", arguments: [command, "--device", board.path] + style, joinsErrors: true))
      let told = program.line(holding: words, "connected and sending")
      #expect(told?.contains(words) == true, "\(told ?? "nothing")")
    }
  }

  /// Counts of a chip that is named are a field.
  @Test func theScaleOfAChipsCountsIsKnown() throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<40).map { Pose.text(Pose(number: $0).level(30), 0) }.joined(separator: "\n")
      try CommandRun.write(rows + "\n", to: folder + "/counts.csv")
      for arguments in [[folder + "/counts.csv?chip=qmc5883l"], [folder + "/counts.csv", "--chip", "QMC5883L"]] {
        let run = try CommandRun.lodestone(["heading", "--format", "csv", "--profile", "none"] + arguments)
        let fields = MainJobTests.rows(run.text).compactMap { $0["field_uT"].flatMap { Double($0) } }
        #expect(fields.count == 40 && fields.allSatisfy { abs($0 - 48) < 1 }, "\(run.errors)")
        #expect(run.errors.contains("counts of the QMC5883L with a range of 800 µT"), "\(run.errors)")
      }
      let run = try CommandRun.lodestone(["heading", folder + "/counts.csv", "--chip", "bmp280"])
      #expect(run.exitCode == 64 && run.errors.contains("qmc5883l"), "\(run.errors)")
    }
  }

  static let files: [(name: String, text: String, exitCode: Int32, words: String)] = [
    ("heading.nmea", "$HCHDG,,,,,*6C\r\n$HCHDG,,,,,*6C\r\n", 65, "no heading, field or motion in them"),
    ("own.txt", String(repeating: "$MAG,-12.9,15.7,-43.5*72\r\n", count: 4), 65, "sentences of your own are not read"),
    ("bag.bag", "#ROSBAG V2.0\n" + String(repeating: "\0", count: 100), 65, "it is a ROS bag"),
    ("imf.txt", "BOU JAN0110 001 00 HDZF R EDI 04977095 000000 RRRR\n  208000   -3000\n", 65, "INTERMAGNET file (IMF"),
    ("sweep", "hello\nthis is no recording\n", 65, "print a line such as mx:12.3,my:-4.5,mz:38.1"),
    ("axes.csv", unnamed, 65, "nothing says what they measure"),
    ("Magnetometer.csv", unnamed, 0, "multiple of the one"),
  ]
  private static let unnamed =
    "Timestamp (us),X Axis (a.u.),Y Axis (a.u.),Z Axis (a.u.)\n"
    + (0..<10).map { "\(50_000 * $0),-0.269,0.327,-0.906\n" }.joined()

  /// Files of others: read, or named by its kind with where to go.
  @Test(arguments: files.indices)
  func filesOfOthersAreReadOrNamed(_ index: Int) throws {
    let file = Self.files[index]
    try TemporaryFolder.with { folder in
      try CommandRun.write(file.text, to: folder + "/" + file.name)
      let run = try CommandRun.lodestone(["heading", folder + "/" + file.name, "--json", "--profile", "none"])
      #expect(run.exitCode == file.exitCode && run.errors.contains(file.words), "\(run.exitCode) \(run.errors)")
      #expect((run.exitCode == 0) == run.text.contains("magnetic_heading_deg"), "\(run.text)")
    }
  }

  /// A file that is not there is no device, whatever its name.
  @Test func aMissingFileWithoutADotIsAFile() throws {
    let run = try CommandRun.lodestone(["heading", "sweep"])
    #expect(run.exitCode == 66 && run.errors.contains("check the name of the file"), "\(run.errors)")
  }

  /// Names for another count of columns than there are.
  @Test func columnsOfTheWrongCountAreAnError() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("1,2,3,4,5,6,7\n1,2,3,4,5,6,8\n", to: folder + "/seven.csv")
      let run = try CommandRun.lodestone(["heading", folder + "/seven.csv", "--columns", "mx,my,mz"])
      #expect(run.exitCode == 65 && run.errors.contains("names 3 columns, and the rows have 7"), "\(run.errors)")

      try CommandRun.write("MAG;1;20;1;-43\nMAG;2;20;1;-43\n", to: folder + "/named.txt")
      let words = try CommandRun.lodestone(["heading", folder + "/named.txt", "--columns", "t,mx,my,mz"])
      #expect(words.exitCode == 65 && words.errors.contains("names 4 columns, and the rows have 5"), "\(words.errors)")
      let read = try CommandRun.lodestone([
        "heading", folder + "/named.txt", "--columns", "_,t,mx,my,mz", "--field-unit", "uT",
      ])
      #expect(read.exitCode == 0 && read.text.contains("magnetic"), "\(read.errors)")
    }
  }

  /// A compass that tells headings and nothing else; the sums are those of NMEA 0183, the exclusive or of the letters.
  private static let headings = (0..<60).map { number in
    let body = "HCHDG,\(number * 3).0,,,,"
    let sum = String(body.utf8.reduce(0) { $0 ^ $1 }, radix: 16, uppercase: true)
    return "$\(body)*\(sum.count < 2 ? "0" + sum : sum)\r\n"
  }.joined()

  /// A compass that tells its pitch and roll beside headings: that is an attitude, and of its own.
  @Test func ownAttitudesAreShownAsSuch() throws {
    try TemporaryFolder.with { folder in
      let text = (0..<20).map { _ in "$HCHDG,40.3,,,,*75\r\n$HCXDR,A,-0.4,D,PITCH,A,0.1,D,ROLL*36\r\n" }.joined()
      try CommandRun.write(text, to: folder + "/own.nmea")
      let run = try CommandRun.lodestone(["attitude", "--device", folder + "/own.nmea", "--format", "text"])
      let line = "heading 40.3°   pitch -0.4°   roll 0.1°   (the device's own)"
      #expect(run.exitCode == 0 && run.text.contains(line), "\(run.text) \(run.errors)")
      #expect(!run.text.contains("yaw") && !run.errors.contains("gyroscope"), "\(run.text) \(run.errors)")
    }
  }

  /// A recording that holds nothing for the instrument says so, and does not end as if all were well.
  @Test func recordingsOfOtherThingsAreRefused() throws {
    try TemporaryFolder.with { folder in
      for (text, command, words) in [
        ("time_s,ax_g,ay_g,az_g\n0,0,0,1\n0.1,0,0,1\n", "heading", ".csv holds accelerations, and this needs"),
        ("time_s,mx_uT,my_uT,mz_uT\n0,20,1,-43\n0.1,20,1,-43\n", "level", ".csv holds a magnetic field, and"),
        (
          "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n0,20,1,-43,0,0,1\n0.1,20,1,-43,0,0,1\n", "attitude",
          "and this needs rotation rates"
        ),
        (Self.headings, "level", "holds headings of its own, and this needs accelerations\nHint: lodestone heading"),
        (Self.headings, "attitude", "of its own, and this needs rotation rates\nHint: lodestone heading or"),
        (Self.headings, "motion", "and this needs accelerations"),
        (Self.headings, "teslameter", "and this needs a magnetic field"),
        (Self.headings, "record", "and this needs a magnetic field, accelerations or rotation rates"),
        (Self.headings, "location", "holds no positions\nHint: a receiver's log"),
        ("mx,my,mz\n0,0,0\n0,0,0\n0,0,0\n", "heading", "is zero on all axes"),
        (
          "$GPGLL,4916.45,N,12311.12,W,225444,A,*1D\n$GPGLL,4916.45,N,12311.12,W,225445,A,*1C\n", "heading", "positions"
        ),
      ] {
        try CommandRun.write(text, to: folder + "/other.csv")
        let run = try CommandRun.lodestone([command, "--device", folder + "/other.csv", "--format", "csv"])
        #expect(run.exitCode == 65 && run.errors.contains(words), "\(run.exitCode) \(run.errors)")
        #expect(command != "attitude" || run.text.split(separator: "\n").count <= 1, "\(run.text)")
      }
    }
  }
}
