import LodestoneCore
import Testing

@testable import Drivers

/// Texts whose numbers are not decimal, whose end is missing, or whose first line is.
@Suite struct TextDamageTests {
  private static func areHexadecimal(_ text: String) -> Bool { HexNumbers.fill(Array(text.utf8).span) }

  @Test(arguments: [
    "FE79,01D6,FAE9", "0xFE79,0x01D6,0xFAE9", "X: FE79 Y: 1D6 Z: FAE9", "X: 8D Y: E3 Z: 32", "FFFFFE79\t1D6\tFFFFFAE9",
  ])
  func hexadecimalNumbersAreTold(line: String) {
    let plain = String(line.map { $0.isHexDigit && $0.isUppercase ? "1" : $0 })
    let text = String(repeating: line + "\r\n" + plain + "\r\n", count: 20)
    #expect(Self.areHexadecimal(text))
    var stream = WireStream()
    stream.append(Array(text.utf8).span)
    stream.end()
    var message = WireMessage()
    while stream.next(into: &message) != nil {}
    #expect((stream.fault ?? stream.unresolved) == .hexadecimal)
  }

  @Test(arguments: [
    "-12.92,15.70,-43.49", "X: 1E2 Y: 3E1 Z: 4E1", "mx:141 my:227 mz:50", "Mag: 141 227 50", "141,227,50",
  ])
  func decimalNumbersAreNotHexadecimal(line: String) {
    #expect(!Self.areHexadecimal(String(repeating: line + "\n", count: 20)))
  }

  /// The addresses that a crash prints are not the board's numbers.
  @Test(arguments: ["X: 141 Y: 227 Z: 50", "141 227 50", "-12.92,15.70,-43.49"])
  func addressesOfACrashAreNone(line: String) {
    let dump = (0..<20).map { "3fff\(1000 + 16 * $0):  3ffee4f4 00000000 3ffee4c8 402019c4\r\n" }.joined()
    #expect(!Self.areHexadecimal(dump + line + "\r\n"))
  }

  /// An address beside decimal numbers, as PX4's listener prints a sensor's, says nothing of these.
  @Test(arguments: [
    "    device_id: 396809 (Type: 0x06, I2C:1 (0x0E))", "X:141 Y:227 Z:50 ST:0x1F", "ZES_SEQ=4 MAG_X=129 FLAGS=0x1F",
  ])
  func anAddressBesideNumbersIsNone(line: String) {
    #expect(!Self.areHexadecimal(String(repeating: line + "\n", count: 20)))
  }

  /// The last line ends as those before it do, or is cut off.
  @Test(arguments: [
    ("-12.92,15.70,-43.49\n", "-12.91,15.71,-43.4", false), ("-12.92,15.70,-43.49\n", "-12.91,15.71,-43.48", true),
    ("-12.92,15.70,-43.49\n", "-12.91,15.71", false), ("-129,157,-435\n", "-129,157,-43", false),
    ("X: -129 uT Y: 157 uT Z: -435 uT\r\n", "X: -129 uT Y: 157 uT Z: -431 uT", true),
    ("X: -129 uT Y: 157 uT Z: -435 uT\r\n", "X: -129 uT Y: 157 uT Z: -43", false),
    ("mx:-12.92 my:15.70 mz:-43.49\n", "mx:-12.92 my:15.70 mz:-43.48", true),
    ("1.2e-05,1.3e-05,-4.4e-05\n", "1.2e-05,1.3e-05,-4.4", false),
  ])
  func aLastLineIsReadWhereItIsWhole(line: String, last: String, isWhole: Bool) {
    let messages = LineStampsTests.hear(String(repeating: line, count: 20) + last)
    #expect(messages.count == (isWhole ? 21 : 20), "\(messages.count)")
  }

  /// A first line whose time is cut off does not make all that follow be counted.
  @Test func aFirstLineWithoutItsTimeIsLeftOut() {
    let rows = (0..<20).map { "time_s \(10 + $0).25   mx_uT -12.9200   my_uT 15.7000   mz_uT -43.4900\n" }.joined()
    let messages = LineStampsTests.hear(String(rows.dropFirst(14)))
    #expect(messages.count == 19 && messages.first?.time == 11.25, "\(messages.prefix(2))")
    let untimed = String(repeating: "mx_uT -12.9200   my_uT 15.7000   mz_uT -43.4900\n", count: 20)
    #expect(LineStampsTests.hear(untimed).count == 20)
  }

  /// Lines below a boot loader's, which alone are stamped, have no times.
  @Test(arguments: ["-12.92,15.70,-43.49\n", "X: -12.92 Y: 15.70 Z: -43.49\n"])
  func aBootLoadersStampsAreNoTimes(line: String) {
    let boot = "I (24) boot: ESP-IDF v4.4.5\nI (24) boot: compile time 12:49:57\nI (345) heap_init: 6 KiB\n"
    let messages = LineStampsTests.hear(boot + String(repeating: line, count: 20))
    #expect(messages.count == 20 && messages.allSatisfy { $0.time == nil }, "\(messages.prefix(2))")
    let stamped = LineStampsTests.hear((0..<20).map { "I (\(345 + 50 * $0)) mag: \(line)" }.joined())
    #expect(stamped.count >= 19 && stamped.allSatisfy { $0.time != nil })
  }

  private static let axes = (0..<80).map { "X: -12.9\($0 % 10) Y: 15.7 Z: -43.5\r\n" }

  /// A letter too many in one line made all lines behind it those of another sensor, or left them out for lack of a
  /// unit.
  @Test(arguments: [
    "X: -12.9 hY: 15.7 Z: -43.5", "X: -12.9 {hY: 15.7 Z: -43.5", "X: -12.9 Y: 15.7m Z: -43.5",
    "X: -12.9 Y: 15.7t Z: -43.5", "X: -12.9g Y: 15.7 Z: -43.5", "X: -12.9 Y: 15.7 Z: -43.5T",
  ])
  func aLetterTooManyChangesNoOtherLine(damaged: String) {
    let text = Self.axes.prefix(40).joined() + damaged + "\r\n" + Self.axes.suffix(40).joined()
    let fields = LineStampsTests.hear(text).compactMap { $0.microtesla ?? $0.field }
    let right = fields.count { ($0 - Vector3(-12.95, 15.7, -43.5)).length < 0.1 }
    #expect(right >= 78, "\(right) of \(fields.count)")
  }

  /// Axes that all have names of their own leave bare ones to something else, and a unit from some line on is one.
  @Test func namesAndUnitsOfAllLinesCount() {
    let named = "Mag X: -12.9 Mag Y: 15.7 Mag Z: -43.5 X: 40 Y: 1 Z: 2\r\n"
    let fields = LineStampsTests.hear(String(repeating: named, count: 20)).compactMap { $0.field }
    #expect(fields.count >= 19 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) })
    let stated = Self.axes.map { $0.replacing("\r\n", with: " uT\r\n") }
    let messages = LineStampsTests.hear(Self.axes.prefix(40).joined() + stated.joined())
    #expect(messages.count { $0.fieldUnit == .microtesla } >= 78)
  }

  /// Excel's Unicode text and what PowerShell redirects, in both orders of the bytes, and without their mark.
  @Test(arguments: [false, true], ["\u{FEFF}mx (µT);my (µT);mz (µT)\r\n", "\u{FEFF}", ""])
  func textInUTF16IsRead(isBig: Bool, mark: String) {
    let text = mark + String(repeating: "-12,9;15,7;\(mark.isEmpty ? "-" : "\u{2212}")43,5\r\n", count: 20)
    let bytes = text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    // Without a mark the first bytes have to come at once.
    for chunk in mark.isEmpty ? [37, .max] : [11, .max] {
      var (stream, fields, message) = (WireStream(), [Vector3](), WireMessage())
      var rest = bytes[...]
      while !rest.isEmpty {
        stream.append(Array(rest.prefix(chunk)).span)
        rest = rest.dropFirst(chunk)
      }
      stream.end()
      while let step = stream.next(into: &message) {
        if step == .message, let field = message.field { fields.append(field) }
      }
      // A sign that the first chunk breaks off is not seen.
      #expect(fields.count >= (chunk < .max ? 19 : 20), "\(fields.count)")
      #expect(fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) })
    }
    // The mark alone may be noise on a line.
    let noisy = [0xFF, 0xFE] + Array("\nmx:1,my:2,mz:3\n".utf8)
    var stream = WireStream()
    stream.append((noisy + noisy).span)
    #expect(stream.fault == nil && WideText(beginningWith: noisy.span) == nil)
  }

  /// Rows without names of a board that lies still, the first of which was cut.
  @Test(arguments: ["92,15.70,-43.49", "2.92,15.70,-43.49", "-1,15.70,-43.49"], [0.1, 0.5])
  func aRowThatLostItsBeginningIsLeftOut(first: String, step: Double) {
    let rows = (0..<30).map { number in
      let x = -12.92 + step * Double(number % 4)
      return "\(x.text(decimals: 2)),\(15 + number % 3).70,-43.4\(number % 10)\n"
    }
    // One that is cut within the last digit of ten units may be what the sensor has measured.
    let fields = LineStampsTests.hear(first + "\n" + rows.joined()).compactMap { $0.field }
    #expect(fields.count == 30 && fields.allSatisfy { (-13...(-9.5)).contains($0.x) }, "\(fields.prefix(3))")
    let others = rows.enumerated().map { "\(12_495 + 100 * $0),\($1)" }
    let timed = LineStampsTests.hear("95,-12.92,15.70,-43.49\n" + others.joined())
    #expect(timed.count == 30 && timed.allSatisfy { ($0.time ?? 0) > 12 })
    // A first row that is whole stays, wherever it is.
    #expect(LineStampsTests.hear("-92.92,15.70,-43.49\n" + rows.joined()).count == 31)
  }

  /// A line as long as a page is one line among others.
  @Test func aLongLineWeighsNoMoreThanALine() {
    let rows = (0..<200).map { "-12.9\($0 % 10),15.70,-43.49\n" }
    #expect(LineStampsTests.hear(String(repeating: "a", count: 9000) + "\n" + rows.joined()).count == 200)
  }
}
