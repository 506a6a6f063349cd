import LodestoneCore
import Navigation
import Testing

@testable import LodestoneTerminal

@Suite struct HeadingScreenTests {
  @Test func screenAtItsUsualSize() {
    let golden = """
       Compass  sim:walk                                                       100 Hz
      ────────────────────────────────────────────────────────────────────────────────

                           ▼                                     ██████      ██████
                    ⢀⣀⠤⠤⠒⠒⠒⡖⠒⠒⠢⠤⢄⣀                               ██  ██      ██  ██
                 ⡠⡔⠊⠁      ⠃      ⠉⠒⡤⡀                           ██  ██      ██  ██
              ⢀⠔⠉ ⠈       N        ⠈ ⠈⠑⢄                         ██  ██      ██  ██
            ⢀⠔⠁                         ⠑⢄                       ██████  ██  ██████
           ⡠⠃              ⡆              ⠣⡀
          ⡰⠉⠂             ⢠⡇              ⠊⠱⡀    Heading, true                0.0° N
         ⢰⠁               ⢸⣿                ⢱    Accuracy                      ±0.8°
         ⡇                ⢸⣿                 ⡇   Quality                        good
        ⢸                 ⣼⣿                 ⢸   Magnetic                     355.5°
        ⢸⠤⠤ W             ⢿⣿⠄            E ⠠⠤⢼   Declination                   +4.5°
        ⢸                  ⡇                 ⢸   Pitch                         +1.2°
        ⠈⡆                 ⡇                 ⡎   Roll                          -3.4°
         ⢱                 ⡇                ⢰⠁   Field strength      48.2 µT of 48.5
          ⢣ ⡀              ⡇              ⡀⢠⠃    Inclination           64.7° of 65.1
           ⠫⡀              ⡇              ⡨⠃     Held                        face-up
            ⠑⢄                          ⢀⠔⠁
              ⠑⢄           S          ⢀⠔⠁
                ⠉⠢⢎⡀       ⡀       ⣈⠦⠊⠁
                   ⠈⠑⠒⠤⠤⣀⣀⣀⣇⣀⣀⡠⠤⠔⠒⠉
       p pause   ? keys   q quit
      """
    #expect(
      ScreenSamples.lines(80, 24) { HeadingScreen.draw(ScreenSamples.heading, into: &$0) }.joined(separator: "\n")
        == golden)
  }

  @Test func lineSaysAllWhereThereIsRoom() {
    #expect(
      HeadingLine.line(ScreenSamples.heading, width: 200)
        == "355.5° magnetic    0.0° true  ±0.8°  good  48.2 µT  pitch  +1.2°  roll   -3.4°  face-up")
  }

  @Test func lineNeverExceedsItsWidth() {
    for width in 0...120 {
      #expect(CellText.columns(HeadingLine.line(ScreenSamples.heading, width: width)) <= width)
    }
  }

  @Test func headingThatIsNotValidIsNotANumber() {
    var state = HeadingState()
    state.reading = HeadingReading(time: 0, quality: .disturbed)
    state.status.note("magnet near\u{1B}[2J")
    #expect(HeadingLine.line(state, width: 80) == "    –° magnetic  disturbed  magnet near\\e[2J")
  }

  /// A heading that the device computed itself is marked as such, on the screen as in the line.
  @Test func aDevicesOwnHeadingSaysSo() {
    var state = HeadingState()
    state.reading = HeadingReading(time: 0, quality: .device)
    #expect(HeadingLine.line(state, width: 80).contains("device"))
    #expect(ScreenSamples.lines(80, 24) { HeadingScreen.draw(state, into: &$0) }.contains { $0.contains("device") })
  }

  @Test func aDeviceThatIsAwayIsWaitedFor() {
    var state = ScreenSamples.heading
    state.status.isAway = true
    #expect(HeadingLine.line(state, width: 80) == "    –° magnetic  waiting for sim:walk")
    let lines = ScreenSamples.lines(80, 24) { HeadingScreen.draw(state, into: &$0) }
    #expect(lines.contains { $0.contains("waiting for sim:walk") })
    #expect(!lines.contains { $0.contains("355.5") || $0.contains("48.2") })
  }

  @Test func lineIsWrittenOverTheOneBefore() {
    #expect(HeadingLine.overwriting(with: "12°\n漢") == Array("\r12°\\n?\u{1B}[K".utf8))
  }

  /// Where the letters of the card stand, for a heading: the direction headed for is at the top.
  @Test(arguments: [
    (0.0, "N", "E", "S", "W"), (90, "E", "S", "W", "N"), (180, "S", "W", "N", "E"), (270, "W", "N", "E", "S"),
  ])
  func cardTurnsUnderTheLubberLine(heading: Double, top: String, right: String, bottom: String, left: String) {
    var canvas = Canvas(width: 40, height: 21)
    CompassRose(heading: heading).draw(on: &canvas, in: canvas.region)
    func found(_ letter: String) -> (column: Int, row: Int)? {
      for row in 0..<21 {
        for column in 0..<40 where canvas[column, row]?.scalar.description == letter { return (column, row) }
      }
      return nil
    }
    #expect((found(top)?.row ?? 99) < 6)
    #expect((found(bottom)?.row ?? 0) > 15)
    #expect((found(right)?.column ?? 0) > 30)
    #expect((found(left)?.column ?? 99) < 10)
    #expect(canvas[20, 0]?.scalar == "▼")
  }
}
