import CReference
import LodestoneCore
import Glibc

/// A recording of a million rows to headings as CSV, against a plain C program with fgets, strtod, atan2 and printf that
/// compensates the tilt. Needs the built command in `LODESTONE` (default `.build/release/lodestone`).
enum HeadingStream: Benchmark {
  static let name = "heading"
  private static let rows = 1_000_000

  static func measure() throws -> [Measurement] { try measure(gyroscope: "no") }

  static func measure(gyroscope: String) throws -> [Measurement] {
    let command = getenv("LODESTONE").map { String(cString: $0) } ?? ".build/release/lodestone"
    let recording = "/tmp/lodestone-benchmark-\(getpid()).csv"
    defer { unlink(recording) }
    let record = "\(command) record --quiet --device 'sim:?speed=max&rate=100&gyro=\(gyroscope)' --count \(rows)"
    guard system("\(record) --output \(recording)") == 0 else {
      throw BenchmarkFailure(description: "failed: \(record)")
    }
    let heading = "\(command) heading --quiet --profile none --device \(recording) --format csv > /dev/null"
    return [
      Measurement(
        what: "lodestone heading",
        seconds: try medianSeconds(of: 5) {
          guard system(heading) == 0 else { throw BenchmarkFailure(description: "failed: \(heading)") }
        }, operations: rows),
      Measurement(
        what: "plain C with fgets, strtod, atan2 and printf",
        seconds: medianSeconds(of: 5) { _ = reference_headings(recording, "/dev/null") }, operations: rows),
    ]
  }
}

/// The same with rotation rates: we fuse them, the plain program leaves them out.
enum FusedHeadingStream: Benchmark {
  static let name = "fused"

  static func measure() throws -> [Measurement] { try HeadingStream.measure(gyroscope: "yes") }
}
