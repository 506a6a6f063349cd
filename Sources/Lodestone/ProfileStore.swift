import LodestoneCore
import Calibration
import Glibc
import LodestonePorts

/// The saved profiles of all devices: a folder a device, in it `0001.json`, `0002.json` and so on. The highest number
/// is the current one; saving adds and never overwrites. Numbers, not times, because small boards often boot with a
/// wrong clock.
public struct ProfileStore: Sendable {
  /// The store's folder.
  public let folder: String

  /// The store in a folder, which need not be there yet.
  public init(folder: String) { self.folder = folder }

  /// `$XDG_DATA_HOME/lodestone/profiles`, or else `~/.local/share/lodestone/profiles`; nil when neither variable names
  /// an absolute path (XDG Base Directory Specification 0.8).
  public static func standard(environment: (String) -> String?) -> ProfileStore? {
    UserFolder.data.path(environment).map { ProfileStore(folder: $0 + "/profiles") }
  }

  /// One file of the store.
  public struct Entry: Sendable {
    /// The file's path.
    public let path: String
    /// The device's folder, a safe form of its identity.
    public let deviceFolder: String
    /// The identity that the folder stands for, whether or not its profile can be read.
    public var device: String { ProfileStore.device(of: deviceFolder) }
    /// Counts up from 1 with each saved profile of the device.
    public let number: Int
    /// Whether it is the one that is used.
    public let isCurrent: Bool
    /// The profile in it, or why it cannot be read.
    public let profile: Result<Profile, ProfileStoreProblem>
  }

  /// Saves a profile as the current one of its device and keeps the earlier ones. Returns the file's path.
  @discardableResult
  public func save(_ profile: Profile) throws(ProfileStoreProblem) -> String {
    let folder = folder(of: profile.device)
    let bytes: [UInt8]
    do { bytes = try profile.json() } catch { throw .profile(path: folder, error) }
    return try Self.onFiles { () throws(FileProblem) in
      try Folder.make(folder)
      var number = try Self.numbers(in: folder).last ?? 0
      while true {
        number += 1
        do throws(FileProblem) {
          let path = Self.path(folder, number)
          try AtomicFile.write(bytes, to: path, existing: .keep)
          return path
        } catch .alreadyThere {
          continue
        }
      }
    }
  }

  /// Refuses what `save` would refuse for a device, before there is a profile. Makes no folder.
  public func checkSaving(of device: String) throws(ProfileStoreProblem) {
    let folder = folder(of: device)
    try Self.onFiles { () throws(FileProblem) in
      var path = Self.path(folder, (try Self.numbers(in: folder).last ?? 0) + 1)
      // A folder that is not there yet is made in the nearest one that is.
      while let slash = path.lastIndex(of: "/"), slash > path.startIndex, NodeKind.at(String(path[..<slash])) == nil {
        path = String(path[..<slash])
      }
      try AtomicFile.check(path)
    }
  }

  /// The current profile of a device; nil when it has none. A current one that cannot be read is an error, not an
  /// invitation to use an older one.
  public func current(of device: String) throws(ProfileStoreProblem) -> Profile? {
    try currentPath(of: device).map { (path) throws(ProfileStoreProblem) in try Self.read(path).get() }
  }

  /// The file of the current profile of a device; nil when it has none.
  public func currentPath(of device: String) throws(ProfileStoreProblem) -> String? {
    let folder = folder(of: device)
    let newest = try Self.onFiles { () throws(FileProblem) in try Self.numbers(in: folder).last }
    return newest.map { Self.path(folder, $0) }
  }

  /// Everything in the store, device by device, the oldest first.
  public func entries() throws(ProfileStoreProblem) -> [Entry] {
    let devices = try Self.onFiles { () throws(FileProblem) in try Folder.names(in: folder) }
    return devices.flatMap { name in
      let numbers = (try? Self.numbers(in: folder + "/" + name)) ?? []
      return numbers.map { number in
        let path = Self.path(folder + "/" + name, number)
        return Entry(
          path: path, deviceFolder: name, number: number, isCurrent: number == numbers.last, profile: Self.read(path))
      }
    }
  }

  /// Removes one file and the deviation beside it; when it was the current one, the one before it is current again.
  public func remove(_ entry: Entry) throws(ProfileStoreProblem) {
    try Self.onFiles { () throws(FileProblem) in try Folder.removeFile(entry.path) }
    try? Folder.removeFile(SavedDeviation.path(beside: entry.path))
  }

  /// A profile from any file.
  public static func read(_ path: String) -> Result<Profile, ProfileStoreProblem> {
    do {
      let bytes = try AtomicFile.read(path, limit: Profile.sizeLimit, as: .kept)
      do { return .success(try Profile(json: bytes)) } catch { return .failure(.profile(path: path, error)) }
    } catch {
      return .failure(.file(error))
    }
  }
}

/// Why the store, or one file of it, cannot be used.
public enum ProfileStoreProblem: Error, Equatable, Sendable {
  /// The file or its folder.
  case file(FileProblem)
  /// The profile in a file.
  case profile(path: String, ProfileProblem)
  /// A file that holds something other than a profile, and would be lost.
  case otherFile(path: String)
}

extension ProfileStore {
  private static func onFiles<Value>(
    _ work: () throws(FileProblem) -> Value
  ) throws(ProfileStoreProblem) -> Value {
    do { return try work() } catch { throw .file(error) }
  }
}

// MARK: Names

extension ProfileStore {
  /// The folder with the profiles of a device.
  public func folder(of device: String) -> String { folder + "/" + Self.folderName(of: device) }

  /// A device's identity as the name of a folder: letters, digits, `-`, `_` and dots inside stay, every other byte is
  /// `%` and two hex digits, so no two identities share a name and none leaves the store. A name of more than 200
  /// bytes is cut and told apart by a hash.
  static func folderName(of device: String) -> String {
    var name = ""
    for byte in device.utf8 {
      let isPlain = isalnum(Int32(byte)) != 0 && byte < 128 || "-_".utf8.contains(byte)
      if isPlain || byte == UInt8(ascii: ".") && !name.isEmpty {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + byte.hexadecimal.uppercased()
      }
    }
    if name.isEmpty { return "%" }
    return name.utf8.count <= 200 ? name : String(name.prefix(180)) + "~" + String(device.utf8.fingerprint, radix: 16)
  }

  /// The identity that a folder's name stands for; of one that was cut, the name.
  static func device(of folderName: String) -> String {
    if folderName == "%" { return "" }
    var bytes: [UInt8] = []
    var rest = folderName.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    let device = String(decoding: bytes, as: UTF8.self)
    return Self.folderName(of: device) == folderName ? device : folderName
  }

  private static func path(_ folder: String, _ number: Int) -> String {
    folder + "/" + number.padded(to: 4) + ".json"
  }

  /// The numbers in a device's folder, ascending. Other files are not ours and are left alone.
  private static func numbers(in folder: String) throws(FileProblem) -> [Int] {
    try Folder.names(in: folder).compactMap { name in
      guard name.hasSuffix(".json"), let number = Int(name.dropLast(5)), (1...999_999).contains(number),
        path(folder, number).hasSuffix("/" + name), NodeKind.at(folder + "/" + name) == .regularFile
      else { return nil }
      return number
    }.sorted()
  }
}
