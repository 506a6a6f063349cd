/// The profile itself.
enum JSONExport: ProfileImport {
  static let name = "json"
  static let title = "Lodestone's own profile"
  static let comment: String? = nil
  static let holdsLaser = true
  static let holdsForce = true

  static func notes(on profile: Profile) -> [String] { [] }

  static func holds(_ cause: Cause) -> Bool { true }

  static func body(of profile: Profile) throws(ProfileProblem) -> [UInt8] { try profile.json() }

  static func read(_ bytes: [UInt8]) throws(ImportProblem) -> ImportedCalibration {
    do { return .profile(try Profile(json: bytes)) } catch { throw .profile(error) }
  }
}
