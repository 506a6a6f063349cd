import LodestoneCore
import Testing

@Suite struct HarmlessTextTests {
  @Test func plainTextIsKept() {
    #expect("Heading 12.3° ± 0.4 µT 磁力计 e\u{301} 🧭".harmless == "Heading 12.3° ± 0.4 µT 磁力计 e\u{301} 🧭")
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
    #expect(hostile.harmless == safe)
  }

  @Test func noControlCharacterGetsThrough() {
    for value in [UInt32](0...0x1F) + [0x7F] + [UInt32](0x80...0x9F) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(!"a\(scalar)b".harmless.unicodeScalars.contains(scalar))
    }
  }

  @Test func harmfulScalarsCanBeReplaced() {
    #expect("a\u{7}b\u{9B}\u{202E}c".withoutHarmful == "abc")
    #expect("a\u{7}b".replacingHarmful { _ in "?" } == "a?b")
  }

  @Test func bytesOfUnknownEncodingReadAsASCII() {
    #expect([0x41, 0x1B, 0xC3, 0x20].harmlessText == #"A\x1b\xc3 "#)
  }
}
