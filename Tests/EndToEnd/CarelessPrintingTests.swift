import Glibc
import LodestoneCore
import Support
import Testing

/// Careless prints of boards and programs, through the built command: a right heading, or one notice that says what is
/// wrong with the numbers.
@Suite(.waiting) struct CarelessPrintingTests {
  /// The run of `heading` over a file.
  private static func run(_ text: String, named name: String = "board.log") throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.write(text, to: "\(folder)/\(name)")
      return try CommandRun.lodestone([
        "heading", "--profile", "none", "--format", "csv", "--device", "\(folder)/\(name)",
      ])
    }
  }

  /// Times in seconds and headings in degrees.
  private static func rows(_ run: CommandRun) -> [(time: Double, heading: Double)] {
    run.text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return (Double(cells[0]) ?? .nan, cells.count > 1 ? Double(cells[1]) ?? .nan : .nan)
    }
  }

  /// A board that lies flat and turns clockwise by 1° a line, from 40.3° on: 48 µT at an inclination of 65°.
  private static func heading(_ number: Int) -> Double { Angle.wrapped(degrees: 40.3 + Double(number)) }

  private static func field(_ number: Int) -> [Double] {
    let (angle, noise) = (Angle.radians(heading(number)), Double(number % 5 - 2) * 0.05)
    return [-20.29 * sin(angle) + noise, 20.29 * cos(angle) - noise, -43.5 + noise]
  }

  private static func lines(_ count: Int = 200, _ line: (Int, [Double]) -> String) -> String {
    (0..<count).map { line($0, field($0)) + "\r\n" }.joined()
  }

  private static func areRight(_ found: [(time: Double, heading: Double)], of count: Int = 200) -> Bool {
    let first = count - found.count
    return found.count > count - 4
      && found.enumerated().allSatisfy {
        abs(Angle.shortestTurn(from: $1.heading, to: heading($0 + first))) < 2
      }
  }

  /// Counts of 12 bits that have lost their sign, and such whose bytes have changed places, gave headings 130° and 60°
  /// off.
  @Test func damagedCountsAreRefused() throws {
    let unsigned = try Self.run(
      Self.lines { _, field in field.map { String(Int(($0 * 10.9).rounded()) & 0xFFF) }.joined(separator: ",") })
    #expect(unsigned.exitCode == 65 && unsigned.errors.contains("is 4096 more"), "\(unsigned.errors)")
    let swapped = try Self.run(
      Self.lines { _, field in
        let counts = field.map { Int16(bitPattern: UInt16(truncatingIfNeeded: Int($0 * 30)).byteSwapped) }
        return "X: \(counts[0]) Y: \(counts[1]) Z: \(counts[2])"
      })
    #expect(swapped.exitCode == 65 && swapped.errors.contains("two bytes"), "\(swapped.errors)")
    let hexadecimal = try Self.run(
      Self.lines { _, field in
        let counts = field.map { String(UInt16(truncatingIfNeeded: Int($0 * 3 + 150)), radix: 16).uppercased() }
        return "X: \(counts[0]) Y: \(counts[1]) Z: \(counts[2])"
      })
    #expect(hexadecimal.exitCode == 65 && hexadecimal.errors.contains("hexadecimal"), "\(hexadecimal.errors)")
  }

  /// SparkFun's MMC5983MA library hands out 18 bits, of which 131072 is no field: headings were 85° off.
  @Test func theMiddleOfARangeIsNoField() throws {
    let run = try Self.run(
      Self.lines { _, field in field.map { String(Int($0 * 163.84) + 131_072) }.joined(separator: ",") })
    #expect(Self.areRight(Self.rows(run)) && run.errors.contains("131072"), "\(run.errors)")
  }

  /// Tables as spreadsheets and programs save them: a first column that is empty, decimal commas in quotes, a µ that
  /// was read in another encoding.
  @Test(arguments: [
    (";Time (s);Bx (µT);By (µT);Bz (µT)", ";", ";", "", ","),
    ("\"Time (s)\",\"Bx (µT)\",\"By (µT)\",\"Bz (µT)\"", "", ",", "\"", ","),
    ("Time (s);Bx (Î¼T);By (Î¼T);Bz (Î¼T)", "", ";", "", "."), ("Time (s),Bx (?T),By (?T),Bz (?T)", "", ",", "", "."),
    ("Time (s),Bx (\u{FFFD}T),By (\u{FFFD}T),Bz (\u{FFFD}T)", "", ",", "", "."),
  ])
  func tablesOfProgramsAreRead(title: String, before: String, between: String, quote: String, mark: String) throws {
    let rows = Self.lines { number, field in
      let cells = [Double(number) * 0.05] + field
      return before
        + cells.map { quote + $0.text(decimals: 3).replacing(".", with: mark) + quote }.joined(separator: between)
    }
    let run = try Self.run(title + "\r\n" + rows, named: "table.csv")
    let found = Self.rows(run)
    #expect(Self.areRight(found) && found.last?.time == 9.95, "\(title): \(run.errors)")
  }

  /// The rows of a board whose boot loader stamps its lines all had the time of the last of those.
  @Test func aBootLoadersStampsAreNoTimes() throws {
    let boot = "I (24) boot: ESP-IDF v4.4.5\r\nI (29) cpu_start: Pro cpu up.\r\nI (345) heap_init: 6 KiB\r\n"
    let run = try Self.run(
      boot + Self.lines { _, field in field.map { $0.text(decimals: 2) }.joined(separator: ",") })
    let found = Self.rows(run)
    #expect(Self.areRight(found) && Set(found.map { $0.time }).count == found.count, "\(run.errors)")
  }

  /// Zephyr's LSM303DLHC sample names the sensor on the line before its axes: both were taken for the field.
  @Test func titledAxesAreThoseOfTheirTitle() throws {
    let run = try Self.run(
      Self.lines { _, field in
        let gauss = field.map { ($0 / 100).text(decimals: 6) }.joined(separator: "  ")
        return "Magnetometer data:\r\n( x y z ) = ( \(gauss) )\r\nAccelerometer data:\r\n"
          + "( x y z ) = ( 0.012000  0.023000  9.801000 )"
      })
    #expect(Self.areRight(Self.rows(run)), "\(run.errors)")
  }

  /// Infineon's example for the TLV493D prints mT with two decimals: headings were 17° off without a word.
  @Test func coarseStepsAreTold() throws {
    let run = try Self.run(
      Self.lines { _, field in
        let axes = zip(["X = ", " mT; Y = ", " mT; Z = "], field).map { $0 + ($1 / 1000).text(decimals: 2) }
        return axes.joined() + " mT"
      })
    #expect(run.errors.contains("steps of 10.0 µT"), "\(run.errors)")
    let fine = try Self.run(Self.lines { _, field in field.map { $0.text(decimals: 1) }.joined(separator: ",") })
    #expect(!fine.errors.contains("steps of"), "\(fine.errors)")
  }

  /// A recording without a last line end keeps its last row, and one that begins in the middle of a line its times.
  @Test func aTextThatIsCutKeepsWhatIsWhole() throws {
    let text = Self.lines { number, field in
      "time_s \((10 + Double(number) * 0.05).text(decimals: 6))   "
        + zip(["mx_uT", "my_uT", "mz_uT"], field).map { "\($0) \($1.text(decimals: 4))" }.joined(separator: "   ")
    }
    let whole = Self.rows(try Self.run(String(text.dropLast())))
    #expect(whole.count == 200 && whole.last?.time == 19.95)
    let cut = Self.rows(try Self.run(String(text.dropFirst(20))))
    #expect(cut.count == 199 && cut.first?.time == 10.05, "\(cut.prefix(2))")
  }

  /// Sense HAT's `get_orientation()` is no field, and may be a heading.
  @Test func anglesInObjectsAreAskedAbout() throws {
    let run = try Self.run(
      Self.lines { number, _ in "{'roll': 0.1, 'pitch': 359.2, 'yaw': \(Self.heading(number).text(decimals: 2))}" })
    #expect(run.exitCode == 65 && run.errors.contains("may be a heading"), "\(run.errors)")
  }
}
