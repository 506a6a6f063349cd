import Drivers
import Support
import Testing

/// Questions to devices, and the changes that their answers make.
@Suite(.waiting) struct QuestionsTests {
  /// A WitMotion sensor that lies still: 1 g, and 120 and −280 counts of field, 304.6 in all.
  private static let messages: [UInt8] = [
    0x55, 0x51, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0xC4, 0x09, 0x7B,  //
    0x55, 0x54, 0x00, 0x00, 0x78, 0x00, 0xE8, 0xFE, 0x00, 0x00, 0x07,
  ]

  /// Registers 70 to 75: accelerometer, gyroscope, magnetometer, barometer, two more.
  private static func registers(_ type: UInt8) -> [UInt8] { [1, 0, 1, 0, type, 0, 2, 0, 0, 0, 0, 0] }

  /// The answers to `FF AA 27 register 00`, of which several may arrive at once: four registers from that one on, and
  /// the sum.
  private static func answer(_ heard: [UInt8], type: UInt8) -> [UInt8] {
    stride(from: 0, to: heard.count - 4, by: 5).flatMap { start -> [UInt8] in
      let request = Array(heard[start..<start + 5])
      guard request.starts(with: [0xFF, 0xAA, 0x27]), (0x70...0x72).contains(request[3]) else { return [] }
      let frame = [0x55, 0x5F] + registers(type)[(2 * Int(request[3] - 0x70))...].prefix(8)
      return frame + [frame.reduce(0, &+)]
    }
  }

  private func board(_ type: UInt8) throws -> PtyBoard {
    try PtyBoard(rate: 20, reply: { Self.answer($0, type: type) }, script: { _ in Self.messages })
  }

  private func heading(_ address: String, _ more: [String] = []) throws -> CommandRun {
    try CommandRun.lodestone(
      [
        "heading", "--device", address, "--count", "30", "--format", "json", "--profile", "none", "--duration", "60",
      ] + more)
  }

  private func strengths(_ result: CommandRun) -> [Double] { result.lines.compactMap { value("field_uT", in: $0) } }

  /// 0.15 µT a count makes 45.7 µT from the first sample on; by itself the stream looks like milligauss.
  @Test(arguments: ["?protocol=witmotion", "--probe"])
  func theUnitOfAWitMotionSensorIsAskedFor(_ how: String) throws {
    let board = try board(2)
    let result = how == "--probe" ? try heading(board.path, [how]) : try heading(board.path + how)
    #expect(strengths(result).count == 30, "\(result.errors)")
    #expect(strengths(result).allSatisfy { abs($0 - 45.69) < 0.01 }, "\(result.text)")
    #expect(result.errors.contains("the device was asked: one count of its field is 0.150 µT"))
    #expect(board.heard == [0xFF, 0xAA, 0x27, 0x71, 0x00, 0xFF, 0xAA, 0x27, 0x72, 0x00])
  }

  @Test func nothingIsAskedOfADeviceThatWasNotNamed() throws {
    let board = try board(2)
    let result = try heading(board.path)
    #expect(strengths(result).allSatisfy { abs($0 - 30.46) < 0.01 })
    #expect(result.errors.contains("assuming mG"))
    #expect(board.heard.isEmpty)
  }

  @Test func nothingIsAskedWhereTheUserSaysTheUnit() throws {
    let board = try board(2)
    #expect(strengths(try heading(board.path + "?protocol=witmotion&unit=mG")).allSatisfy { abs($0 - 30.46) < 0.01 })
    #expect(board.heard.isEmpty)
  }

  /// The sources disagree about type 6, and know nothing of 9.
  @Test(arguments: [6, 9] as [UInt8])
  func aChipOfUnknownScaleStaysInferred(_ type: UInt8) throws {
    let board = try board(type)
    let result = try heading(board.path + "?protocol=witmotion")
    #expect(strengths(result).allSatisfy { abs($0 - 30.46) < 0.01 })
    #expect(result.errors.contains("assuming mG"))
  }

  /// The answers stand among the messages of a capture.
  @Test func aCaptureIsReadAsItWas() throws {
    let answers = [0x71, 0x72].flatMap { Self.answer([0xFF, 0xAA, 0x27, $0, 0x00], type: 2) }
    try TemporaryFolder.with { folder in
      let messages = [[UInt8]](repeating: Self.messages, count: 40).flatMap { $0 }
      try CommandRun.write(bytes: messages + answers + messages, to: folder + "/capture.bin")
      let result = try heading(folder + "/capture.bin")
      #expect(strengths(result).count == 30, "\(result.errors)")
      #expect(strengths(result).allSatisfy { abs($0 - 45.69) < 0.01 }, "\(result.text)")
    }
  }

  // MARK: Over TCP

  private func simulate(_ name: String) throws -> ChildProgram {
    let device = "sim:?motion=still&heading=123&hard=0&soft=0&misalignment=0&noise=0.01&accel-noise=0&sensor=7"
    let arguments = ["simulate", "--protocol", name, "--device", device, "--tcp", "0", "-q"]
    return try #require(ChildProgram("lodestone", arguments: arguments))
  }

  /// A board behind a serial server is asked like one at a port.
  @Test(arguments: Protocols.all.filter { $0.onlyAnswers }.map { $0.name })
  func requestsGoOverTCP(_ name: String) throws {
    let board = try simulate(name)
    let result = try heading(try #require(board.line()) + "?protocol=\(name)")
    #expect(result.lines.count == 30, "\(result.errors)")
    for line in result.lines { #expect(abs((value("magnetic_heading_deg", in: line) ?? .nan) - 123) < 0.6) }
  }

  @Test func aSilentBoardIsProbedOverTCP() throws {
    let board = try simulate("bno055")
    let address = try #require(board.line())
    let silent = try CommandRun.lodestone(["heading", "--device", address, "--duration", "3", "--profile", "none"])
    #expect(silent.lines.isEmpty)
    let result = try heading(address, ["--probe"])
    #expect(result.lines.count == 30, "\(result.errors)")
  }
}
