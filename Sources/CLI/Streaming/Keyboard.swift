import Glibc
import LodestonePorts

/// The bytes typed, or sent through a pipe, on standard input, read in the loop of a stream.
final class Keyboard: LoopCompanion {
  private var bytes: [UInt8] = []
  private var hasEnded = false
  private var hasNews = false
  /// Bytes that wait for nobody are not read: a pipe may bring more than anybody types.
  private static let limit = 256

  /// The bytes since the last call, empty where the input has ended; nil where none have come.
  func take() -> [UInt8]? {
    guard hasNews else { return nil }
    hasNews = false
    defer { bytes.removeAll() }
    return bytes
  }

  func watch(with poller: inout Poller) {
    if hasEnded || hasNews { poller.forget(STDIN_FILENO) } else { poller.watch(STDIN_FILENO, for: .readable) }
  }

  func serve(_ poller: Poller) {
    guard !hasEnded, !hasNews, !poller.readiness(of: STDIN_FILENO).isEmpty else { return }
    var chunk = [UInt8](repeating: 0, count: Self.limit)
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    bytes = Array(chunk.prefix(max(0, count)))
    (hasNews, hasEnded) = (true, count <= 0)
  }
}
