import Navigation
import Testing

@testable import LodestoneTerminal

@Suite struct LevelScreenTests {
  @Test func screenAtItsUsualSize() {
    let golden = """
       Level  sim:still                                                         50 Hz
      ────────────────────────────────────────────────────────────────────────────────

                    ⢀⣀⠤⠤⠒⠒⠒⠒⠒⠒⠢⠤⢄⣀               Pitch
                 ⡠⠔⠊⠁             ⠉⠒⠤⡀                            ██████      ██████
              ⢀⠔⠉                    ⠈⠑⢄                    ██        ██          ██
            ⢀⠔⠁                         ⠑⢄                ██████  ██████      ██████
           ⡠⠃                          ⣀⣀ ⠣⡀                ██    ██              ██
          ⡰⠁                         ⣰⣿⣿⣿⣷⡄⠱⡀                     ██████  ██  ██████
         ⢰⠁                          ⢻⣿⣿⣿⣿⠇ ⢱
         ⡇               ⢀⣀⣀⣀         ⠉⠛⠋⠁   ⡇                            ▼
        ⢸              ⢀⠔⠁   ⠑⢄              ⢸   ┴───────┴────────┼────────┴───────┴
        ⢸              ⢸      ⢸              ⢸   -5°                            +5°
        ⢸              ⠘⢄    ⢀⠜              ⢸   Roll
        ⠈⡆               ⠑⠒⠒⠒⠁               ⡎                    ██  ██        ██
         ⢱                                  ⢰⠁                    ██  ██      ████
          ⢣                                ⢠⠃             ██████  ██████        ██
           ⠣⡀                             ⡠⠃                          ██        ██
            ⠑⢄                          ⢀⠔⠁                           ██  ██  ██████
              ⠑⢄                      ⢀⠔⠁
                ⠉⠢⢄⡀               ⣀⠤⠊⠁             ▼
                   ⠈⠑⠒⠤⠤⣀⣀⣀⣀⣀⣀⡠⠤⠔⠒⠉              ┴───────┴────────┼────────┴───────┴
                                                 -5°                            +5°
       z zero   c calibrate   p pause   ? keys   q quit
      """
    #expect(
      ScreenSamples.lines(80, 24) { LevelScreen.draw(ScreenSamples.level, into: &$0) }.joined(separator: "\n") == golden
    )
  }

  /// Large digits stand below their name; small ones between it and the accuracy.
  @Test(arguments: [(80, 24, "Pitch ±2.9°"), (40, 8, "Pitch +3.0° ±2.9°")])
  func accuracyIsBesideTheTilt(width: Int, height: Int, text: String) {
    var (state, reading) = (LevelState(), LevelReading(time: 0, pitch: 3, roll: -1))
    reading.accuracy = 2.9
    state.take(reading, from: Level())
    let lines = ScreenSamples.lines(width, height) { LevelScreen.draw(state, into: &$0) }
    #expect(lines.contains { $0.contains(text) }, "\(lines.joined(separator: "\n"))")
  }

  /// What is no number moves no needle, and holds none.
  @Test func aNeedleFindsItsMarkAgain() {
    var needle = DampedNeedle()
    _ = needle.follow(.nan, at: 0)
    #expect(needle.follow(5, at: 0.1) == 5)
    _ = needle.follow(.infinity, at: 0.2)
    #expect(needle.follow(7, at: 0.3) == 7)
  }

  @Test func scaleWidensAtOnceAndNarrowsWithReserve() {
    var state = LevelState()
    let limits = [(4.9, 5.0), (5.1, 30), (4.9, 30), (4.1, 30), (3.9, 5), (31, 90), (29, 90), (23, 30), (0, 5)].map {
      tilt, limit in
      state.show(pitch: 0, roll: -tilt)
      return state.limit == limit
    }
    #expect(limits.allSatisfy { $0 })
  }

  @Test(arguments: [(0.0, 20), (5, 39), (-5, 1), (2.5, 30), (-2.5, 10), (9, 39)])
  func needleStandsOverItsValue(value: Double, column: Int) {
    var canvas = Canvas(width: 41, height: 2)
    NeedleScale(value: value, limit: 5).draw(on: &canvas, column: 1, row: 0, width: 39)
    let place = canvas.cells.prefix(41).firstIndex { $0.scalar != " " }
    #expect(abs((place ?? -9) - column) <= 1)
  }

  /// The bubble runs to the higher side.
  @Test(arguments: [(10.0, 0.0, 10, 2), (-10, 0, 10, 7), (0, 10, 5, 5), (0, -10, 15, 5)])
  func bubbleRunsUphill(pitch: Double, roll: Double, column: Int, row: Int) {
    var canvas = Canvas(width: 20, height: 10)
    BubbleLevel(pitch: pitch, roll: roll, limit: 15).draw(on: &canvas, in: canvas.region)
    let bubble = canvas.cells.indices.filter { canvas.cells[$0].style == .accent }
    let centre = (
      column: bubble.reduce(0) { $0 + $1 % 20 } / max(bubble.count, 1),
      row: bubble.reduce(0) { $0 + $1 / 20 } / max(bubble.count, 1)
    )
    #expect(abs(centre.column - column) <= 1 && abs(centre.row - row) <= 1)
  }
}
