import LodestoneCore
import Testing

@testable import Drivers

/// Lines with other marks around and between numbers than most.
@Suite struct OddLinesTests {
  private static let field = Vector3(-12.9, 15.7, -43.5)

  private static func isRead(_ messages: [WireMessage]) -> Bool {
    messages.count >= 18 && messages.allSatisfy { $0.field == field }
  }

  @Test(arguments: [
    "-12.9/15.7/-43.5", "-12.9 / 15.7 / -43.5", "#-12.9/+15.7/-43.5>", ">>> -12.9, 15.7, -43.5",
    ">>> (-12.9, 15.7, -43.5)", "> -12.9 15.7 -43.5", "-> -12.9 15.7 -43.5", "Sample @: -12.9, 15.7, -43.5",
    "Reading @: -12.9 15.7 -43.5", "@: -12.9 15.7 -43.5", "\u{2212}12.9, 15.7, \u{2212}43.5",
    "X: \u{2212}12.9 Y: 15.7 Z: \u{2212}43.5 uT", "mx=\u{2013}12.9 my=15.7 mz=\u{2013}43.5",
    "X:\u{FF0D}12.9 Y:15.7 Z:\u{FF0D}43.5", "{\"mx\":\u{2212}12.9,\"my\":15.7,\"mz\":\u{2212}43.5}",
  ]) func marksAreReadOver(line: String) {
    let text = (0..<20).map { line.replacing("@", with: String($0)) + "\r\n" }.joined()
    for chunk in [Int.max, 64, 7] {
      let messages = LineStampsTests.hear(text, chunk: chunk)
      #expect(Self.isRead(messages), "\(chunk): \(messages.prefix(3))")
    }
  }

  /// Words behind a mark, between the lines of a message.
  @Test(arguments: ["!phase:IDLE", "! armed", "!phase: COAST"]) func wordsBehindAMarkArePassedOver(words: String) {
    let text = String(repeating: ">mag_x:-12.9\r\n>mag_y:15.7\r\n>mag_z:-43.5\r\n\(words)\r\n", count: 20)
    #expect(Self.isRead(LineStampsTests.hear(text)))
  }

  /// Dates, clocks and ranges are no rows.
  @Test(arguments: ["27/11/2026", "27/11/2026 -12.9 15.7 -43.5", "12:30 -12.9 15.7", "3–5, 4–6, 7–9", "1/2 -12.9 15.7"])
  func datesAndRangesAreNoFields(line: String) {
    #expect(LineStampsTests.hear(String(repeating: line + "\n", count: 20)).allSatisfy { $0.field == nil })
  }

  /// RIOT's sensor registry, as its example and its shell print it.
  @Test(arguments: ["Dev: lis3mdl\tType: SENSE_MAG", "Reading from #1 (lis3mdl|SENSE_MAG)"])
  func readingsOfRIOTAreRead(title: String) {
    func values(_ numbers: [String], _ unit: String) -> String {
      zip(["Data:\t[0] ", "\t[1] ", "\t[2] "], numbers).map { $0 + "       " + $1 + " " + unit + "\n" }.joined()
    }
    let text =
      title + "\n" + values(["-129", "157", "-435"], "mGs") + "\nDev: lsm6dsl\tType: SENSE_ACCEL\n"
      + values(["25", "104", "994"], "mgₙ") + "\nDev: bmp280\tType: SENSE_PRESS\nData:\t            101325 Pa\n\n"
    let messages = LineStampsTests.hear(String(repeating: text, count: 10))
    #expect(messages.count >= 9)
    for message in messages.dropFirst() {
      #expect(message.field == Vector3(-129, 157, -435) && message.fieldUnit == .milligauss)
      #expect(message.acceleration == Vector3(25, 104, 994) && message.accelerationUnit == .milligravity)
    }
  }

  /// A teslameter's frames, of one axis, are no sentences of NMEA with remarks.
  @Test func framesAreNoRemarks() {
    var stream = WireStream()
    stream.append(Array(String(repeating: "#+0048.00>\r\n", count: 20).utf8).span)
    stream.end()
    #expect(stream.protocolName == nil)
    let text = "# a log\n# of a boat\n" + String(repeating: "$HCHDM,40.3,M*1E\r\n# still\n", count: 5)
    #expect(NMEA0183.hear(text).messages.count == 5)
  }
}
