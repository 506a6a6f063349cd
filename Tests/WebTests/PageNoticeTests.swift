import Drivers
import Instruments
import Lodestone
import Navigation
import Testing

@testable import LodestoneWeb

/// The words of the page about a device and its headings.
struct PageNoticeTests {
  private func notice(_ notice: InstrumentNotice) -> PageNotice? { PageNotice(Notice.instrument(notice)) }
  private func notice(_ notice: StreamNotice) -> PageNotice? { PageNotice(Notice.stream(notice)) }

  @Test func aLossIsOverWhenTheDeviceIsBack() throws {
    let lost = try #require(notice(.lost("board")))
    let back = try #require(notice(.returned("board", seconds: 4.6)))
    #expect(lost.topic == back.topic && lost.kind == .warning && back.kind == .good)
    #expect(back.text.contains("after 5 s"))
    #expect(notice(.silent(seconds: 1e300)) != nil)
  }

  /// A field that changes again is stuck no longer, and two boards in one stream are told here as in the terminal.
  @Test func whatTheStreamShowsIsTold() throws {
    let stuck = try #require(notice(.stuck))
    let again = try #require(notice(.changesAgain))
    #expect(stuck.topic == again.topic && stuck.stands && again.kind == .good)
    #expect(try #require(notice(.fieldsInTurn)).text.contains("two boards"))
    #expect(try #require(notice(.headingsInTurn)).text.contains("two compasses"))
  }

  /// A connection that takes long stands as a warning until something of use comes.
  @Test func aHostThatDoesNotAnswerIsToldUntilItDoes() throws {
    #expect(try #require(notice(.unanswered("boat"))).stands)
    #expect(Notice.stream(.unanswered("boat")).isInTheWay)
  }

  @Test func aCalibrationThatFitsAgainTakesThePlaceOfTheWarning() throws {
    let event = CalibrationHealth.Event.noLongerFits(strengthShare: 0.25, inclinationDegrees: -12, turningShare: 0.3)
    let warning = try #require(notice(.calibration(event)))
    let end = try #require(notice(.calibration(.fitsAgain)))
    #expect(warning.topic == end.topic && end.kind == .good && warning.view == "calibrate")
    #expect(warning.text.contains("25.0 % off, its inclination -12.0° off, and changes by 30.0 % as the board turns"))
  }

  @Test(arguments: [(61.4, 25.0, "36 °C warmer"), (-3, 22.6, "26 °C colder")])
  func aTemperatureIsComparedWithThatOfTheCalibration(_ now: Double, _ calibrated: Double, _ words: String) throws {
    #expect(try #require(notice(.temperature(now: now, calibrated: calibrated))).text.contains(words))
  }

  /// Programs with a source of their own may say anything.
  @Test(arguments: [1e300, -1e300, .infinity])
  func aTemperatureBeyondAllIsBorne(_ now: Double) throws {
    #expect(try #require(notice(.temperature(now: now, calibrated: 25))).topic == "temperature")
  }

  @Test func textWithoutAFieldAndNoiseAreToldApart() throws {
    let text = try #require(notice(.unrecognized(sample: "hello", isText: true)))
    let noise = try #require(notice(.unrecognized(sample: "\u{FFFD}", isText: false)))
    #expect(!text.text.contains("baud") && noise.text.contains("baud rate"))
  }

  /// The page says the terminal's words as sentences. A name keeps its letters.
  @Test func theWordsAreThoseOfTheTerminal() throws {
    #expect(try #require(notice(.lost("ttyACM0"))).text == "The device has gone; waiting for it to come back.")
    let broken = try #require(notice(.disconnected("mqtt://boat/raw", reason: "Not authorized.")))
    #expect(broken.text == "The connection to the device broke: not authorized; trying again.")
    let cause = try #require(notice(.cause(.outside("current_A", value: 3.2, range: 0...2))))
    #expect(cause.text == "The value of current_A is 3.2, calibrated from 0.0 to 2.0: headings are less accurate.")
    #expect(
      try #require(notice(.gyroscope(.wrongSign))).text
        == "The gyroscope turns against the other sensors; it is not used.")
  }

  @Test func aNumberAloneNamesTheAddressThatPassesItOn() throws {
    #expect(try #require(notice(.doubtful(.loneNumbers, sample: "40"))).text.contains("?protocol=hmr3300"))
  }

  @Test func aProbeNamesWhatReadsIt() throws {
    let probe = try #require(notice(.nothingOfUse(tells: .alongProbe, needs: [.field, .heading])))
    #expect(probe.text.contains("lodestone teslameter reads it"))
    let other = try #require(notice(.nothingOfUse(tells: .acceleration, needs: [.field, .heading])))
    #expect(!other.text.contains("teslameter"))
  }

  /// Turning a board helps where numbers are read, and only their meaning is open.
  @Test func whatCannotBeReadAsksForNoTurn() throws {
    let open = try #require(notice(.doubtful(.headingUnit, sample: "Heading: 1.2")))
    #expect(open.text.contains("Turn the board"))
    for fault in [WireFault.loneAngles("Yaw: 40.3"), .wrongChecksums, .missingFieldAxes(["z"])] {
      #expect(!(try #require(notice(.doubtful(fault, sample: "x"))).text.contains("Turn")))
    }
    #expect(try #require(notice(.doubtful(.loneAngles("Yaw: 40.3"), sample: "x"))).text.contains("Heading:"))
  }

  @Test func aZeroPointIsTriedAgainUnlessItWasTheLastTry() throws {
    let first = try #require(notice(.zeroRefused(.ended, isFinal: false)))
    let last = try #require(notice(.zeroRefused(.ended, isFinal: true)))
    #expect(first.topic == last.topic && first.text.hasSuffix("Trying again.") && !last.text.contains("again"))
  }

  /// It takes no place of the first one's notices, and leads to no view, for those show the first.
  @Test func aDeviceBesideTheFirstSpeaksUnderItsName() throws {
    let event = CalibrationHealth.Event.noLongerFits(strengthShare: 0.25, inclinationDegrees: nil, turningShare: 0)
    let first = try #require(notice(.calibration(event)))
    let second = try #require(PageNotice(.beside("rover", .instrument(.calibration(event)))))
    #expect(second.text == "rover: \(first.text)" && second.topic != first.topic && second.view == nil)
    let lost = try #require(notice(.beside("meter", .lost("meter"))))
    let back = try #require(PageNotice(.beside("meter", .stream(.returned("meter", seconds: 3)))))
    #expect(lost.topic == back.topic && lost.text.hasPrefix("meter: ") && back.kind == .good)
    let end = PageNotice(endOf: "meter", "meter has gone", isSecond: true)
    #expect(end.topic == lost.topic && end.stands && end.text == "meter is no longer read: meter has gone.")
  }

  /// Facts that a page shows elsewhere, or cannot help, are no notices.
  @Test func noticesOfTheCommandAloneAreLeftOut() {
    #expect(notice(.tryingBaudRate(9600)) == nil && notice(.gap(seconds: 2)) == nil && notice(.noGyroscope) == nil)
  }
}
