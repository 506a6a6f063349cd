import LodestoneCore
import Testing

@testable import Drivers

/// Lines as the examples of libraries and the exports of apps have them.
@Suite struct PublicSketchesTests {
  private static func labels(_ text: String) -> [WireMessage] {
    LabelledLines.hear(String(repeating: text, count: 6)).messages
  }

  // MARK: Units alone

  /// 7Semi's MMC5983MA.
  @Test func aUnitAloneNamesAField() {
    let messages = Self.labels("mG: -129.19, 156.96, -434.93\nTemp (C): 24.50\n")
    #expect(messages.count >= 4)
    for message in messages {
      #expect(message.field == Vector3(-129.19, 156.96, -434.93) && message.fieldUnit == .milligauss)
    }
  }

  /// ST's driver of the LSM9DS1, and mbed's of the X-NUCLEO boards.
  @Test(arguments: [
    "IMU - [mg]:25.00\t104.00\t994.00\t[mdps]:2600.00\t390.00\t-5430.00\nMAG - [mG]:-129.00\t157.00\t-435.00\n",
    "---\nLSM303AGR [mag/mgauss]:    -129,    157,   -435\nLSM303AGR [acc/mg]:      25,    104,    994\n"
      + "LSM6DSL [gyro/mdps]:     2600,    390,  -5430\n",
    "| Temp[C]: 24.50 | Acc[mg]: 25 104 994 | Gyr[mdps]: 2600 390 -5430 | Mag[mGauss]: -129 157 -435 |\n",
  ]) func unitsNameTheSensorsOfSTsBoards(text: String) {
    let messages = Self.labels(text)
    #expect(messages.count >= 4)
    for message in messages.dropFirst() {
      #expect(message.field == Vector3(-129, 157, -435) && message.fieldUnit == .milligauss)
      #expect(message.acceleration == Vector3(25, 104, 994) && message.accelerationUnit == .milligravity)
      #expect(message.rotationRate == Vector3(2600, 390, -5430) && message.rotationRateUnit == .millidegreesPerSecond)
    }
    #expect(messages.last?.degreesPerSecond.map { ($0 - Vector3(2.6, 0.39, -5.43)).length < 1e-9 } == true)
  }

  /// Names of angles are no sensors, and a unit behind its number is no name of the next one.
  @Test func whatIsNoNameNamesNothing() {
    #expect(Self.labels("-12.9 uT, 15.7 uT, -43.5 uT, 48.0 uT\n").isEmpty)
    #expect(Self.labels("alpha: 40.3\nbeta: 1.2\ngamma: 3.4\n").isEmpty)
  }

  // MARK: Names

  /// DFRobot's BNO055: what is worked out stands behind the three sensors under the same letters.
  @Test func shortNamesOfWhatIsWorkedOutAreNoSensors() {
    let text =
      "acc analog: (unit mg)       X: 25 Y: 104 Z: 994\nmag analog: (unit ut)       X: -13 Y: 16 Z: -43\n"
      + "gyr analog: (unit dps)      X: 3 Y: 1 Z: -5\nlia analog: (unit mg)       X: 1 Y: 2 Z: 3\n"
      + "grv analog: (unit mg)       X: 24 Y: 103 Z: 993\neul analog: (unit degree)   head: 40.3 roll: 1.0 pitch: 2.0\n"
      + "qua analog: (no unit)       w: 0.9 x: 0.1 y: 0.2 z: 0.3\n"
    let messages = Self.labels(text)
    #expect(messages.count >= 4)
    for message in messages.dropFirst() {
      #expect(message.field == Vector3(-13, 16, -43) && message.acceleration == Vector3(25, 104, 994))
      #expect(message.rotationRate == Vector3(3, 1, -5))
    }
  }

  /// A micro:bit's accelerometer in thousandths of g, under the word of its editor.
  @Test func aForceIsNoField() {
    #expect(Self.labels("Force (x,y,z): 12 -40 1018\n").isEmpty)
    #expect(Self.labels("Mag (x,y,z): -129 157 -435\n").last?.field == Vector3(-129, 157, -435))
  }

  @Test(arguments: ["data: 40.3\n---\n", "ros data: 40.3\n"]) func aLoneNumberOfROSIsAskedAbout(text: String) {
    var decoder = LabelledLines()
    #expect(decoder.hear(Array(String(repeating: text, count: 6).utf8)).messages.isEmpty)
    if case .loneAngles? = decoder.doubt {} else { Issue.record("\(String(describing: decoder.doubt))") }
  }

  /// Counts before the same in g: the unit is not theirs, though it holds from the line before.
  @Test func countsBesideGravitiesAreLeftOut() {
    let text =
      "Accelerometer (X, Y, Z): 410, 1704, 16286\nAccelerometer (g): 0.03, 0.10, 0.99\nMagnetometer HMC/QMC:\n"
      + "X: -12.90 µT  Y: 15.70 µT  Z: -43.50\n"
    let messages = Self.labels(text)
    let (field, force) = (Vector3(-12.9, 15.7, -43.5), Vector3(0.03, 0.1, 0.99))
    let whole = messages.filter { $0.field == field && $0.acceleration == force }
    #expect(whole.count >= 3 && whole.allSatisfy { $0.accelerationUnit == .g })
    #expect(messages.dropFirst(2).allSatisfy { ($0.acceleration?.length ?? 0) < 2 })
  }

  @Test(arguments: ["40.30 Degrees\n", "40.3 deg\n", "40.3°\n"]) func aHeadingAloneMayHaveItsUnit(text: String) {
    let text = String(repeating: text, count: 4)
    #expect(HMR3300.hear(text).messages.allSatisfy { $0.own?.magnetic?.degrees == 40.3 })
    #expect(HMR3300.hear(text).messages.count == 4)
    var table = CSV()
    #expect(table.hear(Array(text.utf8)).messages.isEmpty && table.doubt == .loneNumbers)
    #expect(HMR3300.hear("40.3 C\n40.3 V\n").messages.isEmpty)
  }
}
