/// A number whose thousands are parted, as spreadsheets and Python's `{:,}` write it: `-13,034.2`, `13.034,2`, `13
/// 034,2`, `13'034`. What may as well be a number with decimals, as `13,034`, or two numbers, as `13 034.2`, is none.
enum GroupedNumber {
  /// A way to part thousands.
  private struct Style {
    let mark: StaticString
    /// The marks that may part whole numbers from decimals.
    let points: [StaticString]
    /// The mark has another use where no decimals follow.
    var isOpen = false
    /// Whether it may as well part numbers.
    var isBlank = false
    /// Whether it is believed in a list.
    var isOfList = false
  }

  private static let styles = [
    Style(mark: ",", points: ["."], isOpen: true, isOfList: true), Style(mark: ".", points: [","], isOpen: true),
    Style(mark: " ", points: [","], isOpen: true, isBlank: true), Style(mark: "'", points: [".", ","]),
    Style(mark: "\u{2019}", points: [".", ","]), Style(mark: "\u{A0}", points: [".", ","]),
    Style(mark: "\u{202F}", points: [".", ","]),
  ]

  /// The number that begins at `index`, which is moved past it; nil, and the index is where it was, where none begins
  /// there.
  /// - Parameter isInList: commas may part it from others.
  static func parse(_ line: Span<UInt8>, from index: inout Int, isInList: Bool = false) -> Double? {
    var (value, end) = (0.0, index)
    let isNegative = line.holds("-", at: end)
    if isNegative || line.holds("+", at: end) { end += 1 }
    guard !line.holds("0", at: end), (1...3).contains(takeDigits(line, &end, into: &value)),
      let style = styles.first(where: { line.holds($0.mark, at: end) })
    else { return nil }
    var groups = 0
    while line.holds(style.mark, at: end) {
      end += style.mark.utf8CodeUnitCount
      guard takeDigits(line, &end, into: &value) == 3 else { return nil }
      groups += 1
    }
    var scale = 1.0
    let point = style.points.first { line.holds($0, at: end) }
    if point != nil, end + 1 < line.count, line[end + 1].isDigit {
      end += 1
      for _ in 0..<takeDigits(line, &end, into: &value) { scale *= 10 }
    }
    guard scale > 1 || !style.isOpen || groups > 1 && !style.isBlank && !isInList else { return nil }
    // There a point is that of decimals, and a comma parts numbers but before a fraction.
    if isInList, style.isOpen, !style.isOfList || isListed(line, index..<end) { return nil }
    guard value.isFinite, scale.isFinite else { return nil }
    index = end
    return (isNegative ? -value : value) / scale
  }

  /// A comma stands right before or behind it.
  private static func isListed(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let next = range.upperBound + 1
    return line.holds(",", at: range.lowerBound - 1)
      || line.holds(",", at: range.upperBound) && next < line.count && !line[next].isBlank
  }

  /// Takes digits, and tells how many.
  private static func takeDigits(_ line: Span<UInt8>, _ index: inout Int, into value: inout Double) -> Int {
    let start = index
    while index < line.count, line[index].isDigit {
      value = value * 10 + Double(line[index] - 48)
      index += 1
    }
    return index - start
  }
}
