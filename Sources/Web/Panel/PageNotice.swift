import Calibration
import Instruments
import Lodestone
import LodestoneCore
import Navigation

/// A notice for readers of the page: its words, how it is shown, and the view that helps. One takes the place of an
/// earlier one about the same topic, so that none stays that no longer holds.
struct PageNotice {
  /// How it is shown.
  enum Kind: String, CaseIterable {
    /// A notice that stays until it is over or put away.
    case warning
    /// A notice that goes after some seconds.
    case good
    /// A warning about its topic holds no longer, for what it was about is there no longer.
    case over
  }

  /// The subject: `link`, `calibration`.
  var topic: String
  var kind = Kind.warning
  var text: String
  /// The view that helps; nil for none.
  var view: String?
  /// Whether nothing tells when it is over: it is not shown to those who open the page later.
  var hasNoEnd = false

  /// Whether it holds until another one about its topic.
  var stands: Bool { kind == .warning && !hasNoEnd }

  /// The event.
  static let event = WebEvent(
    "notice",
    .object(
      [
        ("topic", .text("What it is about; a later notice about the same takes its place")),
        (
          "kind",
          .word(
            Kind.allCases.map { $0.rawValue },
            "warning: something is wrong; good: something is over, or done; over: a warning about it holds no longer")
        ),
        ("text", .text("For people; empty where the kind is over")),
        ("view", .text("The view of the page that helps", isOptional: true)),
        ("number", .number("Which one it is: a reader that was away gets a warning that still holds again")),
      ], required: ["topic", "kind", "text", "view", "number"]), isState: false)

  /// The notice as an event.
  /// - Parameter number: which one it is.
  func value(number: Int) -> JSONValue {
    .members(
      ("topic", .string(topic)), ("kind", .string(kind.rawValue)), ("text", .string(text)),
      ("view", .orNull(view)), ("number", .number(Double(number))))
  }

  /// A notice.
  init(topic: String, kind: Kind = .warning, text: String, view: String? = nil, hasNoEnd: Bool = false) {
    self.topic = topic
    self.kind = kind
    self.text = text
    self.view = view
    self.hasNoEnd = hasNoEnd
  }

  /// The notice that a device is no longer read. It stands in place of those about its link.
  init(endOf name: String, _ reason: String, isSecond: Bool) {
    self.init(topic: isSecond ? Self.topic("link", of: name) : "link", text: "\(name) is no longer read: \(reason).")
  }

  private static func topic(_ topic: String, of name: String) -> String { "\(topic) of \(name)" }
}

// MARK: - Notices of a session

extension PageNotice {
  /// The notice of a session; nil for one that a page need not show.
  init?(_ notice: Notice) {
    let words = notice.words()?.asSentence ?? ""
    switch notice {
    case .stream(let notice): self.init(notice)
    case .instrument(let notice): self.init(notice, words)
    case .positionReceived, .timeReceived:
      self.init(topic: "place", kind: .good, text: "\(words) True headings from now on.")
    case .noTime, .noDeclination, .noPosition: self.init(topic: "place", text: words)
    case .weakField: self.init(topic: "place", text: words, hasNoEnd: true)
    case .learning(let notice): self.init(notice, words)
    case .beside(let name, let notice): self.init(notice, of: name)
    case .sink: return nil
    }
  }

  /// The notice of a device beside the first one, in no place of the first one's. No view helps: they show the first.
  private init?(_ notice: Notice, of name: String) {
    guard let own = PageNotice(notice) else { return nil }
    var isSilence = false
    if case .stream(.silent) = notice { isSilence = true }
    self.init(
      topic: Self.topic(own.topic, of: name), kind: own.kind, text: "\(name): \(own.text)",
      hasNoEnd: own.hasNoEnd || notice.isInTheWay || isSilence)
  }

  private init?(_ notice: StreamNotice) {
    let words = notice.words(calling: "the device")?.asSentence ?? ""
    switch notice {
    case .lost, .unanswered, .disconnected, .silent(_, of: .chip): self.init(topic: "link", text: words)
    case .silent: self.init(topic: "link", text: "\(words) Check that the device is connected and sending.")
    case .returned: self.init(topic: "link", kind: .good, text: words)
    case .unrecognized(_, _, _, as: let given?) where given != "gpsd":
      self.init(topic: "link", text: "\(words) Open the device without ?protocol=\(given) in its address.")
    case .nothingOfUse: self.init(topic: "link", text: "\(words) See what the device sends.")
    case .noSentences: self.init(topic: "link", text: "\(words) See what the receiver sends.")
    case .unrecognized(_, isText: true, _, _): self.init(topic: "link", text: "\(words) See what the device prints.")
    case .unrecognized(_, _, let hasBaudRate, _):
      let check = hasBaudRate ? "the baud rate and " : ""
      self.init(topic: "link", text: "\(words) Check \(check)what the device sends.")
    case .unclearField, .doubtful, .unitsChosen:
      guard let doubt = notice.pageDoubt else { return nil }
      self.init(topic: "unit", text: doubt)
    case .unitChanged, .forceUnitChanged, .unitMissing, .rangeChanged, .signsLost, .implausibleField:
      self.init(topic: "unit", text: words)
    case .stuck: self.init(topic: "stuck", text: words)
    case .changesAgain: self.init(topic: "stuck", kind: .good, text: words)
    case .fieldsInTurn, .headingsInTurn: self.init(topic: "boards", text: words)
    case .rateSaturated: self.init(topic: "gyroscope", text: words, hasNoEnd: true)
    case .oddGravity: self.init(topic: "force", text: words, hasNoEnd: true)
    case .wrongDate: self.init(topic: "place", text: words, hasNoEnd: true)
    case .beside(let name, let notice): self.init(.stream(notice), of: name)
    case .detected, .weighed, .chipsFound, .severalCompasses, .flightController, .bufferInUse, .tryingBaudRate, .gap,
      .late, .noChecksums, .columnsAssumed, .columnsNotRead, .columnsChanged, .truncated, .forgotten, .rejected,
      .otherCompass, .unknownFrame, .timesCounted, .timeAssumed, .timeCorrected, .timesApart:
      return nil
    }
  }

  private init(_ notice: LearningNotice, _ words: String) {
    switch notice {
    case .needsFullCalibration: self.init(topic: "learning", text: words, view: "calibrate")
    case .needsGyroscope, .needsTilt, .notSaved: self.init(topic: "learning", text: words)
    case .hasMoved, .saved: self.init(topic: "learning", kind: .good, text: words)
    }
  }

  private init?(_ notice: InstrumentNotice, _ words: String) {
    switch notice {
    case .uncalibrated, .ownHeadings, .calibration(.noLongerFits):
      self.init(topic: "calibration", text: words, view: "calibrate")
    case .calibration(.fitsAgain): self.init(topic: "calibration", kind: .good, text: words)
    case .otherPlace: self.init(topic: "place", text: words, hasNoEnd: true)
    case .temperature: self.init(topic: "temperature", text: words, view: "calibrate", hasNoEnd: true)
    case .cause: self.init(topic: "cause", text: words, hasNoEnd: true)
    case .deadAxis(let dead): self.init(topic: "axis of \(dead.sensor)", text: words, hasNoEnd: true)
    case .coarseField: self.init(topic: "steps", text: words, hasNoEnd: true)
    case .gyroscope: self.init(topic: "gyroscope", text: words, hasNoEnd: true)
    case .gyroscopeZero: self.init(topic: "gyroscope-zero", text: words, view: "calibrate", hasNoEnd: true)
    case .signAssumed:
      let text = "\(words) Set the place, or calibrate with it."
      self.init(topic: "axes", text: text, view: "calibrate", hasNoEnd: true)
    case .settingsIdle: self.init(topic: "own", text: words, hasNoEnd: true)
    case .assumedLevel: self.init(topic: "level", text: words)
    case .forceLeftOut: self.init(topic: "level", text: words, view: "calibrate")
    case .nothingOfUse(let tells, let needs) where tells.lackScale(for: needs):
      self.init(topic: "link", text: "\(words) Calibrate with the place set.", view: "calibrate")
    case .nothingOfUse(let tells, _):
      let hint = tells.contains(.alongProbe) ? " On a terminal, lodestone teslameter reads it." : ""
      self.init(topic: "link", text: words + hint, view: "devices")
    case .zeroed(let zero): self.init(topic: "zero", kind: .good, text: zero.pageWords)
    case .remanence: self.init(topic: "zero", text: words)
    case .zeroRefused(_, let isFinal):
      self.init(
        topic: "zero",
        text: "No zero-point: keep the sensor still and magnets away.\(isFinal ? "" : " Trying again.")")
    case .noGyroscope, .deviationNotAdded, .receiver: return nil
    }
  }
}

// MARK: - Words of the page alone

extension StreamNotice {
  /// A doubt about what the numbers are, and what the board can do about it; nil for any other notice.
  fileprivate var pageDoubt: String? {
    switch self {
    case .unclearField: "The numbers are not a field of the Earth in any unit."
    case .doubtful(.loneNumbers, _):
      "A number alone is no field. If it is a heading, add ?protocol=hmr3300 to the device's address."
    case .doubtful(.loneAngles, _):
      "An angle alone may be a heading or another one. If it is, let the board print Heading: before it."
    case .doubtful(.derived, _):
      "Extremes and offsets are no field. Let the board print x, y and z as they are measured."
    case .doubtful(let fault, _) where !fault.isLegible:
      "No field can be read from what arrives. See what the device prints."
    case .doubtful: "The numbers can be read in several ways. Turn the board about."
    case .unitsChosen(let scales): scales.pageDoubt
    default: nil
    }
  }
}

extension WireScales {
  /// The doubt that the units leave; nil for none.
  fileprivate var pageDoubt: String? {
    if case .doubted = field.basis {
      return "In the stated unit the field is far from the Earth's: a magnet is near, or the unit is another."
    }
    guard case .weightless = acceleration.basis else { return nil }
    return "The accelerations have no gravity in them and are left out: the device is taken to be level."
  }
}

extension ZeroPoint {
  /// The zero-point without its numbers, which stand beside the reading.
  fileprivate var pageWords: String {
    let hint = turnField.map { " Keep the sensor as it is: 1° of turn looks like \(number($0, 2)) µT." } ?? ""
    let magnet = "is a magnet or iron near?"
    if missedStrength != nil { return "The zero-point is taken. It is not the calibration's field: \(magnet)\(hint)" }
    return "The zero-point is taken."
      + (isStrong ? " It is far stronger than the Earth's field: \(magnet)" : "") + hint
  }
}
