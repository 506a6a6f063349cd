import Instruments
import LodestoneCore
import LodestonePorts
import Navigation

/// The first half second of a stream, looked at for what the device tells, and kept until it is asked for.
struct LookAhead {
  /// The seconds of samples that are looked at, and how many events at most.
  private static let seconds = 0.5
  private static let limit = 256
  /// Seconds after which a device that says nothing is waited for no longer.
  private static let patience = 3.0

  /// The quantities in the samples that were looked at.
  private(set) var parts: DeviceParts = []
  private var held: [(event: StreamLoop.Event, sample: Sample)] = []
  private var hasLooked = false

  /// Looks, once.
  mutating func look(_ loop: StreamLoop) throws {
    guard !hasLooked else { return }
    hasLooked = true
    let alarm = Alarm(at: .now + Self.patience, loop.bell)
    loop.companions.append(alarm)
    defer { loop.companions.removeAll { $0 === alarm } }
    var first: Double?
    _ = try loop.pump { event in
      held.append((event, loop.sample))
      var time = loop.sample.time
      switch event {
      case .sample: parts.formUnion(DeviceParts(DeviceFrame().read(loop.sample)))
      case .position(let position):
        parts.insert(.position)
        time = position.time
      case .notice, .tick, .turn: return held.count < Self.limit ? .goOn : .stop
      }
      let start = first ?? time
      first = start
      return time - start < Self.seconds && held.count < Self.limit ? .goOn : .stop
    }
    _ = loop.bell.wasRung()
  }

  /// The next event that was looked at, and the last sample then; nil when all were given.
  mutating func next() -> (event: StreamLoop.Event, sample: Sample)? { held.isEmpty ? nil : held.removeFirst() }

  /// Rings when it is time.
  private final class Alarm: LoopCompanion {
    let wakeTime: MonotonicTime?
    private let bell: Doorbell

    init(at time: MonotonicTime, _ bell: Doorbell) {
      wakeTime = time
      self.bell = bell
    }

    func watch(with poller: inout Poller) {}
    func serve(_ poller: Poller) { if let wakeTime, wakeTime <= .now { bell.ring() } }
  }
}
