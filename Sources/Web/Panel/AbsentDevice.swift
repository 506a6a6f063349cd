import Calibration
import Instruments
import Lodestone
import LodestonePorts

/// A device that could not be read on, in its own place: gone until it can be opened again, or another one is chosen.
final class AbsentDevice: SampleStream {
  let identity: String
  let unixStart: Double?
  let builtInProfile: Profile?
  let isLive = true
  let descriptor: Int32? = nil
  private let reopen: () throws -> any SampleStream
  private let since = MonotonicTime.now
  private var pause = pauses.lowerBound
  private var nextLook = MonotonicTime.now + pauses.lowerBound

  /// Seconds from one attempt to open it to the next, which double.
  private static let pauses = 1.0...30.0

  /// - Parameter reopen: opens it once more.
  init(_ device: any SampleStream, reopen: @escaping () throws -> any SampleStream) {
    (identity, unixStart, builtInProfile) = (device.identity, device.unixStart, device.builtInProfile)
    self.reopen = reopen
  }

  /// Without one the loop would look at it without a pause.
  var wakeTime: MonotonicTime? { .now + Self.pauses.lowerBound }

  func next() -> StreamEvent { .waiting }

  /// The device where it can be opened again; nil while it cannot, and until it is time to look.
  func look() -> Candidate? {
    guard nextLook <= .now else { return nil }
    pause = min(2 * pause, Self.pauses.upperBound)
    nextLook = .now + pause
    guard let stream = try? reopen(), stream.identity == identity else { return nil }
    return Candidate(stream, open: reopen)
  }

  /// The notice that it is back; nil for another device in its place.
  func notice(ofReturnAs stream: any SampleStream) -> Notice? {
    stream.identity == identity ? .stream(.returned(identity, seconds: .now - since)) : nil
  }
}
