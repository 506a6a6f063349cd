import Glibc
import Instruments
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

  /// 50 Hz sampled 90 times a second appear at 40 Hz, which is not the mains' frequency; sampled 200 times they are.
  @Test(arguments: [(90.0, true), (200, false)])
  func anAliasIsNotCalledMains(_ rate: Double, _ isAlias: Bool) throws {
    var meter = AlternatingField()
    var random = RandomNumbers(seed: 3)
    var last: AlternatingReading?
    for index in 0..<Int(rate * 3) {
      let time = Double(index) / rate
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.05
      let field = Vector3(10, 20, -40) + noise + Vector3(0.6, 0, 0.8) * (2 * sin(2 * .pi * 50 * time + 1))
      last = meter.read(DeviceFrame().read(Sample(time: time, field: MagneticField(microtesla: field)))) ?? last
    }
    let reading = try #require(last)
    #expect(abs(try #require(reading.frequency) - (isAlias ? 40 : 50)) < 0.2)
    #expect(reading.isAlias == isAlias && reading.isMains == !isAlias)
  }

  /// Noise of three axes: white, or pink, whose power falls with the frequency.
  private static func noise(_ count: Int, isPink: Bool, _ random: inout RandomNumbers) -> [Vector3] {
    func normal() -> Vector3 {
      let (u, v, w) = (random.normal(), random.normal(), random.normal())
      return Vector3(u, v, w)
    }
    // A sum of first-order noises, an octave apart, whose shares make the fall: each sample is new on one of them more
    // often the faster it is. All begin as they go on.
    var stages = (0..<(isPink ? 12 : 1)).map { _ in normal() }
    return (0..<count).map { _ in
      var sum = Vector3.zero
      for stage in stages.indices {
        let memory = 1 - pow(0.5, Double(stage))
        stages[stage] = stages[stage] * memory + normal() * (1 - memory * memory).squareRoot()
        sum += stages[stage]
      }
      return sum
    }
  }

  /// The strongest line of what is made in a stretch of 500 samples, 50 a second, with noise, and how many stand out.
  private static func lines(
    _ seed: UInt64, isPink: Bool = false, noise size: Double, _ field: (_ time: Double) -> Vector3
  ) -> [SpectralLine] {
    var random = RandomNumbers(seed: seed)
    var series = FieldSeries()
    for (index, noise) in noise(500, isPink: isPink, &random).enumerated() {
      series.add(field(Double(index) / 50) + noise * size, at: Double(index) / 50)
    }
    return FieldSpectrum(series)?.lines.filter { $0.isSignificant } ?? []
  }

  /// A field that goes round in a circle of 3 µT is 3 µT long at all times; one along an ellipse has both its axes.
  @Test func anEllipseHasTwoAxes() throws {
    for (minor, seed) in [(3.0, 1), (1.2, 2), (0, 3)] as [(Double, UInt64)] {
      let line = try #require(
        Self.lines(seed, noise: 0.02) {
          Vector3(3 * cos(6.283185307179586 * 7.3 * $0), minor * sin(6.283185307179586 * 7.3 * $0), 0)
        }.first)
      #expect(abs(line.amplitude - 3) < 0.02 && abs(line.minorAmplitude - minor) < 0.02, "\(line)")
      #expect(abs(line.frequency - 7.3) < 0.002)
    }
  }

  /// In 95 of 100 stretches what is true is within the ±.
  @Test func theIntervalsHold() {
    var (amplitudes, frequencies, count) = (0, 0, 0)
    for seed in 1...200 as ClosedRange<UInt64> {
      let hertz = 3 + Double(seed) * 0.0937
      let found = Self.lines(seed, noise: 0.4) {
        Vector3(0.6, 0, 0.8) * (1.0 * sin(6.283185307179586 * hertz * $0 + Double(seed)))
      }
      guard let line = found.first, let amplitude = line.amplitudeUncertainty, let frequency = line.frequencyUncertainty
      else { continue }
      count += 1
      if abs(line.amplitude - 1) <= amplitude { amplitudes += 1 }
      if abs(line.frequency - hertz) <= frequency { frequencies += 1 }
    }
    #expect(count == 200)
    #expect((180...200).contains(amplitudes) && (180...200).contains(frequencies), "\(amplitudes) \(frequencies)")
  }

  /// The shorter axis of a field that goes to and fro is nothing: the ± says so in 95 of 100 stretches.
  @Test func theShorterAxisOfALinearFieldIsWithinItsInterval() {
    var within = 0
    for seed in 1...200 as ClosedRange<UInt64> {
      let line = Self.lines(seed, noise: 0.1) {
        Vector3(0.6, 0, 0.8) * sin(6.283185307179586 * 8.13 * $0 + Double(seed))
      }.first
      if let line, let uncertainty = line.amplitudeUncertainty, line.minorAmplitude <= uncertainty { within += 1 }
    }
    #expect(within >= 180, "\(within) of 200")
  }

  /// A sensor without a calibration tells an amplitude as well as data sheets say, however quiet it is.
  @Test func theGainIsInTheInterval() throws {
    var (meter, random) = (AlternatingField(), RandomNumbers(seed: 6))
    var last: AlternatingReading?
    for index in 0..<300 {
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.05
      let field = Vector3(10, 20, -40) + noise + Vector3(20 * sin(6.283185307179586 * 17 * Double(index) / 100), 0, 0)
      let sample = Sample(time: Double(index) / 100, field: MagneticField(microtesla: field))
      last = meter.read(DeviceFrame().read(sample)) ?? last
    }
    let uncertainty = try #require(last?.amplitudeUncertainty)
    #expect((1.9...2.1).contains(uncertainty))  // 1.96 times 5 % of 20 µT
  }

  /// The mains' hum looks like a slow field at a whole part of their frequency, and nowhere else.
  @Test(
    arguments: [
      (50, [50]), (50.03, [50]), (25, [50]), (30, [60]), (20, [60]), (10, [50, 60]), (45, []), (100, []), (200, []),
    ] as [(Double, [Double])])
  func theMainsHideAtWholePartsOfTheirFrequency(_ rate: Double, _ mains: [Double]) throws {
    let spectrum = try #require(FieldSpectrum(Self.series(rate: rate, seconds: 10, [(3.3, 2)])))
    #expect(spectrum.hiddenMains == mains)
  }

  /// Half the rate mirrors a strong line that stands 1.5 to 3 bins below it, a tenth of a hertz each.
  @Test(arguments: [24.84, 24.8, 24.77, 24.75, 24.72, 24.66])
  func theIntervalHoldsBelowHalfTheRate(_ hertz: Double) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let line = try #require(
        Self.lines(seed, noise: 0.02) { Vector3(0, 5 * sin(6.283185307179586 * hertz * $0 + Double(seed)), 0) }.first)
      guard let amplitude = line.amplitudeUncertainty, let frequency = line.frequencyUncertainty else {
        #expect(line.isAtNyquist)
        continue
      }
      #expect(abs(line.amplitude - 5) <= amplitude + 0.03, "\(line)")
      #expect(abs(line.frequency - hertz) <= frequency + 0.001, "\(line)")
    }
  }

  /// 7 Hz that a chip measures ten times a second and a board prints a hundred times: 3 Hz with the whole amplitude,
  /// and nothing above half the rate of the measurements. A board that prints less evenly than that is no different.
  @Test(arguments: [10.0, 8, 12.5, 40])
  func measurementsThatAreSentAgainMakeNoLines(_ rate: Double) throws {
    var (meter, random) = (AlternatingField(), RandomNumbers(seed: 4))
    var (measured, field, readings) = (-1, Vector3.zero, [AlternatingReading]())
    for index in 0..<1500 {
      let measurement = Int(Double(index) * 0.01 * rate + 1e-9)
      if measurement != measured {
        let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.2
        let phase = 2 * Double.pi * 7 * Double(measurement) / rate
        (measured, field) = (measurement, Vector3(20, 5, -40) + noise + Vector3(20 * sin(phase + 0.4), 0, 0))
      }
      let sample = DeviceFrame().read(Sample(time: Double(index) * 0.01, field: MagneticField(microtesla: field)))
      guard let reading = meter.read(sample) else { continue }
      readings.append(reading)
      let spectrum = try #require(meter.spectrum)
      #expect(abs(spectrum.rate - rate) < 0.02 * rate && spectrum.samplesPerMeasurement > 2)
      #expect(spectrum.lines.filter { $0.isSignificant }.count == 1)
    }
    let seen = rate == 40 ? 7 : rate == 10 ? 3 : rate == 8 ? 1 : 5.5
    #expect(readings.count >= 2)
    for reading in readings {
      #expect(abs(try #require(reading.frequency) - seen) < 0.1, "\(reading)")
      #expect(abs(try #require(reading.amplitude) - 20) < 1, "\(reading)")
    }
  }

  /// Noise that a board smooths is no hum of the mains: zero-points have none in it.
  @Test func smoothedNoiseIsNoHum() throws {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = RandomNumbers(seed: seed)
      var (collector, smooth) = (ZeroPointCollector(), Vector3.zero)
      for step in 0..<300 {
        let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.5
        smooth = smooth * 0.8 + noise * 0.2
        if step >= 200 { collector.add(Vector3(20, 5, -40) + smooth, up: nil, at: Double(step) * 0.02) }
      }
      #expect(try collector.result().get().alternating == 0, "seed \(seed)")
    }
  }

  /// At 20 samples a second a window of two seconds tells a line that stands out.
  @Test func slowSamplesHaveALongerWindow() throws {
    var meter = AlternatingField()
    var readings: [AlternatingReading] = []
    var random = RandomNumbers(seed: 8)
    for index in 0..<200 {
      let time = Double(index) / 20
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.3
      let field = Vector3(20, 5, -40) + noise + Vector3(1000 * cos(2 * .pi * 3.3 * time), 0, 0)
      let sample = DeviceFrame().read(Sample(time: time, field: MagneticField(microtesla: field)))
      if let reading = meter.read(sample) { readings.append(reading) }
    }
    #expect(readings.count == 5)
    #expect(readings.allSatisfy { abs(($0.frequency ?? 0) - 3.3) < 0.01 && abs(($0.amplitude ?? 0) - 1000) < 10 })
  }

  /// Noise alone has no lines, white or pink: one in ten stretches at most.
  @Test(arguments: [false, true])
  func noiseHasNoLines(isPink: Bool) {
    var count = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      count += Self.lines(seed, isPink: isPink, noise: 0.3) { _ in .zero }.count
    }
    #expect(count <= 6, "\(count) lines in 60 stretches")
  }

  /// 25 Hz that is sampled 50 times a second may be met at its zeros.
  @Test func halfTheRateIsMarked() throws {
    let line = try #require(
      Self.lines(5, noise: 0.02) { Vector3(0, 2 * sin(6.283185307179586 * 25 * $0 + 0.7), 0) }.first)
    #expect(
      line.isAtNyquist && line.amplitudeUncertainty == nil && line.words?.contains("half the sampling rate") == true)
    #expect(abs(line.frequency - 25) < 0.1)
  }

  @Test(arguments: [Int.min, -1, 0, 3]) func aSeriesKeepsNoMoreThanItIsTold(_ most: Int) {
    var series = FieldSeries()
    for step in 0..<10 { series.add(Vector3(Double(step), 0, 0), at: Double(step)) }
    series.keep(seconds: 100, most: most)
    #expect(series.count == max(0, most))
  }

  @Test func fewSamplesHaveNoSpectrum() {
    #expect(FieldSpectrum(Self.series(rate: 10, seconds: 1.5, [])) == nil)
    #expect(FieldSpectrum(FieldSeries()) == nil)
  }
}
