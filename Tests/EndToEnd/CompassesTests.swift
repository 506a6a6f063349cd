import Glibc
import LodestoneCore
import Support
import Testing

/// An autopilot with two compasses: one is read at a time.
@Suite struct CompassesTests {
  /// The checksum of MAVLink (CRC-16/MCRF4XX), seeded behind the frame with a byte of the message.
  private static func checksum(_ bytes: [UInt8], _ seed: UInt8) -> UInt16 {
    (bytes + [seed]).reduce(0xFFFF as UInt16) { sum, byte in
      var low = byte ^ UInt8(sum & 0xFF)
      low ^= low << 4
      return sum >> 8 ^ UInt16(low) << 8 ^ UInt16(low) << 3 ^ UInt16(low) >> 4
    }
  }

  /// A frame of version 2: force and field forward, right and down in thousandths of g and gauss.
  private static func frame(_ message: UInt8, seed: UInt8, _ clock: [UInt8], _ force: [Int16], _ field: [Int16])
    -> [UInt8]
  {
    let words = (force + [0, 0, 0] + field).flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    let body = [UInt8(clock.count + words.count), 0, 0, 0, 1, 1, message, 0, 0] + clock + words
    let sum = checksum(body, seed)
    return [0xFD] + body + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }

  /// Sixty times RAW_IMU, whose compass shows north, and SCALED_IMU2, whose compass shows east and has no
  /// accelerometer.
  private static let stream: [UInt8] = (0..<60).flatMap { number -> [UInt8] in
    let clock = [UInt8(number), 0, 0, 0]
    let step = Int16(number % 3)
    return frame(27, seed: 144, [0, UInt8(number * 4), 0, 0] + [0, 0, 0, 0], [0, 0, -1000], [200, step, 400])
      + frame(116, seed: 76, clock, [0, 0, 0], [step, -200, 400])
  }

  private func run(_ end: String, _ command: String = "heading") throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.write(bytes: Self.stream, to: folder + "/flight.bin")
      return try CommandRun.lodestone(
        [
          command, "--device", folder + "/flight.bin" + end, "--format", "csv",
        ] + (command == "heading" ? ["--profile", "none"] : []))
    }
  }

  @Test(arguments: [("", 0.0, true), ("?compass=1", 0.0, true), ("?compass=2", 90.0, false)])
  func oneCompassIsRead(end: String, heading: Double, hasForce: Bool) throws {
    let run = try run(end)
    let rows = MainJobTests.rows(run.text)
    #expect(rows.count == 60, "\(run.errors)")
    for row in rows {
      let degrees = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
      #expect(abs(Angle.shortestTurn(from: heading, to: degrees)) < 1)
    }
    #expect(run.errors.contains("compasses 1 and 2; reading compass \(heading == 0 ? 1 : 2)"), "\(run.errors)")
    #expect(run.errors.contains("assumed to be level") != hasForce, "\(run.errors)")
  }

  /// Nothing that is no measurement becomes an uncertainty.
  @Test func uncertaintiesAreThoseOfOneCompass() throws {
    let run = try run("", "teslameter")
    for row in MainJobTests.rows(run.text) {
      #expect(row["uncertainty_uT"].flatMap(Double.init).map { $0 < 100 } ?? true, "\(row)")
    }
  }

  @Test func anotherNumberIsAnError() throws {
    for end in ["?compass=0", "?compass=4", "?compass=2&protocol=nmea"] {
      let run = try run(end)
      #expect(run.exitCode == 64 && run.errors.contains("compass"), "\(run.errors)")
    }
  }

  /// Two compasses of a boat, the second 5° off; a third sentence tells the first one's heading again.
  @Test func oneTalkerIsRead() throws {
    let text = (0..<10).flatMap { ["HCHDG,9\($0).0,,,3.0,E", "HCHDM,9\($0),M", "HEHDT,\(98 + $0).0,T"] }
    let run = try CommandRun.lodestone(
      ["heading", "--device", "-", "--format", "csv"], input: text.map { NMEASentenceText.sentence($0) }.joined())
    let rows = MainJobTests.rows(run.text)
    #expect(rows.compactMap { $0["magnetic_heading_deg"].flatMap(Double.init) } == (0..<10).map { 90 + Double($0) })
    #expect(rows.allSatisfy { $0["true_heading_deg"] != "" })
    let words = "there is another compass in the stream (talker HE; HC is read): its headings are left out"
    #expect(run.errors.split(separator: "\n").count { $0.hasSuffix(words) } == 1, "\(run.errors)")
  }

  /// A message of ROS in its sensor's own frame says nothing of its axes; in the base's they are known.
  @Test(arguments: [("imu_link", true), ("base_link", false)])
  func aSensorsOwnFrameIsTold(frame: String, isTold: Bool) throws {
    let run = try Self.heading(ofFrame: frame)
    let north = MainJobTests.rows(run.text).first?["magnetic_heading_deg"].flatMap(Double.init)
    // The field is along x: to the right of a sensor read as it comes, ahead of a base.
    let off = north.map { abs(Angle.shortestTurn(from: $0, to: isTold ? 270 : 0)) }
    #expect(off.map { $0 < 1 } == true, "\(run.text.prefix(300))")
    #expect(run.errors.contains("the messages' frame is '\(frame)'") == isTold, "\(run.errors)")
  }

  /// Who says how the sensor sits has said where its axes point.
  @Test func aFrameWhoseAxesAreGivenIsNotAskedFor() throws {
    let run = try Self.heading(ofFrame: "imu_link", ["--mount", "y,-x,z"])
    #expect(!MainJobTests.rows(run.text).isEmpty && !run.errors.contains("the messages' frame"), "\(run.errors)")
  }

  /// Headings of a field that turns from x to y of a frame of ROS.
  private static func heading(ofFrame frame: String, _ more: [String] = []) throws -> CommandRun {
    let zeros = String(repeating: ",0.0", count: 9)
    let rows = (0..<40).map { step in
      let angle = Double(step) * 0.1
      let (x, y) = (2e-05 * cos(angle), 2e-05 * sin(angle))
      return "\(1_764_230_400 + step),0,\(frame),\(x),\(y),-4.35e-05\(zeros)\n"
    }
    return try CommandRun.lodestone(["heading", "--device", "-", "--format", "csv"] + more, input: rows.joined())
  }

  /// A moment's HDG, HDM and HDT are one heading when they are read back, to a tenth of a degree as they are written.
  @Test func writtenSentencesAreReadBack() throws {
    func run(_ more: [String], _ input: String = "") throws -> CommandRun {
      try CommandRun.lodestone(["heading"] + more, input: input)
    }
    let source = ["--device", "sim:?seed=7&speed=max", "--at", "48.2,16.37", "--date", "2026.7", "--count", "40"]
    let original = MainJobTests.rows(try run(source + ["--format", "csv"]).text)
    let sentences = try run(source + ["--format", "nmea"]).text
    let read = MainJobTests.rows(try run(["--device", "-", "--format", "csv"], sentences).text)
    #expect(original.count == 40 && read.count == 40)
    for (before, after) in zip(original, read) {
      for (column, tolerance) in [("magnetic_heading_deg", 0.06), ("true_heading_deg", 0.12)] {
        let told = try #require(before[column].flatMap(Double.init))
        let heard = try #require(after[column].flatMap(Double.init))
        #expect(abs(Angle.shortestTurn(from: told, to: heard)) < tolerance, "\(column) \(told) \(heard)")
      }
    }
  }
}
