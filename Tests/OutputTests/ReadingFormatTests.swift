import Core
import Navigation
import Output
import Testing

@Suite struct ReadingFormatTests {
  private static func reading() -> Reading {
    var reading = Reading(time: 1.25, quality: .good, orientation: .faceUp)
    reading.magneticHeading = Heading(degrees: 82.1)
    reading.trueHeading = Heading(degrees: 86.2)
    reading.accuracy = 0.84
    reading.field = MagneticField(microtesla: 0, 21, -43)
    reading.inclination = 63.97
    reading.pitch = -0.004
    reading.roll = 12.5
    return reading
  }

  private func lines(_ format: any ReadingFormat.Type, _ readings: [Reading], _ facts: StreamFacts = StreamFacts())
    -> String
  {
    var text = TextBuffer()
    var writer = format.init(facts)
    writer.appendHeader(to: &text)
    for reading in readings { writer.append(reading, to: &text) }
    return text.text
  }

  @Test func csv() {
    #expect(
      lines(CSVReadings.self, [Self.reading(), Reading(time: 2)]) == """
        time_s,magnetic_heading_deg,true_heading_deg,accuracy_deg,quality,field_uT,inclination_deg,pitch_deg,roll_deg,orientation
        1.250000,82.10,86.20,0.84,good,47.854,63.97,0.00,12.50,face-up
        2.000000,,,,uncalibrated,,,,,unknown

        """)
  }

  @Test func json() {
    #expect(
      lines(JSONReadings.self, [Self.reading()])
        == #"{"time_s":1.250000,"magnetic_heading_deg":82.10,"true_heading_deg":86.20,"accuracy_deg":0.84,"#
        + #""quality":"good","field_uT":47.854,"inclination_deg":63.97,"pitch_deg":0.00,"roll_deg":12.50,"#
        + #""orientation":"face-up","bx_uT":0.000,"by_uT":21.000,"bz_uT":-43.000}"# + "\n")
    #expect(lines(JSONReadings.self, [Reading(time: 0)]).contains(#""magnetic_heading_deg":null,"#))
  }

  /// The HDT sentence is one that a real compass sent; the other checksums were summed by hand.
  @Test func nmea() {
    let sentences = lines(NMEAReadings.self, [Self.reading()]).split(separator: "\r\n").map(String.init)
    #expect(sentences.contains("$HCHDT,86.2,T*15"))
    #expect(sentences.first?.hasPrefix("$HCHDG,82.1,,,4.1,E*") == true)
    #expect(sentences.allSatisfy(Self.checksumHolds))
    #expect(lines(NMEAReadings.self, [Reading(time: 0)]).isEmpty)
  }

  @Test func nmeaVariationWest() {
    var reading = Reading(time: 0)
    reading.magneticHeading = Heading(degrees: 5)
    reading.trueHeading = Heading(degrees: 352.8)
    let sentences = lines(NMEAReadings.self, [reading], StreamFacts(talker: "II"))
    #expect(sentences.hasPrefix("$IIHDG,5.0,,,12.2,W*"))
  }

  private static func checksumHolds(_ sentence: String) -> Bool {
    let parts = sentence.dropFirst().split(separator: "*")
    guard parts.count == 2 else { return false }
    return parts[0].utf8.reduce(0, ^) == UInt8(parts[1], radix: 16)
  }

  @Test func signalK() {
    let delta = lines(SignalKReadings.self, [Self.reading()], StreamFacts(unixStart: 1_772_357_400))
    #expect(delta.contains(#""timestamp":"2026-03-01T09:30:01.250Z""#))
    #expect(delta.contains(#"{"path":"navigation.headingMagnetic","value":1.432915}"#))  // 82.1° in radians
    #expect(lines(SignalKReadings.self, [Reading(time: 0)]).isEmpty)
  }

  @Test func text() {
    #expect(
      lines(TextReadings.self, [Self.reading()])
        == " 82.1° magnetic   86.2° true   ±0.8°   good   47.9 µT   pitch 0.0° roll 12.5°\n")
  }

  @Test(arguments: ReadingFormats.all.map { $0.name })
  func numbersThatAreNoneAreNeverPrinted(_ name: String) throws {
    let format = try #require(ReadingFormats.all.first { $0.name == name })
    var reading = Self.reading()
    reading.pitch = .nan
    reading.accuracy = .infinity
    let text = lines(format, [reading]).lowercased()
    #expect(!text.contains("nan"))
    #expect(!text.contains("inf"))
  }
}
