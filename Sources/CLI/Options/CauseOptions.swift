import ArgumentParser
import Calibration
import Drivers
import Instruments
import LodestoneCore

/// `--cause`: what besides iron turns the needle.
struct CauseOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("with")],
    help: ArgumentHelp(
      "A column or value of the device (current_A, throttle, rudder, temperature) that turns the needle. Repeatable.",
      discussion:
        "What the field does in proportion to it is found, kept and taken off. Let it run through its range in "
        + "every attitude, and while you hold still. NAME=0..30 asks for that range; without it, the one met counts.",
      valueName: "name"))
  var cause: [SoughtCause] = []

  func validate() throws { try Self.check(cause.map { $0.name }) }

  /// Refuses more causes than a stream can seek, and one that is named twice.
  static func check(_ names: [String]) throws(ValidationError) {
    guard names.count <= CauseValues.limit else {
      throw ValidationError("--cause: at most \(CauseValues.limit) at once")
    }
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw ValidationError("--cause \(name) is given twice")
    }
  }

  /// Tells a stream which values are wanted of it.
  func seek(in stream: any SampleStream) {
    if !cause.isEmpty { stream.seek(CauseNames(cause.map { $0.name })) }
  }

  /// Says which values have come so far, where that is news.
  func tell(_ samples: [Sample], _ told: inout String) {
    let words = zip(cause, cause.met(in: samples)).map { cause, range in
      range.map { "\(cause.name) \($0.words)" } ?? "no \(cause.name)"
    }
    let line = "So far \(samples.isEmpty ? "no samples" : words.listed)."
    guard line != told else { return }
    told = line
    writeToStandardError(line.harmless + "\n")
  }

  /// The names in a sentence.
  var names: String { cause.map { $0.name }.listed }
}

extension SoughtCause: ExpressibleByArgument {
  /// A cause from `current_A`, or with its range from `current_A=0..30`.
  public init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard name.contains(where: { $0.isLetter }) else { return nil }
    guard parts.count > 1 else {
      self.init(name)
      return
    }
    let ends = parts[1].split(separator: "..", omittingEmptySubsequences: false).map { Double($0) }
    guard ends.count == 2, let low = ends[0], let high = ends[1], low.isFinite, high.isFinite, low < high else {
      return nil
    }
    self.init(name, range: low...high)
  }
}
