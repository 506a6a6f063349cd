import Calibration
import LodestoneCore

/// A finished calibration in words that a person understands.
struct CalibrationReport {
  let profile: Profile
  /// The calibration before; nil for none.
  let before: Profile?
  let path: String
  /// The command to try next.
  let next: String

  /// Several lines.
  var text: String {
    (lines + ["", "Saved as \(path.harmless)", "Try next: \(next.harmless)"]).joined(separator: "\n") + "\n"
  }

  /// The verdict, and what it rests on.
  var lines: [String] {
    var lines = [verdict, "", "  before       \(earlier)", "  now          \(now)", ""]
    lines.append("  hard iron    \(vector(profile.correction.hardIron)) µT\(move)")
    lines.append("  field        \(number(profile.fieldStrength, 1)) µT\(assumption)\(inclination)")
    if let scale { lines.append("  scale        \(scale)") }
    if let residual = profile.quality.residual { lines.append("  residual     \(number(residual, 2)) µT (RMS)") }
    if let noise = profile.noise { lines.append("  noise        \(number(noise, 2)) µT") }
    lines.append(
      profile.quality.method == .held
        ? "  positions    \(profile.quality.rests) held, \(profile.quality.samples) samples"
        : "  sweep        \(profile.quality.samples) samples, \(rests), "
          + "\(number(profile.quality.coveragePercent, 0)) % of the sphere")
    lines += profile.causes.map { "  cause        \($0.words)" }
    for stretch in profile.quality.ignored {
      lines.append(
        "  left out     \(number(stretch.from, 1)) to \(number(stretch.to, 1)) s: \(stretch.reason.harmless)")
    }
    for warning in profile.quality.warnings { lines.append("  note         \(warning)") }
    return lines
  }

  private var rests: String { profile.quality.rests == 1 ? "1 rest" : "\(profile.quality.rests) rests" }

  private var verdict: String {
    let kind =
      switch profile.quality.kind {
      case .full: ""
      case .level: ", for use near level only"
      case .normOnly: ", from the strength of the field alone"
      }
    let method =
      switch profile.quality.method {
      case nil: ""
      case .held: ", from positions held"
      case .gyroscope: ", by the gyroscope"
      case .touchUp: ", touched up"
      case .facing: ", from one heading"
      }
    return
      "Calibration \(profile.quality.verdict.rawValue)\(method)\(kind): headings within \(profile.accuracyWords) (95 %)"
  }

  /// The error of headings before, by the new calibration.
  private var earlier: String {
    let reference = before ?? Profile(uncalibrated: profile)
    let what = before.map { "calibration of \(CalibrationAge.words(since: $0.created)) ago" } ?? "not calibrated"
    guard let heading = ProfileComparison(profile, reference).heading else { return what }
    return "headings up to \(number(heading.worst, heading.worst < 10 ? 1 : 0))° off (\(what))"
  }

  private var now: String {
    let errors = [
      profile.quality.headingErrorLevelDegrees.map { "\(number($0, 2))° level" },
      profile.quality.headingErrorDegrees.map {
        "\(number($0, 2))° tilted up to \(number(profile.quality.tiltLimitDegrees, 0))°"
      },
    ].compactMap { $0 }
    return errors.isEmpty ? "predicted heading error unknown" : "predicted heading error \(errors.listed) (RMS)"
  }

  /// The shift of the hard iron by a touch-up.
  private var move: String {
    guard profile.quality.method == .touchUp, let before else { return "" }
    return ", moved by \(number((profile.correction.hardIron - before.correction.hardIron).length, 1)) µT"
  }

  /// The size of a count, and how it is known; nil for a device that states its unit.
  private var scale: String? {
    guard let counts = profile.trueCountsPerMicrotesla else { return nil }
    let field = "\(number(profile.fieldStrength, 1)) µT"
    let worth = "\(brief(counts)) counts are 1 µT"
    return profile.strengthIsAssumed
      ? "\(worth), if the field is \(field) as assumed" : "\(worth), by the Earth's field of \(field) at the place"
  }

  /// Words for a strength that was not measured, of a field in counts; empty where it was.
  private var assumption: String {
    profile.strengthIsAssumed ? " assumed: the device sends counts, and --at LAT,LON tells their scale" : ""
  }

  private var inclination: String {
    profile.inclination.map { ", inclination \(number($0, 1))°" } ?? ""
  }

  private func vector(_ v: Vector3) -> String { "\(number(v.x, 2)), \(number(v.y, 2)), \(number(v.z, 2))" }
}

extension Profile {
  /// The accuracy of headings (95 %) as in "±0.5°".
  var accuracyWords: String { accuracyDegrees.map { "±\(number($0, 1))°" } ?? "an unknown error" }

  /// No correction, in the field another profile found.
  fileprivate init(uncalibrated other: Profile) {
    self = other
    correction = .none
  }
}

extension String {
  /// The text as a command takes it for a name: a file's name that begins with a hyphen would be an option. `-` stands for
  /// itself.
  var asOperand: String { hasPrefix("-") && self != "-" ? "./" + self : self }

  /// The text in quotes where a shell would take it apart.
  var shellQuoted: String {
    let plain = "/._-:=@,%+"
    guard isEmpty || contains(where: { !($0.isASCII && ($0.isLetter || $0.isNumber) || plain.contains($0)) }) else {
      return self
    }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
