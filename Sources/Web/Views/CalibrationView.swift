import Calibration
import Lodestone
import LodestoneCore
import LodestonePorts
import Navigation

/// The guided calibration: the same procedure as in a terminal.
final class CalibrationView: PanelView {
  static let events = [calibrationEvent, sweepEvent]

  private static let methods = ["sweep", "held", "touch-up"]

  static var actions: [ViewAction<CalibrationView>] {
    [
      ViewAction(
        "calibration/start", "Begin a guided calibration",
        body: .object([
          ("level", .flag("For a boat or a car that cannot be tilted")),
          ("method", .word(methods, "held: twelve positions and no sweep; touch-up: refines the saved calibration")),
          ("laser", .flag("With held: asks for rolled shots at two marks too, which tell where a laser points")),
        ])
      ) { view, body in
        let method = if case .string(let method)? = body?["method"] { method } else { "sweep" }
        let asksForLaser = body?["laser"] == .bool(true)
        guard !asksForLaser || method == "held" else { throw Refusal(status: 400, reason: "laser: needs method held") }
        try view.start(isLevel: body?["level"] == .bool(true), method, asksForLaser: asksForLaser)
      },
      ViewAction("calibration/level", "Go on as a level calibration, with the samples so far") { view, _ in
        guard view.guide != nil else { throw Refusal(reason: "no calibration is under way") }
        view.guide?.continueLevel()
        view.hasChanged = true
      },
      ViewAction("calibration/finish", "End it with the samples so far") { view, _ in
        guard view.guide != nil else { throw Refusal(reason: "no calibration is under way") }
        view.conclude()
        view.hasChanged = true
      },
      ViewAction("calibration/cancel", "End it without saving, or discard its result") { view, _ in view.cancel() },
      ViewAction(
        WebAction(
          path: "calibration/save", summary: "Save its result, which is used from then on",
          answer: .object([("text", .text("For people"))], required: ["text"]))
      ) { view, _ in try view.save() },
    ]
  }

  /// Between two states that are told while it runs, in seconds; the points of the sweep come at a tenth of the rate.
  private static let interval = 0.1
  /// Points of the sweep that are shown at the most.
  private static let mostPoints = 600
  /// A point is shown when the field has moved on by so much, in µT.
  private static let pointDistance = 3.0

  private let context: PanelContext
  private var words: PanelWords { context.words }
  private var guide: GuidedCalibration?
  /// Takes off what the causes of the calibration in use add: a sweep tells nothing of them, and they stay as they are.
  private var causes: CauseRemoval?
  private var points: [Vector3] = []
  private var result: (profile: Profile, isSavable: Bool)?
  private var refusal: CalibrationRefusal?
  private var due: MonotonicTime?
  private var sweepDue: MonotonicTime?
  private var hasChanged = true

  init(_ context: PanelContext) { self.context = context }

  /// The request to the person who holds the device; nil while no calibration is running.
  var request: HandRequest? { guide?.progress.request }

  private func start(isLevel: Bool, _ method: String, asksForLaser: Bool) throws {
    var settings = CalibrationSettings()
    (settings.isHeld, settings.asksForLaser) = (method == "held", asksForLaser)
    if method == "touch-up" {
      guard let earlier = context.profile.flatMap({ EarlierCalibration($0) }) else {
        throw Refusal(reason: "there is no full calibration of this device to refine")
      }
      settings.earlier = earlier
    }
    settings.place = try context.panel.place.field(of: context.panel.stream).map { CalibrationSettings.Place($0) }
    settings.knownAxes = AxisMap(of: context.profile, mounting: context.mounting)
    guide = GuidedCalibration(settings: settings, mounting: context.mounting, isLevel: isLevel)
    causes = CauseRemoval(context.profile?.causes ?? [])
    (points, result, refusal, hasChanged) = ([], nil, nil, true)
  }

  /// Ends without a result, or forgets the one there is.
  private func cancel() {
    (guide, result, refusal, points, hasChanged) = (nil, nil, nil, [], true)
  }

  private func save() throws -> WebAnswer {
    guard let result, result.isSavable else { throw Refusal(reason: "there is no calibration to save") }
    guard let store = ProfileStore.ofUser else { throw Refusal(reason: "there is no folder for calibrations") }
    let path = try store.save(result.profile)
    cancel()
    context.panel.useSavedCalibration()
    return .json(JSONValue.members(("text", .string("Saved as \(path). Headings are of the top edge."))).line)
  }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {
    defer { tell(at: now) }
    guard guide != nil else { return }
    if let field = raw.field?.microtesla { addPoint(field) }
    var freed = copy raw
    _ = causes?.remove(from: &freed)
    guide?.add(freed)
    hasChanged = true
    if guide?.progress.phase == .done { conclude() }
  }

  private func addPoint(_ field: Vector3) {
    if let last = points.last, (field - last).length < Self.pointDistance { return }
    points.append(field)
    if points.count > Self.mostPoints {
      points = points.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
    }
  }

  private func conclude() {
    guard let outcome = guide?.finished() else { return }
    guide = nil
    refusal = outcome.refusal
    result = outcome.result.map { result in
      var profile = Profile(result, device: context.facts.device, created: WallClock.unixSeconds)
      profile.causes = context.profile?.causes ?? []
      return (profile, outcome.refusal == nil)
    }
  }

  // MARK: - What the page is told

  func tell(at now: MonotonicTime) {
    guard hasChanged, due.map({ $0 <= now }) ?? true else { return }
    due = now + Self.interval
    hasChanged = false
    context.server.publish("calibration", state)
    guard sweepDue.map({ $0 <= now }) ?? true || guide == nil else { return }
    sweepDue = now + 10 * Self.interval
    context.server.publish("sweep", sweep)
  }

  private var state: JSONValue {
    guard let guide else { return ended }
    let progress = guide.progress
    let (fit, problem) = (progress.result, progress.problem.map { words.refusal($0) })
    return .members(
      ("phase", .string(progress.phase.rawValue)),
      ("advice", .string(problem?.problem ?? progress.pageAdvice)),
      ("hint", .orNull(problem?.hint ?? (progress.phase == .rolls ? AimedShot.explanation : nil))),
      ("reminder", .orNull(progress.reminder?.rawValue)),
      ("warnings", .array(warnings(progress))),
      ("directions_met", .array(progress.met.map { .numbers($0) })),
      ("directions_missing", .array(progress.missing.map { .numbers($0) })),
      ("directions_share", .number(progress.directions)),
      ("rests", .integer(progress.rests)),
      ("rests_wanted", .integer(progress.restsNeeded)),
      ("rest_progress", .number(progress.restProgress)),
      ("circles", .number(progress.circles)),
      ("circles_wanted", .number(progress.circlesNeeded)),
      ("next_pose", progress.nextPose.map { pose($0) } ?? .null),
      ("next_shot", progress.nextShot.map { shot($0) } ?? .null),
      ("shots", .array(progress.shots.map { .integer($0) })),
      ("shots_wanted", .integer(CalibrationProgress.shotsNeeded)),
      ("marks_wanted", .integer(CalibrationProgress.marksNeeded)),
      ("laser", progress.laser.map { laser($0) } ?? .null),
      ("accuracy_deg", .orNull(progress.accuracy)),
      ("samples", .integer(progress.samples)),
      ("seconds", .number(progress.seconds)),
      ("hard_iron_uT", .orNull(fit?.correction.hardIron)),
      ("field_uT", .orNull(fit?.fieldStrength)),
      ("inclination_deg", .orNull(fit?.inclination)),
      ("up", .orNull(progress.up)),
      ("field_direction", .orNull(progress.fieldDirection)),
      ("verdict", .null))
  }

  private func warnings(_ progress: CalibrationProgress) -> [JSONValue] {
    progress.warnings.map { $0.text }.sorted().map { .string($0) }
  }

  private func pose(_ pose: RestPose) -> JSONValue {
    .members(
      ("up", .numbers(pose.up)), ("turn_deg", .number(pose.turnDegrees)), ("words", .string(pose.posture)))
  }

  private func shot(_ shot: AimedShot) -> JSONValue {
    .members(
      ("mark", .integer(shot.mark)), ("hour", .integer(shot.hour)), ("words", .string(shot.instruction)))
  }

  private func laser(_ laser: LaserAxis) -> JSONValue {
    .members(
      ("axis", .numbers(laser.direction)), ("deviation_deg", .number(laser.deviation)),
      ("words", .string("\(laser.words) from the \(laser.side.rawValue)")))
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
    let lines = words.verdict(result.profile, context.profile)
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
          ("problem", .orNull(reason?.problem)),
          ("hint", .orNull(reason?.hint)),
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

  // MARK: - Shapes

  private static let calibrationEvent = WebEvent(
    "calibration",
    .object(
      [
        ("phase", .word(["idle", "waiting", "sweep", "circles", "rests", "rolls", "done", "refused"])),
        ("advice", .text("What to do next")),
        ("hint", .text("What to do about a problem, or how to choose marks", isOptional: true)),
        (
          "reminder",
          .word(
            [
              "lyingStill", "alreadyHeld", "stillMoving", "unsteady", "forceOff", "sameMark", "otherMark", "onlyLevel",
            ],
            "What `advice` reminds of", isOptional: true)
        ), ("warnings", .list(.text(), "What is wrong just now")),
        ("directions_met", .list(.vector(), "Unit vectors of the corrected field that the sweep has met")),
        ("directions_missing", .list(.vector(), "Those that it has not")),
        ("directions_share", .number("0 to 1; 1 is enough")), ("rests", .integer()), ("rests_wanted", .integer()),
        ("rest_progress", .number("Of the present rest, 0 to 1")),
        ("circles", .number("For a boat or a car: full circles so far")), ("circles_wanted", .number()),
        (
          "next_pose",
          .object(
            [
              ("up", .vector("The direction of the device to bring upward")),
              ("turn_deg", .number("To turn about the vertical before, clockwise seen from above")),
              ("words", .text("For people")),
            ], required: ["up", "turn_deg", "words"], "How to hold the board next", isOptional: true)
        ),
        (
          "next_shot",
          .object(
            [
              ("mark", .integer("The mark to aim at, from 0 on")), ("hour", .integer("The roll, on a clock's face")),
              ("words", .text("For people")),
            ], required: ["mark", "hour", "words"], "The shot to take next, rolled about the aim", isOptional: true)
        ), ("shots", .list(.integer(), "Rolled shots at each mark so far")),
        ("shots_wanted", .integer("At each mark")), ("marks_wanted", .integer()),
        (
          "laser",
          .object(
            [
              ("axis", .vector("Of the device, of length 1")), ("deviation_deg", .number("Standard error")),
              ("words", .text("For people, 95 %")),
            ], required: ["axis", "deviation_deg", "words"], "Where its laser points", isOptional: true)
        ), ("accuracy_deg", .number("Of headings, 95 %, by the fit so far", isOptional: true)),
        ("samples", .integer()), ("seconds", .number("Since the start")),
        ("hard_iron_uT", .vector(isOptional: true)),
        ("field_uT", .number("Strength of the Earth's field", isOptional: true)),
        ("inclination_deg", .number("Of the Earth's field", isOptional: true)),
        ("up", .vector("The direction of the device that is up now", isOptional: true)),
        ("field_direction", .vector(isOptional: true)),
        (
          "verdict",
          .object(
            [
              ("verdict", .word(["good", "fair", "poor", "refused"])), ("words", .text("In one sentence")),
              ("lines", .list(.text())), ("problem", .text("Why it was refused", isOptional: true)),
              ("hint", .text("What to do then", isOptional: true)),
              ("savable", .flag("`calibration/save` would keep it")),
            ], isOptional: true)
        ),
      ], required: ["phase", "advice", "verdict"]))

  private static let sweepEvent = WebEvent(
    "sweep",
    .object(
      [
        ("raw", .list(.vector(), "Fields as they were measured, in µT")),
        (
          "correction",
          .object(
            [("hard_iron_uT", .vector()), ("soft_iron", .list(.vector()))], required: ["hard_iron_uT", "soft_iron"],
            "Corrected = soft iron × (raw − hard iron)", isOptional: true)
        ), ("field_uT", .number("Strength of the corrected field", isOptional: true)),
      ], required: ["raw", "correction"]))
}
