import LodestoneCore
import Testing

@Suite struct FieldUnitTests {
  /// What is shown can be typed, with either sign for micro.
  @Test func unitsAreTypedAsTheyAreShown() {
    for unit in FieldUnit.shown {
      #expect(FieldUnit(shown: unit.symbol) == unit && FieldUnit(shown: unit.rawValue) == unit)
    }
    #expect(FieldUnit(shown: "\u{B5}T") == .microtesla && FieldUnit(shown: "\u{3BC}T") == .microtesla)
    #expect(FieldUnit(shown: "T") == nil && FieldUnit(shown: "tesla") == nil)
  }
}
