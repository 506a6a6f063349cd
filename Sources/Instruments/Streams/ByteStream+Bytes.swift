import Drivers
import LodestonePorts

extension ByteStream {
  func tap(_ listener: @escaping ByteListener) -> Bool {
    self.listener = listener
    return true
  }

  /// Takes in bytes that were read now, each piece with the moment at which it came.
  func take(_ bytes: UnsafeRawBufferPointer, _ now: MonotonicTime) throws(StreamError) {
    var start = 0
    while start < bytes.count {
      let (count, moment) = link.isLive ? backlog.piece(of: bytes.count - start, now) : (bytes.count, now)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
      start += count
      try listener?(piece, moment - started)
      reader.wire.append(Span(_unsafeBytes: piece), at: link.isLive ? moment - started : nil)
    }
  }
}
