import ArgumentParser
import Instruments
import Lodestone
import LodestoneOutput
import LodestonePorts

/// The completions that a shell offers for an option, asked of the command itself while somebody types. Nothing is
/// opened for it.
extension CompletionKind {
  /// The names that are set, what is attached, and recordings.
  static let devices = CompletionKind.custom { _, _, prefix in
    let names = (try? UserSettings.current())?.devices.keys.sorted() ?? []
    return matching(prefix, names + DeviceListing.all().map { $0.address } + ["sim:"]) + files(prefix)
  }

  /// The devices that have a calibration, and files.
  static let profiles = CompletionKind.custom { _, _, prefix in
    let entries = (try? ProfileStore.ofUser?.entries()) ?? []
    let devices = entries.filter { $0.isCurrent }.compactMap { try? $0.profile.get().device }
    return matching(prefix, devices + ["none"]) + files(prefix)
  }

  /// The kinds of places that lines can go to.
  static func sinks(_ kinds: [any AddressedSink.Type]) -> CompletionKind {
    .list(kinds.flatMap { [$0.scheme, $0.encryptedScheme].compactMap { $0 } }.map { $0 + ":" })
  }

  private static func matching(_ prefix: String, _ words: [String]) -> [String] {
    words.filter { $0.hasPrefix(prefix) && $0 == $0.harmless }
  }

  /// The files and folders that begin like that.
  private static func files(_ prefix: String) -> [String] {
    let slash = prefix.lastIndex(of: "/").map { prefix.index(after: $0) } ?? prefix.startIndex
    let folder = String(prefix[..<slash])
    let names = (try? Folder.names(in: folder.isEmpty ? "." : folder)) ?? []
    return matching(
      prefix, names.map { name in folder + name + (NodeKind.at(folder + name) == .directory ? "/" : "") })
  }
}
