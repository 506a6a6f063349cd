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
      } else if let word = word(line.extracting(label.value), of: line.extracting(label.key)) {
        others += word + [.space]
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

  /// A value as a word that tells a sensor from others, of letters alone, with a letter for each digit and without a
  /// port: `b`, `mag-1`, `10.0.0.7:9100`; a chip's name as it is. One letter, or digits, are a name where the label
  /// says so. Nil for a word for a quantity, and for other text.
  private static func word(_ text: Span<UInt8>, of key: Span<UInt8>) -> [UInt8]? {
    if LabelSource.namesChip(text) { return text.bytes(in: text.indices) }
    var (word, hasLetters) = ([UInt8](), false)
    for index in 0..<(text.lastIndex(of: UInt8(ascii: ":")) ?? text.count) {
      let byte = text[index]
      if byte.isLetter {
        word.append(byte)
        hasLetters = true
      } else if byte.isDigit {
        word.append(byte - UInt8(ascii: "0") + UInt8(ascii: "a"))
      } else if !"-_.".utf8.contains(byte) {
        return nil
      }
    }
    if hasLetters, word.count > 1 { return ColumnName.isKnown(ColumnWord(text)) ? nil : word }
    guard !word.isEmpty else { return nil }
    let names = ColumnWord.words(of: key)
    let isName = names == ["instance"] || MessageOrigins.areNamed(by: names) && !names.contains { counts.contains($0) }
    return isName ? Array("sensor".utf8) + word : nil
  }

  /// Labels that may as well number the axes.
  private static let counts: Set<ColumnWord> = ["id", "ch", "channel", "index", "no"]
}
