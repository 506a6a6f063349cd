import Testing

@testable import Drivers

/// Numbers whose thousands are parted.
@Suite struct GroupedNumberTests {
  /// The number that a text begins with, and its bytes.
  private static func read(_ text: String, isInList: Bool = false) -> (value: Double, count: Int)? {
    let bytes = Array(text.utf8)
    var index = 0
    return GroupedNumber.parse(bytes.span, from: &index, isInList: isInList).map { ($0, index) }
  }

  @Test(arguments: [
    ("-13,034.2", -13034.2), ("13.034,25", 13034.25), ("13 034,2", 13034.2), ("13'034", 13034),
    ("13\u{2019}034.2", 13034.2),
    ("+1,234,567", 1_234_567), ("1\u{202F}234,5", 1234.5),
  ])
  func partedThousandsAreRead(_ text: String, _ value: Double) throws {
    let read = try #require(Self.read(text))
    #expect(abs(read.value - value) < 1e-9 && read.count == text.utf8.count)
  }

  /// One number with decimals, two numbers, or none.
  @Test(arguments: ["13,034", "13.034", "13 034.2", "1,23", "1234", "0,123.4", "1,2345.6", "-", "", "1,"])
  func whatMayBeAnotherNumberIsNotRead(_ text: String) { #expect(Self.read(text) == nil) }

  @Test func inAListCommasPartNumbers() {
    #expect(Self.read("1,234,567", isInList: true) == nil)
    #expect(Self.read("1,234.5", isInList: true)?.value == 1234.5)
  }

  /// Digits without end, as from a board that hangs, are no number.
  @Test(arguments: ["1" + String(repeating: ",000", count: 200), "1,234." + String(repeating: "9", count: 400)])
  func numbersPastAllBoundsAreNotRead(_ text: String) { #expect(Self.read(text) == nil) }
}
