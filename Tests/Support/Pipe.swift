import Glibc
import LodestonePorts

/// Both ends of a pipe, close-on-exec from the first moment: programs that other tests start must not keep it open.
public struct Pipe {
  /// Where bytes come out.
  public let reader: Descriptor
  /// Where they go in.
  public let writer: Descriptor

  /// A new one.
  public init() throws {
    let path = "/tmp/lodestone-pipe-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    guard mkfifo(path, 0o600) == 0 else { throw SystemError("mkfifo") }
    defer { unlink(path) }
    reader = Descriptor(owning: open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    writer = Descriptor(owning: open(path, O_WRONLY | O_CLOEXEC))
    guard reader.number >= 0, writer.number >= 0 else { throw SystemError("open") }
    _ = fcntl(reader.number, F_SETFL, 0)
  }

  /// The bytes that wait in it.
  public func contents(atMost count: Int = 1 << 21) -> String {
    _ = fcntl(reader.number, F_SETFL, O_NONBLOCK)
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(count, 65_536))
    while all.count < count {
      let got = Glibc.read(reader.number, &chunk, chunk.count)
      guard got > 0 else { break }
      all += chunk.prefix(got)
    }
    return String(decoding: all, as: UTF8.self)
  }
}
