import LodestoneCore
import Glibc
import Support
import Testing

@Suite struct DecimalParserTests {
  private func whole(_ text: String) -> Double? { Double(decimal: Array(text.utf8).span) }

  private func prefix(_ text: String, from start: Int = 0) -> (value: Double?, end: Int) {
    var position = start
    let value = parseDecimal(Array(text.utf8).span, from: &position)
    return (value, position)
  }

  @Test(
    arguments: [
      ("0", 0), ("-12.5", -12.5), ("+3", 3), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-3", 0.001), ("2.5e+2", 250),
      ("0.1", 0.1), ("123456789012345678901234567890", 1.2345678901234568e29), ("9007199254740993", 9007199254740992),
      ("0.30000000000000004", 0.30000000000000004), ("1e-400", 0), ("4.9e-324", .leastNonzeroMagnitude), ("  7 ", 7),
      ("000000000000000000000000000001.5", 1.5), ("1.7976931348623157e308", 1.7976931348623157e308),
    ] as [(String, Double)])
  func reads(_ text: String, _ expected: Double) {
    #expect(whole(text) == expected)
  }

  @Test(
    arguments: [
      "", " ", "-", "+", ".", "-.", "e5", ".e5", "nan", "inf", "-infinity", "0x10", "1e", "1e+", "1.2.3", "1,5", "--1",
      "+-1", "1 2", "1e999", "-1e999", "12\u{0}", "٣", String(repeating: "9", count: 5_000),
    ])
  func refuses(_ text: String) {
    #expect(whole(text) == nil)
  }

  @Test func keepsTheSignOfZero() {
    #expect(whole("-0.0")?.sign == .minus)
  }

  @Test func stopsBehindTheNumber() {
    #expect(prefix("12.5,7") == (12.5, 4))
    #expect(prefix("12.5,7", from: 5) == (7, 6))
    #expect(prefix("3east") == (3, 1))
    #expect(prefix("0x10") == (0, 1))
    #expect(prefix("x1") == (nil, 0))
    #expect(prefix("1", from: 1) == (nil, 1))
    #expect(prefix("1", from: 9) == (nil, 9))
    #expect(prefix("1", from: -1) == (nil, -1))
  }

  @Test func agreesWithTheLibraryToTheLastBit() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let digits = String(
        (0..<Int.random(in: 1...25, using: &random)).map { _ in Character(String(Int.random(in: 0...9, using: &random)))
        })
      let point = Int.random(in: 0...digits.count, using: &random)
      var text = digits.prefix(point) + "." + digits.dropFirst(point)
      if Bool.random(using: &random) { text += "e\(Int.random(in: -40...40, using: &random))" }
      #expect(whole(String(text))?.bitPattern == strtod(String(text), nil).bitPattern, "\(text)")
      // Within a row, where numbers are read eight bytes at a time.
      let inRow = prefix(text + ",17.25,-3")
      #expect(inRow.value?.bitPattern == strtod(String(text), nil).bitPattern, "\(text)")
      #expect(inRow.end == text.utf8.count)
    }
  }

  @Test(
    arguments: [
      ("1234567,", 1_234_567, 7), ("12345678,", 12_345_678, 8), ("-0.1234567;", -0.1234567, 10), ("5.,", 5, 2),
      ("-.5,", -0.5, 3), ("+2.5,", 2.5, 4), ("2.5e1,", 25, 5), ("25E-1,", 2.5, 5), ("2.5e,", 2.5, 3), ("1.2.3", 1.2, 3),
      ("0/", 0, 1), ("9:", 9, 1), ("1\u{B0},", 1, 1),
    ] as [(String, Double, Int)])
  func readsOneNumberOfMany(_ text: String, _ expected: Double, _ end: Int) {
    #expect(prefix(text + "0000000000000000") == (expected, end))
  }

  /// What tables are read with: a number is what strtod makes of it, or is left to others.
  @Test func shortNumbersAgreeWithTheLibraryToTheLastBit() {
    var random = SeededGenerator(seed: 8)
    var shortCount = 0
    for _ in 0..<20_000 {
      func digits() -> String {
        (0..<Int.random(in: 0...9, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
      }
      let (whole, fraction) = (digits(), digits())
      let hasPoint = Bool.random(using: &random) || !fraction.isEmpty
      let text = (Bool.random(using: &random) ? "-" : "") + whole + (hasPoint ? "." : "") + fraction
      let next = [",", "\n", "\r", ";", "e3,", "x", "-", "."].randomElement(using: &random) ?? ","
      let bytes = Array((text + next + "12345678901234567890123456").utf8)
      let number = ShortNumber(bytes.span, at: 0)
      #expect(number.end <= 18)
      let isShort = whole.count < 8 && fraction.count < 8 && whole.count + fraction.count > 0
      guard isShort, !(next == "." && !hasPoint) else {
        #expect(number.fault != 0 || next == ".", "\(text)")
        continue
      }
      shortCount += 1
      #expect(number.fault == 0, "\(text)")
      #expect(number.end == text.utf8.count, "\(text)")
      #expect(number.value.bitPattern == strtod(text, nil).bitPattern, "\(text)")
    }
    #expect(shortCount > 5_000)
  }

  @Test func shortNumbersSurviveAnyBytes() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<20_000 {
      let bytes = (0..<ShortNumber.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
      let number = ShortNumber(bytes.span, at: 0)
      #expect(number.end >= 0 && number.end <= 18)
      let asAWhole = Double(decimal: Array(bytes[..<number.end]).span)
      #expect(number.fault != 0 || asAWhole == number.value)
    }
  }

  @Test func readsBackWhatSwiftPrints() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<5_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(whole(value.description)?.bitPattern == value.bitPattern)
    }
  }

  @Test func survivesAnyBytes() {
    var random = SeededGenerator(seed: 7)
    let alphabet = Array("0123456789+-.eE, x\u{0}".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      var position = 0
      let value = parseDecimal(bytes.span, from: &position)
      #expect(position <= bytes.count)
      #expect((value == nil) == (position == 0))
    }
  }
}
