import LodestoneCore
import Testing

@testable import Drivers

/// Lines with names that say more, or other things, than the axes of a field.
@Suite struct LabelAccidentsTests {
  private static let field = Vector3(-12.9, 15.7, -43.5)

  private static func messages(_ line: String) -> [WireMessage] {
    LabelledLines.hear(String(repeating: line + "\n", count: 8)).messages
  }

  private static func isRead(_ messages: [WireMessage]) -> Bool {
    messages.count > 5 && messages.allSatisfy { (($0.microtesla ?? .zero) - field).length < 1e-9 }
  }

  /// The length behind three axes, as the examples of teslameters and sketches have it.
  @Test(arguments: ["Mag (uT): -12.90,15.70,-43.50,48.01", "B [uT] = -12.90 15.70 -43.50 48.01"])
  func aLengthBehindThreeAxesIsNone(line: String) {
    #expect(Self.isRead(Self.messages(line)), "\(Self.messages(line))")
  }

  @Test func fourNumbersBehindANameAreNoAxes() {
    for line in ["Mag (uT): 1234 -12.9 15.7 -43.5", "Mag (uT): -12.9 15.7 -43.5 24.5"] {
      #expect(Self.messages(line).isEmpty, "\(line)")
    }
  }

  @Test(arguments: ["x-12.9uT y15.7uT z-43.5uT", "X-12.9uT,Y+15.7uT,Z-43.5uT"])
  func axesStandRightBeforeTheirNumbers(line: String) {
    #expect(Self.isRead(Self.messages(line)), "\(Self.messages(line))")
    #expect(Self.messages("x1: -12.9 y1: 15.7 z80 v2").isEmpty)
  }

  /// A meter that chooses its range tells each axis in its own unit.
  @Test(arguments: [
    "X: -12.9 uT Y: 15.7 uT Z: -0.435 G", "X: -0.129 G\nY: 15.7 uT\nZ: -43500 nT", "X: -129 mG  Y: 157 mG  Z: -43.5 uT",
  ])
  func eachAxisMayHaveItsUnit(line: String) {
    #expect(Self.isRead(Self.messages(line)), "\(Self.messages(line))")
  }

  /// Adafruit's sketch for hard iron, whose last three numbers are half of what each axis has spanned.
  @Test func whatFollowsAFieldIsNoOtherOne() {
    let messages = Self.messages(
      "Mag: (-12.90, 15.70, -43.50) Hard offset: (3.00, -2.00, 4.00) Field: (20.10, 20.30, 47.20)\n heading: \n129.40")
    #expect(messages.count > 5 && messages.allSatisfy { $0.field == Self.field }, "\(messages)")
  }

  /// Two parts of a number below zero, both with their sign, of which nothing tells how many digits the second has, and
  /// a sign that stands alone.
  @Test(arguments: [
    "X: -12.-90 Y: 15.70 Z: -43.-50", "Mag: -12.-90 15.70 43.50", "X: 0.-1290 Y: 0.1570 Z: 0.-4350",
    "X: - 12.9 Y: 15.7 Z: 43.5",
  ])
  func aSignWithinANumberIsNoNumber(line: String) {
    let heard = LabelledLines.hear(String(repeating: line + "\n", count: 4))
    #expect(heard.messages.isEmpty && heard.rejections.contains(.malformed), "\(heard)")
  }

  /// Zephyr's sample of the FXOS8700 calls its temperature T.
  @Test func aTimeThatDoesNotRiseIsATemperature() {
    let degrees = ["24.50", "24.56", "24.50", "24.44", "24.50", "24.50", "24.56", "24.50"]
    let lines = degrees.map { "MX= -0.129000 MY=  0.157000 MZ= -0.435000 T= \($0)0000\n" }
    let objects = degrees.map { #"{"mx":-12.9,"my":15.7,"mz":-43.5,"t":\#($0)}"# + "\n" }
    for messages in [LabelledLines.hear(lines.joined()).messages, JSONLines.hear(objects.joined()).messages] {
      #expect(messages.count == 8 && messages.allSatisfy { $0.time == nil }, "\(messages)")
      #expect(messages.compactMap { $0.temperature } == degrees.compactMap { Double($0) })
    }
    let times = (1...8).map { "x: -12.9 y: 15.7 z: -43.5 t: \(Double($0) * 0.5)\n" }
    #expect(LabelledLines.hear(times.joined()).messages.compactMap { $0.time } == (1...8).map { Double($0) * 0.5 })
  }

  /// CancianMatteo/BMM350-Magnetometer counts its readings right before the first name.
  @Test func aCountBeforeANameIsNoPartOfIt() {
    let lines = (1...8).map { "Reading #\($0)X: -12.90  Y: 15.70  Z: -43.50\n" }
    let messages = LabelledLines.hear(lines.joined()).messages
    #expect(messages.count > 6 && messages.allSatisfy { $0.field == Self.field }, "\(messages)")
  }

  /// A status that is told in words below the axes is no title of what comes next: every second message was lost.
  @Test(arguments: ["Display Status: None", "Status: ok", "status = good"])
  func aStatusInWordsIsNoTitle(line: String) {
    let text = "X: -12.9 uT\nY: 15.7 uT\nZ: -43.5 uT\n\(line)\n"
    #expect(LabelledLines.hear(String(repeating: text, count: 8)).messages.count > 6)
  }

  /// The number of a line in a program is none of its sensor's: `[D][qmc5883l:100]` of ESPHome's log was another
  /// compass.
  @Test func aLineOfAProgramIsNoOtherCompass() {
    let line = "[D][qmc5883l:100]: Got x=-12.90µT y=15.70µT z=-43.50µT heading=129.0° temperature=24.00°C status=1\n"
    var stream = WireStream()
    stream.append(Array(String(repeating: line, count: 8).utf8).span)
    stream.end()
    var count = 0
    while let event = stream.next() { if case .message = event { count += 1 } }
    #expect(count > 6 && stream.otherCompass == nil)
  }

  /// Bytes in hexadecimal that happen to have no letters passed for numbers.
  @Test(arguments: ["RAW: ", ""]) func bytesInHexadecimalAreNoNumbers(name: String) {
    let lines = (0..<60).map { "\(name)00 22 00 95 01 \(10 + $0)\n" }
    var stream = WireStream()
    stream.append(Array(lines.joined().utf8).span)
    stream.end()
    while let event = stream.next() { if case .message = event { Issue.record("\(event)") } }
  }

  /// A title of raw accelerations is none of a field with a unit: of the examples of ICM20948_WE all fields but the
  /// first were lost.
  @Test(arguments: ["Raw acceleration values (x,y,z):", "Raw accel:", "Acceleration (raw):"])
  func aTitleOfRawAccelerationsIsNoFields(title: String) {
    let text = "\(title)\n373   1677   16290\nMagnetometer Data in µTesla: \n-12.9   15.7   -43.5\n"
    let messages = LabelledLines.hear(String(repeating: text, count: 8)).messages
    #expect(Self.isRead(messages) && messages.allSatisfy { $0.acceleration == Vector3(373, 1677, 16_290) })
  }

  /// Axes behind a heading, without colons.
  @Test func axesBehindAHeadingAreTheField() {
    #expect(Self.isRead(Self.messages("Heading 129 deg, X -12.9 Y 15.7 Z -43.5 uT, cpu 43C")))
  }

  /// Prometheus has an axis as a label.
  @Test(arguments: ["", ",sensor=\"mast\"", ",job=\"x\",instance=\"pi:9100\""])
  func samplesOfPrometheusAreRead(labels: String) {
    let axes = [("x", "-12.9"), ("y", "15.7"), ("z", "-43.5")]
    let lines = axes.map { "magnetic_field_microtesla{axis=\"\($0.0)\"\(labels)} \($0.1) 1777903200000\n" }.joined()
    let text = "# HELP magnetic_field_microtesla Field\n# TYPE magnetic_field_microtesla gauge\n" + lines
    let messages = LabelledLines.hear(String(repeating: text, count: 8)).messages
    #expect(Self.isRead(messages), "\(messages)")
    let other = axes.map { "magnetic_field_microtesla{axis=\"\($0.0)\",sensor=\"keel\"} 9\n" }.joined()
    let own = lines.replacing(labels, with: ",sensor=\"mast\"")
    let both = LabelledLines.hear(String(repeating: own + other, count: 8))
    if labels.contains("sensor") { #expect(Self.isRead(both.messages), "\(both.messages)") }
  }

  /// A letter, a digit or an address may tell two sensors of Prometheus apart; the number of an axis does not.
  @Test(arguments: [
    ("sensor=\"a\"", "sensor=\"b\""), ("device=\"0\"", "device=\"1\""), ("unit=\"mag-1\"", "unit=\"mag-2\""),
    ("instance=\"10.0.0.7:9100\"", "instance=\"10.0.0.8:9100\""), ("host=\"pi1\"", "host=\"pi2\""),
  ])
  func sensorsOfPrometheusAreApart(own: String, other: String) {
    let fields = [(own, ["-12.9", "15.7", "-43.5"]), (other, ["9", "8", "7"])]
    // All samples of a metric stand together.
    let lines = (0..<3).flatMap { axis in
      fields.map { "mag{axis=\"\(["x", "y", "z"][axis])\",\($0.0)} \($0.1[axis])\n" }
    }
    let messages = LabelledLines.hear(String(repeating: lines.joined(), count: 8)).messages
    #expect(Self.isRead(messages), "\(messages)")
    let numbered = (0..<3).map { "mag{axis=\"\(["x", "y", "z"][$0])\",id=\"\($0)\"} \(fields[0].1[$0])\n" }
    #expect(Self.isRead(LabelledLines.hear(String(repeating: numbered.joined(), count: 8)).messages))
  }

  /// Each axis of an IIO device on a line, as `iio_attr` and `grep` print them; a scale is no axis.
  @Test(arguments: [
    "dev 'lis3mdl', channel 'magn_#' (input), attr 'raw', value '@'\n"
      + "dev 'lis3mdl', channel 'magn_#' (input), attr 'scale', value '0.000146'\n", "in_magn_#_raw:@\n",
  ])
  func axesOfIIODevicesAreRead(form: String) {
    let lines = [("x", "-883"), ("y", "1073"), ("z", "-2975")].map {
      form.replacing("#", with: $0.0).replacing("@", with: $0.1)
    }
    let messages = LabelledLines.hear(String(repeating: lines.joined(), count: 8)).messages
    #expect(messages.count == 8 && messages.allSatisfy { $0.field == Vector3(-883, 1073, -2975) }, "\(messages)")
  }

  /// `T=2450` is no time, and a `t` in whole seconds is.
  @Test func aNumberThatStandsStillIsNoTime() {
    let still = LabelledLines.hear(String(repeating: "T=2450 X=-12.9 Y=15.7 Z=-43.5\n", count: 60)).messages
    #expect(still.count > 57 && still.allSatisfy { $0.time == nil && $0.field == Self.field }, "\(still.count)")
    let seconds = (0..<60).map { "t=\(2450 + $0 / 10) X=-12.9 Y=15.7 Z=-43.5\n" }
    let times = LabelledLines.hear(seconds.joined()).messages.compactMap { $0.time }
    #expect(times.count > 57 && times.last == 2455, "\(times)")
  }
}
