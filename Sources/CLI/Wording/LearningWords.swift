import Lodestone

extension LearningNotice {
  /// The notice in a sentence.
  /// - Parameter advice: how the device is calibrated.
  func words(_ advice: CalibrationAdvice) -> String {
    switch self {
    case .needsFullCalibration:
      "nothing can be learnt without a full calibration. \(advice.words().capitalizedFirst)"
    case .needsGyroscope: "nothing can be learnt: the device sends no rotation rates"
    case .hasMoved(let distance, let deviation, let error, let isSaved):
      "the hard iron has moved by \(number(distance, 1)) ± \(number(2 * deviation, 1)) µT since the calibration; headings "
        + "follow it, to \(number(error, 1))°" + (isSaved ? "" : ". --learn save would save that")
    case .needsTilt: "tilt the board as well as turning it, so that what was learnt can be saved"
    case .saved(let path): "what was learnt is saved as \(path.harmless)"
    case .notSaved(nil): "what was learnt cannot be saved: neither XDG_DATA_HOME nor HOME says where"
    case .notSaved(let problem?): "what was learnt cannot be saved: \(Failure(problem, to: "write").message)"
    }
  }
}
