import Calibration
import Glibc
import LodestoneCore

extension CalibrateCommand {
  /// A calibration that is worse than the one in use replaces it only when its user wants that, or where a touch-up
  /// shows what it is made for: that the one in use does not hold any more. Where nobody can be asked, one that shows
  /// the same replaces it, too: what the other says of its accuracy is of another time.
  /// - Parameter keeps: one that is not saved though nobody could be asked is kept elsewhere, for its sweep cannot be
  ///   read again.
  func confirm(_ made: Profile, insteadOf before: Profile?, asks: Bool, keeps: Bool) throws {
    guard let before, made.isWorse(than: before), !replace, !force else { return }
    guard !touchUp || made.disagreement(with: before) == nil else { return }
    let comparison = comparison(made, before)
    guard asks else { throw Failure(.badData, comparison, hint: "--replace saves it all the same") }
    guard !json, isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else {
      guard made.disagreement(with: before) == nil else {
        if !streamOptions.quiet { writeToStandardError("lodestone: \(comparison): it is replaced\n") }
        return
      }
      let failure = Failure(.badData, "not saved: \(comparison)", hint: "--replace saves it all the same")
      throw keeps ? failure.keeping(made, for: profile) : failure
    }
    writeToStandardError(
      "\(comparison.prefix(1).uppercased())\(comparison.dropFirst()), made \(CalibrationAge.words(since: before.created)) "
        + "ago.\nReplace it? [y/N] ")
    guard try isYes() else { throw Failure(.badData, "not saved: the active calibration was kept") }
  }

  /// Whether the user answers yes. Ctrl-C is a failure.
  private func isYes() throws(Failure) -> Bool {
    var answers = try LineReader(path: "-")
    do throws(Failure) {
      guard let answer = try answers.next() else { return false }
      return [UInt8(ascii: "y"), UInt8(ascii: "Y")].contains(answers.buffer[answer].first)
    } catch {
      guard error.exitCode == .interrupted else { throw error }
      throw Failure(.interrupted, "not saved: the active calibration was kept")
    }
  }

  /// Why a calibration may be better left alone, and whether this one finds it out of date.
  private func comparison(_ made: Profile, _ before: Profile) -> String {
    let accuracies = "(\(before.accuracyWords) against \(made.accuracyWords))"
    guard let apart = made.disagreement(with: before) else { return "the active calibration is better \(accuracies)" }
    return "the active calibration says that it is better \(accuracies), but by this one its headings are now up to "
      + "\(number(apart, 0))° off"
  }
}
