import Glibc

/// Something whose speed is measured, and what it is compared with.
protocol Benchmark {
  /// As it is named on the command line.
  static var name: String { get }
  /// Runs it and says what came out.
  static func measure() throws -> [Measurement]
}

/// One line of the report.
struct Measurement {
  let what: String
  /// The median, in seconds.
  let seconds: Double
  /// How many operations those seconds hold.
  let operations: Int

  var nanosecondsPerOperation: Double { seconds / Double(max(operations, 1)) * 1e9 }
}

/// The median time of several runs: others use the machine too.
func medianSeconds(of runs: Int = 5, _ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  var times: [Double] = []
  for _ in 0..<runs {
    let parts = try clock.measure(body).components
    times.append(Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
  }
  return times.sorted()[runs / 2]
}

/// The processor time of the fastest of several runs: what the work costs where others slow the machine down.
func leastSeconds(of runs: Int = 7, _ body: () throws -> Void) rethrows -> Double {
  func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
  var least = Double.infinity
  for _ in 0..<runs {
    let start = processorSeconds()
    try body()
    least = min(least, processorSeconds() - start)
  }
  return least
}

/// Why a benchmark can't run.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
}

/// Hides a value from the optimizer.
@inline(never)
func use<Value>(_ value: Value) { withExtendedLifetime(value) {} }
