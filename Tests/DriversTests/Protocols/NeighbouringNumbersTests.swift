import LodestoneCore
import Testing

@testable import Drivers

/// Numbers beside those of a sensor, which no name but their place, their unit or their neighbours tell from it.
@Suite struct NeighbouringNumbersTests {
  private static let field = Vector3(-12.9, 15.7, -43.5), force = Vector3(0.1, -0.2, 0.97), rate = Vector3(1, 2, 3)

  /// The messages of a stream that begins with some text and goes on with lines that come again; `#` in them is their
  /// number.
  private static func messages(_ start: String, _ lines: String, count: Int = 12) -> [WireMessage] {
    var stream = WireStream()
    let text = start + (0..<count).map { lines.replacing("#", with: "\($0)") }.joined()
    stream.append(Array(text.utf8).span)
    stream.end()
    var messages: [WireMessage] = []
    while let event = stream.next() {
      if case .message(let message) = event { messages.append(message) }
    }
    return messages
  }

  private static func messages(_ lines: String) -> [WireMessage] { messages("", lines) }

  private static func isRead(_ messages: [WireMessage]) -> Bool {
    let fields = messages.compactMap { $0.field }
    return fields.count > 8 && fields.allSatisfy { $0 == field }
  }

  /// `G` was the unit of the acceleration before it, and its axes were taken for that one's.
  @Test(arguments: [
    "Acc:[x=0.1, y=-0.2, z=0.97], G:[x=1, y=2, z=3], compass:[x=-12.9, y=15.7, z=-43.5]\n",
    "A: 0.1 -0.2 0.97\nG: 1 2 3\nM: -12.9 15.7 -43.5\n",
    "A - x: 0.1 y: -0.2 z: 0.97 g, G - x: 1 y: 2 z: 3, M - x: -12.9 y: 15.7 z: -43.5\n",
  ]) func theLetterGNamesAGyroscope(lines: String) {
    let messages = Self.messages(lines)
    #expect(messages.count > 8)
    for message in messages.dropFirst() {
      #expect(message.field == Self.field && message.fieldUnit == nil)
      #expect(message.acceleration == Self.force && message.rotationRate == Self.rate)
    }
  }

  /// The axes without a name that begin each line were taken for those of the sensor that ends it.
  @Test func axesWithoutANameStayTheFields() {
    let messages = Self.messages("X: -12.9 Y: 15.7 Z: -43.5 Acc: 0.1, -0.2, 0.97\n")
    #expect(Self.isRead(messages) && messages.allSatisfy { $0.acceleration == Self.force })
  }

  /// A stream begins within a message: its y and z were put beside the x of the next one, and went on so.
  @Test(arguments: [
    ("Y: 9.9 uT\nZ: 8.8 uT\n", "X: -1# uT\nY: -2# uT\nZ: -3# uT\n"),
    ("", "Z: -3# uT\nY: -2# uT\nX: -1# uT\n"),
    ("Y: 9.9 uT\nX: 8.8 uT\n", "Z: -3# uT\nY: -2# uT\nX: -1# uT\n"),
    ("9 my: 9.9 mz: 8.8\n", "mx: -1# my: -2# mz: -3#\n"),
    ("mz: 8.8\n", "ax: 0.1 ay: -0.2 az: 0.97 mx: -1# my: -2# mz: -3#\n"),
  ]) func axesOfTwoMomentsNeverMeet(start: String, lines: String) {
    let fields = Self.messages(start, lines).compactMap { $0.field }
    #expect(fields.count > 8)
    for field in fields { #expect(field.y - field.x == field.z - field.y && field.x < 0, "\(field)") }
  }

  /// The acceleration of a line that was cut off at its beginning was that of the next line's field.
  @Test(arguments: [
    ("ay: 9\naz: 9\nmx: -90\nmy: 0\nmz: 0\n", "ax: 1#\nay: 0\naz: 0\nmx: -1#\nmy: 0\nmz: 0\n"),
    ("ax: 9 ay: 9 az: 9\n", "mx: -1# my: -2# mz: -3# ax: 1# ay: 0 az: 0\n"),
    ("Acc: 9, 9, 9\n-----\n", "Mag: -1#, 0, 0\nAcc: 1#, 0, 0\n-----\n"),
  ]) func quantitiesOfTwoMomentsNeverMeet(start: String, lines: String) {
    let whole = Self.messages(start, lines).filter { $0.field != nil && $0.acceleration != nil }
    #expect(whole.count > 8 && whole.allSatisfy { $0.field?.x == $0.acceleration.map { -$0.x } }, "\(whole)")
  }

  /// The x of a field was the heading of a BNO055, because the state of its calibration stands beside it.
  @Test func aStateOfCalibrationMakesNoHeading() {
    for line in ["mx: 12.9 my: 15.7 mz: -43.5", "Mag: 12.9, 15.7, -43.5"] {
      let messages = Self.messages(line + " Sys: 3 Gyro: 3 Accel: 1 Mag: 2\n")
      #expect(messages.count > 8 && messages.allSatisfy { $0.own == nil && $0.field == Vector3(12.9, 15.7, -43.5) })
    }
  }

  /// A temperature was the time, though another name tells that, or °C stand behind it.
  @Test(arguments: [
    "millis=1#00, mx=-12.9, my=15.7, mz=-43.5, T=24.5#\n", "T=24.5#, mx=-12.9, my=15.7, mz=-43.5, millis=1#00\n",
    "mx: -12.9 my: 15.7 mz: -43.5 T: 24.5# C\n", "T=24.5#°C mx: -12.9 my: 15.7 mz: -43.5\n",
    "mx: -12.9 my: 15.7 mz: -43.5 T: 24.5# deg C\n",
  ]) func aTemperatureIsNoTime(line: String) {
    let messages = Self.messages("", line, count: 10)
    #expect(Self.isRead(messages), "\(messages)")
    #expect(messages.allSatisfy { !((0.02...0.03).contains($0.time ?? 0) || (24...25).contains($0.time ?? 0)) })
    #expect(!line.contains("millis") || messages.allSatisfy { $0.time != nil })
  }

  /// A yaw that is called Y was an axis of the field.
  @Test(arguments: [
    "Y: 1#.5 P: 0.57 R: 1.2 mx: -12.9 my: 15.7 mz: -43.5\n", "mx: -12.9 my: 15.7 mz: -43.5 R: 1.2 P: 2.4 Y: 1#.5\n",
    #"{"mag":{"x":-12.9,"y":15.7,"z":-43.5},"y":30#.5,"p":2.4,"r":1.2}"# + "\n",
  ]) func aYawIsNoAxis(line: String) { #expect(Self.isRead(Self.messages(line)), "\(Self.messages(line))") }

  /// The numbers of a calibration that is told at the start were a first field.
  @Test func aCalibrationIsNoField() {
    let messages = Self.messages("Calibration: x 12.5 y -3.2 z 4.1\n", "MAG: [-12.9 15.7 -43.5]\n")
    #expect(Self.isRead(messages))
  }

  /// `mg` in brackets behind an axis alone was thousandths of a gauss whichever sensor had been named.
  @Test func aUnitInBracketsIsOfTheSensorThatWasNamed() {
    let lines = "Mag: X (uT): -12.9\nY (uT): 15.7\nZ (uT): -43.5\nA: X (mg): 100\nY (mg): -200\nZ (mg): 970\n"
    let messages = Self.messages(lines)
    #expect(Self.isRead(messages))
    #expect(messages.allSatisfy { $0.acceleration == Vector3(100, -200, 970) && $0.accelerationUnit == .milligravity })
    let force = Self.messages(
      "accel X (m/s/s) 1 / Y (m/s/s) 2 / Z (m/s/s) 9 / Mag X (uT) -12.9 / Y (uT) 15.7 / Z (uT) -43.5\n")
    #expect(Self.isRead(force) && force.allSatisfy { $0.acceleration == Vector3(1, 2, 9) })
  }

  @Test func teslasStandBehindNumbersToo() {
    let messages = Self.messages("Compass:X:-0.0000129 Y:0.0000157 Z:-0.0000435T  gyro:X: 1 Y: 2 Z: 3 rads/s\n")
    #expect(messages.count > 8 && messages.allSatisfy { (($0.microtesla ?? .zero) - Self.field).length < 1e-9 })
    #expect(messages.allSatisfy { $0.rotationRate == Self.rate && $0.rotationRateUnit == .radiansPerSecond })
  }

  /// Raw numbers on a line before the same in units: the second sensor of the line is raw as well, and no sample behind
  /// the first is of them.
  @Test(arguments: [
    "Raw A: 1 2 3 M: -141 171 -474\nA: 0.1 -0.2 0.97 M: -12.9 15.7 -43.5\n",
    "{\"mag_raw\":[-141,171,-474]}\n{\"mag\":[-12.9,15.7,-43.5]}\n",
    "Mag: (-12.9, 15.7, -43.5)\nHard offset: (3, -2, 4)\nField: (20.1, 20.3, 47.2)\n",
  ]) func anotherStatementIsNoSample(lines: String) {
    let messages = Array(Self.messages(lines).dropFirst())
    #expect(Self.isRead(messages), "\(messages)")
  }

  /// `T` was taken for the time, in the unit of the one beside it.
  @Test(arguments: [
    ("", ##"{"us":83#00000,"x":-12.9,"y":15.7,"z":-43.5,"T":24.5}"##),
    ("T,mx,my,mz,micros\n", "24.5,-12.9,15.7,-43.5,83#00000"),
  ]) func aTemperatureBesideATimeIsNone(start: String, line: String) {
    let messages = Self.messages(start, line + "\n")
    #expect(Self.isRead(messages))
    let times = messages.prefix(10).compactMap { $0.time }
    #expect(times.count == 10 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 1e-6 }, "\(times)")
  }

  /// A yaw on a line of its own was the y of the field before it.
  @Test(arguments: ["R: 8.5°\nP: -3.4°\nY: 338.7°\n", "R: 8.5° P: -3.4° Y: 338.7°\n"])
  func anAngleIsNoAxis(angles: String) {
    #expect(Self.isRead(Self.messages("Mag_x: -12.9\nMag_y: 15.7\nMag_z: -43.5\n" + angles)))
    #expect(Self.isRead(Self.messages("Mag X: -12.9 Y: 15.7 Z: -43.5\n" + angles)))
  }

  @Test func aUnitMayStandBesideItsNumbersInAnObject() {
    let object = #"{"gyro":{"x":1,"y":2,"z":3,"unit":"rad/s"},"mag":{"x":-12.9,"y":15.7,"z":-43.5,"unit":"uT"}}"# + "\n"
    let messages = Self.messages(object)
    #expect(Self.isRead(messages))
    #expect(messages.allSatisfy { $0.fieldUnit == .microtesla && $0.rotationRateUnit == .radiansPerSecond })
  }

  /// Names that leave no three columns for a field.
  @Test(arguments: ["temp,humidity,light\n", "yaw,pitch,roll\n", "Roll Pitch Yaw\n"])
  func namesOfOtherThingsAreNoField(header: String) {
    let separator = header.contains(",") ? "," : " "
    let rows = (0..<40).map { ["\(20 + $0)", "\(40 - $0)", "30.5"].joined(separator: separator) + "\n" }
    var table = CSV()
    #expect(table.hear(Array((header + rows.joined()).utf8)).messages.isEmpty && table.doubt == .noField)
    #expect(OtherHeader(Array("north_nT,east_nT,down_nT".utf8).span) != nil)
    #expect(OtherHeader(Array("a,b,c,temp".utf8).span) == nil && OtherHeader(Array("X Y ready".utf8).span) == nil)
  }

  /// A word before rows between blanks moved all columns by one.
  @Test func aWordBeforeARowMovesNoColumns() {
    let rows = (0..<12).map { "app: \($0) -12.9 15.7 -43.5\n" }
    #expect(CSV.hear("idx mx my mz\n" + rows.joined()).messages.isEmpty)
  }

  @Test(arguments: ["@) ", "#@: ", "Out[@]: ", "uart:~$ "]) func whatCountsLinesIsTakenOff(prompt: String) {
    let lines = (10..<30).map { prompt.replacing("@", with: "\($0)") + "-12.9, 15.7, -43.5\n" }
    #expect(Self.isRead(Self.messages(lines.joined(), "", count: 0)), "\(prompt)")
  }

  /// The bytes of a minus sign and a digit in a binary frame are none.
  @Test func signsAreSoughtInTextAlone() {
    func arePresent(_ bytes: [UInt8]) -> Bool {
      var signs = MinusSigns()
      signs.seek(in: bytes.span)
      return signs.arePresent
    }
    let sign = Array("\u{2212}12.9".utf8)
    #expect(arePresent(sign) && arePresent(Array("Temp 24 °C X: \u{2212}12.9 µT".utf8)))
    #expect(
      !arePresent([0xFA, 0xFF, 0x32, 0x01] + sign + [0x00, 0x41])
        && !arePresent([0xFA, 0xFF] + sign + [0xC3, 0x28, 0x31]))
  }
}
