import Geomagnetism
import LodestoneCore

// The words for a notice that the terminal and the page share: what has happened, and where it needs no option of the
// command nor a button, what to do. Each adds what it can do besides.

extension Notice {
  /// The notice in a clause, without a capital and a full stop; the one about a device beside the first one without its
  /// name. Nil where the terminal and the page have words of their own: for sinks, which only the command has, and
  /// where `StreamNotice.words` and `InstrumentNotice.words` have none.
  /// - Parameter unit: of fields.
  package func words(in unit: FieldDisplayUnit = .microtesla) -> String? {
    switch self {
    case .stream(let notice): notice.words()
    case .instrument(let notice): notice.words(in: unit)
    case .positionReceived(let declination): "position received: declination \(declination.words)"
    case .timeReceived(let declination): "the time is known now: declination \(declination.words)"
    case .noTime(let unixTime): "\(clockWords(unixTime)), so there are no true headings"
    case .noDeclination(let problem): "no declination: \(problem.words)"
    case .weakField(let field): field.advice
    case .learning(let notice): notice.words
    case .noPosition(let name): "no position in \(name)"
    case .beside(_, let notice): notice.words(in: unit)
    case .sink: nil
    }
  }

  /// Whether its words name the device: those about the link to a device beside the first one need its name no second
  /// time.
  package var namesDevice: Bool {
    guard case .stream(let notice) = self else { return false }
    return notice.namesDevice
  }
}

extension LearningNotice {
  /// The notice in a clause.
  fileprivate var words: String {
    switch self {
    case .needsFullCalibration: "nothing can be learnt without a full calibration"
    case .needsGyroscope: "nothing can be learnt: the device sends no rotation rates"
    case .hasMoved(let distance, let deviation, let error, _):
      "the hard iron has moved by \(number(distance, 1)) ± \(number(2 * deviation, 1)) µT since the calibration; headings "
        + "follow it, to \(number(error, 1))°"
    case .needsTilt: "tilt the board as well as turning it, so that what was learnt can be saved"
    case .saved(let path): "what was learnt is saved as \(path.harmless)"
    case .notSaved: "what was learnt cannot be saved"
    }
  }
}

extension Declination {
  fileprivate var words: String { "\(degrees < 0 ? "" : "+")\(number(degrees, 1))°" }
}

extension FieldModel.Problem {
  /// The problem in a clause.
  package var words: String {
    switch self {
    case .dateOutsideLife(let date, let model, let life):
      "date \(date.words(outside: life)) is outside the life of \(model), \(life.lowerBound.words) to "
        + life.upperBound.words
    }
  }
}

extension DecimalYear {
  /// The year for messages: 2026.7, not 2026.69999.
  package var words: String {
    let rounded = (value * 1000).rounded() / 1000
    return (rounded.isFinite ? rounded : value).exactText()
  }

  /// The year of a date outside a model's life: with all its digits where rounding would take it in.
  fileprivate func words(outside life: ClosedRange<DecimalYear>) -> String {
    DecimalYear(words).map { life.contains($0) } == true ? value.exactText() : words
  }
}

extension EarthField {
  /// The advice about compasses where the horizontal field is weak; nil where it is not.
  package var advice: String? {
    let horizontal = number(elements.horizontal, 0)
    return switch zone {
    case .normal: nil
    case .caution: "Caution: the horizontal field is only \(horizontal) nT here, and a compass may be in error."
    case .blackout:
      "Blackout: the horizontal field is only \(horizontal) nT here. Declination is unreliable; do not use a compass."
    }
  }
}

/// The clause about a clock that is wrong, by the seconds since 1970-01-01 UTC that it shows.
package func clockWords(_ unixTime: Double) -> String {
  "the system's clock says \(day(unixTime)), which can't be right"
}

/// A day in UTC, from seconds since 1970-01-01 UTC: 2026-07-31.
package func day(_ unixTime: Double) -> String {
  var text = TextBuffer()
  text.append(utc: unixTime, decimals: 0)
  return String(text.text.prefix(10))
}
