import LodestoneCore

/// Melexis MLX90393 by its data sheet (rev. 006): commands instead of registers, each answered by a status byte; a
/// result that is read before it is done is an error.
public final class MLX90393Model: VirtualChip {
  /// The field at the chip in µT.
  public var field = Vector3(20, -5, -43)

  private var registers = [UInt16](repeating: 0, count: 64)
  private var answer: [UInt8] = [0]
  private var axes: UInt8 = 0
  private var (time, done) = (0.0, Double.infinity)

  /// A chip that has just been powered.
  public init() {}

  /// Time passes.
  public func advance(by seconds: Double) { time += seconds }

  /// A command with its arguments.
  public func write(_ bytes: [UInt8]) -> Int {
    guard let command = bytes.first else { return 0 }
    switch command & 0xF0 {
    case 0x00: answer = [0x00]
    case 0x80: (answer, done) = ([0x00], .infinity)
    case 0xF0: (registers, answer, done) = ([UInt16](repeating: 0, count: 64), [0x04], .infinity)
    case 0x60 where bytes.count == 4:
      registers[Int(bytes[3] >> 2)] = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
      answer = [0x00]
    case 0x50 where bytes.count == 2:
      let value = registers[Int(bytes[1] >> 2)]
      answer = [0x00, UInt8(value >> 8), UInt8(value & 0xFF)]
    case 0x30: (axes, done, answer) = (command & 0x0F, time + conversionTime, [0x20])
    case 0x40: answer = time >= done && command & 0x0F == axes ? result() : [0x10]
    default: answer = [0x10]
    }
    return bytes.count
  }

  /// "Conversion time" of three axes with DIG_FILT 4, the only filter that is used here.
  private var conversionTime: Double { [0.00415, 0.0076, 0.01452, 0.02834][Int(registers[2] & 3)] }

  /// x, y and z high byte first, around 32768; 1× with HALLCONF 0C and resolution 2.
  private func result() -> [UInt8] {
    done = .infinity
    let isKnown = registers[0] & 0x7F == 0x7C && registers[2] & 0x07E0 == 0x0540 && axes == 0x0E
    let scale = isKnown ? Vector3(0.600, 0.600, 0.968) : Vector3(1, 1, 1)
    return [0x03]
      + (0..<3).flatMap { axis -> [UInt8] in
        let counts = 32768 + max(-22_000, min(22_000, Int((field[axis] / scale[axis]).rounded())))
        return [UInt8(counts >> 8), UInt8(counts & 0xFF)]
      }
  }

  /// The answer to the last command.
  public func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in answer.isEmpty ? 0xFF : answer.removeFirst() }
  }
}
