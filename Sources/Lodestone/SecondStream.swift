import Drivers
import Instruments
import LodestoneCore
import LodestonePorts
import Navigation

/// A stream beside the device's own: positions of a receiver, headings of a second compass.
public final class SecondStream: LoopCompanion {
  private var stream: (any SampleStream)?
  private let take: (StreamEvent) throws -> Void
  private var watched: Int32 = -1

  /// A stream whose events are handed over as they come, `ended` as the last.
  public init(_ stream: any SampleStream, take: @escaping (StreamEvent) throws -> Void) {
    self.stream = stream
    self.take = take
  }

  /// The time at which the stream is to be asked again.
  public var wakeTime: MonotonicTime? { stream?.wakeTime }

  /// Watches the stream while it is there.
  public func watch(with poller: inout Poller) {
    let descriptor = stream?.descriptor ?? -1
    if descriptor != watched { poller.forget(watched) }
    if let stream { poller.watch(descriptor, for: stream.interest) }
    watched = descriptor
  }

  /// Takes what has come.
  public func serve(_ poller: Poller) throws {
    // A bound, so that a fast file does not keep the loop here.
    for _ in 0..<256 {
      let event = try nextEvent()
      switch event {
      case .waiting: return
      case .ended:
        stream = nil
        return try take(event)
      default: try take(event)
      }
    }
  }

  /// The next event; without a stream there is nothing to wait for.
  private func nextEvent() throws(StreamError) -> StreamEvent {
    do throws(StreamError) {
      return try stream?.next() ?? .waiting
    } catch {
      switch error {
      case .nothingValid, .nothingOfUse, .noPositions: return .ended
      default: throw error
      }
    }
  }
}

extension SecondStream {
  /// Positions for a field: gpsd, or a receiver that speaks NMEA. Whether it sends samples besides does not matter.
  convenience init(positionsOf stream: any SampleStream, name: String, for field: LocalField) {
    _ = stream.seekPositions()
    var hasPosition = false
    self.init(stream) { event in
      switch event {
      case .position(let position):
        hasPosition = hasPosition || position.coordinate != nil
        field.move(to: position)
      case .notice(let notice) where notice.isOfLink: field.onNotice?(.beside(name, .stream(notice)))
      case .ended: if !hasPosition { field.onNotice?(.noPosition(name)) }
      default: break
      }
    }
  }

  /// A device beside the loop's own, with its instruments.
  /// - `take`: each event of it.
  /// - `end`: called when its stream has ended.
  public convenience init(
    _ device: Device, take: @escaping (Device.Event) throws -> Void, end: @escaping () -> Void = {}
  ) {
    self.init(device.stream) { event in
      if case .ended = event { end() }
      try device.feed(event) { event in
        try take(event)
        return .goOn
      }
    }
  }

  /// Magnetic headings of a second compass, by its own calibration where one is saved.
  /// - `mounting`: how its chip sits.
  /// - `declination`: where the device is, for a compass that tells true headings only.
  /// - `take`: each heading.
  /// - `say`: what the user should know of it.
  public convenience init(
    headingsOf stream: any SampleStream, mounting: Mounting = .aligned, declination: @escaping () -> Declination?,
    take: @escaping (Heading<MagneticNorth>) -> Void, say: @escaping (Notice) -> Void
  ) throws {
    let device = try Device(stream, SessionOptions(place: nil, mounting: mounting))
    let compass = device.attach(Compass.self)
    self.init(device) { event in
      switch event {
      case .notice(.stream(let notice)): if notice.isOfLink { say(.stream(notice)) }
      case .notice(.instrument(.uncalibrated)), .notice(.instrument(.ownHeadings)): break  // said of the first
      case .notice(let notice): say(notice)
      case .sample:
        guard let reading = event.reading(of: compass) else { break }
        let magnetic =
          reading.magneticHeading
          ?? reading.trueHeading.flatMap { heading in declination().map { heading - $0 } }
        if let magnetic { take(magnetic) }
      case .position, .tick, .turn: break
      }
    }
  }
}

extension StreamNotice {
  /// Whether the device is gone, silent or not understood: the notices of a second stream that its user is told.
  var isOfLink: Bool {
    switch self {
    case .lost, .unanswered, .disconnected, .returned, .unrecognized, .nothingOfUse, .doubtful, .silent, .wrongDate:
      true
    default: false
    }
  }
}
