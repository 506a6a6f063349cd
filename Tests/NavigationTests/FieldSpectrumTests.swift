import Glibc
import LodestoneCore
import Navigation
import Testing

@Suite struct FieldSpectrumTests {
  private static func series(rate: Double, seconds: Double, _ lines: [(hertz: Double, amplitude: Double)])
    -> FieldSeries
  {
    var series = FieldSeries()
    for index in 0..<Int(rate * seconds) {
      let time = Double(index) / rate
      var field = Vector3(10, 20, -40)
      for line in lines {
        field += Vector3(0.6, 0, 0.8) * (line.amplitude * sin(6.283185307179586 * line.hertz * time + 1))
      }
      series.add(field, at: time)
    }
    return series
  }

  @Test func linesAreFoundWithTheirAmplitudes() throws {
    let spectrum = try #require(FieldSpectrum(Self.series(rate: 200, seconds: 4, [(17, 3), (50, 1.5)])))
    #expect(spectrum.nyquist > 99 && spectrum.nyquist < 101)
    let first = try #require(spectrum.lines.first)
    #expect(abs(first.frequency - 17) < 0.1 && abs(first.amplitude - 3) < 0.1 && first.mains == nil)
    let second = try #require(spectrum.lines.dropFirst().first)
    #expect(abs(second.frequency - 50) < 0.1 && abs(second.amplitude - 1.5) < 0.1 && second.mains == .hum(50))
  }

  /// 50 Hz that is sampled 80 times a second appears at 30 Hz: never past half the sampling rate, and marked.
  @Test func aliasesAreMarked() throws {
    let spectrum = try #require(FieldSpectrum(Self.series(rate: 80, seconds: 4, [(50, 2)])))
    let line = try #require(spectrum.lines.first)
    #expect(abs(line.frequency - 30) < 0.1 && line.mains == .alias(50, 1))
    #expect(spectrum.lines.allSatisfy { $0.frequency <= spectrum.nyquist })
  }

  @Test func fewSamplesHaveNoSpectrum() {
    #expect(FieldSpectrum(Self.series(rate: 10, seconds: 1.5, [])) == nil)
    #expect(FieldSpectrum(FieldSeries()) == nil)
  }
}
