import LodestoneCore
import Testing

@testable import Drivers

/// Lines whose numbers stand beside others that look like theirs: clocks, copies, axes of something else, and numbers
/// that are written in two parts.
@Suite struct LineAccidentsTests {
  private static let field = Vector3(-12.9, 15.7, -43.5)

  private static func labels(_ text: String, _ count: Int = 6) -> [WireMessage] {
    LabelledLines.hear(String(repeating: text, count: count)).messages
  }

  // MARK: Clocks

  /// Go's slog and logfmt write the date as a value: all rows had the time 2026 s.
  @Test(
    arguments: [
      { "time=2026-05-04T14:02:0\($0).25Z level=INFO msg=mag mag.x=-12.9 mag.y=15.7 mag.z=-43.5" },
      { "Time: 14:02:0\($0).25 X: -12.9 Y: 15.7 Z: -43.5" },
      { "timestamp: 2026-05-04 14:02:0\($0).250+02:00, mx: -12.9, my: 15.7, mz: -43.5" },
      { "TimeStamp: 14:02:0\($0).25\nMag_X: -12.9, Mag_Y: 15.7, Mag_Z: -43.5" },
    ] as [@Sendable (Int) -> String]) func aClockUnderANameIsATime(_ line: @Sendable (Int) -> String) throws
  {
    let messages = LabelledLines.hear((0..<8).map { line($0) + "\n" }.joined()).messages
    #expect(messages.count >= 7 && messages.allSatisfy { $0.field == Self.field })
    let times = messages.compactMap { $0.time }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1) < 1e-6 } && times.count == messages.count)
  }

  /// Whole seconds are the same moment for many lines.
  @Test func aClockOfWholeSecondsIsNoTime() {
    #expect(Self.labels("time=2026-05-04T14:02:00Z mx=-12.9 my=15.7 mz=-43.5\n").allSatisfy { $0.time == nil })
  }

  /// ESPHome's log behind a monitor's own stamp: the clock was a field of 14, 2 and 0.
  @Test func aClockInBracketsIsNoField() {
    let text = ["X": "-12.9", "Y": "15.7", "Z": "-43.5"].sorted { $0.key < $1.key }.map {
      "[14:02:00][D][sensor:094]: 'QMC5883L Field Strength \($0)': Sending state \($1) µT with 1 decimals\n"
    }.joined()
    let messages = Self.labels(text)
    #expect(messages.count >= 5 && messages.allSatisfy { $0.field == Self.field && $0.fieldUnit == .microtesla })
    #expect(Self.labels("Mag [14:02:00] -12.9 15.7 -43.5\n").allSatisfy { $0.field == Self.field })
  }

  @Test(
    arguments: [
      ("14:02:00", 8), ("9:02:00.5 x", 9), ("2026-05-04T14:02:00.1Z,", 22), ("2026/05/04 14:02:00 +0200", 19),
      ("2026-05-04 14:02:00,125 -", 23), ("14:02:00,12.9", 8), ("14:02:00:125", 12), ("14:2:0", nil), ("12.9:1", nil),
      ("2026-05-04", nil), ("12345:02:00", nil), ("14:02", nil), ("1", nil),
    ] as [(String, Int?)]) func aClockHasAnEnd(_ text: String, _ end: Int?)
  {
    #expect(ClockText.end(in: text.utf8.span, from: 0) == end)
  }

  // MARK: Numbers in two parts

  /// Zephyr's `sensor_value` as `%d.%06d` prints it: both parts of a number below zero have a sign.
  @Test func signsOfBothPartsAreOne() {
    let messages = Self.labels("X: 0.-129000, Y: 0.157000, Z: -1.-043500\n")
    #expect(messages.count >= 5)
    for message in messages {
      #expect((message.field.map { ($0 - Vector3(-0.129, 0.157, -1.0435)).length } ?? 1) < 1e-9)
    }
    #expect(Self.labels("X: 0.-90000, Y: 0.157000, Z: 0.-00500\n").last?.field == Vector3(-0.09, 0.157, -0.0005))
  }

  /// Other counts of digits leave open what they are a part of.
  @Test(arguments: ["-12.-92", "12.-920000", "0.-1290", "0.-129000.5"])
  func otherSignsBehindAPointAreRefused(_ number: String) {
    #expect(Self.labels("X: \(number), Y: 0.157, Z: -0.435\n").isEmpty)
  }

  /// Teleplot's lines whose value is lost, or not a number: the stamp was taken for it.
  @Test(arguments: [">my:12495", ">my:12", ">my:12495:nan", ">my:"]) func aStampAloneIsNoValue(_ cut: String) {
    func moment(_ stamp: Int, _ y: String) -> String { ">mx:\(stamp):-12.9\n\(y)\n>mz:\(stamp):-43.5\n" }
    let text = (0..<9).map { moment(12_395 + 100 * $0, $0 == 4 ? cut : ">my:\(12_395 + 100 * $0):15.7") }.joined()
    let messages = LabelledLines.hear(text).messages
    #expect(messages.count >= 7 && messages.allSatisfy { $0.field == Self.field })
  }

  // MARK: Axes of something else

  /// LilyGo's example for the QMC6310 prints the counts behind the field: they had its unit.
  @Test func axesBehindTheFieldWithItsUnitAreOthers() {
    let text = "Mag: X:-12.90 Y:15.70 Z:-43.50 μT Metadata: X:-344 Y:419 Z:-1160 Heading (rad): 0.7 rad\n"
    let messages = Self.labels(text)
    #expect(messages.count >= 5 && messages.allSatisfy { $0.field == Self.field && $0.fieldUnit == .microtesla })
  }

  /// Adafruit's BNO055 sketches name each axis of a sensor, and print the angles without a name.
  @Test func bareAxesBehindNamedOnesAreNotTheirs() {
    let text =
      "Accel X: 0.1\tAccel Y: 0.2\tAccel Z: 9.8\nMag X: -12.9\tMag Y: 15.7\tMag Z: -43.5\n"
      + "X: 40.3000\tY: 1.2000\tZ: -3.4000\n\n"
    let messages = Self.labels(text)
    #expect(messages.count >= 5 && messages.allSatisfy { $0.field == Self.field || $0.field == nil })
    #expect(messages.count { $0.field != nil } >= 5)
  }

  /// Bare axes that came first keep their meaning behind named ones.
  @Test func bareAxesStayWhatTheyWere() {
    let messages = Self.labels("X: -12.9 Y: 15.7 Z: -43.5\nAccel X: 0.1 Accel Y: 0.2 Accel Z: 9.8\n")
    #expect(messages.count >= 5)
    #expect(messages.allSatisfy { $0.field == Self.field && $0.acceleration == Vector3(0.1, 0.2, 9.8) })
  }

  /// A board without a magnetometer: thousandths of g were a field of 100 µT.
  @Test func thousandthsOfGravitiesAreNoField() {
    let text = "x = 12 dps\ny = -3 dps\nz = 5 dps\nx = 25 mg\ny = -104 mg\nz = 994 mg\n"
    let messages = Self.labels(text)
    #expect(!messages.isEmpty && messages.allSatisfy { $0.field == nil })
    #expect(messages.last?.acceleration == Vector3(25, -104, 994))
    #expect(messages.last?.accelerationUnit == .milligravity)
    // Thousandths of a gauss, by their letter or their size.
    #expect(Self.labels("x = 25 mG\ny = -104 mG\nz = 994 mG\n").last?.fieldUnit == .milligauss)
    #expect(Self.labels("x = -129 mg\ny = 157 mg\nz = -435 mg\n").last?.fieldUnit == .milligauss)
  }

  @Test func accelerationsWithoutGravityAreNone() {
    let messages = Self.labels("LinAcc: 1, -2, 3\nMag: -12.9, 15.7, -43.5\n")
    #expect(messages.count >= 5 && messages.allSatisfy { $0.acceleration == nil && $0.field == Self.field })
  }

  // MARK: Names

  /// Adafruit's LSM303 in CircuitPython: the unit in brackets names the numbers behind it.
  @Test func aUnitInBracketsBeforeAColonIsAName() {
    let text = "Magnetometer raw: (  -142,    171,   -474), (gauss): (    -0.129,      0.157,     -0.435)\n"
    let messages = Self.labels(text)
    #expect(messages.count >= 4)
    #expect(messages.allSatisfy { $0.field == Vector3(-0.129, 0.157, -0.435) && $0.fieldUnit == .gauss })
  }

  @Test(arguments: [
    "MagnetX: -12.9\nMagnetY: 15.7\nMagnetZ: -43.5\n", "Mags: -12.9 15.7 -43.5\n",
    "geomagnetic: XYZ value - X: -12.9   Y: 15.7   Z: -43.5\n",
  ]) func otherNamesOfAField(_ text: String) {
    let messages = Self.labels(text)
    #expect(messages.count >= 4 && messages.allSatisfy { $0.field == Self.field })
  }

  /// `monitor-sensor` of iio-sensor-proxy.
  @Test func aCompassThatHasChangedTellsItsHeading() {
    let messages = LabelledLines.hear(
      "=== Has compass (value: 40.30)\n" + String(repeating: "    Compass changed: 40.3 (degrees)\n", count: 4)
    ).messages
    #expect(messages.count >= 3 && messages.allSatisfy { $0.own?.magnetic?.degrees == 40.3 })
  }

  /// Mission Planner's logs as text: the axes of MAVLink point forward, right and down.
  @Test func structuresOfMAVLinkTellTheirAxes() {
    let text =
      "2026-05-04T14:02:00.100,FE,1A,AB,1,1,1B,mavlink_raw_imu_t,time_usec,5210000,xacc,104,yacc,25,zacc,-994,xgyro,0,"
      + "ygyro,0,zgyro,1000,xmag,157,ymag,-129,zmag,435,sysid,1,compid,1\n"
      + "2026-05-04T14:02:00.100,FE,1C,AC,1,1,1E,mavlink_attitude_t,time_boot_ms,5210,roll,0.1,pitch,0.2,yaw,0.7\n"
    let messages = Self.labels(text)
    #expect(messages.count >= 4)
    for message in messages {
      #expect(message.field == Vector3(-129, 157, -435) && message.fieldUnit == .milligauss)
      #expect(message.acceleration.map { ($0 - Vector3(25, 104, 994)).length < 1e-9 } == true)
      #expect(message.rotationRate.map { ($0 - Vector3(0, 0, -1)).length < 1e-9 } == true)
    }
  }
}
