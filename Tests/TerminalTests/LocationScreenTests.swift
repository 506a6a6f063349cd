import LodestoneCore
import Navigation
import Testing

@testable import LodestoneTerminal

@Suite struct LocationScreenTests {
  private func lines(_ width: Int, _ height: Int, _ edit: (inout LocationState) -> Void = { _ in }) -> [String] {
    var state = ScreenSamples.location
    edit(&state)
    return ScreenSamples.lines(width, height) { state.show(on: &$0) }
  }

  @Test func screenAtItsUsualSize() {
    let golden = """
       Location  gpsd://localhost                                              1.0 Hz
      ────────────────────────────────────────────────────────────────────────────────

        Distance     ██    ██████  ██████  ██  ██      ██████
                   ████        ██      ██  ██  ██      ██
                     ██    ██████  ██████  ██████      ██████
                     ██    ██          ██      ██          ██
                   ██████  ██████  ██████      ██  ██  ██████    m

        Latitude                                      48.208174° N
        Longitude                                     16.373819° W
        Accuracy (95 %)                                     ±4.2 m
        Distance from the start                           1234.5 m
        Bearing from there                                   36.5°
        Climb                                   descending 0.5 m/s
        Above the sea                               200.1 m ±6.1 m
        Above the ellipsoid                         244.1 m ±6.1 m
        Speed                                              1.9 m/s
        Course                                               10.5°
        Time of the fix                    2026-11-22 12:00:19 UTC
        On a map                          geo:48.208174,-16.373819


       o origin   u unit   p pause   ? keys   q quit
      """
    #expect(lines(80, 24).joined(separator: "\n") == golden)
  }

  /// A small terminal shows what matters most.
  @Test func aSmallScreenKeepsThePlaceAndTheDistance() {
    let text = lines(60, 15).joined(separator: "\n")
    for words in ["48.208174° N", "16.373819° W", "±4.2 m", "1234.5 m", "36.5°", "descending 0.5 m/s", "q quit"] {
      #expect(text.contains(words), "\(words)")
    }
  }

  @Test func aReceiverThatIsAwayLeavesNoValue() {
    let text = lines(80, 24) { $0.status.isAway = true }.joined(separator: "\n")
    #expect(text.contains("! waiting for gpsd://localhost"))
    for words in ["48.208174", "16.373819", "1234.5", "36.5°", "200.1", "2026"] { #expect(!text.contains(words)) }
  }

  @Test func aReceiverWithoutAFixLeavesNoValue() {
    let text = lines(80, 24) { $0.reading = LocationReading() }.joined(separator: "\n")
    #expect(text.contains("! waiting for a fix") && !text.contains("48.208174"))
  }

  @Test func keysChangeTheUnitAndListThemselves() {
    var state = ScreenSamples.location
    var units: [DistanceUnit] = []
    var receiver = Location()
    for _ in 0..<4 {
      state.press("u", &receiver)
      units.append(state.unit)
    }
    #expect(units == [.kilometre, .mile, .nauticalMile, .metre])
    func pressed(_ key: Character) -> [String] { lines(80, 24) { _ = $0.press(.character(key), &receiver) } }
    #expect(pressed("u").contains { $0.contains("1.234 km") })
    #expect(pressed("?").contains { $0.contains("count distance and bearing from here") })
    #expect(pressed("p")[0].contains("PAUSED"))
  }
}
