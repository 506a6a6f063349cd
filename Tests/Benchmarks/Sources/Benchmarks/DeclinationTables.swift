import CReference
import LodestoneCore
import Glibc

/// A table of a million points through `lodestone declination`, against a plain C program and GeographicLib's
/// `MagneticField`. Needs the built command in `LODESTONE` (default `.build/release/lodestone`); `MagneticField` is
/// measured where it and its data are: `GEOGRAPHICLIB_MAGNETIC_PATH` with a model `wmm2025`.
enum DeclinationTables: Benchmark {
  static let name = "table"
  private static let rows = 1_000_000

  static func measure() throws -> [Measurement] {
    let command = getenv("LODESTONE").map { String(cString: $0) } ?? ".build/release/lodestone"
    let folder = "/tmp/lodestone-benchmark-\(getpid())"
    mkdir(folder, 0o700)
    let (table, plain) = ("\(folder)/points.csv", "\(folder)/points.txt")
    defer {
      unlink(table)
      unlink(plain)
      rmdir(folder)
    }
    try writePoints(table: table, plain: plain)
    var measurements = [
      Measurement(
        what: "lodestone declination",
        seconds: try run("\(command) declination --input \(table) > /dev/null"), operations: rows),
      Measurement(
        what: "plain C with strtod and printf",
        seconds: medianSeconds(of: 3) { reference_table(table, "/dev/null") }, operations: rows),
    ]
    for (what, flag) in [("MagneticField with rates", "-r"), ("MagneticField without rates", "")] {
      guard let seconds = try? run("MagneticField -n wmm2025 \(flag) < \(plain) > /dev/null") else { continue }
      measurements.append(Measurement(what: what, seconds: seconds, operations: rows))
    }
    return measurements
  }

  private static func run(_ line: String) throws -> Double {
    try medianSeconds(of: 3) {
      guard system("\(line) 2> /dev/null") == 0 else { throw BenchmarkFailure(description: "failed: \(line)") }
    }
  }

  /// The same points with commas and a header, and with blanks.
  private static func writePoints(table: String, plain: String) throws {
    guard let csv = fopen(table, "w"), let text = fopen(plain, "w") else {
      throw BenchmarkFailure(description: "can't write to /tmp")
    }
    fputs("date,latitude_deg,longitude_deg,altitude_m\n", csv)
    var random = RandomPoints(state: 1)
    for _ in 0..<rows {
      let fields = random.next()
      fputs(fields.joined(separator: ",") + "\n", csv)
      fputs(fields.joined(separator: " ") + "\n", text)
    }
    fclose(csv)
    fclose(text)
  }

  /// Marsaglia's xorshift64: the same points on every run.
  private struct RandomPoints {
    var state: UInt64

    /// Date, latitude, longitude, altitude.
    mutating func next() -> [String] {
      [
        number(in: 2025...2030, decimals: 3), number(in: -90...90, decimals: 5), number(in: -180...180, decimals: 5),
        number(in: 0...10_000, decimals: 1),
      ]
    }

    private mutating func number(in range: ClosedRange<Double>, decimals: Int) -> String {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let part = Double(state >> 11) / Double(1 << 53)
      var text = TextBuffer()
      text.append(range.lowerBound + (range.upperBound - range.lowerBound) * part, decimals: decimals)
      return text.text
    }
  }
}
