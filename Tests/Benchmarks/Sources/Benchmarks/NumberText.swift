import LodestoneCore
import Glibc

/// Numbers to text and back, against the C library.
enum NumberText: Benchmark {
  static let name = "numbers"

  static func measure() throws -> [Measurement] {
    let count = 1_000_000
    var text = TextBuffer(capacity: 65_536)
    let ours = medianSeconds {
      for index in 0..<count {
        if text.count > 65_000 { text.removeAll() }
        text.append(Double(index) * 0.0371, decimals: 2)
      }
    }
    let bytes = Array("-12345.678,".utf8)
    let parsing = medianSeconds {
      for _ in 0..<count {
        var position = 0
        use(parseDecimal(bytes.span, from: &position))
      }
    }
    var buffer = [CChar](repeating: 0, count: 64)
    let library = medianSeconds {
      for index in 0..<count {
        _ = withVaList([Double(index) * 0.0371]) { vsnprintf(&buffer, buffer.count, "%.2f", $0) }
      }
    }
    let strings = medianSeconds {
      for _ in 0..<count { use("-12345.678,".withCString { strtod($0, nil) }) }
    }
    return [
      Measurement(what: "append a number with two decimals", seconds: ours, operations: count),
      Measurement(what: "vsnprintf", seconds: library, operations: count),
      Measurement(what: "parse a number of eight digits", seconds: parsing, operations: count),
      Measurement(what: "strtod", seconds: strings, operations: count),
    ]
  }
}
