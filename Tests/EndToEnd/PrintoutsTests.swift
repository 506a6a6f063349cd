import Glibc
import LodestoneCore
import Support
import Testing

/// Printouts of libraries, languages and loggers through the built command, from a file and from a pipe, which can't be
/// read twice: a board that lies flat and turns clockwise by 1° a line, from 40.3° on, in 48 µT at an inclination of
/// 65°.
@Suite(.waiting) struct PrintoutsTests {
  struct Printout: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var head = ""
    /// The text of a moment.
    let text: @Sendable (Int, [Double]) -> String

    init(_ name: String, head: String = "", _ text: @escaping @Sendable (Int, [Double]) -> String) {
      (testDescription, self.head, self.text) = (name, head, text)
    }

    func all(_ range: Range<Int>) -> String { head + range.map { text($0, field($0)) + "\r\n" }.joined() }
  }

  static func heading(_ number: Int) -> Double { Angle.wrapped(degrees: 40.3 + Double(number)) }

  static func field(_ number: Int) -> [Double] {
    let (angle, noise) = (Angle.radians(heading(number)), Double(number % 5 - 2) * 0.05)
    return [-20.29 * sin(angle) + noise, 20.29 * cos(angle) - noise, -43.5 + noise]
  }

  static func plain(_ values: [Double], _ separator: String = ",") -> String {
    values.map { $0.text(decimals: 2) }.joined(separator: separator)
  }

  /// nT with parted thousands.
  private static func grouped(_ value: Double, _ mark: String = ",", _ point: String = ".") -> String {
    let tenths = Int((abs(value) * 10_000).rounded())
    let (whole, rest) = (tenths / 10_000, tenths / 10 % 1000)
    let group = String(String(1000 + rest).dropFirst())
    return (value < 0 ? "-" : "") + (whole > 0 ? "\(whole)\(mark)\(group)" : "\(rest)") + "\(point)\(tenths % 10)"
  }

  private static func counts(_ values: [Double], _ number: Int, _ overflow: String) -> String {
    number % 9 == 4 ? overflow : values.map { String(Int(($0 * 30).rounded())) }.joined(separator: ",")
  }

  static func clock(_ number: Int, decimals: Int) -> String {
    let second = (100 + Double(number) / 10).text(decimals: decimals).dropFirst()
    return "12:00:\(second)"
  }

  /// Headings of the rows that have one, by the rows' numbers.
  static func headings(_ run: CommandRun) -> [Double?] {
    run.text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return cells.count > 1 ? Double(cells[1]) : nil
    }
  }

  static func isRight(_ found: Double?, _ number: Int) -> Bool {
    found.map { abs(Angle.shortestTurn(from: $0, to: heading(number))) < 2 } ?? false
  }

  static func runs(_ text: String, query: String = "") throws -> [CommandRun] {
    try TemporaryFolder.with { folder in
      try CommandRun.write(text, to: "\(folder)/board.log")
      let start = ["heading", "--profile", "none", "--format", "csv", "--device"]
      return [
        try CommandRun.lodestone(start + ["\(folder)/board.log\(query)"]),
        try CommandRun.lodestone(start + ["-"], input: text),
      ]
    }
  }

  static let printouts = [
    Printout("Python's bytes") { "b'\(plain($1))\\r\\n'" },
    Printout("Python's text in a list") { "['" + plain($1, "', '") + "']" },
    Printout("start and end marks") { "<\(plain($1))>" }, Printout("$ and ;") { "$\(plain($1));" },
    Printout("Go's log") { "2026/05/04 \(clock($0, decimals: 6)) [\(plain($1, " "))]" },
    Printout("ts") { "May 04 \(clock($0, decimals: 3)) \(plain($1))" },
    Printout("a journal") { "May 04 \(clock($0, decimals: 3)) pi magd[123]: \(plain($1))" },
    Printout("a journal's ISO times") { "2026-05-04T\(clock($0, decimals: 6))+0000 pi magd[123]: \(plain($1))" },
    Printout("defmt and the place it names") {
      "\((Double($0) / 10).text(decimals: 6)) INFO  mag: (\(plain($1, ", "))) uT\r\n└─ lsm303::main @ src/main.rs:42"
    },
    Printout("thousands behind names") {
      zip(["X", "Y", "Z"], $1).map { "\($0): \(grouped($1)) nT" }.joined(separator: " ")
    },
    Printout("thousands in a list") { "Mag (nT): " + $1.map { grouped($0) }.joined(separator: ", ") },
    Printout("thousands between blanks") { $1.map { grouped($0) }.joined(separator: " ") },
    Printout("thousands in quotes", head: "\"mx_nT\",\"my_nT\",\"mz_nT\"\r\n") {
      $1.map { "\"\(grouped($0))\"" }.joined(separator: ",")
    },
    Printout("points between thousands", head: "mx_nT;my_nT;mz_nT\r\n") {
      $1.map { grouped($0, ".", ",") }.joined(separator: ";")
    },
    Printout("blanks between thousands") {
      zip(["X", "Y", "Z"], $1).map { "\($0): \(grouped($1, " ", ",")) nT" }.joined(separator: " ")
    },
    Printout("LabVIEW's segments", head: "LabVIEW Measurement\t\r\nX_Columns\tOne\r\n***End_of_Header***\t\r\n\t\r\n") {
      let segment =
        "Channels\t3\t\t\t\r\nSamples\t10\t10\t10\t\r\nDate\t2026/05/04\t2026/05/04\t2026/05/04\t\r\n"
        + "Time\t12:00:00.0\t12:00:00.0\t12:00:00.0\t\r\nX_Dimension\tTime\tTime\tTime\t\r\nX0\t0.0E+0\t0.0E+0\t0.0E+0\t"
        + "\r\nDelta_X\t0.1\t0.1\t0.1\t\r\n***End_of_Header***\t\t\t\t\r\n"
        + "X_Value\tUntitled\tUntitled 1\tUntitled 2\tComment\r\n"
      return ($0 % 10 == 0 ? segment : "") + "\((Double($0) / 10).text(decimals: 6))\t\(plain($1, "\t"))\t"
    },
    Printout("three decimals are no thousands") {
      "Mag (uT):" + $1.map { $0.text(decimals: 3) }.joined(separator: ",")
    },
    Printout("nor in brackets") { "(" + $1.map { $0.text(decimals: 3) }.joined(separator: ",") + ")" },
    Printout("asukiaaa's slip of the pen") {
      "accelX: 0.00\r\naccelY: 0.00\r\naccelZ: 1.00\r\nmagX: \($1[0])\r\nmaxY: \($1[1])\r\nmagZ: \($1[2])\r\nat \($0)00ms"
    },
    Printout("a normalized value") {
      zip(["X", "Y", "Z"], $1).map { "\($0)normalizedValue = \(($1 * 10).text(decimals: 2))" }.joined(separator: " ")
    },
    Printout("ROHM's BM1422AGMV") {
      zip(["X", "Y", "Z"], $1).map { "BM1422AGMV \($0)DATA=\($1.text(decimals: 3))[uT]" }.joined(separator: "\r\n")
    },
    Printout("what MAVProxy watches") {
      let field = $1.map { Int(($0 * 10).rounded()) }
      return
        "< RAW_IMU {time_usec : \($0 * 100_000 + 5_000_000), xacc : 0, yacc : 0, zacc : -1000, xgyro : 0, ygyro : 0, "
        + "zgyro : 0, xmag : \(field[1]), ymag : \(field[0]), zmag : \(-field[2]), id : 0}"
    },
  ]

  @Test(arguments: printouts + otherPrintouts) func isRead(_ printout: Printout) throws {
    for run in try Self.runs(printout.all(0..<200)) {
      let found = Self.headings(run)
      #expect(run.exitCode == 0 && found.count > 196, "\(run.errors)")
      for (place, heading) in found.enumerated() where !Self.isRight(heading, place + 200 - found.count) {
        Issue.record("row \(place): \(String(describing: heading))")
        return
      }
    }
  }

  /// An HMC5883L's overflow, and the error of an I²C bus, are no field: its rows alone had headings.
  @Test(arguments: ["-4096,-4096,-4096", "-32768,-32768,-32768", "32767,32767,32767"])
  func theEndOfARangeIsNoField(_ overflow: String) throws {
    let text = Printout("") { Self.counts($1, $0, overflow) }.all(0..<200)
    for run in try Self.runs(text) {
      let found = Self.headings(run)
      #expect(found.count == 200)
      for (place, heading) in found.enumerated() where place % 9 != 4 && !Self.isRight(heading, place) {
        Issue.record("row \(place): \(String(describing: heading)) \(run.errors)")
        return
      }
      // They claim nothing.
      let accuracies = run.text.split(separator: "\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).dropFirst(3).first
      }
      #expect(accuracies.enumerated().allSatisfy { $0 % 9 != 4 || $1?.isEmpty == true }, "\(run.text.prefix(800))")
    }
  }

  // MARK: Beginnings

  /// Rows of nothing before a sensor measures had all that came behind 2048 of them left out, where they came from a
  /// pipe.
  @Test(arguments: [3, 6]) func rowsBeforeASensorMeasuresAreNoReasonToStop(_ count: Int) throws {
    let rest = count == 3 ? "" : ",0.000,0.001,1.000"
    let zeros = String(repeating: Array(repeating: "0.00", count: count).joined(separator: ",") + "\n", count: 3000)
    let run = try Self.runs(zeros + Printout("") { Self.plain($1) + rest }.all(0..<200))[1]
    let found = Self.headings(run)
    #expect(run.exitCode == 0 && found.count == 3200, "\(found.count) \(run.errors)")
    #expect(found.suffix(200).enumerated().allSatisfy { Self.isRight($1, $0) })
  }

  /// Rows that are too many to wait until the columns are known are read from a file, and told where they came from a
  /// pipe.
  @Test func rowsThatAreTooManyToWaitAreToldOrRead() throws {
    let zeros = String(repeating: "0.00,0.00,0.00,0.00,0.00,0.00\n", count: 8000)
    let text = zeros + Printout("") { Self.plain($1) + ",0.010,0.020,0.999" }.all(0..<200)
    let run = try Self.runs(text, query: "?protocol=csv")[0]
    #expect(Self.headings(run).count == 8200 || run.errors.contains("were left out"), "\(run.errors)")
  }

  // MARK: Changes

  /// A board that begins to print its time before the field: x was the time, and headings were 130° off.
  @Test func aColumnMoreIsNotReadAsAnother() throws {
    let text =
      Printout("") { Self.plain($1) }.all(0..<100) + Printout("") { "\($0 * 100),\(Self.plain($1))" }.all(100..<300)
    for run in try Self.runs(text) {
      let found = Self.headings(run)
      #expect(found.count > 280 && run.errors.contains("columns"), "\(run.errors)")
      for (place, heading) in found.enumerated()
      where !Self.isRight(heading, place) && !Self.isRight(heading, place + 300 - found.count) {
        Issue.record("row \(place): \(String(describing: heading))")
        return
      }
    }
  }

  /// A time behind the field, as the kernel's tools print it, is the rows' own.
  @Test func aTimeBehindTheFieldIsOne() throws {
    let text = Printout("") { "\(Self.plain($1, " ")) \(1_777_000_000_000_000_000 + $0 * 100_000_000) " }.all(0..<200)
    for run in try Self.runs(text) {
      let times = run.text.split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: ",").first.flatMap { Double($0) }
      }
      #expect(times.count == 200 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 1e-3 })
    }
  }

  /// The time before each axis, as LabVIEW writes it where it is told to, was an axis, and headings 26° off.
  @Test func aTimeBeforeEachAxisIsNoAxis() throws {
    let text = Printout("") { number, field in
      field.map { "\((Double(number) / 10).text(decimals: 3))\t\($0.text(decimals: 3))" }.joined(separator: "\t")
    }.all(0..<200)
    for run in try Self.runs(text) {
      #expect(run.exitCode == 65 && run.errors.contains("--columns") && !run.text.contains("0.1"), "\(run.errors)")
    }
  }

  /// The extremes that Pololu's calibration examples print are no field, and a sketch that prints one helps.
  @Test func extremesAreTold() throws {
    let text = Printout("") { "min: {\(Self.plain($1, ", "))}    max: {\(Self.plain($1, ", "))} \($0)" }.all(0..<50)
    for run in try Self.runs(text) {
      #expect(run.exitCode == 65 && run.errors.contains("extremes") && run.errors.contains("Serial"), "\(run.errors)")
    }
  }
}
