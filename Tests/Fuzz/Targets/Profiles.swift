import Calibration
import LodestoneCore

/// Files of calibrations, Lodestone's own and other programs'. The first byte tells which form the rest is read as;
/// what can be read is written in every form, and read back where that is possible.
enum ProfilesTarget: FuzzTarget {
  static let name = "profiles"

  static func take(_ bytes: Span<UInt8>) {
    guard bytes.count > 1 else { return }
    if bytes[0] & 0x80 != 0 { return echo(bytes) }
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

  /// A packet for a board, and what the board says to it, line by line.
  private static func echo(_ bytes: Span<UInt8>) {
    let all = bytes.indices.dropFirst().map { bytes[$0] }
    guard var echo = try? MotionCalEcho(packet: Array(all.prefix(68))) else { return }
    let lines = String(decoding: all.dropFirst(68), as: UTF8.self).split(separator: "\n")
    for line in lines { echo.take(line: String(line)) }
    require(!echo.isConfirmed || all.count > 68, "confirmed by nothing")
  }

  /// What may be written may be read, and says the same.
  private static func write(_ profile: Profile) {
    guard let file = try? profile.json() else { return }
    require((try? Profile(json: file)) == profile, "a profile reads otherwise than it was written")
    let other = Profile(
      imported: Correction(hardIron: Vector3(1, 2, 3), softIron: .identity), fieldStrength: 48, device: "fuzz",
      created: 0, form: "px4")
    _ = ProfileComparison(profile, other)
    _ = (profile.isWorse(than: other), other.isWorse(than: profile))
    for form in Exports.all {
      _ = form.notes(on: profile)
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
