import Calibration
import Instruments
import Lodestone
import LodestoneCore
import Navigation

/// A notice for readers of the page, in the page's words. One takes the place of an earlier one about the same topic,
/// so that none stays that no longer holds.
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

  /// The notice of a session; nil for one that a page need not show.
  init?(_ notice: Notice) {
    switch notice {
    case .stream(let notice): self.init(notice)
    case .instrument(let notice): self.init(notice)
    case .positionReceived(let declination), .timeReceived(let declination):
      self.init(
        topic: "place", kind: .good,
        text: "True headings from now on: the declination is \(Self.signed(declination.degrees))°.")
    case .noTime:
      self.init(topic: "place", text: "The clock of this machine is not set, so there are no true headings.")
    case .noDeclination: self.init(topic: "place", text: "There is no declination for this place and date.")
    case .weakField:
      self.init(
        topic: "place", text: "The horizontal field is weak at this place: a compass may be far off.", hasNoEnd: true)
    case .noPosition: self.init(topic: "place", text: "The receiver has ended without a position.")
    case .learning(let notice): self.init(notice)
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

  /// The notice that a device beside the first one is no longer read. It stands in place of those about its link.
  init(endOf name: String, _ reason: String) {
    self.init(topic: Self.topic("link", of: name), text: "\(name) is no longer read: \(reason).")
  }

  private static func topic(_ topic: String, of name: String) -> String { "\(topic) of \(name)" }

  /// A notice.
  init(topic: String, kind: Kind = .warning, text: String, view: String? = nil, hasNoEnd: Bool = false) {
    self.topic = topic
    self.kind = kind
    self.text = text
    self.view = view
    self.hasNoEnd = hasNoEnd
  }

  private init?(_ notice: StreamNotice) {
    switch notice {
    case .lost: self.init(topic: "link", text: "The device is gone. Waiting for it to come back.")
    case .unanswered: self.init(topic: "link", text: "The device has not answered yet. Still trying.")
    case .disconnected: self.init(topic: "link", text: "The connection to the device broke. Trying again.")
    case .silent(let seconds, of: .chip):
      self.init(
        topic: "link",
        text: "The chip answers, but has measured nothing for \(Self.number(seconds, 0)) s. "
          + "It is set up again until it does.")
    case .silent(let seconds, of: _):
      self.init(
        topic: "link",
        text: "Nothing has arrived for \(Self.number(seconds, 0)) s. Check that the device is connected and sending.")
    case .returned(_, let seconds):
      self.init(topic: "link", kind: .good, text: "The device is back after \(Self.number(seconds, 0)) s.")
    case .unrecognized(_, isText: true, _):
      self.init(topic: "link", text: "What arrives is text without x, y and z of a field. See what the device prints.")
    case .unrecognized(_, _, let hasBaudRate):
      self.init(
        topic: "link",
        text: "What arrives cannot be read. Check \(hasBaudRate ? "the baud rate and " : "")what the device sends.")
    case .unclearField: self.init(topic: "unit", text: "The numbers are not a field of the Earth in any unit.")
    case .doubtful(.loneNumbers, _):
      self.init(
        topic: "unit",
        text: "A number alone is no field. If it is a heading, add ?protocol=hmr3300 to the device's address.")
    case .doubtful(.loneAngles, _):
      self.init(
        topic: "unit",
        text: "An angle alone may be a heading or another one. If it is, let the board print Heading: before it.")
    case .doubtful(.derived, _):
      self.init(
        topic: "unit", text: "Extremes and offsets are no field. Let the board print x, y and z as they are measured.")
    case .doubtful(let fault, _) where !fault.isLegible:
      self.init(topic: "unit", text: "No field can be read from what arrives. See what the device prints.")
    case .doubtful: self.init(topic: "unit", text: "The numbers can be read in several ways. Turn the board about.")
    case .unitsChosen(let scales):
      guard let text = Self.doubt(of: scales) else { return nil }
      self.init(topic: "unit", text: text)
    case .stuck:
      self.init(topic: "stuck", text: "The field no longer changes in any digit: the sensor is stuck or gone.")
    case .changesAgain: self.init(topic: "stuck", kind: .good, text: "The field changes again.")
    case .fieldsInTurn:
      self.init(
        topic: "boards", text: "The field leaps to and fro between two, as if two boards sent at once. Read one alone.")
    case .headingsInTurn:
      self.init(
        topic: "boards",
        text: "The heading leaps to and fro between two, as if two compasses sent at once. Read one alone.")
    case .rateSaturated(let limit):
      self.init(
        topic: "gyroscope",
        text: "The board turns faster than its gyroscope measures (\(Self.number(limit, 0)) °/s). Set a larger range, "
          + "or turn more slowly.", hasNoEnd: true)
    case .implausibleField:
      self.init(topic: "unit", text: "The field is not possible: the sensor or its driver is wrong.")
    case .oddGravity(_, let g):
      self.init(
        topic: "force",
        text: "The accelerometer reads \(Self.number(g, 2)) g at rest instead of 1 g: its scale is wrong. Pitch and "
          + "roll hold, the size of a force does not.", hasNoEnd: true)
    case .wrongDate:
      self.init(topic: "place", text: "The receiver's date cannot be right and is ignored.", hasNoEnd: true)
    case .beside(let name, let notice): self.init(.stream(notice), of: name)
    default: return nil
    }
  }

  /// The doubt that the units leave; nil for none.
  private static func doubt(of scales: WireScales) -> String? {
    if case .doubted = scales.field.basis {
      return "In the unit that the device states the field is far from the Earth's: a magnet is near, or the unit is "
        + "another."
    }
    guard case .weightless = scales.acceleration.basis else { return nil }
    return "The accelerations have no gravity in them and are left out: the device is taken to be level."
  }

  private init?(_ notice: LearningNotice) {
    switch notice {
    case .needsFullCalibration:
      self.init(topic: "learning", text: "Nothing can be learnt without a full calibration.", view: "calibrate")
    case .needsGyroscope: self.init(topic: "learning", text: "Nothing can be learnt without a gyroscope.")
    case .hasMoved(let distance, _, let error, _):
      self.init(
        topic: "learning", kind: .good,
        text: "The hard iron has moved by \(Self.number(distance)) µT. Headings follow it, to "
          + "\(Self.number(error))°.")
    case .needsTilt:
      self.init(topic: "learning", text: "Tilt the board as well as turning it, so that what was learnt can be saved.")
    case .saved:
      self.init(topic: "learning", kind: .good, text: "What was learnt is saved as a version of the calibration.")
    case .notSaved: self.init(topic: "learning", text: "What was learnt cannot be saved.")
    }
  }

  private init?(_ notice: InstrumentNotice) {
    switch notice {
    case .uncalibrated:
      self.init(topic: "calibration", text: "Not calibrated: headings may be far off.", view: "calibrate")
    case .ownHeadings:
      self.init(topic: "calibration", text: "Not calibrated: the device's own headings are shown.", view: "calibrate")
    case .calibration(.fitsAgain):
      self.init(topic: "calibration", kind: .good, text: "The calibration fits again.")
    case .calibration(.noLongerFits(let share, let dip, let turning)):
      let inclination = dip.map { ", its inclination \(Self.number($0))° off" } ?? ""
      let sides = turning > 0 ? ", and changes by \(Self.number(turning * 100)) % as the board turns" : ""
      self.init(
        topic: "calibration",
        text: "The calibration no longer fits: the field is \(Self.number(share * 100)) % off\(inclination)\(sides).",
        view: "calibrate")
    case .otherPlace(let difference):
      let share = difference.strengthShare
      let strength = "\(Self.number(abs(share) * 100)) % \(share < 0 ? "weaker" : "stronger")"
      let dip = difference.inclination.map { ", its inclination \(Self.number(abs($0)))° \($0 < 0 ? "less" : "more")" }
      self.init(
        topic: "place",
        text: "The place is not that of the calibration: the field there is \(strength)\(dip ?? ""). Check the place.",
        hasNoEnd: true)
    case .temperature(let now, let calibrated):
      let side = now > calibrated ? "warmer" : "colder"
      self.init(
        topic: "temperature",
        text: "The chip is \(Self.number(abs(now - calibrated), 0)) °C \(side) than when it was calibrated: "
          + "headings may be off by more than stated.", view: "calibrate", hasNoEnd: true)
    case .cause(.missing(let name, _)):
      self.init(
        topic: "cause", text: "The device does not tell \(name): headings are less accurate.", hasNoEnd: true)
    case .cause(.outside(let name, _, _)):
      self.init(
        topic: "cause", text: "\(name) is outside its calibrated range: headings are less accurate.", hasNoEnd: true)
    case .gyroscope:
      self.init(
        topic: "gyroscope", text: "The gyroscope does not agree with the other sensors and is ignored.", hasNoEnd: true)
    case .gyroscopeZero(let change):
      self.init(
        topic: "gyroscope-zero",
        text: "The gyroscope's zero is \(Self.number(change)) °/s off that of the calibration; it is corrected.",
        view: "calibrate", hasNoEnd: true)
    case .signAssumed:
      self.init(
        topic: "axes", text: "The axes may be the other way up: set the place, or calibrate with it.",
        view: "calibrate", hasNoEnd: true)
    case .assumedLevel: self.init(topic: "level", text: "No accelerometer: the device is assumed to be level.")
    case .forceLeftOut:
      self.init(
        topic: "level", text: "The calibration left the accelerometer out: the device is assumed to be level.",
        view: "calibrate")
    case .nothingOfUse(let tells, let needs) where tells.lackScale(for: needs):
      self.init(
        topic: "link", text: "The field is in counts of unknown scale: calibrate with the place set.", view: "calibrate"
      )
    case .nothingOfUse(let tells, _) where tells.contains(.alongProbe):
      self.init(
        topic: "link", text: "A probe of one axis: lodestone teslameter reads it, this page does not.", view: "devices")
    case .nothingOfUse: self.init(topic: "link", text: "The device sends no magnetic field.", view: "devices")
    case .zeroed(let zero):
      let hint = zero.turnField.map { " Keep the sensor as it is: 1° of turn looks like \(Self.number($0, 2)) µT." }
      let near =
        zero.missedStrength != nil
        ? " It is not the calibration's field: is a magnet or iron near?"
        : zero.isStrong ? " It is far stronger than the Earth's field: is a magnet or iron near?" : ""
      self.init(topic: "zero", kind: .good, text: "The zero-point is taken.\(near)\(hint ?? "")")
    case .remanence(let remanence):
      self.init(
        topic: "zero",
        text: "\(Self.number(remanence.left)) µT are left after a strong field and do not change. If the magnet is "
          + "away, the sensor or iron beside it is magnetised: take the zero-point again.")
    case .zeroRefused(_, let isFinal):
      self.init(
        topic: "zero",
        text: "No zero-point: keep the sensor still and magnets away.\(isFinal ? "" : " Trying again.")")
    default: return nil
    }
  }

  private static func number(_ value: Double, _ decimals: Int = 1) -> String { value.text(decimals: decimals) }

  private static func signed(_ value: Double) -> String { (value < 0 ? "" : "+") + number(value) }
}
