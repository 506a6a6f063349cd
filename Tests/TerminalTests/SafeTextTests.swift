import Testing

@testable import Terminal

@Suite struct SafeTextTests {
  @Test func plainTextIsKept() {
    #expect(terminalSafe("Heading 12.3° ± 0.4 µT 磁力计 e\u{301} 🧭") == "Heading 12.3° ± 0.4 µT 磁力计 e\u{301} 🧭")
  }

  @Test(arguments: [
    ("\u{1B}]0;title\u{07}", #"\e]0;title\u{7}"#),
    ("a\tb\nc\rd", #"a\tb\nc\rd"#),
    ("\u{9B}31m", #"\u{9B}31m"#),
    ("\u{7F}\u{0}", #"\u{7F}\u{0}"#),
    ("usb\u{202E}gpj.exe\u{2066}", #"usb\u{202E}gpj.exe\u{2066}"#),
    ("zero\u{200B}width\u{FEFF}", #"zero\u{200B}width\u{FEFF}"#),
    ("tag\u{E0041}", #"tag\u{E0041}"#),
    ("one\u{2028}two", #"one\u{2028}two"#),
  ])
  func whatControlsATerminalBecomesVisible(hostile: String, safe: String) {
    #expect(terminalSafe(hostile) == safe)
  }

  @Test func noControlCharacterGetsThrough() {
    for value in [UInt32](0...0x1F) + [0x7F] + [UInt32](0x80...0x9F) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(!terminalSafe("a\(scalar)b").unicodeScalars.contains(scalar))
    }
  }

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
