import LodestoneCore

/// The packet of 68 bytes with which MotionCal sends a calibration to a board: 75 54, sixteen little-endian `float`s
/// (accelerometer offset 3, gyroscope offset 3, V 3, B, W00, W11, W22, W01, W02, W12) and CRC-16/MODBUS, low byte
/// first. The board computes W · (m − V), which has the length B.
/// Source: PaulStoffregen/MotionCal, `send_calibration` in rawdata.c.
enum MotionCalExport: ProfileImport {
  static let name = "motioncal"
  static let title = "MotionCal packet of 68 bytes, to be sent to a board"
  static let comment: String? = nil
  private static let signature: [UInt8] = [0x75, 0x54]
  private static let length = 68

  static func notes(on profile: Profile) -> [String] {
    let form = SymmetricForm(of: profile)
    return [
      "Frame: the chip's own axes, in uT. Accelerometer and gyroscope offsets are sent as zero, for boards differ in "
        + "their units"
    ]
      + form.notes + (form.axes == .identity ? [] : ["Lost: the axis map \(profile.axes)"])
  }

  static func body(of profile: Profile) -> [UInt8] {
    let form = SymmetricForm(of: profile)
    let (v, d, o) = (form.hardIron, form.softIron.diagonal, form.softIron.offDiagonal)
    let numbers =
      [0, 0, 0, 0, 0, 0] + [v.x, v.y, v.z, profile.fieldStrength] + [d.x, d.y, d.z] + [o.x, o.y, o.z]
    let packet = signature + numbers.flatMap { Self.bytes(Float($0).bitPattern) }
    let checksum = crc16Modbus(packet)
    return packet + [UInt8(checksum & 0xff), UInt8(checksum >> 8)]
  }

  static func read(_ bytes: [UInt8]) throws(ImportProblem) -> ImportedCalibration {
    let numbers = try numbers(in: bytes)
    return .correction(
      Correction(
        hardIron: Vector3(numbers[6], numbers[7], numbers[8]),
        softIron: Matrix3(
          diagonal: Vector3(numbers[10], numbers[11], numbers[12]),
          offDiagonal: Vector3(numbers[13], numbers[14], numbers[15]))),
      fieldStrength: numbers[9])
  }

  /// The sixteen numbers of a packet.
  static func numbers(in bytes: [UInt8]) throws(ImportProblem) -> [Double] {
    guard bytes.count == length else { throw .wrongLength(bytes.count, expected: length) }
    guard bytes.starts(with: signature) else { throw .wrongSignature }
    guard crc16Modbus(bytes) == 0 else { throw .checksum }
    let numbers = (0..<16).map { index in
      let word = bytes[(2 + 4 * index)..<(6 + 4 * index)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Double(Float(bitPattern: word))
    }
    guard numbers.allSatisfy({ $0.isFinite }) else { throw .notANumber("packet") }
    return numbers
  }

  private static func bytes(_ word: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
  }

  /// Polynomial 8005 reflected (A001), initial value FFFF; 0 over bytes that end with their own checksum.
  private static func crc16Modbus(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0xffff) { crc, byte in
      (0..<8).reduce(crc ^ UInt16(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xa001 : crc >> 1 }
    }
  }
}
