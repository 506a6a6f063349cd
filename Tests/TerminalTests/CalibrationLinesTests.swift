import Core
import Testing

@testable import Terminal

@Suite struct CalibrationLinesTests {
  @Test func startSaysWhatToDo() {
    #expect(
      CalibrationLines.lines(from: nil, to: CalibrationState()) == [
        "Waiting for samples from the sensor.", "Is it connected, and does it send?",
      ])
  }

  @Test func problemIsSaidOnce() {
    let before = ScreenSamples.sweep
    var state = before
    state.problem = "axis x is stuck"
    state.remedy = "check the wiring"
    #expect(CalibrationLines.lines(from: before, to: state) == ["axis x is stuck", "check the wiring"])
    var later = state
    later.samples += 100
    #expect(CalibrationLines.lines(from: state, to: later) == [])
  }

  @Test func everyTenthIsSaidOnce() {
    var said: [String] = []
    var previous = ScreenSamples.sweep
    previous.coverage = 0
    previous.accuracy = nil
    for hundredth in 0...100 {
      var state = previous
      state.coverage = Double(hundredth) / 100
      said += CalibrationLines.lines(from: previous, to: state)
      previous = state
    }
    #expect(said == (1...10).map { "Directions covered: \($0 * 10) %." })
  }

  @Test func restsAndPosesAreSaid() {
    var sweep = ScreenSamples.rests
    sweep.phase = .sweep
    sweep.rests = 0
    var state = ScreenSamples.rests
    state.rests = 0
    state.nextPoseUp = Vector3(0, 0, -1)
    let first = CalibrationLines.lines(from: sweep, to: state)
    #expect(
      first == [
        "Now hold it still: face down.", "A second or two in each position; it need not be exact.",
      ])
    var wobble = state
    wobble.nextPoseUp = Vector3(0, 0.1, -1)
    #expect(CalibrationLines.lines(from: state, to: wobble) == [])
    var rested = state
    rested.rests = 1
    rested.nextPoseUp = Vector3(1, 0, 0)
    #expect(
      CalibrationLines.lines(from: state, to: rested) == [
        "Rest 1 of 8 taken; heading accuracy so far ±1.8°.", "Next: hold still, right edge up.",
      ])
  }

  @Test func warningsBeginAndEndOnce() {
    var calm = ScreenSamples.sweep
    calm.warnings = []
    var disturbed = calm
    disturbed.warnings = [.magneticDisturbance(microtesla: 15.2)]
    var stronger = calm
    stronger.warnings = [.magneticDisturbance(microtesla: 30)]
    #expect(
      CalibrationLines.lines(from: calm, to: disturbed) == [
        "Warning: Magnetic disturbance (+15 µT): keep away from iron and magnets."
      ])
    #expect(CalibrationLines.lines(from: disturbed, to: stronger) == [])
    #expect(
      CalibrationLines.lines(from: stronger, to: calm) == ["The magnetic disturbance is over."])
  }
}
