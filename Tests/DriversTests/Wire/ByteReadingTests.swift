import LodestoneCore
import Testing

@testable import Drivers

/// Numbers in bytes, whatever the machine's own byte order, word size and alignment.
@Suite struct ByteReadingTests {
  private static let counting: [UInt8] = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0]

  /// The bytes after 0 to 15 others, so that they begin at every address that a word can have.
  private func atEveryOffset(_ bytes: [UInt8], _ check: (Span<UInt8>, Int) -> Void) {
    for offset in 0..<16 {
      let all = [UInt8](repeating: 0xA5, count: offset) + bytes
      check(all.span, offset)
    }
  }

  @Test func integersReadTheSameAtEveryAddress() {
    atEveryOffset(Self.counting) { bytes, start in
      #expect(bytes.little(UInt8.self, at: start) == 0x12)
      #expect(bytes.little(UInt16.self, at: start) == 0x3412)
      #expect(bytes.big(UInt16.self, at: start) == 0x1234)
      #expect(bytes.little(Int32.self, at: start) == 2_018_915_346)
      #expect(bytes.big(Int32.self, at: start) == 305_419_896)
      #expect(bytes.little(UInt64.self, at: start) == 0xF0DE_BC9A_7856_3412)
      #expect(bytes.big(UInt64.self, at: start) == 0x1234_5678_9ABC_DEF0)
    }
  }

  /// Two's complement: the top bit of the last byte, or of the first one, is the sign.
  @Test func signsAreThoseOfTheirOwnWidth() {
    atEveryOffset([0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) { bytes, start in
      #expect(bytes.little(Int8.self, at: start) == -2)
      #expect(bytes.little(Int16.self, at: start) == -2 && bytes.big(Int16.self, at: start) == -257)
      #expect(bytes.little(Int32.self, at: start) == -2 && bytes.big(Int32.self, at: start) == -16_777_217)
      #expect(bytes.little(Int64.self, at: start) == -2)
      #expect(bytes.little(UInt16.self, at: start) == 65_534 && bytes.little(UInt32.self, at: start) == 4_294_967_294)
    }
  }

  /// By IEEE 754: 1.5 is 0x3FC00000 and −42 is 0xC2280000, as double 0xC045000000000000.
  @Test func floatsReadTheSameAtEveryAddress() {
    atEveryOffset([0x00, 0x00, 0xC0, 0x3F, 0xC2, 0x28, 0x00, 0x00, 0xC0, 0x45, 0, 0, 0, 0, 0, 0]) { bytes, start in
      #expect(bytes.littleFloat(at: start) == 1.5)
      #expect(bytes.bigFloat(at: start + 4) == -42)
      #expect(bytes.bigDouble(at: start + 8) == -42)
    }
  }

  @Test func vectorsReadTheSameAtEveryAddress() {
    atEveryOffset([0x01, 0x00, 0xFE, 0xFF, 0x00, 0x80]) { bytes, start in
      #expect(bytes.littleInt16Vector(at: start) == Vector3(1, -2, -32_768))
      #expect(bytes.bigInt16Vector(at: start) == Vector3(256, -257, 128))
    }
    atEveryOffset([0, 0, 0xC0, 0x3F, 0, 0, 0x28, 0xC2, 0, 0, 0, 0x40]) { bytes, start in
      #expect(bytes.littleFloatVector(at: start) == Vector3(1.5, -42, 2))
    }
    atEveryOffset([0x3F, 0xC0, 0, 0, 0xC2, 0x28, 0, 0, 0x40, 0, 0, 0]) { bytes, start in
      #expect(bytes.bigFloatVector(at: start) == Vector3(1.5, -42, 2))
    }
  }

  @Test(arguments: [-1, 5, 7, 8, 9, Int.max, Int.min])
  func nothingIsReadOutsideTheBytes(start: Int) {
    let bytes = Self.counting.span
    #expect(bytes.little(UInt32.self, at: start) == nil && bytes.big(UInt32.self, at: start) == nil)
    #expect(bytes.littleFloat(at: start) == nil && bytes.bigDouble(at: start) == nil)
  }

  @Test func numbersAreWrittenInTheOrderThatIsSaid() {
    var bytes: [UInt8] = []
    bytes.append(little: Int16(-2))
    bytes.append(big: Int16(-2))
    bytes.append(little: UInt64(0x1234_5678_9ABC_DEF0))
    bytes.append(big: UInt32(305_419_896))
    bytes.append(littleFloat: 1.5)
    bytes.append(bigFloat: -42)
    #expect(
      bytes == [0xFE, 0xFF, 0xFF, 0xFE] + Self.counting.reversed() + [0x12, 0x34, 0x56, 0x78]
        + [0x00, 0x00, 0xC0, 0x3F, 0xC2, 0x28, 0x00, 0x00])
  }
}
