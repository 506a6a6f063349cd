import Calibration
import LodestoneCore
import Navigation

// The words for a notice of an instrument that the terminal and the page share.

extension InstrumentNotice {
  /// The notice in a clause, without a capital and a full stop. Nil for a zero-point that was taken or refused: the
  /// terminal says its numbers, which the page shows beside the reading.
  /// - Parameter unit: of fields.
  func words(in unit: FieldDisplayUnit) -> String? {
    switch self {
    // The calibration.
    case .uncalibrated: "not calibrated: headings may be far off"
    case .ownHeadings: "not calibrated: the device's own headings are passed on"
    case .calibration(let event): event.words
    case .temperature(let now, let calibrated): Self.temperature(now, calibrated: calibrated)
    case .cause(let fault): fault.words
    case .otherPlace(let difference): difference.words
    case .signAssumed:
      "the calibration was made without a place, and its axes may be the other way up: headings may be far off"
    // The device.
    case .nothingOfUse(let tells, let needs): tells.words(of: "the device sends", missing: needs)
    case .noGyroscope: "the device sends no rotation rates: an attitude needs a gyroscope"
    case .deviationNotAdded:
      "the deviation is not added: it belongs to magnetic headings, and the device sends true ones alone"
    case .settingsIdle(let settings):
      "the device sends headings of its own, which are passed on as they are: \(settings.map { $0.words }.listed) "
        + "\(settings.count == 1 ? "changes" : "change") nothing"
    case .assumedLevel: "no accelerometer: the device is assumed to be level"
    case .forceLeftOut:
      "the calibration left the accelerometer out: the device is assumed to be level. Calibrate with rests"
    case .deadAxis(let axis): axis.words
    case .coarseField(let step):
      "the numbers of the field come in steps of \(number(step, 1)) µT, and directions are as rough: let the board print "
        + "more digits, or take a finer sensor"
    case .gyroscope(let fault): fault.words
    case .gyroscopeZero(let change):
      "the gyroscope's zero is now \(number(change, 1)) °/s off that of the calibration, as after a reset or in another "
        + "warmth; it is corrected. If this comes each time, calibrate again"
    case .receiver(let notice): notice.words
    // The zero-point.
    case .zeroed, .zeroRefused: nil
    case .remanence(let remanence): remanence.words(in: unit)
    }
  }

  private static func temperature(_ now: Double, calibrated: Double) -> String {
    "the chip has \(number(now, 0)) °C, \(number(abs(now - calibrated), 0)) °C \(now > calibrated ? "warmer" : "colder") "
      + "than when it was calibrated: headings may be off by more than stated. Calibrate again at this temperature"
  }
}

extension FieldSetting {
  fileprivate var words: String {
    switch self {
    case .calibration: "the calibration"
    case .mounting: "the mounting"
    case .orientation: "the orientation"
    case .pointing: "the pointing"
    }
  }
}

extension CalibrationHealth.Event {
  fileprivate var words: String {
    switch self {
    case .fitsAgain: return "the calibration fits again"
    case .noLongerFits(let share, let dip, let turning):
      let inclination = dip.map { ", its inclination \(number($0, 1))° off" } ?? ""
      let sides = turning > 0 ? ", and changes by \(number(turning * 100, 1)) % as the board turns" : ""
      return "the calibration no longer fits: the field is \(number(share * 100, 1)) % off\(inclination)\(sides)"
    }
  }
}

extension DeadAxis {
  /// The axis and its number, and what follows.
  fileprivate var words: String {
    let (name, unit, rest) =
      switch sensor {
      case .magnetometer: ("field", " µT", "the field is only partly measured")
      case .accelerometer: ("accelerometer", " g", "it is not used, and headings have no accuracy")
      case .gyroscope: ("gyroscope", " °/s", "it is not used")
      }
    let letter = axis == 0 ? "x" : axis == 1 ? "y" : "z"
    return "the \(name)'s \(letter) stays at \(number(value, 2))\(unit) while its other axes change: the axis is "
      + "dead, or what prints it; \(rest)"
  }
}

extension CauseFault {
  /// The value of a cause that is not known, and what follows for headings.
  fileprivate var words: String {
    switch self {
    case .missing(let name, let off):
      "the device does not tell \(name.harmless): the field may be off by \(number(off, 1)) µT, and the accuracy counts it"
    case .outside(let name, let value, let range):
      "the value of \(name.harmless) is \(number(value, 1)), calibrated \(range.words): headings are less accurate"
    }
  }
}

extension PlaceDifference {
  fileprivate var words: String {
    let strength = "\(number(abs(strengthShare) * 100, 1)) % \(strengthShare < 0 ? "weaker" : "stronger")"
    let dip = inclination.map { ", its inclination \(number(abs($0), 1))° \($0 < 0 ? "less" : "more")" } ?? ""
    return "the place is not that of the calibration: by the model the field there is \(strength)\(dip). "
      + "The place's field is expected; check the place"
  }
}

extension DeviceParts {
  private static let names: [(DeviceParts, String)] = [
    ([.field, .strength], "a magnetic field"), (.acceleration, "accelerations"), (.rotation, "rotation rates"),
    (.heading, "headings of its own"), (.position, "positions"), (.alongProbe, "the field along a probe of one axis"),
  ]

  /// "accelerations and rotation rates".
  package func words(joined: String = "and") -> String {
    let parts = Self.names.filter { !isDisjoint(with: $0.0) }.map { $0.1 }
    return parts.isEmpty ? "nothing" : parts.listed(joined: joined)
  }

  /// The quantities sent and those needed.
  /// - Parameter sender: who sends or holds them, with the verb.
  package func words(of sender: String, missing needs: DeviceParts) -> String {
    if lackScale(for: needs) { return "the field is in counts of unknown scale, and this needs its strength" }
    return "\(sender) \(words()), and this needs \(needs.subtracting(.alongProbe).words(joined: "or"))"
  }
}

extension GyroscopeFault {
  /// The fault, and its consequence.
  fileprivate var words: String {
    switch self {
    case .wrongSign: "the gyroscope turns against the other sensors; it is not used"
    case .missesTurns:
      "the gyroscope misses turns that the other sensors see, or feels them otherwise; it is not used for a while"
    case .wrongAxes: "the gyroscope's axes are not those of the other sensors; it is not used"
    case .radians: "the gyroscope seems to send radians per second, not degrees; it is not used"
    case .scale(let factor):
      "the gyroscope reads \(factor.text(decimals: factor < 10 ? 2 : 0)) times too much; it is not used"
    case .stuck: "the gyroscope does not feel that the board turns; it is not used"
    }
  }
}

extension ReceiverNotice {
  fileprivate var words: String {
    switch self {
    case .noFix: "the receiver has no fix; waiting for one"
    case .fix: "the receiver has a fix"
    case .jumped(let metres, let seconds):
      "left out a fix \(number(metres / 1000, 1)) km from the one before, \(number(seconds, 1)) s later: nothing moves so "
        + "fast. It is believed once more agree with it"
    case .moved(let metres):
      "the receiver is \(number(metres / 1000, 1)) km from where it was: several fixes agree. Distances go on from the "
        + "same start"
    case .inexact(let best): "fixes are left out: \(InexactFixes.words(best: best))"
    case .noAltitude: "the receiver sends no altitude: what is left of the climb is not known"
    }
  }
}

extension InexactFixes {
  /// "the best is accurate to 7.2 m".
  package static func words(best: Double?) -> String {
    best.map { "the best is accurate to \(number($0, 1)) m" } ?? "none says how accurate it is"
  }
}

extension Remanence {
  /// A remanence as a sentence: the field that is left, and a way to be rid of it.
  fileprivate func words(in unit: FieldDisplayUnit) -> String {
    func field(_ microtesla: Double, within uncertainty: Double) -> String {
      let decimals = unit.decimals(uncertainty: uncertainty)
      return "\(number(microtesla / unit.microtesla, decimals)) \(unit.symbol)"
    }
    let (weak, strong) = (field(left, within: left / 2), field(strongest, within: strongest / 20))
    return "\(weak) are left after \(strong) and do not change: if the magnet is away, the sensor or "
      + "iron beside it is magnetised. Take the zero-point again"
  }
}
