import LodestoneCore
import LodestonePorts

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
    text.append("time_s,magnetic_heading_deg,true_heading_deg,pitch_deg,roll_deg,bx_uT,by_uT,bz_uT,disturbed")
    text.append(",rate_x_dps,rate_y_dps,rate_z_dps,user_x_g,user_y_g,user_z_g,gesture\n")
  }

  func append(_ truth: VirtualBreakout.Truth) throws(StreamError) {
    text.append(truth.time, decimals: 6)
    text.append(",")
    text.append(headingDegrees: truth.heading.degrees, decimals: 4)
    text.append(",")
    text.append(headingDegrees: truth.trueHeading.degrees, decimals: 4)
    append(truth.pitch)
    append(truth.roll)
    append(truth.field.microtesla)
    text.append(truth.isDisturbed ? ",1" : ",0")
    append(truth.rotationRate.degreesPerSecond)
    append(truth.userAcceleration)
    text.append(",")
    text.append(text: truth.gesture?.rawValue ?? "")
    text.append("\n")
    do throws(OutputError) {
      try text.withUnsafeBytes { bytes throws(OutputError) in try output.append(bytes) }
      try output.flush()
    } catch {
      throw .port(PortError(writing: path, error))
    }
    text.removeAll()
  }

  private func append(_ value: Double) {
    text.append(",")
    text.append(value, decimals: 4)
  }

  private func append(_ vector: Vector3) {
    append(vector.x)
    append(vector.y)
    append(vector.z)
  }
}
