import LodestoneCore
import Testing

@testable import Drivers

/// What a device tells beside its headings goes with them for two seconds, or until it says not to know it.
@Suite struct HeldAttitudeTests {
  private func magnetic(_ degrees: Double) -> OwnHeading { OwnHeading(magnetic: Heading(degrees: degrees)) }
  private func trueNorth(_ degrees: Double) -> OwnHeading { OwnHeading(trueNorth: Heading(degrees: degrees)) }

  @Test func whatWasToldGoesStale() {
    var held = HeldAttitude()
    #expect(held.join(OwnHeading(pitch: 12, roll: -25, rateOfTurn: 5), at: 0) == nil)
    #expect(held.join(magnetic(100), at: 1)?.pitch == 12)
    #expect(held.join(magnetic(100), at: 2)?.roll == -25)
    let late = held.join(magnetic(100), at: 2.1)
    #expect(late != nil && late?.pitch == nil && late?.roll == nil && late?.rateOfTurn == nil)
  }

  @Test func whatIsWithdrawnIsGone() {
    var held = HeldAttitude()
    _ = held.join(OwnHeading(pitch: 12, roll: -25, rateOfTurn: 5), at: 0)
    _ = held.join(OwnHeading(), without: .rateOfTurn, at: 0.1)
    let own = held.join(magnetic(100), at: 0.2)
    #expect(own?.rateOfTurn == nil && own?.pitch == 12)
  }

  /// A boat turns 6° a second, 1° of variation; each true heading comes half a second after a magnetic one.
  @Test func theVariationIsThatOfOneMoment() throws {
    var held = HeldAttitude()
    for second in 0..<10 {
      let (time, heading) = (Double(second), Double(10 + 6 * second))
      let joined = held.join(magnetic(heading), at: time)
      let own = try #require(joined)
      if second >= 3 { #expect(abs(try #require(own.trueNorth).degrees - heading - 1) < 1e-9) }
      #expect(held.join(trueNorth(heading + 3 + 1), at: time + 0.5) == nil)
    }
  }

  /// Lines without times, magnetic first or true first: two of one moment follow each other.
  @Test(arguments: [false, true])
  func theOrderOfLinesWithoutTimesIsKept(trueIsFirst: Bool) throws {
    var held = HeldAttitude()
    for step in 0..<10 {
      let heading = Double(10 + 6 * step)
      if trueIsFirst { _ = held.join(trueNorth(heading + 1), at: nil) }
      let joined = held.join(magnetic(heading), at: nil)
      let own = try #require(joined)
      if step > 0 { #expect(abs(try #require(own.trueNorth).degrees - heading - 1) < 1e-9) }
      if !trueIsFirst { _ = held.join(trueNorth(heading + 1), at: nil) }
    }
  }

  /// A turn of 1°/s and an attitude, then both "not available", then a heading a tenth of a second later.
  @Test func aBusThatDoesNotKnowSaysSo() throws {
    let text = """
      00:00:01.000 R 09F11302 00 A9 85 08 00 FF FF FF
      00:00:01.000 R 0DF11902 00 FF 7F F4 01 06 FF FF
      00:00:01.000 R 09F11202 00 2D 44 FF 7F FF 7F FD
      00:00:01.100 R 09F11302 00 FF FF FF 7F FF FF FF
      00:00:01.100 R 0DF11902 00 FF 7F FF 7F FF 7F FF
      00:00:01.200 R 09F11202 00 2D 44 FF 7F FF 7F FD

      """
    let own = YDWG.hear(text).messages.compactMap { $0.own }
    #expect(own.count == 2 && own.first?.pitch != nil && own.first?.rateOfTurn != nil)
    #expect(own.last?.pitch == nil && own.last?.roll == nil && own.last?.rateOfTurn == nil)
  }

  /// −187.0° of variation (−32638 counts, 0x8082) are none.
  @Test func aVariationPastHalfATurnIsNone() {
    let own = YDWG.hear("00:00:01.000 R 09F11203 00 2D 44 FF 7F 82 80 FD\r\n").messages.first?.own
    #expect(own?.magnetic != nil && own?.trueNorth == nil)
  }

  /// A sentence that withdraws a value reaches the headings after it.
  @Test func aSentenceThatIsNotValidTakesItsValueBack() throws {
    #expect(NMEA0183.hear("$TIROT,,V*02\r\n").messages.first?.withdrawn == .rateOfTurn)
    #expect(NMEA0183.hear("$HCXDR,A,,D,PITCH,A,,D,ROLL*1E\r\n").messages.first?.withdrawn == [.pitch, .roll])
    #expect(NMEA0183.hear("$PTNTHPR,72.9,N,-1.6,N,-29.6,O*33\r\n").messages.first?.withdrawn == .roll)
  }
}
