import LodestoneCore
import LodestoneOutput
import Navigation
import Testing

@Suite struct FieldFormatTests {
  private static let reading: FieldReading = {
    var reading = FieldReading(
      time: 0.5, difference: Vector3(3, -4, 12), field: Vector3(10, 20, -40), flags: [.turned, .drifting])
    reading.magnitude = 13
    reading.uncertainty = 0.4
    reading.peak = 15
    reading.peakUncertainty = 0.6
    reading.minimum = 0.1
    return reading
  }()

  private func lines(_ format: any Format.Type, unit: FieldUnit, _ reading: FieldReading = reading) -> String {
    LodestoneText.of([reading], as: format, StreamFacts(units: DisplayUnits(field: .unit(unit))))
  }

  @Test func csv() {
    #expect(
      lines(CSVFormat.self, unit: .microtesla) == """
        time_s,dx_uT,dy_uT,dz_uT,magnitude_uT,uncertainty_uT,peak_uT,bx_uT,by_uT,bz_uT,flags,\
        at_most_uT,at_least_uT,peak_uncertainty_uT,peak_at_least_uT
        0.500000,3.000,-4.000,12.000,13.000,0.400,15.000,10.000,20.000,-40.000,turned drifting,,,0.600,

        """)
  }

  @Test func unitIsInTheNames() {
    let lines = lines(CSVFormat.self, unit: .millitesla).split(separator: "\n")
    #expect(lines.first?.hasPrefix("time_s,dx_mT,") == true)
    #expect(lines.last?.contains(",0.013000,") == true)
  }

  @Test func json() {
    #expect(lines(JSONFormat.self, unit: .gauss).contains(#""magnitude_G":0.13000,"#))
    #expect(
      lines(JSONFormat.self, unit: .gauss).contains(
        #""flags":["turned","drifting"],"at_most_G":null,"at_least_G":null,"#))
  }

  @Test func text() {
    #expect(
      lines(TextFormat.self, unit: .microtesla)
        == "13.00 µT ±0.40   x 3.00 y -4.00 z 12.00   peak 15.00   turned drifting\n")
  }

  @Test func belowTheNoiseNoNumberIsClaimed() {
    var reading = Self.reading
    reading.magnitude = 0.2
    reading.atMost = 0.55
    reading.flags = .belowNoise
    #expect(lines(TextFormat.self, unit: .microtesla, reading).hasPrefix("< 0.55 µT"))
    #expect(lines(CSVFormat.self, unit: .microtesla, reading).hasSuffix(",below-noise,0.550,,0.600,\n"))
    #expect(lines(JSONFormat.self, unit: .microtesla, reading).contains(#""at_most_uT":0.550"#))
  }

  /// A probe of one axis: the field along it with its sign, and nothing of what it does not measure.
  @Test func aProbeHasOneAxis() {
    var reading = FieldReading(
      time: 0.5, difference: Vector3(-12.34, .nan, .nan), field: Vector3(10, .nan, .nan), flags: .oneAxis)
    (reading.uncertainty, reading.peak, reading.peakUncertainty) = (0.4, 15, 0.6)
    #expect(lines(TextFormat.self, unit: .microtesla, reading) == "-12.34 µT ±0.40   peak 15.00   one-axis\n")
    #expect(
      lines(CSVFormat.self, unit: .microtesla, reading).hasSuffix(
        "0.500000,-12.340,,,,0.400,15.000,10.000,,,one-axis,,,0.600,\n"))
    let json = lines(JSONFormat.self, unit: .microtesla, reading)
    #expect(json.contains(#""dx_uT":-12.340,"dy_uT":null,"dz_uT":null,"magnitude_uT":null,"#), "\(json)")
    let influx = lines(InfluxFormat.self, unit: .microtesla, reading)
    #expect(influx.contains("dx_uT=-12.340") && !influx.contains("dy_uT") && !influx.contains("nan"), "\(influx)")
    reading.atMost = 0.55
    reading.flags.insert(.belowNoise)
    #expect(lines(TextFormat.self, unit: .microtesla, reading) == "< 0.55 µT   peak 15.00   one-axis\n")
  }

  /// An axis at the end of its range: a bound, rounded down, and no number in any format.
  @Test func saturatedIsABound() {
    var reading = Self.reading
    (reading.magnitude, reading.uncertainty, reading.peak, reading.peakUncertainty) = (nil, nil, nil, nil)
    (reading.atLeast, reading.peakAtLeast) = (302.87, 302.87)
    reading.flags = .saturated
    let text = lines(TextFormat.self, unit: .microtesla, reading)
    #expect(text.hasPrefix("> 302 µT   x ") && text.contains("   peak > 302   saturated"))
    #expect(lines(TextFormat.self, unit: .millitesla, reading).hasPrefix("> 0.302 mT"))
    #expect(
      lines(CSVFormat.self, unit: .microtesla, reading).hasSuffix(
        ",,,,10.000,20.000,-40.000,saturated,,302.870,,302.870\n"))
    #expect(
      lines(InfluxFormat.self, unit: .microtesla, reading).hasSuffix(
        #",flags="saturated",at_least_uT=302.870,peak_at_least_uT=302.870,time_s=0.500000"# + "\n"))
    let json = lines(JSONFormat.self, unit: .microtesla, reading)
    #expect(json.contains(#""magnitude_uT":null,"uncertainty_uT":null,"peak_uT":null"#))
    #expect(json.contains(#""at_least_uT":302.870"#))
  }

  /// A mean over samples at the end of the range would be a number where there is only a bound.
  @Test func aSaturatedMinuteHasNoMean() {
    func minute(_ isSaturated: (Int) -> Bool) -> String {
      let readings = (0...60).map { second in
        FieldReading(
          time: Double(second), difference: .zero, field: Vector3(10, 20, -40),
          flags: isSaturated(second) ? [.saturated, .turned] : .turned)
      }
      let text = LodestoneText.of(readings, as: IAGA2002Format.self, StreamFacts(unixStart: 0))
      return text.split(separator: "\n").last.map(String.init) ?? ""
    }
    #expect(minute { _ in false }.contains("20000.00"))
    #expect(!minute { (20..<40).contains($0) }.contains("20000.00"))
  }

  /// Two digits of the uncertainty are worth showing.
  @Test func digitsFollowTheUncertainty() {
    var reading = Self.reading
    reading.uncertainty = 3.7
    #expect(lines(TextFormat.self, unit: .microtesla, reading).hasPrefix("13.0 µT ±3.7   x 3.0 y -4.0 z 12.0"))
    reading.uncertainty = 45
    #expect(lines(TextFormat.self, unit: .microtesla, reading).hasPrefix("13 µT ±45 "))
  }

  @Test func influx() {
    let line = lines(InfluxFormat.self, unit: .nanotesla)
    #expect(line.hasPrefix("field dx_nT=3000.0,dy_nT=-4000.0,"))
    #expect(line.hasSuffix(#",flags="turned drifting",peak_uncertainty_nT=600.0,time_s=0.500000"# + "\n"))
  }

  /// A field has no heading: neither sentences nor deltas make sense of it.
  @Test func whatMakesNoSenseIsNotOffered() {
    let suitable = Formats.all.filter { $0.suits(FieldReading.schema) }
    #expect(suitable.map { $0.name } == ["text", "json", "csv", "influx", "iaga2002"])
    #expect(Formats.all.allSatisfy { $0.suits(HeadingReading.schema) != ($0 == GPXFormat.self) })
  }

  /// Probes of one axis, and axes at the end of their range, stood in the lines of objects and tables alone.
  @Test func samplesTellTheirProbeInWords() {
    var sample = Sample(time: 0.5)
    sample.alongProbe = 1202
    sample.flags = .saturated
    let samples = [SampleRecord(sample), SampleRecord(Sample(time: 1))]
    let lines = LodestoneText.of(samples, as: TextFormat.self, StreamFacts())
    let rows = lines.split(separator: "\n")
    #expect(rows.count == 2 && rows[0].hasSuffix("temperature_C -   probe_uT 1202.0000   flags saturated"), "\(lines)")
    #expect(rows.last?.hasSuffix("temperature_C -") == true)
  }
}
