import LodestoneCore
import Support
import Testing

@testable import Drivers

@Suite struct NMEA0183Tests {
  private func own(_ line: String) -> OwnHeading? { NMEA0183.hear(line + "\r\n").messages.first?.own }

  @Test func deviationAndVariationAreEastPositive() throws {
    let heading = try #require(own("$HCHDG,271.1,10.7,E,12.2,W*52"))
    #expect(abs(try #require(heading.magnetic).degrees - 281.8) < 1e-9)
    #expect(abs(try #require(heading.trueNorth).degrees - 269.6) < 1e-9)
  }

  @Test func emptyFieldsAreAbsent() throws {
    let heading = try #require(own("$SDHDG,234.6,,,1.3,E*34"))
    #expect(heading.magnetic?.degrees == 234.6)
    #expect(abs(try #require(heading.trueNorth).degrees - 235.9) < 1e-9)
    #expect(own("$HCHDG,,,,,*6C") == nil)
  }

  /// Sizes have no sign in the standard; the first is what Signal K's plugin sent for a variation of 5.73° W (its issue
  /// 147).
  @Test(arguments: ["IIHDG,28.65,-5.73,E,,", "IIHDG,28.65,,,-5.73,E", "IIHDG,28.65,,,-5.73,W", "IIHDG,28.65,-5.73,W,,"])
  func aSizeWithASignIsNotKnown(_ body: String) throws {
    let heading = try #require(own(NMEASentenceText.sentence(body)))
    #expect(heading.magnetic?.degrees == 28.65 && heading.trueNorth == nil)
  }

  /// Past half a turn an angle is damage or another unit: it is not known, and the field beside it is.
  @Test func tiltsPastHalfATurnAreNotTaken() {
    let body = "HCXDR,A,-2.0,D,PITCH,A,400.0,D,ROLL,G,367,,MAGX,G,2420,,MAGY,G,-8984,,MAGZ"
    let message = NMEA0183.hear(NMEASentenceText.sentence(body)).messages.first
    #expect(message?.own?.pitch == -2 && message?.own?.roll == nil && message?.withdrawn == .roll)
    #expect(message?.field != nil)
    let wrong = NMEASentenceText.sentence("PASHR,085335.000,224.19,T,-01.26,+270.83,+00.00,0.101,0.113,0.267,1,0")
    #expect(NMEA0183.hear(wrong).rejections == [.malformed])
  }

  @Test func magneticAndTrueHeadings() {
    #expect(own("$APHDM,218.634,M*39")?.magnetic?.degrees == 218.634)
    #expect(own("$IIHDM,314,M*3A")?.magnetic?.degrees == 314)
    #expect(own("$HCHDT,86.2,T*15")?.trueNorth?.degrees == 86.2)
  }

  @Test func aLineWithoutChecksumIsMarked() {
    let heard = NMEA0183.hear("$GNTHS,121.15,A\r\n")
    #expect(heard.messages.map { $0.unchecked } == [true])
    #expect(heard.messages.first?.own?.trueNorth?.degrees == 121.15)
  }

  /// A logger's stamp behind the checksum is none of the sentence; other letters there are damage.
  @Test func aStampMayStandBehindASentence() {
    for stamp in [",1714557600000", ";1714557600000", " 12:00:00", "\t5"] {
      #expect(NMEA0183.hear("$HCHDG,0.0,,,4.1,E*2C\(stamp)\r\n").messages.first?.unchecked == false, "\(stamp)")
      #expect(NMEA0183.hear("$HCHDG,0.1,,,4.1,E*2C\(stamp)\r\n").rejections == [.checksum])
    }
    #expect(NMEA0183.hear("$HCHDG,0.0,,,4.1,E*2C7\r\n").rejections == [.checksum])
  }

  @Test func aTalkerThatLostItsChecksumIsRefused() {
    let heard = NMEA0183.hear("$APHDM,218.634,M*39\r\n$APHDM,218.6\r\n")
    #expect(heard.messages.count == 1)
    #expect(heard.rejections == [.checksum])
  }

  @Test func transducersGiveAttitudeAndField() {
    let heard = NMEA0183.hear("$HCXDR,A,171,D,PITCH,A,-37,D,ROLL,G,367,,MAGX,G,2420,,MAGY,G,-8984,,MAGZ*41\r\n")
    #expect(heard.messages.first?.field == Vector3(367, 2420, -8984))
    #expect(heard.messages.first?.fieldUnit == nil)
    #expect(heard.messages.first?.own?.pitch == 171)
    #expect(heard.messages.first?.own?.roll == -37)
  }

  @Test func countsOfTheTNTAreTurns() throws {
    let heading = try #require(own("$PTNTHTM,14223,N,169,N,-43,N,13641,2454*15"))
    #expect(abs(try #require(heading.magnetic).degrees - 78.13) < 0.005)
    #expect(abs(try #require(heading.pitch) - 0.93) < 0.005)
  }

  @Test func aStatusThatIsNotNormalTakesTheValueAway() {
    let heading = own("$PTNTHPR,72.9,N,-1.6,N,-29.6,O*33")
    #expect(heading?.magnetic?.degrees == 72.9)
    #expect(heading?.pitch == -1.6)
    #expect(heading?.roll == nil)
    #expect(own("$PTNTHPR,,N,-1.5,N,,P*03")?.magnetic == nil)
  }

  @Test func attitudeOfPASHR() {
    let heading = own("$PASHR,204132.000,010.51,T,+00.39,-00.79,-00.84,0.151,0.075,0.555,1,0*03")
    #expect(heading == OwnHeading(trueNorth: Heading(degrees: 10.51), pitch: -0.79, roll: 0.39))
  }

  /// The worked example that most receivers' manuals print for GGA: 48°07.038' N, 11°31.000' E, 545.4 m + 46.9 m.
  @Test func aFixHasItsHeightAboveTheEllipsoid() throws {
    let line = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n"
    let position = try #require(NMEA0183.hear(line).messages.first?.position?.position)
    #expect(abs(try #require(position.coordinate).latitude - 48.1173) < 1e-6)
    #expect(abs(try #require(position.coordinate).longitude - 11.516_666_667) < 1e-6)
    #expect(abs(try #require(position.altitude) - 592.3) < 1e-9)
  }

  /// 23 March 1994, 12:35:19 UTC is 764426119 s after 1970 (date -u -d 1994-03-23T12:35:19 +%s).
  @Test func aFixHasItsTime() throws {
    let line = "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r\n"
    let part = try #require(NMEA0183.hear(line).messages.first?.position)
    #expect(try #require(part.day) + (try #require(part.secondOfDay)) == 764_426_119)
  }

  @Test func aCutLastLineIsReported() {
    #expect(NMEA0183.hear("$IIHDM,314,M*3").rejections == [.truncated])
    #expect(NMEA0183.hear("$IIHDM,314,M*3A").messages.count == 1)
  }
}
