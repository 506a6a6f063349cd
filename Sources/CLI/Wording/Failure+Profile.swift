import Calibration
import Glibc
import Lodestone
import LodestonePorts

extension Failure {
  /// A file that cannot be read or written.
  /// - Parameter action: "read" or "write".
  init(_ problem: FileProblem, to action: String) {
    switch problem {
    case .missing(let path):
      self.init(.noInput, "can't \(action) \(path): no such file or folder", hint: Self.nameHint)
    case .notPermitted(let path):
      self.init(
        .notPermitted, "can't \(action) \(path): permission denied",
        hint: action == "read" ? "see ls -ld \(path)" : Self.remedy(for: EACCES))
    case .noSpace(let path):
      self.init(.inputOutput, "can't \(action) \(path): no space left", hint: "what was there before is unchanged")
    case .alreadyThere(let path):
      self.init(.inputOutput, "can't \(action) \(path): there is a file of this name", hint: "give another name")
    case .tooLarge(let path, let limit):
      self.init(
        .badData, "can't \(action) \(path): larger than \(limit / 1024) kB",
        hint: "it is another kind of file: check its name")
    case .inUse(let path): self.init(PortError.inUse(path: path))
    case .busy(let path): self.init(PortError.busy(path: path, heldBy: []))
    case .failed(let path, ENXIO) where action == "read": self.init(PortError.notAFile(path: path, kind: .socket))
    case .failed(let path, let code):
      self = .system("can't \(action) \(path)", code)
    }
  }

  /// A saved profile that cannot be used.
  init(_ problem: ProfileStoreProblem, to action: String = "read") {
    switch problem {
    case .file(let problem): self.init(problem, to: action)
    case .profile(let path, let problem):
      self.init(
        .badData, "can't \(action) the profile \(path): \(problem.words)",
        // A profile that cannot be saved says nothing against those that are.
        hint: action == "save" ? "calibrate again" : problem.remedy)
    case .otherFile(let path): self = .otherFile(path, than: "a calibration")
    }
  }

  /// A file that an output would replace, and that is not of its kind.
  static func otherFile(_ path: String, than kind: String) -> Failure {
    Failure(.badData, "\(path) is not \(kind), and would be lost", hint: "name a new file")
  }

  /// Another program's file that cannot be imported.
  init(_ problem: ImportProblem, path: String, form: String) {
    self.init(
      .badData, "can't import \(path) as \(form): \(problem.words)", hint: "see lodestone profiles import --help")
  }
}

extension ProfileProblem {
  /// The key that a profile may lack, and only an export misses.
  private static let countsKey = "counts_per_uT"

  fileprivate var remedy: String {
    switch self {
    case .newerVersion: "install a newer lodestone"
    case .missing(key: Self.countsKey):
      "calibrate the flight controller's own compass (lodestone calibrate -d /dev/ttyACM0 --probe), or a recording of its "
        + "counts"
    case .noCounts: "calibrate from a recording of the raw counts of magnetometer and accelerometer"
    case .noForceFit: "calibrate with the instrument held in 12 positions or more"
    case .laserElsewhere, .tooLargeForForm: "calibrate from a recording of the instrument's own counts"
    case .notJSON, .notProfile:
      "lodestone profiles lists those that are saved; calibrate again where one of them is damaged"
    default: "calibrate again, or remove the file"
    }
  }

  /// The problem, to follow a colon.
  var words: String {
    switch self {
    case .tooLarge(let count): "\(count) bytes are too many"
    case .notJSON: "not JSON"
    case .notProfile: "not a lodestone-profile"
    case .newerVersion(let version): "version \(version) is newer than this program"
    case .missing(key: Self.countsKey): "it is in µT, and a flight controller takes the counts of its compass"
    case .missing(let key): "\(key) is missing"
    case .wrongType(let key, let expected): "\(key) is not \(expected)"
    case .notFinite(let key): "\(key) is not finite"
    case .outOfRange(let key, let expected): "\(key) must be \(expected)"
    case .compassTurnUnknown:
      "the compass was turned by its board's own default, which is not told: set align_mag = CW0, and sweep again"
    case .noCounts: "it is not in counts"
    case .noForceFit: "it has nothing of the accelerometer"
    case .laserElsewhere: "its laser is not along the accelerometer's x, as that of such an instrument is"
    case .tooLargeForForm: "its coefficients are larger than the instrument holds"
    case .singularSoftIron: "soft_iron cannot be inverted"
    case .covarianceNotSquare(let count): "covariance must have \(count) rows of \(count), as there are parameters"
    case .covarianceNotSymmetric: "covariance is not symmetric"
    case .covarianceNotPositive: "covariance is not positive"
    }
  }
}

extension ImportProblem {
  fileprivate var words: String {
    switch self {
    case .wrongLength(let count, let expected): "\(count) bytes instead of \(expected)"
    case .wrongSignature: "it begins otherwise"
    case .checksum: "the checksum is wrong"
    case .missing(let name): "\(name) is missing"
    case .notANumber(let name): "\(name) is not a usable number"
    case .tooLarge: "too large"
    case .profile(let problem): problem.words
    }
  }
}
