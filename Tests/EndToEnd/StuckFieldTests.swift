import Glibc
import LodestoneCore
import Support
import Testing

/// A recording whose magnetometer sends what it sent: told where the gyroscope says that the board has turned.
@Suite(.waiting) struct StuckFieldTests {
  /// Twenty seconds at 50 Hz of a level board that turns about the vertical, 20 µT to the north and 43 µT down. The
  /// field stays as it was from a time on, to another one.
  private static func recording(
    turning rate: Double, reading: Double, stuck: Range<Double>, again: Range<Double> = 0..<0
  ) -> String {
    var lines = ["time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps"]
    var field = ""
    for number in 0..<1000 {
      let time = Double(number) * 0.02
      let angle = -rate * time * .pi / 180
      if field.isEmpty || !(stuck.contains(time) || again.contains(time)) {
        let noise = Double(number % 7) * 0.05
        let x = (-20 * sin(angle) + noise).text(decimals: 3), y = (20 * cos(angle)).text(decimals: 3)
        field = "\(x),\(y),-43.1"
      }
      lines.append("\(time.text(decimals: 2)),\(field),0,0,1,0.1,-0.2,\(reading.text(decimals: 2))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func timesTold(_ recording: String) throws -> Int {
    try TemporaryFolder.with { folder in
      try CommandRun.write(recording, to: "\(folder)/table.csv")
      let run = try CommandRun.lodestone([
        "heading", "--profile", "none", "--format", "csv", "--device", "\(folder)/table.csv",
      ])
      #expect(run.exitCode == 0, "\(run.errors)")
      return run.errors.split(separator: "\n").filter { $0.contains("not changed in any digit") }.count
    }
  }

  /// Once for each time.
  @Test func aFieldThatStaysWhileTheBoardTurnsIsTold() throws {
    let once = Self.recording(turning: 40, reading: 40, stuck: 8..<99)
    #expect(try Self.timesTold(once) == 1)
    let twice = Self.recording(turning: 40, reading: 40, stuck: 4..<9, again: 12..<18)
    #expect(try Self.timesTold(twice) == 2)
  }

  /// A coarse sensor that lies sends equal numbers, too, whatever a gyroscope reads at rest.
  @Test func aFieldThatStaysWhileTheBoardLiesIsNot() throws {
    for reading in [0.0, 9] {
      let lying = Self.recording(turning: 0, reading: reading, stuck: 1..<99)
      #expect(try Self.timesTold(lying) == 0)
    }
  }

  /// A sound sensor, turned or not, has nothing to be told of.
  @Test func aFieldThatTurnsIsNot() throws {
    #expect(try Self.timesTold(Self.recording(turning: 40, reading: 40, stuck: 99..<100)) == 0)
  }

  /// An accelerometer whose y has died halfway, in a recording of 40 s with noise. What headings would follow from it
  /// is no number to rely on: none has an accuracy from then on.
  @Test func aDeadAxisIsToldAndNotUsed() throws {
    var generator = SeededGenerator(seed: 3)
    func noise() -> Double { Double.random(in: -1...1, using: &generator) }
    let lines = (0..<2000).map { number in
      let time = Double(number) * 0.02
      let values = [
        20 + noise(), 5 + noise(), -43 + noise(), 0.01 * noise(), time < 20 ? 0.3 + 0.01 * noise() : 0,
        0.95 + 0.01 * noise(), 0.2 * noise(), 0.2 * noise(), 0.2 * noise(),
      ]
      return "\(time.text(decimals: 2))," + values.map { $0.text(decimals: 3) }.joined(separator: ",")
    }
    try TemporaryFolder.with { folder in
      let header = "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps"
      try CommandRun.write(([header] + lines).joined(separator: "\n") + "\n", to: "\(folder)/table.csv")
      let run = try CommandRun.lodestone([
        "heading", "--profile", "none", "--format", "csv", "--device", "\(folder)/table.csv",
      ])
      #expect(run.errors.split(separator: "\n").filter { $0.contains("accelerometer's y stays at 0.00 g") }.count == 1)
      let rows = run.text.split(separator: "\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      let late = rows.filter { Double($0[0]) ?? 0 > 26 }
      #expect(late.count > 500 && late.allSatisfy { $0[3].isEmpty })
      #expect(rows.contains { Double($0[0]) ?? 0 < 20 && !$0[3].isEmpty })
    }
  }
}
