import Calibration
import LodestonePorts

extension Profile {
  /// Reads a profile from a file.
  public init(contentsOf path: String) throws(ProfileStoreProblem) { self = try ProfileStore.read(path).get() }

  /// Writes the profile to a file, whole or not at all. Replaces a profile, be it damaged or of another version, and an
  /// empty file; refuses one that holds something else.
  public func write(to path: String) throws(ProfileStoreProblem) {
    let bytes: [UInt8]
    do throws(ProfileProblem) { bytes = try json() } catch { throw .profile(path: path, error) }
    try Self.checkReplacing(path)
    do throws(FileProblem) { try AtomicFile.write(bytes, to: path, updates: true) } catch { throw .file(error) }
  }

  /// Refuses what `write(to:)` would refuse, before there is a profile: a file in use or of something else, a folder
  /// that takes none.
  public static func checkWriting(to path: String) throws(ProfileStoreProblem) {
    do throws(FileProblem) { try AtomicFile.check(path, updates: true) } catch { throw .file(error) }
    try checkReplacing(path)
  }

  /// Refuses a file that holds no profile.
  private static func checkReplacing(_ path: String) throws(ProfileStoreProblem) {
    guard NodeKind.at(path) == .regularFile else { return }
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try AtomicFile.read(path, limit: sizeLimit, as: .kept)
    } catch .tooLarge {
      throw .otherFile(path: path)
    } catch {
      throw .file(error)
    }
    guard bytes.isEmpty || isMeant(by: bytes) else { throw .otherFile(path: path) }
  }
}
