import Support
import Testing

@testable import LodestoneTerminal

@Suite struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return text.utf8.compactMap { decoder.next($0) }
  }

  @Test func lettersSpaceAndReturn() {
    #expect(keys("z \rQ") == [.character("z"), .character(" "), .enter, .character("Q")])
    #expect(keys("\u{03}\u{0C}") == [.interrupt, .redraw])
  }

  /// xterm control sequences: cursor keys, F5, mouse, a cursor position report, a window title, a device attribute
  /// string.
  @Test(arguments: [
    "\u{1B}[A", "\u{1B}OA", "\u{1B}[15~", "\u{1B}[<0;12;7M", "\u{1B}[12;40R", "\u{1B}]0;quit\u{07}",
    "\u{1B}P>|xterm(q)\u{1B}\\", "\u{1B}[?62;22c", "\u{1B}[200~", "\u{1B}_Gi=1;OK\u{1B}\\", "é", "🧭", "\u{7F}",
  ])
  func sequencesAreSwallowedWhole(sequence: String) {
    #expect(keys(sequence) == [])
    #expect(keys(sequence + "q") == [.character("q")])
    #expect(keys(sequence + sequence + "q") == [.character("q")])
  }

  @Test func escapeAloneDoesNotHideTheNextKey() {
    #expect(keys("\u{1B}q") == [.character("q")])
    #expect(keys("\u{1B}\u{1B}q") == [.character("q")])
  }

  @Test func controlCGetsThroughEverything() {
    for beginning in ["\u{1B}[", "\u{1B}]0;never ends", "\u{1B}P", "\u{1B}O", "\u{1B}"] {
      #expect(keys(beginning + "\u{03}q") == [.interrupt, .character("q")])
    }
  }

  @Test func anyBytesAreEndured() {
    var generator = SeededGenerator(seed: 4)
    var decoder = KeyDecoder()
    for _ in 0..<20_000 {
      if case .character(let character) = decoder.next(UInt8.random(in: 0...255, using: &generator)) {
        #expect(character.isASCII)
      }
    }
    _ = decoder.next(0x18)
    #expect(decoder.next(UInt8(ascii: "q")) == .character("q"))
  }
}
