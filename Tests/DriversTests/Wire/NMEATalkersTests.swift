import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Several compasses, and several sentences of one, in a stream of NMEA 0183.
@Suite struct NMEATalkersTests {
  private static func text(_ count: Int, _ bodies: (Int) -> [String]) -> String {
    (0..<count).flatMap { bodies($0) }.map { NMEASentenceText.sentence($0) }.joined()
  }

  private static func magnetic(_ messages: [WireMessage]) -> [Double] {
    messages.compactMap { $0.own?.magnetic?.degrees }
  }

  /// A compass, and another that reads 5° more.
  @Test func oneTalkerIsRead() {
    var decoder = NMEA0183()
    let heard = decoder.hear(Array(Self.text(4) { ["HCHDG,9\($0).0,,,,", "IIHDG,9\($0 + 5).0,,,,"] }.utf8))
    #expect(Self.magnetic(heard.messages) == [90, 91, 92, 93] && decoder.otherCompass == nil)
    _ = decoder.hear(Array(Self.text(1) { _ in ["IIHDG,98.0,,,,"] }.utf8))
    #expect(decoder.otherCompass == "talker II; HC is read")
  }

  /// One that passes on what the other tells, rounded, is no other compass.
  @Test func copiesAreNotTold() {
    var decoder = NMEA0183()
    let text = Self.text(20) { ["HCHDG,\(100 + $0).4,,,,", "IIHDM,\(100 + $0),M", "VWVHW,,T,\(100 + $0),M,5.0,N,,K"] }
    #expect(Self.magnetic(decoder.hear(Array(text.utf8)).messages).count == 20 && decoder.otherCompass == nil)
  }

  /// A satellite compass without a magnetic one is read; beside one it is left out, whoever comes first.
  @Test func trueHeadingsGiveWayToACompass() {
    #expect(NMEA0183.hear(Self.text(3) { _ in ["HEHDT,98.0,T"] }).messages.count == 3)
    var decoder = NMEA0183()
    let messages = decoder.hear(Array(Self.text(10) { _ in ["HEHDT,98.0,T", "HCHDG,90.0,,,3.0,E"] }.utf8)).messages
    #expect(messages.count == 11 && messages[0].own?.trueNorth?.degrees == 98)
    #expect(messages.dropFirst().allSatisfy { $0.own?.trueNorth?.degrees == 93 })
    #expect(decoder.otherCompass == "talker HE; HC is read")
  }

  /// A log passes on what a compass tells: the compass is read once it is heard.
  @Test func aLogGivesWayToACompass() {
    let text = Self.text(3) { _ in ["VWVHW,,T,90,M,5.0,N,,K", "HCHDG,90.4,,,,"] }
    #expect(Self.magnetic(NMEA0183.hear(text).messages) == [90, 90.4, 90.4, 90.4])
  }

  /// What other talkers tell beside headings is read: places, turns, tilt.
  @Test func whatIsNoHeadingIsReadOfAll() {
    let text = Self.text(1) { _ in
      [
        "HCHDG,90.0,,,,", "GPGLL,4812.0,N,01622.0,E,120000,A,A", "TIROT,60.0,A", "YXXDR,A,1.5,D,PITCH,A,2.5,D,ROLL",
        "PASHR,120000.000,95.00,T,+3.00,+4.00,,0.1,0.1,0.1,1,0",
      ]
    }
    let messages = NMEA0183.hear(text).messages
    #expect(messages.count == 5 && messages[1].position != nil && messages[2].own?.rateOfTurn == 1)
    #expect(messages[3].own == OwnHeading(pitch: 1.5, roll: 2.5) && messages[4].own == OwnHeading(pitch: 4, roll: 3))
  }

  /// Without times by its headings; where sentences arrive, after three seconds.
  @Test func aTalkerThatFallsSilentIsReplaced() {
    let rest = Self.text(60) { _ in ["IIHDG,95.0,,,,"] }
    #expect(Self.magnetic(NMEA0183.hear(Self.text(1) { _ in ["HCHDG,90.0,,,,"] } + rest).messages).count == 1 + 10)
    var decoder = NMEA0183()
    var headings: [Double] = []
    for (time, body) in [(0.0, "HCHDG,90,,,,"), (1, "IIHDG,95,,,,"), (2.9, "IIHDG,95,,,,"), (3.1, "IIHDG,96,,,,")] {
      decoder.hear(at: time)
      headings += Self.magnetic(decoder.hear(Array(NMEASentenceText.sentence(body).utf8)).messages)
    }
    #expect(headings == [90, 96])
  }

  /// HDM and VHW tell the heading of HDG once more, later and rounded; alone they tell it.
  @Test func aTalkersHeadingIsReadOnce() {
    let again = Self.text(10) { ["HCHDG,9\($0).4,,,,", "HCHDM,9\($0),M", "HCVHW,,T,9\($0),M,5.0,N,,K"] }
    #expect(Self.magnetic(NMEA0183.hear(again).messages) == (0..<10).map { 90.4 + Double($0) })
    let alone = Self.text(60) { _ in ["HCHDM,90,M"] }
    // Of 62 headings without one of HDG the first 50 are left out.
    #expect(Self.magnetic(NMEA0183.hear(again + alone).messages).count == 10 + 12)
    #expect(Self.magnetic(NMEA0183.hear(Self.text(5) { _ in ["IIVHW,,T,95,M,5.0,N,,K"] }).messages).count == 5)
  }

  /// The detector has heard which sentence is the best before the first is read.
  @Test func theBestSentenceIsKnownFromTheStart() {
    var stream = WireStream()
    stream.append(Array(Self.text(4) { ["HCHDM,9\($0),M", "HCHDG,9\($0).4,,,,"] }.utf8).span)
    stream.end()
    var headings: [Double] = []
    while let event = stream.next() {
      if case .message(let message) = event { headings += Self.magnetic([message]) }
    }
    #expect(headings == [90.4, 91.4, 92.4, 93.4])
  }

  /// HDM has no room for a variation: VHW beside it tells that, 98 − 95 = 3° east.
  @Test func theVariationOfALogIsKept() {
    let messages = NMEA0183.hear(Self.text(3) { _ in ["IIHDM,95.4,M", "IIVHW,98,T,95,M,5.0,N,,K"] }).messages
    #expect(Self.magnetic(messages) == [95.4, 95.4, 95.4] && messages[0].own?.trueNorth == nil)
    #expect(messages.dropFirst().allSatisfy { abs(($0.own?.trueNorth?.degrees ?? 0) - 98.4) < 1e-9 })
  }

  /// The true heading of the talker goes with its magnetic ones; that of another one does not.
  @Test func trueHeadingsOfTheTalkerAreKept() {
    let messages = NMEA0183.hear(Self.text(3) { _ in ["HCHDG,90.0,,,,", "HCHDT,93.0,T", "GPHDT,98.0,T"] }).messages
    #expect(messages.compactMap { $0.own?.trueNorth?.degrees } == [93, 93, 93] && messages.count == 6)
  }
}
