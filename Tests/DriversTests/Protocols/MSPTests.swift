import LodestoneCore
import Testing

@testable import Drivers

/// Flight controllers: frames of both versions, whose bytes and checksums were worked out apart from this program.
@Suite struct MSPTests {
  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    hexadecimal.split(separator: " ").compactMap { UInt8($0, radix: 16) }
  }

  /// 512 counts of 1 g along z; 1, −2 and 300 °/s; 240, 0 and −528 counts of field.
  static let sensors = [
    bytes("24 4D 3E 12 66 00 00 00 00 00 02 01 00 FE FF 2C 01 F0 00 00 00 F0 FD A6"),
    bytes("24 58 3E 00 66 00 12 00 00 00 00 00 00 02 01 00 FE FF 2C 01 F0 00 00 00 F0 FD AC"),
  ]
  /// The left edge 3.5° down, the nose 5.2° down, 123°.
  static let attitude = [
    bytes("24 4D 3E 06 6C DD FF 34 00 7B 00 07"), bytes("24 58 3E 00 6C 00 06 00 DD FF 34 00 7B 00 68"),
  ]
  static let betaflight = bytes("24 4D 3E 04 02 42 54 46 4C 1A"), inav = bytes("24 4D 3E 04 02 49 4E 41 56 16")
  private static let version45 = bytes("24 4D 3E 03 03 04 05 01 00"), version266 = bytes("24 4D 3E 03 03 1A 06 00 1C")

  @Test(arguments: [0, 1])
  func sensorsAndAttitudeMakeOneMessage(version: Int) throws {
    let heard = MSP.hear(Self.sensors[version] + Self.attitude[version])
    #expect(heard.messages.count == 1 && heard.rejections.isEmpty)
    let message = try #require(heard.messages.first)
    #expect(message.acceleration == Vector3(0, 0, 512) && message.accelerationUnit == nil)
    #expect(message.rotationRate == Vector3(1, -2, 300) && message.rotationRateUnit == .degreesPerSecond)
    #expect(message.field == Vector3(240, 0, -528) && message.fieldUnit == nil && message.fieldIsCounts)
    #expect(message.own?.magnetic?.degrees == 123 && message.own?.trueNorth == nil)
    #expect(message.own?.pitch == -5.2 && message.own?.roll == -3.5)
  }

  /// 16.8 V, 150 mAh and 12.34 A; asked for where it is sought, and part of the next message with a field.
  @Test func theBatteryTellsItsCurrent() {
    let analog = Self.bytes("24 4D 3E 09 6E A8 96 00 FF 03 D2 04 90 06 E5")
    var decoder = MSP()
    #expect(decoder.besideRequest.isEmpty)
    decoder.seek(CauseNames(["current_A"]))
    #expect(decoder.besideRequest == Self.bytes("24 4D 3C 00 6E 6E"))
    let heard = decoder.hear(analog + Self.sensors[0] + Self.attitude[0] + Self.sensors[0] + Self.attitude[0])
    #expect(heard.rejections.isEmpty)
    #expect(heard.messages.map { $0.causes[0] } == [Double(12.34 as Float), nil])
  }

  /// INAV adds the declination.
  @Test func theYawOfINAVIsAgainstTrueNorth() throws {
    let heard = MSP.hear(Self.inav + Self.sensors[0] + Self.attitude[0])
    let own = try #require(heard.messages.first?.own)
    #expect(own.trueNorth?.degrees == 123 && own.magnetic == nil)
  }

  /// Without a compass the yaw counts from wherever the board was switched on.
  @Test func withoutACompassThereIsNoHeading() throws {
    var frame = Self.sensors[0]
    for index in 17..<23 { frame[index] = 0 }
    frame[23] = frame[3..<23].reduce(0, ^)
    let message = try #require(MSP.hear(frame + Self.attitude[0]).messages.first)
    #expect(message.field == nil && message.acceleration != nil)
    #expect(message.own?.magnetic == nil && message.own?.pitch == -5.2)
  }

  /// What the firmware refuses, or what is lost, holds nothing back, and nothing of two moments is joined.
  @Test func sensorsAreReadWithoutAnAttitude() {
    let refusal = Self.bytes("24 4D 21 00 6C 6C")
    let messages = MSP.hear(Self.sensors[0] + refusal + Self.sensors[0] + Self.sensors[0]).messages
    #expect(messages.count == 3 && messages.allSatisfy { $0.field != nil && $0.own == nil })
    var damaged = Self.sensors[0]
    damaged[8] ^= 1
    let parted = MSP.hear(Self.sensors[0] + damaged + Self.attitude[0]).messages
    #expect(parted.map { $0.own == nil } == [true, false] && parted.last?.field == nil)
  }

  @Test func requestsAreThoseOfTheFirmware() {
    #expect(MSP.request == Self.bytes("24 4D 3C 00 66 66 24 4D 3C 00 6C 6C"))
    var decoder = MSP()
    #expect(decoder.openQuestions.map { $0[4] } == [2, 3, 38, 126])
    _ = decoder.hear(Self.betaflight + Self.bytes("24 4D 21 00 7E 7E"))
    #expect(decoder.openQuestions.map { $0[4] } == [3, 38])
  }

  private func told(_ frames: [UInt8]) throws -> FlightController {
    var decoder = MSP()
    _ = decoder.hear(frames)
    return try #require(decoder.flightController)
  }

  /// `align_board_yaw = 90` and `align_mag = CW270FLIP`: the vehicle's forward is the board's left, and the compass,
  /// upside down, has its y where the board's rear is, as the firmware's table says: (−y, −x, −z).
  @Test func alignmentsAreTold() throws {
    let board = Self.bytes("24 4D 3E 06 26 00 00 00 00 5A 00 7A"), compass = Self.bytes("24 4D 3E 03 7E 00 00 08 75")
    let told = try told(Self.betaflight + Self.version45 + board + compass)
    #expect(told.firmware == "BTFL" && told.version == "4.5.1")
    let turned = try #require(told.compass).matrix * Vector3(1, 2, 3)
    #expect((turned - Vector3(-2, -1, -3)).length < 1e-9)
    let vehicle = try #require(told.board).matrix * Vector3(1, 2, 3)
    #expect((vehicle - Vector3(2, -1, 3)).length < 1e-9)
    // INAV tells tenths of a degree.
    let tenths = Self.bytes("24 4D 3E 06 26 00 00 00 00 84 03 A7")
    #expect(try self.told(Self.inav + tenths).board == told.board)
  }

  /// Single angles, pitch 30° and yaw −45°: right-handed since 2026.6, the other way about before.
  @Test func singleAnglesAreAsTheVersionTakesThem() throws {
    let compass = Self.bytes("24 4D 3E 0B 7E 01 01 09 01 01 00 00 2C 01 3E FE 91")
    let new = try #require(try told(Self.betaflight + Self.version266 + compass).compass)
    #expect((new.degrees - Vector3(0, 30, -45)).length < 1e-9)
    let old = try #require(try told(Self.betaflight + Self.version45 + compass).compass)
    #expect((old.degrees - Vector3(0, -30, 45)).length < 1e-9)
    // The board's own default is not told.
    #expect(try told(Self.betaflight + Self.bytes("24 4D 3E 03 7E 00 00 00 7D")).compass == nil)
  }

  /// The table of `align_mag` in both firmwares: what x, y and z become.
  @Test(arguments: [
    ("CW0", Vector3(1, 2, 3)), ("CW90", Vector3(2, -1, 3)), ("CW180", Vector3(-1, -2, 3)), ("CW270", Vector3(-2, 1, 3)),
    ("CW0FLIP", Vector3(-1, 2, -3)), ("CW90FLIP", Vector3(2, 1, -3)), ("CW180FLIP", Vector3(1, -2, -3)),
    ("CW270FLIP", Vector3(-2, -1, -3)),
  ])
  func presetsAreThoseOfTheFirmware(name: String, turned: Vector3) throws {
    let turn = try #require(FlightController.Turn(preset: name))
    #expect((turn.matrix * Vector3(1, 2, 3) - turned).length < 1e-9)
    #expect((FlightController.Turn(turn.matrix).matrix * Vector3(1, 2, 3) - turned).length < 1e-9)
  }

  /// Lengths that are a lie, of version 2 as well, and directions that are none.
  @Test(arguments: [
    "24 58 3E 00 66 00 FF FF 00", "24 4D 3E FF 66 00", "24 58 3E 00 66 00 02 00 00 00 B0", "24 4D 41 00 66 66",
  ])
  func aLieIsSkipped(text: String) {
    let heard = MSP.hear(Self.bytes(text) + Self.sensors[0] + Self.attitude[0] + [UInt8](repeating: 0, count: 300))
    #expect(heard.messages.count == 1 && heard.longestRest <= 4096)
  }
}
