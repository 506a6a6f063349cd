import Core

/// What came out of a calibration, to be told to the person who made it.
public struct CalibrationSummary: Equatable, Sendable {
  /// What the calibration is worth.
  public enum Verdict: String, Sendable {
    case good
    case fair
    case poor
    case refused
  }

  /// What is known about the angle between magnetometer and accelerometer.
  public enum Misalignment: Equatable, Sendable {
    /// Solved from so many rests: so many degrees.
    case solved(degrees: Double, rests: Int)
    /// Not observable; may add this many degrees of heading error.
    case unknown(headingErrorUpTo: Double)
  }

  /// A stretch that was left out because the field itself changed.
  public struct Disturbance: Equatable, Sendable {
    /// When it began, seconds from the start.
    public var start: Double
    /// How long it lasted, in seconds.
    public var duration: Double
    /// By how much the field changed, in µT.
    public var microtesla: Double

    /// A stretch.
    public init(start: Double, duration: Double, microtesla: Double) {
      self.start = start
      self.duration = duration
      self.microtesla = microtesla
    }
  }

  /// The device's address or name; from outside.
  public var device: String
  /// What it is worth.
  public var verdict: Verdict
  /// Predicted heading error level, in degrees.
  public var accuracyLevel: Double?
  /// Predicted heading error at 30° of tilt, in degrees.
  public var accuracyTilted: Double?
  /// The fit.
  public var fit: CalibrationState.Fit?
  /// The angle between the chips.
  public var misalignment: Misalignment?
  /// How the magnetometer's axes were found to lie, as `+y,+x,-z`; nil when they are the accelerometer's.
  public var axes: String?
  /// For a level calibration: the tilt in degrees within which it holds.
  public var levelWithin: Double?
  /// Samples used.
  public var samples = 0
  /// How long the sweep took, in seconds.
  public var duration = 0.0
  /// What was left out.
  public var disturbances: [Disturbance] = []
  /// Why it was refused or is not good, each in a sentence.
  public var reasons: [String] = []
  /// What to do about it, each in a sentence.
  public var advice: [String] = []
  /// Where it was saved; nil when it was not.
  public var savedAs: String?

  /// A summary with nothing but the verdict.
  public init(device: String, verdict: Verdict) {
    self.device = device
    self.verdict = verdict
  }

  /// The lines a person reads.
  public var lines: [String] {
    ([headline] + facts + disturbanceLines + reasons.map { "  Because: " + terminalSafe($0) }
      + advice.map { "  To do: " + terminalSafe($0) } + [saving])
  }

  private var headline: String {
    let name = terminalSafe(device)
    guard verdict != .refused else { return "\(name): this sweep does not support a calibration." }
    let kind = levelWithin == nil ? "calibration" : "level calibration"
    guard let accuracyLevel else { return "\(name): \(verdict.rawValue) \(kind)." }
    return "\(name): \(verdict.rawValue) \(kind), headings within ±\(Figures.fixed(accuracyLevel, decimals: 1))°."
  }

  private var facts: [String] {
    var rows: [(String, String)] = []
    if let levelWithin { rows.append(("Holds for", "tilts up to \(Figures.fixed(levelWithin, decimals: 0))°")) }
    if let accuracyTilted { rows.append(("Tilted by 30°", "±\(Figures.fixed(accuracyTilted, decimals: 1))°")) }
    if let fit {
      let iron = fit.hardIron.microtesla
      let parts = [iron.x, iron.y, iron.z].map { Figures.fixed($0, decimals: 2, plus: true) }
      rows.append(("Hard iron", "x \(parts[0])  y \(parts[1])  z \(parts[2]) µT"))
      let dip = fit.dip.map { ", dip \(Figures.fixed($0, decimals: 1))°" } ?? ""
      rows.append(("Field", "\(Figures.fixed(fit.strength, decimals: 2)) µT\(dip)"))
      rows.append(("Residual", "\(Figures.fixed(fit.residual, decimals: 2)) µT"))
    }
    switch misalignment {
    case .solved(let degrees, let rests):
      rows.append(("Misalignment", "\(Figures.fixed(degrees, decimals: 2))°, solved from \(rests) rests"))
    case .unknown(let error):
      rows.append(("Misalignment", "not known; it may add up to \(Figures.fixed(error, decimals: 1))° to a heading"))
    case nil: break
    }
    if let axes { rows.append(("Axes found", terminalSafe(axes))) }
    rows.append(("Sweep", "\(samples) samples in \(Figures.duration(duration))"))
    return rows.map { label, value in "  " + label + String(repeating: " ", count: max(1, 15 - label.count)) + value }
  }

  private var disturbanceLines: [String] {
    disturbances.map {
      "  The field changed for \(Figures.fixed($0.duration, decimals: 1)) s at \(Figures.duration($0.start)) by "
        + "\(Figures.fixed($0.microtesla, decimals: 0, plus: true)) µT; ignored."
    }
  }

  private var saving: String {
    if let savedAs { return "Saved as \(terminalSafe(savedAs))." }
    return "Nothing was saved; earlier calibrations are untouched."
  }
}
