import ArgumentParser
import Instruments

/// Words what a stream reports, on standard error.
struct Notices {
  private let isQuiet: Bool
  private let isVerbose: Bool

  /// As loud as the options want.
  init(_ options: StreamOptions) {
    isQuiet = options.quiet
    isVerbose = options.verbose
  }

  /// Says it, unless the user wants it quiet.
  func say(_ notice: StreamNotice) {
    if !isQuiet { writeToStandardError("lodestone: \(words(notice).singleLine)\n") }
  }

  /// Says a sentence of the command's own.
  func say(_ text: String) {
    if !isQuiet { writeToStandardError("lodestone: \(text.singleLine)\n") }
  }

  private func words(_ notice: StreamNotice) -> String {
    switch notice {
    case .detected(let name, let baudRate, let evidence):
      "found \(name)\(baudRate.map { " at \($0) baud" } ?? "")\(evidence.isEmpty ? "" : ": \(evidence)")"
    case .unitChosen(let quantity, let unit, let evidence): "took \(quantity) to be in \(unit): \(evidence)"
    case .silent(let seconds): "nothing has arrived for \(Int(seconds)) s"
    case .unrecognized(let sample, let expected): "can't read what arrives: \(sample) (expected \(expected))"
    case .lost(let name): "\(name) has gone; waiting for it to come back"
    case .returned(let name, let seconds): "\(name) is back after \(Int(seconds.rounded())) s"
    case .gap(let seconds): "samples are missing: \(Int((seconds * 1000).rounded())) ms of them"
    case .truncated(let count): "the last line is cut off and was left out (\(count) bytes)"
    case .rejected(let counts):
      "left out " + counts.map { "\($0.count) \($0.reason)" }.listed
    }
  }
}

/// Ends a streaming command as it ended: 130 after Ctrl-C, otherwise quietly.
func finish(_ end: StreamLoop.End) throws {
  if end == .interrupted { throw ExitCode(Failure.Code.interrupted.rawValue) }
}
