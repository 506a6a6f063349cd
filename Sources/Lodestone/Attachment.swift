import Calibration
import LodestoneCore
import Navigation

/// An instrument on a device: it reads every sample of it, or every position.
public final class Attachment<Kind: Instrument>: AnyAttachment {
  /// The instrument, to be asked or told something besides its readings.
  /// Exclusivity is unchecked, as for the reading: the device uses it for each sample, the program only between
  /// samples.
  @exclusivity(unchecked) public var instrument: Kind
  @exclusivity(unchecked) @usableFromInline var last = Kind.Reading()
  /// Its last reading, whether passed on or thinned out.
  @inlinable public var reading: Kind.Reading { last }

  /// Hands the last reading to `body` in place, to be read only: an inout argument is not copied.
  @inlinable @inline(__always)
  package func withReading<Result, Failure: Error>(
    _ body: (inout Kind.Reading) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(&last) }

  /// The reading of the last sample or position; nil where it gave none, or one that was thinned out.
  public var latest: Kind.Reading? { isFresh ? last : nil }

  init(_ instrument: Kind, rate: Double?) {
    self.instrument = instrument
    super.init(
      needs: Kind.needs, readsPositions: Kind.readsPositions, handRequest: Kind.handRequest, rate: rate)
  }

  override func take(_ sample: inout DeviceSample) {
    // Counts of unknown scale tell no strength.
    guard !sample.flags.contains(.unscaled) || !Kind.needs.contains(.strength) else {
      isFresh = false
      return
    }
    isFresh = instrument.read(sample, into: &last) && (!hasLimit || isWanted())
  }

  override func take(_ position: Position) {
    isFresh = instrument.read(position, into: &last) && (!hasLimit || isWanted())
  }

  /// Whether the reading passes the limit. Not inlined: without a limit nothing asks whether the reading is an event.
  @inline(never)
  private func isWanted() -> Bool { isWanted(last.time, isEvent: Kind.isEvent(last)) }

  override func follow(_ earth: EarthReference?) { instrument.follow(earth) }
  override func follow(_ profile: Profile) { instrument.follow(profile) }
  override func follow(_ deviation: Deviation) { instrument.follow(deviation) }
  override func nextNotice() -> InstrumentNotice? { instrument.nextNotice() }
  override func end() -> InstrumentNotice? { instrument.end() }
}

/// An instrument on a device, whatever it reads.
public class AnyAttachment {
  /// Readings a second that are passed on, at most; nil for all of them. Events pass in any case.
  public final var rate: Double? {
    didSet {
      limit = RateLimit(rate)
      hasLimit = limit != nil
    }
  }

  /// Whether the last sample or position gave a reading that passed the limit.
  /// Exclusivity is unchecked, as for the limit: both are used for each sample, and call nothing that comes back here.
  @exclusivity(unchecked) public internal(set) final var isFresh = false

  final let needs: DeviceParts
  final let readsPositions: Bool
  final let handRequest: HandRequest
  @exclusivity(unchecked) private final var limit: RateLimit?
  @exclusivity(unchecked) fileprivate final var hasLimit: Bool

  fileprivate init(needs: DeviceParts, readsPositions: Bool, handRequest: HandRequest, rate: Double?) {
    self.needs = needs
    self.readsPositions = readsPositions
    self.handRequest = handRequest
    self.rate = rate
    limit = RateLimit(rate)
    hasLimit = limit != nil
  }

  fileprivate final func isWanted(_ time: Double, isEvent: Bool) -> Bool {
    limit?.passes(time) != false || isEvent
  }

  /// Reads a sample.
  /// - Parameter sample: only read; inout so that it is not copied.
  func take(_ sample: inout DeviceSample) {}
  func take(_ position: Position) {}
  func follow(_ earth: EarthReference?) {}
  func follow(_ profile: Profile) {}
  func follow(_ deviation: Deviation) {}
  func nextNotice() -> InstrumentNotice? { nil }
  func end() -> InstrumentNotice? { nil }
}
