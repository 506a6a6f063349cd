import LodestoneCore
import Navigation

/// Headings from a table: compass and right heading in degrees, a pair a line; under a header, the columns that it
/// names: `compass`, `steered` or `heading`, and `right`, `reference`, `true` or `magnetic`.
enum SwingTable {
  /// The most pairs.
  private static let limit = 100_000

  /// Where the two headings stand in a line.
  private struct Columns {
    var compass = 0, right = 1
    /// The number of columns there must be; nil where a header told which of many.
    var count: Int? = 2
    /// The header says that the right headings are true ones.
    var isTrue = false

    init() {}

    /// By the names of a header; nil where they do not tell both.
    /// - Parameter isTrue: true headings are asked for; without that, magnetic ones come first.
    init?(_ names: [String], isTrue: Bool) {
      let names = names.map { $0.lowercased() }
      func place(_ words: [String], among columns: some Collection<Int>) -> Int? {
        words.lazy.compactMap { word in columns.first { names[$0].contains(word) } }.first
      }
      let kinds = isTrue ? ["true", "right", "reference"] : ["right", "reference", "magnetic", "true"]
      guard let right = place(kinds, among: names.indices) else { return nil }
      // No compass that is swung shows true headings, or the right ones.
      let others = names.indices.filter { index in
        index != right && !["true", "right", "reference"].contains { names[index].contains($0) }
      }
      guard let compass = place(["compass", "steered", "heading"], among: others) else { return nil }
      (self.compass, self.right, count) = (compass, right, nil)
      self.isTrue = names[right].contains("true")
    }
  }

  /// The pairs of a file, or of standard input for `-`. Lines that begin with `#` are left out.
  /// - Parameter declination: of the place, where the right headings are true ones.
  static func read(_ path: String, declination: Declination?) throws -> [Deviation.Mark] {
    var reader = try LineReader(path: path)
    var columns = Columns()
    var marks: [Deviation.Mark] = []
    while let line = try reader.next() {
      let cells = cells(of: reader.buffer[line])
      guard let first = cells.first, first.first != UInt8(ascii: "#") else { continue }
      let numbers = cells.map { Double(decimal: $0.span) }
      if marks.isEmpty, numbers.allSatisfy({ $0 == nil }) {
        let names = cells.map { String(decoding: $0, as: UTF8.self) }
        guard let named = Columns(names, isTrue: declination != nil) else {
          throw Failure(
            .badData, "\(reader.name), line \(reader.lineNumber): the columns are not named so that two can be told",
            hint: "name them compass and right, or compass and true with --true")
        }
        columns = named
        guard !columns.isTrue || declination != nil else {
          throw Failure(
            .usage, "\(reader.name): the right headings are true ones, by their name",
            hint: "add --true and --at LAT,LON")
        }
        continue
      }
      guard columns.count ?? numbers.count == numbers.count, numbers.indices.contains(columns.compass),
        numbers.indices.contains(columns.right), let compass = numbers[columns.compass],
        let right = numbers[columns.right], [compass, right].allSatisfy({ (-360...360).contains($0) }),
        marks.count < limit
      else {
        throw Failure(
          .badData, "\(reader.name), line \(reader.lineNumber): not two headings in degrees",
          hint: "a line holds the compass heading and the right one: 45.0,47.5")
      }
      let reference =
        declination.map { (Heading<TrueNorth>(degrees: right) - $0).degrees } ?? Angle.wrapped(degrees: right)
      marks.append(.init(compass: Angle.wrapped(degrees: compass), reference: reference))
    }
    return marks
  }

  /// The cells of a line, an absent one empty: between tabs, semicolons or commas, whichever of these it has first in
  /// this order, or else between blanks, without quotation marks. A comma that separates nothing is a decimal one.
  private static func cells(of line: ArraySlice<UInt8>) -> [[UInt8]] {
    let (blank, comma, point) = (UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "."))
    let line = line.filter { $0 != UInt8(ascii: "\"") }[...]
    let separator = "\t;,".utf8.first { line.contains($0) }
    let words = line.split(separator: separator ?? blank, omittingEmptySubsequences: separator == nil)
    var cells = words.map { word in
      Array(word.split(separator: blank).joined(separator: [blank])).map { $0 == comma ? point : $0 }
    }
    while let last = cells.last, last.isEmpty { cells.removeLast() }
    return cells
  }
}
