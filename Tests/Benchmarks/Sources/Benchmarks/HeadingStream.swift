import CReference
import LodestoneCore
import Glibc

/// A recording of a million rows to headings as CSV, against a plain C program with fgets, strtod, atan2 and printf
/// that compensates the tilt. Needs the built command in `LODESTONE` (default `.build/release/lodestone`).
enum HeadingStream: Benchmark {
  static let name = "heading"

  static func measure() throws -> [Measurement] {
    try inFolder { folder in try measure(in: folder, gyroscope: "no", options: "--profile none") }
  }

  private static let rows = 1_000_000
  private static let command = getenv("LODESTONE").map { String(cString: $0) } ?? ".build/release/lodestone"

  /// Runs `body` with a folder, which goes away again, for recordings and calibrations.
  static func inFolder(_ body: (String) throws -> [Measurement]) throws -> [Measurement] {
    let folder = "/tmp/lodestone-benchmark-\(getpid())"
    try run("mkdir \(folder)")
    defer { _ = system("rm -r \(folder)") }
    return try body(folder)
  }

  /// Records virtual samples to a file.
  static func record(_ count: Int, _ settings: String, to path: String) throws {
    try lodestone("record --quiet --device 'sim:?speed=max&rate=100&\(settings)' --count \(count) --output \(path)")
  }

  /// Runs our program with the calibrations of a folder.
  static func lodestone(_ arguments: String, in folder: String = "/nowhere") throws {
    try run("XDG_DATA_HOME=\(folder) \(command) \(arguments)")
  }

  private static func run(_ line: String) throws {
    guard system(line) == 0 else { throw BenchmarkFailure(description: "failed: \(line)") }
  }

  /// Our program and the plain one, over the same recording.
  static func measure(in folder: String, gyroscope: String, options: String) throws -> [Measurement] {
    let recording = folder + "/rows.csv"
    try record(rows, "gyro=\(gyroscope)", to: recording)
    return [
      Measurement(
        what: "lodestone heading",
        seconds: try medianSeconds(of: 5) {
          try lodestone("heading --quiet \(options) --device \(recording) --format csv > /dev/null", in: folder)
        }, operations: rows),
      Measurement(
        what: "plain C with fgets, strtod, atan2 and printf",
        seconds: medianSeconds(of: 5) { _ = reference_headings(recording, "/dev/null") }, operations: rows),
    ]
  }
}

/// The same with rotation rates and a calibration, so that we fuse them; the plain program leaves them out.
enum FusedHeadingStream: Benchmark {
  static let name = "fused"

  static func measure() throws -> [Measurement] {
    try HeadingStream.inFolder { folder in
      let sweep = folder + "/sweep.csv"
      try HeadingStream.record(6000, "gyro=yes&motion=figure-eight", to: sweep)
      try HeadingStream.lodestone("calibrate --quiet \(sweep) > /dev/null", in: folder)
      return try HeadingStream.measure(in: folder, gyroscope: "yes", options: "")
    }
  }
}
