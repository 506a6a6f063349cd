import LodestoneCore
import LodestonePorts
import NIOCore
import NIOEmbedded

@testable import LodestoneWeb

/// Bytes over a connection of the page: requests, and others, through the server's own handlers. The first byte
/// tells whether a token is needed, the second how large the chunks are.
enum HTTPTarget: FuzzTarget {
  static let name = "http"
  private static let token = "c0mpass"

  static func take(_ bytes: Span<UInt8>) {
    guard bytes.count > 2, let requests = try? Handover<WebRequest>(capacity: 16) else { return }
    let content = bytes.indices.dropFirst(2).map { bytes[$0] }
    for action in InstrumentPanel.map.actions { _ = action.problem(of: content) }
    let needsToken = bytes[0] & 1 == 1
    let board = EventBoard()
    Array("{\"magnetic\":12}".utf8).withUnsafeBytes { board.put("heading", json: $0, isKept: bytes[0] & 2 == 2) }
    for stands in [true, bytes[0] & 4 == 0] {
      Array("{\"text\":\"gone\"}".utf8).withUnsafeBytes { board.put("notice", json: $0, about: "link", stands: stands) }
    }
    var limits = Limits()
    limits.body = 4096
    let gatekeeper = Gatekeeper(names: ["localhost:7373"], token: needsToken ? token : nil)
    let site = Site(
      gatekeeper: gatekeeper, map: InstrumentPanel.map, board: board, requests: requests, limits: limits,
      log: { _ in })
    let channel = EmbeddedChannel()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    channel.localAddress = try? SocketAddress(ipAddress: "127.0.0.1", port: 7373)
    guard (try? WebServer.open(channel, on: site)) != nil,
      (try? channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 50_000)).wait()) != nil
    else { return }
    let mayAsk = !needsToken || holdsToken(content)
    var start = 0
    let chunk = bytes[1] == 0 ? content.count : Int(bytes[1])
    while start < content.count, channel.isActive {
      let end = min(content.count, start + chunk)
      _ = try? channel.writeInbound(ByteBuffer(bytes: content[start..<end]))
      start = end
      while let request = requests.take() {
        require(mayAsk, "a request without the token")
        answer(request)
      }
      site.update()
      check(channel)
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    check(channel)
  }

  private static func holdsToken(_ content: [UInt8]) -> Bool {
    let token = Array(token.utf8)
    return content.indices.contains { content[$0...].starts(with: token) }
  }

  /// As the instruments do: what came is read, and something is said.
  private static func answer(_ request: WebRequest) {
    let action = InstrumentPanel.map.actions.first { $0.path == request.action }
    require(request.isCommand == action?.isCommand, "a question that changes something")
    guard let body = JSONValue(parsing: request.body) else { return request.answer(.failure(409, "no JSON")) }
    if case .string(let text)? = body["address"] { return request.answer(.failure(409, text)) }
    request.answer(.json(body.line))
  }

  /// All that goes out is of one kind.
  private static func check(_ channel: EmbeddedChannel) {
    while let buffer = try? channel.readOutbound(as: ByteBuffer.self) {
      let head = String(buffer: buffer).prefix(9)
      require(!head.hasPrefix("HTTP/") || head == "HTTP/1.1 " || head == "HTTP/1.0 ", "an answer in another version")
    }
  }
}
