import Calibration
import Instruments
import LodestonePorts

extension Profile {
  /// Reads a profile from a file.
  public init(contentsOf path: String) throws(ProfileStoreProblem) { self = try ProfileStore.read(path).get() }

  /// Writes the profile to a file, whole or not at all.
  public func write(to path: String) throws(ProfileStoreProblem) {
    let bytes: [UInt8]
    do throws(ProfileProblem) { bytes = try json() } catch { throw .profile(path: path, error) }
    do throws(FileProblem) { try AtomicFile.write(bytes, to: path, updates: true) } catch { throw .file(error) }
  }

  /// Refuses what `write(to:)` would refuse, before there is a profile: a file in use, a folder that takes none.
  public static func checkWriting(to path: String) throws(ProfileStoreProblem) {
    do throws(FileProblem) { try AtomicFile.check(path, updates: true) } catch { throw .file(error) }
  }
}
