import Calibration
import Glibc
import Instruments
import LodestoneCore
import Navigation
import Testing

/// Spectra of samples whose stamps are uneven. A line of 5 µT at 100 samples a second.
@Suite struct SampleTimesTests {
  private static func readings(
    _ frequency: Double, count: Int = 800, _ stamp: (Int, inout RandomNumbers) -> (taken: Double, stamped: Double)
  ) -> [AlternatingReading] {
    var (random, meter) = (RandomNumbers(seed: 11), AlternatingField())
    return (0..<count).compactMap { place in
      let (taken, stamped) = stamp(place, &random)
      func noise() -> Double { 0.2 * random.normal() }
      let field = Vector3(20 + 5 * sin(2 * .pi * frequency * taken) + noise(), noise() - 5, noise() - 40)
      let sample = DeviceSample(time: stamped, field: Correction.none.apply(to: MagneticField(microtesla: field)))
      return meter.read(sample)
    }
  }

  private static func expectHeld(_ readings: [AlternatingReading], _ frequency: Double) {
    #expect(readings.count >= 6, "\(readings.count)")
    let held = readings.filter { reading in
      guard let amplitude = reading.amplitude, let told = reading.frequency else { return false }
      let (off, by) = (abs(amplitude - 5), abs(told - frequency))
      return reading.amplitudeUncertainty.map { off <= 2 * $0 } ?? reading.isUneven
        && reading.frequencyUncertainty.map { by <= $0 } ?? reading.isUneven
    }
    #expect(held.count >= readings.count - 1, "\(readings)")
  }

  /// Five rows of a radio link at once, with one stamp or half a millisecond apart: taken evenly all the same.
  @Test(arguments: [0, 0.0005], [7.3, 23.7, 41]) func burstsAreTakenEvenly(_ apart: Double, _ frequency: Double) {
    let readings = Self.readings(frequency) { place, _ in
      (Double(place) * 0.01, Double(place / 5) * 0.05 + 0.05 + Double(place % 5) * apart)
    }
    Self.expectHeld(readings, frequency)
    #expect(readings.filter { $0.isUneven }.count <= 1)
  }

  /// Samples that were taken when their stamps say.
  @Test(arguments: [7.3, 23.7]) func unevenSamplesAreTakenByTheirStamps(_ frequency: Double) {
    let readings = Self.readings(frequency) { place, random in
      let time = Double(place) * 0.01 + 0.008 * (random.uniform() - 0.5)
      return (time, time)
    }
    Self.expectHeld(readings, frequency)
  }

  /// Bursts with one stamp, of which rows were lost: when the others were taken cannot be told.
  @Test func lostRowsOfBurstsAreSaid() throws {
    let readings = Self.readings(41) { place, _ in
      let taken = Double(place + 3 * (place / 30)) * 0.01
      return (taken, (taken / 0.05 + 1e-6).rounded(.down) * 0.05 + 0.05)
    }
    let lines = readings.filter { $0.frequency != nil }
    let said = lines.filter { $0.isUneven || abs(($0.amplitude ?? 0) - 5) <= $0.amplitudeUncertainty ?? 0 }
    #expect(said.count >= lines.count - 1, "\(lines)")
  }
}
