import LodestoneCore
import Testing

@testable import Drivers

/// Logs and mixed streams: what stands between the messages hides none of them.
@Suite struct LogTests {
  /// A ground station's log: eight bytes of microseconds since 1970 before each frame, and frames that are not ours.
  private static func log(_ count: Int) -> [UInt8] {
    var encoder = MAVLink()
    var bytes: [UInt8] = []
    for number in 0..<count {
      let stamp = UInt64(1_772_357_400_000_000 + number * 20_000)
      var frames: [UInt8] = []
      encoder.encode(.example(number), into: &frames)
      // A message (200) of version 2 with a checksum that we cannot know.
      let other: [UInt8] = [
        0xFD, 0x04, 0, 0, UInt8(truncatingIfNeeded: number), 1, 1, 200, 0, 0, 9, 8, 7, 6, 0x11, 0x22,
      ]
      var rest = frames[...]
      while !rest.isEmpty {
        let length = Int(rest[rest.startIndex + 1]) + 12
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: stamp >> (56 - 8 * UInt64($0))) } + rest.prefix(length)
        rest = rest.dropFirst(length)
      }
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: stamp >> (56 - 8 * UInt64($0))) } + other
    }
    return bytes
  }

  @Test func stampsOfALogAreItsTimes() throws {
    let bytes = Self.log(100)
    var plain = MAVLink()
    var one: [UInt8] = []
    plain.encode(.example(0), into: &one)
    let each = MAVLink.hear(one).messages.count
    for chunk in [1, 13, bytes.count] {
      let heard = MAVLink.hear(bytes, chunk: chunk)
      #expect(heard.messages.count == 100 * each)
      #expect(heard.rejections.filter { $0 == .checksum }.isEmpty)
      let times = heard.messages.compactMap { $0.time }
      #expect(times.count == heard.messages.count)
      #expect(times.first == 1_772_357_400)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func theDetectorTellsALog() {
    var detector = Detector()
    #expect(detector.listen(to: Self.log(20).span)?.name == "mavlink")
  }

  /// VectorNav UM001: the example of VNYMR, as a program that logs JSON would pack it.
  @Test func aSentenceInAStringOfJSONIsRead() throws {
    let sentence =
      "$VNYMR,+006.380,+000.023,-001.953,+1.0640,-0.2531,+3.0614,+00.005,+00.344,-09.758,-0.001222,-0.000450,-0.001218"
    let sum = sentence.utf8.dropFirst().reduce(0, ^).hexadecimal.uppercased()
    let line = "{\"t\":12,\"imu\":\"\(sentence)*\(sum)\"}\n{\"imu\":\"\(sentence)*\(sum)\\r\\n\"}\n"
    let messages = VectorNav.hear(line).messages
    #expect(messages.count == 2)
    #expect(messages.first?.field == Vector3(1.0640, -0.2531, 3.0614))
  }

  /// A frame of a WT901BLE: 1 g on z, half of the range of a turn about z.
  @Test func framesOfMotionAreRead() {
    let frame: [UInt8] = [0x55, 0x61, 0, 0, 0, 0, 0, 0x08, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0xE0]
    let messages = WitMotion.hear(frame + frame + frame + [0x55]).messages
    #expect(messages.count == 3)
    #expect(messages.first?.acceleration == Vector3(0, 0, 1))
    #expect(messages.first?.rotationRate == Vector3(0, 0, 1000))
    #expect(messages.first?.own?.magnetic?.degrees == 45)
  }

  /// canboat's sample of an NGT-1: `$HCHDG` as N2K, heading 0x2FBE counts of 0.0001 rad, magnetic.
  @Test func theVesselsHeadingIsRead() throws {
    let packet: [UInt8] = [
      0x93, 19, 2, 0x12, 0xF1, 0x01, 0xFF, 0x23, 0x10, 0x27, 0, 0, 8, 0xFF, 0xBE, 0x2F, 0xFF, 0x7F, 0xFF, 0x7F, 0xFD,
    ]
    let sum = 0 &- packet.reduce(0, &+)
    let doubled = (packet + [sum]).flatMap { $0 == 0x10 ? [$0, $0] : [$0] }
    let messages = NGT1.hear([0x10, 0x02] + doubled + [0x10, 0x03]).messages
    #expect(messages.count == 1)
    // 0x2FBE = 12222 counts: 1.2222 rad.
    #expect(abs((messages.first?.own?.magnetic?.degrees ?? 0) - 70.027) < 0.01)
    #expect(messages.first?.time == 10)
  }

  @Test func hamSCIsLinesAreRead() {
    let line = "{\"ts\":\"25 Oct 2025 14:02:33\",\"rt\":21.5,\"x\":19821.333,\"y\":-3120.667,\"z\":43017.333}\n"
    let message = MagUSB.hear(line).messages.first
    #expect(message?.time == 1_761_400_953)  // date -u -d '25 Oct 2025 14:02:33' +%s
    #expect(message?.field == Vector3(19821.333, -3120.667, 43017.333))
    #expect(message?.fieldUnit == .nanotesla)
    #expect(MagUSB.hear(line.replacing("Oct", with: "Okt")).messages.isEmpty)
  }

  /// Boulder, as the USGS served it on 2026-09-27; the total is a second instrument's, so it agrees to its own
  /// accuracy.
  @Test func anObservatorysFileIsRead() throws {
    var lines = [" Format                 IAGA-2002                                    |"]
    lines.append("DATE       TIME         DOY     BOUX      BOUY      BOUZ      BOUF   |")
    lines.append("2026-09-27 19:39:00.000 270     20475.82   2777.15  46627.16  51000.56")
    lines.append("2026-09-27 21:39:00.000 270     99999.00  99999.00  99999.00  99999.00")
    lines.append("2026-09-27 21:40:00.000 271     20475.82   2777.15  46627.16  51000.56")
    let heard = IAGA2002.hear(lines.joined(separator: "\r\n") + "\r\n")
    #expect(heard.messages.count == 1 && heard.otherCount == 3)
    #expect(heard.rejections == [.malformed])  // the 270th day, not the 271st
    let message = try #require(heard.messages.first)
    #expect(message.time == 1_790_537_940)  // date -u -d '2026-09-27 19:39' +%s
    #expect(message.fieldUnit == .nanotesla)
    #expect(abs((message.field?.length ?? 0) - 51000.56) < 0.1)
    // Level, with the top edge to the true north: north is y, east is x, down is -z.
    var stream = WireStream()
    stream.append(Array((lines.joined(separator: "\n") + "\n").utf8).span)
    stream.end()
    var field: Vector3?
    while let event = stream.next() { if case .message(let message) = event { field = field ?? message.field } }
    #expect(field == Vector3(2777.15, 20475.82, -46627.16))
  }

  /// The same field told by its horizontal part, declination and inclination in minutes of arc.
  @Test(arguments: [
    ("BOUH      BOUD      BOUZ", "    20663.30    463.44  46627.16"),
    ("BOUD      BOUH      BOUZ", "      463.44  20663.30  46627.16"),
    ("BOUD      BOUH      BOUI", "      463.44  20663.30   3965.95"),
  ])
  func otherElementsMeanTheSame(names: String, values: String) throws {
    let text = """
      DATE       TIME         DOY     \(names)      BOUF   |
      2026-09-27 19:39:00.000 270 \(values)  51000.56

      """
    let field = try #require(IAGA2002.hear(text).messages.first?.field)
    #expect((field - Vector3(20475.82, 2777.15, 46627.16)).length < 2, "\(field)")
  }

  /// The header of a table stands far before its first measurement, where nothing was measured at first.
  @Test(arguments: [1, 1000, 20_000]) func aLongGapAtTheBeginningIsPassedOver(missing: Int) {
    let header = "DATE       TIME         DOY     BOUX      BOUY      BOUZ      BOUF   |\n"
    let gap = "2026-09-27 19:39:00.000 270     99999.00  99999.00  99999.00  99999.00\n"
    let rows = (40...59).map { "2026-09-27 19:\($0):00.000 270     20475.82   2777.15  46627.16  51000.56\n" }
    let day = Self.read(header + String(repeating: gap, count: missing) + rows.joined())
    #expect(day.name == "iaga2002" && day.fields.count > 10)
    #expect(abs((day.fields.first?.length ?? 0) - 51000.56) < 0.1)
    let hole = String(repeating: "0,,,\n", count: 5 * missing)
    let table = Self.read("note,mz_uT,my_uT,mx_uT\n" + hole + String(repeating: "7,-43,1,20\n", count: 20))
    #expect(table.name == "csv" && table.fields.last == Vector3(20, 1, -43))
  }

  /// The protocol that a recording is found to be in, and its fields.
  private static func read(_ text: String) -> (name: String?, fields: [Vector3]) {
    var stream = WireStream()
    var fields: [Vector3] = []
    func take(_ stream: inout WireStream) {
      while let event = stream.next() {
        if case .message(let message) = event, let field = message.field { fields.append(field) }
      }
    }
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 65_536) {
      stream.append(Array(bytes[start..<min(start + 65_536, bytes.count)]).span)
      take(&stream)
    }
    stream.end()
    take(&stream)
    return (stream.protocolName, fields)
  }

  /// Times come from one place to the end, and do not go back on a live stream.
  @Test func timesAreNeverMixed() {
    var recording = StreamClock(keepsTime: true)
    #expect(recording.time(board: 100, arrival: 0) == 100)
    #expect(recording.time(board: nil, arrival: 1) == 100)
    #expect(recording.time(board: 100.5, arrival: 2) == 100.5)
    var counted = StreamClock(keepsTime: true)
    #expect(counted.time(board: nil, arrival: 0) == 0)
    #expect(counted.time(board: 1000, arrival: 1) == 1)
    #expect(counted.followsBoard == false)
    var live = StreamClock(keepsTime: false)
    #expect(live.time(board: 50, arrival: 2) == 2)
    #expect(abs(live.time(board: 50.2, arrival: 2.1) - 2.2) < 1e-9)
    #expect(abs(live.time(board: 50.1, arrival: 2.15) - 2.2) < 1e-9)
  }

  @Test func filesOfOtherProgramsAreToldByName() {
    var stream = WireStream()
    stream.append((Array("ULog".utf8) + [0x01, 0x12, 0x35, 1, 0, 0]).span)
    guard case .unreadable(let name, _)? = stream.fault else { return #expect(Bool(false), "no fault") }
    #expect(name.contains("PX4"))
  }
}
