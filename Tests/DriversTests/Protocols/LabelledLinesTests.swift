import LodestoneCore
import Testing

@testable import Drivers

/// Names before numbers, where a line holds more than both.
@Suite struct LabelledLinesTests {
  private static func fields(_ line: String) -> [Vector3] {
    LabelledLines.hear(String(repeating: line, count: 4)).messages.compactMap { $0.field }
  }

  /// Teleplot's stamp in milliseconds stands between name and value, and was taken for the value.
  @Test func aStampBeforeAValueIsATime() throws {
    let lines = (0..<4).map {
      ">mx:\(12_395 + 50 * $0):-12.9\n>my:\(12_395 + 50 * $0):15.7\n>mz:\(12_395 + 50 * $0):-43.5\n"
    }
    let messages = LabelledLines.hear(lines.joined()).messages
    #expect(messages.count >= 3 && messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
    let times = messages.compactMap { $0.time }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.05) < 1e-9 } && times.count == messages.count)
    #expect(Self.fields("mx:1:-12.9\nmy:1:15.7\nmz:1:-43.5\n").allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) })
    #expect(Self.fields(">mx:-12.9§uT\n>my:15.7§uT\n>mz:-43.5§uT\n").last == Vector3(-12.9, 15.7, -43.5))
  }

  /// A broker's client prints a topic and what came; the remarks of a page of metrics say nothing.
  @Test(arguments: [
    "board/mag/x -12.9\nboard/mag/y 15.7\nboard/mag/z -43.5\n", "mag/x -> -12.9\nmag/y -> 15.7\nmag/z -> -43.5\n",
    "boat/imu/magnetometer/X: -12.9\nboat/imu/magnetometer/Y: 15.7\nboat/imu/magnetometer/Z: -43.5\n",
    "# HELP mag_x_ut field\nmag_x_ut -12.9\n# HELP mag_y_ut field\nmag_y_ut 15.7\n# HELP mag_z_ut field\nmag_z_ut -43.5\n",
  ])
  func topicsNameAxes(lines: String) { #expect(Self.fields(lines).last == Vector3(-12.9, 15.7, -43.5)) }

  /// So do the columns of a table, and the keys of an object.
  @Test func topicsNameColumnsAndKeys() {
    let table = CSV.hear("board/mag/x,board/mag/y,board/mag/z\n" + String(repeating: "-12.9,15.7,-43.5\n", count: 4))
    #expect(table.messages.last?.field == Vector3(-12.9, 15.7, -43.5))
    let keys = JSONLines.hear(#"{"board/mag/x":-12.9,"board/mag/y":15.7,"board/mag/z":-43.5}"# + "\n")
    #expect(keys.messages.first?.field == Vector3(-12.9, 15.7, -43.5))
  }

  /// Three axes in one name, with their sensor, a unit, or neither.
  @Test(arguments: [
    "Mag X,Y,Z: -12.9,15.7,-43.5\n", "mag xyz: -12.9 15.7 -43.5\n", "XYZ: -12.9, 15.7, -43.5\n",
    "Magnetometer (x, y, z) uT: -12.9, 15.7, -43.5\n", "mag_xyz=-12.9 15.7 -43.5\n",
  ])
  func oneNameMayHoldThreeAxes(line: String) {
    #expect(Self.fields(line).last == Vector3(-12.9, 15.7, -43.5))
    let acceleration = LabelledLines.hear("Accel XYZ: 0.25 1.02 9.75 Mag XYZ: 1 2 3\n").messages.first
    #expect(acceleration?.acceleration == Vector3(0.25, 1.02, 9.75) && acceleration?.field == Vector3(1, 2, 3))
  }

  /// A unit with a stroke is no topic.
  @Test func unitsWithAStrokeStayUnits() {
    let heard = LabelledLines.hear("Accel X: 0.25 m/s^2 Y: 1.02 m/s^2 Z: 9.75 m/s^2 Mag X: 1 Y: 2 Z: 3\n").messages
      .first
    #expect(heard?.acceleration == Vector3(0.25, 1.02, 9.75) && heard?.accelerationUnit == .metresPerSecondSquared)
  }

  /// A line with a dollar sign and no checksum is not accused of a wrong one.
  @Test func onlyAWrongChecksumIsWrong() {
    func doubt(_ line: String) -> WireFault? {
      var detector = Detector()
      _ = detector.listen(to: Array(String(repeating: line, count: 30).utf8).span)
      return detector.doubt
    }
    #expect(doubt("$-13.04 15.54 -43.50;\n") != .wrongChecksums)
    #expect(doubt("$HCHDM,40.3,M*00\n") == .wrongChecksums)
  }
}
