import LodestoneCore
import Support
import Testing

@testable import Drivers

@Suite struct DetectorTests {
  private func found(_ text: String) -> Detector.Finding? {
    var detector = Detector()
    return detector.listen(to: Array(text.utf8).span)
  }

  @Test(arguments: [
    ("nmea", "$HCHDG,271.1,10.7,E,12.2,W*52\r\n$HCHDG,271.1,10.7,E,12.2,W*52\r\n"),
    ("motioncal", "Raw:0,0,0,0,0,0,-18,33,-217\r\nRaw:0,0,0,0,0,0,-18,33,-217\r\n"),
    ("razor", "#YPR=-142.28,-5.38,33.52\r\n#YPR=-142.28,-5.38,33.52\r\n"),
    ("csv", "time,mag_x,mag_y,mag_z\n0.02,-18.0,33.0,-42.0\n0.04,1,2,3\n0.06,1,2,3\n"),
    ("csv", String(repeating: "1,2,3\n", count: 8)),
    ("json", "{\"mx\":-18.0,\"my\":33.0,\"mz\":-42.0}\n{\"mx\":-18.0,\"my\":33.0,\"mz\":-42.0}\n"),
  ])
  func tellsWhatItHears(name: String, text: String) {
    #expect(found(text)?.name == name)
    #expect(found("\u{1}garbage\n" + text)?.name == name)
  }

  /// Every other sentence has a number that is none, under a right checksum.
  @Test func aSentenceThatMakesNoSenseDoesNotHideItsProtocol() {
    let pair = "$SDHDG,181.7,,,0.6,E*3C\r\n$IIXDR,A,0.5,D,HEEL,A,-1.-3,D,TRIM"
    let sum = pair.split(separator: "$").last.map { $0.utf8.reduce(0, ^) } ?? 0
    let text = pair + "*" + String(0x100 + Int(sum), radix: 16, uppercase: true).suffix(2) + "\r\n"
    #expect(found(text + text + text)?.name == "nmea")
  }

  /// Sentences whose numbers make no sense are of no protocol that reads others: none of them is a UM7's.
  @Test func sentencesOfOthersAreNoUM7() {
    let text = ["IIXDR,A,-1.-3,D,PITCH", "GPGSV,1,1,01,02,10,063,40"].map { NMEASentenceText.sentence($0) }.joined()
    var detector = Detector()
    let finding = detector.conclude(Array((text + text).utf8).span)
    #expect(finding?.name != "um7" && !detector.weighed.contains { $0.name == "um7" })
    let own = NMEASentenceText.sentence("PCHRA,105.015,-0.64,0.85,-3.79,-3.79,")
    #expect(UM7.hear(text + own + text).otherCount == 2)
  }

  @Test func oneMessageProvesNothingYet() {
    #expect(found("$HCHDG,271.1,10.7,E,12.2,W*52\r\n") == nil)
    #expect(found("") == nil)
  }

  @Test func aStreamIsDecodedFromItsFirstByte() {
    var stream = WireStream()
    var fields = 0
    for byte in Array("mx,my,mz\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n".utf8) {
      stream.append([byte].span)
      while let event = stream.next() { if case .message = event { fields += 1 } }
    }
    #expect(fields == 5)
    #expect(stream.protocolName == "csv")
  }

  @Test func aWrongGuessIsGivenUp() {
    var stream = WireStream()
    var names: [String?] = []
    let first = String(repeating: "Raw:0,0,0,0,0,0,-18,33,-217\r\n", count: 3)
    let second = String(repeating: "$HCHDG,271.1,10.7,E,12.2,W*52\r\n", count: 50)
    for text in [first, second] {
      stream.append(Array(text.utf8).span)
      while stream.next() != nil {}
      stream.append(Array("\r\n$HCHDG,271.1,10.7,E,12.2,W*52\r\n$HCHDG,271.1,10.7,E,12.2,W*52\r\n".utf8).span)
      while stream.next() != nil {}
      names.append(stream.protocolName)
    }
    #expect(names == ["motioncal", "nmea"])
  }

  /// A program that reads two protocols gets none else, be it after a wrong guess or at the end of much that was
  /// nothing.
  @Test func nobodyButTheCandidatesIsHeard() {
    let sentences = String(repeating: "$HCHDG,271.1,10.7,E,12.2,W*52\r\n", count: 50)
    for first in [
      String(repeating: "Raw:0,0,0,0,0,0,-18,33,-217\r\n", count: 3),
      String(repeating: "no such thing\n", count: 20_000),
    ] {
      var stream = WireStream(candidates: [MotionCal.self])
      for text in [first, sentences] {
        stream.append(Array(text.utf8).span)
        while stream.next() != nil {}
      }
      stream.end()
      #expect(stream.protocolName == nil || stream.protocolName == "motioncal")
    }
  }

  @Test func aShortFileIsConcludedAtItsEnd() {
    var stream = WireStream()
    stream.append(Array("mx,my,mz\n1,2,3\n".utf8).span)
    stream.end()
    #expect(stream.protocolName == "csv")
  }

  /// A recording whose board goes over to another protocol is read in one piece: what it holds is listened to at once.
  @Test(arguments: [
    ("X: -12.9 Y: 15.7 Z: -43.5\n", "-12.9,15.7,-43.5\n"), ("-12.9,15.7,-43.5\n", "X: -12.9 Y: 15.7 Z: -43.5\n"),
    ("-12.9,15.7,-43.5\n", "{\"mx\":-12.9,\"my\":15.7,\"mz\":-43.5}\n"),
  ])
  func aRecordingMayChangeItsProtocol(first: String, second: String) {
    let text = String(repeating: first, count: 600) + String(repeating: second, count: 200)
    let fields = LineStampsTests.hear(text).compactMap { $0.field }
    #expect(fields.count > 730 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) }, "\(fields.count)")
    // Words between the lines of one change nothing.
    let words = String(repeating: "calibrating, please wait\n", count: 60)
    let whole = String(repeating: first, count: 600) + words + String(repeating: first, count: 100)
    #expect(LineStampsTests.hear(whole).count == 700)
  }
}
