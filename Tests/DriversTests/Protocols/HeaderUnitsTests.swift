import Glibc
import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Units in the headers of tables, as programs for schools and people who write by ISO 80000 put them.
@Suite struct HeaderUnitsTests {
  struct Header: CustomTestStringConvertible, Sendable {
    let names: [String]
    let time: Double
    let unit: FieldUnit

    var testDescription: String { names.joined(separator: ",") }

    init(_ names: [String], time: Double = 2, _ unit: FieldUnit = .millitesla) {
      (self.names, self.time, self.unit) = (names, time, unit)
    }

    /// One name of each axis.
    init(_ clock: String, _ axis: String, time: Double = 2, _ unit: FieldUnit = .millitesla) {
      self.init([clock] + ["x", "y", "z"].map { axis.replacing("?", with: $0) }, time: time, unit)
    }
  }

  static let headers = [
    Header("\"Time (s) Run #1\"", "\"Magnetic Field Strength - ? (mT) Run #1\""),
    Header("Data Set 1:Time(s)", "Data Set 1:? magnetic field(mT)"),
    Header("Latest: Time (ms)", "Latest: ? magnetic field (G)", time: 0.002, .gauss),
    Header("time (s)", "Hall ? [mT]"), Header("t/s", "B?/mT"), Header("t / ms", "B_? / µT", time: 0.002, .microtesla),
    Header("Zeit/s", "Magnetfeld ?/µT", .microtesla), Header("t in s", "B_? in mT"),
    Header(["t (s)", "Bx (mT)", "By (mT)", "Bz (mT)", "|B| (mT)"]),
    Header(["\"t (s)\"", "\"Bx (mT)\"", "\"By (mT)\"", "\"Bz (mT)\"", "\"|B| (mT)\""]),
  ]

  @Test(arguments: headers, [",", ";"])
  func unitsAreRead(_ header: Header, _ separator: String) {
    let row = ["2", "3", "4", "5", "7"].prefix(header.names.count)
    let text = [header.names, Array(row)].map { $0.joined(separator: separator) }.joined(separator: "\n") + "\n"
    let message = CSV.hear(text).messages.first
    #expect(message?.field == Vector3(3, 4, 5) && message?.fieldUnit == header.unit)
    #expect(message?.time == header.time)
  }

  /// Shimmer's and Campbell Scientific's files have their units in a row of their own: °/s were rad/s.
  @Test(arguments: [
    ["Timestamp_CAL", "Accel_X", "Accel_Y", "Accel_Z", "Gyro_X", "Gyro_Y", "Gyro_Z", "Mag_X", "Mag_Y", "Mag_Z"],
    ["TS", "ax", "ay", "az", "gx", "gy", "gz", "bx", "by", "bz"],
  ]) func aRowOfUnitsIsRead(_ names: [String]) {
    let units = ["ms"] + Array(repeating: "m/(s^2)", count: 3) + Array(repeating: "deg/s", count: 3)
    let rows = [names, units + ["uT", "uT", "uT"], ["2000", "1", "2", "9", "3", "4", "5", "-12.9", "15.7", "-43.5"]]
    let message = CSV.hear(rows.map { $0.joined(separator: "\t") + "\n" }.joined()).messages.first
    #expect(message?.time == 2 && message?.accelerationUnit == .metresPerSecondSquared)
    #expect(message?.rotationRate == Vector3(3, 4, 5) && message?.rotationRateUnit == .degreesPerSecond)
    #expect(message?.field == Vector3(-12.9, 15.7, -43.5) && message?.fieldUnit == .microtesla)
  }

  /// Sensors of one file whose rows begin with a word for each: only those of the last header were read.
  @Test func rowsOfSeveralSensorsAreRead() {
    let text =
      "% Accelerometer data:  ACCE;AppTimestamp(s);SensorTimestamp(s);Acc_X(m/s^2);Acc_Y(m/s^2);Acc_Z(m/s^2);Accuracy\n"
      + "% Magnetometer data:  MAGN;AppTimestamp(s);SensorTimestamp(s);Mag_X(uT);Mag_Y(uT);Mag_Z(uT);Accuracy\n"
      + (0..<8).map { "ACCE;1.\($0);7.\($0);0.1;0.2;9.8;3\nMAGN;1.\($0);7.\($0);-12.9;15.7;-43.5;3\n" }.joined()
    var first = CSV()
    let messages = first.hear(Array(text.utf8)).messages
    var again = first.fromStart()
    #expect(messages.count == 8 && again.hear(Array(text.utf8)).messages == messages)
    for message in messages {
      #expect(message.field == Vector3(-12.9, 15.7, -43.5) && message.fieldUnit == .microtesla)
      #expect(message.acceleration == Vector3(0.1, 0.2, 9.8))
      #expect(message.accelerationUnit == .metresPerSecondSquared)
    }
  }

  /// GetSensorData's header has a semicolon too many: y was the z of before.
  @Test func aNameThatIsEmptyHasNoColumn() {
    let header = "% Magnetometer data:  MAGN;AppTimestamp(s);SensorTimestamp(s);Mag_X(uT);;Mag_Y(uT);Mag_Z(uT);Acc\n"
    let row = "MAGN;1.5;7.25;-12.9;15.7;-43.5;3\n"
    let heard = CSV.hear(header + String(repeating: row, count: 4))
    #expect(heard.messages.count >= 3 && heard.messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
    // One that has a column keeps it.
    let empty = CSV.hear("mx;;my;mz\n-12.9;7;15.7;-43.5\n")
    #expect(empty.messages.first?.field == Vector3(-12.9, 15.7, -43.5))
    let cut = CSV.hear("mx;;my;mz\n-12.9;;15.7\n-12.9;;15.7;-43.5\n")
    #expect(cut.messages.map { $0.field } == [Vector3(-12.9, 15.7, -43.5)])
  }

  /// Spreadsheets part thousands in quotes: numbers below a thousand were a thousand times the others.
  @Test(arguments: ["mx_nT,my_nT,mz_nT\n", ""]) func commasWithinQuotesPartThousands(_ header: String) {
    let fields = (0..<60).map { number -> Vector3 in
      let angle = Double(number) * 0.1
      return Vector3((-20_290 * sin(angle)).rounded(), (20_290 * cos(angle)).rounded(), -43_500)
    }
    func text(_ value: Double) -> String {
      let size = Int(abs(value))
      let digits = size < 1000 ? "\(size)" : "\(size / 1000),\(String(size % 1000 + 1000).dropFirst())"
      return "\"\(value < 0 ? "-" : "")\(digits)\""
    }
    let rows = fields.map { field in (0..<3).map { text(field[$0]) }.joined(separator: ",") + "\n" }
    var (start, bytes) = (CSV(), Array((header + rows.joined()).utf8))
    _ = start.hear(bytes)
    var decoder = start.fromStart()
    let heard = decoder.hear(bytes)
    #expect(heard.messages.map { $0.field } == fields)
    bytes = Array("mx,my,mz\n\"-12,9\",\"15\",\"-43,512\"\n\"-13\",\"15,7\",\"-43,512\"\n".utf8)
    #expect(CSV.hear(bytes).messages.last?.field == Vector3(-13, 15.7, -43.512))
  }

  /// What SparkFun's BNO080 examples print first is no header that lacks an axis.
  @Test func aSentenceWithAxesIsNoHeader() {
    let text = "Magnetometer enabled\nOutput in form x, y, z, in uTesla\n"
    var table = CSV()
    _ = table.hear(Array((text + String(repeating: "-12.9,15.7,-43.5,High\n", count: 12)).utf8))
    #expect(table.fault == nil && table.table != nil)
  }

  @Test func unitsBehindAStrokeMayHaveStrokesThemselves() {
    let heard = CSV.hear("t/s,a_x/(m/s²),a_y/(m/s²),a_z/(m/s²),ω_x/(rad/s)\n2,3,4,5,6\n")
    #expect(heard.messages.first?.acceleration == Vector3(3, 4, 5))
    #expect(heard.messages.first?.accelerationUnit == .metresPerSecondSquared)
  }

  /// A stroke or an `in` that no unit of the quantity follows says nothing.
  @Test(arguments: ["x/m,y/m,z/m", "x in,y in,z in", "x (in),y (in),z (in)", "mx LSB/gauss,my LSB/gauss,mz LSB/gauss"])
  func whatIsNoUnitOfTheFieldIsNone(header: String) {
    #expect(CSV.hear(header + "\n1,2,3\n").messages.first?.fieldUnit == nil)
  }
}
