import Support
import Testing

/// A flight controller behind a port, which speaks only when it is asked.
@Suite(.waiting) struct FlightControllerTests {
  /// The answers by command: Betaflight 4.5.1 with `align_mag = CW270FLIP`; 2048 counts of 1 g, still; 240 and 528
  /// counts of field forward and down; level, 0°.
  private static let answers: [UInt8: [UInt8]] = [
    2: Array("BTFL".utf8), 3: [4, 5, 1], 38: [0, 0, 0, 0, 0, 0], 126: [0, 0, 8],
    102: [0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0xF0, 0, 0, 0, 0xF0, 0xFD], 108: [0, 0, 0, 0, 0, 0],
  ]

  /// The commands of the requests of version 1, among whatever else is asked.
  private static func commands(_ heard: [UInt8]) -> [UInt8] {
    heard.indices.dropLast(5).filter { heard[$0...].starts(with: Array("$M<".utf8)) }.map { heard[$0 + 4] }
  }

  /// One answer after the other, and a refusal for another command.
  private static func reply(_ heard: [UInt8]) -> [UInt8] {
    commands(heard).flatMap { command -> [UInt8] in
      let payload = answers[command]
      let body = [UInt8(payload?.count ?? 0), command] + (payload ?? [])
      return Array((payload == nil ? "$M!" : "$M>").utf8) + body + [body.reduce(0, ^)]
    }
  }

  @Test(arguments: ["?protocol=msp", "--probe"])
  func itIsAskedAndLeftAsItWas(_ how: String) throws {
    let board = try PtyBoard(rate: 200, reply: Self.reply, script: { _ in [] })
    let address = how == "--probe" ? [board.path, how] : [board.path + how]
    let result = try CommandRun.lodestone(
      ["heading", "--device"] + address + ["--count", "20", "--format", "json", "--profile", "none"])
    #expect(result.lines.count == 20, "\(result.errors)")
    for line in result.lines {
      #expect(abs(value("magnetic_heading_deg", in: line) ?? 99) < 0.01)
      #expect(abs(value("inclination_deg", in: line) ?? 65.556 - 65.556) < 0.01)
    }
    #expect(result.errors.contains("Betaflight 4.5.1 turns its compass by CW270FLIP"), "\(result.errors)")
    #expect(result.errors.contains("2048 of them are 1 g"), "\(result.errors)")
    // What was asked for reads; what tells of the device is asked for once.
    let asked = Self.commands(board.heard)
    #expect(Set(asked).isSubset(of: [1, 2, 3, 38, 102, 108, 126]))
    for command: UInt8 in [2, 3, 38, 126] { #expect(asked.count { $0 == command } == 1) }
  }

  /// `--rate` is how often it is asked.
  @Test func itIsAskedAsOftenAsWanted() throws {
    let board = try PtyBoard(rate: 200, reply: Self.reply, script: { _ in [] })
    let result = try CommandRun.lodestone([
      "level", "--device", board.path + "?protocol=msp", "--rate", "5", "--duration", "2", "--format", "json",
    ])
    #expect((2...14).contains(result.lines.count), "\(result.lines.count): \(result.errors)")
    #expect(Self.commands(board.heard).count { $0 == 102 } <= 14)
  }

  /// A simulated one is read like any.
  @Test func theSimulatedOneIsReadBack() throws {
    let device = "sim:?motion=still&heading=123&hard=0&soft=0&misalignment=0&noise=0.01&accel-noise=0&sensor=7"
    let board = try #require(
      ChildProgram("lodestone", arguments: ["simulate", "--protocol", "msp", "--device", device, "--tcp", "0", "-q"]))
    let result = try CommandRun.lodestone([
      "heading", "--device", try #require(board.line()) + "?protocol=msp", "--count", "5", "--format", "json",
      "--profile",
      "none",
    ])
    #expect(result.lines.count == 5, "\(result.errors)")
    for line in result.lines { #expect(abs((value("magnetic_heading_deg", in: line) ?? .nan) - 123) < 1) }
  }
}
