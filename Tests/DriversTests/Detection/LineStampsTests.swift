import Glibc
import LodestoneCore
import Testing

@testable import Drivers

/// Lines as loggers write them, with stamps before them.
@Suite struct LineStampsTests {
  /// The lines printed at each of 12 moments, 0.25 s apart.
  private static func log(_ line: (_ number: Int, _ hundredths: String) -> String) -> String {
    (0..<12).map { line($0, String(25 * ($0 % 4) + 100).suffix(2).description) }.joined()
  }

  /// The messages of a stream whose protocol is to be found, in chunks of a size.
  static func hear(_ text: String, chunk: Int = .max) -> [WireMessage] {
    var (stream, messages, message) = (WireStream(), [WireMessage](), WireMessage())
    func drain() { while let step = stream.next(into: &message) { if step == .message { messages.append(message) } } }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      stream.append(Array(rest.prefix(chunk)).span)
      rest = rest.dropFirst(chunk)
      drain()
    }
    stream.end()
    drain()
    return messages
  }

  /// Arduino's serial monitor, PlatformIO's, tio, arduino-cli, CuteCom, Python's logging, grabserial, Zephyr, ESP-IDF
  /// with its colours, a log of NMEA, and the loggers of ROS 2 and ROS.
  @Test(arguments: [
    "09:30:0S.HH0 -> L", "09:30:0S.HH0 > L", "[09:30:0S.HH0] L", "[2026-03-01 09:30:0S.HH] L", "[9:30:0S:HH0] L",
    "2026-03-01 09:30:0S,HH0 - L", "2026-03-01T09:30:0S.HH0Z L", "[1.S.HH0000 0.250000] L",
    "[00:00:0S.HH0,000] <inf> L", "\u{1b}[0;32mI (SHH0) L\u{1b}[0m", "I (09:30:0S.HH0) L",
    "[INFO] [176423040S.HH0000000] [mag_node]: L", "[ WARN] [176423040S.HH0000000]: L",
  ])
  func stampsAreTimes(form: String) throws {
    let text = Self.log { number, hundredths in
      form.replacing("1.S", with: "1\(number / 4)").replacing("S", with: "\(number / 4)")
        .replacing("HH", with: hundredths).replacing("L", with: "mx:\(number),my:2,mz:3\r\n")
    }
    for chunk in [1, 7, .max] {
      let messages = Self.hear(text, chunk: chunk)
      #expect(messages.count == 12)
      #expect(messages.map { $0.field?.x } == (0..<12).map { Double($0) })
      // A few lines of a live board may be through before it is known that they are stamped.
      let times = messages.map { $0.time }.drop { chunk < .max && $0 == nil }.compactMap { $0 }
      #expect(times.count >= (chunk < .max ? 9 : 12))
      #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.25) < 1e-6 })
    }
  }

  /// A board that clears the terminal's screen before it prints the next values, as Zephyr's dashboards do.
  @Test func linesBehindAClearedScreenAreRead() {
    let text = (0..<8).map { "\u{1b}[H\u{1b}[J\u{1b}[2Jdashboard\n\nMag X: \($0) Y: 2 Z: 3\n" }.joined()
    let short = (0..<8).map { "\u{1b}[H\u{1b}[JMag X: \($0) Y: 2 Z: 3\n" }.joined()
    for text in [text, short] { #expect(Self.hear(text).map { $0.field?.x } == (0..<8).map { Double($0) }) }
  }

  /// CoolTerm, `ts` and loggers of one's own put a date and a blank before numbers between commas; a table whose first
  /// column is a clock keeps it.
  @Test(arguments: ["2026-03-01 09:30:0S.HH0 L", "09:30:0S.HH L", "2026-03-01T09:30:0S.HH L"], [",", ", ", ";", "\t"])
  func aClockAndABlankMayStandBeforeNumbers(form: String, separator: String) {
    let text = Self.log { number, hundredths in
      let angle = 0.3 * Double(number)
      let field = [20 * sin(angle), 20 * cos(angle), -43.5].map { $0.text(decimals: 2) }
      return form.replacing("S", with: "\(number / 4)").replacing("HH", with: hundredths)
        .replacing("L", with: field.joined(separator: separator) + "\r\n")
    }
    let messages = Self.hear(text)
    #expect(messages.count == 12 && messages.allSatisfy { abs(($0.field?.z ?? 0) + 43.5) < 1e-9 })
    let times = messages.compactMap { $0.time }
    #expect(times.count == 12 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.25) < 1e-6 })
    let others = [
      "09:30:00\t1\t2\t3", "09:30:00 1 2 3", "2026-03-01 09:30:00,1,2,3", "09:30:00 1", "09:30:00 12:00,1,2",
    ]
    for line in others { #expect(LineStamps.stamp(of: Array(line.utf8).span) == nil) }
  }

  /// A table without names waits until its columns are known.
  @Test func bareNumbersBehindStampsAreRead() {
    let fields = (0..<80).map { number in
      let angle = Double(number) * 0.15
      return Vector3((20 * cos(angle)).rounded() + 5, (-20 * sin(angle)).rounded(), -40 + Double(number % 3))
    }
    let text = fields.enumerated().map { number, field in
      let stamp = "09:30:\(10 + number / 4).\(String(25 * (number % 4) + 100).suffix(2))0"
      return "\(stamp) -> \(field.x), \(field.y), \(field.z)\n"
    }.joined()
    for chunk in [100, .max] {
      let messages = Self.hear(text, chunk: chunk)
      #expect(messages.map { $0.field } == fields)
      #expect(messages.map { $0.time } == fields.indices.map { 34_210 + 0.25 * Double($0) })
    }
  }

  @Test func headersBehindStampsAreRead() {
    let rows = Self.log { "09:30:0\($0 / 4).\($1)0 -> 3,\($0),2\n" }
    let messages = Self.hear("09:30:00.000 -> mz,mx,my\n" + rows)
    #expect(messages.map { $0.field } == (0..<12).map { Vector3(Double($0), 2, 3) })
  }

  @Test func aBoardsOwnTimesAreBetter() {
    let text = Self.log { "09:30:0\($0 / 4).\($1)0 -> t_ms:\(100 * $0),mx:1,my:2,mz:3\n" }
    let times = Self.hear(text).compactMap { $0.time }
    #expect(times.count == 12)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 1e-9 })
  }

  @Test func aBoardMayPrintLinesBeforeItsLog() {
    let text =
      "ets Jun  8 2016 00:22:57\n\nrst:0x1 (POWERON_RESET)\n"
      + Self.log { "I (\($0)00) mx:1,my:2,mz:3\n" + $1.prefix(0) }
    #expect(Self.hear(text).map { $0.time } == (0..<12).map { Double($0) / 10 })
  }

  @Test func aLogGoesOnPastMidnight() {
    let text = (0..<8).map { "\($0 < 4 ? "23:59:5\(6 + $0)" : "00:00:0\($0 - 4)").500 -> mx:1,my:2,mz:3\n" }.joined()
    #expect(Self.hear(text).map { $0.time } == (0..<8).map { 86_396.5 + Double($0) })
  }

  /// Whole seconds tell lines of the same second no apart.
  @Test(arguments: ["[2026-03-01 09:30:0S]", "01.03.2026 09:30:0S ->"])
  func wholeSecondsAreNoTimes(stamp: String) {
    let text = (0..<12).map { stamp.replacing("S", with: "\($0 / 4)") + " mx:1,my:2,mz:3\n" }.joined()
    let messages = Self.hear(text)
    #expect(messages.count == 12)
    #expect(messages.allSatisfy { $0.time == nil })
  }

  /// Lists, clocks in columns, frames with a clock of the protocol, and lines that hold nothing else.
  @Test(arguments: [
    "[1.234, 2.345, 3.456]", "[1.234 2.345 3.456]", "09:30:00.250,1,2,3", "09:30:00.250 1 2 3", "09:30:00.250 -1 2 3",
    "17:33:21.107 R 19F51323 01 2F 30 70 00 2F 30 70", "1 2 3", "[09:30:00.250]", "09:30:00.250 -> ", "I (x) mx:1",
    "I (5)",
    "[0.5] mx:1", "9: mx:1", "3/1/2026 9: mx:1", "", "[", "9", "2026-03-01 09:30:00.250",
    "3/1/2026 9:30:00.000 AM,28.00,-5.00,-40.00", "9:30:00.5 pm 1 2 3",
  ])
  func otherLinesAreNotStamped(line: String) { #expect(LineStamps.stamp(of: Array(line.utf8).span) == nil) }

  /// A log is read with what it holds in memory bounded by its lines.
  @Test func aLongLogIsReadToItsEnd() {
    let text = (0..<3000).map { "[\($0).000500] mx:\($0 % 50),my:2,mz:3\n" }.joined()
    let messages = Self.hear(text, chunk: 1000)
    #expect(messages.count >= 2999)
    #expect(messages.last?.time == 2999.0005)
  }

  /// Colours of a log whose lines tell no time.
  @Test(arguments: ["\u{1B}[0;36m[D][qmc:100]: Got x=% y=% z=%\u{1B}[0m", "mag: \u{1B}[31mx=% y=% z=%\u{1B}[0m"])
  func coloursAloneAreTakenOff(form: String) {
    let parts = form.split(separator: "%", omittingEmptySubsequences: false)
    let line = zip(parts, ["-12.9", "15.7", "-43.5", ""]).map { $0 + $1 }.joined()
    var stream = WireStream()
    stream.append(Array(String(repeating: line + "\n", count: 8).utf8).span)
    stream.end()
    var fields: [Vector3] = []
    while let event = stream.next() { if case .message(let message) = event { fields += [message.field ?? .zero] } }
    #expect(fields.count > 6 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) })
  }

  /// Docker Compose, with its times and without, syslog, and YAT.
  @Test(arguments: [
    ("magd-1  | L", false), ("magd-1  | 2026-03-01T09:30:0S.HH0000000Z L", true), ("(09:30:0S.HH0) L", true),
    ("<13>Mar  1 09:30:01 pi magd: L", false), ("<13>Mar  1 09:30:01 pi magd[12]: L", false), ("00> L", false),
  ])
  func namesOfProgramsAreTakenOff(form: String, hasTimes: Bool) {
    let lines = ["-1N.9,15.7,-43.5\r\n", "X: -1N.9 Y: 15.7 Z: -43.5\r\n"]
    for line in lines.prefix(form.hasPrefix("00") ? 1 : 2) {
      let text = Self.log { number, hundredths in
        form.replacing("0S", with: "0\(number / 4)").replacing("HH", with: hundredths)
          .replacing("L", with: line.replacing("N", with: "\(number * 5 % 10)"))
      }
      let messages = Self.hear(text)
      let expected = (0..<12).map { number in -10.9 - Double(number * 5 % 10) }
      #expect(messages.compactMap { $0.field?.x } == expected, "\(line)")
      #expect(messages.allSatisfy { ($0.time != nil) == hasTimes })
    }
  }

  /// Cells of a table between bars, and what begins with other words, are no stamps.
  @Test(arguments: ["Mag_1 | -12.9 | 15.7 | -43.5", "mag | -12.9 | 15.7 | -43.5", "(1,2,3) x", "<13> 5", "12> x"])
  func otherBeginningsAreNoStamps(line: String) { #expect(LineStamps.stamp(of: Array(line.utf8).span) == nil) }

  /// Two containers of one log are two devices, however alike their fields; one that tells no field is none.
  @Test(arguments: [
    "X: #, Y: 15.7, Z: -43.5", "{\"mx\":#,\"my\":15.7,\"mz\":-43.5}", "2026-03-01T09:30:00.000Z mx=# my=15.7 mz=-43.5",
  ])
  func containersAreReadApart(form: String) {
    var stream = WireStream()
    let lines = (0..<60).map { number in
      "magd-1  | \(form.replacing("#", with: "-12.\(number % 10)"))\nmagd-2  | \(form.replacing("#", with: "-11.5"))\n"
        + "db-1    | ready \(number)\n"
    }
    stream.append(Array(lines.joined().utf8).span)
    stream.end()
    var (fields, message) = ([Vector3](), WireMessage())
    while let step = stream.next(into: &message) {
      if step == .message, let field = message.field { fields.append(field) }
    }
    #expect(fields.count > 57 && fields.allSatisfy { $0.x < -11.9 }, "\(fields.count)")
    #expect(stream.otherCompass == "magd-2" && !stream.hasFieldsInTurn)
  }

  /// The one that is read may end, and the other one goes on.
  @Test func aContainerThatEndsIsLeft() {
    let lines = (0..<200).map { number in
      (number < 20 ? "magd-1  | X: -12.9 Y: 15.7 Z: -43.5\n" : "") + "magd-2  | X: -12.8 Y: 15.7 Z: -43.5\n"
    }
    let fields = Self.hear(lines.joined()).compactMap { $0.field }
    #expect(fields.count { $0.x == -12.8 } > 100 && fields.first?.x == -12.9)
  }

  /// Docklight's log, whose line ends are written out, and a Zephyr shell's prompt.
  @Test(arguments: [
    "04.05.2026 09:30:0S.HH0 [RX] - -12.9,15.7,-43.5<CR><LF>",
    "04.05.2026 09:30:0S.HH0 [RX] - X: -12.9 Y: 15.7 Z: -43.5<CR><LF>",
    "uart:~$ channel type=11(magn_xyz) index=0 shift=1 num_samples=1 value=1S.HH00000ns (-12.9, 15.7, -43.5)",
  ])
  func marksOfProgramsAreTakenOff(form: String) {
    let text = Self.log { number, hundredths in
      form.replacing("1S.HH", with: "1\(number / 4)\(hundredths)").replacing("S", with: "\(number / 4)")
        .replacing("HH", with: hundredths) + "\r\n"
    }
    let fields = Self.hear(text).compactMap { $0.field }
    #expect(fields.count > 9 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) }, "\(fields)")
  }
}
