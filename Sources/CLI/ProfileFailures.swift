import Calibration
import Instruments
import Ports

extension Failure {
  /// Words a profile that cannot be used.
  init(_ problem: ProfileStoreProblem) { self.init(.badData, "\(problem)") }
  /// Words a file that cannot be read or written.
  init(_ problem: FileProblem) { self.init(.inputOutput, "\(problem)") }
}
