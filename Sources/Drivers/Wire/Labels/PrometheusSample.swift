/// A sample in the text format of Prometheus whose axis is a label: `mag_microtesla{axis="x",sensor="mast"} -12.9`, and
/// behind it, where an exporter says them, the milliseconds since 1970. What the other labels say tells one sensor from
/// others. Source: prometheus.io, "Exposition formats".
enum PrometheusSample {
  /// The line as one with usual names; nil for any other line.
  static func words(_ line: Span<UInt8>) -> [UInt8]? {
    guard line[0].isLetter, let brace = line.firstIndex(of: UInt8(ascii: "{")),
      (0..<brace).allSatisfy({ line[$0].isLetter || line[$0].isDigit || "_:".utf8.contains(line[$0]) })
    else { return nil }
    var (index, axis, others) = (brace + 1, UInt8?.none, [] as [UInt8])
    while index < line.count, line[index] != UInt8(ascii: "}") {
      guard let label = label(line, &index) else { return nil }
      if axes.contains(where: { line.holds($0, in: label.key) }), label.value.count == 1,
        (line[label.value.lowerBound] | 0x20) &- UInt8(ascii: "x") < 3
      {
        axis = line[label.value.lowerBound]
      } else if isName(line.extracting(label.value)) {
        others += line.bytes(in: label.value) + [.space]
      }
    }
    guard let axis, index + 2 < line.count, line[index + 1] == .space else { return nil }
    let end = line.firstIndex(of: .space, from: index + 2) ?? line.count
    let name = line.bytes(in: 0..<brace) + [UInt8(ascii: "_"), axis, UInt8(ascii: ":"), .space]
    return others + name + line.bytes(in: index + 2..<end)
  }

  private static let axes: [StaticString] = ["axis", "component", "direction", "dim", "dimension"]

  /// A label, `key="value"`, and the comma behind it; nil for anything else.
  private static func label(_ line: Span<UInt8>, _ index: inout Int) -> (key: Range<Int>, value: Range<Int>)? {
    let start = index
    guard let mark = line.firstIndex(of: UInt8(ascii: "="), from: start), mark + 1 < line.count,
      line[mark + 1] == .quote, let close = line.firstIndex(of: .quote, from: mark + 2)
    else { return nil }
    index = close + 1
    if index < line.count, line[index] == .comma { index += 1 }
    return (start..<mark, mark + 2..<close)
  }

  /// The value may be a sensor's name, and is no word for a quantity.
  private static func isName(_ text: Span<UInt8>) -> Bool {
    text.count > 1 && text.indices.allSatisfy { text[$0].isLetter || text[$0].isDigit }
      && !ColumnName.isKnown(ColumnWord(text))
  }
}
