import LodestoneCore
import Drivers
import Support
import Testing

@Suite("TLV493D") struct TLV493DTests {
  private let factory: [UInt8] = [0x18, 0x9C, 0x05]

  /// Ten bytes with this frame number.
  private func bytes(_ data: [UInt8] = [0, 0, 0, 0, 0, 0x30, 0x54], frame: UInt8 = 0) -> ScriptedBus.Step {
    var all = data + factory
    all[3] |= frame << 2
    return .read(all)
  }

  private func configured(_ settings: ChipSettings = ChipSettings(), write: [UInt8]) throws -> any Chip {
    var chip = try chip("tlv493d", at: 0x5E)
    try configure(
      &chip, settings, [bytes(), bytes(), bytes(), .write(write), .wait(10), bytes(), .wait(10), bytes(frame: 1)])
    return chip
  }

  /// MOD1 18|01 = 11001, 9C = 10011100, 05 = 101: nine ones without LP, so that P is 0 at 10 Hz and 1 at 100 Hz.
  @Test("factory bits are written back with odd parity")
  func parity() throws {
    _ = try configured(ChipSettings(rate: 10), write: [0x00, 0x19, 0x9C, 0x05])
    _ = try configured(ChipSettings(rate: 100), write: [0x00, 0x99, 0x9C, 0x45])
  }

  @Test("twelve bits, 98 µT a count; a set is used once and only when complete")
  func measurements() throws {
    var chip = try configured(write: [0x00, 0x99, 0x9C, 0x45])
    // x 0x123 = 291, y 0xF85 = −123, z 0x001 = 1; temperature 0x154 = 340: 25 °C.
    let data: [UInt8] = [0x12, 0xF8, 0x00, 0x10 | 2 << 2, 0x35, 0x31, 0x54]
    let measured = try measurement(of: &chip, .read(data))
    try expect(measured?.field?.microtesla, near: Vector3(28518, -12054, 98), within: 1e-9)
    #expect(measured?.temperature == 25)
    #expect(try measurement(of: &chip, .read(data)) == nil)
    var converting = data
    converting[3] = 0x10 | 3 << 2 | 0x01
    #expect(try measurement(of: &chip, .read(converting)) == nil)
    converting[3] = 0x10 | 3 << 2
    converting[5] = 0x21
    #expect(try measurement(of: &chip, .read(converting)) == nil)
  }

  /// Registers of zeros, as after power-on: the temperature would be −349 °C.
  @Test("what no conversion has filled is no field")
  func lostPower() throws {
    var chip = try configured(write: [0x00, 0x99, 0x9C, 0x45])
    #expect(try measurement(of: &chip, .read([0, 0, 0, 0, 0, 0x10, 0])) == nil)
  }

  @Test("past ±130 mT")
  func saturation() throws {
    var chip = try configured(write: [0x00, 0x99, 0x9C, 0x45])
    #expect(try measurement(of: &chip, .read([0x7F, 0, 0, 0x18, 0xF0, 0x30, 0x54]))?.saturated == true)
  }

  @Test("a part whose frames stand still never started")
  func frozen() throws {
    var chip = try chip("tlv493d", at: 0x5E)
    var steps = [bytes(), bytes(), bytes(), .write([0x00, 0x99, 0x9C, 0x45])]
    for _ in 0..<30 { steps += [.wait(10), bytes()] }
    #expect(throws: ChipError.timedOut(chip: "tlv493d", waitingFor: "a measurement", milliseconds: 300)) {
      try configure(&chip, ChipSettings(), steps)
    }
  }
}
