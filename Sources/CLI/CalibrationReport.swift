import Calibration
import Core

/// A finished calibration in words that a person understands.
struct CalibrationReport {
  let profile: Profile
  let path: String

  /// Several lines.
  var text: String {
    var lines = [verdict, "", "  hard iron    \(vector(profile.correction.hardIron)) µT"]
    lines.append("  field        \(number(profile.fieldStrength, 1)) µT\(dip)")
    if let residual = profile.quality.residual { lines.append("  residual     \(number(residual, 2)) µT") }
    if let noise = profile.noise { lines.append("  noise        \(number(noise, 2)) µT") }
    lines.append(
      "  sweep        \(profile.quality.samples) samples, \(profile.quality.rests) rests, "
        + "\(number(profile.quality.coverage, 0)) % of the sphere")
    for stretch in profile.quality.ignored {
      lines.append(
        "  left out     \(number(stretch.from, 1)) to \(number(stretch.to, 1)) s: \(stretch.reason.singleLine)")
    }
    for warning in profile.quality.warnings { lines.append("  note         \(warning)") }
    lines += ["", "Saved as \(path.singleLine)"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var verdict: String {
    let quality = profile.quality
    let errors = [
      quality.headingErrorLevel.map { "\(number($0, 2))° level" },
      quality.headingError.map { "\(number($0, 2))° tilted up to 30°" },
    ].compactMap { $0 }
    let kind =
      switch quality.kind {
      case .full: ""
      case .level: ", for use near level only"
      case .normOnly: ", from the strength of the field alone"
      }
    let error = errors.isEmpty ? "unknown" : "\(errors.listed) (root mean square)"
    return "Calibration \(quality.verdict.rawValue)\(kind): predicted heading error \(error)"
  }

  private var dip: String {
    profile.inclination.map { ", dipping \(number($0, 1))°" } ?? ""
  }

  private func vector(_ v: Vector3) -> String { "\(number(v.x, 2)), \(number(v.y, 2)), \(number(v.z, 2))" }
}
