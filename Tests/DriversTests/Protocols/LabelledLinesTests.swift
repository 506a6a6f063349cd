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

  /// Of two sensors of a kind the first is read, the other is told, and no message holds numbers of both.
  @Test(arguments: [
    ("Mag1: X:%Y:%Z:%", "Mag2: X:%Y:%Z:%", "Mag2"), ("Mag1 X:%Y:%Z:%", "Mag2 X:%Y:%Z:%", "Mag2"),
    ("Mag 1: X:%Y:%Z:%", "Mag 2: X:%Y:%Z:%", "Mag 2"), ("Mag1: %,%,%", "Mag2: %,%,%", "Mag2"),
    ("LIS3MDL X:%Y:%Z:%", "MMC5603 X:%Y:%Z:%", "MMC5603"),
    ("LIS3MDL: mx:%my:%mz:%", "MMC5603: mx:%my:%mz:%", "MMC5603"),
    ("LIS3MDL mx:%my:%mz:%", "MMC5603 mx:%my:%mz:%", "MMC5603"),
    ("QMC5883L (0x0D): X:%Y:%Z:%", "HMC5883L (0x1E): X:%Y:%Z:%", "HMC5883L"),
    ("Sensor 1 X:%Y:%Z:%", "Sensor 2 X:%Y:%Z:%", "Sensor 2"),
    ("Sensor 1: Mag X:%Y:%Z:%", "Sensor 2: Mag X:%Y:%Z:%", "Sensor 2"),
    ("left mag X:%Y:%Z:%", "right mag X:%Y:%Z:%", "right mag"),
    ("mag1_x:%mag1_y:%mag1_z:%", "mag2_x:%mag2_y:%mag2_z:%", "mag2"),
    ("mag_x_1:%mag_y_1:%mag_z_1:%", "mag_x_2:%mag_y_2:%mag_z_2:%", nil),
  ])
  func twoSensorsAreNeverMixed(first: String, second: String, other: String?) {
    func line(_ form: String, _ values: [Double]) -> String {
      let parts = form.split(separator: "%", omittingEmptySubsequences: false).map { String($0) }
      return zip(parts, values).map { $0 + $1.text(decimals: 1) + " " }.joined()
        .replacing(" ,", with: ",")
    }
    let lines = (line(first, [-12.9, 15.7, -43.5]), line(second, [30.1, -25.7, -33.5]))
    for end in ["\n", "  "] {
      var decoder = LabelledLines()
      let text = String(repeating: lines.0 + end + lines.1 + "\n", count: 8)
      let fields = decoder.hear(Array(text.utf8)).messages.compactMap { $0.field }
      #expect(
        fields.count >= 7 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) }, "\(text.prefix(80)): \(fields)")
      if let other { #expect(decoder.otherCompass == other) } else { #expect(decoder.otherCompass != nil) }
    }
  }

  /// The unit of the sensor that is passed over is not that of the other, and one sensor that is told twice is one.
  @Test func theOtherSensorsUnitIsItsOwn() {
    let heard = LabelledLines.hear(String(repeating: "Mag1 (uT): 1,2,43 Mag2 (mG): 10,20,430\n", count: 4)).messages
    #expect(heard.count >= 3 && heard.allSatisfy { $0.field == Vector3(1, 2, 43) && $0.fieldUnit == .microtesla })
    var one = LabelledLines()
    let text = String(repeating: "Accel 1: X: 0 Y: 0 Z: 9.8 Mag 1: X: 1 Y: 2 Z: 43\n", count: 4)
    let messages = one.hear(Array(text.utf8)).messages
    #expect(messages.count >= 3 && messages.allSatisfy { $0.field == Vector3(1, 2, 43) && $0.acceleration != nil })
    #expect(one.otherCompass == nil)
  }

  /// The name of a chip says what its axes are.
  @Test func chipsTellTheirQuantity() {
    let force = LabelledLines.hear(String(repeating: "ADXL345 X: 0.10 Y: -0.20 Z: 9.81\n", count: 4)).messages
    #expect(force.count >= 3 && force.allSatisfy { $0.field == nil && $0.acceleration == Vector3(0.1, -0.2, 9.81) })
    let rate = LabelledLines.hear(String(repeating: "L3GD20 X: 5.1 Y: -7.2 Z: 1.0\n", count: 4)).messages
    #expect(rate.count >= 3 && rate.allSatisfy { $0.field == nil && $0.rotationRate == Vector3(5.1, -7.2, 1) })
    let either = LabelledLines.hear(String(repeating: "MPU6050 X: 16 Y: 163 Z: 16384\n", count: 4)).messages
    #expect(either.allSatisfy { $0.field == nil })
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
