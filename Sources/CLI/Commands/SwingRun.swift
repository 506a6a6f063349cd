import Geomagnetism
import Instruments
import Lodestone
import LodestoneCore
import LodestonePorts
import Navigation

/// A swing with a device: its headings beside those that are typed, or that a second compass or a receiver tells.
final class SwingRun {
  let session: CompassSession
  private(set) var swing: Swing
  private let command: SwingCommand
  private let declination: Declination?
  private let notices: Notices
  private var typed = TypedLines()
  private let keyboard = Keyboard()
  private let start = MonotonicTime.now

  /// Opens the compass, and what tells the right headings.
  /// - Parameter declination: of the place, where typed headings are true ones.
  init(_ command: SwingCommand, declination: Declination?) throws {
    self.command = command
    self.declination = declination
    swing = Swing(window: command.course ? Swing.courseWindow : Swing.window)
    var options = SessionOptions()
    options.mounting = command.deviceOptions.input.mount
    options.profile = command.calibrationOptions.choice
    options.place = try command.placeOptions.settings()
    options.duration = command.duration
    let stream = try command.deviceOptions.open()
    guard stream.isLive else {
      throw Failure(.usage, "a swing needs a live compass", hint: "a table of headings is read with --marks FILE")
    }
    options.location = try command.locationOptions.address(besides: command.placeOptions, isLive: true)
    if options.place.place == nil, options.location == nil, let option = command.placeOptions.dependsOnPlace {
      throw PlaceOptions.useless(option)
    }
    if command.course, options.location == nil {
      throw Failure(.usage, "--course needs a receiver", hint: "as in --location gpsd://127.0.0.1")
    }
    var settings = Compass.Settings()
    settings.leavesIron = true
    session = try CompassSession(stream, settings, options, takesSignals: true)
    session.attachment.rate = command.deviceOptions.address.wantedRate
    session.loop.companions.append(keyboard)
    notices = Notices(
      isQuiet: command.quiet, isVerbose: command.verbose, profile: session.profile,
      advice: CalibrationAdvice(command.deviceOptions.address, command.calibrationOptions.choice))
    if let address = command.reference { try follow(compass: address) }
    if command.course { session.place.onPosition = { [unowned self] in follow($0) } }
  }

  /// Now, in seconds since the swing began.
  private var now: Double { .now - start }

  /// Until the user has typed the last heading, or the circle is complete.
  func collect() throws -> StreamLoop.End {
    command.say(
      isTyped
        ? "hold a heading you know and type it in degrees; q ends"
        : "turn through the circle in steps of 30° or less and hold each heading; q ends")
    return try session.run { [self] event in
      switch event {
      case .reading: if let heading = session.reading.magneticHeading { swing.add(heading, at: now) }
      case .notice(let notice): notices.say(notice)
      case .turn:
        guard let bytes = keyboard.take() else { break }
        let (lines, isLast) = typed.take(bytes)
        for line in lines where take(line) == .stop { return .stop }
        return isLast && isTyped ? .stop : .goOn
      default: break
      }
      return !isTyped && swing.isComplete ? .stop : .goOn
    }
  }
}

// MARK: Right headings that are typed

extension SwingRun {
  /// The user types what is right; else a stream tells it.
  private var isTyped: Bool { command.reference == nil && !command.course }

  private func take(_ text: String) -> StreamLoop.Verdict {
    if text.isEmpty || text == "q" { return .stop }
    if text == "-" {
      command.say(swing.removeLast() == nil ? "there is no heading to take back" : "taken back; \(count)")
      return .goOn
    }
    guard isTyped, let degrees = Double(decimal: Array(text.utf8).span), (-360...360).contains(degrees) else {
      command.say("'\(text.harmless)' is not a heading in degrees")
      return .goOn
    }
    var reference = Heading<MagneticNorth>(degrees: degrees)
    if let declination { reference = Heading<TrueNorth>(degrees: degrees) - declination }
    do throws(Swing.Problem) {
      say(try swing.mark(reference, at: now))
    } catch {
      switch error {
      case .noHeading: command.say("the compass says nothing yet")
      case .turning(let degrees):
        command.say("not taken: the heading moved by \(degrees.text(decimals: 0))°. Hold it for two seconds")
      }
    }
    return .goOn
  }

  private func say(_ mark: Deviation.Mark) {
    command.say(
      "compass \(SwingReport.heading(mark.compass)), right \(SwingReport.heading(mark.reference)): deviation "
        + "\(DeviationCard.deviation(mark.deviation)); \(count)")
  }

  /// Their number, and what is missing.
  private var count: String {
    let count = swing.marks.count
    let words = "\(count) \(count == 1 ? "heading" : "headings")"
    do throws(Deviation.Refusal) {
      _ = try Deviation(swing.marks)
      return "\(words), enough: q ends"
    } catch {
      switch error {
      case .tooFew(let count):
        let missing = Deviation.fewestHeadings - count
        return "\(words), \(missing) more \(missing == 1 ? "is" : "are") needed"
      case .gap(let from, let degrees) where degrees > 359.5:
        return "\(words), all at \(SwingReport.heading(from)): spread them over the circle"
      case .gap(let from, let degrees):
        return "\(words), none between \(SwingReport.heading(from)) and \(SwingReport.heading(from + degrees))"
      case .contradictory(let residual):
        return "\(words) that contradict each other by \(residual.text(decimals: 0))°: - takes the last one back"
      }
    }
  }
}

// MARK: Right headings from a stream

extension SwingRun {
  /// The headings of a second compass.
  private func follow(compass address: String) throws {
    let name = try LocationOptions.address(address) ?? AddressOptions.address(address)
    let stream = try Failure.worded { () throws(StreamError) in try Devices.open(name) }
    guard stream.isLive else {
      throw Failure(.usage, "\(address) is not a live compass", hint: "a table of headings is read with --marks FILE")
    }
    guard stream.identity != session.stream.identity else {
      throw Failure(.usage, "\(address) is the compass that is swung", hint: "--reference names a second one")
    }
    let place = session.place
    let second = try SecondStream(headingsOf: stream, declination: { place.earth?.declination }) { [unowned self] in
      if let mark = swing.follow($0, at: now) { say(mark) }
    } say: { [unowned self] in
      notices.say($0)
    }
    session.loop.companions.append(second)
  }

  /// The course of a receiver. A slow one has no direction to speak of.
  private func follow(_ position: Position) {
    // The compass may send places of its own, which say nothing of a movement.
    guard let speed = position.speed else { return }
    guard let course = position.course, speed >= Swing.leastSpeed,
      let declination = session.place.earth?.declination
    else { return swing.loseReference() }
    if let mark = swing.follow(Heading<TrueNorth>(degrees: course) - declination, at: now) { say(mark) }
  }
}
