import CReference
import LodestoneCore
import Glibc

/// A recording of a million rows (time, field, acceleration) to headings as CSV, against a plain C program with fgets,
/// strtod, atan2 and printf. Needs the built command in `LODESTONE` (default `.build/release/lodestone`).
enum HeadingStream: Benchmark {
  static let name = "heading"
  private static let rows = 1_000_000

  static func measure() throws -> [Measurement] {
    let command = getenv("LODESTONE").map { String(cString: $0) } ?? ".build/release/lodestone"
    let recording = "/tmp/lodestone-benchmark-\(getpid()).csv"
    defer { unlink(recording) }
    let record = "\(command) record --quiet --device 'sim:?speed=max&rate=100&gyro=no' --count \(rows)"
    guard system("\(record) --output \(recording)") == 0 else {
      throw BenchmarkFailure(description: "failed: \(record)")
    }
    let heading = "\(command) heading --quiet --profile none --device \(recording) --format csv > /dev/null"
    return [
      Measurement(
        what: "lodestone heading",
        seconds: try medianSeconds(of: 3) {
          guard system(heading) == 0 else { throw BenchmarkFailure(description: "failed: \(heading)") }
        }, operations: rows),
      Measurement(
        what: "plain C with fgets, strtod, atan2 and printf",
        seconds: medianSeconds(of: 3) { _ = reference_headings(recording, "/dev/null") }, operations: rows),
    ]
  }
}
