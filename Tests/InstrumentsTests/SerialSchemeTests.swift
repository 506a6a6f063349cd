import LodestoneCore
import Drivers
import Glibc
import LodestonePorts
import Support
import Testing

@testable import Instruments

/// Turns a stream until it has brought what is wanted.
private struct Turning {
  let stream: any SampleStream

  init(_ address: String) throws { stream = try AddressSchemes.open(address, OpenOptions()) }

  /// The events up to the one that `ends` takes, that one included.
  func events(until ends: (StreamEvent) -> Bool) throws -> [StreamEvent] {
    let deadline = MonotonicTime.now + 30
    var events: [StreamEvent] = []
    while MonotonicTime.now < deadline {
      let event = try stream.next()
      if case .waiting = event {
        var poller = Poller()
        if let descriptor = stream.descriptor { poller.watch(descriptor, for: stream.interest) }
        try poller.wait(until: [deadline, stream.wakeTime].compactMap { $0 }.min())
        continue
      }
      events.append(event)
      if ends(event) { return events }
    }
    throw SystemError("poll", code: ETIMEDOUT)
  }

  func notices(until ends: (StreamEvent) -> Bool) throws -> [StreamNotice] { told(in: try events(until: ends)) }
}

/// The notices among events, but for those of silence: on a busy machine a board may say nothing for seconds.
private func told(in events: [StreamEvent]) -> [StreamNotice] {
  events.compactMap { event in
    guard case .notice(let notice) = event else { return nil }
    if case .silent = notice { return nil }
    return notice
  }
}

private func isSample(_ event: StreamEvent) -> Bool {
  if case .sample = event { true } else { false }
}

/// From the checksums' definition: the exclusive or of the characters between `$` and `*`.
private let heading = "$HCHDM,101.1,M*28\r\n"

@Suite(.waiting) struct SerialSchemeTests {
  @Test func atTheFirstRateNothingIsTried() throws {
    let board = try PtyBoard(lines: [heading])
    let notices = try Turning(board.path).notices(until: isSample)
    #expect(notices.first.map { if case .detected(_, 115_200) = $0 { true } else { false } } == true)
  }

  /// 9600 is next after 115200, then 57600.
  @Test func theRateOfTheLineIsFound() throws {
    let board = try PtyBoard(rate: 100, baudRate: 57_600, lines: [heading])
    let notices = try Turning(board.path).notices(until: isSample)
    #expect(notices.prefix(2) == [.tryingBaudRate(9600), .tryingBaudRate(57_600)])
    guard case .detected(let finding, 57_600)? = notices.dropFirst(2).first else {
      Issue.record("\(notices)")
      return
    }
    #expect(finding.name == "nmea")
  }

  /// A chip such as an Uno's keeps up to 192 bytes that survive the change of speed.
  @Test func whatWasKeptFromBeforeAChangeOfRateIsNotHeard() throws {
    let kept = Array(String(repeating: "$HCHDM,030.0,M*2A\r\n", count: 10).utf8)
    let board = try PtyBoard(rate: 100, baudRate: 57_600) { _ in Array(heading.utf8) }
    let events = try Turning(board.path).events { event in
      if case .notice(.tryingBaudRate) = event { board.handOver(kept) }
      return isSample(event)
    }
    let notices = told(in: events)
    #expect(notices.prefix(2) == [.tryingBaudRate(9600), .tryingBaudRate(57_600)])
    guard case .sample(let sample)? = events.last else {
      Issue.record("\(notices)")
      return
    }
    #expect(sample.own?.magnetic?.degrees == 101.1)
  }

  /// Old bytes may pass for a while for what the board says.
  @Test func aRateThatMakesSenseNoLongerIsGivenUp() throws {
    let board = try PtyBoard(rate: 100, baudRate: 9600, honest: 30) { _ in Array(heading.utf8) }
    let turning = try Turning(board.path)
    let first = try turning.notices(until: isSample)
    #expect(first.contains { if case .detected(_, 115_200) = $0 { true } else { false } })
    let later = try turning.notices { if case .notice(.detected(_, 9600)) = $0 { true } else { false } }
    #expect(later.contains(.tryingBaudRate(9600)))
  }

  @Test func aRateThatWasGivenStays() throws {
    let board = try PtyBoard(rate: 100, baudRate: 57_600, lines: [heading])
    let notices = try Turning("\(board.path)?baud=9600").notices { event in
      if case .notice(.unrecognized) = event { true } else { false }
    }
    #expect(notices.count == 1)
  }

  /// At no rate does it make sense: once it is said what arrives.
  @Test func noiseIsShown() throws {
    let board = try PtyBoard(rate: 100, baudRate: 300_000, lines: [heading])
    let notices = try Turning(board.path).notices { event in
      if case .notice(.unrecognized) = event { true } else { false }
    }
    guard case .unrecognized(let sample, _, _, _)? = notices.last else {
      Issue.record("\(notices)")
      return
    }
    #expect(sample.contains("\\x"))
  }

  @Test func aBoardThatComesBackUnderTheSameLinkIsFollowed() throws {
    try TemporaryFolder.with { folder in
      let link = folder + "/compass"
      let first = try PtyBoard(lines: [heading])
      #expect(symlink(first.path, link) == 0)
      let turning = try Turning(link)
      _ = try turning.events(until: isSample)
      first.unplug()
      let lost = try turning.notices { if case .notice(.lost) = $0 { true } else { false } }
      #expect(lost.last == .lost(link))
      let second = try PtyBoard(lines: [heading])
      #expect(unlink(link) == 0)
      #expect(symlink(second.path, link) == 0)
      let notices = try turning.notices(until: isSample)
      #expect(notices.contains { if case .returned(link, _) = $0 { true } else { false } })
    }
  }

  /// Forty times the same field over eight seconds of the board's clock, a change, and the same again.
  @Test func aStuckFieldIsSaidOnceEachTime() throws {
    let board = try PtyBoard(rate: 500) { number in
      if number == 0 { return Array("time_s,mx_uT,my_uT,mz_uT\n".utf8) }
      let field = number < 200 ? "20.13,1.02,-43.31" : "21.13,1.02,-43.31"
      return number < 400 ? Array("\(Double(number) / 5),\(field)\n".utf8) : nil
    }
    var count = 0
    let notices = try Turning(board.path).notices { event in
      if case .sample = event { count += 1 }
      return count == 390
    }
    #expect(notices.filter { $0 == .stuck }.count == 2)
  }
}

@Suite(.waiting) struct DeviceListeningTests {
  /// Seconds in which a board has said what it says, however busy the machine is.
  private static let patience = 120.0

  @Test func aPortTellsItsProtocolRateAndSensors() throws {
    let board = try PtyBoard(rate: 200) { number in
      number == 0
        ? Array("time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n".utf8)
        : Array("\(Double(number) / 10),20.\(number % 7),1.0,-43.0,0,0,1\n".utf8)
    }
    var listing = DeviceListing(address: board.path, kind: .serial, description: "a board")
    listing.listen(for: Self.patience)
    #expect(listing.protocolName == "csv")
    #expect(listing.baudRate == 115_200)
    #expect(listing.sensors == ["field", "acceleration"])
    #expect(abs((listing.rate ?? 0) - 10) < 1e-6)
    #expect(listing.problem == nil)
  }

  /// A stream that is understood when the time to listen is over, and then has samples.
  private final class LateStream: SampleStream {
    let descriptor: Int32? = nil, wakeTime: MonotonicTime? = nil, isLive = true
    let identity = "late", unixStart: Double? = nil
    private let deadline: MonotonicTime
    private var count = 0

    init(after deadline: MonotonicTime) { self.deadline = deadline }

    func next() throws(StreamError) -> StreamEvent {
      while MonotonicTime.now <= deadline { usleep(1000) }
      count += 1
      guard count > 1 else { return .notice(.detected(Detector.Finding(answerIn: "late"), baudRate: 9600)) }
      return .sample(Sample(time: Double(count), field: MagneticField(microtesla: 20, 0, -43)))
    }
  }

  @Test func whatIsRecognisedLateHasTimeToShowItsSensors() throws {
    var listing = DeviceListing(address: "late", kind: .serial, description: "a board")
    let deadline = MonotonicTime.now + 2
    try listing.hear(LateStream(after: deadline), until: deadline)
    #expect(listing.protocolName == "late" && listing.baudRate == 9600)
    #expect(listing.sensors == ["field"])
  }

  @Test func aSilentPortTellsNothing() throws {
    let board = try PtyBoard { _ in nil }
    var listing = DeviceListing(address: board.path, kind: .serial, description: "a board")
    listing.listen()
    #expect(listing.protocolName == nil)
    #expect(listing.sensors.isEmpty)
    #expect(board.heard.isEmpty)
  }

  @Test func noiseIsShownToo() throws {
    let board = try PtyBoard(baudRate: 300_000, lines: [heading])
    var listing = DeviceListing(address: board.path, kind: .serial, description: "a board")
    listing.listen(for: Self.patience)
    #expect(listing.protocolName == nil)
    #expect(listing.unrecognized?.contains("\\x") == true)
  }

  @Test func aPortThatCannotBeOpenedSaysWhy() {
    var listing = DeviceListing(address: "/dev/no-such-port", kind: .serial, description: "nothing")
    listing.listen()
    #expect(listing.problem != nil)
  }
}

@Suite(.waiting) struct SilenceWatchTests {
  private let start = MonotonicTime(nanoseconds: 0)

  @Test func silenceIsToldOnceUntilBytesCome() {
    var watch = SilenceWatch(since: start)
    #expect(watch.complaint(start + 2.9) == nil)
    #expect(watch.complaint(start + 3) == .silent(seconds: 3))
    #expect(watch.wakeTime == nil)
    #expect(watch.complaint(start + 100) == nil)
    watch.received(start + 101)
    watch.heard()
    #expect(watch.wakeTime == start + 104)
    #expect(watch.complaint(start + 104) == .silent(seconds: 3))
  }

  /// A board that speaks every five seconds, in pieces, is not silent in between, though it was waited for at first.
  @Test func aSlowBoardIsNotSilent() {
    var watch = SilenceWatch(since: start)
    #expect(watch.complaint(start + 3) == .silent(seconds: 3))
    for line in 1...20 {
      for piece in 0...2 {
        watch.received(start + Double(5 * line) + 0.01 * Double(piece))
        watch.heard()
      }
      // The second line shows the pace.
      #expect((watch.complaint(start + Double(5 * line) + 4.9) == nil) == (line > 1))
    }
    #expect(watch.complaint(start + 108) == nil)
    #expect(watch.complaint(start + 116) != nil)
  }

  /// A board that has told the field and tells only its state now is complained of once, and again after the next
  /// message.
  @Test func whatIsOfNoUseAnyMoreIsTold() {
    var watch = SilenceWatch(since: start)
    var told: [Int] = []
    for tenth in 1...300 {
      let now = start + Double(tenth) / 10
      watch.received(now)
      if tenth % 100 <= 10 { watch.heard() } else { watch.heardOther() }
      if let complaint = watch.complaint(now) {
        #expect(complaint == .useless)
        told.append(tenth)
      }
    }
    #expect(told.count == 3 && told[0] > 40 && told[0] < 45, "\(told)")
  }

  /// Messages that never tell anything of use, such as reports about satellites, are told once.
  @Test func whatIsOfNoUseFromTheBeginningIsTold() {
    var watch = SilenceWatch(since: start)
    var told: [Int] = []
    for tenth in 1...300 {
      watch.received(start + Double(tenth) / 10)
      watch.heardOther()
      if watch.complaint(start + Double(tenth) / 10) == .useless { told.append(tenth) }
    }
    #expect(told == [31], "\(told)")
  }

  /// Half a line before a pause is no sign that what arrives is of no use.
  @Test func halfALineIsNotOfNoUse() {
    var watch = SilenceWatch(since: start)
    watch.received(start + 1)
    watch.heard()
    watch.received(start + 1.1)
    #expect(watch.complaint(start + 4.5) == .silent(seconds: (start + 4.5) - (start + 1.1)))
  }

  /// A pause is no pace: a fast board that was away is told as silent as soon as ever once it has spoken for a while.
  @Test func aPauseIsForgotten() {
    var watch = SilenceWatch(since: start)
    for time in (1...20).map({ Double($0) / 10 }) + (1...20).map({ 30 + Double($0) / 10 }) {
      watch.received(start + time)
      watch.heard()
    }
    #expect(watch.wakeTime == start + 35)
  }

  /// A board that restarts may be silent, or say what its boot loader says, until it is up.
  @Test func aBoardThatRestartsGetsItsTime() {
    var watch = SilenceWatch(since: start + 2.5)
    #expect(watch.complaint(start + 5.4) == nil)
    #expect(watch.complaint(start + 5.5) == .silent(seconds: 3))
    var noisy = SilenceWatch(since: start + 2.5)
    noisy.received(start + 0.1)
    noisy.received(start + 5.4)
    #expect(noisy.complaint(start + 5.4) == nil)
    noisy.received(start + 5.5)
    #expect(noisy.complaint(start + 5.5) == .senseless)
  }

  @Test func nonsenseIsToldAfterThreeSecondsAndEachTen() {
    var watch = SilenceWatch(since: start)
    var told: [Int] = []
    for tenth in 1...260 {
      let now = start + Double(tenth) / 10
      watch.received(now)
      if watch.complaint(now) == .senseless { told.append(tenth) }
    }
    #expect(told == [31, 131, 231])
  }

  @Test func aMessageEndsTheNonsense() {
    var watch = SilenceWatch(since: start)
    watch.received(start)
    watch.received(start + 2.9)
    watch.heard()
    #expect(watch.complaint(start + 4) == nil)
  }

  @Test func aRecordingIsNotWatched() {
    var watch = SilenceWatch(isWatched: false, since: start)
    #expect(watch.wakeTime == nil)
    #expect(watch.complaint(start + 100) == nil)
  }
}
