import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Streams that others recorded, byte for byte. Counts are those of `grep -c` over the files.
@Suite(.enabled(if: Recordings.areHere)) struct CapturesTests {
  /// The protocol that a capture is found to be in, and its messages.
  private struct Capture {
    var protocolName: String?
    var messages: [WireMessage] = []
    var rejectedCount = 0

    init(_ name: String) throws {
      var stream = WireStream()
      let bytes = try Recordings.bytes("captures/\(name)")
      stream.append(bytes.span)
      stream.end()
      while let event = stream.next() {
        if case .message(let message) = event { messages.append(message) }
        if case .rejected = event { rejectedCount += 1 }
      }
      protocolName = stream.protocolName
    }
  }

  @Test func zeus() throws {
    let heard = try Capture("bandg_zeus9_hdg.nmea")
    #expect(heard.protocolName == "nmea")
    let headings = heard.messages.filter { $0.own?.magnetic != nil }
    // 1457 HDG; 150 VHW of the same talker tell the same again.
    #expect(headings.count == 1457)
    for heading in headings {
      guard let magnetic = heading.own?.magnetic, let trueNorth = heading.own?.trueNorth else { continue }
      let variation = Angle.shortestTurn(from: magnetic.degrees, to: trueNorth.degrees)
      #expect(abs(variation - 1.3) < 1.01)
    }
    let places = heard.messages.compactMap { $0.position }.filter { [.rmc, .gga].contains($0.part) }
    #expect(places.count == 138 + 146)
    for place in places.compactMap({ $0.position.coordinate }) {
      #expect(abs(place.latitude - 52.85) < 0.1)
      #expect(abs(place.longitude - 5.3) < 0.1)
    }
  }

  @Test func goFree() throws {
    let heard = try Capture("gofree_merrimac_sdhdg.nmea")
    #expect(heard.protocolName == "nmea")
    #expect(heard.messages.filter { $0.own?.magnetic != nil }.count == 1375)
  }

  @Test func numericTalkers() throws {
    let heard = try Capture("n2kd183_merrimac_odd_talkers.nmea")
    // Beside 123 HDG of one talker, 247 HDM of another, 4.4° off.
    #expect(heard.messages.filter { $0.own?.magnetic != nil }.count == 123)
    #expect(heard.rejectedCount == 0)
  }

  @Test func pypilot() throws {
    let heard = try Capture("pypilot_aphdm.nmea")
    #expect(heard.messages.filter { $0.own?.magnetic != nil }.count == 7)
    #expect(heard.messages.filter { $0.own?.rateOfTurn != nil }.count == 7)
    #expect(heard.messages.filter { $0.own?.pitch != nil || $0.own?.roll != nil }.count == 15)
  }

  @Test func revolution() throws {
    let heard = try Capture("tnt_revolution_compass.nmea")
    #expect(heard.messages.filter { $0.own?.magnetic != nil }.count == 50)
    #expect(heard.messages.filter { $0.field != nil }.count == 10)
    #expect(abs(try #require(heard.messages.first?.own?.magnetic).degrees - 78.13) < 0.01)
  }

  @Test func android() throws {
    let heard = try Capture("android_sensorlog_7218.txt")
    #expect(heard.protocolName == "android-log")
    #expect(heard.messages.filter { $0.field != nil }.count == 347)
    #expect(heard.rejectedCount == 0)
  }
}
