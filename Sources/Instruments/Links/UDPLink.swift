import LodestonePorts

/// A port that datagrams come to. It is never lost: who sends may come and go.
final class UDPLink: ByteLink {
  let isLive = true
  let sender = StreamNotice.Silent.sender
  var presence = Presence()
  let name: String
  var identity: String { name }
  let source: (any ByteSource)?

  init(at endpoint: NetworkEndpoint, as address: DeviceAddress) throws(StreamError) {
    name = address.withoutOptions
    do throws(SocketError) {
      source = DatagramSource(try UDPListener(at: endpoint))
    } catch {
      throw .unreachable(name, error)
    }
  }
}

/// Datagrams one after the other, the lines in them ended.
private final class DatagramSource: ByteSource {
  private let listener: UDPListener
  private var lines = DatagramLines()

  init(_ listener: UDPListener) { self.listener = listener }

  var descriptor: Int32 { listener.descriptor }

  /// A byte on either side of the datagram is left for the end of a line: no datagram is as long as a buffer of 65,536.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    guard buffer.count > 2 else { return listener.read(into: buffer) }
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[1..<(buffer.count - 1)])
    let outcome = listener.read(into: room)
    guard case .bytes(let count) = outcome else { return outcome }
    let ends = lines.take(UnsafeRawBufferPointer(rebasing: room[..<count]))
    let end = ends.after ? count + 2 : count + 1
    if ends.after { buffer[count + 1] = UInt8(ascii: "\n") }
    if ends.before {
      buffer[0] = UInt8(ascii: "\n")
      return .bytes(end)
    }
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[1..<end]))
    return .bytes(end - 1)
  }
}
