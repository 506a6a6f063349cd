/// Checksums of the wire formats, each named as the field names it.
enum Checksum {
  /// The exclusive or of all bytes: NMEA 0183.
  static func xor8(_ bytes: Span<UInt8>) -> UInt8 {
    var sum: UInt8 = 0
    for index in bytes.indices { sum ^= bytes[index] }
    return sum
  }

  /// The sum of all bytes modulo 256: WitMotion, XBus.
  static func sum8(_ bytes: Span<UInt8>) -> UInt8 {
    var sum: UInt8 = 0
    for index in bytes.indices { sum &+= bytes[index] }
    return sum
  }

  /// The sum of all bytes modulo 65536: UM7.
  static func sum16(_ bytes: Span<UInt8>) -> UInt16 {
    var sum: UInt16 = 0
    for index in bytes.indices { sum &+= UInt16(bytes[index]) }
    return sum
  }

  /// CRC-8/DVB-S2: polynomial 0xD5, initial value 0, not reflected. MSP of version 2.
  static func dvbS2(_ bytes: Span<UInt8>) -> UInt8 {
    var crc: UInt8 = 0
    for index in bytes.indices { crc = dvbS2Table[Int(crc ^ bytes[index])] }
    return crc
  }

  /// CRC-16/XMODEM: polynomial 0x1021, initial value 0, not reflected. PNI, VectorNav.
  static func xmodem(_ bytes: Span<UInt8>) -> UInt16 {
    var crc: UInt16 = 0
    for index in bytes.indices {
      crc = crc << 8 ^ xmodemTable[Int(crc >> 8) ^ Int(bytes[index])]
    }
    return crc
  }

  /// CRC-16/MCRF4XX, which MAVLink calls X.25: polynomial 0x1021 reflected, initial value 0xFFFF, no final inversion.
  /// `extra` is one more byte at the end, MAVLink's seed for the message.
  static func mavlink(_ bytes: Span<UInt8>, extra: UInt8) -> UInt16 {
    var crc: UInt16 = 0xFFFF
    for index in bytes.indices {
      crc = crc >> 8 ^ mavlinkTable[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[index])]
    }
    return crc >> 8 ^ mavlinkTable[Int(UInt8(truncatingIfNeeded: crc) ^ extra)]
  }

  /// CRC-32 as in zlib: Twinleaf.
  static func crc32(_ bytes: Span<UInt8>) -> UInt32 {
    var crc = CRC32()
    for index in bytes.indices { crc.add(bytes[index]) }
    return crc.value
  }

  /// CRC-32 as in zlib, byte by byte: polynomial 0x04C11DB7 reflected, initial value and final inversion 0xFFFFFFFF.
  struct CRC32 {
    private var state = UInt32.max

    /// Takes one byte in.
    @inline(__always)
    mutating func add(_ byte: UInt8) {
      state = state >> 8 ^ Checksum.crc32Table[Int(UInt8(truncatingIfNeeded: state) ^ byte)]
    }

    /// The checksum of the bytes so far.
    var value: UInt32 { ~state }

    /// The bytes so far end with their own checksum, least significant byte first: what is left then is always the
    /// same.
    var isIntact: Bool { state == 0xDEBB_20E3 }
  }

  private static let xmodemTable = InlineArray<256, UInt16> { index in
    var crc = UInt16(index) << 8
    for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
    return crc
  }

  private static let dvbS2Table = InlineArray<256, UInt8> { index in
    var crc = UInt8(truncatingIfNeeded: index)
    for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0xD5 : crc << 1 }
    return crc
  }

  private static let mavlinkTable = InlineArray<256, UInt16> { reflected(index: UInt16($0), polynomial: 0x8408) }
  fileprivate static let crc32Table = InlineArray<256, UInt32> { reflected(index: UInt32($0), polynomial: 0xEDB8_8320) }

  /// One entry of the table of a reflected CRC.
  private static func reflected<Word: FixedWidthInteger>(index: Word, polynomial: Word) -> Word {
    var crc = index
    for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ polynomial : crc >> 1 }
    return crc
  }
}
