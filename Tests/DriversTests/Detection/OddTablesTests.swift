import Glibc
import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Tables of bare numbers in orders, and with accidents, that ordinary boards have: each row is read right, or none is.
@Suite struct OddTablesTests {
  private static let iron = Vector3(3, -2, 4)
  private static let rate = 20.0

  /// A board that a hand turns about and tilts by 25°.
  private struct Moment {
    let row: Int
    let field, force, turn: Vector3
    let quaternion: Quaternion
    var milliseconds: Int

    init(_ row: Int, _ random: inout SeededGenerator) {
      let step = 1 / OddTablesTests.rate
      func attitude(_ time: Double) -> Quaternion {
        Quaternion(heading: 40 * time, pitch: 25 * sin(1.1 * time), roll: 20 * sin(1.7 * time + 1))
      }
      func noise(_ size: Double) -> Vector3 {
        Vector3(
          Double.random(in: -size...size, using: &random), Double.random(in: -size...size, using: &random),
          Double.random(in: -size...size, using: &random))
      }
      self.row = row
      let time = Double(row) * step
      quaternion = attitude(time)
      let back = quaternion.conjugate
      field = back * Vector3(0, 20, -44) + OddTablesTests.iron + noise(0.3)
      force = back * Vector3(0, 0, 1) + noise(0.005)
      turn = (attitude(time - step).conjugate * attitude(time)).rotationVector / step + noise(0.005)
      milliseconds = 512_345 + Int(time * 1000)
    }

    /// The columns of an order: field, acceleration in m/s², rotation in rad/s, quaternion, temperature, milliseconds,
    /// count of rows.
    func line(_ order: String) -> String {
      let texts = order.flatMap { column -> [String] in
        switch column {
        case "m": (0..<3).map { field[$0].text(decimals: 2) }
        case "a": (0..<3).map { (force[$0] * 9.80665).text(decimals: 3) }
        case "g": (0..<3).map { turn[$0].text(decimals: 4) }
        case "q":
          [quaternion.w, quaternion.v.x, quaternion.v.y, quaternion.v.z].map { $0.text(decimals: 4) }
        case "T": [(24.3 + 0.01 * Double(row / 20)).text(decimals: 2)]
        case "i": [String(row)]
        default: [String(milliseconds)]
        }
      }
      return texts.joined(separator: ",") + "\n"
    }
  }

  private static func moments(_ count: Int = 400) -> [Moment] {
    var random = SeededGenerator(seed: 77)
    return (0..<count).map { Moment($0, &random) }
  }

  /// How many messages of the lines hold the field of some moment, and how many another one.
  private static func heard(_ lines: [String], of moments: [Moment]) -> (right: Int, wrong: Int) {
    let messages = CSV.hear(lines.joined()).messages
    var (right, wrong) = (0, 0)
    for message in messages {
      guard let field = message.field else { continue }
      if moments.contains(where: { ($0.field - field).length < 0.02 }) { right += 1 } else { wrong += 1 }
    }
    return (right, wrong)
  }

  /// The number of a board and a count of its packets before the field, as radios send them: the count is no axis.
  @Test(arguments: ["0,", "7,", "24.3,"]) func aCountIsNoAxis(first: String) {
    let moments = Self.moments()
    let heard = Self.heard(moments.map { first + $0.line("im") }, of: moments)
    #expect(heard.wrong == 0)
  }

  /// Every eleventh row has lost its end: none of them began the search for the columns anew, which found none.
  @Test func rowsThatAreCutOffBeginNothing() {
    let moments = Self.moments()
    let lines = moments.map { moment -> String in
      let line = moment.line("agm")
      return moment.row % 11 == 3 ? String(line.prefix(line.count / 2)) + "\n" : line
    }
    let heard = Self.heard(lines, of: moments)
    #expect(heard.wrong == 0 && heard.right > 350, "\(heard)")
    // A board that goes over to other rows is followed.
    let other = moments.prefix(5).map { $0.line("mT") } + moments.dropFirst(5).map { $0.line("agm") }
    #expect(Self.heard(other, of: moments).right > 380)
  }

  /// A temperature before the field of a board at rest may be an axis: it is asked, at the end of a recording too.
  @Test(arguments: [24.51, 21], [-43.5, 43.5]) func aTemperatureBeforeAFieldAtRestIsAsked(
    temperature: Double, down: Double
  ) {
    var random = SeededGenerator(seed: 5)
    let rows = (0..<60).map { row -> String in
      let field = [-12.9, 15.7, down].map { $0 + Double.random(in: -0.3...0.3, using: &random) }
      let warm = temperature + 0.01 * Double(row % 3)
      return ([warm] + field).map { $0.text(decimals: 2) }.joined(separator: ",") + "\n"
    }
    var decoder = CSV()
    #expect(decoder.hear(Array(rows.joined().utf8)).messages.isEmpty)
    guard case .ambiguousColumns(4, _) = decoder.fault else {
      Issue.record("\(String(describing: decoder.fault))")
      return
    }
    // Behind the field it is one.
    let behind = rows.map { row in
      let cells = row.dropLast().split(separator: ",")
      return (cells.dropFirst() + [cells[0]]).joined(separator: ",") + "\n"
    }
    #expect(CSV.hear(behind.joined()).messages.count == 60)
  }

  /// A place, or a voltage and a radio's strength, before a field that turns: its two numbers and one axis passed for
  /// the field.
  @Test(arguments: ["48.208490,16.372080,", "3.92,-61,"], [false, true]) func whatStandsStillBeforeAFieldIsAsked(
    first: String, isTilted: Bool
  ) {
    var random = SeededGenerator(seed: 7)
    let rows = (0..<120).map { row -> String in
      let (angle, tilt) = (Double(row) * 0.1, isTilted && row > 60 ? 0.4 * sin(Double(row) * 0.2) : 0)
      let level = Vector3(-20 * sin(angle), 20 * cos(angle), -43.5)
      let y = level.y * cos(tilt) + level.z * sin(tilt), z = level.z * cos(tilt) - level.y * sin(tilt)
      let field = [level.x, y, z]
      let noisy = field.map { ($0 + Double.random(in: -0.2...0.2, using: &random)).text(decimals: 2) }
      return first + noisy.joined(separator: ",") + "\n"
    }
    var decoder = CSV()
    #expect(decoder.hear(Array(rows.joined().utf8)).messages.isEmpty)
    guard case .ambiguousColumns(5, _) = decoder.fault else {
      Issue.record("\(String(describing: decoder.fault))")
      return
    }
  }

  /// A voltage, a charge or a radio's strength alone before the field of a board that lies flat, at rest or turning
  /// about the vertical, passed for x, and x and y for y and z: a heading of 40° was 196°. Behind the field it is none
  /// of its axes.
  @Test(arguments: [(3.92, 1.0, 2), (87, 10, 0), (-61, 10.9, 0)], [0, 0.05])
  func aVoltageBeforeAFieldIsAsked(first: (value: Double, scale: Double, decimals: Int), step: Double) {
    var random = SeededGenerator(seed: 13)
    let rows = (0..<120).map { row -> (first: String, field: String) in
      let angle = 0.7 + Double(row) * step
      let field = Vector3(-20 * sin(angle), 20 * cos(angle), -43.5)
      let cells = (0..<3).map { axis in
        ((field[axis] + Double.random(in: -0.05...0.05, using: &random)) * first.scale).text(decimals: first.decimals)
      }
      let value = first.decimals == 0 ? first.value : first.value + 0.01 * Double(row % 3)
      return (value.text(decimals: first.decimals), cells.joined(separator: ","))
    }
    var decoder = CSV()
    #expect(decoder.hear(Array(rows.map { "\($0.first),\($0.field)\n" }.joined().utf8)).messages.isEmpty)
    if case .ambiguousColumns(4, _) = decoder.fault {} else { Issue.record("\(String(describing: decoder.fault))") }
    #expect(CSV.hear(rows.map { "\($0.field),\($0.first)\n" }.joined()).messages.count == 120)
  }

  /// More than three numbers behind a sensor's name, as lundeen06/RM3100-readout prints a time before the field.
  @Test(arguments: [("MAG,", "tm"), ("Mag: ", "mT")]) func aSensorsNameStandsBeforeATable(name: String, order: String) {
    let moments = Self.moments()
    let (right, wrong) = Self.heard(moments.map { name + $0.line(order) }, of: moments)
    #expect(right > 350 && wrong == 0, "\(right) right, \(wrong) wrong")
    var decoder = CSV()
    let lines = moments.flatMap { ["ACC," + $0.line("ta"), "MAG," + $0.line("tm")] }
    #expect(decoder.hear(Array(lines.joined().utf8)).messages.isEmpty && decoder.fault == .sensorsInTurn)
  }

  /// Two sensors that speak in turn, with their numbers before the field: the numbers are no axis, also where every
  /// second row alone shows no more than one sensor.
  @Test(arguments: [0, 0.2]) func numbersOfSensorsAreNoAxis(noise: Double) {
    var random = SeededGenerator(seed: 11)
    let rows = (0..<60).map { row -> String in
      let angle = Double(row) * 0.1
      let one = Vector3(-20 * sin(angle), 20 * cos(angle), -43.5)
      let two = Vector3(one.y * 1.1 + 12, -one.x - 7, one.z + 8)
      func text(_ number: Int, _ field: Vector3) -> String {
        let noisy = (0..<3).map { (field[$0] + Double.random(in: -noise...noise, using: &random)).text(decimals: 2) }
        return "\(number)," + noisy.joined(separator: ",") + "\n"
      }
      return text(1, one) + text(2, two)
    }
    #expect(CSV.hear(rows.joined()).messages.isEmpty)
  }

  /// Acceleration, rotation and field on a line each, without names, were fields in turn.
  @Test(arguments: ["agm", "am", "mag"]) func sensorsInTurnAreAsked(order: String) {
    let rows = Self.moments().flatMap { moment in order.map { moment.line(String($0)) } }
    var decoder = CSV()
    #expect(decoder.hear(Array(rows.joined().utf8)).messages.isEmpty)
    #expect(decoder.fault == .sensorsInTurn)
  }

  /// The x, y and z beside a w are a quaternion's.
  @Test func aQuaternionIsNoField() {
    let rows = String(repeating: "0.1,0.94,0.02,0.01,0.34\n", count: 6)
    #expect(CSV.hear("\"Time (s)\",\"w\",\"x\",\"y\",\"z\"\n" + rows).messages.isEmpty)
  }

  /// Nor are the numbers of one without names, or one and a half with the next numbers.
  @Test(arguments: ["qm", "mq", "tqm", "qam", "qma"]) func aQuaternionBesideAFieldIsLeftOut(order: String) {
    let moments = Self.moments()
    let (right, wrong) = Self.heard(moments.map { $0.line(order) }, of: moments)
    #expect(right > 250 && wrong == 0, "\(order): \(right) right, \(wrong) wrong")
    let alone = moments.map { $0.line(order.filter { "qt".contains($0) }) }
    #expect(CSV.hear(alone.joined()).messages.allSatisfy { $0.field == nil }, "\(order)")
  }

  /// Marks of what is new stand before the numbers of Bolder Flight's examples.
  @Test func marksBeforeNineAxesAreLeftOut() {
    let moments = Self.moments()
    let (right, wrong) = Self.heard(moments.map { "1,1," + $0.line("agmT") }, of: moments)
    #expect(right > 250 && wrong == 0, "\(right) right, \(wrong) wrong")
  }

  /// The accelerometers and gyroscopes in the logs of autopilots have axes that point forward, right and down: a board
  /// that lay flat was told to lie on its face.
  @Test(arguments: [
    "timestamp,gyro_rad[0],gyro_rad[1],gyro_rad[2],accelerometer_m_s2[0],accelerometer_m_s2[1],accelerometer_m_s2[2]",
    "timestamp,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ,EG,EA",
  ])
  func motionOfAutopilotsIsTurned(header: String) {
    let isOfPX4 = header.contains("[")
    let rows = (1...4).map { isOfPX4 ? "\($0)000,1,2,3,0.5,0.2,-9.8\n" : "\($0)000,0,1,2,3,0.5,0.2,-9.8,0,0\n" }
    let messages = CSV.hear(header + "\n" + rows.joined()).messages
    #expect(messages.count == 4, "\(messages)")
    #expect(
      messages.allSatisfy { $0.acceleration == Vector3(0.2, 0.5, 9.8) && $0.rotationRate == Vector3(2, 1, -3) },
      "\(messages)")
  }

  /// The logs of autopilots have axes that point forward, right and down.
  @Test(arguments: [
    "timestamp,magnetometer_ga[0],magnetometer_ga[1],magnetometer_ga[2]",
    "timestamp,timestamp_sample,device_id,x,y,z,temperature,error_count",
    "timestamp,I,MagX,MagY,MagZ,OfsX,OfsY,OfsZ",
  ])
  func axesOfAutopilotsAreTurned(header: String) {
    let axes = ["[0]": "15.7", "x": "15.7", "MagX": "15.7", "[1]": "-12.9", "y": "-12.9", "MagY": "-12.9"]
    let rows = (1...4).map { number in
      header.split(separator: ",").map { name in
        if name.hasPrefix("timestamp") { return "\(number)000" }
        return axes[name.hasSuffix("]") ? String(name.suffix(3)) : String(name)] ?? "43.5"
      }.joined(separator: ",") + "\n"
    }
    let messages = CSV.hear(header + "\n" + rows.joined()).messages
    #expect(messages.count == 4 && messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) }, "\(messages)")
  }

  @Test(arguments: ["agTm", "aTm", "aTgm", "sagTm", "isagm", "ism", "sim", "gaTm", "mTag", "agmT", "mT", "smT"])
  func columnsAreFound(order: String) {
    let moments = Self.moments()
    let (right, wrong) = Self.heard(moments.map { $0.line(order) }, of: moments)
    #expect(right > 250 && wrong == 0, "\(order): \(right) right, \(wrong) wrong")
  }

  /// Numbers that hold a plotter's scale still are no axes.
  @Test(arguments: ["-60,%,60\n", "-60,60,%\n", "%,-60,60\n"]) func limitsOfAPlotAreLeftOut(form: String) {
    let moments = Self.moments()
    let lines = moments.map { form.replacing("%", with: $0.line("m").dropLast()) }
    let (right, wrong) = Self.heard(lines, of: moments)
    #expect(right > 350 && wrong == 0, "\(form): \(right) right, \(wrong) wrong")
  }

  /// A board that begins again counts its time from zero, a few seconds after its first line or later.
  @Test(arguments: ["sm", "sma", "sagm", "smT"], [8, 20, 30, 100, 240])
  func aTimeThatBeginsAgainStaysATime(order: String, row: Int) {
    let moments = Self.moments()
    let lines = moments.map { moment in
      var moment = moment
      if moment.row >= row { moment.milliseconds = 812 + 50 * (moment.row - row) }
      return (moment.row == row ? "\nInit...\n" : "") + moment.line(order)
    }
    let (right, wrong) = Self.heard(lines, of: moments)
    #expect(right > 350 && wrong == 0, "\(order) from \(row): \(right) right, \(wrong) wrong")
  }

  /// A time that has lost a digit on the way is one bad row.
  @Test(arguments: ["sm", "sma", "sagm"], [3, 12, 20, 40, 60])
  func aDamagedTimeIsOneRow(order: String, row: Int) {
    let moments = Self.moments()
    let lines = moments.map { $0.row == row ? String($0.line(order).dropFirst()) : $0.line(order) }
    let (right, wrong) = Self.heard(lines, of: moments)
    #expect(right > 350 && wrong == 0, "\(order) at \(row): \(right) right, \(wrong) wrong")
  }

  /// Of two magnetometers in a row none is gravity, however their fields go.
  @Test func twoFieldsAreNoAcceleration() {
    let moments = Self.moments()
    let lines = moments.map { moment in
      let other = Vector3(moment.field.y * 1.1 + 12, -moment.field.x * 0.95 - 7, moment.field.z * 1.05 + 3)
      let texts = [moment.field, other].flatMap { vector in (0..<3).map { vector[$0].text(decimals: 2) } }
      return texts.joined(separator: ",") + "\n"
    }
    #expect(CSV.hear(lines.joined()).messages.allSatisfy { $0.acceleration == nil })
  }
}
