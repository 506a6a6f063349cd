import LodestoneCore

/// The stamps by their forms.
extension LineStamps {
  /// A time before a line, and where the line itself begins. The time is in seconds; nil for one of whole seconds,
  /// which tells lines of the same second no apart.
  typealias Stamp = (seconds: Double?, end: Int)

  /// The stamp that a line begins with; nil where it begins with none, or holds nothing else.
  static func stamp(of line: Span<UInt8>) -> Stamp? {
    guard let first = line.isEmpty ? nil : line[0],
      var stamp = first.isDigit
        ? clock(line) ?? count(line, from: 0, ")") ?? count(line, from: 0, ">")
        : prompt(line) ?? counted(line) ?? placed(line) ?? framed(line) ?? severity(line) ?? dated(line)
          ?? parenthesized(line) ?? composed(line)
    else { return nil }
    while stamp.end < line.count, line[stamp.end].isBlank { stamp.end += 1 }
    return stamp.end < line.count && line[stamp.end] >= .space ? stamp : nil
  }

  /// `14:02:00.050 -> `, `14:02:00.050 > `, and a clock before what is no number and no code of one letter.
  private static func clock(_ line: Span<UInt8>) -> Stamp? {
    var (end, blanks) = (0, 0)
    var found: Stamp?
    while end < min(line.count, 40), blanks < 4 {
      if line[end].isBlank, let seconds = ClockText(line.extracting(0..<end))?.seconds {
        found = (line.extracting(0..<end).isExact ? seconds : nil, end + 1)
      }
      if line[end].isBlank { blanks += 1 }
      end += 1
    }
    guard var stamp = found, stamp.end + 1 < line.count else { return nil }
    if let zone = endOfZone(line, stamp.end) {
      // A cell of a table that begins with a time.
      guard zone + 1 < line.count, line[zone].isBlank, line[zone] != .tab else { return nil }
      stamp.end = zone + 1
    }
    let (next, second) = (line[stamp.end], line[stamp.end + 1])
    if next == UInt8(ascii: ">") { return (stamp.seconds, stamp.end + 1) }
    if next == UInt8(ascii: "-"), second == UInt8(ascii: ">") || second.isBlank {
      return (stamp.seconds, stamp.end + 2)
    }
    // AM and PM belong to the time before them.
    let isHalfOfADay = "AaPp".utf8.contains(next) && second | 0x20 == UInt8(ascii: "m")
    let isText = next.isLetter ? !second.isBlank && !isHalfOfADay : "$!{([".utf8.contains(next)
    let isList = line[stamp.end - 1] == .space && areNumbers(line.extracting(stamp.end...))
    guard isText || isList else { return nil }
    // Docklight's mark of what was received.
    if line.holds("[RX] - ", at: stamp.end) { return (stamp.seconds, stamp.end + 7) }
    return (stamp.seconds, endOfProgram(line, stamp.end))
  }

  /// Where an offset from UTC of four digits ends, `+0200`; nil for a number, which begins with no zero and seldom with
  /// a plus.
  private static func endOfZone(_ line: Span<UInt8>, _ start: Int) -> Int? {
    let end = start + 5
    guard end < line.count, line[start] == UInt8(ascii: "+") || line[start] == UInt8(ascii: "-"),
      (start + 1..<end).allSatisfy({ line[$0].isDigit }), !line[end].isDigit, line[end] != UInt8(ascii: "."),
      line[start + 1] == UInt8(ascii: "0") || line[start] == UInt8(ascii: "+") && line[start + 1] == UInt8(ascii: "1")
    else { return nil }
    return "0134".utf8.contains(line[start + 3]) && "05".utf8.contains(line[start + 4]) ? end : nil
  }

  private static let months: [StaticString] = [
    "Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec ",
  ]

  /// `Mar 01 14:02:00 `, and what a journal has behind it; before it, the priority of syslog, `<13>`.
  private static func dated(_ line: Span<UInt8>) -> Stamp? {
    let start = endOfPriority(line)
    guard line.count > start + 7, line[start + 6] == .space, months.contains(where: { line.holds($0, at: start) }),
      let end = line.firstIndex(of: .space, from: start + 7)
    else { return nil }
    let text = line.extracting(start + 7..<end)
    guard let seconds = ClockText(text)?.seconds else { return nil }
    let program = endOfProgram(line, end + 1)
    return (text.isExact ? seconds : nil, start > 0 && program == end + 1 ? endOfTag(line, program) : program)
  }

  /// The place behind one to three digits in angle brackets; 0 where there are none.
  private static func endOfPriority(_ line: Span<UInt8>) -> Int {
    guard line[0] == UInt8(ascii: "<"), let close = line.firstIndex(of: UInt8(ascii: ">")), (2...4).contains(close),
      (1..<close).allSatisfy({ line[$0].isDigit })
    else { return 0 }
    return close + 1
  }

  /// The place at which a line of syslog goes on behind `host program: `; `start` for any other line.
  private static func endOfTag(_ line: Span<UInt8>, _ start: Int) -> Int {
    guard let blank = line.firstIndex(of: .space, from: start),
      let colon = line.firstIndex(of: UInt8(ascii: ":"), from: blank + 1), line.holds(": ", at: colon),
      (blank + 1..<colon).allSatisfy({ !line[$0].isBlank })
    else { return start }
    return colon + 2
  }

  /// `(14:02:00.050) `, as YAT writes it.
  private static func parenthesized(_ line: Span<UInt8>) -> Stamp? {
    guard line[0] == UInt8(ascii: "("), let close = line.firstIndex(of: UInt8(ascii: ")")), close < 40,
      close + 1 < line.count, line[close + 1].isBlank
    else { return nil }
    let text = line.extracting(1..<close)
    guard let seconds = ClockText(text)?.seconds else { return nil }
    return (text.isExact ? seconds : nil, close + 2)
  }

  /// The name of a container, `magd-1  | `, as Docker Compose puts it before the lines; nil for any other line.
  static func container(of line: Span<UInt8>) -> Range<Int>? {
    guard line[0].isLetter, let blank = line.firstIndex(of: .space), blank > 2, line[blank - 1].isDigit,
      (0..<blank).allSatisfy({ !line[$0].isCapital })
    else { return nil }
    var name = blank - 1
    while name > 0, line[name].isDigit { name -= 1 }
    return "-_".utf8.contains(line[name]) && line.holds("| ", at: endOfBlanks(line, blank)) ? 0..<blank : nil
  }

  private static func endOfBlanks(_ line: Span<UInt8>, _ start: Int) -> Int {
    var end = start
    while end < line.count, line[end] == .space { end += 1 }
    return end
  }

  /// A container's name, and the stamp behind it.
  private static func composed(_ line: Span<UInt8>) -> Stamp? {
    guard let name = container(of: line) else { return nil }
    let start = endOfBlanks(line, name.upperBound) + 2
    guard start < line.count, let inner = stamp(of: line.extracting(start..<line.count)) else { return (nil, start) }
    return (inner.seconds, start + inner.end)
  }

  /// The place at which a journal's line goes on behind `host program[12]: `; `start` for any other line.
  private static func endOfProgram(_ line: Span<UInt8>, _ start: Int) -> Int {
    guard start < line.count, let close = line.firstIndex(of: UInt8(ascii: "]"), from: start),
      line.holds("]: ", at: close), let open = line.firstIndex(of: UInt8(ascii: "["), from: start), open + 1 < close,
      (open + 1..<close).allSatisfy({ line[$0].isDigit }), (start..<open).count(where: { line[$0] == .space }) == 1
    else { return start }
    return close + 3
  }

  /// Three numbers or more that commas, semicolons or tabs separate: the blank before them does not, and parts a clock
  /// from what a board has printed.
  private static func areNumbers(_ line: Span<UInt8>) -> Bool {
    var (separators, wasApart) = (0, false)
    for index in line.indices where line[index] >= .space || line[index] == .tab {
      switch line[index] {
      case .comma, .semicolon, .tab: (separators, wasApart) = (separators + 1, true)
      case .space: guard wasApart else { return false }
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"): wasApart = false
      default:
        guard line[index].isDigit else { return false }
        wasApart = false
      }
    }
    return separators > 1
  }

  /// `>>> ` and `> ` of a shell, and `-> `, before numbers.
  private static func prompt(_ line: Span<UInt8>) -> Stamp? {
    var end = line.holds("-") || line.holds("=") ? 1 : 0
    let start = end
    while end < min(line.count, start + 3), line[end] == UInt8(ascii: ">") { end += 1 }
    guard end > start, end < line.count, line[end].isBlank, beginsNumbers(line, end + 1) else { return nil }
    return (nil, end)
  }

  /// `#12: ` and `Out[12]: ` of IPython before numbers, and `uart:~$ ` of a Zephyr shell before these or its channels.
  private static func counted(_ line: Span<UInt8>) -> Stamp? {
    if line[0] == UInt8(ascii: "#") { return count(line, from: 1, ":") }
    if line.holds("Out[") { return count(line, from: 4, "]:") }
    guard line[0].isLetter, let colon = line.firstIndex(of: UInt8(ascii: ":"), from: 1), colon < 24,
      line.holds(":~$ ", at: colon), beginsNumbers(line, colon + 4) || line.holds("channel ", at: colon + 4)
    else { return nil }
    return (nil, colon + 4)
  }

  /// A whole number that these marks end, before numbers.
  private static func count(_ line: Span<UInt8>, from start: Int, _ marks: StaticString) -> Stamp? {
    var end = start
    while end < line.count, line[end].isDigit { end += 1 }
    guard end > start, line.holds(marks, at: end) else { return nil }
    end += marks.utf8CodeUnitCount
    guard end < line.count, line[end].isBlank, beginsNumbers(line, end + 1) else { return nil }
    return (nil, end)
  }

  private static func beginsNumbers(_ line: Span<UInt8>, _ start: Int) -> Bool {
    start < line.count && "+-.0123456789([".utf8.contains(line[start])
  }

  /// `[2026-03-01 14:02:00.050] `, `[   12.345678] `, `[00:00:01.234,567] <inf> ` and `I (1234) `.
  private static func framed(_ line: Span<UInt8>) -> Stamp? {
    let isLevel = "EWIDV".utf8.contains(line[0]) && line.holds(" (", at: 1)
    let start = isLevel ? 3 : (endOfSeverity(line) ?? 0) + 1
    guard isLevel || line[start - 1] == UInt8(ascii: "["),
      let close = line.firstIndex(of: UInt8(ascii: isLevel ? ")" : "]"), from: start), close < 40,
      close + 1 < line.count, !isLevel || line[close + 1].isBlank
    else { return nil }
    let inner = line.extracting(start..<close)
    guard let seconds = ClockText(inner)?.seconds ?? (isLevel ? milliseconds(inner) : uptime(inner)) else { return nil }
    var end = close + 1
    while end < line.count, line[end].isBlank { end += 1 }
    if start > 3 { return (seconds, endOfNode(line, end)) }
    // Zephyr's level.
    if line.holds("<", at: end), let mark = line.firstIndex(of: UInt8(ascii: ">"), from: end), mark - end < 5 {
      end = mark + 1
    }
    return (isLevel || inner.isExact ? seconds : nil, end)
  }

  /// `[ 1234][I][main.cpp:42] loop(): `, as Arduino's core for the ESP32 logs: milliseconds, and the place in the
  /// program.
  private static func placed(_ line: Span<UInt8>) -> Stamp? {
    guard line[0] == UInt8(ascii: "["), let close = line.firstIndex(of: UInt8(ascii: "]")), close + 5 < line.count,
      "EWIDV".utf8.contains(line[close + 2]), line.holds("[", at: close + 1), line.holds("][", at: close + 3),
      let place = line.firstIndex(of: UInt8(ascii: "]"), from: close + 5)
    else { return nil }
    var start = 1
    while start < close, line[start].isBlank { start += 1 }
    guard start < close, let seconds = milliseconds(line.extracting(start..<close)) else { return nil }
    var end = place + 1
    while end < line.count, line[end].isBlank { end += 1 }
    let call = (end..<line.count).first { !line[$0].isLetter && !line[$0].isDigit && line[$0] != UInt8(ascii: "_") }
    if let call, line.holds("(): ", at: call) { end = call + 4 }
    return (seconds, end)
  }

  /// The severity alone: `[INFO ] `, and `<info> ` of Nordic's logger. It tells no time.
  private static func severity(_ line: Span<UInt8>) -> Stamp? {
    guard line[0] == UInt8(ascii: "[") || line[0] == UInt8(ascii: "<"),
      let close = line.firstIndex(of: UInt8(ascii: line[0] == UInt8(ascii: "[") ? "]" : ">")), close < 10,
      isSeverity(line.extracting(1..<close)), close + 1 < line.count, line[close + 1].isBlank
    else { return nil }
    return (nil, close + 1)
  }

  private static func isSeverity(_ text: Span<UInt8>) -> Bool {
    let words = ColumnWord.words(of: text)
    return [["debug"], ["info"], ["warn"], ["warning"], ["error"], ["fatal"], ["trace"], ["inf"]].contains(words)
  }

  /// The place of the stamp's bracket behind the severity of ROS, `[INFO] ` or `[ WARN] `; nil where none is.
  private static func endOfSeverity(_ line: Span<UInt8>) -> Int? {
    guard line[0] == UInt8(ascii: "["), let close = line.firstIndex(of: UInt8(ascii: "]")), close < 8,
      line.holds(" [", at: close + 1)
    else { return nil }
    return isSeverity(line.extracting(1..<close)) ? close + 2 : nil
  }

  /// The place at which a line of ROS goes on behind the name of its node, `[mag_node]: `, and the colon.
  private static func endOfNode(_ line: Span<UInt8>, _ start: Int) -> Int {
    var end = start
    if line.holds("[", at: end), let close = line.firstIndex(of: UInt8(ascii: "]"), from: end) { end = close + 1 }
    return line.holds(":", at: end) ? end + 1 : end
  }

  /// Milliseconds as ESP-IDF counts them.
  private static func milliseconds(_ text: Span<UInt8>) -> Double? {
    guard text.indices.allSatisfy({ text[$0].isDigit }) else { return nil }
    var index = 0
    return parseDecimal(text, from: &index).map { $0 / 1000 }
  }

  /// Seconds with three decimals or more, and behind them the time since the line before, as grabserial writes it.
  private static func uptime(_ text: Span<UInt8>) -> Double? {
    var (index, first) = (0, Double?.none)
    for _ in 0..<2 {
      while index < text.count, text[index].isBlank { index += 1 }
      let start = index
      guard index < text.count, text[index].isDigit, let number = parseDecimal(text, from: &index),
        let point = text.extracting(start..<index).firstIndex(of: UInt8(ascii: ".")), index - start - point > 3
      else { return nil }
      first = first ?? number
      if index == text.count { return first }
    }
    return nil
  }
}
