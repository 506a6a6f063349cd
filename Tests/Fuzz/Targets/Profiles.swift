import Calibration
import LodestoneCore

/// Files of calibrations, Lodestone's own and other programs'. The first byte tells which form the rest is read as; what
/// can be read is written in every form, and read back where that is possible.
enum ProfilesTarget: FuzzTarget {
  static let name = "profiles"

  static func take(_ bytes: Span<UInt8>) {
    guard bytes.count > 1 else { return }
    let form = Exports.imports[Int(bytes[0]) % Exports.imports.count]
    guard let imported = try? form.read(bytes.indices.dropFirst().map { bytes[$0] }) else { return }
    switch imported {
    case .profile(let profile): write(profile)
    case .correction(let correction, let strength):
      write(
        Profile(
          imported: correction, fieldStrength: strength ?? 48, device: "fuzz", created: 0, form: form.name))
    }
  }

  /// What may be written may be read, and says the same.
  private static func write(_ profile: Profile) {
    guard let file = try? profile.json() else { return }
    require((try? Profile(json: file)) == profile, "a profile reads otherwise than it was written")
    for form in Exports.all {
      guard let body = try? form.body(of: profile), (try? Exports.file(form, of: profile)) != nil else { continue }
      guard let form = form as? any ProfileImport.Type, let back = try? form.read(body) else { continue }
      if case .correction(let correction, _) = back {
        require(correction.softIron.isFinite && correction.hardIron.isFinite, "a correction that is not finite")
      }
    }
  }
}

extension Matrix3 {
  fileprivate var isFinite: Bool { row0.isFinite && row1.isFinite && row2.isFinite }
}
