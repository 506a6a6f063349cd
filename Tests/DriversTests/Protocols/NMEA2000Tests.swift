import LodestoneCore
import Testing

@testable import Drivers

/// NMEA 2000 in each of its spellings. Expected values are worked out by hand from canboat's definitions: an angle is
/// counts of 0.0001 rad, a rate counts of 1/32 µrad/s.
@Suite struct NMEA2000Tests {
  /// 0x3D40 = 15680 counts: 1.568 rad, 89.8398°; deviation and variation not told, magnetic.
  static let lines: [(protocol: String, line: String, time: Double?)] = [
    ("ydwg", "17:33:21.107 R 09F11202 FF 40 3D FF 7F FF 7F FD\r\n", 63_201.107),
    ("n2k-ascii", "A173321.107 02FF2 1F112 FF403DFF7FFF7FFD\r\n", 63_201.107),
    ("canboat", "2026-09-27T17:33:21.107Z,2,127250,2,255,8,ff,40,3d,ff,7f,ff,7f,fd\n", 1_790_530_401.107),
    ("canboat", "2026-09-27-17:33:21.107,2,127250,2,255,8,FF,40,3D,FF,7F,FF,7F,FD\n", 1_790_530_401.107),
    (
      "canboat-json",
      #"{"prio":2,"pgn":127250,"dst":255,"src":2,"timestamp":"2026-09-27T17:33:21.107Z","fields":{"SID":255,"#
        + #""Heading":1.5680,"Reference":"Magnetic"},"description":"Vessel Heading"}"# + "\n", 1_790_530_401.107
    ),
    ("ikonvert", "!PDGY,127250,2,2,255,481.734,/0A9/3//f/0=\r\n", 481.734),
    ("candump", "(1790530401.107000) can0 09F11202#FF403DFF7FFF7FFD\n", 1_790_530_401.107),
    ("candump", "  can0  09F11202   [8]  FF 40 3D FF 7F FF 7F FD\n", nil),
    ("candump", "<0x09f11202> [8] ff 40 3d ff 7f ff 7f fd\n", nil),
    ("candump", " (010.500000)  vcan1  09F11202   [8]  FF 40 3D FF 7F FF 7F FD\n", 10.5),
  ]

  @Test func numbersPastTheDataAreAbsent() {
    let frame = CANFrame(identifier: 0x09F1_1202, bits: 0x0403_0201, count: 4)
    #expect(frame.little(UInt16.self, at: 2) == 0x0403)
    for start in [-1, 3, Int.max, Int.min] { #expect(frame.little(UInt16.self, at: start) == nil) }
  }

  @Test(arguments: lines.indices)
  func aHeadingIsReadFromEachSpelling(_ index: Int) throws {
    let (name, line, time) = Self.lines[index]
    let type = try #require(Protocols.named(name))
    let heard = type.hear(line)
    let message = try #require(heard.messages.first)
    #expect(abs(try #require(message.own?.magnetic?.degrees) - 89.8398) < 0.0001)
    #expect(message.own?.trueNorth == nil && message.own?.pitch == nil)
    #expect(message.time.map { abs($0 - (time ?? .infinity)) < 0.0005 } ?? (time == nil))
    #expect(heard.rejections.isEmpty)
    // Another spelling's lines are none of its own.
    for other in Self.lines where other.protocol != name { #expect(type.hear(other.line).messages.isEmpty) }
  }

  /// Sensor 264.28°, deviation +2° (349 counts), variation −3° (−524 counts: 0xFDF4): magnetic 266.28, true 263.28.
  @Test func deviationAndVariationAreAdded() throws {
    let own = try #require(YDWG.hear("00:00:01.000 R 09F11203 00 2D B4 5D 01 F4 FD FD\r\n").messages.first?.own)
    // 0xB42D = 46125 counts = 264.2768°; 349 counts = 1.9996°; -524 counts = -3.0023°.
    #expect(abs(try #require(own.magnetic?.degrees) - 266.2765) < 0.0002)
    #expect(abs(try #require(own.trueNorth?.degrees) - 263.2742) < 0.0002)
  }

  /// Rate of turn 0x00100000 = 1048576 counts = 0.032768 rad/s = 1.87747°/s; pitch 500 counts = 2.8648°, roll −250.
  @Test func whatWasSaidBeforeBelongsToTheHeading() throws {
    let own = try #require(
      YDWG.hear(
        """
        00:00:01.000 R 09F11303 00 00 00 10 00 FF FF FF
        00:00:01.000 R 0DF11903 00 FF 7F F4 01 06 FF FF
        00:00:01.000 R 1DF11A07 00 FF FF FF F4 FD FF FF
        00:00:01.001 R 09F11203 00 2D B4 FF 7F FF 7F FD

        """
      ).messages.first?.own)
    #expect(abs(try #require(own.rateOfTurn) - 1.87747) < 0.0001)
    #expect(abs(try #require(own.pitch) - 2.8648) < 0.0001)
    #expect(abs(try #require(own.roll) + 1.4324) < 0.0001)
    // The variation is another device's.
    #expect(abs(try #require(own.trueNorth?.degrees) - 261.2745) < 0.0002)
  }

  /// The reference is true north; 0xFFFF and more than a turn are no headings; a reference that is neither is none.
  @Test func whatIsNoHeadingIsNone() {
    #expect(YDWG.hear("00:00:01.000 R 09F11203 00 40 3D FF 7F FF 7F FC\r\n").messages.first?.own?.magnetic == nil)
    for data in ["00 FF FF FF 7F FF 7F FD", "00 FE F6 FF 7F FF 7F FD", "00 40 3D FF 7F FF 7F FE", "00 40 3D FF 7F"] {
      let heard = YDWG.hear("00:00:01.000 R 09F11203 \(data)\r\n")
      #expect(heard.messages.isEmpty && heard.otherCount == 1)
    }
  }

  /// A boat has a compass and an autopilot with one of its own: their headings never mix. When the first one is gone,
  /// the other takes over.
  @Test func twoCompassesAreKeptApart() {
    func line(_ source: Int, _ counts: String) -> String {
      "00:00:01.000 R 09F112\(source) FF \(counts) FF 7F FF 7F FD\r\n"
    }
    let both = String(repeating: line(23, "40 3D") + line(45, "2D B4"), count: 80)
    let headings = YDWG.hear(both).messages.compactMap { $0.own?.magnetic?.degrees }
    #expect(headings.count == 80 && headings.allSatisfy { abs($0 - 89.84) < 0.01 })
    let gone = YDWG.hear(both + String(repeating: line(45, "2D B4"), count: 60)).messages.suffix(5)
    #expect(gone.allSatisfy { abs(($0.own?.magnetic?.degrees ?? 0) - 264.277) < 0.01 })
    // The first has gone after 50 headings of the other.
    #expect(YDWG.hear(line(23, "40 3D") + String(repeating: line(45, "2D B4"), count: 60)).messages.count == 1 + 10)
  }

  /// The time of a day begins again at midnight; a recording's time goes on.
  @Test func timeGoesOnAfterMidnight() {
    let times = ["23:59:59.900", "00:00:00.100", "00:00:00.300"].map { "\($0) R 09F11202 FF 40 3D FF 7F FF 7F FD\r\n" }
    let told = YDWG.hear(times.joined()).messages.compactMap { $0.time }
    #expect(told.count == 3 && abs(told[1] - told[0] - 0.2) < 1e-6 && abs(told[2] - told[1] - 0.2) < 1e-6)
  }

  /// Longer messages, gateways' words about themselves and canboat's own groups are valid lines with nothing in them.
  @Test func linesForOthersArePassedOver() {
    let plain = """
      2024-02-17T05:15:49.768Z,7,126720,204,255,13,3b,9f,f0,81,84,36,e7,9f,42,00,0e,02,08
      2024-02-17T05:15:49.768Z,7,262386,204,255,2,3b,9f

      """
    let heard = Canboat.hear(plain)
    #expect(heard.otherCount == 2 && heard.rejections.isEmpty && heard.messages.isEmpty)
    #expect(IKonvert.hear("$PDGY,000000,4,,5,482,1,0\r\n").otherCount == 1)
  }

  /// 48.2° N, 16.37° E in 1e-7°: 0x1CBABC80 and 0x09C1DD20.
  @Test func aPositionIsRead() throws {
    let position = try #require(
      YDWG.hear("00:00:01.000 R 09F80103 80 BC BA 1C 20 DD C1 09\r\n").messages.first?.position?.position.coordinate)
    #expect(abs(position.latitude - 48.2) < 1e-7 && abs(position.longitude - 16.37) < 1e-7)
  }

  // MARK: Actisense's logs

  /// A head with its time before each message; 10 and 1B within are doubled.
  @Test func aLogOfActisenseIsRead() throws {
    // 2026-09-27T17:33:21.107Z: 13435004001107 ms since 1601 = 134350040011070000 ticks = 0x01DD4EA06C0D3730, low byte
    // first.
    let ticks: [UInt8] = (0..<8).map { UInt8(truncatingIfNeeded: 134_350_040_011_070_000 as UInt64 >> (8 * $0)) }
    let head: [UInt8] = [0x1B, 0x01, 0x03] + ticks.flatMap { $0 == 0x1B ? [$0, $0] : [$0] } + [0x1B, 0x0A]
    // Heading 0x1B10 = 6928 counts = 39.6945°.
    let packet: [UInt8] = [
      0x93, 19, 2, 0x12, 0xF1, 0x01, 0xFF, 0x23, 0x10, 0x27, 0, 0, 8, 0xFF, 0x10, 0x1B, 0xFF, 0x7F, 0xFF, 0x7F, 0xFD,
    ]
    let sum = 0 &- packet.reduce(0, &+)
    let body = (packet + [sum]).flatMap { $0 == 0x10 || $0 == 0x1B ? [$0, $0] : [$0] }
    let version: [UInt8] = [0x1B, 0x01, 0x01, 0xE9, 0x03, 0, 0, 0x1B, 0x0A]
    let heard = NGT1.hear(head + version + head + [0x10, 0x02] + body + [0x10, 0x03])
    let message = try #require(heard.messages.first)
    #expect(abs(try #require(message.own?.magnetic?.degrees) - 39.6945) < 0.0001)
    #expect(abs(try #require(message.time) - 1_790_530_401.107) < 0.001)
    #expect(heard.rejections.isEmpty)
  }

  // MARK: Writing

  /// Heading 89.84° magnetic, 3° east, pitch −1.5°, roll 2°, turning 1°/s: bytes by hand.
  @Test func framesHaveTheBytesOfTheDefinitions() {
    var heading = NMEA2000.Heading()
    heading.magnetic = 89.84
    heading.variation = 3
    heading.deviation = -2
    heading.pitch = -1.5
    heading.roll = 2
    heading.rateOfTurn = 1
    var lines: [String] = []
    NMEA2000.forEachFrame(of: heading, sequence: 7, source: 2) {
      var text = TextBuffer()
      text.append(ydwg: $0, timeOfDay: 86_400 + 3723.5)
      lines.append(text.text)
    }
    #expect(
      lines == [
        // 1°/s = 0.01745329 rad/s = 558505 counts = 0x000885A9.
        "01:02:03.500 R 09F11302 07 A9 85 08 00 FF FF FF\r\n",
        // -1.5° = -262 counts = 0xFEFA; 2° = 349 = 0x015D.
        "01:02:03.500 R 0DF11902 07 FF 7F FA FE 5D 01 FF\r\n",
        // 3° = 524 = 0x020C.
        "01:02:03.500 R 1DF11A02 07 FF FF FF 0C 02 FF FF\r\n",
        // 89.84° = 15680 = 0x3D40; -2° = -349 = 0xFEA3.
        "01:02:03.500 R 09F11202 07 40 3D A3 FE 0C 02 FD\r\n",
      ])
  }

  // MARK: The node

  /// Claims, waits, keeps its address against a higher name and leaves it to a lower one; says who it is.
  @Test func theNodeDefendsItsAddress() throws {
    var node = NMEA2000Node(device: "/dev/ttyACM0")
    var sent: [CANFrame] = []
    node.claim(at: 0) { sent.append($0) }
    let claim = try #require(sent.first)
    #expect(claim.group == 60_928 && claim.source == 35 && claim.destination == 255)
    #expect(claim.little(UInt64.self, at: 0) == node.name)
    #expect(!node.isReady(at: 0.2) && node.isReady(at: 0.25))
    func contest(_ name: UInt64, at time: Double) {
      var frame = CANFrame(group: 60_928, priority: 6, source: 35)
      frame.append(little: name)
      node.receive(frame, at: time) { sent.append($0) }
    }
    contest(node.name + 1, at: 1)
    #expect(sent.count == 2 && node.address == 35)
    contest(node.name - 1, at: 2)
    #expect(sent.last?.source == 36 && node.address == 36 && !node.isReady(at: 2.1) && node.isReady(at: 2.3))
    // A request for 126996, from address 9.
    sent.removeAll()
    node.receive(request(0x1F014, to: 36), at: 3) { sent.append($0) }
    #expect(sent.count == 20 && sent.allSatisfy { $0.group == 126_996 && $0.count == 8 })
    #expect(sent[0][1] == 134 && sent[1][0] & 31 == 1)
    // Something it does not have.
    sent.removeAll()
    node.receive(request(0x1F112, to: 36), at: 3) { sent.append($0) }
    #expect(sent.first?.group == 59_392 && sent.first?.destination == 9 && sent.first?[0] == 1)
  }

  /// The claim bit by bit, from the lowest: 21 of the device's own number, 11 of the maker (2046 = 7FE), 8 of
  /// instances, 8 of the function (140, own ship's attitude), 1 spare, 7 of the class (60, navigation), 4 of the
  /// system, 3 of the industry (4, marine), 1 for an address that may be any. Its identifier: priority 6, group EE00 to
  /// all, from 35.
  @Test func theClaimHasTheBytesOfTheDefinitions() throws {
    var node = NMEA2000Node(device: "/dev/ttyACM0")
    var lines: [String] = []
    node.claim(at: 0) {
      var text = TextBuffer()
      text.append(ydwg: $0, timeOfDay: 0)
      lines.append(text.text)
    }
    let line = try #require(lines.first)
    let words = line.split { $0 == " " || $0 == "\r\n" }.map { String($0) }
    #expect(words.count == 11 && words[2] == "18EEFF23", "\(line)")
    // 7FE << 5 is FFC0: its lower byte has the number's upper five bits below.
    #expect(UInt8(words[5], radix: 16).map { $0 & 0xE0 } == 0xC0)
    #expect(words[6...] == ["FF", "00", "8C", "78", "C0"])
  }

  /// A turn is 62831.85 counts: the last hundredth of a degree before north is nearer to zero than to one count more.
  @Test func aHeadingIsWithinTheCircle() throws {
    for (degrees, counts) in [(359.999, 0), (359.998, 0), (359.995, 62_831), (359.99, 62_830), (0.0, 0)] {
      for isMagnetic in [true, false] {
        var heading = NMEA2000.Heading()
        if isMagnetic { heading.magnetic = degrees } else { heading.trueNorth = degrees }
        var sent: [CANFrame] = []
        NMEA2000.forEachFrame(of: heading, sequence: 0, source: 2) { sent.append($0) }
        #expect(sent.last?.little(UInt16.self, at: 1).map { Int($0) } == counts, "\(degrees)")
      }
    }
  }

  private func request(_ group: Int, to destination: UInt8) -> CANFrame {
    var frame = CANFrame(group: 59_904, priority: 6, source: 9, destination: destination)
    for shift in [0, 8, 16] { frame.append(UInt8(truncatingIfNeeded: group >> shift)) }
    return frame
  }

  /// An address that all others hold is given up in the end, and nothing is sent from it.
  @Test func aFullBusIsLeft() {
    var node = NMEA2000Node(device: "x")
    node.claim(at: 0) { _ in }
    for _ in 0..<300 {
      guard let address = node.address else { break }
      var frame = CANFrame(group: 60_928, priority: 6, source: address)
      frame.append(little: UInt64(0))
      node.receive(frame, at: 1) { _ in }
    }
    #expect(node.address == nil && !node.isReady(at: 100))
    // Others that found none say so from the same address, as often as they are asked: no contest.
    for _ in 0..<300 {
      var frame = CANFrame(group: 60_928, priority: 6, source: 254)
      frame.append(little: UInt64(0))
      node.receive(frame, at: 2) { Issue.record("\($0) is an answer") }
    }
    var said: [CANFrame] = []
    node.receive(request(60_928, to: 255), at: 3) { said.append($0) }
    #expect(said.count == 1 && said.first?.source == 254)
  }
}
