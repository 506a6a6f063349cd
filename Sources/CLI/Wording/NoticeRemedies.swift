import Calibration
import Drivers
import Instruments
import Lodestone
import LodestoneCore
import Navigation

// Remedies that a terminal offers for notices: an option, or a command. Each begins with the mark that joins it to the
// notice's words, and is empty where nothing helps.

extension Notice {
  /// The remedy for a notice of the session itself.
  /// - Parameter advice: how the device is calibrated.
  func remedy(_ advice: CalibrationAdvice) -> String {
    switch self {
    case .noTime: ". Set the clock, or give --date"
    case .learning(.needsFullCalibration): ". \(advice.words().capitalizedFirst)"
    case .learning(.hasMoved(_, _, _, isSaved: false)): ". --learn save would save that"
    case .learning(.notSaved(nil)): ": neither XDG_DATA_HOME nor HOME says where"
    case .learning(.notSaved(let problem?)): ": \(Failure(problem, to: "write").message)"
    default: ""
    }
  }
}

extension InstrumentNotice {
  /// The remedy for a notice of an instrument.
  /// - Parameters:
  ///   - advice: how the device is calibrated.
  ///   - profile: its calibration.
  func remedy(_ advice: CalibrationAdvice, _ profile: Profile?) -> String {
    switch self {
    case .uncalibrated: ". \(advice.words().capitalizedFirst)"
    case .ownHeadings: ". For ours, with accuracy, \(advice.words())"
    case .calibration(.noLongerFits):
      "; it is \(profile.map { CalibrationAge.words(since: $0.created) } ?? "") old. "
        + "If only the hard iron has changed (a battery, a screw), \(advice.words(isTouchUp: true))"
    case .signAssumed: ". Give the place, --at LAT,LON, or calibrate with it"
    case .nothingOfUse(let tells, let needs): ": \(tells.advice(needs))"
    case .noGyroscope: ". lodestone heading needs none"
    case .deviationNotAdded: ". --at LAT,LON gives the declination between them"
    case .receiver(.inexact): ". --accuracy takes those at least so good"
    default: ""
    }
  }
}

extension StreamNotice {
  /// The remedy for a notice about a stream.
  var remedy: String {
    switch self {
    case .severalCompasses(let all, let read):
      " (?compass=\(all.first { $0 != read } ?? read) at the end of the address reads another)"
    case .silent(_, let part): part.remedy
    case .unrecognized(_, _, _, as: "gpsd"): " (check the address and what serves it)"
    case .unrecognized(_, let isText, let hasBaudRate, as: let given?):
      " (\(hasBaudRate && !isText ? "check the baud rate, or " : "")leave ?protocol=\(given) out: the protocol is found by "
        + "listening)"
    case .unrecognized(_, isText: true, _, _):
      " (print a line such as mx:12.3,my:-4.5,mz:38.1 in µT, or name the columns of a table with --columns; t,probe for "
        + "a probe of one axis)"
    case .unrecognized(_, isText: false, hasBaudRate: true, _):
      " (check the baud rate, or name the protocol: ?baud=9600&protocol=nmea)"
    case .unrecognized(_, isText: false, hasBaudRate: false, _):
      " (check the address and what serves it, a serial server's baud rate too, or name the protocol: ?protocol=nmea)"
    case .nothingOfUse: " (see whether it sends them: a compass without a heading sends empty fields)"
    case .noSentences: " (a receiver sends sentences such as $GPRMC and $GPGGA)"
    case .unknownFrame: ". If x points forward and y left, as ROS prefers, give --mount -y,x,z"
    case .timesCounted(rate: nil): "; state their rate as in FILE?rate=50"
    case .forgotten: ". Name them with --columns, or in a header, and all is read"
    default: ""
    }
  }

  /// A doubt about what the numbers are, with the options that settle it; nil for any other notice.
  var doubt: String? {
    switch self {
    case .unclearField(let field): field.words
    case .doubtful(let fault, let sample): "\(fault.words): \(sample)"
    case .unitsChosen(let scales): scales.words.isEmpty ? nil : scales.words.joined(separator: "; ")
    case .columnsAssumed(let columns): columns.words
    default: nil
    }
  }
}

extension StreamNotice.Silent {
  fileprivate var remedy: String {
    switch self {
    case .chip: ""
    case .writer: " (see whether the program that writes to it runs, and writes each line at once)"
    case .sender: " (check that something is sent to this address)"
    case .gpsd: " (check that it has the device: sudo gpsdctl add /dev/ttyACM0; gpsmon shows what it gets)"
    case .publisher:
      " (check that something is published at this topic, and that the broker's access list lets this user read it)"
    case .board: " (a board that speaks only when asked needs --probe)"
    }
  }
}
