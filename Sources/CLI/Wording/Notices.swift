import LodestoneCore
import ArgumentParser
import Calibration
import Drivers
import Geomagnetism
import Instruments
import Lodestone
import LodestoneOutput
import LodestonePorts
import Navigation

/// Words what a stream reports, on standard error.
struct Notices {
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let profile: Profile?
  private let advice: CalibrationAdvice
  private let unit: FieldDisplayUnit

  /// Notices as loud as the options want.
  /// - Parameters:
  ///   - profile: the calibration that notices may speak of.
  ///   - advice: how the device is calibrated.
  ///   - unit: of fields.
  init(
    _ options: StreamOptions, profile: Profile? = nil, advice: CalibrationAdvice = CalibrationAdvice(),
    unit: FieldDisplayUnit = .microtesla
  ) {
    self.init(isQuiet: options.quiet, isVerbose: options.verbose, profile: profile, advice: advice, unit: unit)
  }

  /// The sentence for a notice of a session, details left out.
  static func words(_ notice: Notice, _ profile: Profile?, advice: CalibrationAdvice = CalibrationAdvice()) -> String? {
    Notices(isQuiet: false, profile: profile, advice: advice).words(notice)
  }

  /// Notices as loud as this.
  init(
    isQuiet: Bool, isVerbose: Bool = false, profile: Profile?, advice: CalibrationAdvice,
    unit: FieldDisplayUnit = .microtesla
  ) {
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    self.profile = profile
    self.advice = advice
    self.unit = unit
  }

  /// Says what a session has to say.
  func say(_ notice: Notice) {
    if let words = words(notice) { say(words) }
  }

  /// The sentence for a notice of a session; nil for one that the user does not want to see.
  func words(_ notice: Notice) -> String? {
    switch notice {
    case .stream(let notice):
      let words = notice.isDetail && !isVerbose ? "" : words(notice)
      return words.isEmpty ? nil : words
    case .instrument(let notice): return words(notice)
    case .positionReceived(let declination):
      return "position received: declination \(declination.degrees < 0 ? "" : "+")\(number(declination.degrees, 1))°"
    case .timeReceived(let declination):
      return
        "the time is known now: declination \(declination.degrees < 0 ? "" : "+")\(number(declination.degrees, 1))°"
    case .noTime(let unixTime):
      return "\(Failure.clockWords(unixTime)), so there are no true headings. Set the clock, or give --date"
    case .noDeclination(let problem): return "no declination: \(problem.words)"
    case .weakField(let field): return field.advice
    case .noPosition(let name): return "no position in \(name)"
    case .learning(let notice): return notice.words(advice)
    case .sink(let name, let notice): return notice.words(of: name)
    case .beside(_, .stream(let notice)) where notice.isOfLinkWithName: return words(.stream(notice))
    case .beside(let name, let notice): return words(notice).map { "\(name): \($0)" }
    }
  }

  /// Says that the times of a live stream cannot be told yet. A recording that is paced may tell none though the clock is
  /// right.
  func sayClock(of facts: StreamFacts, isLive: Bool) {
    guard isLive, facts.unixStart == nil, WallClock.setTime == nil else { return }
    say("\(Failure.clockWords(WallClock.unixTime)): times of day are left out until it is set")
  }

  /// The sentence for a format that wrote no line.
  static func silence(of format: any Format.Type, at sinks: [String] = []) -> String {
    let place = sinks.isEmpty ? "" : " to \(sinks.listed)"
    return "nothing was written\(place): \(format.name) takes \(format.needs)"
  }

  private func words(_ difference: PlaceDifference) -> String {
    let share = difference.strengthShare
    let strength = "\(number(abs(share) * 100, 1)) % \(share < 0 ? "weaker" : "stronger")"
    let dip = difference.inclination.map { ", its inclination \(number(abs($0), 1))° \($0 < 0 ? "less" : "more")" }
    return "the place is not that of the calibration: by the model the field there is \(strength)\(dip ?? ""). "
      + "The place's field is expected; check the place"
  }

  private func words(_ notice: InstrumentNotice) -> String? {
    switch notice {
    case .uncalibrated:
      return "not calibrated: headings may be far off. \(advice.words().capitalizedFirst)"
    case .ownHeadings:
      return "not calibrated: the device's own headings are passed on. For ours, with accuracy, \(advice.words())"
    case .gyroscope(let fault): return fault.words
    case .gyroscopeZero(let change):
      return
        "the gyroscope's zero is now \(number(change, 1)) °/s off that of the calibration, as after a reset or in another "
        + "warmth; it is corrected. If this comes each time, calibrate again"
    case .cause(let fault): return fault.words
    case .temperature(let now, let calibrated):
      let side = now > calibrated ? "warmer" : "colder"
      return
        "the chip has \(number(now, 0)) °C, \(number(abs(now - calibrated), 0)) K \(side) than when it was calibrated: "
        + "headings may be off by more than stated. Calibrate again at this temperature"
    case .nothingOfUse(let tells, let needs):
      return tells.words(of: "the device sends", needs)
    case .noGyroscope:
      return "the device sends no rotation rates: an attitude needs a gyroscope. lodestone heading needs none"
    case .deviationNotAdded:
      return "the deviation is not added: it belongs to magnetic headings, and the device sends true ones alone. "
        + "--at LAT,LON gives the declination between them"
    case .otherPlace(let difference): return words(difference)
    case .signAssumed:
      return "the calibration was made without a place, and its axes may be the other way up: headings may be far off. "
        + "Give the place, --at LAT,LON, or calibrate with it"
    case .assumedLevel: return "no accelerometer: the device is assumed to be level"
    case .forceLeftOut:
      return "the calibration left the accelerometer out: the device is assumed to be level. Calibrate with rests"
    case .calibration(.fitsAgain): return "the calibration fits again"
    case .calibration(.noLongerFits(let share, let dip, let turning)):
      let age = profile.map { CalibrationAge.words(since: $0.created) } ?? ""
      let inclination = dip.map { ", its inclination \(number($0, 1))° off" } ?? ""
      let sides = turning > 0 ? ", and changes by \(number(turning * 100, 1)) % as the board turns" : ""
      let field = "the field is \(number(share * 100, 1)) % off\(inclination)\(sides)"
      return "the calibration no longer fits: \(field); it is \(age) old. "
        + "If only the hard iron has changed (a battery, a screw), \(advice.words(isTouchUp: true))"
    case .receiver(let notice): return words(notice)
    case .zeroed(let zero): return zero.words(in: unit)
    case .remanence(let remanence): return remanence.words(in: unit)
    case .zeroRefused(let refusal, isFinal: false): return "\(Failure(refusal, unit: unit).message); trying again"
    case .zeroRefused(_, isFinal: true): return nil
    }
  }

  private func words(_ notice: ReceiverNotice) -> String {
    switch notice {
    case .noFix: "the receiver has no fix; waiting for one"
    case .fix: "the receiver has a fix"
    case .jumped(let metres, let seconds):
      "left out a fix \(number(metres / 1000, 1)) km from the one before, \(number(seconds, 1)) s later: nothing moves so "
        + "fast. It is believed once more agree with it"
    case .moved(let metres):
      "the receiver is \(number(metres / 1000, 1)) km from where it was: several fixes agree. Distances go on from the "
        + "same start"
    case .inexact(let best):
      "fixes are left out: \(InexactFixes.words(best: best)). --accuracy takes those at least so good"
    }
  }

  /// Says it, unless the user wants it quiet.
  func say(_ notice: StreamNotice) {
    if notice.isDetail, !isVerbose { return }
    let words = words(notice)
    if !words.isEmpty { say(words) }
  }

  /// The protocols and orders of columns that were weighed, one a line.
  static func weighed(_ protocols: [Detector.Finding], _ orders: [WeighedColumns]) -> [String] {
    protocols.map {
      "weighed \($0.name): \($0.messageCount) messages of use among \($0.validCount), \($0.rejectedByteCount) bytes "
        + "rejected (\($0.proof.words))"
    }
      + orders.map { order in
        "weighed the columns \(order.columns.map { $0.isEmpty ? "_" : $0 }.joined(separator: ",")): \(number(order.score, 1))"
      }
  }

  /// Says a sentence of the command's own.
  func say(_ text: String) {
    if !isQuiet { writeToStandardError("lodestone: \(text.harmless)\n") }
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
      "found \(magnetometer)\(motion.map { " with \($0)" } ?? "") at \(name), "
        + (rate.map { "\(hertz($0)) samples a second" } ?? "at the pace of its trigger")
    case .severalCompasses(let all, let read):
      "it has compasses \(all.map { String($0) }.listed); reading compass \(read) (?compass=\(all.first { $0 != read } ?? read) "
        + "at the end of the address reads another)"
    case .flightController(let told): told.words
    case .bufferInUse(let name, let holders):
      "\(holders.isEmpty ? "another program" : holders.words) has the buffer of \(name); reading without it"
    case .implausibleField(let name, let strength):
      "\(name) reports a field of \(strength) µT, outside 1 nT to 1 T: its driver's scale is wrong, or the sensor is broken"
    case .oddGravity(let name, let g):
      "the accelerometer of \(name) reads \(number(g, 2)) g at rest instead of 1 g: its scale is wrong"
        + (abs(g - 0.5) < 0.05 ? " (an LSM6DSO32 is read as an LSM6DSO, with half its range)" : "")
        + "; pitch and roll hold, the size of a force does not"
    case .unclearField(let field): field.words ?? ""
    case .doubtful(let doubt, let sample): "\(doubt.words): \(sample)"
    case .unitsChosen(let scales): scales.words.joined(separator: "; ")
    case .tryingBaudRate(let rate): "nothing understood; listening at \(rate) baud"
    case .wrongDate(let unixTime, rollovers: 0):
      "the receiver says it is \(day(unixTime)), which can't be right: fixes have no time until it says another"
    case .wrongDate(let unixTime, let rollovers):
      "the receiver says it is \(day(unixTime)), \(rollovers * 1024) weeks early: its count of weeks has run over. Fixes "
        + "have no time"
    case .stuck: "the field has not changed in any digit for seconds: the sensor is stuck or gone"
    case .changesAgain: "the field changes again"
    case .rateSaturated(let limit):
      "the board turns faster than its gyroscope measures (\(number(limit, 0)) °/s): what it misses is counted in the "
        + "accuracy; set a larger range, or turn more slowly"
    case .silent(let seconds, of: .chip):
      "the chip answers, and has measured nothing for \(Int(seconds)) s; it is set up again until it does"
    case .silent(let seconds, of: .sender):
      "nothing has arrived for \(Int(seconds)) s (check that something is sent to this address)"
    case .silent(let seconds, of: .gpsd):
      "gpsd has told no position, heading or field for \(Int(seconds)) s (check that it has the device: sudo gpsdctl add "
        + "/dev/ttyACM0; gpsmon shows what it gets)"
    case .silent(let seconds, of: .publisher):
      "nothing has arrived for \(Int(seconds)) s (check that something is published at this topic, and that the broker's "
        + "access list lets this user read it)"
    case .silent(let seconds, of: .board):
      "nothing has arrived for \(Int(seconds)) s (a board that speaks only when asked needs --probe)"
    case .unrecognized(let sample, isText: true, _):
      "there are no x, y and z of a field in what arrives: \(sample) (print a line such as mx:12.3,my:-4.5,mz:38.1 in µT, "
        + "or name the columns of a table with --columns; t,probe for a probe of one axis)"
    case .unrecognized(let sample, isText: false, hasBaudRate: true):
      "can't read what arrives: \(sample) (check the baud rate, or name the protocol: ?baud=9600&protocol=nmea)"
    case .unrecognized(let sample, isText: false, hasBaudRate: false):
      "can't read what arrives: \(sample) (check the address and what serves it, a serial server's baud rate too, or name "
        + "the protocol: ?protocol=nmea)"
    case .lost(let name): "\(name) has gone; waiting for it to come back"
    case .unanswered(let name): "\(name) has not answered yet; still trying"
    case .disconnected(let name, let reason):
      "the connection to \(name) broke\(reason.map { ": \($0.sentence)" } ?? ""); trying again"
    case .returned(let name, let seconds): "\(name) is back after \(Int(seconds.rounded())) s"
    case .gap(let seconds) where seconds < 10: "samples are missing: \(Int((seconds * 1000).rounded())) ms of them"
    case .gap(let seconds): "samples are missing: \(Int(seconds.rounded())) s of them"
    case .timesCounted(rate: nil):
      "the recording has no times: time_s is the number of the message; state their rate as in FILE?rate=50"
    case .timesCounted(let rate?): "the recording has no times: taken as \(hertz(rate)) messages a second"
    case .weighed(let protocols, let orders): Self.weighed(protocols, orders).joined(separator: "; ")
    case .otherCompass(let name): "there is another compass in the stream (\(name)): its headings are left out"
    case .fieldsInTurn:
      "the field leaps to and fro between two, as if two boards sent at once, or a current alternated beside it: readings "
        + "are of both. Read one board alone, or have each print a name (id=1, \"id\":\"mast\")"
    case .headingsInTurn:
      "the heading leaps to and fro between two, as if two compasses sent at once: readings are of both. Read one alone, "
        + "at a port or topic of its own, or have each send its own NMEA talker"
    case .unknownFrame(let name):
      "the messages' frame \(name.isEmpty ? "has no name" : "is '\(name)'"), which does not say where its axes point: read as "
        + "x right, y forward, z up. If x points forward and y left, as ROS prefers, give --mount -y,x,z"
    case .noChecksums: "the sentences carry no checksums: damage on the line goes unseen"
    case .columnsAssumed(let columns): columns.words
    case .timeAssumed(let scale):
      "time read as \(scale < 1e-4 ? "microseconds" : "milliseconds"), which its steps leave open: if it is not, call the "
        + "column time_\(scale < 1e-4 ? "ms" : "us")"
    case .timeCorrected(.scale(let scale)):
      "the time column is in another unit, by its pace: "
        + (scale > 1 ? "\(Int(scale)) times" : "a \(Int((1 / scale).rounded()))th of") + " what was assumed"
    case .timeCorrected(.arrival):
      "the time column is in no usual unit, by its pace: the times of arrival are used"
    case .columnsChanged:
      "the columns of the table have changed: another header came, or later lines show what they are"
    case .beside(let name, .unrecognized(let sample, _, _)):
      "\(name) sends no values with names: \(sample) (current_A: 1.2, a table with a header, JSON, or ?columns=time_s,current_A)"
    case .beside(let name, let notice):
      notice.isOfLinkWithName ? words(notice) : "\(name): \(words(notice))"
    case .timesApart(let name): "the times of \(name) are not those of the recording: no value of it was used"
    case .columnsNotRead(let names): "columns that are not read: \(names.listed)"
    case .truncated(let count): "the last line is cut off and was left out (\(count) bytes)"
    case .forgotten(let count):
      "the first \(max(1, count / 1000)) kB were left out: only what came later told what the columns are. Name them with "
        + "--columns, or in a header, and all is read"
    case .rejected(let counts): "left out \(counts.words)"
    }
  }
}

extension StreamNotice {
  /// Whether its words name the device.
  fileprivate var isOfLinkWithName: Bool {
    switch self {
    case .lost, .unanswered, .disconnected, .returned: true
    default: false
    }
  }

  /// Whether it is a detail, for those who want to know how the device was found.
  fileprivate var isDetail: Bool {
    switch self {
    case .detected(_, baudRate: nil), .tryingBaudRate, .weighed, .columnsNotRead: true
    default: false
    }
  }
}

/// A day in UTC.
func day(_ unixTime: Double) -> String {
  var text = TextBuffer()
  text.append(utc: unixTime, decimals: 0)
  return String(text.text.prefix(10))
}

/// A rate with as many digits as it deserves.
private func hertz(_ rate: Double) -> String {
  rate < 10 ? "\((rate * 10).rounded() / 10)" : "\(Int(min(rate, 1e6).rounded()))"
}

extension WireProof {
  /// Why a protocol was believed.
  var words: String {
    switch self {
    case .request: "it was asked for"
    case .numbers: "lines of numbers"
    case .framing: "repeating frame pattern"
    case .signature: "recognised labels"
    case .checksum: "messages of its form, and no checksum is wrong"
    }
  }
}

extension InexactFixes {
  /// "the best is accurate to 7.2 m".
  static func words(best: Double?) -> String {
    best.map { "the best is accurate to \(number($0, 1)) m" } ?? "none says how accurate it is"
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
