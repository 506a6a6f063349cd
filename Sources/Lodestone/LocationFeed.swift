import Drivers
import Instruments
import LodestonePorts

/// Positions from a second stream beside the device's own: gpsd, or a receiver that speaks NMEA.
final class LocationFeed: LoopCompanion {
  private var stream: (any SampleStream)?
  private let name: String
  private let field: LocalField
  private var watched: Int32 = -1
  private var hasPosition = false

  /// Positions of `stream` for `field`.
  init(_ stream: any SampleStream, name: String, field: LocalField) {
    self.stream = stream
    self.name = name
    self.field = field
  }

  var wakeTime: MonotonicTime? { stream?.wakeTime }

  func watch(with poller: inout Poller) {
    let descriptor = stream?.descriptor ?? -1
    if descriptor != watched { poller.forget(watched) }
    if let stream { poller.watch(descriptor, for: stream.interest) }
    watched = descriptor
  }

  func serve(_ poller: Poller) throws {
    // A bound, so that a fast file does not keep the loop here.
    for _ in 0..<256 {
      switch try nextEvent() {
      case .position(let fix):
        hasPosition = true
        field.move(to: fix)
      case .notice(let notice): say(notice)
      case .sample: break
      case .waiting: return
      case .ended:
        if !hasPosition { field.onNotice?(.noPosition(name)) }
        stream = nil
        return
      }
    }
  }

  /// Whether there are samples besides does not matter here.
  private func nextEvent() throws(StreamError) -> StreamEvent {
    do throws(StreamError) {
      return try stream?.next() ?? .waiting
    } catch {
      if case .nothingValid = error { return .ended }
      throw error
    }
  }

  private func say(_ notice: StreamNotice) {
    switch notice {
    case .lost, .disconnected, .returned, .unrecognized, .silent: field.onNotice?(.stream(notice))
    default: break
    }
  }
}
