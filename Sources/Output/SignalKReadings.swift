import Core
import Navigation

/// Signal K deltas, one a line: headings, attitude and variation in radians, as Signal K 1.7 wants them.
public struct SignalKReadings: ReadingFormat {
  /// `--format signalk`.
  public static let name = "signalk"

  private let unixStart: Double?

  /// Stamps each delta with UTC where the stream tells when it began.
  public init(_ stream: StreamFacts) { unixStart = stream.unixStart }

  /// One delta; nothing where no value is known.
  public mutating func append(_ reading: borrowing Reading, to text: inout TextBuffer) {
    let start = text.count
    text.append("{\"context\":\"vessels.self\",\"updates\":[{\"source\":{\"label\":\"lodestone\"},")
    if let unixStart {
      text.append("\"timestamp\":\"")
      text.append(utc: unixStart + reading.time)
      text.append("\",")
    }
    text.append("\"values\":[")
    let before = text.count
    let magnetic = reading.magneticHeading?.degrees
    append("navigation.headingMagnetic", degrees: magnetic, to: &text, first: before)
    append("navigation.headingTrue", degrees: reading.trueHeading?.degrees, to: &text, first: before)
    if let magnetic, let trueHeading = reading.trueHeading?.degrees {
      let variation = Angle.shortestTurn(from: magnetic, to: trueHeading)
      append("navigation.magneticVariation", degrees: variation, to: &text, first: before)
    }
    append("navigation.rateOfTurn", degrees: reading.rateOfTurn, to: &text, first: before)
    if let pitch = reading.pitch, let roll = reading.roll {
      if text.count > before { text.append(",") }
      text.append("{\"path\":\"navigation.attitude\",\"value\":{\"roll\":")
      text.append(Angle.radians(roll), decimals: 6)
      text.append(",\"pitch\":")
      text.append(Angle.radians(pitch), decimals: 6)
      text.append(",\"yaw\":null}}")
    }
    guard text.count > before else { return text.truncate(to: start) }
    text.append("]}]}\n")
  }

  private func append(_ path: StaticString, degrees: Double?, to text: inout TextBuffer, first: Int) {
    guard let degrees else { return }
    if text.count > first { text.append(",") }
    text.append("{\"path\":\"")
    text.append(path)
    text.append("\",\"value\":")
    text.append(Angle.radians(degrees), decimals: 6)
    text.append("}")
  }
}
