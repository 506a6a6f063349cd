import Drivers
import Glibc
import LodestoneCore
import Testing

/// The end of a gyroscope's range in what boards print. An MPU-6050 counts 131 to a degree per second up to 32767:
/// 250.13.
@Suite struct RateEndTests {
  /// The indices of the rates that are marked, of a turn about z whose fastest rate is this, with noise and steps of
  /// the numbers.
  private static func marked(
    peak: Double, range: Double = .infinity, step: Double = 1.0 / 131, noise: Double = 0.1, seconds: Double = 1,
    frequency: Double = 100
  ) -> [Int] {
    var end = RateEnd()
    return (0..<Int(seconds * frequency)).filter { index in
      let rate = peak * sin(.pi * Double(index) / (seconds * frequency))
      func read(_ rate: Double, _ phase: Double) -> Double {
        let trembling = rate + noise * sin(phase + 1.7 * Double(index))
        return max(-range, min(range, (trembling / step).rounded() * step))
      }
      return end.isReached(by: Vector3(read(3, 1), read(-2, 2), read(rate, 0)))
    }
  }

  @Test(arguments: [250.13, 286.7, 500.3, 2000])
  func anAxisThatStaysWhileOthersChangeIsAtTheEnd(_ range: Double) throws {
    for turn in [1.5, -1.5] {
      let marked = Self.marked(peak: turn * range, range: range)
      // asin(1 / 1.5) = 41.8° of 180°: 23.2 of 100 samples on both sides are slower.
      #expect(marked == Array(26..<77), "\(marked)")
    }
  }

  /// At 1000 a second numbers come near it by little.
  @Test func fastNumbersAreAtTheEndAsWell() {
    let marked = Self.marked(peak: 375, range: 250.13, frequency: 1000)
    #expect(marked == Array(241..<768), "\(marked)")
  }

  /// The fastest moment of a turn, in fine and in coarse numbers, and twice as slow.
  @Test(arguments: [1.0 / 131, 0.01, 0.1, 1], [1.0, 3])
  func theFastestMomentIsNoEnd(step: Double, seconds: Double) {
    for peak in [110.0, 180, 245, 249, 400] {
      for frequency in [10.0, 20, 50, 100, 1000] {
        let marked = Self.marked(peak: peak, step: step, seconds: seconds, frequency: frequency)
        #expect(marked.isEmpty, "\(peak) at \(frequency): \(marked)")
      }
    }
  }

  /// Numbers that come again by chance at the fastest moment of a slower turn are below what has been measured.
  @Test func noRangeEndsBelowWhatHasBeenMeasured() {
    func reached(before: [Double]) -> Bool {
      var end = RateEnd()
      let rates = before + [120, 140, 149.24, 149.24, 149.24, 149.24, 140]
      return rates.enumerated().map { index, rate in
        end.isReached(by: Vector3(sin(Double(index)), cos(Double(index)), rate))
      }.contains(true)
    }
    #expect(reached(before: []))
    #expect(!reached(before: [200, 300, 350, 290, 180]))
    // One that stands alone may be damaged.
    #expect(reached(before: [100, 30_000, 110]))
  }

  /// A loop that is faster than its chip sends each rate several times.
  @Test func ratesThatAreSentAgainAreNoEnd() {
    var end = RateEnd()
    for index in 0..<400 {
      let time = Double(index / 4) / 25
      let isReached = end.isReached(by: Vector3(20 * sin(time), 15 * cos(time), 240 * sin(2 * time)))
      #expect(!isReached)
    }
  }

  /// Once known, it is seen at once; faster rates show that it was none.
  @Test func theEndIsRemembered() {
    var end = RateEnd()
    func reads(_ z: Double, _ index: Int) -> Bool {
      end.isReached(by: Vector3(sin(Double(index)), cos(Double(index)), z))
    }
    for (index, z) in [0, 90, 180, 250.13, 250.13, 250.13, 250.13, 120, 0, -150].enumerated() {
      let isReached = reads(z, index)
      #expect(isReached == (5...6).contains(index))
    }
    let marked = [-250.14, 250.13, 249, 251, 250.13].enumerated().map { reads($1, 20 + $0) }
    #expect(marked == [true, true, false, false, false])
  }
}
