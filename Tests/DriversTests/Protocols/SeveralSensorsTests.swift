import Glibc
import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Sensors that a cell of their lines tells apart.
@Suite struct SeveralSensorsTests {
  private static let one = Vector3(-12.9, 15.7, -43.5), two = Vector3(60.2, -25.7, -13.5)

  /// The fields of lines whose `%` are the axes, of the sensors in turn, and the other one that was told.
  private static func hear(_ lines: [(String, Vector3)], header: String = "") -> ([Vector3], String?) {
    let text = lines.map { form, field in
      let parts = form.split(separator: "%", omittingEmptySubsequences: false).map { String($0) }
      return zip(parts, [field.x, field.y, field.z]).map { $0 + $1.text(decimals: 1) }.joined() + (parts.last ?? "")
    }
    var stream = WireStream()
    stream.append(Array((header + text.map { $0 + "\n" }.joined()).utf8).span)
    stream.end()
    var fields: [Vector3] = []
    while let event = stream.next() {
      if case .message(let message) = event, let field = message.field { fields.append(field) }
    }
    return (fields, stream.otherCompass)
  }

  @Test(arguments: [
    #"{"id":1,"x":%,"y":%,"z":%}"#, #"{"addr":"0x11","mag":[%,%,%]}"#, "[1] X: % Y: % Z: %", "S1: X=% Y=% Z=%",
    "id=1 x=% y=% z=%", #"board1/mag {"x":%,"y":%,"z":%}"#, "board1/mag %,%,%", "sensor 1: %,%,%", "CH1,%,%,%",
    "Node 1 (%, %, %)", #"{"host":"boat1","x":%,"y":%,"z":%}"#, #"{"client_id":"c1","mag":[%,%,%]}"#,
    #"{"station":1,"mx":%,"my":%,"mz":%}"#,
  ])
  func theFirstIsReadAndTheOtherTold(form: String) {
    let other = form.replacing("1", with: "2")
    let lines = (0..<20).flatMap { _ in [(form, Self.one), (other, Self.two)] }
    let (fields, told) = Self.hear(lines)
    #expect(fields.count == 20 && fields.allSatisfy { $0 == Self.one }, "\(form): \(fields.prefix(4))")
    #expect(told != nil)
  }

  /// Letters tell sensors apart, as numbers do, and an IMU's A stays its acceleration.
  @Test(arguments: ["Sensor @ X: % Y: % Z: %", "Board @ X: % Y: % Z: %", "Mag @ X: % Y: % Z: %", "compass @: %, %, %"])
  func lettersTellSensorsApart(form: String) {
    let lines = (0..<20).flatMap { _ in
      [(form.replacing("@", with: "A"), Self.one), (form.replacing("@", with: "B"), Self.two)]
    }
    let (fields, told) = Self.hear(lines)
    #expect(fields.count == 20 && fields.allSatisfy { $0 == Self.one } && told != nil, "\(form): \(fields.prefix(4))")
    let motion = LabelledLines.hear("IMU A X: 0.1 Y: 0.2 Z: 0.9\nIMU M X: 1 Y: 2 Z: 3\n").messages.first
    #expect(motion?.acceleration == Vector3(0.1, 0.2, 0.9) && motion?.field == Vector3(1, 2, 3))
  }

  /// `A` and `B` alone before numbers of one size are two boards: A was an acceleration in counts, 48 of which were 1
  /// g, and tilted the field of B. Beside gravities, and beside other letters, `A` is the acceleration.
  @Test(arguments: ["@: %, %, %", "@,%,%,%", "[@] % % %", "@=%,%,%"], [0, 1])
  func twoLettersAloneAreBoards(form: String, first: Int) {
    let lines = (0..<20).flatMap { _ in
      [(form.replacing("@", with: "A"), Self.one), (form.replacing("@", with: "B"), Self.two)]
    }
    let (fields, told) = Self.hear(Array(lines.dropFirst(first)))
    #expect(fields.count >= 19 && fields.allSatisfy { $0 == Self.two }, "\(form): \(fields.prefix(4))")
    #expect(told?.hasPrefix("A") == true)
    for text in ["A: 0.1,0.2,0.97\nB: -12.9,15.7,-43.5\n", "A: 12,-33,260\nG: 1,2,3\nB: -141,171,-474\n"] {
      let messages = LabelledLines.hear(String(repeating: text, count: 3)).messages
      #expect(messages.count == 3 && messages.allSatisfy { $0.acceleration != nil && $0.field != nil }, "\(text)")
    }
  }

  /// Two boards that print at one place without a name are told: in turn, and as they come. One that is turned, or that
  /// a magnet passes, is not.
  @Test func twoThatSayNoNameAreTold() {
    func areInTurn(_ fields: [Vector3]) -> Bool {
      var turns = FieldTurns()
      for field in fields where !turns.isSettled { turns.add(field) }
      return turns.areFound
    }
    func noise(_ number: Int) -> Vector3 { Vector3(Double(number % 3), Double(number % 5), Double(number % 2)) * 0.2 }
    #expect(areInTurn((0..<40).map { ($0 % 2 == 0 ? Self.one : Self.two) + noise($0) }))
    let order = [0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0]
    #expect(areInTurn((0..<69).map { (order[$0 % order.count] == 0 ? Self.one : Self.two) + noise($0) }))
    #expect(!areInTurn((0..<500).map { Self.one + noise($0) }))
    #expect(!areInTurn((0..<500).map { Vector3(20 * cos(Double($0) * 0.4), 20 * sin(Double($0) * 0.4), -43) }))
    #expect(!areInTurn((0..<500).map { ($0 / 40 % 2 == 0 ? Self.one : Self.two) + noise($0) }))
  }

  /// Two compasses of one talker that come in turn are told, true headings alone, too. One that yaws, one that tells
  /// magnetic and true headings in turn, and two that agree are not.
  @Test func twoCompassesThatSayNoNameAreTold() {
    func areInTurn(_ sentences: (Int) -> String) -> Bool {
      var stream = WireStream()
      for number in 0..<200 { stream.append(Array(NMEASentenceText.sentence(sentences(number)).utf8).span) }
      stream.end()
      while stream.next() != nil {}
      return stream.hasHeadingsInTurn
    }
    for sentence in ["HCHDM,%.0,M", "HEHDT,%.0,T", "HCHDG,%.0,,,5.0,E"] {
      func told(_ heading: Int, _ number: Int) -> String {
        sentence.replacing("%", with: "\(heading)").replacing(".0", with: ".\(number % 4)")
      }
      #expect(areInTurn { told($0 % 2 == 0 ? 100 : 200, $0) }, "\(sentence)")
      #expect(areInTurn { told($0 % 2 == 0 ? 350 : 20, $0) }, "\(sentence)")
      #expect(!areInTurn { told(100, $0) }, "\(sentence)")
      #expect(!areInTurn { told($0 % 2 == 0 ? 100 : 112, $0) }, "\(sentence)")
      #expect(!areInTurn { told(100 + Int(30 * sin(Double($0) * 0.7)), $0) }, "\(sentence)")
      #expect(!areInTurn { told($0 * 11 % 360, $0) }, "\(sentence)")
    }
    #expect(!areInTurn { $0 % 2 == 0 ? "HCHDM,100.\($0 % 5),M" : "HCHDT,130.\($0 % 5),T" })
  }

  /// gpsd serves several devices over one connection, and names that of each report (gpsd_json(5), "device").
  @Test func ofSeveralDevicesOfGPSDOneIsRead() {
    func report(_ device: String, _ fields: String) -> String {
      #"{"class":"ATT","device":"/dev/\#(device)",\#(fields)}"# + "\n"
    }
    let one = report("ttyUSB0", #""mheading":10.0,"pitch":1.0,"roll":2.0"#)
    let two = report("ttyUSB1", #""mheading":200.0,"pitch":1.0,"roll":2.0"#)
    let imu = report("ttyUSB2", #""acc_x":0.1,"acc_y":0.2,"acc_z":9.8"#)
    var decoder = GPSD()
    // What tells no heading gives way to what does.
    let heard = decoder.hear(Array((imu + String(repeating: one + two + imu, count: 20)).utf8))
    let headings = heard.messages.compactMap { $0.own?.magnetic?.degrees }
    #expect(headings == [Double](repeating: 10, count: 20), "\(headings)")
    #expect(heard.messages.count == 21 && heard.rejections.isEmpty)
    #expect(decoder.otherCompass?.contains("ttyUSB1") == true)
    // Once it has gone the other is read.
    let later = decoder.hear(Array(String(repeating: two, count: 60).utf8))
    #expect(later.messages.last?.own?.magnetic?.degrees == 200)
  }

  @Test func aColumnTellsThemToo() {
    let lines = (0..<20).flatMap { _ in [("1,%,%,%", Self.one), ("2,%,%,%", Self.two)] }
    let (fields, told) = Self.hear(lines, header: "sensor,mx_uT,my_uT,mz_uT\n")
    #expect(fields.count == 20 && fields.allSatisfy { $0 == Self.one } && told == "2")
  }

  /// The user names the column where no header does.
  @Test func aColumnThatTheUserNamesTellsThemAsWell() throws {
    var stream = WireStream(try #require(CSV(columns: "id,mx,my,mz", fieldUnit: .microtesla)))
    let text = String(repeating: "1,-12.9,15.7,-43.5\n2,60.2,-25.7,-13.5\n", count: 20)
    stream.append(Array(text.utf8).span)
    stream.end()
    var fields: [Vector3] = []
    while let event = stream.next() {
      if case .message(let message) = event, let field = message.field { fields.append(field) }
    }
    #expect(fields.count == 20 && fields.allSatisfy { $0 == Self.one } && stream.otherCompass == "2")
  }

  /// A count, and a state that changes as it likes over the numbers of one sensor, lose nothing.
  @Test func countsAndStatesLoseNothing() {
    let counted = (0..<40).map { (#"{"id":\#($0),"x":%,"y":%,"z":%}"#, Self.one) }
    #expect(Self.hear(counted).0.count == 40)
    let states = [1, 1, 2, 1, 1, 1, 2, 2, 1, 2, 2, 2, 1, 1, 2, 1].map {
      (#"{"id":\#($0),"x":%,"y":%,"z":%}"#, Self.one)
    }
    let (fields, told) = Self.hear(states)
    #expect(fields.count == states.count && told == nil)
  }

  /// The columns of a second magnetometer are told.
  @Test(arguments: ["mx1,my1,mz1,mx2,my2,mz2\n", "mx,my,mz,mx2,my2,mz2\n", "mx,my,mz,mx,my,mz\n"])
  func aTableTellsTheSecond(header: String) {
    var table = CSV()
    let heard = table.hear(Array((header + String(repeating: "-12.9,15.7,-43.5,1,2,3\n", count: 6)).utf8)).messages
    #expect(heard.count == 6 && heard.allSatisfy { $0.field == Self.one })
    #expect(table.otherCompass?.hasPrefix("mx") == true)
  }

  /// Commas between numbers and in them are read by the count of names.
  @Test func commasMayBeBoth() {
    let heard = CSV.hear("mx,my,mz\n" + String(repeating: "-9,83,13,50,-40,11\n", count: 6)).messages
    #expect(heard.count == 6 && heard.allSatisfy { $0.field == Vector3(-9.83, 13.5, -40.11) })
  }

  /// A column called T is a time where it rises, and else a temperature.
  @Test func aTRisesOrIsATemperature() {
    func hear(_ values: [String]) -> [WireMessage] {
      CSV.hear("T,mx,my,mz\n" + values.map { $0 + ",-12.9,15.7,-43.5\n" }.joined()).messages
    }
    let warm = hear((0..<20).map { $0 % 2 == 0 ? "24.5" : "24.4" })
    #expect(warm.count == 20 && warm.allSatisfy { $0.time == nil && ($0.temperature ?? 0) > 24 })
    let timed = hear((0..<20).map { "\(40 * $0)" })
    #expect(timed.count == 20 && timed.allSatisfy { $0.time != nil && $0.temperature == nil })
  }

  /// A column called t is a temperature where it falls, or stands still for long, and else a time.
  @Test func aSmallTMayBeATemperature() {
    func hear(_ values: [String]) -> [WireMessage] {
      CSV.hear("mx,my,mz,t\n" + values.map { "-12.9,15.7,-43.5,\($0)\n" }.joined()).messages
    }
    for values in [
      (0..<60).map { _ in "25.0" }, (0..<20).map { "2\(4 + $0 % 2).5" }, (0..<20).map { "\(30 - Double($0) / 100)" },
    ] {
      let warm = hear(values)
      #expect(warm.count == values.count && warm.allSatisfy { $0.time == nil && ($0.temperature ?? 0) > 24 })
    }
    for values in [
      (0..<20).map { "\(Double($0) / 10)" }, (0..<20).map { "\(40 * $0)" }, (0..<60).map { "\(12 + $0 / 10)" },
      (0..<20).map { "\(12.3 + Double(10 * $0 + $0 % 3) / 100)" },
    ] {
      let timed = hear(values)
      #expect(timed.count == values.count && timed.allSatisfy { $0.time != nil && $0.temperature == nil })
    }
  }
}
