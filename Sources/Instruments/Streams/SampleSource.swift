import Glibc
import LodestoneCore
import LodestonePorts

/// A source of samples of one's own: a sensor behind a vendor's library, a message bus, a file of a kind that nobody
/// else reads. One requirement; the rest has defaults.
public protocol SampleSource {
  /// Writes the next sample where it is wanted, waited for as long as it takes. False at the end. Times are in seconds
  /// and do not run backwards; what is not finite, or has a component that is not, counts as absent.
  mutating func next(into sample: inout Sample) throws -> Bool

  /// The name under which its calibration is saved; the type's, unless it says otherwise.
  var name: String { get }

  /// Whether samples come at the pace of the world; false for a recording, which is read as fast as possible.
  var isLive: Bool { get }

  /// A descriptor that is readable when a sample is there. With it the source is asked only then, and whoever reads can
  /// do something else meanwhile; nil for a source that waits by itself.
  var descriptor: Int32? { get }

  /// The source as a stream.
  func makeStream() throws(StreamError) -> any SampleStream
}

extension SampleSource {
  /// The type's name.
  public var name: String { "\(Self.self)" }
  /// True, as for a sensor.
  public var isLive: Bool { true }
  /// None: the source waits by itself.
  public var descriptor: Int32? { nil }
  /// A stream that asks the source for each sample.
  public func makeStream() -> any SampleStream { SourceStream(self) }
}

/// The samples of a source of one's own.
final class SourceStream<Source: SampleSource>: SampleStream {
  let identity: String
  let isLive: Bool
  let unixStart: Double?
  var descriptor: Int32? { source.descriptor }
  /// A source that waits by itself is asked again at once.
  var wakeTime: MonotonicTime? { isLive && descriptor == nil ? began : nil }

  private var source: Source
  private var sample = Sample(time: 0)
  private let began = MonotonicTime.now
  /// Whether a sample was just given: the loop gets a turn between two.
  private var yields = false

  init(_ source: Source) {
    self.source = source
    (identity, isLive) = (source.name, source.isLive)
    unixStart = source.isLive ? WallClock.unixTime : nil
  }

  func next() throws(StreamError) -> StreamEvent {
    guard !yields, isReady else {
      yields = false
      return .waiting
    }
    do {
      guard try source.next(into: &sample) else { return .ended }
    } catch let error as StreamError {
      throw error
    } catch {
      throw .source(identity, reason: "\(error)")
    }
    yields = isLive
    dropWhatIsNotFinite()
    return .sample(sample)
  }

  /// Makes nil of what is not finite: as with every other stream, it was not measured.
  private func dropWhatIsNotFinite() {
    if sample.field?.microtesla.isFinite == false { sample.field = nil }
    if sample.alongProbe?.isFinite == false { sample.alongProbe = nil }
    if sample.acceleration?.g.isFinite == false { sample.acceleration = nil }
    if sample.rotationRate?.degreesPerSecond.isFinite == false { sample.rotationRate = nil }
    Self.drop(&sample.temperature)
    guard var own = sample.own else { return }
    if own.magnetic?.degrees.isFinite == false { own.magnetic = nil }
    if own.trueNorth?.degrees.isFinite == false { own.trueNorth = nil }
    Self.drop(&own.pitch)
    Self.drop(&own.roll)
    Self.drop(&own.rateOfTurn)
    Self.drop(&own.accuracy)
    sample.own = own
  }

  private static func drop(_ value: inout Double?) {
    if value?.isFinite == false { value = nil }
  }

  private var isReady: Bool {
    guard let descriptor else { return true }
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&one, 1, 0) > 0
  }
}
