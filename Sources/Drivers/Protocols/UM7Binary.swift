import LodestoneCore

/// CH Robotics' UM7 in binary: `snp`, a packet type (bit 7: has data, bit 6: batch, bits 5–2: words of the batch), the
/// first register's address, its words, and a 16-bit sum of all before. Big-endian. Packets of one moment make one
/// message. Axes as in `UM7`. Sources: UM7 datasheet, "UART serial packet structure" and "register map"; the registers
/// and the scale of the angles (0.0109863°) also in ros-drivers/um7.
struct UM7Binary: FrameProtocol, CycleJoining {
  static let name = "um7-binary"
  static let proof = WireProof.checksum
  static let axes = WireAxes.forwardRightDown

  /// Registers, each of four bytes.
  private enum Register {
    static let rotationRate = 97, acceleration = 101, field = 105, euler = 112
    static let clocks = [100, 104, 108, 116]
  }
  /// Euler angles are 16-bit integers of 1/91.02222 degree.
  private static let countsPerDegree = 91.02222

  var cycle = MessageCycle()

  init() {}

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: UInt8(ascii: "s"), in: place..<bytes.count) ?? bytes.count
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard start + 2 < bytes.count else {
      return start + 1 < bytes.count && bytes[start + 1] != UInt8(ascii: "n") ? .none : .incomplete
    }
    guard bytes.holds("snp", at: start) else { return .none }
    guard start + 3 < bytes.count else { return .incomplete }
    let count = 7 + 4 * Self.wordCount(bytes[start + 3])
    guard bytes.count - start >= count else { return .incomplete }
    let told = bytes.big(UInt16.self, at: start + count - 2)
    return told == Checksum.sum16(bytes.extracting(start..<start + count - 2)) ? .whole(count) : .damaged
  }

  private static func wordCount(_ type: UInt8) -> Int {
    guard type & 0x80 != 0 else { return 0 }
    return type & 0x40 == 0 ? 1 : Int(type >> 2 & 0x0F)
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    let first = Int(frame[4]), count = Self.wordCount(frame[3])
    /// The place of a run of registers in this packet.
    func place(_ register: Int, _ length: Int) -> Int? {
      register >= first && register + length <= first + count ? 5 + 4 * (register - first) : nil
    }
    var isUsed = false
    let time = Register.clocks.lazy.compactMap { place($0, 1) }.first.flatMap { frame.bigFloat(at: $0) }
    func add(_ part: Int, _ edit: (inout WireMessage) -> Void) {
      isUsed = true
      cycle.add(part) {
        if let time { $0.time = time }
        edit(&$0)
      }
    }
    if let at = place(Register.rotationRate, 3), let vector = frame.bigFloatVector(at: at) {
      add(0) {
        $0.rotationRate = vector
        $0.rotationRateUnit = .degreesPerSecond
      }
    }
    if let at = place(Register.acceleration, 3), let vector = frame.bigFloatVector(at: at) {
      add(1) {
        $0.acceleration = vector
        $0.accelerationUnit = .g
      }
    }
    if let at = place(Register.field, 3), let vector = frame.bigFloatVector(at: at) {
      add(2) {
        $0.field = vector
        $0.fieldIsNormalized = true
      }
    }
    if let at = place(Register.euler, 2), let angles = frame.bigInt16Vector(at: at) {
      let degrees = angles / Self.countsPerDegree
      add(3) { $0.own = OwnHeading(magnetic: Heading(degrees: degrees.z), pitch: degrees.y, roll: degrees.x) }
    }
    return isUsed ? .part : .other
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let sensors: [(Int, Vector3?)] = [
      (Register.rotationRate, message.degreesPerSecond), (Register.acceleration, message.gravities),
      (Register.field, message.normalizedField),
    ]
    for (register, vector) in sensors {
      guard let vector else { continue }
      packet(register, words: 4, into: &bytes) {
        $0.append(bigFloat: vector)
        $0.append(bigFloat: message.time ?? 0)
      }
    }
    guard let own = message.own, let heading = own.magnetic else { return }
    packet(Register.euler, words: 2, into: &bytes) {
      let yaw = Angle.shortestTurn(from: 0, to: heading.degrees)
      $0.append(bigInt16: Vector3(own.roll ?? 0, own.pitch ?? 0, yaw) * Self.countsPerDegree)
      $0 += [0, 0]
    }
  }

  private func packet(_ register: Int, words: UInt8, into bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes += Array("snp".utf8) + [0xC0 | words << 2, UInt8(truncatingIfNeeded: register)]
    body(&bytes)
    bytes.append(big: Checksum.sum16(bytes.span.extracting(start...)))
  }
}
