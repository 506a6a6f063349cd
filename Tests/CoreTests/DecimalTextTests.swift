import LodestoneCore
import Glibc
import Support
import Testing

@Suite struct DecimalTextTests {
  private func printed(_ value: Double?, _ decimals: Int, absent: StaticString = "") -> String {
    var buffer = TextBuffer()
    buffer.append(value, decimals: decimals, absent: absent)
    return buffer.text
  }

  /// The C library's text of a number, without the sign of a zero.
  private func library(_ value: Double, _ decimals: Int) -> String {
    var bytes = [CChar](repeating: 0, count: 400)
    let length = withVaList([Int32(decimals), value]) { vsnprintf(&bytes, bytes.count, "%.*f", $0) }
    let text = String(decoding: bytes[..<Int(length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) } ? String(text.dropFirst()) : text
  }

  @Test(
    arguments: [
      (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (0.5, 0, "0"), (1.5, 0, "2"), (2.5, 0, "2"),
      (0.125, 2, "0.12"), (0.375, 2, "0.38"), (1.005, 2, "1.00"), (-99.995, 2, "-100.00"), (9.999, 2, "10.00"),
      (12345.678, 3, "12345.678"), (-7, 0, "-7"), (0.000001, 6, "0.000001"), (1e15, 0, "1000000000000000"),
    ] as [(Double, Int, String)])
  func printsKnownTexts(_ value: Double, _ decimals: Int, _ expected: String) {
    #expect(printed(value, decimals) == expected)
  }

  @Test func agreesWithTheLibraryOnRandomNumbers() {
    var random = SeededGenerator(seed: 6)
    for round in 0..<20_000 {
      let decimals = Int.random(in: 0...9, using: &random)
      let scale = pow(10, Double.random(in: -6...12, using: &random))
      let value = Double.random(in: -1...1, using: &random) * scale
      // Every other number sits on or next to a tie of the last decimal.
      let tie = ((value * pow(10, Double(decimals))).rounded() + 0.5) / pow(10, Double(decimals))
      for number in [value, tie, tie.nextUp, tie.nextDown] {
        #expect(printed(number, decimals) == library(number, decimals), "\(number) with \(decimals), round \(round)")
      }
    }
  }

  @Test func agreesWithTheLibraryOnAnyBits() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<5_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(printed(value, 3) == library(value, 3))
    }
  }

  @Test(arguments: 0...7)
  func aFormWritesWhatTheLibraryDoes(_ decimals: Int) {
    let (form, table) = (NumberForm(decimals: decimals), DigitTable())
    var random = SeededGenerator(seed: 9)
    var numbers = (0..<20_000).map { _ in
      Double.random(in: -1...1, using: &random) * pow(10, Double.random(in: -4...9, using: &random))
    }
    // Around the longest number of each way, and each digit of the short ones.
    for limit in [1000, 1e6, 1e8, 1e10] { numbers += (-9...9).map { limit + Double($0) / pow(10, Double(decimals)) } }
    numbers += stride(from: 0, to: 1_000_000, by: 37).map { Double($0) / pow(10, Double(min(decimals, 3))) }
    numbers += [0, -0.0, -0.0004, 0.0004]
    for number in numbers {
      var buffer = TextBuffer()
      var cursor = buffer.cursor(atMost: TextCursor.numberByteCount)
      let isDone = cursor.append(number, as: form, table.entries.span)
      buffer.finish(cursor)
      #expect(buffer.text == (isDone ? library(number, decimals) : ""), "\(number)")
    }
  }

  /// A heading that is rounded to 360 is left to the buffer, which begins at zero again.
  @Test func aFormOfHeadingsEndsBefore360() {
    let (form, table) = (NumberForm(decimals: 2, isHeading: true), DigitTable())
    for (degrees, text) in [(359.994, "359.99"), (359.996, ""), (0.004, "0.00"), (7.25, "7.25"), (90, "90.00")] {
      var buffer = TextBuffer()
      var cursor = buffer.cursor(atMost: TextCursor.numberByteCount)
      let isDone = cursor.append(degrees, as: form, table.entries.span)
      buffer.finish(cursor)
      #expect(isDone == !text.isEmpty && buffer.text == text)
    }
  }

  @Test(arguments: [4503599627370495.5, 9007199254740991, 9007199254740992, 1e300, -1e22, Double.leastNonzeroMagnitude])
  func guardsLargeAndTiny(_ value: Double) {
    for decimals in [0, 1, 15] { #expect(printed(value, decimals) == library(value, decimals)) }
  }

  @Test(arguments: [nil, Double.nan, .infinity, -.infinity])
  func absentIsNotZero(_ value: Double?) {
    #expect(printed(value, 1) == "")
    #expect(printed(value, 1, absent: "null") == "null")
  }

  @Test(
    arguments: [
      (359.96, 1, "0.0"), (359.94, 1, "359.9"), (-0.04, 1, "0.0"), (-1, 0, "359"), (360, 2, "0.00"),
      (719.9999, 3, "0.000"),
      (90.25, 1, "90.2"),
    ] as [(Double, Int, String)])
  func roundsAHeadingBeforeItWraps(_ degrees: Double, _ decimals: Int, _ expected: String) {
    var buffer = TextBuffer()
    buffer.append(headingDegrees: degrees, decimals: decimals)
    #expect(buffer.text == expected)
  }

  /// Decimals are chosen by it, of numbers from outside, too.
  @Test(arguments: [
    (123.0, 2), (-0.0045, -3), (1, 0), (9.99, 0), (0, -20), (1e-300, -20), (1e300, 20), (.infinity, 20), (.nan, 20),
  ])
  func theFirstDigitHasAPowerOfTen(_ value: Double, _ exponent: Int) { #expect(value.decimalExponent == exponent) }

  @Test func exactTextReadsBack() {
    var buffer = TextBuffer()
    for value in [48.2, -16, 0, 2026.7] {
      buffer.append(exactly: value)
      buffer.append(byte: 0x20)
    }
    #expect(buffer.text == "48.2 -16 0 2026.7 ")
  }

  @Test func growsAndIsUsedAgain() {
    var buffer = TextBuffer(capacity: 1)
    let long = String(repeating: "µT,", count: 500)
    for _ in 0..<3 {
      buffer.removeAll()
      buffer.append(text: long)
      buffer.append(Int.min)
      buffer.append(",end")
      #expect(buffer.text == long + "-9223372036854775808,end")
    }
    buffer.truncate(to: 3)
    #expect(buffer.text == "µT")
    #expect(buffer.withUnsafeBytes { $0.count } == 3)
  }

  /// Counts of digits that no number has are those of the nearest that can be.
  @Test func digitsAreBounded() {
    #expect(NumberForm(decimals: .max, isHeading: true).decimals == 15)
    #expect(NumberForm(decimals: -1).decimals == 0)
    var buffer = TextBuffer()
    buffer.append(7, width: .max)
    buffer.append(7, width: -1)
    #expect(buffer.text == "00000000000000000077")
  }
}
