import LodestoneCore
import Geomagnetism
import Lodestone

/// A table of places and dates: CSV whose header names the columns, between semicolons where commas are decimal ones.
/// Every row is answered as it is read.
struct DeclinationTable: ~Copyable {
  private var lines: LineReader
  /// The places of the columns of `DeclinationAnswer.questionNames`; nil for one that is absent.
  private let columns: InlineArray<4, Int?>
  /// A comma, or a semicolon.
  private let separator: UInt8
  /// The date of a table without dates.
  private let date: DecimalYear?

  /// Opens a table and reads its header.
  /// - Parameter date: for a table that has no column of dates.
  init(path: String, date: DecimalYear?) throws(Failure) {
    var lines = try LineReader(path: path)
    (columns, separator) = try Self.readHeader(&lines, date: date)
    self.lines = lines
    self.date = date
  }

  private static let headerHint =
    "the first line names the columns date, latitude_deg, longitude_deg and altitude_m, in any order"

  private static func readHeader(
    _ lines: inout LineReader, date: DecimalYear?
  ) throws(Failure) -> (columns: InlineArray<4, Int?>, separator: UInt8) {
    guard let header = try nextLine(&lines) else {
      throw Failure(.badData, "\(lines.name) is empty", hint: headerHint)
    }
    var columns = InlineArray<4, Int?>(repeating: nil)
    let separator = UInt8(ascii: lines.buffer[header].contains(UInt8(ascii: ";")) ? ";" : ",")
    var fields = Fields(header, between: separator)
    var index = 0
    while let field = fields.next(lines.buffer.span) {
      for slot in columns.indices where matches(lines.buffer.span, field, DeclinationAnswer.questionNames[slot]) {
        columns[slot] = index
      }
      index += 1
    }
    // Altitude may be left out, and the date where one is given for all.
    let missing = columns.indices.first { slot in columns[slot] == nil && slot != 3 && !(slot == 0 && date != nil) }
    if let missing {
      throw Failure(
        .badData, "\(lines.name), line \(lines.lineNumber): no column \(DeclinationAnswer.questionNames[missing])",
        hint: headerHint)
    }
    if date != nil, columns[0] != nil {
      throw Failure(.usage, "\(lines.name) has dates of its own", hint: "leave out --date")
    }
    return (columns, separator)
  }

  /// Writes the answer to every row.
  /// - Returns: how many were extrapolated.
  mutating func answer(
    _ question: DeclinationQuestion, asJSON: Bool, into file: inout OutputFile
  ) throws -> Int {
    var text = TextBuffer(capacity: 80_000)
    var extrapolated = 0
    if !asJSON { DeclinationAnswer.appendHeader(to: &text) }
    do {
      while let line = try Self.nextLine(&lines) {
        if separator != UInt8(ascii: ",") {
          lines.replace(UInt8(ascii: ","), with: UInt8(ascii: "."), in: line)
        }
        extrapolated += try answer(line, question, asJSON: asJSON, text: &text) ? 1 : 0
        if text.count > 65_536 { try file.write(&text) }
      }
    } catch let failure as Failure {
      // What was answered before the bad row is right, and is not held back.
      try file.write(&text)
      throw failure
    }
    try file.write(&text)
    return extrapolated
  }

  /// Answers one row. True when it is extrapolated.
  private func answer(
    _ line: Range<Int>, _ question: DeclinationQuestion, asJSON: Bool, text: inout TextBuffer
  ) throws(Failure) -> Bool {
    let row = try split(line)
    let answer: DeclinationAnswer
    do {
      let date = try date(row[0])
      let place = try place(row)
      answer = try question.answer(place, date)
    } catch let problem as Place.Problem {
      throw bad(problem.words, hint: problem.hint)
    } catch let problem as FieldModel.Problem {
      throw bad(problem.words, hint: problem.hint)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw bad("\(error)")
    }
    if asJSON {
      answer.appendJSON(to: &text)
    } else {
      echo(row, answer, text: &text)
      answer.appendValues(to: &text)
    }
    return answer.isExtrapolated
  }

  /// The fields of the four columns; nil where the table lacks the column.
  private func split(_ line: Range<Int>) throws(Failure) -> InlineArray<4, Range<Int>?> {
    var row = InlineArray<4, Range<Int>?>(repeating: nil)
    var fields = Fields(line, between: separator)
    var index = 0
    while let field = fields.next(lines.buffer.span) {
      for slot in row.indices where columns[slot] == index { row[slot] = field }
      index += 1
    }
    for slot in row.indices where columns[slot] != nil && row[slot]?.isEmpty ?? true {
      throw bad("no \(DeclinationAnswer.questionNames[slot])")
    }
    return row
  }

  private func date(_ field: Range<Int>?) throws(Failure) -> DecimalYear {
    guard let field else {
      guard let date else { throw bad("no date") }
      return date
    }
    guard let date = DecimalYear(lines.buffer.span.extracting(field)) else { throw unreadable(field, "date") }
    return date
  }

  private func place(_ row: InlineArray<4, Range<Int>?>) throws -> Place {
    try Place(
      latitude: number(row[1], "latitude"), longitude: number(row[2], "longitude"), altitude: number(row[3], "altitude")
    )
  }

  private func number(_ field: Range<Int>?, _ what: StaticString) throws(Failure) -> Double {
    guard let field else { return 0 }
    guard let value = Double(decimal: lines.buffer.span.extracting(field)) else { throw unreadable(field, what) }
    return value
  }

  /// The columns of the question as they were given.
  private func echo(_ row: InlineArray<4, Range<Int>?>, _ answer: DeclinationAnswer, text: inout TextBuffer) {
    for slot in row.indices {
      if let field = row[slot] {
        text.append(bytes: lines.buffer.span.extracting(field))
      } else {
        text.append(exactly: slot == 0 ? answer.date.value : 0)
      }
      text.append(",")
    }
  }
}

// MARK: Lines and fields

extension DeclinationTable {
  /// The next line that is neither blank nor a comment.
  private static func nextLine(_ lines: inout LineReader) throws(Failure) -> Range<Int>? {
    while let line = try lines.next() {
      let start =
        lines.lineNumber == 1 && hasByteOrderMark(lines.buffer.span, line) ? line.lowerBound + 3 : line.lowerBound
      guard start < line.upperBound, lines.buffer[start] != UInt8(ascii: "#") else { continue }
      return start..<line.upperBound
    }
    return nil
  }

  private static func hasByteOrderMark(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    line.count >= 3 && bytes[line.lowerBound] == 0xEF && bytes[line.lowerBound + 1] == 0xBB
      && bytes[line.lowerBound + 2] == 0xBF
  }

  private static func matches(_ bytes: Span<UInt8>, _ field: Range<Int>, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { name in
      name.count == field.count && name.indices.allSatisfy { name[$0] == bytes[field.lowerBound + $0] }
    }
  }

  private func unreadable(_ field: Range<Int>, _ what: StaticString) -> Failure {
    let text = String(decoding: lines.buffer[field].prefix(40), as: UTF8.self)
    return bad("'\(text)' is not a valid \(what)")
  }

  private func bad(
    _ what: String, hint: String = "a row is as 2026.7,48.2,16.37,200: a decimal year or a day, degrees, metres"
  ) -> Failure {
    Failure(.badData, "\(lines.name), line \(lines.lineNumber): \(what)", hint: hint)
  }
}

/// The fields of a line of CSV, without the blanks and quotation marks around them. A separator between quotation marks
/// belongs to its field.
private struct Fields {
  private var position: Int
  private let end: Int
  private let separator: UInt8
  private var isDone = false

  init(_ line: Range<Int>, between separator: UInt8) {
    self.separator = separator
    position = line.lowerBound
    end = line.upperBound
  }

  mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard !isDone else { return nil }
    var (first, last) = (position, position)
    while last < end, bytes[last] == 0x20 || bytes[last] == 0x09 { last += 1 }
    if last < end, bytes[last] == Self.quote { last = Self.closing(bytes, last + 1, end) }
    while last < end, bytes[last] != separator { last += 1 }
    position = last + 1
    isDone = last == end
    while first < last, Self.isPadding(bytes[first]) { first += 1 }
    while last > first, Self.isPadding(bytes[last - 1]) { last -= 1 }
    return first..<last
  }

  private static let quote = UInt8(ascii: "\"")

  /// The quotation mark that closes a field; a doubled one is part of its text.
  private static func closing(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var place = start
    while place < end, bytes[place] != quote || (place + 1 < end && bytes[place + 1] == quote) {
      place += bytes[place] == quote ? 2 : 1
    }
    return min(place, end)
  }

  private static func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == quote }
}
