import Glibc
import LodestoneCore

/// How far lines are from the truth, in degrees, and what they state.
struct Score {
  private(set) var headings: [Double] = []
  private var (headingSquares, inclinationSquares, totalSquares) = (0.0, 0.0, 0.0)
  private var figures: [Double] = []
  private var within = 0.0
  private var count = 0.0

  /// Root mean squares.
  var heading: Double { (headingSquares / max(count, 1)).squareRoot() }
  var inclination: Double { (inclinationSquares / max(count, 1)).squareRoot() }
  var total: Double { (totalSquares / max(count, 1)).squareRoot() }
  var median: Double { quantile(headings, 0.5) }
  /// The error that 95 % of the lines are within.
  var large: Double { quantile(headings, 0.95) }
  /// The median of what is stated.
  var stated: Double { quantile(figures, 0.5) }
  /// The share of lines with a figure that are within it, and the share that has one.
  var holds: Double { figures.isEmpty ? .nan : within / Double(figures.count) }
  var withFigure: Double { Double(figures.count) / max(count, 1) }

  /// Takes a heading off by so many degrees, with what was stated of it, where anything was.
  mutating func add(off: Double, inclination: Double = 0, total: Double = 0, figure: Double? = nil) {
    headings.append(abs(off))
    headingSquares += off * off
    inclinationSquares += inclination * inclination
    totalSquares += total * total
    count += 1
    guard let figure else { return }
    figures.append(figure)
    if abs(off) <= figure { within += 1 }
  }

  /// Takes an attitude: how far it is off in all, about the vertical, and from the vertical.
  mutating func add(_ attitude: Quaternion, truth: Quaternion, figure: Double? = nil) {
    let off = attitude * truth.conjugate
    let (total, heading, inclination) = (
      2 * acos(min(1, abs(off.w))), 2 * atan2(abs(off.v.z), abs(off.w)), 2 * acos(min(1, hypot(off.w, off.v.z)))
    )
    add(
      off: Angle.degrees(heading), inclination: Angle.degrees(inclination), total: Angle.degrees(total), figure: figure)
  }

  mutating func add(_ other: Score) {
    headings += other.headings
    figures += other.figures
    headingSquares += other.headingSquares
    inclinationSquares += other.inclinationSquares
    totalSquares += other.totalSquares
    within += other.within
    count += other.count
  }

  private func quantile(_ values: [Double], _ share: Double) -> Double {
    values.isEmpty ? .nan : values.sorted()[min(values.count - 1, Int(share * Double(values.count)))]
  }
}

/// A number with so many decimals, in so many places.
func fixed(_ value: Double, _ decimals: Int, _ width: Int = 0) -> String {
  var buffer = TextBuffer()
  buffer.append(value, decimals: decimals, absent: "-")
  let text = value.isFinite ? buffer.text : "-"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
