import Instruments
import LodestoneCore
import LodestonePorts

/// A device that was chosen on the page, or is looked for: opened beside the one that is shown, and put in its place
/// with its first usable sample. One that brings none is closed again, and the reason told.
final class Candidate {
  /// How far it has come.
  enum State {
    case waiting
    case usable
    case refused(String)
  }

  /// The stream of the device.
  let stream: any SampleStream
  /// Opens the device once more.
  let open: () throws -> any SampleStream
  private let request: WebRequest?
  private let deadline = MonotonicTime.now + patience
  private var watched: Int32 = -1

  /// Seconds for a sample to come: boards that start anew when they are opened take five.
  private static let patience = 10.0

  /// - Parameter request: that chose it; nil where nobody did.
  init(_ stream: any SampleStream, for request: WebRequest? = nil, open: @escaping () throws -> any SampleStream) {
    self.stream = stream
    self.request = request
    self.open = open
  }

  /// The time to look again: now at a recording, which never becomes readable.
  var wakeTime: MonotonicTime {
    if let wakeTime = stream.wakeTime { return min(wakeTime, deadline) }
    return stream.descriptor == nil ? .now : deadline
  }

  func watch(with poller: inout Poller) {
    let descriptor = stream.descriptor ?? -1
    if descriptor != watched { poller.forget(watched) }
    if descriptor >= 0 { poller.watch(descriptor, for: stream.interest) }
    watched = descriptor
  }

  /// Leaves the poller.
  func forget(_ poller: inout Poller) { poller.forget(watched) }

  /// Takes what has come. What it sends is not repeated to anyone: it may be a file that is none of theirs.
  func look() -> State {
    for _ in 0..<256 {
      do throws(StreamError) {
        switch try stream.next() {
        case .sample(let sample) where sample.alongProbe != nil:
          return .refused("a probe of one axis: lodestone teslameter reads it, this page does not")
        case .sample(let sample): if sample.isUsable { return .usable }
        case .ended: return .refused("it holds no samples")
        case .waiting:
          return .now < deadline ? .waiting : .refused("no usable sample came within \(Int(Self.patience)) s")
        case .notice, .position: break
        }
      } catch {
        return .refused(Self.words(error))
      }
    }
    return .now < deadline ? .waiting : .refused("no usable sample came within \(Int(Self.patience)) s")
  }

  /// Sends the answer.
  func answer(_ answer: WebAnswer) { request?.answer(answer) }

  /// The reason in a few words, without anything of what was read.
  private static func words(_ error: StreamError) -> String {
    switch error {
    case .gone: "it was unplugged"
    case .disconnected: "the connection broke"
    case .onlyPositions, .noReceiver, .noPositions: "it sends positions, no field"
    case .ambiguousUnit: "the unit of its field cannot be told: add ?unit=uT to the address"
    case .anglesForField: "its x, y and z look like angles, and not like a field"
    case .damagedField: "its numbers were put together wrongly from the bytes of a chip"
    case .zeroField: "its field is zero on all axes"
    case .otherScale: "its calibration belongs to another scale"
    default: "nothing in it is a sample"
    }
  }
}

extension Sample {
  /// Whether it holds something that one of the instruments reads.
  fileprivate var isUsable: Bool { field != nil || acceleration != nil || own != nil }
}

/// The candidate, one at a time.
struct Candidates {
  /// The one that is being opened; nil for none.
  private(set) var present: Candidate?
  /// Those that were dropped, until the poller has forgotten them.
  private var left: [Candidate] = []

  /// Takes a candidate, in place of the one before.
  mutating func take(_ candidate: Candidate) {
    drop("another device was chosen")
    present = candidate
  }

  private mutating func drop(_ reason: String) {
    guard let present else { return }
    present.answer(.failure(409, reason))
    left.append(present)
    self.present = nil
  }

  mutating func watch(with poller: inout Poller) {
    for candidate in left { candidate.forget(&poller) }
    left = []
    present?.watch(with: &poller)
  }

  /// The candidate once it has sent something, which is none any more then.
  mutating func takeUsable() -> Candidate? {
    guard let candidate = present else { return nil }
    switch candidate.look() {
    case .waiting: return nil
    case .refused(let reason):
      drop(reason)
      return nil
    case .usable:
      candidate.answer(.done)
      present = nil
      return candidate
    }
  }
}
