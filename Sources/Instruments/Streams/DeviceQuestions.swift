import Drivers
import LodestonePorts

/// The bytes that are written to a device, and when: the request of a protocol that speaks only when asked; the open
/// questions of a protocol that was named; or, for a user who has allowed it, one question after the other to a silent
/// device, and the open questions of a protocol that was found.
struct DeviceQuestions {
  /// The answer of a silent device, and the decoder of its protocol.
  struct Answer {
    var decoder: any WireProtocol
    var bytes: [UInt8]
  }

  /// Opening restarts an Arduino-like board, which is deaf and silent for about two seconds.
  static let resetPatience = 2.5

  /// How far the stream has come.
  struct Progress {
    /// Messages so far.
    var messageCount: Int
    /// Whether the device has been understood.
    var isUnderstood: Bool
    /// The open questions of the protocol in charge.
    var openQuestions: [[UInt8]]
    /// The bytes to send before each request.
    var besideRequest: [UInt8] = []
  }

  private enum Course {
    case requests(RequestPace)
    case probes(ProbeRound)
    case inquiry(Inquiry)
  }

  private var course: Course
  private let interval: Double

  /// Nil where nothing may be written: the protocol speaks by itself, or is unknown and probing is not allowed.
  /// - Parameter rate: requests a second, at most.
  init?(_ decoder: (any WireProtocol)?, rate: Double?, probes: Bool) {
    interval = 1 / (rate ?? 50)
    if let decoder {
      if let pace = RequestPace(decoder, interval: interval) {
        course = .requests(pace)
      } else {
        guard !decoder.openQuestions.isEmpty else { return nil }
        course = .inquiry(Inquiry())
      }
    } else {
      guard probes else { return nil }
      course = .probes(ProbeRound(from: .now + Self.resetPatience))
    }
  }

  /// Whether messages come as answers to requests.
  var isAsking: Bool {
    if case .requests = course { return true }
    return false
  }

  /// Whether questions are being put at this baud rate, so that it must not change.
  var isProbing: Bool {
    if case .probes(let round) = course { return round.isUnderWay }
    return false
  }

  /// The time to ask again.
  var wakeTime: MonotonicTime? {
    switch course {
    case .requests(let pace): pace.wakeTime
    case .probes(let round): round.wakeTime
    case .inquiry(let inquiry): inquiry.wakeTime
    }
  }

  /// Begins anew: at another baud rate, or with a device that has come back and may have been reset.
  mutating func begin(_ now: MonotonicTime, afterReset: Bool) {
    switch course {
    case .requests(var pace):
      pace.begin()
      course = .requests(pace)
    case .probes: course = .probes(ProbeRound(from: now + (afterReset ? Self.resetPatience : 0.1)))
    case .inquiry: course = .inquiry(Inquiry())
    }
  }

  /// Takes in what has arrived.
  mutating func hear(_ bytes: Span<UInt8>) {
    guard case .probes(var round) = course else { return }
    round.hear(bytes)
    course = .probes(round)
  }

  /// Writes what is due; the answer once there is one to a question of a probe.
  mutating func ask(over link: any ByteLink, _ now: MonotonicTime, _ progress: Progress) -> Answer? {
    switch course {
    case .requests(var pace):
      pace.ask(over: link, now, progress)
      course = .requests(pace)
    case .probes(var round):
      let answer = round.ask(over: link, now, isUnderstood: progress.isUnderstood)
      course = progress.isUnderstood && !progress.openQuestions.isEmpty ? .inquiry(Inquiry()) : .probes(round)
      guard let answer else { return nil }
      if let pace = RequestPace(answer.decoder, interval: interval) { course = .requests(pace) }
      return answer
    case .inquiry(var inquiry):
      guard progress.isUnderstood else { return nil }
      inquiry.ask(progress.openQuestions, over: link, now)
      course = .inquiry(inquiry)
    }
    return nil
  }
}

/// One request after the other: the next when the last has been answered, and no faster than wanted. A device that goes
/// on by itself after the first is left alone until it is silent.
private struct RequestPace {
  private enum Phase {
    /// Messages come by themselves, or are expected to.
    case listening
    /// Asked once, to see whether one message comes of it or many.
    case trying
    /// One message for each request.
    case asking
  }

  /// Seconds for one message or many to come.
  private static let trial = 0.15
  /// Seconds after which an answer is given up.
  private static let patience = 0.3
  /// Seconds without a message after which a device that spoke by itself is asked.
  private static let silence = 1.0

  private let request: [UInt8]
  private let interval: Double
  private let speaksFirst: Bool
  /// Times that open questions are still asked beside the requests: not every firmware answers all of them.
  private var inquiriesLeft = 3
  private var phase: Phase
  private var since: MonotonicTime?
  private var countThen = 0
  private(set) var wakeTime: MonotonicTime?

  init?(_ decoder: any WireProtocol, interval: Double) {
    guard let request = type(of: decoder).request else { return nil }
    self.request = request
    self.interval = interval
    speaksFirst = !type(of: decoder).onlyAnswers
    phase = speaksFirst ? .listening : .trying
    wakeTime = .now
  }

  mutating func begin() {
    phase = speaksFirst ? .listening : .trying
    inquiriesLeft = 3
    since = nil
    wakeTime = .now
  }

  mutating func ask(over link: any ByteLink, _ now: MonotonicTime, _ progress: DeviceQuestions.Progress) {
    let messageCount = progress.messageCount
    guard let since else {
      if phase == .listening { look(now, messageCount) } else { send(over: link, now, progress) }
      return
    }
    let answers = messageCount - countThen
    let due = since + wait(answers)
    guard due <= now else {
      wakeTime = due
      return
    }
    switch phase {
    case .listening where answers > 0: return look(now, messageCount)
    case .listening: phase = .trying
    case .trying where answers > 1:
      phase = .listening
      return look(now, messageCount)
    case .trying: if answers == 1 { phase = .asking }
    case .asking: break
    }
    send(over: link, now, progress)
  }

  private func wait(_ answers: Int) -> Double {
    switch phase {
    case .listening: Self.silence
    case .trying: answers > 0 ? Self.trial : Self.patience
    case .asking: answers > 0 ? interval : Self.patience
    }
  }

  private mutating func send(over link: any ByteLink, _ now: MonotonicTime, _ progress: DeviceQuestions.Progress) {
    let isInquiry = inquiriesLeft > 0 && !progress.openQuestions.isEmpty
    inquiriesLeft -= isInquiry ? 1 : 0
    // One that finds no room is given up like one without an answer.
    _ = link.write((isInquiry ? progress.openQuestions.flatMap { $0 } : []) + progress.besideRequest + request)
    look(now, progress.messageCount)
  }

  private mutating func look(_ now: MonotonicTime, _ messageCount: Int) {
    since = now
    countThen = messageCount
    wakeTime = now + wait(0)
  }
}

/// The open questions of a protocol, sent to a device that speaks by itself, a few times over: an answer may be lost
/// among its messages.
private struct Inquiry {
  private static let rounds = 3
  /// Seconds from one question to the next. The makers of the WitMotion sensors leave 0.15 s.
  private static let pause = 0.2

  private var askedCount = 0
  private(set) var wakeTime: MonotonicTime?

  mutating func ask(_ questions: [[UInt8]], over link: any ByteLink, _ now: MonotonicTime) {
    guard askedCount < Self.rounds * questions.count else {
      wakeTime = nil
      return
    }
    if let wakeTime, wakeTime > now { return }
    _ = link.write(questions[askedCount % questions.count])
    askedCount += 1
    wakeTime = now + Self.pause
  }
}

/// All questions once, each with a moment for the answer. A device that speaks by itself is not asked.
private struct ProbeRound {
  /// Seconds for an answer: at 9600 baud, 64 bytes take 0.07 s.
  private static let patience = 0.25
  private static let answerLimit = 4096

  private var place = -1
  private var due: MonotonicTime
  private var answer: [UInt8] = []
  private var isOver = false

  init(from start: MonotonicTime) { due = start }

  var isUnderWay: Bool { place >= 0 && !isOver }
  var wakeTime: MonotonicTime? { isOver ? nil : due }

  mutating func hear(_ bytes: Span<UInt8>) {
    if place < 0 { isOver = true }
    guard isUnderWay, answer.count + bytes.count <= Self.answerLimit else { return }
    bytes.withUnsafeBufferPointer { answer.append(contentsOf: $0) }
  }

  mutating func ask(over link: any ByteLink, _ now: MonotonicTime, isUnderstood: Bool) -> DeviceQuestions.Answer? {
    if isUnderstood { isOver = true }
    guard !isOver else { return nil }
    if WireProbe.all.indices.contains(place), !answer.isEmpty, WireProbe.all[place].isAnswered(by: answer.span) {
      isOver = true
      let type = Protocols.named(WireProbe.all[place].protocolName)
      return type.map { DeviceQuestions.Answer(decoder: $0.init(), bytes: answer) }
    }
    guard due <= now else { return nil }
    place += 1
    answer = []
    due = now + Self.patience
    guard place < WireProbe.all.count else {
      isOver = true
      return nil
    }
    _ = link.write(WireProbe.all[place].bytes)
    return nil
  }
}
