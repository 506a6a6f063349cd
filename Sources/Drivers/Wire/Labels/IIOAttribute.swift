/// A value of the kernel's IIO devices as `iio_attr` of libiio prints it, an axis a line: `dev 'lis3mdl', channel
/// 'magn_x' (input), attr 'raw', value '-883'`. Raw numbers are counts. Source: analogdevicesinc/libiio,
/// utils/iio_attr.c.
enum IIOAttribute {
  /// The line as one with usual names; nil for any other line, one of another attribute among them.
  static func words(_ line: Span<UInt8>) -> [UInt8]? {
    guard line.holds("dev '"), let channel = text(line, behind: "channel '"), let value = text(line, behind: "value '"),
      let attribute = text(line, behind: "attr '"), line.holds("raw", in: attribute)
    else { return nil }
    return line.bytes(in: channel) + [UInt8(ascii: ":"), .space] + line.bytes(in: value)
  }

  /// The text between a mark and the next apostrophe.
  private static func text(_ line: Span<UInt8>, behind mark: StaticString) -> Range<Int>? {
    guard let start = line.indices.first(where: { line.holds(mark, at: $0) })?.advanced(by: mark.utf8CodeUnitCount),
      let end = line.firstIndex(of: .apostrophe, from: start)
    else { return nil }
    return start..<end
  }
}
