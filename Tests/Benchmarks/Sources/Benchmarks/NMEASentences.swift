import CReference
import LodestoneCore
import Drivers
import Glibc

/// NMEA sentences with checksums to headings and attitudes, against pynmea2, which is to take at least 20 times as long
/// though it leaves the numbers as text. Needs a Python that has pynmea2 in `PYTHON` (default `python3`).
enum NMEASentences: Benchmark {
  static let name = "nmea"
  private static let count = 60_000

  static func measure() throws -> [Measurement] {
    let text = sentences()
    let ours = try parse(text)
    let path = "/tmp/lodestone-benchmark-\(getpid()).nmea"
    defer { unlink(path) }
    guard let file = fopen(path, "w") else { throw BenchmarkFailure(description: "can't write \(path)") }
    fwrite(text, 1, text.count, file)
    fclose(file)
    return [
      Measurement(what: "lodestone, numbers and all", seconds: ours, operations: count),
      Measurement(what: "pynmea2.parse", seconds: try pynmea2(path), operations: count),
    ]
  }

  /// HDG, HDT and XDR in turn, no two alike.
  private static func sentences() -> [UInt8] {
    var bytes: [UInt8] = []
    for number in 0..<count {
      let heading = "\(number / 3 % 360).\(number % 10)"
      let content =
        switch number % 3 {
        case 0: "HCHDG,\(heading),,,\(number % 20).4,W"
        case 1: "HEHDT,\(heading),T"
        default: "HCXDR,A,-\(number % 40).7,D,PITCH,A,\(number % 50).9,D,ROLL"
        }
      bytes += Array("\(TextVariant.sentence(content))\r\n".utf8)
    }
    return bytes
  }

  private static func parse(_ text: [UInt8]) throws -> Double {
    guard let type = Protocols.named("nmea") else { throw BenchmarkFailure(description: "no protocol nmea") }
    var heard = 0
    let seconds = leastSeconds {
      var wire = WireStream(type.init())
      var message = WireMessage()
      heard = 0
      wire.append(text.span)
      while let step = wire.next(into: &message) { if step == .message { heard += 1 } }
    }
    guard heard == count else { throw BenchmarkFailure(description: "\(heard) of \(count) sentences were read") }
    return seconds
  }

  /// The processor time of the fastest of three runs in Python, without its start and without reading the file.
  private static func pynmea2(_ path: String) throws -> Double {
    let python = getenv("PYTHON").map { String(cString: $0) } ?? "python3"
    guard system("\(python) -c 'import pynmea2' 2> /dev/null") == 0 else {
      throw BenchmarkFailure(
        description: """
          \(python) has no pynmea2. To install it:
              python3 -m venv /tmp/pynmea2 && /tmp/pynmea2/bin/pip install pynmea2
              export PYTHON=/tmp/pynmea2/bin/python3
          """)
    }
    let program = """
      import pynmea2, time
      lines = [line.strip() for line in open("\(path)")]
      def once():
          start = time.process_time()
          for line in lines: pynmea2.parse(line, check=True)
          return time.process_time() - start
      print(min(once() for _ in range(3)))
      """
    guard let output = popen("\(python) -c '\(program)'", "r") else {
      throw BenchmarkFailure(description: "can't run \(python)")
    }
    var line = [CChar](repeating: 0, count: 128)
    let answer = fgets(&line, Int32(line.count), output).flatMap { Double(String(cString: $0).dropLast()) }
    guard pclose(output) == 0, let answer else { throw BenchmarkFailure(description: "pynmea2 refused a sentence") }
    return answer
  }
}
