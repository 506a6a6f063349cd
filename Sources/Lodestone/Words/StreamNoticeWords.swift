import Drivers
import Instruments
import LodestoneCore
import LodestonePorts

// The words for a notice about a stream that the terminal and the page share.

extension StreamNotice {
  /// The notice in a clause, without a capital and a full stop. Nil for doubts about what the numbers are: an option
  /// helps at the terminal, another sketch whoever looks at the page.
  /// - Parameter other: what the device is called; nil for its own name.
  package func words(calling other: String? = nil) -> String? {
    switch self {
    // The search for its protocol.
    case .detected(let finding, let baudRate): finding.words(at: baudRate)
    case .weighed(let protocols, let orders): Self.weighed(protocols, orders).joined(separator: "; ")
    case .chipsFound(let name, let chip, let motion, let rate): Self.found(chip, with: motion, at: name, rate)
    case .severalCompasses(let all, let read): "it has compasses \(all.map { "\($0)" }.listed); reading compass \(read)"
    case .flightController(let told): told.words
    case .bufferInUse(let name, let holders): "\(holders.subject) has the buffer of \(name); reading without it"
    case .tryingBaudRate(let rate): "nothing understood; listening at \(rate) baud"
    // Its link.
    case .lost(let name): "\(other ?? name) has gone; waiting for it to come back"
    case .unanswered(let name): "\(other ?? name) has not answered yet; still trying"
    case .disconnected(let name, let reason):
      "the connection to \(other ?? name) broke\(reason.map { ": \($0.asClause)" } ?? ""); trying again"
    case .returned(let name, let seconds): "\(other ?? name) is back after \(number(seconds, 0)) s"
    case .silent(let seconds, let part): part.words(seconds)
    case .gap(let seconds): "samples are missing: \(Self.short(seconds)) of them"
    case .late(let seconds):
      "what came now had waited on its way for \(number(seconds, 0)) s: its times are spread over them"
    // Lines and bytes that arrive.
    case .unrecognized(let sample, _, _, as: let given?): "no message of \(given) is in what arrives: \(sample)"
    case .unrecognized(let sample, isText: true, _, _): "there are no x, y and z of a field in what arrives: \(sample)"
    case .unrecognized(let sample, isText: false, _, _): "can't read what arrives: \(sample)"
    case .nothingOfUse(let name, let sample):
      "messages arrive (\(name)), and no heading, field or motion in them: \(sample)"
    case .noSentences(let sample): "there are no positions in what arrives: \(sample)"
    case .unclearField, .doubtful, .unitsChosen, .columnsAssumed: nil
    case .noChecksums: "the sentences carry no checksums: damage on the line goes unseen"
    case .columnsNotRead(let names): "columns that are not read: \(names.listed)"
    case .columnsChanged:
      "the columns of the table have changed: another header came, or later lines show what they are"
    case .truncated(let count): "the last line is cut off and was left out (\(count) bytes)"
    case .forgotten(let count): "the first \(max(1, count / 1000)) kB were left out: \(Self.lateColumns)"
    case .rejected(let counts): "left out \(counts.words)"
    // Who sends it.
    case .otherCompass(let name): "there is another compass in the stream (\(name)): its headings are left out"
    case .fieldsInTurn: Self.twoBoards
    case .signsLost: Self.lostSigns
    case .headingsInTurn: Self.twoCompasses
    case .unknownFrame(let name): Self.axes(ofFrame: name)
    case .beside(_, let notice): notice.words(calling: other)
    // Its times.
    case .wrongDate(let unixTime, let rollovers): Self.wrongDate(unixTime, rollovers)
    case .timesCounted(rate: nil): "the recording has no times: time_s is the number of the message"
    case .timesCounted(let rate?): "the recording has no times: taken as \(Self.hertz(rate)) messages a second"
    case .timeAssumed(let scale): Self.assumedTime(scale)
    case .timeCorrected(let correction): correction.words
    case .timesApart(let name): "the times of \(name) are not those of the recording: no value of it was used"
    // Its sensors.
    case .implausibleField(let name, let strength): Self.implausible(strength, of: other ?? name)
    case .oddGravity(let name, let g): Self.oddGravity(g, of: other ?? name)
    case .stuck: "the field has not changed in any digit for seconds: the sensor is stuck or gone"
    case .unitChanged:
      "the numbers of the field became many times as large or small eight lines ago, and point where they did, as in another "
        + "unit or range: from here on their unit is found anew"
    case .forceUnitChanged:
      "the numbers of the acceleration became many times as large or small eight lines ago, and point where they did, as in "
        + "another unit: from here on their unit is found anew"
    case .rangeChanged(let times): Self.rangeChanged(times)
    case .unitMissing:
      "the field comes without the unit that it had before: such lines were left out so far, and from here on its unit is found"
    case .changesAgain: "the field changes again"
    case .rateSaturated(let limit): Self.saturated(limit)
    }
  }

  /// Whether its words name the device.
  package var namesDevice: Bool {
    switch self {
    case .lost, .unanswered, .disconnected, .returned: true
    default: false
    }
  }

  /// The protocols and orders of columns that were weighed, one a line.
  package static func weighed(_ protocols: [Detector.Finding], _ orders: [WeighedColumns]) -> [String] {
    protocols.map { "weighed \($0.name): \($0.counts)" }
      + orders.map { order in
        "weighed the columns \(order.columns.map { $0.isEmpty ? "_" : $0 }.joined(separator: ",")): "
          + number(order.score, 1)
      }
  }
}

// MARK: - How it was found

extension StreamNotice {
  private static func found(_ chip: String, with motion: String?, at name: String, _ rate: Double?) -> String {
    "found \(chip)\(motion.map { " with \($0)" } ?? "") at \(name), "
      + (rate.map { "\(hertz($0)) samples a second" } ?? "at the pace of its trigger")
  }

  /// A rate with as many digits as it deserves.
  private static func hertz(_ rate: Double) -> String {
    rate < 10 ? "\((rate * 10).rounded() / 10)" : number(min(rate, 1e6), 0)
  }
}

extension Detector.Finding {
  fileprivate func words(at baudRate: Int?) -> String {
    "found \(name)\(baudRate.map { " at \($0) baud" } ?? ""): \(proof.words), \(validCount) messages read"
  }

  fileprivate var counts: String {
    "\(messageCount) messages of use among \(validCount), \(rejectedByteCount) bytes rejected (\(proof.words))"
  }
}

extension WireProof {
  /// Why a protocol was believed.
  fileprivate var words: String {
    switch self {
    case .request: "it was asked for"
    case .numbers: "lines of numbers"
    case .framing: "repeating frame pattern"
    case .signature: "recognised labels"
    case .checksum: "messages of its form, and no checksum is wrong"
    }
  }
}

extension [Holder] {
  /// "minicom (process 4242), screen (process 7)".
  package var words: String { map { "\($0.name) (process \($0.processID))" }.joined(separator: ", ") }

  /// The programs, as the subject of a sentence that need not know them.
  package var subject: String { isEmpty ? "another program" : words }
}

// MARK: - Its link

extension StreamNotice.Silent {
  fileprivate func words(_ seconds: Double) -> String {
    let time = "\(number(seconds, 0)) s"
    return switch self {
    case .chip: "the chip answers, and has measured nothing for \(time); it is set up again until it does"
    case .gpsd: "gpsd has told no position, heading or field for \(time)"
    case .board, .sender, .writer, .publisher: "nothing has arrived for \(time)"
    }
  }
}

extension StreamNotice {
  private static func short(_ seconds: Double) -> String {
    seconds < 10 ? "\(number(seconds * 1000, 0)) ms" : "\(number(seconds, 0)) s"
  }
}

// MARK: - What arrives, and who sends it

extension StreamNotice {
  private static let lateColumns = "only what came later told what the columns are"

  private static let twoBoards =
    "the field leaps to and fro between two, as if two boards sent at once, or a current alternated beside it: readings "
    + "are of both. Read one board alone, or have each print a name (id=1, \"id\":\"mast\")"

  private static func rangeChanged(_ times: Double) -> String {
    let size = times > 1 ? "\(number(times, 0)) times as large" : "\(number(1 / times, 0)) times as small"
    return "the numbers of the field became \(size) eight lines ago, and point where they did, as when a chip's range "
      + "changes: from here on strengths are not right, and a calibration does not fit. Keep the range, or have the sketch "
      + "allow for it"
  }

  private static let lostSigns =
    "numbers between -1 and 0 come without their minus: directions are wrong. In the sketch print each with its sign, as "
    + "Serial.print(x, 3) does"

  private static let twoCompasses =
    "the heading leaps to and fro between two, as if two compasses sent at once: readings are of both. Read one alone, "
    + "at a port or topic of its own, or have each send its own NMEA talker"

  private static func axes(ofFrame name: String) -> String {
    "the messages' frame \(name.isEmpty ? "has no name" : "is '\(name)'"), which does not say where its axes point: read "
      + "as x right, y forward, z up"
  }
}

extension RejectedCounts {
  /// "2 with a wrong checksum and 1 malformed".
  fileprivate var words: String {
    [
      (checksum, "with a wrong checksum"), (malformed, "malformed"), (unrecognized, "unrecognized"),
      (tooLong, "too long"), (implausible, "beyond any sensor's range"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.listed
  }
}

// MARK: - Its times

extension StreamNotice {
  /// A date that can't be, and how often the count of weeks has run over since.
  private static func wrongDate(_ unixTime: Double, _ rollovers: Int) -> String {
    let date = "the receiver says it is \(day(unixTime))"
    if rollovers == 0 { return "\(date), which can't be right: fixes have no time until it says another" }
    return "\(date), \(rollovers * 1024) weeks early: its count of weeks has run over. Fixes have no time"
  }

  /// The unit of times that was assumed, in seconds.
  private static func assumedTime(_ scale: Double) -> String {
    let (unit, other) =
      scale < 1e-4 ? ("microseconds", "ms") : scale < 1 ? ("milliseconds", "us") : ("seconds", "ms")
    return "time read as \(unit), which its steps leave open: if it is not, call the column time_\(other)"
  }
}

extension TimeCorrection {
  fileprivate var words: String {
    switch self {
    case .scale(let scale):
      "the time column is in another unit, by its pace: "
        + (scale > 1 ? "\(number(scale, 0)) times" : "a \(number(1 / scale, 0))th of") + " what was assumed"
    case .arrival: "the time column is in no usual unit, by its pace: the times of arrival are used"
    }
  }
}

// MARK: - Its sensors

extension StreamNotice {
  private static func implausible(_ strength: Double, of name: String) -> String {
    "\(name) reports a field of \(strength) µT, outside 1 nT to 1 T: its driver's scale is wrong, or the sensor is broken"
  }

  private static func oddGravity(_ g: Double, of name: String) -> String {
    "the accelerometer of \(name) reads \(number(g, 2)) g at rest instead of 1 g: its scale is wrong"
      + (abs(g - 0.5) < 0.05 ? " (an LSM6DSO32 is read as an LSM6DSO, with half its range)" : "")
      + "; pitch and roll hold, the size of a force does not"
  }

  private static func saturated(_ limit: Double) -> String {
    "the board turns faster than its gyroscope measures (\(number(limit, 0)) °/s): what it misses is counted in the "
      + "accuracy; set a larger range, or turn more slowly"
  }
}
