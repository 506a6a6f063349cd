import Glibc
import Instruments
import LodestonePorts

/// Which addresses may be opened from the page: whoever reaches it shall reach the devices of this machine, and not its
/// files, its network or another program's terminal.
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

  /// Throws unless the address may be opened.
  func check(_ text: String) throws(Refusal) {
    if text == first { return }
    let address = DeviceAddress(text)
    switch address.scheme {
    case let scheme? where Self.schemes.contains(scheme): return
    case nil, "serial":
      let listed = DeviceListing.all().filter { $0.kind == .serial }
      if listed.contains(where: { $0.address == address.body || $0.links.contains(address.body) }) { return }
      guard address.scheme == nil, !address.body.hasPrefix("/dev/") else { throw Refusal(reason: "no such device") }
      try checkRecording(address.body)
    case "file": try checkRecording(address.body)
    default: throw Refusal(reason: "only devices of this machine can be chosen here")
    }
  }

  private func checkRecording(_ path: String) throws(Refusal) {
    guard let recordings, let folder = Self.resolved(recordings) else {
      throw Refusal(reason: "recordings cannot be opened here: the server was started without --recordings")
    }
    guard let file = Self.resolved(path), file.hasPrefix(folder == "/" ? folder : folder + "/"),
      NodeKind.at(file) == .regularFile
    else { throw Refusal(reason: "no such recording in the folder of recordings") }
  }

  /// The path without symbolic links; nil where there is nothing.
  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
