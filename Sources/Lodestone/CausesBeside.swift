import Calibration
import Drivers
import Instruments
import LodestoneCore
import LodestonePorts

/// A device with the values of causes that another one tells, as one stream: matched by their arrival where both are
/// live, by their times in two recordings.
public final class CausesBeside: SampleStream {
  private let device: any SampleStream
  private let teller: any SampleStream
  private let name: String
  private var names: [String] = []
  private var notices: [StreamNotice] = []
  /// Values that have arrived since the last sample.
  @exclusivity(unchecked) private var arrived = CauseValues()
  /// The values of the other recording, as far as it is read; nil for a live device.
  @exclusivity(unchecked) private var recorded: RecordedValues?
  private var hasTimes = true
  /// Events of the other recording between two looks at what else the loop waits for.
  private static let pieceCount = 4096
  /// Whether the other recording is read through, if it is one.
  @exclusivity(unchecked) private var isReadThrough: Bool
  /// The stream of the other device in a live loop; nil for recordings.
  let companion: SecondStream?

  /// A device and another one.
  /// - Parameters:
  ///   - name: what the other one is called for its user.
  ///   - isLive: the other one is read as it sends; else through before the first sample.
  public init(_ device: any SampleStream, valuesOf teller: any SampleStream, name: String, isLive: Bool) {
    (self.device, self.teller, self.name) = (device, teller, name)
    let inbox = Inbox()
    companion = isLive ? SecondStream(teller) { inbox.owner?.take($0) } : nil
    recorded = isLive ? nil : RecordedValues()
    isReadThrough = isLive
    inbox.owner = self
  }

  /// Breaks the circle between a stream and what is told of it.
  private final class Inbox { weak var owner: CausesBeside? }

  // MARK: The other device

  private func take(_ event: StreamEvent) {
    switch event {
    case .sample(let sample): take(sample.causes)
    case .notice(let notice): if notice.isOfLink { notices.append(.beside(name, notice)) }
    default: break
    }
  }

  private func take(_ values: CauseValues) {
    for place in 0..<CauseValues.limit { if let value = values[place] { arrived[place] = value } }
  }

  /// Reads a piece of the other recording.
  private func readOn() throws(StreamError) {
    for _ in 0..<Self.pieceCount {
      switch try teller.next() {
      case .sample(let sample): recorded?.add(sample)
      case .notice(.timesCounted(rate: nil)): hasTimes = false
      case .ended:
        guard hasTimes else {
          let remedy = "it needs a column with the time, as in time_s,current_A"
          throw .useless(name, .unreadable("a recording without times", remedy: remedy))
        }
        isReadThrough = true
        return
      case .waiting: return
      default: break
      }
    }
  }

  /// Puts the values that belong to a sample of the device into it, where it has none itself.
  @inline(__always)
  private func complete(_ sample: inout Sample) {
    if recorded != nil {
      recorded?.complete(&sample, device.unixStart, teller.unixStart)
    } else if !arrived.isEmpty {
      for place in 0..<CauseValues.limit where sample.causes[place] == nil { sample.causes[place] = arrived[place] }
      arrived.clear()
    }
  }

  // MARK: The stream

  /// The next event of the device.
  public func next() throws(StreamError) -> StreamEvent {
    guard !names.isEmpty else { throw .nothingSought(name) }
    if !isReadThrough {
      try readOn()
      guard isReadThrough else { return .waiting }
    }
    if !notices.isEmpty { return .notice(notices.removeFirst()) }
    switch try device.next() {
    case .sample(var sample):
      complete(&sample)
      return .sample(sample)
    case .ended:
      guard let values = recorded, !values.isMet else { return .ended }
      recorded?.isMet = true
      return .notice(.timesApart(name))
    case let event: return event
    }
  }

  /// The next sample of the device, where it is at hand.
  public func nextSample(into sample: inout Sample) -> Bool {
    guard isReadThrough, device.nextSample(into: &sample) else { return false }
    complete(&sample)
    return true
  }

  /// Asks both for the values.
  public func seek(_ causes: CauseNames) {
    names = causes.names
    device.seek(causes)
    teller.seek(causes)
  }

  // MARK: As the device

  /// The device's; none while the other recording is read.
  public var descriptor: Int32? { isReadThrough ? device.descriptor : nil }
  /// The device's.
  public var interest: Poller.Interest { device.interest }
  /// The time to ask the device again, or now where there is more to read or to be told.
  public var wakeTime: MonotonicTime? { isReadThrough && notices.isEmpty ? device.wakeTime : .now }
  /// Whether the device is.
  public var isLive: Bool { device.isLive }
  /// The device's: its calibration is kept under that.
  public var identity: String { device.identity }
  /// The device's.
  public var unixStart: Double? { device.unixStart }
  /// The device's.
  public var sideThread: SideThread? { device.sideThread }
  /// Whether the device is.
  public var isEndless: Bool { device.isEndless }
  /// The device's.
  public var builtInProfile: Profile? { device.builtInProfile }
  /// Tells the device.
  public func expect(_ expectation: FieldExpectation) { device.expect(expectation) }
  /// Asks the device.
  public func seekPositions() -> Bool { device.seekPositions() }
  /// Tells the device.
  public func follow(_ request: HandRequest) { device.follow(request) }
  /// Shows the bytes of the device.
  public func tap(_ listener: @escaping ByteListener) -> Bool { device.tap(listener) }
}

/// The values of a recording by their times.
struct RecordedValues {
  /// A sample's worth of them.
  private struct Entry {
    let time: Double
    let values: CauseValues
  }

  private var entries: [Entry] = []
  private var stride = 1
  private var skipped = 0
  /// Whether a value has met a sample, or its absence has been told.
  var isMet = false

  /// Entries in memory: past them every second one is dropped, again and again.
  private static let limit = 1 << 21
  /// The longest time between two entries, in seconds, across which values are interpolated.
  private static let longestGap = 2.0
  /// Times past this many seconds are UTC.
  private static let dates = 6e8

  mutating func add(_ sample: Sample) {
    guard !sample.causes.isEmpty, sample.time.isFinite else { return }
    skipped += 1
    guard skipped >= stride else { return }
    skipped = 0
    if let last = entries.last, sample.time < last.time { return }
    entries.append(Entry(time: sample.time, values: sample.causes))
    guard entries.count >= Self.limit else { return }
    stride *= 2
    entries = entries.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
  }

  /// Seconds from a sample's time to that of the entries: both are on the same clock, unless both say when they began.
  private func shift(_ time: Double, _ start: Double?, _ ownStart: Double?) -> Double {
    let own = ownStart ?? ((entries.first?.time ?? 0) > Self.dates ? 0 : nil)
    guard let own, let start = start ?? (time > Self.dates ? 0 : nil) else { return 0 }
    return start - own
  }

  /// Puts the values at the time of a sample into it, along the line between their neighbours.
  mutating func complete(_ sample: inout Sample, _ start: Double?, _ ownStart: Double?) {
    let time = sample.time + shift(sample.time, start, ownStart)
    let next = firstPlace(after: time)
    let before = next > 0 ? entries[next - 1] : nil, after = next < entries.count ? entries[next] : nil
    for place in 0..<CauseValues.limit where sample.causes[place] == nil {
      guard let value = Self.value(at: time, place, before, after) else { continue }
      sample.causes[place] = value
      isMet = true
    }
  }

  /// The place of the first entry after a time, by halves: samples may leap to and fro.
  private func firstPlace(after time: Double) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func value(at time: Double, _ place: Int, _ before: Entry?, _ after: Entry?) -> Double? {
    let (a, b) = (before?.values[place], after?.values[place])
    if let before, let after, let a, let b, after.time - before.time <= longestGap, after.time > before.time {
      return a + (b - a) * (time - before.time) / (after.time - before.time)
    }
    if let before, let a, time - before.time <= longestGap / 2 { return a }
    if let after, let b, after.time - time <= longestGap / 2 { return b }
    return nil
  }
}
