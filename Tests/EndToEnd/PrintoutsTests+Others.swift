import LodestoneCore
import Support
import Testing

/// Printouts in other languages than English, and of more loggers.
extension PrintoutsTests {
  private static func axes(_ values: [Double], _ names: [String] = ["X: ", "Y: ", "Z: "]) -> String {
    zip(names, values).map { $0 + $1.text(decimals: 2) }.joined(separator: " ")
  }

  private static func commas(_ text: String) -> String { text.replacing(".", with: ",") }

  static let otherPrintouts = [
    Printout("Polish") { commas("Pole magnetyczne \(axes($1)) uT") },
    Printout("Dutch") { commas("Magneetveld \(axes($1)) uT") },
    Printout("Swedish") { "Magnetfält \(axes($1)) µT" }, Printout("Czech") { commas("Magnetické pole \(axes($1)) uT") },
    Printout("Chinese") { "加速度:0.000,0.000,1.000 磁场:\(plain($1))" },
    Printout("Nordic's logger") { "<info> app: mag \(axes($1))" },
    Printout("a severity") { "[INFO ] \(axes($1, ["x=", "y=", "z="]))" },
    Printout("the log of Arduino's core for the ESP32") {
      "[\(1234 + 100 * $0)][I][main.cpp:42] loop(): \(plain($1, " "))"
    },
    Printout("a data class of Python") { "Sample(mag=(\(plain($1, ", "))), accel=(0.000, 0.000, 1.000))" },
    Printout("Node-RED") {
      let axes = zip(["x", "y", "z"], $1).map { "\"\($0)\":\($1.text(decimals: 2))" }.joined(separator: ",")
      return "{\"_msgid\":\"a1b2\",\"topic\":\"mag\",\"payload\":{\(axes)}}"
    },
    Printout("Zephyr's two parts of a value") {
      zip(["X", "Y", "Z"], $1).map { name, value in
        let parts = Int((value * 10_000).rounded()).quotientAndRemainder(dividingBy: 1_000_000)
        let digits = "\(1_000_000 + abs(parts.remainder))".dropFirst(
          parts.remainder < 0 && abs(parts.remainder) < 100_000 ? 2 : 1)
        return "\(name): \(parts.quotient).\(parts.remainder < 0 ? "-" : "")\(digits)"
      }.joined(separator: ", ")
    },
    Printout("Go's slog") {
      "time=2026-05-04T\(clock($0, decimals: 3))Z level=INFO msg=mag \(axes($1, ["x=", "y=", "z="]))"
    },
    Printout("LilyGo's QMC6310") {
      "Mag: \(axes($1, ["X:", "Y:", "Z:"])) μT Metadata: "
        + zip(["X:", "Y:", "Z:"], $1).map { $0 + String(Int($1 * 37.5)) }.joined(separator: " ")
    },
    Printout("SenML") {
      let axes = zip(["x", "y", "z"], $1).map { "{\"n\":\"mag_\($0)\",\"u\":\"uT\",\"v\":\($1.text(decimals: 2))}" }
      return "[" + axes.joined(separator: ",") + "]"
    },
    Printout("thousands in bare quotes") {
      $1.map { "\"" + wholeGroups($0) + "\"" }.joined(separator: ",")
    },
    Printout("a sentence before bare numbers", head: "Output in form x, y, z, in uTesla\r\n") { plain($1) + ",High" },
    // Its axes point forward, right and down.
    Printout("ArduPilot's log as mavlogdump.py prints it") {
      let field = $1.map { Int(($0 * 10).rounded()) }
      return
        "2026-05-04 \(clock($0, decimals: 2)): MAG {TimeUS : \(5_000_000 + 100_000 * $0), I : 0, MagX : \(field[1]), "
        + "MagY : \(field[0]), MagZ : \(-field[2]), OfsX : 12, OfsY : -30, OfsZ : 4, MOX : 0, MOY : 0, MOZ : 0, Health : 1}"
    },
  ]

  /// nT without decimals, with a comma between thousands.
  private static func wholeGroups(_ value: Double) -> String {
    let whole = Int((abs(value) * 1000).rounded())
    let text = whole < 1000 ? "\(whole)" : "\(whole / 1000)," + "\(1000 + whole % 1000)".dropFirst()
    return (value < 0 ? "-" : "") + text
  }

  /// Commas part thousands where a whole number below a thousand stands beside one: `Y: -532` was forty times `X:
  /// -13,034`.
  @Test func commasBetweenThousandsAreTold() throws {
    let text = Printout("") {
      zip(["X: ", "Y: ", "Z: "], $1).map { $0 + Self.wholeGroups($1) }.joined(separator: " ")
    }
    for run in try Self.runs(text.all(0..<300)) {
      let found = Self.headings(run)
      #expect(found.count == 300, "\(run.errors)")
      for (place, heading) in found.enumerated() {
        guard let heading, !Self.isRight(heading, place) else { continue }
        Issue.record("row \(place): \(heading) \(run.errors)")
        return
      }
      #expect(found.count { $0 == nil } < 10, "\(run.errors)")
    }
  }

  // MARK: Accelerations

  /// Accelerations were left out, and tilted boards taken to be level; without a word of ours beside it, a first one
  /// was taken for the field.
  @Test(arguments: [
    ["Aceleración", "Magnetómetro"], ["Accelerazione", "Campo magnetico"], ["Aceleração", "Magnetômetro"],
    ["Accélération", "Champ magnétique"], ["Beschl.", "Flussdichte"], ["Przyspieszenie", "Pole magnetyczne"],
    ["加速度", "地磁気"], ["Ускорение", "Магнитометр"],
  ])
  func anAccelerationIsOneInAnyLanguage(_ names: [String]) throws {
    let text = Printout("") {
      "\(names[0]) \(Self.axes([0, 0.1, 0.99]))\r\n\(names[1]) \(Self.axes([$1[0], $1[1] + 4, $1[2]]))"
    }
    for run in try Self.runs(text.all(0..<200)) {
      #expect(run.exitCode == 0 && !run.errors.contains("no accelerometer"), "\(run.errors)")
      let rows = run.text.split(separator: "\n").dropFirst()
      #expect(rows.count == 200 && rows.allSatisfy { $0.contains("face-up") }, "\(run.text.prefix(600))")
    }
  }

  /// A heading under another language's word may as well be a course: it is asked about.
  @Test(arguments: ["Kurs: 40,3°", "Cap : 40.3 degrés", "Rumbo: 40.3 grados", "方位: 40.3度"])
  func anAngleInAnyLanguageIsAskedAbout(_ line: String) throws {
    for run in try Self.runs(String(repeating: line + "\r\n", count: 50)) {
      #expect(run.exitCode == 65 && run.errors.contains("Heading: "), "\(run.errors)")
    }
  }

  // MARK: Times

  /// The offset from UTC behind a clock, +0200, was the time of all rows of SensorLog for iPhones: 200 s.
  @Test func anOffsetFromUTCIsNoTime() throws {
    let head = "loggingTime(txt),loggingSample(N),magnetometerX(µT),magnetometerY(µT),magnetometerZ(µT)\r\n"
    let text = Printout("", head: head) {
      "2026-05-04 \(Self.clock($0, decimals: 3)) +0200,\($0),\(Self.plain($1))"
    }
    for run in try Self.runs(text.all(0..<100)) {
      let times = run.text.split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: ",").first.flatMap { Double($0) }
      }
      let first = try #require(times.first)
      #expect(
        times.count == 100 && times.indices.allSatisfy { abs(times[$0] - first - Double($0) / 10) < 0.001 },
        "\(times.prefix(5))")
    }
  }

  /// Nanoseconds since a phone was switched on 45 days or 25 minutes ago are as large as dates in microseconds or
  /// milliseconds: a step of 0.1 s was 100 s, or a day.
  @Test(arguments: [3_925_657_519_043_709, 1_502_345_678_901])
  func nanosecondsSinceAPhoneWasSwitchedOnAreNoDates(_ start: Int) throws {
    let text = Printout("") {
      "{\"accuracy\":2,\"timestamp\":\(start + $0 * 100_000_000 + $0 % 3),\"values\":[\(Self.plain($1))]}"
    }
    for run in try Self.runs(text.all(0..<100)) {
      let times = run.text.split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: ",").first.flatMap { Double($0) }
      }
      let first = try #require(times.first)
      #expect(times.indices.allSatisfy { abs(times[$0] - first - Double($0) / 10) < 0.001 }, "\(times.prefix(5))")
    }
  }

  /// What of InfluxDB cannot be read says how to export what can.
  @Test func annotatedTablesAreTold() throws {
    let head = "#group,false,false,true,true\r\n#datatype,string,long,dateTime:RFC3339,double\r\n"
    let run = try Self.runs(Printout("", head: head) { ",_result,0,\($0),\($1[0])" }.all(0..<50))[0]
    #expect(run.exitCode == 65 && run.errors.contains("pivot("), "\(run.errors)")
  }
}
