import Calibration
import Glibc
import LodestonePorts

extension Failure {
  /// This failure with the calibration kept, whose sweep was made by hand and cannot be read again: it is put into a
  /// temporary file, or else on standard output, and the hint says where.
  /// - Parameter profile: the file that it was meant for; nil for the profiles of its device.
  func keeping(_ made: Profile, for profile: String?) -> Failure {
    guard let json = try? made.json() else { return self }
    var failure = self
    if let path = Self.keep(json) {
      let target = profile.map { " --output \($0.asOperand.shellQuoted)" } ?? ""
      failure.hint =
        "the calibration is kept in \(path); to save it: lodestone profiles import --from json "
        + "\(path.shellQuoted)\(target)"
    } else if (try? writeToStandardOutput(json)) != nil {
      failure.hint = "the calibration was printed: put it into a file, which --profile names"
    }
    return failure
  }

  /// Writes a profile under a name of its own in the temporary folder. Returns its path; nil where that takes none.
  private static func keep(_ json: [UInt8]) -> String? {
    let folder = environmentVariable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    for number in 1...999 {
      let path = "\(folder)/lodestone-calibration-\(number).json"
      do throws(FileProblem) {
        try AtomicFile.write(json, to: path, existing: .keep)
        return path
      } catch .alreadyThere {
        continue
      } catch {
        return nil
      }
    }
    return nil
  }
}
