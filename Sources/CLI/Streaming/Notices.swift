import ArgumentParser
import Drivers
import Instruments
import Ports

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
    if notice.isDetail, !isVerbose { return }
    let words = words(notice)
    if !words.isEmpty { say(words) }
  }

  /// Says a sentence of the command's own.
  func say(_ text: String) {
    if !isQuiet { writeToStandardError("lodestone: \(text.singleLine)\n") }
  }

  /// Says how many lines a reader that did not keep up has lost; nothing when it got all of them.
  func sayLosses(of output: OutputPipe) {
    if let words = lossWords(output.droppedLineCount, "line", of: "the reader") { say(words) }
  }

  private func words(_ notice: StreamNotice) -> String {
    switch notice {
    case .detected(let finding, let baudRate):
      "found \(finding.name)\(baudRate.map { " at \($0) baud" } ?? ""): \(finding.proof.words), "
        + "\(finding.validCount) messages read"
    case .chipsFound(let name, let magnetometer, let motion, let rate):
      "found \(magnetometer)\(motion.map { " with \($0)" } ?? "") at \(name), \(hertz(rate)) samples a second"
    case .unitsChosen(let scales): scales.words.joined(separator: "; ")
    case .tryingBaudRate(let rate): "nothing understood; listening at \(rate) baud"
    case .stuck: "the field has not changed in any digit for seconds: the sensor is stuck or gone"
    case .silent(let seconds): "nothing has arrived for \(Int(seconds)) s"
    case .unrecognized(let sample, let expected): "can't read what arrives: \(sample) (expected \(expected))"
    case .lost(let name): "\(name) has gone; waiting for it to come back"
    case .disconnected(let name): "the connection to \(name) broke; trying again"
    case .returned(let name, let seconds): "\(name) is back after \(Int(seconds.rounded())) s"
    case .gap(let seconds): "samples are missing: \(Int((seconds * 1000).rounded())) ms of them"
    case .truncated(let count): "the last line is cut off and was left out (\(count) bytes)"
    case .rejected(let counts): "left out \(counts.words)"
    }
  }
}

extension StreamNotice {
  /// Of interest only to those who want to know how it was found.
  fileprivate var isDetail: Bool {
    switch self {
    case .detected(_, baudRate: nil), .tryingBaudRate: true
    default: false
    }
  }
}

/// A rate with as many digits as it deserves.
private func hertz(_ rate: Double) -> String {
  rate < 10 ? "\((rate * 10).rounded() / 10)" : "\(Int(min(rate, 1e6).rounded()))"
}

extension WireProof {
  /// Why a protocol was believed.
  fileprivate var words: String {
    switch self {
    case .request: "it was asked for"
    case .numbers: "lines of numbers"
    case .framing: "its frames come back at their places"
    case .signature: "words that only it uses"
    case .checksum: "its checksums are right"
    }
  }
}

extension RejectedCounts {
  /// "2 with a wrong checksum and 1 malformed".
  var words: String {
    [
      (checksum, "with a wrong checksum"), (malformed, "malformed"), (unrecognized, "unrecognized"),
      (tooLong, "too long"), (implausible, "beyond any sensor's range"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.listed
  }
}

/// Ends a streaming command as it ended: 130 after Ctrl-C, otherwise quietly.
func finish(_ end: StreamLoop.End) throws {
  if end == .interrupted { throw ExitCode(Failure.Code.interrupted.rawValue) }
}

/// What was lost by somebody who did not keep up, in words; nil for nothing.
func lossWords(_ count: Int, _ thing: String, of reader: String) -> String? {
  guard count > 0 else { return nil }
  return "\(count) \(thing)\(count == 1 ? " was" : "s were") dropped because \(reader) did not keep up"
}
