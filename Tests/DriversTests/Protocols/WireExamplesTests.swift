import LodestoneCore
import Testing

@testable import Drivers

/// Messages from manuals, captures and other programs' tests, or worked out by hand from a specification, with what
/// they say.
@Suite struct WireExamplesTests {
  /// Bytes of a protocol and what is to be read from them.
  struct Example: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let expected: WireMessage
    var testDescription: String { "\(name) \(String(decoding: bytes.prefix(24), as: UTF8.self).debugDescription)" }

    init(_ name: String, line: String, _ edit: (inout WireMessage) -> Void) {
      self.init(name, bytes: Array((line + "\r\n").utf8), edit)
    }

    init(_ name: String, hexadecimal: String, _ edit: (inout WireMessage) -> Void) {
      self.init(name, bytes: hexadecimal.split(separator: " ").compactMap { UInt8($0, radix: 16) }, edit)
    }

    private init(_ name: String, bytes: [UInt8], _ edit: (inout WireMessage) -> Void) {
      self.name = name
      self.bytes = bytes
      var message = WireMessage()
      edit(&message)
      expected = message
    }
  }

  @Test(arguments: texts + binaries + frames)
  func saysWhatItSays(_ example: Example) throws {
    let type = try #require(Protocols.named(example.name))
    // An autopilot's second compass is read where no word of a first one comes.
    let message = try #require(type.hear(Array(repeatElement(example.bytes, count: 6).joined())).messages.first)
    let expected = example.expected
    let read = numbers(message), wanted = numbers(expected)
    for (index, (value, should)) in zip(read, wanted).enumerated() {
      #expect((value == nil) == (should == nil), "value \(index)")
      guard let value, let should else { continue }
      #expect(abs(value - should) <= 1e-4 + 1e-6 * abs(should), "value \(index)")
    }
    #expect(message.fieldUnit == expected.fieldUnit)
    #expect(expected.accelerationUnit == nil || message.accelerationUnit == expected.accelerationUnit)
    #expect(message.unchecked == expected.unchecked)
  }

  /// Ports hand out windows of larger buffers, which begin at any address.
  @Test(arguments: texts + binaries + frames)
  func saysTheSameAtEveryAddress(_ example: Example) throws {
    let type = try #require(Protocols.named(example.name))
    let bytes = Array(repeatElement(example.bytes, count: 6).joined())
    let expected = type.hear(bytes)
    #expect(!expected.messages.isEmpty)
    for offset in 1..<16 {
      let all = [UInt8](repeating: 0xA5, count: offset) + bytes + [0xA5]
      #expect(heard(by: type, all.span.extracting(offset..<offset + bytes.count)) == expected, "offset \(offset)")
    }
  }

  private func heard(by type: any WireProtocol.Type, _ window: Span<UInt8>) -> Heard {
    var decoder = type.init(), heard = Heard()
    var position = 0
    while let event = decoder.next(in: window, from: &position) { heard.note(event) }
    let rest = window.extracting(position...)
    var end = 0
    while let event = decoder.finish(in: rest, from: &end) { heard.note(event) }
    return heard
  }

  /// Between two recorded packets of Xsens four others went by at 400 Hz: 5719754 and 5719854 are 10 ms apart.
  @Test func xbusCountsTenthsOfMilliseconds() {
    let times = ["00 57 46 CA E9", "00 57 47 2E 84"].compactMap { time in
      XBus.hear("FA FF 36 07 10 60 04 \(time)".split(separator: " ").compactMap { UInt8($0, radix: 16) }).messages
        .first?
        .time
    }
    #expect(times.count == 2 && abs(times[1] - times[0] - 0.01) < 1e-9)
  }

  /// Latitude and longitude in 1e-7 degree, as pymavlink 2.4.50 writes GLOBAL_POSITION_INT.
  @Test func mavlinkTellsThePosition() throws {
    let frame =
      "FD 1C 00 00 00 01 01 21 00 00 DC 05 00 00 D0 FC BB 1C 90 71 C2 09 F8 9B 02 00 E8 03 00 00 00 00 00 00 00 00 0E 6A 06 AC"
    let heard = MAVLink.hear(frame.split(separator: " ").compactMap { UInt8($0, radix: 16) })
    let position = try #require(heard.messages.first?.position?.position.coordinate)
    #expect(abs(position.latitude - 48.2082) < 1e-9 && abs(position.longitude - 16.3738) < 1e-9)
  }

  /// All numbers of a message but its time, in a fixed order.
  private func numbers(_ message: WireMessage) -> [Double?] {
    let vectors = [message.field, message.acceleration, message.rotationRate].flatMap { [$0?.x, $0?.y, $0?.z] }
    let own = message.own
    return vectors + [own?.magnetic?.degrees, own?.trueNorth?.degrees, own?.pitch, own?.roll, message.temperature]
  }

  @Test(arguments: [
    ("pni", "00 05 01 EF D4"), ("pni", "00 05 04 BF 71"), ("pni", "00 09 0A 00 00 00 14 5C F9"),
    ("pni", "00 1D 12 3E D7 0A 3D 43 33 CC CD 3F 00 00 00 00 00 00 00 00 00 00 00 42 48 00 00 BA D6"),
    ("xbus", "FA FF 00 00 01"), ("bno055", "EE 07"),
    // AHRS2 and AHRS of a second estimator, as pymavlink 2.4.50 writes them.
    (
      "mavlink",
      "FD 18 00 00 00 01 01 B2 00 00 DD 35 7A BD 66 A8 BB 3D 6F 64 09 40 00 00 16 43 D0 FC BB 1C 90 71 C2 09 83 5A"
    ),
    ("mavlink", "FD 01 00 00 00 01 01 A3 00 00 00 3C 42"),
  ])
  func isValidWithNothingForUs(name: String, text: String) throws {
    let type = try #require(Protocols.named(name))
    let heard = type.hear(text.split(separator: " ").compactMap { UInt8($0, radix: 16) })
    #expect(heard.otherCount == 1 && heard.messages.isEmpty && heard.rejections.isEmpty)
  }

  /// The check values of the catalogue of parametrised CRC algorithms (Greg Cook): "123456789".
  @Test func checkValuesOfTheCatalogue() {
    let digits = Array("123456789".utf8)
    #expect(Checksum.xmodem(digits.span) == 0x31C3)
    #expect(Checksum.crc32(digits.span) == 0xCBF4_3926)
    #expect(Checksum.dvbS2(digits.span) == 0xBC)
    #expect(Checksum.mavlink(Array("12345678".utf8).span, extra: UInt8(ascii: "9")) == 0x6F91)
  }

  static let texts: [Example] = [
    Example("nmea", line: "$HCHDG,85.8,0.0,E,0.0,E*77") { $0.own = attitude(85.8, trueNorth: 85.8) },
    Example("nmea", line: "$HCHDG,271.1,10.7,E,12.2,W*52") { $0.own = attitude(281.8, trueNorth: 269.6) },
    Example("nmea", line: "$SDHDG,234.6,,,1.3,E*34") { $0.own = attitude(234.6, trueNorth: 235.9) },
    Example("nmea", line: "$APHDM,218.634,M*39") { $0.own = attitude(218.634) },
    Example("nmea", line: "$IIHDM,314,M*3A") { $0.own = attitude(314) },
    Example("nmea", line: "$HCHDT,86.2,T*15") { $0.own = attitude(nil, trueNorth: 86.2) },
    Example("nmea", line: "$HCXDR,A,171,D,PITCH,A,-37,D,ROLL,G,367,,MAGX,G,2420,,MAGY,G,-8984,,MAGZ*41") {
      $0.own = attitude(nil, 171, -37)
      $0.field = Vector3(367, 2420, -8984)
    },
    Example("nmea", line: "$APXDR,A,0.135,D,PTCH*7C") { $0.own = attitude(nil, 0.135) },
    Example("nmea", line: "$PASHR,204132.000,010.51,T,+00.39,-00.79,-00.84,0.151,0.075,0.555,1,0*03") {
      $0.own = attitude(nil, -0.79, 0.39, trueNorth: 10.51)
    },
    // 14223 · 360 / 65536 = 78.1292; 169 → 0.9283; −43 → −0.2362.
    Example("nmea", line: "$PTNTHTM,14223,N,169,N,-43,N,13641,2454*15") { $0.own = attitude(78.1292, 0.9283, -0.2362) },
    Example("nmea", line: "$PTNTHPR,59.6,N,-0.2,N,-3.0,N*0F") { $0.own = attitude(59.6, -0.2, -3) },
    Example("nmea", line: "$PTNTHPR,72.9,N,-1.6,N,-29.6,O*33") { $0.own = attitude(72.9, -1.6) },
    Example("nmea", line: "$PTNTHPR,,N,-1.5,N,,P*03") { $0.own = attitude(nil, -1.5) },
    Example("nmea", line: "$PTNTCCD,522,-472,109,1841,677,1964,86.3*44") {
      $0.own = attitude(86.3)
      $0.field = Vector3(109, 1841, 677)
    },
    Example("nmea", line: "$GNTHS,121.15,A") {
      $0.own = attitude(nil, trueNorth: 121.15)
      $0.unchecked = true
    },
    Example("oceanserver", line: "$OHPR,237.7,-14.3,175.5,30.1*2B") {
      $0.own = attitude(237.7, -14.3, 175.5)
      $0.temperature = 30.1
    },
    Example("nmea", line: "$OHPR,78.8,-0.5,-1.4,-0.009,-0.025,0.976*34") {
      $0.own = attitude(78.8, -0.5, -1.4)
      $0.acceleration = Vector3(-0.009, -0.025, 0.976)
      $0.accelerationUnit = .g
    },
    Example("oceanserver", line: "$C212.4P2.5R-14.0T28.4Mx107977.90My-79422.00Mz173.27Ax0.045Ay-0.245Az0.977*3A") {
      $0.own = attitude(212.4, 2.5, -14)
      $0.temperature = 28.4
      $0.field = Vector3(107_977.9, -79_422, 173.27)
      $0.acceleration = Vector3(0.045, -0.245, 0.977)
      $0.accelerationUnit = .g
    },
    Example("oceanserver", line: "$C320.5P0.2R-18.3T19.0*3C") {
      $0.own = attitude(320.5, 0.2, -18.3)
      $0.temperature = 19
    },
    Example(
      "vectornav",
      line: "$VNYMR,+100.949,-007.330,+000.715,-00.0049,-00.2449,+00.5397,-01.258,-00.100,-09.701,"
        + "-00.000018,+00.001122,-00.000551*69"
    ) {
      $0.own = attitude(100.949, -7.33, 0.715)
      $0.field = Vector3(-0.0049, -0.2449, 0.5397)
      $0.fieldUnit = .gauss
      $0.acceleration = Vector3(-1.258, -0.1, -9.701)
      $0.accelerationUnit = .metresPerSecondSquared
      $0.rotationRate = Vector3(-0.000018, 0.001122, -0.000551)
    },
    Example("vectornav", line: "$VNRRG,17,+1.0647,-0.2498,+3.0628*66") {
      $0.field = Vector3(1.0647, -0.2498, 3.0628)
      $0.fieldUnit = .gauss
    },
    Example("vectornav", line: "$VNMAG,+00.1234,-00.0567,+00.4321*78") {
      $0.field = Vector3(0.1234, -0.0567, 0.4321)
      $0.fieldUnit = .gauss
    },
    Example("vectornav", line: "$VNMAG,+00.1234,-00.0567,+00.4321*11C3") {
      $0.field = Vector3(0.1234, -0.0567, 0.4321)
      $0.fieldUnit = .gauss
    },
    Example("um7", line: "$PCHRS,0,101.633,3.32,0.33,-0.49,*7E") { $0.rotationRate = Vector3(3.32, 0.33, -0.49) },
    Example("um7", line: "$PCHRS,1,101.633,0.3717,0.1030,-0.7725,*77") {
      $0.acceleration = Vector3(0.3717, 0.103, -0.7725)
      $0.accelerationUnit = .g
    },
    Example("um7", line: "$PCHRS,2,101.633,0.4922,0.2708,-1.6283,*7D") { $0.field = Vector3(0.4922, 0.2708, -1.6283) },
    Example("um7", line: "$PCHRA,105.015,20.32,20.32,20.32,20.32,*66") { $0.own = attitude(20.32, 20.32, 20.32) },
    Example("motioncal", line: "Raw:0,0,0,0,0,0,-18,33,-217") {
      $0.field = Vector3(-1.8, 3.3, -21.7)
      $0.fieldUnit = .microtesla
      $0.acceleration = .zero
      $0.rotationRate = .zero
    },
    Example("motioncal-binary", hexadecimal: "7E 06 00 00 00 00 00 0A 00 EE FF 21 00 27 FF 7E") {
      $0.field = Vector3(-1.8, 3.3, -21.7)
      $0.fieldUnit = .microtesla
    },
    Example("razor", line: "#YPR=-142.28,-5.38,33.52") { $0.own = attitude(217.72, -5.38, 33.52) },
    Example("labels", line: "Magnetometer reading: [-18.0, 33.0, -42.0]") { $0.field = Vector3(-18, 33, -42) },
    Example("labels", line: "Mag: (-18.0, 33.0, -42.0) Hard offset: (0, 0, 0)") { $0.field = Vector3(-18, 33, -42) },
    Example(
      "twinleaf",
      line: "# gmr.x gmr.y gmr.z accel.x accel.y accel.z baro therm\r\n"
        + "00 -14328.8 -45702.9 -19212.5 -0.220632 -9.90098 0.459386 1019.48 34.8908"
    ) {
      $0.field = Vector3(-14_328.8, -45_702.9, -19_212.5)
      $0.fieldUnit = .nanotesla
      $0.acceleration = Vector3(-0.220632, -9.90098, 0.459386)
      $0.temperature = 34.8908
    },
    Example("hmr2300", line: "  1,500  -3,300   6,000  ") {
      $0.field = Vector3(0.1, -0.22, 0.4)
      $0.fieldUnit = .gauss
    },
    Example("hmr3300", line: "123.4, 18.6, -0.5") { $0.own = attitude(123.4, 18.6, -0.5) },
    Example("hmr3300", line: "123.4°") { $0.own = OwnHeading(magnetic: Heading(degrees: 123.4)) },
    Example(
      "gpsd",
      line: "{\"class\":\"ATT\",\"time\":\"2010-06-04T10:31:00.289Z\", \"heading\":14223.00,\"mag_st\":\"N\", "
        + "\"pitch\":169.00,\"pitch_st\":\"N\", \"roll\":-43.00,\"roll_st\":\"N\", \"dip\":13641.000,\"mag_x\":2454.000}"
    ) { $0.own = attitude(nil, 169, -43) },
    Example("json", line: "{\"mx\":-18.0,\"my\":33.0,\"mz\":-42.0,\"ax\":0,\"ay\":0,\"az\":9.81}") {
      $0.field = Vector3(-18, 33, -42)
      $0.acceleration = Vector3(0, 0, 9.81)
    },
    Example("json", line: "{\"mag\":[-18.0,33.0,-42.0],\"acc\":{\"x\":0,\"y\":0,\"z\":9.81}}") {
      $0.field = Vector3(-18, 33, -42)
      $0.acceleration = Vector3(0, 0, 9.81)
    },
    Example("csv", line: "time,mag_x,mag_y,mag_z\n0.02,-18.0,33.0,-42.0") { $0.field = Vector3(-18, 33, -42) },
    Example("labels", line: "mx:-18.0 my:33.0 mz:-42.0") { $0.field = Vector3(-18, 33, -42) },
    Example("labels", line: "X: -18.00  Y: 33.00  Z: -42.00  uT") {
      $0.field = Vector3(-18, 33, -42)
      $0.fieldUnit = .microtesla
    },
  ]

  static let binaries: [Example] = [
    Example("witmotion", hexadecimal: "55 51 00 00 00 00 00 08 C4 09 7B") {
      $0.acceleration = Vector3(0, 0, 1)
      $0.accelerationUnit = .g
      $0.temperature = 25
    },
    Example("witmotion", hexadecimal: "55 54 4C FF 4A 01 86 F7 C4 09 89") { $0.field = Vector3(-180, 330, -2170) },
    Example("witmotion", hexadecimal: "55 53 00 00 00 00 00 40 00 00 E8") { $0.own = attitude(270, 0, 0) },
    Example(
      "xbus",
      hexadecimal:
        "FA FF 36 1E C0 20 0C 3E CC CC CD BD CC CC CD 3F 66 66 66 40 20 0C 00 00 00 00 00 00 00 00 41 1C F5 C3 0A"
    ) {
      $0.field = Vector3(0.4, -0.1, 0.9)
      $0.acceleration = Vector3(0, 0, 9.81)
      $0.accelerationUnit = .metresPerSecondSquared
    },
    Example(
      "pni", hexadecimal: "00 1A 05 04 05 42 F6 CC CD 1B 41 48 00 00 1C C1 F2 00 00 1D 42 24 00 00 E6 70"
    ) {
      $0.own = attitude(123.4)
      $0.field = Vector3(12.5, -30.25, 41)
      $0.fieldUnit = .microtesla
    },
    Example(
      "um7-binary", hexadecimal: "73 6E 70 D0 69 3E 99 99 9A BD CC CC CD 3F 73 33 33 42 CB 33 33 0A 41"
    ) { $0.field = Vector3(0.3, -0.1, 0.95) },
    Example(
      "twinleaf-binary",
      hexadecimal: "C0 80 00 10 00 07 00 00 00 33 E3 5F C6 E6 86 32 C7 00 19 96 C6 3C 4A C9 13 C0"
    ) {
      $0.field = Vector3(-14_328.8, -45_702.9, -19_212.5)
      $0.fieldUnit = .nanotesla
    },
    Example("bno055", hexadecimal: "BB 06 E0 FE 10 02 60 FD") {
      $0.field = Vector3(-18, 33, -42)
      $0.fieldUnit = .microtesla
    },
    Example("hmr2300-binary", hexadecimal: "05 DC F3 1C 17 70 0D") {
      $0.field = Vector3(0.1, -0.22, 0.4)
      $0.fieldUnit = .gauss
    },
    Example(
      "mavlink",
      hexadecimal: "FD 1A 00 00 00 01 01 1B 00 00 E8 03 00 00 00 00 00 00 00 00 00 00 18 FC 00 00 00 00 00 00 "
        + "4C FF 4A 01 5C FE B7 67"
    ) {
      $0.field = Vector3(-180, 330, -420)
      $0.fieldUnit = .milligauss
      $0.acceleration = Vector3(0, 0, -1000)
      $0.accelerationUnit = .milligravity
      $0.rotationRate = .zero
    },
    Example(
      "mavlink",
      hexadecimal: "FE 18 00 01 01 1A E8 03 00 00 00 00 00 00 18 FC 00 00 00 00 00 00 4C FF 4A 01 5C FE 00 00 D0 2E"
    ) {
      $0.field = Vector3(-180, 330, -420)
      $0.fieldUnit = .milligauss
      $0.acceleration = Vector3(0, 0, -1000)
      $0.accelerationUnit = .milligravity
      $0.rotationRate = .zero
    },
  ]

  static func attitude(
    _ magnetic: Double?, _ pitch: Double? = nil, _ roll: Double? = nil, trueNorth: Double? = nil
  ) -> OwnHeading {
    OwnHeading(
      magnetic: magnetic.map { Heading(degrees: $0) }, trueNorth: trueNorth.map { Heading(degrees: $0) }, pitch: pitch,
      roll: roll)
  }
}
