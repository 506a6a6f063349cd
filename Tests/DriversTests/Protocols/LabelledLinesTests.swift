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

  /// The examples of Wolfgang Ewald's libraries say the unit last, and call accelerations g-values.
  @Test(arguments: ["Acceleration in g (x,y,z):", "g-values (x,y,z):", "g values:"])
  func unitsMayStandLastInATitle(title: String) {
    let text =
      title + "\n0.03   0.10   0.99\nResultant g: 1.00\nGyroscope data in degrees/s: \n1.00   2.00   3.00\n"
      + "Magnetometer Data in µTesla: \n-12.90   15.70   -43.50\nTemperature in °C: 24.50\n********************\n"
    let messages = LabelledLines.hear(String(repeating: text, count: 4)).messages
    #expect(messages.count >= 3)
    for message in messages {
      #expect(message.field == Vector3(-12.9, 15.7, -43.5) && message.fieldUnit == .microtesla)
      #expect(message.acceleration == Vector3(0.03, 0.1, 0.99) && message.accelerationUnit == .g)
      #expect(message.rotationRate == Vector3(1, 2, 3) && message.rotationRateUnit == .degreesPerSecond)
    }
  }

  /// Arduino's Nicla Sense ME puts words between a sensor and its axes.
  @Test func valuesOfANiclaAreRead() {
    let text =
      "acceleration: XYZ values - X: 103   Y: 426   Z: 4071\n\nmagnetometer: XYZ values - X: -206   Y: 251   Z: -696\n\n"
    let messages = LabelledLines.hear(String(repeating: text, count: 4)).messages
    #expect(messages.count >= 3 && messages.allSatisfy { $0.field == Vector3(-206, 251, -696) })
    #expect(messages.allSatisfy { $0.acceleration == Vector3(103, 426, 4071) })
  }

  /// One angle a line may be a heading: it is asked, and not beside what tells more.
  @Test(arguments: ["Bearing: 40.3", "Yaw: 40.3", "azimuth = 40", "Degrees: 40.3", "Angle 40.3"])
  func aLoneAngleIsAskedAbout(line: String) {
    var decoder = LabelledLines()
    #expect(decoder.hear(Array(String(repeating: line + "\n", count: 4).utf8)).messages.isEmpty)
    #expect(decoder.doubt == .loneAngles(line))
    #expect(decoder.hear(Array((line + "\nmx: 1 my: 2 mz: 3\n" + line + "\n").utf8)).messages.count == 1)
    #expect(decoder.doubt == nil)
  }

  /// SparkFun's example for the HMC6343 prints tenths and then degrees, with the sign of Latin-1.
  @Test func ofTwoNumbersOfAHeadingTheOneWithTheUnitCounts() {
    func headings(_ line: [UInt8]) -> [Double?] {
      LabelledLines.hear([[UInt8]](repeating: line, count: 4).flatMap { $0 }).messages.map { $0.own?.magnetic?.degrees }
    }
    let raw = Array("Heading: 352  35.20".utf8) + [0xB0] + Array("\r\nPitch:   -12  -1.20".utf8) + [0xB0, 0x0D, 0x0A]
    #expect(headings(raw).count >= 3 && headings(raw).allSatisfy { $0 == 35.2 })
    #expect(headings(Array("Heading: 403  40.3 degrees\n".utf8)).last == 40.3)
    #expect(headings(Array("Heading: 40.3° 4.1°\n".utf8)).last == 40.3)
    #expect(headings(Array("Heading: 40.3 declination 4.1°\n".utf8)).last == 40.3)
    #expect(headings(Array("Heading: 40° 18'\n".utf8)).last == 40)
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

  /// The y and z behind an x that is not read are not the field's: a BNO08x's example prints several vectors.
  @Test func axesBehindAnotherXAreNotTheFields() {
    let lines =
      "Accelerometer - x: 0.25 y: 1.02 z: 9.75\nMagnetic Field - x: -12.9 y: 15.7 z: -43.5\n"
      + "Linear Acceration - x: 0.01 y: 0.00 z: 0.02\n"
    let fields = Self.fields(lines)
    #expect(fields.count >= 3 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) }, "\(fields)")
    let bno055 = Self.fields("Mag:\tx= -12.9 |\ty= 15.7 |\tz= -43.5\nAccl:\tx= 0.25 |\ty= 1.02 |\tz= 9.75\n")
    #expect(bno055.count >= 3 && bno055.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) }, "\(bno055)")
  }

  /// A heading in radians with its degrees behind a name of their own is not one of less than 7°.
  @Test(arguments: [" Heading = 0.70 Degress = 40.27\n", "Heading: 0.70 Degrees: 40.27\n"])
  func degreesBehindRadiansAreTheHeading(line: String) {
    let headings = LabelledLines.hear(String(repeating: line, count: 4)).messages.map { $0.own?.magnetic?.degrees }
    #expect(headings.count >= 3 && headings.allSatisfy { $0 == 40.27 }, "\(headings)")
  }

  private static func headings(_ lines: [String]) -> [OwnHeading?] {
    LabelledLines.hear(lines.joined(separator: "\n") + "\n").messages.map { $0.own }
  }

  /// Whoever takes `atan2` as it is tells headings to either side of north: those west of it were left out.
  @Test(arguments: [
    "Heading: %", "Heading: % degrees", "hdg=%", "North: %", "roll: 0    pitch: 0    angle full: %", "Compass: %",
    "compass_deg: %",
  ])
  func headingsOnBothSidesOfNorthAreAllRead(form: String) {
    let told = [40.5, -40.5, -179.5, 179.5]
    let headings = Self.headings(told.map { form.replacing("%", with: "\($0)") })
    #expect(headings.map { $0?.magnetic?.degrees } == [40.5, 319.5, 180.5, 179.5], "\(headings)")
    let lines = told.map { "{\"heading\": \($0)}\n" }.joined()
    let degrees = JSONLines.hear(lines).messages.map { $0.own?.magnetic?.degrees }
    #expect(degrees == [40.5, 319.5, 180.5, 179.5], "\(degrees)")
  }

  /// Sketches print what `atan2` gives as well: a turn all the way round tells, and a heading past it.
  @Test func headingsWithoutAUnitMayBeInRadians() {
    let told = (0..<80).map { (0.7 + 0.11 * Double($0)).truncatingRemainder(dividingBy: 2 * .pi) }
    var decoder = LabelledLines()
    func hear(_ headings: [Double]) -> [Double] {
      decoder.hear(Array(headings.map { "Heading: \($0.text(decimals: 2))\n" }.joined().utf8)).messages
        .compactMap { $0.own?.magnetic?.degrees }
    }
    #expect(hear(Array(told[..<40])).isEmpty && decoder.doubt == .headingUnit)
    let rest = hear(Array(told[40...]))
    #expect(rest.count > 25 && decoder.doubt == nil, "\(rest)")
    for (heading, radians) in zip(rest.reversed(), told.reversed()) {
      #expect(abs(Angle.shortestTurn(from: heading, to: Angle.degrees(radians))) < 0.5)
    }
  }

  /// Headings in tenths of degrees go past 360, and those below are none in degrees either; one damaged number is not
  /// enough.
  @Test func headingsPastATurnAreNoDegrees() {
    func hear<Decoder: WireProtocol>(_ decoder: inout Decoder, _ lines: [String]) -> Int {
      decoder.hear(Array(lines.map { $0 + "\n" }.joined().utf8)).messages.count { $0.own != nil }
    }
    let tenths = (0..<400).map { (403 + 25 * $0) % 3600 }
    var (labels, json, table) = (LabelledLines(), JSONLines(), CSV())
    #expect(hear(&labels, tenths.map { "Heading: \($0)" }) == 0 && labels.doubt == .headingsPastTurn)
    #expect(hear(&json, tenths.map { "{\"heading\":\($0)}" }) == 0 && json.doubt == .headingsPastTurn)
    #expect(hear(&table, ["time_s,heading"] + tenths.enumerated().map { "\($0),\($1)" }) == 0)
    #expect(table.doubt == .headingsPastTurn)
    var damaged = LabelledLines()
    let degrees = (0..<400).map { $0 % 80 == 40 ? "Heading: 4030" : "Heading: 40.3" }
    #expect(hear(&damaged, degrees) == 395 && damaged.doubt == nil)
  }

  /// Near north degrees are as small: they are read once one is past a full turn in radians, at once where they have a
  /// unit, and soon where they are whole.
  @Test func smallHeadingsInDegreesAreRead() {
    let turned = Self.headings(["5.1", "5.9", "7.4", "3.2"].map { "Heading: " + $0 }).map { $0?.magnetic?.degrees }
    #expect(turned == [7.4, 3.2])
    for form in ["Heading: 3.2 degrees", "Heading (degrees): 3.2", "Heading: 3.2°"] {
      let headings = Self.headings([String](repeating: form, count: 3)).map { $0?.magnetic?.degrees }
      #expect(headings.count == 3 && headings.allSatisfy { $0 == 3.2 }, "\(form): \(headings)")
    }
    #expect(Self.headings([String](repeating: "Heading: 3", count: 6)).last??.magnetic?.degrees == 3)
  }

  /// Names with a point behind them, as the Pico's example shortens them.
  @Test func shortNamesKeepTheirSensor() {
    let lines =
      "Acc. X = 1, Y = 2, Z = 9\nGyro. X = 4, Y = 5, Z = 6\nMag. X = -12.9, Y = 15.7, Z = -43.5\nTemp. = 24.5\n"
    let messages = LabelledLines.hear(String(repeating: lines, count: 5)).messages
    #expect(messages.count >= 4, "\(messages)")
    for message in messages {
      #expect(message.field == Vector3(-12.9, 15.7, -43.5) && message.acceleration == Vector3(1, 2, 9))
    }
  }

  /// Of raw numbers and scaled ones on lines of their own the scaled are read; they were two samples.
  @Test func scaledNumbersGoBeforeRawOnes() {
    let lines = "raw: { x: -141, y: 171, z: -474 }\nscaled: { x: -129, y: 157, z: -435 }\nheading 40\n"
    let fields = Self.fields(lines)
    #expect(fields.count >= 3 && fields.count <= 4 && fields.allSatisfy { $0 == Vector3(-129, 157, -435) }, "\(fields)")
  }

  /// ROS tells seconds and nanoseconds on lines of their own: samples of one second had one time.
  @Test(arguments: [("sec", "nanosec"), ("secs", "nsecs")]) func nanosecondsBelongToTheirSecond(
    second: String, nanosecond: String
  ) {
    let lines = (0..<8).map { number in
      "header:\n  stamp:\n    \(second): 1764230400\n    \(nanosecond): \(number)00000000\nmagnetic_field:\n"
        + "  x: -1.29e-05\n  y: 1.57e-05\n  z: -4.35e-05\n---\n"
    }
    let times = LabelledLines.hear(lines.joined()).messages.compactMap { $0.time }
    #expect(times.count >= 7, "\(times)")
    for (time, next) in zip(times, times.dropFirst()) { #expect(abs(next - time - 0.1) < 1e-6, "\(times)") }
  }

  /// Zephyr's shell names a channel in brackets, before its index, and prints gauss.
  @Test(arguments: [
    "channel type=11(magn_xyz) index=0 shift=1 num_samples=1 value=%00000000ns, (-0.129000, 0.157000, -0.435000)\n",
    "channel type=8(magn_x) index=0 shift=1 num_samples=1 value=%00000000ns (-0.129000)\n"
      + "channel type=9(magn_y) index=0 shift=1 num_samples=1 value=%00000000ns (0.157000)\n"
      + "channel type=10(magn_z) index=0 shift=1 num_samples=1 value=%00000000ns (-0.435000)\n",
  ])
  func channelsOfZephyrsShellAreRead(form: String) {
    let lines = (10..<18).map { "uart:~$ sensor get lis2mdl@1e\n" + form.replacing("%", with: "\($0)") }
    let messages = LabelledLines.hear(lines.joined()).messages
    #expect(messages.count >= 7, "\(messages)")
    #expect(messages.allSatisfy { $0.field == Vector3(-0.129, 0.157, -0.435) && $0.fieldUnit == .gauss })
    let times = messages.compactMap { $0.time }
    for (time, next) in zip(times, times.dropFirst()) { #expect(abs(next - time - 0.1) < 1e-6, "\(times)") }
  }

  @Test(arguments: ["Heading: % Radians", "Heading (rad): %", "heading_rad=%"])
  func headingsInRadiansAloneAreRead(form: String) throws {
    let headings = Self.headings(["1.5708", "-0.7854", "6.2"].map { form.replacing("%", with: $0) })
    #expect(headings.count == 3)
    for (heading, degrees) in zip(headings, [90, 315, 355.234]) {
      #expect(abs(try #require(heading?.magnetic?.degrees) - degrees) < 0.01)
    }
  }

  /// Headings from the two norths are one of a device's own, on a line or on two.
  @Test(arguments: ["Magnetic heading: 40.3 True heading: 44.4", "Heading: 40.3\nTrue heading: 44.4"])
  func aTrueHeadingStandsBesideTheMagneticOne(lines: String) {
    let headings = Self.headings([String](repeating: lines, count: 4))
    #expect(headings.count == 4, "\(headings)")
    #expect(headings.allSatisfy { $0?.magnetic?.degrees == 40.3 && $0?.trueNorth?.degrees == 44.4 }, "\(headings)")
    let alone = Self.headings([String](repeating: "True heading: 44.4", count: 4))
    #expect(alone.count == 4 && alone.allSatisfy { $0?.magnetic == nil && $0?.trueNorth?.degrees == 44.4 })
  }

  /// Adafruit's examples tell the same words with the heading first, or last.
  @Test(arguments: [("Orientation: 40.27, 0.31, -1.14", 0.31, -1.14), ("Orientation: -1.14 0.31 40.27", 0.31, -1.14)])
  func theHeadingIsTheAngleThatGoesFarther(line: String, pitch: Double, roll: Double) {
    let headings = Self.headings([String](repeating: line, count: 3))
    #expect(headings.count == 3, "\(headings)")
    for own in headings { #expect(own?.magnetic?.degrees == 40.27 && own?.pitch == pitch && own?.roll == roll) }
    // Once one has gone past any roll it stays so.
    let turned = Self.headings(["Orientation: 1.0 2.0 300.0", "Orientation: 170.0 2.0 3.0"])
    #expect(turned.map { $0?.magnetic?.degrees } == [300, 3], "\(turned)")
  }

  /// The demonstration of Seeed's 9-axis sensor has a name on one line, and its three numbers on the next.
  @Test func numbersStandOnTheLineBehindTheirName() {
    let lines =
      "Acceleration(g) of X,Y,Z:\n0.01,-0.02,1.00\nGyro(degress/s) of X,Y,Z:\n0.10,0.20,0.30\n"
      + "Compass Value of X,Y,Z:\n-12.90,15.70,-43.50\n"
      + "The clockwise angle between the magnetic north and X-Axis:\n129.40\n"
    var decoder = LabelledLines()
    let messages = decoder.hear(Array(String(repeating: lines, count: 6).utf8)).messages
    #expect(messages.count >= 5 && decoder.otherCompass == nil, "\(messages.count)")
    #expect(messages.dropFirst().allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) }, "\(messages)")
    #expect(messages.dropFirst().allSatisfy { $0.acceleration == Vector3(0.01, -0.02, 1) }, "\(messages)")
  }

  /// InfluxDB's lines end with the time since 1970.
  @Test(arguments: [("000000", 9), ("000", 6), ("", 3)]) func aDateAtTheEndOfALineIsATime(zeros: String, power: Int) {
    let lines = (0..<6).map { "mag,host=pi x=-12.9,y=15.7,z=-43.5 1764230400\($0)00\(zeros)\n" }
    let messages = LabelledLines.hear(lines.joined()).messages
    #expect(messages.count == 6 && messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) }, "\(messages)")
    for (number, message) in messages.enumerated() {
      #expect(abs((message.time ?? 0) - 1_764_230_400 - 0.1 * Double(number)) < 1e-5, "10^-\(power) s: \(message)")
    }
    // Whatever else stands there is none.
    let others = LabelledLines.hear("x=-12.9 y=15.7 z=-43.5 176423040000\n").messages
    #expect(others.allSatisfy { $0.time == nil })
  }

  /// The example of a BNO055 whose vector was changed to the magnetometer's: its x is below zero at times, as no
  /// heading is.
  @Test func aVectorWithTheMarksOfAnAttitudeIsAField() {
    let lines = "X: -12.90 Y: 15.70 Z: -43.50\t\tCALIBRATION: Sys=3 Gyro=3 Accel=1 Mag=3\n"
    let messages = LabelledLines.hear(String(repeating: lines, count: 4)).messages
    #expect(messages.count >= 3 && messages.allSatisfy { $0.own == nil && $0.field == Vector3(-12.9, 15.7, -43.5) })
  }

  /// Of counts and what they come to, each behind words of its own, the one with a unit is taken; the two are one
  /// sensor.
  @Test func ofTwoStatementsTheOneWithAUnitIsTaken() {
    let lines = (0..<20).map { number in
      "Data in counts:   X:\(-968 - number)   Y:1178   Z:-3262\n"
        + "Data in microTesla(uT):   X:-12.90   Y:15.70   Z:-43.50\nMagnitude(uT):48.00\n\n"
    }
    var decoder = LabelledLines()
    let messages = decoder.hear(Array(lines.joined().utf8)).messages
    #expect(messages.count >= 19, "\(messages.count)")
    #expect(messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) && $0.fieldUnit == .microtesla })
    #expect(messages.allSatisfy { $0.origin == 0 } && decoder.otherCompass == nil)
  }

  /// Words about an axis, and a number before the names.
  @Test(arguments: [
    "Value X is: -12.9 mT\nValue Y is: 15.7 mT\nValue Z is: -43.5 mT\n", "Got x=-12.9µT y=15.7µT z=-43.5µT\n",
    " Xraw = -140 Yraw = 170 Zraw = -472 Xnorm = -12.9 Ynorm = 15.7 ZNorm = -43.5\n", "#7 X: -12.9 Y: 15.7 Z: -43.5\n",
  ])
  func wordsOfAnAxisArePassedOver(line: String) {
    let fields = Self.fields(line)
    #expect(fields.count >= 3 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) }, "\(fields)")
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
