import ArgumentParser
import Calibration
import Glibc
import Instruments
import Lodestone
import LodestonePorts

extension ProfileStore {
  /// The user's store.
  static func required() throws -> ProfileStore {
    guard let store = ofUser else {
      throw Failure(
        .noInput, "no place for profiles: neither XDG_DATA_HOME nor HOME is set",
        hint: "set HOME, or name a file: --profile FILE")
    }
    return store
  }
}

/// Does something with saved profiles, and words what goes wrong.
func worded<Value>(
  to action: String = "read", _ work: () throws(ProfileStoreProblem) -> Value
) throws -> Value {
  do { return try work() } catch { throw Failure(error, to: action) }
}

/// A profile as a user names it: a file, a device, or a device and a number as in `DEVICE@3`.
struct ProfileSelection: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A profile file, a device by its address or as lodestone profiles lists it, or DEVICE@NUMBER for an earlier one.",
      discussion: "May be left out while the profiles of one device only are saved."), completion: .profiles)
  var profile: String?

  /// The profile and the file it is in.
  func resolved() throws -> (profile: Profile, path: String) { try Self.resolve(profile) }

  /// A name that ends in `.json` is a file; another one a saved profile, or else a file.
  static func resolve(_ name: String?) throws -> (profile: Profile, path: String) {
    if let name, name.hasSuffix(".json") { return (try read(name), name) }
    do {
      let entry = try entry(named: name, in: .required())
      return (try worded(entry.profile.get), entry.path)
    } catch let failure as Failure where failure.exitCode == .noInput {
      guard let name, NodeKind.at(name) == .regularFile else { throw failure }
      return (try read(name), name)
    }
  }

  /// The saved profile of that name.
  static func entry(named name: String?, in store: ProfileStore) throws -> ProfileStore.Entry {
    let entries = try worded(store.entries)
    guard let name else { return try onlyDevice(of: entries) }
    func find(_ device: String, _ number: Int?) -> ProfileStore.Entry? {
      let folder = store.folder(of: device)
      return entries.last { entry in
        entry.path.hasPrefix(folder + "/") && (number.map { entry.number == $0 } ?? entry.isCurrent)
      }
    }
    let (device, number) = split(name)
    if let found = find(name, nil) ?? find(device, number) { return found }
    if let identity = try? AddressSchemes.identity(of: UserSettings.current().address(device)),
      let found = find(identity, number)
    {
      return found
    }
    throw Failure(
      .noInput, "no profile of \(name)",
      hint: entries.isEmpty
        ? "none is saved: lodestone calibrate makes one" : "lodestone profiles list shows what there is")
  }

  private static func onlyDevice(of entries: [ProfileStore.Entry]) throws -> ProfileStore.Entry {
    let current = entries.filter { $0.isCurrent }
    guard let first = current.first else {
      throw Failure(.noInput, "no profiles are saved", hint: "lodestone calibrate makes one")
    }
    guard current.count == 1 else {
      throw Failure(
        .usage, "profiles of \(current.count) devices are saved", hint: "name one: lodestone profiles list shows them")
    }
    return first
  }

  private static func split(_ name: String) -> (device: String, number: Int?) {
    guard let at = name.lastIndex(of: "@"), let number = Int(name[name.index(after: at)...]) else { return (name, nil) }
    return (String(name[..<at]), number)
  }

  private static func read(_ path: String) throws -> Profile {
    try worded(ProfileStore.read(path).get)
  }
}
