import Testing

@testable import LodestoneTerminal

@Suite struct CellTextTests {
  @Test func canvasHoldsOneColumnCharactersOnly() {
    #expect(CellText.narrow("漢") == "?")
    #expect(CellText.narrow("🧭") == "?")
    #expect(CellText.narrow("\u{1B}") == "?")
    #expect(CellText.narrow("\u{301}") == nil)
    for scalar in "Aµ°±²→↑⣿─┼█●○◆▼…–".unicodeScalars { #expect(CellText.narrow(scalar) == scalar) }
  }

  @Test func textIsCutWithAnEllipsisAndWrappedAtSpaces() {
    #expect(CellText.fitted("magnetometer", to: 12) == "magnetometer")
    #expect(CellText.fitted("magnetometer", to: 8) == "magneto…")
    #expect(CellText.fitted("magnetometer", to: 1) == "…")
    #expect(CellText.fitted("magnetometer", to: 0) == "")
    #expect(CellText.wrapped("turn the board slowly", to: 9) == ["turn the", "board", "slowly"])
    #expect(CellText.wrapped("extraordinarily long", to: 6) == ["extra…", "long"])
  }
}
