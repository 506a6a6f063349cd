import LodestoneCore

/// How a buffer packs one channel: `le:s16/16>>0` (Documentation/ABI/testing/sysfs-bus-iio of Linux).
struct IIOScanType: Equatable {
  var isBigEndian: Bool
  var isSigned: Bool
  /// Bits that mean something.
  var bits: Int
  /// Bytes it takes up.
  var size: Int
  /// The number of bits to shift to the right, before the other bits are cut off.
  var shift: Int

  /// A type from the driver's text; nil for another text, repeated elements, or more than 64 bits.
  init?(_ text: String) {
    let sides = text.split(separator: ":")
    guard sides.count == 2, sides[0] == "le" || sides[0] == "be", let sign = sides[1].first, sign == "s" || sign == "u"
    else { return nil }
    let parts = sides[1].dropFirst().split { "/>".contains($0) }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, numbers.count == 3 else { return nil }
    (bits, shift) = (numbers[0], numbers[2])
    size = numbers[1] / 8
    guard [8, 16, 32, 64].contains(numbers[1]), 1...numbers[1] ~= bits, 0...(numbers[1] - bits) ~= shift else {
      return nil
    }
    isBigEndian = sides[0] == "be"
    isSigned = sign == "s"
  }

  /// The least and the greatest number, where a converter stops. Empty above 24 bits: those a driver has computed.
  var ends: [Double] {
    guard bits <= 24 else { return [] }
    let count = Double(1 << bits)
    return isSigned ? [-count / 2, count / 2 - 1] : [0, count - 1]
  }

  /// The number in `size` bytes.
  func value(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var pattern: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      pattern = isBigEndian ? pattern << 8 | UInt64(byte) : pattern | UInt64(byte) << UInt64(8 * index)
    }
    pattern >>= UInt64(shift)
    let unused = UInt64(64 - bits)
    let left = Int64(bitPattern: pattern << unused)
    return isSigned ? left >> Int64(unused) : Int64(bitPattern: UInt64(bitPattern: left) >> unused)
  }
}

/// The places of the enabled channels in a frame: in the order of their indices, each aligned to its size; the frame's
/// length is a multiple of the largest.
struct IIOScanLayout: Equatable {
  private(set) var places: [String: (offset: Int, type: IIOScanType)] = [:]
  /// The length of a frame in bytes.
  private(set) var size = 0

  /// Channels with their names (`in_magn_x`), indices and types.
  init(_ channels: [(name: String, index: Int, type: IIOScanType)]) {
    var end = 0
    for channel in channels.sorted(by: { $0.index < $1.index }) {
      let size = channel.type.size
      let offset = (end + size - 1) / size * size
      places[channel.name] = (offset, channel.type)
      end = offset + size
    }
    let largest = channels.map { $0.type.size }.max() ?? 1
    size = (end + largest - 1) / largest * largest
  }

  /// The three raw numbers of a kind; nil where an axis is not in the buffer.
  func vector(_ kind: IIOKind, in frame: [UInt8]) -> Vector3? {
    let axes = kind.axes
    guard let x = value(axes[0], frame), let y = value(axes[1], frame), let z = value(axes[2], frame) else {
      return nil
    }
    return Vector3(Double(x), Double(y), Double(z))
  }

  /// Nanoseconds of the device's clock.
  func timestamp(in frame: [UInt8]) -> Int64? { value("in_timestamp", frame) }

  private func value(_ name: String, _ frame: [UInt8]) -> Int64? {
    guard let place = places[name], place.offset + place.type.size <= frame.count else { return nil }
    return place.type.value(frame[place.offset..<(place.offset + place.type.size)])
  }

  static func == (a: IIOScanLayout, b: IIOScanLayout) -> Bool {
    a.size == b.size && a.places.mapValues { $0.offset } == b.places.mapValues { $0.offset }
      && a.places.mapValues { $0.type } == b.places.mapValues { $0.type }
  }
}
