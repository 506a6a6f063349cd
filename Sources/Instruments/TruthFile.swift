import Core
import Ports

/// The truth about a simulation, as CSV beside its data.
final class TruthFile {
  private let output: OutputPipe
  private let path: String
  private var text = TextBuffer()

  init(path: String) throws(StreamError) {
    self.path = path
    do {
      output = try .file(at: path, policy: .keepAll)
    } catch {
      throw .port(error)
    }
    text.append("time_s,magnetic_heading_deg,true_heading_deg,pitch_deg,roll_deg,bx_uT,by_uT,bz_uT,disturbed\n")
  }

  func append(_ truth: VirtualBreakout.Truth) throws(StreamError) {
    text.append(truth.time, decimals: 6)
    text.append(",")
    text.append(headingDegrees: truth.heading.degrees, decimals: 4)
    text.append(",")
    text.append(headingDegrees: truth.trueHeading.degrees, decimals: 4)
    for value in [
      truth.pitch, truth.roll, truth.field.microtesla.x, truth.field.microtesla.y, truth.field.microtesla.z,
    ] {
      text.append(",")
      text.append(value, decimals: 4)
    }
    text.append(truth.isDisturbed ? ",1\n" : ",0\n")
    do throws(OutputError) {
      try text.withUnsafeBytes { bytes throws(OutputError) in try output.append(bytes) }
      try output.flush()
    } catch {
      throw .port(PortError(writing: path, error))
    }
    text.removeAll()
  }
}
