import LodestoneCore
import Testing

@testable import Drivers

/// Sentences of makers for what satellites tell of a heading.
@Suite struct SatelliteCompassTests {
  @Test func satelliteCompassesTellTrueHeadings() {
    let messages = NMEA0183.hear("$PFEC,GPatt,040.3,-01.2,+02.5\n$PFEC,GPhve,00.10,A\n").messages
    #expect(messages.count == 1 && messages.first?.own?.trueNorth?.degrees == 40.3)
    #expect(messages.first?.own?.pitch == -1.2 && messages.first?.own?.roll == 2.5)
    #expect(messages.first?.own?.magnetic == nil)
    let other = NMEA0183.hear("$PSAT,HPR,120227.00,206.89,,-1.0,N*21\n").messages
    let own = other.first?.own
    #expect(own?.trueNorth?.degrees == 206.89 && own?.pitch == nil && own?.roll == -1)
  }

  /// Unicore's and Trimble's receivers, and what they send without a solution.
  @Test func receiversWithTwoAntennasTellTrueHeadings() {
    let unicore = NMEA0183.hear(
      "$GNHPR,022614.50,40.30,-1.20,000.00,4,29,0.00,0999\n$GNHPR,022615.50,0.00,0.00,000.00,0,29,0.00,0999\n")
    #expect(unicore.messages.compactMap { $0.own?.trueNorth?.degrees } == [40.3])
    #expect(unicore.messages.first?.own?.pitch == -1.2 && unicore.messages.first?.own?.roll == nil)
    let trimble = NMEA0183.hear(
      "$PTNL,AVR,181059.6,+149.4688,Yaw,+0.0134,Tilt,,,60.191,3,2.5,6*00\n"
        + "$PTNL,AVR,181100.6,-10.5,Yaw,,Tilt,,,60.191,0,2.5,6\n$PTNL,GGK,172814.00,071296\n")
    #expect(trimble.messages.compactMap { $0.own?.trueNorth?.degrees } == [149.4688])
    #expect(trimble.messages.first?.own?.pitch == 0.0134)
  }
}
