import LodestoneCore
import Navigation
import LodestoneOutput
import Support
import Testing

@Suite struct ReadingFormatTests {
  private static func reading() -> HeadingReading {
    var reading = HeadingReading(time: 1.25, quality: .good, orientation: .faceUp)
    reading.magneticHeading = Heading(degrees: 82.1)
    reading.trueHeading = Heading(degrees: 86.2)
    reading.accuracy = 0.84
    reading.field = MagneticField(microtesla: 0, 21, -43)
    reading.inclination = 63.97
    reading.pitch = -0.004
    reading.roll = 12.5
    return reading
  }

  private func lines(_ format: any Format.Type, _ readings: [HeadingReading], _ facts: StreamFacts = StreamFacts())
    -> String
  {
    LodestoneText.of(readings, as: format, facts)
  }

  @Test func csv() {
    #expect(
      lines(CSVFormat.self, [Self.reading(), HeadingReading(time: 2)]) == """
        time_s,magnetic_heading_deg,true_heading_deg,accuracy_deg,quality,field_uT,inclination_deg,pitch_deg,roll_deg,orientation
        1.250000,82.10,86.20,0.84,good,47.854,63.97,0.00,12.50,face-up
        2.000000,,,,uncalibrated,,,,,unknown

        """)
  }

  /// Values of every kind, usual and not: each field reads as it would alone.
  @Test func fieldsOfCSVReadAsTheyWouldAlone() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<5_000 {
      let wild = Wild { Wild.value(using: &random) }
      let expected = [
        wild.time.text(decimals: 6), wild.values[0].text(decimals: 2), wild.values[1].text(decimals: 9),
        wild.values[2].headingText(decimals: 2), (wild.values[3] / 1000).text(decimals: 6),
        wild.values[4].isFinite && wild.values[4].magnitude < 9e15 ? "\(Int(wild.values[4]))" : "",
        wild.place < Wild.words.count ? Wild.words[wild.place] : "",
        wild.place & 1 == 1 ? "odd" : "",
      ].joined(separator: ",")
      let facts = StreamFacts(units: DisplayUnits(field: .unit(.millitesla)))
      let lines = LodestoneText.of([wild], as: CSVFormat.self, facts).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[1] == expected)
    }
  }

  /// A record with a column of each kind.
  private struct Wild: Record {
    static let words = ["short", "", String(repeating: "a word past any room ", count: 4)]
    static let schema = RecordSchema("wild", of: Wild.self)
    var time = 0.0
    var values = [Double](repeating: 0, count: 5)
    var place = 0

    init() {}

    init(_ next: () -> Double) {
      time = next()
      values = values.map { _ in next() }
      let number = next()
      place = number.isFinite ? Int(number.magnitude.truncatingRemainder(dividingBy: 4)) : 3
    }

    func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
      columns.add(.number("a", .none, decimals: 2), values[0])
      columns.add(.number("b", .none, decimals: 9), values[1])
      columns.add(.heading("c"), values[2])
      columns.add(.field("d"), values[3])
      columns.add(.integer("e"), values[4])
      columns.add(.word("f", Self.words), place)
      columns.add(.flags("g", ["odd"]), place)
    }

    /// Often what instruments say, and now and then what they should not.
    static func value(using random: inout SeededGenerator) -> Double {
      switch Int.random(in: 0...9, using: &random) {
      case 0:
        [0, -0.0, 359.995, 359.9949, 360, -1e-9, 99_999_999, 4_503_599_627.370496, 1e300, -7.5].randomElement(
          using: &random) ?? 0
      case 1: [Double.nan, .infinity, -.infinity].randomElement(using: &random) ?? .nan
      case 2: Double(Int.random(in: -4000...4000, using: &random)) / 8
      case 3: Double.random(in: -1e10...1e10, using: &random)
      default: Double.random(in: -400...400, using: &random)
      }
    }
  }

  @Test func json() {
    #expect(
      lines(JSONFormat.self, [Self.reading()])
        == #"{"time_s":1.250000,"magnetic_heading_deg":82.10,"true_heading_deg":86.20,"accuracy_deg":0.84,"#
        + #""quality":"good","field_uT":47.854,"inclination_deg":63.97,"pitch_deg":0.00,"roll_deg":12.50,"#
        + #""orientation":"face-up","bx_uT":0.000,"by_uT":21.000,"bz_uT":-43.000}"# + "\n")
    #expect(lines(JSONFormat.self, [HeadingReading(time: 0)]).contains(#""magnetic_heading_deg":null,"#))
  }

  /// The HDT sentence is one that a real compass sent; the other checksums were summed by hand.
  @Test func nmea() {
    let sentences = lines(NMEAFormat.self, [Self.reading()]).split(separator: "\r\n").map(String.init)
    #expect(sentences.contains("$HCHDT,86.2,T*15"))
    #expect(sentences.first?.hasPrefix("$HCHDG,82.1,,,4.1,E*") == true)
    #expect(sentences.allSatisfy(Self.checksumHolds))
    #expect(lines(NMEAFormat.self, [HeadingReading(time: 0)]).isEmpty)
  }

  @Test func nmeaVariationWest() {
    var reading = HeadingReading(time: 0)
    reading.magneticHeading = Heading(degrees: 5)
    reading.trueHeading = Heading(degrees: 352.8)
    let sentences = lines(NMEAFormat.self, [reading], StreamFacts(talker: "II"))
    #expect(sentences.hasPrefix("$IIHDG,5.0,,,12.2,W*"))
  }

  /// HDG leaves the deviation to its reader: 82.1 + 2.5 = 84.6 and 86.2 + 2.5 = 88.7 in the sentences without that
  /// field.
  @Test func nmeaDeviation() {
    var reading = Self.reading()
    reading.deviation = 2.5
    let sentences = lines(NMEAFormat.self, [reading]).split(separator: "\r\n").map(String.init)
    #expect(sentences.first?.hasPrefix("$HCHDG,82.1,2.5,E,4.1,E*") == true)
    #expect(sentences.contains { $0.hasPrefix("$HCHDM,84.6,M*") })
    #expect(sentences.contains { $0.hasPrefix("$HCHDT,88.7,T*") })
    reading.deviation = -90
    #expect(lines(NMEAFormat.self, [reading]).contains("HDM,352.1,M*"))
  }

  private static func checksumHolds(_ sentence: String) -> Bool {
    let parts = sentence.dropFirst().split(separator: "*")
    guard parts.count == 2 else { return false }
    return parts[0].utf8.reduce(0, ^) == UInt8(parts[1], radix: 16)
  }

  @Test func signalK() {
    let delta = lines(SignalKFormat.self, [Self.reading()], StreamFacts(unixStart: 1_772_357_400))
    #expect(delta.contains(#""timestamp":"2026-03-01T09:30:01.250Z""#))
    #expect(!delta.contains("null"))
    #expect(delta.contains(#"{"path":"navigation.headingMagnetic","value":1.432915}"#))  // 82.1° in radians
    #expect(lines(SignalKFormat.self, [HeadingReading(time: 0)]).isEmpty)
  }

  /// Signal K's headingCompass is not adjusted for the deviation, headingMagnetic is (specification 1.7, navigation):
  /// 84.6° are 1.476549 rad, 88.7° 1.548107, 82.1° 1.432915, 2.5° 0.043633, the variation of 4.1° 0.071558.
  @Test func signalKDeviation() {
    var reading = Self.reading()
    reading.deviation = 2.5
    let delta = lines(SignalKFormat.self, [reading])
    for (path, value) in [
      ("headingMagnetic", "1.476549"), ("headingTrue", "1.548107"), ("headingCompass", "1.432915"),
      ("magneticDeviation", "0.043633"), ("magneticVariation", "0.071558"),
    ] {
      #expect(delta.contains(#"{"path":"navigation.\#(path)","value":\#(value)}"#), "\(path) in \(delta)")
    }
    reading.deviation = -90  // 352.1°
    #expect(lines(SignalKFormat.self, [reading]).contains(#"{"path":"navigation.headingMagnetic","value":6.145304}"#))
  }

  /// Rotator programs have no field for the deviation.
  @Test func rotatorDeviation() {
    var reading = Self.reading()
    reading.deviation = 2.5
    #expect(lines(RotatorFormat.self, [reading]) == "88.70\n0.00\n")
    reading.trueHeading = nil
    #expect(lines(RotatorFormat.self, [reading]) == "84.60\n0.00\n")
  }

  /// PGN 127250, worked by hand: 82.1° is 14329 (37F9) ten-thousandths of a radian, the variation of 4.1° 716 (02CC),
  /// and the reference is magnetic.
  @Test func nmea2000() {
    let ydwg = lines(NMEA2000Format.self, [Self.reading()])
    #expect(ydwg.contains("00:00:01.250 R 09F11223 00 F9 37 FF 7F CC 02 FD"), "\(ydwg)")
    let ascii = lines(N2KASCIIFormat.self, [Self.reading()])
    #expect(ascii.contains("A000001.250 23FF2 1F112 00F937FF7FCC02FD"), "\(ascii)")
    #expect(lines(NMEA2000Format.self, [HeadingReading(time: 0)]).isEmpty)
  }

  /// A turn to starboard by 6° a second, worked by hand: 0.104720 rad/s are 3351032 (3321F8) counts of 3.125e-8 rad/s,
  /// and 360° a minute.
  @Test func aRateOfTurnIsWritten() {
    var (heading, attitude) = (Self.reading(), AttitudeReading(time: 1.25, frame: .magnetic))
    (heading.rateOfTurn, attitude.rateOfTurn) = (6, 6)
    attitude.magneticHeading = heading.magneticHeading
    let ofAttitude = LodestoneText.of([attitude], as: NMEA2000Format.self, StreamFacts())
    for frames in [lines(NMEA2000Format.self, [heading]), ofAttitude] {
      #expect(frames.contains("00:00:01.250 R 09F11323 00 F8 21 33 00 FF FF FF"), "\(frames)")
    }
    #expect(lines(NMEAFormat.self, [heading]).contains("$HCROT,360.0,A*"))
    #expect(lines(SignalKFormat.self, [heading]).contains(#"{"path":"navigation.rateOfTurn","value":0.104720}"#))
    heading.rateOfTurn = -6
    #expect(lines(NMEA2000Format.self, [heading]).contains("R 09F11323 00 08 DE CC FF FF FF FF"))
  }

  @Test func text() {
    #expect(
      lines(TextFormat.self, [Self.reading()])
        == " 82.1° magnetic   86.2° true   ±0.8°   good   47.9 µT   pitch 0.0° roll 12.5°\n")
  }

  /// Whatever the kind of record: no format writes a number that is none, and each puts a value for each column.
  @Test(arguments: Formats.all.map { $0.name })
  func numbersThatAreNoneAreNeverPrinted(_ name: String) throws {
    let format = try #require(Formats.named(name))
    var reading = Self.reading()
    reading.pitch = .nan
    reading.accuracy = .infinity
    let text = lines(format, [reading]).lowercased()
    #expect(!text.contains("nan") && !text.contains("inf"))
  }

  /// InfluxDB's line protocol: nanoseconds, strings in quotes, absent values left out. The moment is 2026-03-01
  /// 09:30:00 UTC and 1.25 s.
  @Test func influx() {
    let facts = StreamFacts(device: "usb:a b,c=d", unixStart: 1_772_357_400)
    #expect(
      lines(InfluxFormat.self, [Self.reading()], facts)
        == #"heading,device=usb:a\ b\,c\=d magnetic_heading_deg=82.10,true_heading_deg=86.20,accuracy_deg=0.84,"#
        + #"quality="good",field_uT=47.854,inclination_deg=63.97,pitch_deg=0.00,roll_deg=12.50,orientation="face-up","#
        + #"bx_uT=0.000,by_uT=21.000,bz_uT=-43.000 1772357401250000000"# + "\n")
    let nothing = lines(InfluxFormat.self, [HeadingReading(time: 2)])
    #expect(nothing == #"heading quality="uncalibrated",orientation="unknown",time_s=2.000000"# + "\n")
  }

  @Test func aDeviceCannotBreakALine() {
    let line = lines(InfluxFormat.self, [HeadingReading(time: 0)], StreamFacts(device: "a\nb\u{9B}\u{202E}c\\"))
    #expect(line.hasPrefix("heading,device=abc quality="))
    #expect(line.split(separator: "\n").count == 1)
  }

  @Test func thePlacesOfWordsAreThoseOfTheCases() throws {
    func word(_ name: String, _ reading: HeadingReading) throws -> String {
      var row = Row(HeadingReading.schema)
      row.take(reading)
      let index = try #require(HeadingReading.schema.index(of: name))
      guard case .word(let words) = HeadingReading.schema.columns[index].kind else { return "" }
      let place = row.integer(index)
      return words[try #require(place)]
    }
    for quality in HeadingReading.Quality.allCases {
      #expect(try word("quality", HeadingReading(time: 0, quality: quality)) == quality.rawValue)
    }
    for orientation in Orientation.allCases {
      #expect(try word("orientation", HeadingReading(time: 0, orientation: orientation)) == orientation.rawValue)
    }
  }
}
