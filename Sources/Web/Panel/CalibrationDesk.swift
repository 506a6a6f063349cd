import Calibration
import LodestoneCore
import LodestonePorts

/// The guided calibration of the panel: the same procedure as in a terminal, and what the page is told of it.
struct CalibrationDesk {
  /// Between two states that are told while it runs, in seconds; the points of the sweep come at a tenth of the rate.
  private static let interval = 0.1
  /// Points of the sweep that are shown at the most.
  private static let mostPoints = 600
  /// A point is shown when the field has moved on by so much, in µT.
  private static let pointDistance = 3.0

  private var guide: GuidedCalibration?
  private let words: PanelWords
  private let mounting: Mounting
  private var points: [Vector3] = []
  private var result: (profile: Profile, isSavable: Bool)?
  private var refusal: CalibrationRefusal?
  private var before: Profile?
  private var due: MonotonicTime?
  private var sweepDue: MonotonicTime?
  private var hasChanged = true
  private let identity: String

  init(words: PanelWords, mounting: Mounting, identity: String) {
    self.words = words
    self.mounting = mounting
    self.identity = identity
  }

  /// A calibration is under way.
  var isRunning: Bool { guide != nil }
  /// What is asked of whoever holds the device; nil while none is under way.
  var request: HandRequest? { guide?.progress.request }
  /// What may be saved; nil without a result, or with a refused one.
  var savable: Profile? { result.flatMap { $0.isSavable ? $0.profile : nil } }

  /// Begins again.
  /// - Parameter before: what the device is read with.
  mutating func start(_ settings: CalibrationSettings, isLevel: Bool, before: Profile?) {
    self.before = before
    guide = GuidedCalibration(settings: settings, mounting: mounting, isLevel: isLevel)
    (points, result, refusal, hasChanged) = ([], nil, nil, true)
  }

  /// Ends without a result, or forgets the one there is.
  mutating func cancel() {
    (guide, result, refusal, points, hasChanged) = (nil, nil, nil, [], true)
  }

  /// Takes a raw sample.
  mutating func take(_ sample: borrowing Sample, unixTime: Double) {
    guard guide != nil else { return }
    if let field = sample.field?.microtesla { addPoint(field) }
    guide?.add(copy sample)
    hasChanged = true
    if guide?.progress.phase == .done { conclude(unixTime: unixTime) }
  }

  private mutating func addPoint(_ field: Vector3) {
    if let last = points.last, (field - last).length < Self.pointDistance { return }
    points.append(field)
    if points.count > Self.mostPoints {
      points = points.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
    }
  }

  private mutating func conclude(unixTime: Double) {
    guard let outcome = guide?.finished() else { return }
    guide = nil
    refusal = outcome.refusal
    result = outcome.result.map { result in
      (Profile(result, device: identity, created: Int(max(0, min(unixTime, 4e9)))), outcome.refusal == nil)
    }
  }

  // MARK: - What the page is told

  /// Publishes what has changed.
  mutating func publish(to server: WebServer, at now: MonotonicTime) {
    guard hasChanged, due.map({ $0 <= now }) ?? true else { return }
    due = now + Self.interval
    hasChanged = false
    send(.calibration, state, to: server)
    guard sweepDue.map({ $0 <= now }) ?? true || guide == nil else { return }
    sweepDue = now + 10 * Self.interval
    send(.sweep, sweep, to: server)
  }

  private func send(_ event: WebEvent, _ value: JSONValue, to server: WebServer) {
    Array(value.line.utf8).withUnsafeBytes { server.publish(event, json: $0) }
  }

  private var state: JSONValue {
    guard let guide else { return ended }
    let progress = guide.progress
    let fit = progress.result
    return .members(
      ("phase", .string(progress.phase.rawValue)),
      ("advice", .string(words.advice(progress))),
      ("warnings", .array(words.warnings(progress).map { .string($0) })),
      ("directions_met", .array(progress.met.map { .numbers($0) })),
      ("directions_missing", .array(progress.missing.map { .numbers($0) })),
      ("directions_share", .number(progress.directions)),
      ("rests", .integer(progress.rests)),
      ("rests_wanted", .integer(progress.restsNeeded)),
      ("rest_progress", .number(progress.restProgress)),
      ("circles", .number(progress.circles)),
      ("circles_wanted", .number(progress.circlesNeeded)),
      ("next_pose", progress.nextPose.map { pose($0) } ?? .null),
      ("accuracy_deg", .orNull(progress.accuracy)),
      ("samples", .integer(progress.samples)),
      ("seconds", .number(progress.seconds)),
      ("hard_iron_uT", fit.map { .numbers($0.correction.hardIron) } ?? .null),
      ("field_uT", .orNull(fit?.fieldStrength)),
      ("inclination_deg", .orNull(fit?.inclination)),
      ("up", progress.up.map { .numbers($0) } ?? .null),
      ("field_direction", progress.fieldDirection.map { .numbers($0) } ?? .null),
      ("verdict", .null))
  }

  private func pose(_ pose: RestPose) -> JSONValue {
    .members(("up", .numbers(pose.up)), ("turn_deg", .number(pose.turnDegrees)))
  }

  private var ended: JSONValue {
    let reason = refusal.map { words.refusal($0) }
    guard let result else {
      return .members(
        ("phase", .string(refusal == nil ? "idle" : "refused")),
        ("advice", .string("Start, then turn the board through every direction.")),
        (
          "verdict",
          reason.map {
            .members(
              ("verdict", .string("refused")), ("problem", .string($0.problem)), ("hint", .string($0.hint ?? "")))
          } ?? .null
        ))
    }
    let lines = words.verdict(result.profile, before)
    return .members(
      ("phase", .string(result.isSavable ? "done" : "refused")),
      ("advice", .string(result.isSavable ? "Save the calibration, or discard it." : "Discard it and start again.")),
      ("samples", .integer(result.profile.quality.samples)),
      ("rests", .integer(result.profile.quality.rests)),
      ("rests_wanted", .integer(result.profile.quality.rests)),
      ("directions_share", .number(1)),
      ("hard_iron_uT", .numbers(result.profile.correction.hardIron)),
      ("field_uT", .number(result.profile.fieldStrength)),
      ("inclination_deg", .orNull(result.profile.inclination)),
      ("accuracy_deg", .orNull(result.profile.accuracyDegrees)),
      (
        "verdict",
        .members(
          ("verdict", .string(result.isSavable ? result.profile.quality.verdict.rawValue : "refused")),
          ("words", .string(lines.first ?? "")),
          ("lines", .array(lines.dropFirst().map { .string($0) })),
          ("problem", reason.map { .string($0.problem) } ?? .null),
          ("hint", reason.flatMap { $0.hint }.map { .string($0) } ?? .null),
          ("savable", .bool(result.isSavable)))
      ))
  }

  private var sweep: JSONValue {
    let correction = guide?.progress.result?.correction ?? result?.profile.correction
    let strength = guide?.progress.result?.fieldStrength ?? result?.profile.fieldStrength
    return .members(
      ("raw", .array(points.map { .numbers($0) })),
      (
        "correction",
        correction.map { correction in
          .members(
            ("hard_iron_uT", .numbers(correction.hardIron)),
            ("soft_iron", .array((0..<3).map { .numbers(correction.softIron[$0]) })))
        } ?? .null
      ),
      ("field_uT", .orNull(strength)))
  }
}
