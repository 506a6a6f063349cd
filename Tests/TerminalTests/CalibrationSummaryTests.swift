import Core
import Testing

@testable import Terminal

@Suite struct CalibrationSummaryTests {
  @Test func goodCalibration() {
    var summary = CalibrationSummary(device: "usb:MCP2221\u{1B}[2J", verdict: .good)
    summary.accuracyLevel = 0.42
    summary.accuracyTilted = 0.61
    summary.fit = .init(
      hardIron: MagneticField(microtesla: 12.3, -4.5, 133.1), strength: 48.234, residual: 0.314, dip: 65.1)
    summary.misalignment = .solved(degrees: 1.94, rests: 9)
    summary.axes = "+y,+x,-z"
    summary.samples = 4213
    summary.duration = 74
    summary.disturbances = [.init(start: 23, duration: 4, microtesla: 15)]
    summary.savedAs = "/home/me/.local/share/lodestone/board.json"
    #expect(
      summary.lines == [
        #"usb:MCP2221\e[2J: good calibration, headings within ±0.4°."#,
        "  Tilted by 30°  ±0.6°",
        "  Hard iron      x +12.30  y -4.50  z +133.10 µT",
        "  Field          48.23 µT, dip 65.1°",
        "  Residual       0.31 µT",
        "  Misalignment   1.94°, solved from 9 rests",
        "  Axes found     +y,+x,-z",
        "  Sweep          4213 samples in 1:14",
        "  The field changed for 4.0 s at 0:23 by +15 µT; ignored.",
        "Saved as /home/me/.local/share/lodestone/board.json.",
      ])
  }

  @Test func refusalSaysWhyAndWhatToDo() {
    var summary = CalibrationSummary(device: "sweep.csv", verdict: .refused)
    summary.samples = 900
    summary.duration = 9
    summary.reasons = ["the board was turned about one axis only"]
    summary.advice = ["turn it about the other axes too"]
    #expect(
      summary.lines == [
        "sweep.csv: this sweep does not support a calibration.",
        "  Sweep          900 samples in 0:09",
        "  Because: the board was turned about one axis only",
        "  To do: turn it about the other axes too",
        "Nothing was saved; earlier calibrations are untouched.",
      ])
  }

  @Test func levelCalibrationIsCalledOne() {
    var summary = CalibrationSummary(device: "boat", verdict: .fair)
    summary.accuracyLevel = 1.6
    summary.levelWithin = 5
    summary.misalignment = .unknown(headingErrorUpTo: 3.7)
    #expect(summary.lines[0] == "boat: fair level calibration, headings within ±1.6°.")
    #expect(summary.lines[1] == "  Holds for      tilts up to 5°")
    #expect(summary.lines[2] == "  Misalignment   not known; it may add up to 3.7° to a heading")
  }
}
