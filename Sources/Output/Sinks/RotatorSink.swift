import LodestonePorts

/// Hamlib's network protocol for rotators (rotctld): programs for satellites and contests ask where the antenna points.
/// It tells, and turns nothing. A heading older than five seconds is not told, nor one of a device that is away.
/// Source: Hamlib 4.5, rotctld(1) and the answers of its dummy rotator.
public final class RotatorSink: AddressedSink {
  /// `rotctl://:4533`.
  public static let scheme = "rotctl"
  /// Answers questions.
  public static let example = "rotctl://:4533 to answer rotator programs (Hamlib)"
  /// Azimuth and elevation.
  public static let format: (any Format.Type)? = RotatorFormat.self

  /// The age in seconds past which a heading is not told any more.
  private static let longestAge = 5.0
  /// Hamlib's codes: something failed; the rotator can't do this.
  private static let failure = "RPRT -6\n", unavailable = "RPRT -11\n", done = "RPRT 0\n"

  private let publisher: TCPPublisher
  private var position: [UInt8] = []
  private var told = MonotonicTime.now

  /// `rotctl://host:port` with or without a host; nil for anything else.
  private static func endpoint(_ address: String) -> NetworkEndpoint? { NetworkEndpoint(address: address.afterColon) }

  /// Whether it names a port to listen at.
  public static func accepts(_ address: String) -> Bool { endpoint(address) != nil }

  /// Listens; without a host only for programs of this machine.
  public init(address: String) throws(SinkError) {
    guard let endpoint = Self.endpoint(address) else { throw .badAddress(address) }
    do throws(SocketError) {
      publisher = try TCPPublisher(at: endpoint)
    } catch {
      throw .network(address, error)
    }
    publisher.answer = { [unowned self] in answer($0) }
  }

  /// The address at which programs find it.
  public var name: String {
    let endpoint = publisher.endpoint
    let host = endpoint.host.isEmpty || endpoint.host == "*" ? "127.0.0.1" : endpoint.host
    return "rotctl://\(NetworkEndpoint(host: host, port: endpoint.port))"
  }

  /// Programs that were turned away.
  public var losses: [SinkLoss] {
    publisher.refusedClientCount > 0 ? [.refusals(publisher.refusedClientCount, limit: publisher.clientLimit)] : []
  }

  /// Keeps the latest position: the last two lines.
  public func send(_ lines: UnsafeRawBufferPointer) {
    let ends = lines.indices.filter { lines[$0] == UInt8(ascii: "\n") }.suffix(3)
    guard ends.count >= 2, let first = ends.first else { return }
    position = Array(ends.count == 3 ? lines[(first + 1)...] : lines[...])
    told = .now
  }

  /// Forgets the position.
  public func deviceIsAway() { position = [] }

  /// The port and its clients.
  public func watch(with poller: inout Poller) { publisher.watch(with: &poller) }

  /// Accepts clients, and answers them.
  public func serve(_ poller: Poller) { publisher.service(poller) }

  /// Answers a line: a letter or a long name behind `\`, a `+` before it for an answer that says what is what.
  private func answer(_ line: [UInt8]) -> TCPPublisher.Answer {
    var text = String(decoding: line, as: UTF8.self).drop { $0 == " " }
    if text.last == "\r" { text.removeLast() }
    let isExtended = text.first == "+"
    if isExtended { text.removeFirst() }
    let command = text.split(separator: " ", omittingEmptySubsequences: true).first.map { String($0) } ?? ""
    switch command {
    case "": return .bytes([])
    case "q", "Q", "\\quit": return .hangUp
    case "p", "\\get_pos": return reply(positionAnswer(isExtended))
    case "_", "\\get_info":
      return reply(isExtended ? "get_info:\nInfo: Lodestone\n" + Self.done : "Lodestone\n")
    case "\\dump_state": return reply(Self.state)
    case "S", "\\stop": return reply((isExtended ? "stop:\n" : "") + Self.done)
    default: return reply(Self.unavailable)
    }
  }

  private func reply(_ text: String) -> TCPPublisher.Answer { .bytes(Array(text.utf8)) }

  private func positionAnswer(_ isExtended: Bool) -> String {
    guard !position.isEmpty, MonotonicTime.now - told < Self.longestAge else { return Self.failure }
    let lines = String(decoding: position, as: UTF8.self)
    guard isExtended else { return lines }
    let values = lines.split(separator: "\n")
    guard values.count == 2 else { return Self.failure }
    return "get_pos:\nAzimuth: \(values[0])\nElevation: \(values[1])\n" + Self.done
  }

  /// Version of the protocol, number of the model (the network's), and where it can point.
  private static let state = """
    1
    2
    min_az=0.000000
    max_az=360.000000
    min_el=-90.000000
    max_el=90.000000
    south_zero=0
    rot_type=AzEl
    done

    """
}
