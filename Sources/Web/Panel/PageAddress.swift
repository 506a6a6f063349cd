import Glibc
import Instruments
import LodestonePorts

/// The addresses that may be opened from the page: whoever reaches it shall reach the devices of this machine, and not
/// its files, its network or another program's terminal.
public struct PageAddresses: Sendable {
  /// The folder that recordings may be opened from; nil for none.
  public var recordings: String?
  /// The address that the server was started with; nil for the only device attached.
  public var first: String?

  /// Devices, and recordings below a folder.
  public init(recordings: String? = nil, first: String? = nil) {
    self.recordings = recordings
    self.first = first
  }

  /// Schemes of devices that hang on this machine, and the simulation.
  private static let schemes: Set<String> = ["usb", "i2c", "iio", "sim"]

  /// The address to open for one that the page gave: a recording's path for its name. Throws unless it may be opened.
  func checked(_ text: String) throws(Refusal) -> String {
    if text == first { return text }
    let address = DeviceAddress(text)
    switch address.scheme {
    case let scheme? where Self.schemes.contains(scheme): return text
    case nil, "serial":
      let listed = DeviceListing.all().filter { $0.kind == .serial }
      if listed.contains(where: { $0.address == address.body || $0.links.contains(address.body) }) { return text }
      guard address.scheme == nil, !address.body.hasPrefix("/dev/") else { throw Refusal(reason: "no such device") }
      return try recording(text)
    case "file": return try recording(String(text.dropFirst("file:".count)))
    // A name with a colon in it is no scheme.
    default:
      guard let file = try? recording(text) else {
        throw Refusal(reason: "only devices of this machine can be chosen here")
      }
      return file
    }
  }

  /// The path of a recording in the folder, by its name there or its whole path; options behind it stay.
  private func recording(_ text: String) throws(Refusal) -> String {
    guard let recordings, let folder = Self.resolved(recordings) else {
      throw Refusal(reason: "recordings cannot be opened here: the server was started without --recordings")
    }
    let named = DeviceAddress(folder + "/" + text)
    for address in [named, DeviceAddress(text)] {
      guard let file = Self.resolved(address.body), file.hasPrefix(folder == "/" ? folder : folder + "/"),
        NodeKind.at(file) == .regularFile
      else { continue }
      return file + String(Substring(address.text.utf8.dropFirst(address.body.utf8.count)))
    }
    throw Refusal(reason: "no such recording in the folder of recordings")
  }

  /// The names of the recordings that may be opened, in order; of a large folder not all.
  public var names: [String] {
    guard let recordings, let folder = Self.resolved(recordings) else { return [] }
    var (names, folders, visits) = ([String](), [""], 0)
    while let inner = folders.popLast() {
      for name in (try? Folder.names(in: folder + "/" + inner)) ?? [] {
        guard names.count < Self.mostNames, visits < Self.mostVisits else { return names.sorted() }
        visits += 1
        let name = inner + name
        switch NodeKind.at(folder + "/" + name) {
        case .directory where name.utf8.count < Self.longestName: folders.append(name + "/")
        case .regularFile where (try? recording(name)) != nil: names.append(name)
        default: break
        }
      }
    }
    return names.sorted()
  }

  /// Names that are listed, entries of folders that are looked at for them, and bytes of a folder's name that is looked
  /// into.
  private static let (mostNames, mostVisits, longestName) = (200, 2000, 256)

  /// The path without symbolic links; nil where there is nothing.
  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
