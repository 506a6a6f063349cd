import Calibration
import Drivers
import Glibc
import Instruments
import LodestoneCore

/// The calibration with which a device is read.
public enum ProfileChoice: Sendable {
  /// The one saved for the device, or else the one it brings along, if there is one.
  case saved
  /// No calibration.
  case none
  /// The one in a file.
  case file(String)
  /// A profile that is at hand.
  case given(Profile)

  /// The calibration of a stream's device, nil when it has none. The stream is told what it makes of the field, which
  /// helps where the device does not say its unit.
  public func load(for stream: any SampleStream) throws(ProfileStoreProblem) -> Profile? {
    let profile = try find(stream.identity) ?? (isSaved ? stream.builtInProfile : nil)
    if let profile {
      if !profile.causes.isEmpty { stream.seek(CauseNames(profile.causes.map { $0.name })) }
      let correction = profile.correction
      stream.expect(
        FieldExpectation(
          strength: profile.fieldStrength, isAssumed: profile.strengthIsAssumed,
          countsPerMicrotesla: profile.countsPerMicrotesla, countsPerGravity: profile.countsPerGravity
        ) { field in
          correction.apply(to: MagneticField(microtesla: field)).field.microtesla
        })
    }
    return profile
  }

  /// The file that the calibration of a device is in; nil where it is in none.
  public func path(of device: String) throws(ProfileStoreProblem) -> String? {
    switch self {
    case .none, .given: nil
    case .file(let path): path
    case .saved: try ProfileStore.ofUser?.currentPath(of: device)
    }
  }

  private var isSaved: Bool {
    if case .saved = self { true } else { false }
  }

  private func find(_ device: String) throws(ProfileStoreProblem) -> Profile? {
    switch self {
    case .none: nil
    case .given(let profile): profile
    case .file(let path): try ProfileStore.read(path).get()
    case .saved: try ProfileStore.ofUser?.current(of: device)
    }
  }
}

extension ProfileStore {
  /// The user's store; nil when neither XDG_DATA_HOME nor HOME says where it is.
  public static var ofUser: ProfileStore? {
    standard(environment: environmentVariable)
  }
}
