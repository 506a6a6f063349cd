import LodestoneCore

/// A form in which another program takes a calibration.
public protocol ProfileExport: Sendable {
  /// The name after `--for`, lower case.
  static var name: String { get }
  /// Its title, for a list.
  static var title: String { get }
  /// The beginning of a comment line; nil where the form has none, so that notes must be told beside it.
  static var comment: String? { get }
  /// Notes for a reader: the frame and unit the target expects, and the parts of the profile it cannot hold.
  static func notes(on profile: Profile) -> [String]
  /// Whether it can hold what a cause does to the field.
  static func holds(_ cause: Cause) -> Bool
  /// Whether it points along the laser, where one is known.
  static var holdsLaser: Bool { get }
  /// Whether it has a place for the accelerometer's zero, gain, skew and sign.
  static var holdsForce: Bool { get }
  /// The calibration itself.
  static func body(of profile: Profile) throws(ProfileProblem) -> [UInt8]
}

extension ProfileExport {
  /// False: hard and soft iron are all there is.
  public static func holds(_ cause: Cause) -> Bool { false }

  /// False: chips have no lasers.
  public static var holdsLaser: Bool { false }

  /// False: an accelerometer is read as it comes.
  public static var holdsForce: Bool { false }
}

/// A form that can be read back.
public protocol ProfileImport: ProfileExport {
  /// The calibration in bytes of this form. Hard iron comes out in µT, both in the chip's axes.
  static func read(_ bytes: [UInt8]) throws(ImportProblem) -> ImportedCalibration
}

/// The content of another program's file.
public enum ImportedCalibration: Equatable, Sendable {
  /// Everything.
  case profile(Profile)
  /// A correction alone, and the length of corrected fields in µT where it is told.
  case correction(Correction, fieldStrength: Double?)
}

/// Why another program's file cannot be read.
public enum ImportProblem: Error, Equatable, Sendable {
  /// The form has another number of bytes.
  case wrongLength(Int, expected: Int)
  /// The form's first bytes are others.
  case wrongSignature
  /// The checksum does not match.
  case checksum
  /// A value that must be there is not.
  case missing(String)
  /// A value that is no finite number.
  case notANumber(String)
  /// The text is larger than any file of this form.
  case tooLarge
  /// A broken Lodestone profile.
  case profile(ProfileProblem)
}

/// All forms. One more costs a file and a line here.
public enum Exports {
  /// The forms in the order of the help.
  public static let all: [any ProfileExport.Type] = [
    ArduinoExport.self,
    FusionExport.self,
    ArduPilotExport.self,
    PX4Export.self,
    BetaflightExport.self,
    INAVExport.self,
    MotionCalExport.self,
    VectorNavExport.self,
    SAP6Export.self,
    DistoXExport.self,
    JSONExport.self,
  ]

  /// The packet that boards take which MotionCal calibrates.
  public static let motionCal: any ProfileExport.Type = MotionCalExport.self

  /// The forms that can be read back.
  public static var imports: [any ProfileImport.Type] { all.compactMap { $0 as? any ProfileImport.Type } }

  /// The form of a name.
  public static func named(_ name: String) -> (any ProfileExport.Type)? { all.first { $0.name == name } }

  /// A whole file: the notes as comments where the form has any, then the calibration.
  public static func file(_ form: any ProfileExport.Type, of profile: Profile) throws(ProfileProblem) -> [UInt8] {
    _ = try profile.json()
    let body = try form.body(of: profile)
    guard let comment = form.comment else { return body }
    let header = notes(form, on: profile).map { "\(comment) \($0.inComment)\n" }.joined()
    return Array(header.utf8) + body
  }

  /// Notes for a reader: on the profile, then on the form.
  public static func notes(_ form: any ProfileExport.Type, on profile: Profile) -> [String] {
    ["Magnetometer calibration of \(profile.device), made \(CalendarTime.text(unixTime: profile.created))"]
      + quality(of: profile) + form.notes(on: profile)
      + profile.causes.filter { !form.holds($0) }.map {
        "Lost: what \($0.name) does to the field; the offsets hold at \($0.middle.text(decimals: 1))"
      }
      + [form.holdsLaser ? nil : profile.laser].compactMap { $0 }.map {
        "Lost: the laser, \($0.degrees.text(decimals: 1)) deg beside \($0.name); headings are those of \($0.name)"
      } + force(of: profile, isHeld: form.holdsForce)
  }

  /// The parts of the accelerometer's calibration that are lost, each by the headings it costs.
  private static func force(of profile: Profile, isHeld: Bool) -> [String] {
    guard profile.forceIsUsed else {
      return ["The accelerometer does not fit the magnetometer and is not used: headings are those of a level device"]
    }
    guard !isHeld else { return [] }
    var (lines, plain) = ([String](), profile)
    if profile.accelerometerIsReversed {
      lines.append(
        "Lost: the accelerometer's sign, without which headings are mirrored: multiply its readings by -1, so that the "
          + "axis that points up reads +1 g")
    }
    plain.forceCorrection = .none
    let difference = ProfileComparison(profile, plain)
    let (degrees, what) = difference.heading.map { ($0.worst, "heading") } ?? (difference.up, "tilt")
    if degrees > 0.005 {
      lines.append(
        "Lost: the accelerometer's zero, gain and skew, without which there are errors up to "
          + "\(degrees.text(decimals: 2)) deg of \(what)")
    }
    return lines
  }

  private static func quality(of profile: Profile) -> [String] {
    let quality = profile.quality
    let verdict = quality.verdict == .poor ? "POOR" : quality.verdict.rawValue
    let error =
      quality.headingErrorDegrees.map { "predicted heading error \($0.text(decimals: 2)) deg RMS" }
      ?? "heading error unknown"
    var lines = ["Quality: \(verdict), \(error)"]
    switch quality.kind {
    case .full: break
    case .level: lines.append("Holds for a level device only")
    case .normOnly: lines.append("Norm-only: the turn between magnetometer and accelerometer is not corrected")
    }
    return lines
  }
}

extension Profile {
  /// A profile of what another program calibrated. How good that is nobody knows, so it counts as poor.
  /// - Parameter form: where it came from, as a word.
  public init(imported correction: Correction, fieldStrength: Double, device: String, created: Int, form: String) {
    var quality = CalibrationQuality(verdict: .poor, kind: .normOnly, misalignment: .unknown)
    quality.warnings = ["Imported from \(form): how good it is was not measured"]
    self.init(
      device: device, created: created, correction: correction, fieldStrength: fieldStrength, quality: quality)
  }
}

// MARK: Text

extension String {
  /// The text as a comment of one line: without what is not harmless, and without a backslash that would join the next
  /// line to it.
  fileprivate var inComment: String {
    String(String.UnicodeScalarView(replacingHarmful { _ in "?" }.unicodeScalars.map { $0 == "\\" ? "/" : $0 }))
  }
}
