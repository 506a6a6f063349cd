import Glibc
import Lodestone
import LodestoneCore

/// Advice on calibrating the device of a command, in words: the command line that does it, and where another one
/// could not open the device, what has to be done first.
struct CalibrationAdvice {
  /// The address that was asked for; nil for the only device.
  var device: String?
  /// The file of the calibration in use; nil for the one saved for the device, and for none.
  var profile: String?
  /// Whether the device is shown on a page, which can calibrate it.
  var isOnPage = false

  init() {}

  /// Advice for the device and the calibration of a command's options.
  init(_ device: AddressOptions, _ choice: ProfileChoice = .saved) { self.init(device.device, choice) }

  /// Advice for a device by its address, or a recording.
  init(_ device: String?, _ choice: ProfileChoice = .saved) {
    self.device = device
    if case .file(let path) = choice { profile = path }
  }

  /// The command line, to be typed as it stands: `lodestone calibrate ttyACM0 --touch-up`.
  func command(_ options: [String] = []) -> String {
    let named = device.flatMap { $0 == "-" ? nil : $0 }.map { [$0.asOperand] } ?? []
    let saved = profile.map { ["--profile", $0.asOperand] } ?? []
    return (["lodestone", "calibrate"] + named + options + saved).map(\.shellQuoted).joined(separator: " ")
  }

  /// The advice, as a part of a sentence.
  /// - Parameter isTouchUp: only the hard iron has changed.
  func words(isTouchUp: Bool = false) -> String {
    if isOnPage { return isTouchUp ? "touch it up on the page" : "calibrate it on the page" }
    var advice = self
    if Self.isService, profile == nil { advice.profile = "FILE" }
    let command = advice.command(isTouchUp ? ["--touch-up"] : [])
    guard Self.isService, let file = advice.profile?.asOperand.shellQuoted else { return "run \(command)" }
    return "stop this service, which has the device, run \(command), and start it again with --profile \(file)"
  }

  /// Whether standard error is the journal of a service: it has the device for as long as it runs (systemd.exec(5),
  /// `JOURNAL_STREAM`).
  static let isService: Bool = {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }()
}
