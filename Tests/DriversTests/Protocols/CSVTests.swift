import LodestoneCore
import Support
import Testing

@testable import Drivers

@Suite struct CSVTests {
  @Test func aHeaderNamesTheColumns() {
    let heard = CSV.hear("time,mag_x,mag_y,mag_z\n0.02,-18.0,33.0,-42.0\n")
    var expected = WireMessage()
    expected.time = 0.02
    expected.field = Vector3(-18, 33, -42)
    #expect(heard == Heard(messages: [expected], otherCount: 1))
  }

  /// Units of laboratories: an oersted is 1000/4π A/m and makes a gauss in a vacuum, a gamma is a nanotesla.
  @Test(arguments: [
    ("Hx_A/m,Hy_A/m,Hz_A/m", 79.577_471_5), ("Hx [kA/m],Hy [kA/m],Hz [kA/m]", 0.079_577_471_5),
    ("Hx (Oe),Hy (Oe),Hz (Oe)", 1), ("mx_mOe,my_mOe,mz_mOe", 1000), ("Bx_gamma,By_gamma,Bz_gamma", 1e5),
    ("Bx (pT),By (pT),Bz (pT)", 1e8),
  ])
  func aHeaderNamesUnitsOfLaboratories(_ header: String, _ hundredMicrotesla: Double) throws {
    let heard = CSV.hear("time_s,\(header)\n0.02,\(hundredMicrotesla),0,0\n")
    let x = try #require(heard.messages.first?.microtesla?.x)
    #expect(abs(x - 100) < 1e-5)
  }

  /// Commas in numbers, and commas, semicolons, tabs or blanks between; under a header, and for the user's columns.
  @Test(arguments: ["-9,83, 13,50, -40,11", "-9,83;13,50;-40,11", "-9,83\t13,50\t-40,11", "-9,83 13,50 -40,11"])
  func decimalCommas(row: String) {
    let rows = String(repeating: row + "\n", count: 8), expected = Vector3(-9.83, 13.5, -40.11)
    let bare = CSV.hear(rows).messages, headed = CSV.hear("mx, my, mz\n" + rows).messages
    #expect(bare.count == 8 && bare.allSatisfy { $0.field == expected }, "\(bare.first?.field ?? .zero)")
    if row.contains(", ") {
      #expect(headed.count == 8 && headed.allSatisfy { $0.field == expected }, "\(headed.first?.field ?? .zero)")
    }
    var named = CSV(columns: "mx,my,mz")
    let messages = named?.hear(Array(rows.utf8)).messages
    #expect(messages?.count == 8 && messages?.allSatisfy { $0.field == expected } == true)
  }

  /// Loggers write the date and the time of day before numbers without a header.
  @Test(arguments: [
    "2026-11-27,12:00:%,", "2026-11-27 12:00:%,", "2026-11-27T12:00:%Z, ", "27/11/2026;12:00:%;", "12:00:%\t",
  ])
  func aClockBeforeBareNumbersIsTheirTime(form: String) throws {
    let separator = form.contains(";") ? ";" : form.contains("\t") ? "\t" : ","
    let rows = (0..<60).map { row -> String in
      let turned = Vector3(20, 0, -43.5) + Vector3(-0.3, 0.6, 0.01) * Double(row)
      let field = (0..<3).map { turned[$0].text(decimals: 2) }.joined(separator: separator)
      return form.replacing("%", with: (10 + 0.5 * Double(row)).text(decimals: 1)) + field + "\n"
    }
    var decoder = CSV()
    let messages = decoder.hear(Array(rows.joined().utf8)).messages
    #expect(messages.count == 60 && messages.allSatisfy { $0.field?.z ?? 0 < -42 }, "\(messages.count)")
    let times = messages.compactMap { $0.time }
    try #require(times.count == 60)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.5) < 1e-6 }, "\(times)")
  }

  /// A word behind bare numbers tells how good they are, and changes.
  @Test func gradesBehindBareNumbersArePassedOver() {
    let grades = ["High", "Medium", "Low", "Unreliable"]
    let rows = (0..<40).map { "\((-12.9 + 0.1 * Double($0)).text(decimals: 2)),15.70,-43.50,\(grades[$0 / 10])\n" }
    let messages = CSV.hear(rows.joined()).messages
    #expect(messages.count == 40 && messages.allSatisfy { $0.field?.z == -43.5 }, "\(messages.count)")
    #expect(CSV.hear(rows.map { $0.replacing(",Low", with: ",Blue") }.joined()).messages.count == 30)
  }

  @Test(arguments: [("Time (min)", 1 / 60.0), ("t_h", 1 / 3600.0), ("elapsed minutes", 1 / 60.0), ("time (s)", 1)])
  func timesInMinutesAndHours(name: String, second: Double) {
    let rows = (0..<10).map { "\((Double($0) * second).text(decimals: 9)),20,0,-43\n" }.joined()
    let times = CSV.hear("\(name),mx_uT,my_uT,mz_uT\n" + rows).messages.compactMap { $0.time }
    #expect(times.count == 10 && zip(times, 0...).allSatisfy { abs($0 - Double($1)) < 1e-4 }, "\(times)")
  }

  /// Where each row has told its time, one without is left out; a time that is told now and then is no such.
  @Test func anEmptyTimeIsDamage() {
    let header = "time_s,mx_uT,my_uT,mz_uT\n"
    let heard = CSV.hear(header + "1,1,2,43\n1.1,1,2,43\n,1,2,43\n,1,2,43\n1.4,1,2,43\n,1,2,43\n1.6,1,2,43\n")
    #expect(heard.messages.map { $0.time } == [1, 1.1, 1.4, 1.6])
    #expect(heard.rejections == [.malformed, .malformed, .malformed])
    let sparse = CSV.hear(header + "1,1,2,43\n,1,2,43\n,1,2,43\n2,1,2,43\n,1,2,43\n")
    #expect(sparse.messages.map { $0.time } == [1, nil, nil, 2, nil] && sparse.rejections.isEmpty)
  }

  /// A table says whose its axes are, or leaves them x, y and z.
  @Test func namesOfAxesAreTold() {
    func naming(_ header: String) -> FieldNaming {
      var table = CSV()
      _ = table.hear(Array((header + "\n1,2,43\n").utf8))
      return table.fieldNaming
    }
    #expect(naming("mx,my,mz") == .table && naming("Mag X,Mag Y,Mag Z") == .table)
    #expect(naming("x (uT),y (uT),z (uT)") == .table && naming("ax,ay,az") == .unsaid)
    #expect(naming("time,x,y,z") == .axes)
  }

  /// Rows that came before their header, and waited for what they are, are read by it.
  @Test func theFirstHeaderNamesTheRowsBeforeIt() {
    let rows = "12395,1,2,3\n12445,4,5,6\n"
    let heard = CSV.hear(rows + "t,mx_mG,my_mG,mz_mG\n12495,7,8,9\n")
    #expect(heard.messages.map { $0.field } == [Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)])
    #expect(heard.messages.allSatisfy { $0.fieldUnit == .milligauss })
    #expect(zip(heard.messages, [12.395, 12.445, 12.495]).allSatisfy { abs(($0.time ?? 0) - $1) < 1e-9 })
    let others = CSV.hear(rows + "mx_uT,my_uT,mz_uT\n7,8,9\n")
    #expect(others.messages.map { $0.field } == [Vector3(7, 8, 9)], "rows with another count of columns")
  }

  /// A decoder for the start of the stream knows the header that came in its middle, and nothing where that is open.
  @Test func theStartOfTheStreamIsReadByTheHeaderInItsMiddle() {
    let rows = "12395,1,2,3\n12445,4,5,6\n", header = "t,mx_uT,my_uT,mz_uT\n"
    var listening = CSV()
    _ = listening.hear(Array((rows + header).utf8))
    var start = listening.fromStart()
    let messages = start.hear(Array((rows + header + rows).utf8)).messages
    #expect(messages.map { $0.field?.x } == [1, 4, 1, 4] && messages.allSatisfy { $0.fieldUnit == .microtesla })

    var bare = CSV()
    _ = bare.hear(Array(rows.utf8))
    var fresh = bare.fromStart()
    #expect(fresh.hear(Array("mx_uT,my_uT,mz_uT\n7,8,9\n".utf8)).messages.first?.field == Vector3(7, 8, 9))

    // Two tables in one stream: the second header says nothing of the first rows.
    var changed = CSV()
    _ = changed.hear(Array((header + rows + "mx_uT,my_uT,mz_uT\n7,8,9\n").utf8))
    var again = changed.fromStart()
    #expect(changed.changeCount == 1 && again.evidence == CSV.proof)
    #expect(again.hear(Array((header + rows).utf8)).messages.map { $0.time }.contains(nil) == false)

    // A table that the user named, and any other protocol, begin as they are.
    #expect(CSV(columns: "mx,my,mz")?.fromStart().evidence == CSV.proof)
    #expect(NMEA0183().fromStart().changeCount == 0)
  }

  /// A recording says which rows are at the end of the sensor's range, by the line before; however the bytes come.
  @Test func aCommentMarksASaturatedRow() {
    let text = "mx_uT,my_uT,mz_uT\n1,2,3\n# saturated\n300,2,3\n4,2,3\n# saturated\nx\n5,2,3\n# saturated!\n6,2,3\n"
    #expect(CSV.hear(text).messages.map { $0.saturated } == [false, true, false, false, false])
    var (csv, bytes) = (CSV(), Array(text.utf8))
    bytes.append(contentsOf: bytes)
    var (position, found) = (0, [Bool]())
    while position < bytes.count {
      var message = WireMessage()
      guard let step = csv.next(in: bytes.span, from: &position, into: &message) else { break }
      if step == .message { found.append(message.saturated) }
    }
    #expect(found.filter { $0 }.count == 2 && found.count == 10)
  }

  /// Names in a comment are the columns of rows with as many values, between whatever stands there.
  @Test(arguments: [
    "# t mx my mz\n0,1,2,3\n0.1,1,2,3\n0.2,1,2,3\n0.3,1,2,3\n", "#t,my,mx,mz\n0 2 1 3\n0.1 2 1 3\n",
    "# my mx mz of a walk\n0,1,2,3\n0.1,1,2,3\n", "mz,my,mx\n# mx,my,mz\n3,2,1\n", ",mx,my,mz\n0,1,2,3\n1,1,2,3\n",
  ])
  func namesMayStandInAComment(text: String) {
    let messages = CSV.hear(text).messages
    #expect(messages.first?.field == Vector3(1, 2, 3), "\(messages)")
  }

  /// Axes by number, as flight controllers' logs write them.
  @Test func axesMayBeNumbers() {
    let text =
      "time (us),gyroADC[0],gyroADC[1],gyroADC[2],accSmooth[0],accSmooth[1],accSmooth[2],magADC[0],magADC[1],magADC[2]"
    let message = CSV.hear(text + "\n0,1,2,3,4,5,6,7,8,9\n").messages.first
    #expect(message?.field == Vector3(7, 8, 9) && message?.acceleration == Vector3(4, 5, 6))
    #expect(message?.rotationRate == Vector3(1, 2, 3))
    let other = CSV.hear("timestamp,magnetometer_ga[0],magnetometer_ga[1],magnetometer_ga[2]\n0,1,2,3\n20000,1,2,3\n")
    #expect(other.messages.first?.fieldUnit == .gauss)
  }

  /// Core Motion's accelerations point the other way: lying on its back, an iPhone reads −1 on z.
  @Test func accelerationsOfAnIPhoneAreTurned() {
    let names = ["accelerometerAcceleration", "magnetometer"].flatMap { name in
      ["X", "Y", "Z"].map { name + $0 + (name.hasPrefix("m") ? "(µT)" : "(G)") }
    }
    let message = CSV.hear(names.joined(separator: ",") + "\n0.1,0.2,-1,20,1,-43\n").messages.first
    #expect(message?.acceleration == Vector3(-0.1, -0.2, 1) && message?.field == Vector3(20, 1, -43))
  }

  @Test func unitsStandInTheNames() {
    let heard = CSV.hear(
      "# device: x\ntime_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps,temperature_C\n1,2,3,4,5,6,7,8,9,10,11\n"
    )
    let message = heard.messages.first
    #expect(message?.fieldUnit == .microtesla)
    #expect(message?.accelerationUnit == .g)
    #expect(message?.rotationRateUnit == .degreesPerSecond)
    #expect(message?.rotationRate == Vector3(8, 9, 10))
    #expect(message?.temperature == 11)
  }

  @Test(arguments: [
    "Magnetic field x (µT),Magnetic field y (µT),Magnetic field z (µT)", "mx_uT,my_uT,mz_uT", "magX_uT,magY_uT,magZ_uT",
    "x (uT),y (uT),z (uT)", "\"MagX [uT]\",\"MagY [uT]\",\"MagZ [uT]\"", "bx_uT,by_uT,bz_uT",
  ])
  func namesOfTheFieldAsPeopleWriteThem(header: String) {
    let message = CSV.hear(header + "\n1,2,3\n").messages.first
    #expect(message?.field == Vector3(1, 2, 3))
    #expect(message?.fieldUnit == .microtesla)
  }

  @Test(
    arguments: [
      ("accX,accY,accZ", nil), ("ax_g,ay_g,az_g", .g), ("a_x,a_y,a_z", nil), ("accel.x,accel.y,accel.z", nil),
      ("Acceleration x (m/s^2),Acceleration y (m/s^2),Acceleration z (m/s^2)", .metresPerSecondSquared),
    ] as [(String, AccelerationUnit?)])
  func namesOfTheAcceleration(header: String, unit: AccelerationUnit?) {
    let message = CSV.hear(header + "\n1,2,3\n").messages.first
    #expect(message?.acceleration == Vector3(1, 2, 3))
    #expect(message?.accelerationUnit == unit)
  }

  /// As `rostopic echo -p` writes it: the first name is marked, and each begins with `field`.
  @Test func aTopicIsATable() {
    let heard = CSV.hear(
      "%time,field.header.seq,field.header.stamp,field.header.frame_id,field.magnetic_field.x,field.magnetic_field.y,"
        + "field.magnetic_field.z\n1700000000000000000,7,1700000000000000000,imu,2.1e-5,3e-7,-4.2e-5\n")
    #expect(heard.messages.map { $0.field } == [Vector3(2.1e-5, 3e-7, -4.2e-5)])
    #expect(heard.messages.map { $0.time } == [1_700_000_000])
  }

  @Test func aTableGoesOnPastMidnight() {
    let heard = CSV.hear("time,mx,my,mz\n23:59:59.5,1,2,3\n00:00:00.5,1,2,3\n00:00:01.5,1,2,3\n")
    #expect(heard.messages.map { $0.time } == [86_399.5, 86_400.5, 86_401.5])
  }

  @Test func namesMayBeGermanOrFrench() {
    let german = CSV.hear("\"Zeit (s)\";\"Magnetfeld x (µT)\";\"y (µT)\";\"z (µT)\";\"Betrag (µT)\"\n0,5;1,5;2;3;4\n")
    #expect(german.messages.first?.field == Vector3(1.5, 2, 3))
    #expect(german.messages.first?.time == 0.5)
    let french = CSV.hear("Temps (s),Champ x (µT),Champ y (µT),Champ z (µT)\n0.5,1.5,2,3\n")
    #expect(french.messages.first?.field == Vector3(1.5, 2, 3))
    #expect(french.messages.first?.fieldUnit == .microtesla)
  }

  @Test func computedColumnsAreNotTakenForRawOnes() {
    let heard = CSV.hear("mx,my,mz,mx_cal,my_cal,mz_cal,Linear Acceleration x\n1,2,3,4,5,6,7\n")
    #expect(heard.messages.first?.field == Vector3(1, 2, 3))
    #expect(heard.messages.first?.acceleration == nil)
  }

  @Test(arguments: [
    ("time_ms", "1500", 1.5), ("millis", "1500", 1.5), ("timestamp_us", "1500000", 1.5), ("t", "1.5", 1.5),
    ("Time (s)", "1.5", 1.5), ("timestamp", "1574572020903", 1_574_572_020.903), ("index", "7", 7),
    ("ms", "1500", 1.5), ("msec", "1500", 1.5), ("us", "1500000", 1.5), ("sec", "1.5", 1.5),
    ("Zeit (s)", "1.5", 1.5), ("Tiempo (ms)", "1500", 1.5), ("index,ms", "7,1500", 1.5),
    ("time_ms,sample", "1500,7", 1.5),
  ])
  func timesAreSeconds(name: String, text: String, seconds: Double) throws {
    let time = CSV.hear("\(name),mx,my,mz\n\(text),1,2,3\n").messages.first?.time
    #expect(abs(try #require(time) - seconds) < 1e-6)
  }

  /// ISO 8601 with a zone as phones write it, MATLAB's own, American, British, German, a time of day. `date -u` tells
  /// the seconds.
  @Test(arguments: [
    ("2026-03-01 11:30:00.250 +0200", 1_772_357_400.25), ("01-Mar-2026 09:30:00.250", 1_772_357_400.25),
    ("3/1/2026 9:30:00.250 AM", 1_772_357_400.25), ("3/1/2026 9:30:00 PM", 1_772_400_600),
    ("03/01/2026 12:00:00 AM", 1_772_323_200), ("25/03/2026 09:30:00.25", 1_774_431_000.25),
    ("01.03.2026 09:30:00", 1_772_357_400), ("09:30:00.25", 34_200.25), ("9:30:00:250", 34_200.25), ("09:30", 34_200),
    ("12:30:00 pm", 45_000),
  ])
  func clocksAreTimes(text: String, seconds: Double) throws {
    let message = try #require(CSV.hear("loggingTime(txt);mx;my;mz\n\(text);1;2;3\n").messages.first)
    #expect(message.time == seconds && message.field == Vector3(1, 2, 3))
  }

  @Test(arguments: [
    "1#500", "9:", "9:30", "3/1/26 9:30:00", "13/13/2026 9:30:00", "13:30:00 PM", "01-Foo-2026 09:30", "Mar", "1/2",
    "3/1/2026 ",
  ])
  func whatShowsNoClockIsNoRow(_ text: String) {
    let heard = CSV.hear("time,mx,my,mz\n\(text),1,2,3\n1.5,1,2,3\n")
    #expect(heard.messages.map { $0.time } == [1.5])
  }

  @Test(arguments: ["s", "lag_ms", "fine"]) func otherNamesAreNoTimes(_ name: String) {
    #expect(CSV.hear("\(name),mx,my,mz\n1500,1,2,3\n").messages.first?.time == nil)
  }

  @Test(arguments: ["1;2,5;-3", "1;2.5;-3.0", "1.0;2,5;-3", "1\t2.5\t-3", "  1  2.5 -3", "1, 2.5, -3"])
  func separators(line: String) {
    #expect(CSV.hear(line + "\n").messages.first?.field == Vector3(1, 2.5, -3))
  }

  @Test func bareNumbersByTheirCount() {
    let message = CSV.hear("0.5,0.1,0.2,9.8,4,5,6,17,8,-43\n0.6,0.1,0.2,9.7,4,5,6,17,8,-43\n").messages.first
    #expect(message?.time == 0.5)
    #expect(message?.acceleration == Vector3(0.1, 0.2, 9.8))
    #expect(message?.rotationRate == Vector3(4, 5, 6))
    #expect(message?.field == Vector3(17, 8, -43))
    #expect(CSV.hear("1,2\n").rejections == [.unrecognized])
  }

  @Test(
    arguments: [
      ("0.02,-0.1,9.79,21.5,3,-43", false), ("21.5,3,-43,0.02,-0.1,9.79", true), ("21.5,3,-43,0.1,-0.2,0.97", true),
      ("120,-88,8190,215,30,-430", false), ("0,0,1,0.25,0.15,-0.4", false), ("21.5;3,5;-43,2;0,1;-0,2;9,79", true),
    ])
  func ofSixBareNumbersGravityIsTheAcceleration(row: String, fieldIsFirst: Bool) throws {
    let message = try #require(CSV.hear(row + "\n").messages.first)
    let first = try #require(Double(row.split(separator: row.contains(";") ? ";" : ",")[0]))
    #expect((fieldIsFirst ? message.field : message.acceleration)?.x == first)
  }

  @Test(arguments: ["1,nan,3", "1,two,3", "1,2", "1,,3", ",,", "1,2,3x", "1e999,2,3"])
  func aDamagedRowIsRefusedAndTheRestGoesOn(row: String) {
    let heard = CSV.hear("mx,my,mz\n\(row)\n4,5,6\n")
    #expect(heard.rejections == [.malformed])
    #expect(heard.messages.map { $0.field } == [Vector3(4, 5, 6)])
  }

  @Test func anAbsentQuantityIsAbsent() {
    let messages = CSV.hear("mx,my,mz,ax,ay,az\n,,,1,2,3\n4,5,6,,,\n").messages
    #expect(messages.map { $0.field } == [nil, Vector3(4, 5, 6)])
    #expect(messages.map { $0.acceleration } == [Vector3(1, 2, 3), nil])
  }

  @Test func columnsGivenByTheUser() throws {
    var decoder = try #require(CSV(columns: "_,mx,my,mz", fieldUnit: .nanotesla))
    let message = decoder.hear(Array("a,b,c,d\n9,1,2,3\n".utf8)).messages.first
    #expect(message?.field == Vector3(1, 2, 3))
    #expect(message?.fieldUnit == .nanotesla)
    #expect(CSV(columns: "mx,my") == nil)
  }

  /// Rows of nothing but numbers are read in a single pass; a blank at their end sends them the longer way.
  @Test(
    arguments: ["t,mx,my,mz", "mx_uT;my_uT;mz_uT;temperature_C", "mx\tmy\tmz", "note,mx,my,mz", "mx my mz"],
    [7, 64, 9999])
  func plainRowsSayTheSameAsOthers(header: String, chunk: Int) {
    var random = SeededGenerator(seed: 3)
    let fields = ["1", "-2.5", "+3", "", " 4", "5 ", "6e1", "\"7\"", "8,5", "x", "nan", "-0.0", "1234567.7654321"]
    let separators = [",", ";", "\t", " "]
    var text = header + "\n1,2,3,4\n1;2;3;4\n"
    for _ in 0..<400 {
      let separator = separators.first { header.contains($0) } ?? ","
      let isPlain = Bool.random(using: &random)
      let row = (0..<Int.random(in: 2...5, using: &random)).map { _ in
        isPlain ? "\(Int.random(in: -99_999...99_999, using: &random)).25" : fields.randomElement(using: &random) ?? ""
      }
      text += row.joined(separator: separator) + (["\n", "\r\n", "\n\n"].randomElement(using: &random) ?? "\n")
    }
    text += "1,2,3,4\n"
    let longer = text.replacing("\r\n", with: " \r\n").replacing(/([0-9])\n/) { "\($0.1) \n" }
    #expect(CSV.hear(text, chunk: chunk) == CSV.hear(longer, chunk: chunk))
  }

  /// pandas and R print the number of a row before it, without a name.
  @Test(arguments: [
    ("      mx    my     mz\n", "@  -12.9  15.7  -43.5\n", 0),
    (#""mx" "my" "mz""# + "\n", #""@" -12.9 15.7 -43.5"# + "\n", 1),
    ("mx,my,mz\n", "@,-12.9,15.7,-43.5\n", 0),
  ])
  func rowNumbersWithoutANameArePassedOver(header: String, row: String, first: Int) {
    let heard = CSV.hear(header + (first..<first + 12).map { row.replacing("@", with: "\($0)") }.joined())
    #expect(heard.messages.map { $0.field } == Array(repeating: Vector3(-12.9, 15.7, -43.5), count: 12))
    let behind = CSV.hear("mx,my,mz\n" + String(repeating: "-12.9,15.7,-43.5,24.5\n", count: 4)).messages
    #expect(behind.map { $0.field } == Array(repeating: Vector3(-12.9, 15.7, -43.5), count: 4))
  }

  /// A time without a name stands before the axes, and a number without one behind a named time. Few rows tell too.
  @Test func aColumnWithoutANameIsFoundByHowItRises() {
    let timed = CSV.hear("mx,my,mz\n" + (0..<20).map { "\(12_395 + 50 * $0),-12.9,15.7,-43.5\n" }.joined()).messages
    #expect(timed.count == 20 && timed.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
    #expect(zip(timed, timed.dropFirst()).allSatisfy { abs(($1.time ?? 0) - ($0.time ?? 0) - 0.05) < 1e-9 })
    let named = CSV.hear("t,mx,my,mz\n" + (0..<20).map { "0.\(10 + $0),-12.9,15.7,-43.5,24.5\n" }.joined()).messages
    #expect(named.count == 20 && named.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) && $0.time ?? 0 > 0.09 })
    let few = CSV.hear("   t   mx   my   mz\n5  0.1  1  2  3\n..  ...  ...  ...  ...\n9  0.5  4  5  6\n").messages
    #expect(few.map { $0.field } == [Vector3(1, 2, 3), Vector3(4, 5, 6)] && few.map { $0.time } == [0.1, 0.5])
  }

  /// Names of exports: an index before a unit, gravities of a phone before the acceleration without them, and the time
  /// of a date before one in words.
  @Test func namesOfExportsAreUnderstood() {
    let flight = CSV.hear(
      "time (us),gyroADC[0] (deg/s),gyroADC[1] (deg/s),gyroADC[2] (deg/s),accSmooth[0] (g),accSmooth[1] (g),"
        + "accSmooth[2] (g),magADC[0],magADC[1],magADC[2]\n1000,1,2,3,0,0,1,4,5,6\n2000,1,2,3,0,0,1,4,5,6\n"
    ).messages.last
    #expect(flight?.acceleration == Vector3(0, 0, 1) && flight?.accelerationUnit == .g)
    #expect(flight?.field == Vector3(4, 5, 6))
    #expect(flight?.rotationRate == Vector3(1, 2, 3) && flight?.rotationRateUnit == .degreesPerSecond)
    let phone = CSV.hear(
      "time,gFx,gFy,gFz,ax,ay,az,Bx,By,Bz\n0,0,0.1,1,7,7,7,4,5,6\n0.1,0,0.1,1,7,7,7,4,5,6\n"
    ).messages
    #expect(phone.last?.acceleration == Vector3(0, 0.1, 1) && phone.last?.field == Vector3(4, 5, 6))
    let band = CSV.hear(
      "epoch (ms),timestamp (-0500),elapsed (s),x-axis (T),y-axis (T),z-axis (T)\n"
        + "1000,2026-11-27T12.00.00.000,0.0,1,2,3\n1100,2026-11-27T12.00.00.100,0.1,1,2,3\n"
    ).messages
    #expect(band.map { $0.time } == [1, 1.1] && band.last?.fieldUnit == .tesla)
  }

  @Test func aRowThatWasCutOffIsNotReadAsWhole() {
    let heard = CSV.hear("mx,my,mz\n1,2,3\n1,2,-4")
    #expect(heard.messages.count == 1)
    #expect(heard.rejections == [.truncated])
  }
}
