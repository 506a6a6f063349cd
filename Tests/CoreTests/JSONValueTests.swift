import LodestoneCore
import Testing

@Suite struct JSONValueTests {
  /// JSON has no number for what is none.
  @Test func whatIsNoNumberIsNull() {
    let value = JSONValue.members(("a", .number(.nan)), ("b", .numbers(Vector3(1, -.nan, 2))), ("c", .orNull(.nan)))
    #expect(value.line == "{\"a\":null,\"b\":[1,null,2],\"c\":null}\n")
  }

  /// Read again it is refused by whoever wants a number; that is what a document's own number too large becomes.
  @Test func whatIsTooLargeStaysTooLarge() {
    for (number, text) in [(Double.infinity, "1e999"), (-.infinity, "-1e999")] {
      #expect(JSONValue.number(number).line == text + "\n")
    }
    #expect(JSONValue(parsing: Array("1e999".utf8)) == .number(.infinity))
  }
}
