import LodestoneCore
import Testing

@Suite struct HexadecimalTests {
  @Test func leadingZerosStay() {
    #expect(UInt8(0x0A).hexadecimal == "0a")
    #expect(UInt16(0x04D8).hexadecimal == "04d8")
    #expect(UInt8.max.hexadecimal == "ff")
    #expect([0x00, 0x1C, 0xFF].hexadecimal == "00 1c ff")
  }

  @Test func everyByteReadsBack() {
    for byte in UInt8.min...UInt8.max {
      let digits = Array(byte.hexadecimal.utf8).compactMap { $0.hexadecimalValue }
      #expect(digits.reduce(0) { $0 << 4 | $1 } == byte)
      #expect(UInt8(byte.hexadecimal.uppercased(), radix: 16) == byte)
    }
    #expect(UInt8(ascii: "g").hexadecimalValue == nil)
    #expect(UInt8(ascii: "/").hexadecimalValue == nil)
    #expect(UInt8(ascii: ":").hexadecimalValue == nil)
  }
}
