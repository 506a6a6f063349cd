import LodestoneCore
import Navigation
import Testing

@testable import LodestoneTerminal

@Suite struct AttitudeScreenTests {
  private func lines(_ width: Int, _ height: Int, _ change: (inout AttitudeState) -> Void = { _ in }) -> [String] {
    var state = ScreenSamples.attitude
    change(&state)
    return ScreenSamples.lines(width, height) { AttitudeScreen.draw(state, into: &$0) }
  }

  @Test func screenAtItsUsualSize() {
    let golden = """
       Attitude  sim:tilt                                                      100 Hz
      ────────────────────────────────────────────────────────────────────────────────



                              N
                              ⢀⢔⡢⡀
                            ⢀⠔⠁ ⠈⢪⡒⢄  top
                          ⢀⡠⠃     ⠈⠢⣑⠢⡀               Yaw                    -135.0°
                        ⢀⠔⠁      ⣀⣀⡄ ⠑⢕⡢⡀             Pitch                   +20.0°
                       ⡠⠊     ⠐⠒⠉⡡⠊⡇   ⠈⠪⣒⢄           Roll                      0.0°
                     ⡠⠊        ⡠⠊ ⢸       ⣱⠟          Heading, magnetic        45.0°
           W       ⢀⠔⠁       ⢀⠜   ⠈     ⡠⡞⠁           Yaw accuracy             ±2.3°
                 ⢀⠔⠁       ⢀⠔⠁        ⡠⡺⠊       E     Tilt accuracy            ±0.5°
                ⡠⠊        ⡠⠃        ⡠⢪⠊               Frame                 magnetic
                ⠈⠢⡀     ⠠⠊        ⢀⢔⠕⠁                Rotation               5.0 °/s
                  ⠈⠑⢄            ⡔⡕⠁                  At rest                    yes
                     ⠑⢄        ⡠⡪⠊                    Field accuracy            high
                       ⠣⣀    ⢠⡪⠊
                         ⠑⢄⢀⢔⠕⠁
                           ⠑⠁
                             S

       p pause   ? keys   q quit
      """
    #expect(lines(80, 24).joined(separator: "\n") == golden)
  }

  /// Where the top edge is on the page: away from the person up, to the right right.
  @Test(arguments: [(0.0, 0, -1), (90, 1, 0), (180, 0, 1), (270, -1, 0)])
  func topEdgeTurnsWithTheBoard(heading: Double, right: Int, down: Int) throws {
    var canvas = Canvas(width: 60, height: 30)
    TurningBoard(attitude: Quaternion(heading: heading, pitch: 0, roll: 0)).draw(on: &canvas, in: canvas.region)
    let row = try #require(canvas.lines.firstIndex { $0.contains("top") })
    let column = try #require((0..<60).first { canvas[$0, row]?.scalar == "t" })
    #expect((column + 1 - 30).signum() * (abs(column + 1 - 30) > 4 ? 1 : 0) == right)
    #expect((row - 15).signum() * (abs(row - 15) > 3 ? 1 : 0) == down)
  }

  /// The face has an arrow, the back a cross: one is drawn in the accent, the other plain.
  @Test(arguments: [(0.0, true), (180, false)])
  func faceAndBackAreToldApart(roll: Double, isFace: Bool) {
    var canvas = Canvas(width: 60, height: 30)
    TurningBoard(attitude: Quaternion(heading: 0, pitch: 0, roll: roll)).draw(on: &canvas, in: canvas.region)
    let middle = (25...35).flatMap { column in (12...18).compactMap { canvas[column, $0] } }
    #expect(middle.contains { $0.scalar != " " && $0.style == (isFace ? .accent : .plain) })
    #expect(!middle.contains { $0.scalar != " " && $0.style == (isFace ? .plain : .accent) })
  }

  /// A frame that begins where the board was shows it as it lay: no letters of the compass.
  @Test func onlyFramesAgainstNorthHaveLetters() {
    #expect(lines(80, 24).contains { $0.contains("N") && !$0.contains("Attitude") })
    let free = lines(80, 24) { $0.reading?.frame = .corrected }
    #expect(!free.dropFirst().contains { $0.contains("N") })
  }

  @Test func nothingImportantIsMissingOnASmallTerminal() {
    for size in [(60, 15), (40, 15)] {
      let small = lines(size.0, size.1) { $0.status.note("not calibrated") }.joined(separator: "\n")
      for text in ["-135.0°", "+20.0°", "±2.3°", "±0.5°", "magnetic", "yes", "! not calibrated", "? keys   q quit"] {
        #expect(small.contains(text), "\(text) at \(size)")
      }
    }
  }

  @Test func aDeviceThatIsAwayIsWaitedFor() {
    let away = lines(80, 24) { $0.status.isAway = true }
    #expect(away[22] == "  ! waiting for sim:tilt")
    #expect(!away.contains { $0.contains("135.0") || $0.contains("top") })
  }

  @Test func withoutAGyroscopeTheDevicesOwnHeadingIsShown() {
    let own = lines(80, 24) { state in
      state.reading?.attitude = nil
      state.reading?.device = OwnHeading(magnetic: Heading(degrees: 12.3))
    }
    #expect(own.contains { $0.contains("Device's own heading") && $0.contains("12.3°") })
  }
}
