import LodestoneCore
import Testing

@testable import Drivers

/// Tables that programs of makers of sensors export.
@Suite struct ExportsTests {
  /// WitMotion's app writes its µ with another letter.
  @Test func aLetterMayStandForMicro() {
    let names = ["X", "Y", "Z"].map { "Magnetic field \($0)(ʯt)" }.joined(separator: ",")
    let message = CSV.hear("time,\(names)\n2026-11-27 12:00:00.1,-12.9,15.7,-43.5\n").messages.first
    #expect(message?.field == Vector3(-12.9, 15.7, -43.5) && message?.fieldUnit == .microtesla)
  }

  /// Movella's DOT counts SampleTimeFine in microseconds, Xsens' MTi in tenths of milliseconds.
  @Test(arguments: [(16_667, 1e-6), (8333, 1e-6), (250_000, 1e-6), (100, 1e-4), (25, 1e-4), (5000, 1e-4)])
  func stepsTellTheUnitOfSampleTimeFine(step: Int, scale: Double) {
    let header = "PacketCounter,SampleTimeFine,Acc_X,Acc_Y,Acc_Z,Mag_X,Mag_Y,Mag_Z\n"
    let rows = (0..<10).map { "\($0),\(2_000_000 + $0 * step),0.2,1.0,9.7,-0.27,0.33,-0.9\n" }
    let times = CSV.hear(header + rows.joined()).messages.compactMap { $0.time }
    #expect(times.count == 10)
    for (one, next) in zip(times, times.dropFirst()) { #expect(abs(next - one - Double(step) * scale) < 1e-6) }
  }

  /// GetSensorData's files tell the columns of each sensor in a comment: rows of the others passed for fields.
  @Test func rowsOfOtherSensorsAreNoFields() {
    let header =
      "% Accelerometer data:\tACCE;AppTimestamp(s);SensorTimestamp(s);Acc_X(m/s^2);Acc_Y(m/s^2);Acc_Z(m/s^2);Accuracy(integer)\n"
      + "% Magnetometer data:\tMAGN;AppTimestamp(s);SensorTimestamp(s);Mag_X(uT);Mag_Y(uT);Mag_Z(uT);Accuracy(integer)\n"
    let rows = (0..<6).map {
      "ACCE;1.\($0);5001.\($0);0.2;1.0;9.7;3\nMAGN;1.\($0);5001.\($0);-12.9;15.7;-43.5;3\nGYRO;1.\($0);5001.\($0);0.1;0.2;0.3;3\n"
    }
    let messages = CSV.hear(header + rows.joined()).messages
    #expect(messages.count == 6 && messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
  }

  /// MicroStrain's axes point forward, right and down.
  @Test func axesOfSensorConnectAreTurned() {
    let names = [("Accel", "x8004"), ("Gyro", "x8005"), ("Mag", "x8006")].flatMap { name in
      ["X", "Y", "Z"].map { "\($0) \(name.0) [\(name.1)]" }
    }
    let header = "Time," + names.joined(separator: ",") + "\n"
    let row = "2026-11-27 12:00:00.1,0.1,0.02,-0.99,0.1,0.2,-0.3,0.157,-0.129,0.435\n"
    let message = CSV.hear(header + row).messages.first
    #expect(message?.field == Vector3(-0.129, 0.157, -0.435) && message?.acceleration == Vector3(0.02, 0.1, 0.99))
    #expect(message?.rotationRate == Vector3(0.2, 0.1, 0.3))
  }

  /// A sketch's own direction stands behind its numbers, and changes.
  @Test func directionsBehindBareNumbersArePassedOver() {
    let words = ["N", "NE", "E", "South"]
    let rows = (0..<40).map { "\((-12.9 + 0.1 * Double($0)).text(decimals: 2)), 15.70, -43.50, \(words[$0 / 10])\n" }
    let messages = CSV.hear(rows.joined()).messages
    #expect(messages.count == 40 && messages.allSatisfy { $0.field?.z == -43.5 })
  }

  /// What stands between the names and values of LabVIEW's header are no rows, and `X_Value` is the time in seconds.
  @Test func aMeasurementFileOfLabVIEWHasTimes() {
    let header =
      "LabVIEW Measurement\t\nSeparator\tTab\nDecimal_Separator\t,\nX_Columns\tOne\n***End_of_Header***\t\n\t\n"
      + "Channels\t3\t\t\t\nSamples\t8\t8\t8\t\nY_Unit_Label\tuT\tuT\tuT\t\nX_Dimension\tTime\tTime\tTime\t\n"
      + "X0\t0,0\t0,0\t0,0\t\nDelta_X\t0,1\t0,1\t0,1\t\n***End_of_Header***\t\t\t\t\nX_Value\tBx\tBy\tBz\tComment\n"
    let rows = (0..<8).map { "0,\($0)00000\t-12,9\t15,7\t-43,\($0)\n" }
    var stream = WireStream()
    stream.append(Array((header + rows.joined()).utf8).span)
    stream.end()
    var messages: [WireMessage] = []
    while let event = stream.next() { if case .message(let message) = event { messages.append(message) } }
    #expect(messages.count == 8 && messages.allSatisfy { $0.field?.x == -12.9 && $0.field?.y == 15.7 })
    #expect(zip(messages, 0...).allSatisfy { abs(($0.time ?? .nan) - Double($1) / 10) < 1e-9 })
  }

  /// Home Assistant exports the history of its sensors as quoted cells, an axis a row.
  @Test(arguments: ["last_changed", "last_updated"]) func theHistoryOfHomeAssistantIsRead(name: String) {
    let rows = (0..<20).flatMap { row in
      zip("xyz", ["-12.9", "15.7", "-43.\(row)"]).map { axis, value in
        "\"sensor.compass_field_strength_\(axis)\",\"\(value)\",\"2026-11-27T12:00:\(10 + row).000Z\"\n"
      }
    }
    let messages = LineStampsTests.hear("\"entity_id\",\"state\",\"\(name)\"\n" + rows.joined())
    #expect(messages.count == 20 && messages.allSatisfy { $0.field?.x == -12.9 && $0.field?.y == 15.7 })
    #expect(messages.first?.field?.z == -43 && messages.last?.field?.z == -43.19)
  }

  /// A log that goes on with another message of its format is ArduPilot's as well.
  @Test(arguments: ["FMT, 128, 89, FMT, BBnNZ, Type", "FMT, 55, 36, MAG, QhhhhhhhhhB, TimeUS,MagX,MagY,MagZ"])
  func logsOfArduPilotAreNamed(head: String) {
    var stream = WireStream()
    stream.append(Array((head + "\nMAG, 12395000, -129, 157, -435, 35, -120, 14, 0, 0, 0, 1\n").utf8).span)
    stream.end()
    while stream.next() != nil {}
    guard case .unreadable(let name, _)? = stream.fault ?? stream.unresolved else {
      Issue.record("no fault")
      return
    }
    #expect(name.hasPrefix("an ArduPilot"))
  }

  /// Spreadsheets write a time of day as minutes, seconds and tenths, and a date as days since 1900.
  @Test func timesOfSpreadsheetsAreRead() {
    let clocks = (0..<30).map { row -> String in
      let second = 3585 + row
      return "\(second / 60 % 60 < 10 ? "0" : "")\(second / 60 % 60):\(second % 60 < 10 ? "0" : "")\(second % 60).5"
    }
    #expect(clocks[0] == "59:45.5" && clocks[20] == "00:05.5")
    let days = (0..<30).map { (46_355.5847 + Double($0) / 86_400).text(decimals: 9) }
    for times in [clocks, days] {
      let text = "Time,Bx (uT),By (uT),Bz (uT)\n" + times.map { "\($0),-12.9,15.7,-43.5\n" }.joined()
      let heard = CSV.hear(text).messages.compactMap { $0.time }
      #expect(heard.count == 30)
      #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0 - 1) < 0.002 }, "\(heard)")
    }
  }
}
