import Glibc
import LodestoneCore
import Support
import Testing

@testable import Calibration
@testable import LodestoneTerminal

@Suite struct CalibrationLinesTests {
  private static let turn = "Turn the board slowly, in figure-eights, through all directions."

  /// The lines for views that come one after the other.
  private func said(_ views: CalibrationView...) -> [[String]] {
    var lines = CalibrationLines()
    return views.map { lines.lines(for: $0) }
  }

  @Test func startSaysWhatToDo() {
    #expect(
      said(CalibrationView(CalibrationProgress())) == [
        ["Waiting for samples from the sensor.", "Check that it is connected and sending."]
      ])
  }

  @Test func problemIsSaidOnce() {
    var state = ScreenSamples.sweep
    state.problem = "axis x is stuck"
    state.remedy = "check the wiring"
    var later = state
    later.progress.samples += 100
    #expect(said(ScreenSamples.sweep, state, later).dropFirst() == [["axis x is stuck", "check the wiring"], []])
  }

  /// The share of directions wavers while it is met; nothing of it is said twice, and the last word is that it is
  /// enough.
  @Test func everyTenthIsSaidOnce() {
    var lines = CalibrationLines()
    var view = ScreenSamples.sweep
    view.progress.warnings = []
    view.progress.directions = 0
    var said = lines.lines(for: view)
    for hundredth in 0...100 {
      view.progress.directions = Double(hundredth) / 100
      said += lines.lines(for: view)
    }
    #expect(said.first == Self.turn)
    #expect(Array(said.dropFirst(2)) == (1...9).map { "Directions: \($0 * 10) %." } + ["Directions: enough."])
  }

  @Test func restsAndPosesAreSaid() {
    var sweep = ScreenSamples.rests
    sweep.progress.phase = .sweep
    sweep.progress.rests = 0
    sweep.progress.nextPose = nil
    var state = ScreenSamples.rests
    state.progress.rests = 0
    state.progress.nextPose = RestPose(up: Vector3(0, 0, -1), turnDegrees: 0)
    var still = state
    still.progress.restProgress = 0.5
    var rested = state
    rested.progress.rests = 1
    rested.progress.nextPose = RestPose(up: Vector3(1, 0, 0), turnDegrees: 90)
    #expect(
      said(sweep, state, still, rested).dropFirst() == [
        ["Hold it still: face down.", "A second or two in each position; it need not be exact."], [],
        [
          "Rest 1 of 8 counted; heading accuracy so far ±1.8° (95 %).",
          "With the board, turn yourself a quarter turn to the right. Then hold it still: right edge up.",
        ],
      ])
  }

  @Test func rolledShotsAreSaid() {
    var held = ScreenSamples.rests
    (held.progress.method, held.progress.rests, held.progress.restsNeeded) = (.held, 11, 12)
    var first = ScreenSamples.rolls
    (first.progress.rests, first.progress.shots) = (12, [])
    first.progress.nextShot = AimedShot(mark: 0, number: 0, hour: 12)
    var second = first
    (second.progress.rests, second.progress.shots) = (13, [1])
    second.progress.nextShot = AimedShot(mark: 0, number: 1, hour: 3)
    var missed = second
    (missed.progress.rests, missed.progress.reminder) = (14, .otherMark)
    var done = missed
    (done.progress.phase, done.progress.nextShot, done.progress.reminder) = (.done, nil, nil)
    (done.progress.rests, done.progress.shots) = (20, [4, 4])
    done.progress.laser = LaserAxis(along: Vector3(0, 1, 0), deviation: 0.1)
    #expect(
      said(held, first, second, missed, done).dropFirst() == [
        [
          "Rest 12 of 12 counted; heading accuracy so far ±1.8° (95 %).",
          "Aim at a mark, upright (12 o'clock), and hold it still.", AimedShot.explanation,
        ],
        ["Mark 1: 1 of 4.", "Same mark: roll it to 3 o'clock and hold it still."],
        ["Mark 1: 1 of 4.", "That was off the mark: its four shots begin again with this one."],
        [
          "Mark 2: 4 of 4; laser 0.0 ± 0.2° from the top (95 %).", "Done. The calibration is complete.",
          "You can put the board down.",
        ],
      ])
  }

  @Test func remindersAreSaidOnceAndInPlainWords() {
    var still = ScreenSamples.sweep
    still.progress.reminder = .lyingStill
    #expect(
      said(ScreenSamples.sweep, still, still, ScreenSamples.sweep).dropFirst() == [
        ["The board is not moving. Pick it up and turn it."], [], [],
      ])
  }

  /// A touch-up needs no rests, and what it comes nearer to is its accuracy.
  @Test func aTouchUpTellsItsAccuracy() {
    var touchUp = ScreenSamples.sweep
    touchUp.progress.method = .touchUp
    var further = touchUp
    further.progress.directions = 0.9
    #expect(said(touchUp, further).dropFirst() == [["Accuracy: 90 %."]])
    let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(further, into: &$0) }
    #expect(lines.contains { $0.hasPrefix("  Accuracy    ") } && !lines.contains { $0.contains("Rests") })
  }

  /// A boat is not picked up.
  @Test func aLevelTurnThatStopsIsTurnedOn() {
    var still = ScreenSamples.circles
    still.progress.reminder = .lyingStill
    #expect(said(ScreenSamples.circles, still).dropFirst() == [["It is not turning. Turn it on, kept level."]])
    #expect(still.explanation == "It is not turning. Turn it on, kept level.")
  }

  /// A calibration that is refused is not said to be done.
  @Test func aRefusedEndIsSaidToBe() {
    var refused = ScreenSamples.sweep
    (refused.progress.phase, refused.progress.refusal) = (.done, .planar(headingErrorDegrees: 20))
    #expect(
      said(ScreenSamples.sweep, refused).dropFirst() == [
        ["Finished, but the calibration is refused.", "The reason follows."]
      ])
  }

  /// Rests that the fit does without are told of once.
  @Test func restsLeftOutAreSaidOnce() {
    var held = ScreenSamples.sweep
    (held.progress.phase, held.progress.nextPose) = (.rests, RestPose.inOrder.first)
    var fewer = held
    fewer.progress.restsLeftOut = 2
    #expect(
      said(held, fewer, fewer).dropFirst() == [
        ["2 of the rests do not count: the field differs there. Hold still away from iron."], [],
      ])
  }

  /// A sweep whose field was disturbed is told of once, before further rests are held in vain.
  @Test func aDisturbedSweepIsSaidOnce() {
    var held = ScreenSamples.sweep
    (held.progress.phase, held.progress.nextPose, held.progress.rests) = (.rests, RestPose.inOrder.first, 3)
    var spoiled = held
    spoiled.progress.refusal = .disturbed(residualMicrotesla: 5, percentOfField: 10, ignoredPercent: 0)
    #expect(
      said(held, spoiled, spoiled).dropFirst() == [
        ["The field was disturbed during the sweep: start again, away from iron and magnets."], [],
      ])
    spoiled.progress.reminder = .alreadyHeld
    #expect(spoiled.explanation == "The field was disturbed during the sweep: start again, away from iron and magnets.")
  }

  @Test func warningsBeginAndEndOnce() {
    var calm = ScreenSamples.sweep
    calm.progress.warnings = []
    var disturbed = calm
    disturbed.progress.warnings = [.disturbed]
    #expect(
      said(calm, disturbed, disturbed, calm).dropFirst() == [
        ["Warning: Magnetic disturbance: keep away from iron and magnets."], [], ["The magnetic disturbance is over."],
      ])
  }

  /// Somebody who hears the lines and does what they say, in their own words, ends good; no line is said twice in a
  /// row, and done comes last, once.
  @Test(arguments: 1...2)
  func whoeverDoesWhatTheLinesSayEndsGood(seed: UInt64) throws {
    var hand = ObedientHand(seed: seed, tremor: 0.01, start: (70, 0, 180))
    var guide = GuidedCalibration()
    var lines = CalibrationLines()
    var said: [String] = []
    while guide.progress.phase != .done {
      let sample = hand.next()
      try #require(sample.time < 120, "\(said.suffix(5))")
      guard guide.add(sample) else { continue }
      var view = CalibrationView(guide.progress)
      view.device = "sim"
      for line in lines.lines(for: view) {
        #expect(line != said.last)
        said.append(line)
        if let request = SpokenPose(line)?.request { hand.follow(request) }
      }
    }
    #expect(guide.finished().refusal == nil)
    #expect(guide.finished().result?.quality.verdict == .good)
    #expect(said.filter { $0.hasPrefix("Done.") }.count == 1)
    let done = try #require(said.firstIndex { $0.hasPrefix("Done.") })
    let lastRest = try #require(said.lastIndex { $0.hasPrefix("Rest ") })
    #expect(lastRest < done && done == said.count - 2)
  }
}

/// A line of the guide, understood as a person would.
private struct SpokenPose {
  let request: HandRequest

  init?(_ line: String) {
    if line.hasPrefix("Turn the board slowly") {
      request = .sweep
      return
    }
    guard let posture = line.split(separator: "hold it still: ", maxSplits: 1).dropFirst().first ?? Self.bare(line)
    else { return nil }
    let turn = line.contains("a quarter turn to the right") ? 90.0 : line.contains("to the left") ? -90 : 0
    let parts = posture.split(separator: ",").map { $0.trimmingPrefix(" ") }
    guard let main = parts.first.flatMap({ Self.sides[String($0.prefix { $0 != "." })] }) else { return nil }
    var up = main
    if parts.count > 1 {
      let angle = Double(parts[1].filter(\.isNumber)) ?? 0
      let raised = ["top", "bottom", "left", "right"].filter { parts[1].contains($0) }
        .compactMap { Self.sides["\($0) edge up"] }
      guard let aside = raised.reduce(Vector3.zero, +).direction else { return nil }
      up = main * cos(Angle.radians(angle)) + aside * sin(Angle.radians(angle))
    }
    request = .hold(RestPose(up: up, turnDegrees: turn))
  }

  private static func bare(_ line: String) -> Substring? {
    line.hasPrefix("Hold it still: ") ? line.dropFirst("Hold it still: ".count) : nil
  }

  private static let sides = [
    "face up": Vector3(0, 0, 1), "face down": Vector3(0, 0, -1), "top edge up": Vector3(0, 1, 0),
    "bottom edge up": Vector3(0, -1, 0), "left edge up": Vector3(-1, 0, 0), "right edge up": Vector3(1, 0, 0),
  ]
}
