import LodestoneCore
import LodestonePorts
import NIOCore
import NIOHTTP1
import NIOPosix

/// The page and what programs ask for, over HTTP/1.1, on a thread of its own. It is handed finished values, and hands
/// requests back; the poll loop that calls it never waits for a browser.
public final class WebServer {
  /// The endpoint at which it is reached, with the port that the system chose where 0 was asked for.
  public let endpoint: NetworkEndpoint
  private let board = EventBoard()
  private let requests: Handover<WebRequest>
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel

  /// Listens at an address of this machine: without a host at the loopback address.
  /// - Parameters:
  ///   - token: what readers must show; needed where other machines reach the address.
  ///   - log: called with a line for each request, from the server's thread.
  public convenience init(
    at endpoint: NetworkEndpoint, token: String? = nil, log: (@Sendable (String) -> Void)? = nil
  ) throws(WebServerError) {
    try self.init(at: endpoint, token: token, map: InstrumentPanel.map, limits: Limits(), log: log)
  }

  init(
    at endpoint: NetworkEndpoint, token: String?, map: SiteMap, limits: Limits,
    log: (@Sendable (String) -> Void)? = nil
  ) throws(WebServerError) {
    do {
      let socket = try ListeningSocket(at: endpoint)
      guard socket.isLoopback || token != nil else { throw WebServerError.tokenNeeded(endpoint) }
      let host = endpoint.host.isEmpty ? "127.0.0.1" : endpoint.host
      self.endpoint = NetworkEndpoint(host: host, port: socket.port)
      requests = try Handover(capacity: 256)
      group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let names = Self.names(of: self.endpoint, isLoopback: socket.isLoopback)
      let gatekeeper = Gatekeeper(names: names, token: token)
      let loop = group.next()
      let site = try Self.begin(on: loop) { [board, requests] in
        Site(gatekeeper: gatekeeper, map: map, board: board, requests: requests, limits: limits, log: log)
      }
      listener = try Self.bootstrap(site, on: group).withBoundSocket(socket.release()).wait()
    } catch let error as WebServerError {
      throw error
    } catch let error as SocketError {
      throw .socket(error)
    } catch {
      throw .socket(
        .system(endpoint, error as? SystemError ?? SystemError("listen", code: (error as? IOError)?.errnoCode ?? 0)))
    }
  }

  deinit { try? group.syncShutdownGracefully() }

  /// The descriptor for poll(2): readable while requests wait.
  public var descriptor: Int32 { requests.descriptor }

  /// The oldest request that waits; nil when there is none.
  public func nextRequest() -> WebRequest? { requests.take() }

  /// Tells every reader of an event. A slow reader gets the newest of each name.
  /// - Parameters:
  ///   - json: one JSON object.
  ///   - isKept: every reader that keeps up gets it.
  func publish(_ event: String, json: UnsafeRawBufferPointer, isKept: Bool = false) {
    board.put(event, json: json, isKept: isKept)
  }

  /// Tells every reader of an event.
  func publish(_ event: String, _ value: JSONValue, isKept: Bool = false) {
    Array(value.line.utf8).withUnsafeBytes { publish(event, json: $0, isKept: isKept) }
  }

  /// Tells every reader of an event that takes the place of an earlier one about its subject.
  /// - Parameter stands: readers that come later are told it too, until another one about the subject.
  func tell(_ event: String, _ value: JSONValue, about subject: String, stands: Bool) {
    Array(value.line.utf8).withUnsafeBytes { board.put(event, json: $0, about: subject, stands: stands) }
  }

  /// The names by which the address may be dialled, besides the numbers of the connection itself.
  static func names(of endpoint: NetworkEndpoint, isLoopback: Bool) -> Set<String> {
    let isAny = ["*", "0.0.0.0", "::"].contains(endpoint.host)
    var names: Set<String> = isAny ? [] : [endpoint.description]
    if !isLoopback { names.formUnion(OwnNames.all.map { "\($0):\(endpoint.port)" }) }
    if isLoopback { names.insert("localhost:\(endpoint.port)") }
    if endpoint.port == 80 { names.formUnion(names.map { String($0.dropLast(3)) }) }
    return names
  }

  /// Makes the state that the connections share, on the loop that uses it: it stays there.
  private static func begin(
    on loop: any EventLoop, _ make: @escaping @Sendable () -> Site
  ) throws -> NIOLoopBound<Site> {
    try loop.submit {
      let site = make()
      let bound = NIOLoopBound(site, eventLoop: loop)
      let interval = site.limits.eventInterval
      loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in bound.value.update() }
      return bound
    }.wait()
  }

  private static func bootstrap(_ site: NIOLoopBound<Site>, on group: MultiThreadedEventLoopGroup) -> ServerBootstrap {
    ServerBootstrap(group: group)
      // The port of a server that has just ended is free.
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try open(channel, on: site.value) }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      // A reader that has this much waiting is not sent more: what waits grows old.
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 4096, high: 16_384))
      .childChannelOption(.socketOption(.so_sndbuf), value: 16_384)
      .childChannelOption(.maxMessagesPerRead, value: 1)
  }

  /// Puts the handlers of requests into a connection, unless there are too many.
  static func open(_ channel: any Channel, on site: Site) throws {
    let peer = channel.remoteAddress?.ipAddress ?? ""
    guard site.enter(peer) else {
      channel.close(promise: nil)
      return
    }
    let bound = NIOLoopBound(site, eventLoop: channel.eventLoop)
    channel.closeFuture.whenComplete { _ in bound.value.leaveConnection(of: peer) }
    let guardian = HeadGuard(limit: site.limits.head)
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderListSize = site.limits.head
    limits.maxHeaderFieldSize = site.limits.head
    limits.maxHeaderFieldCount = 100
    let decoder = HTTPRequestDecoder(
      leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .drop, limitConfiguration: limits)
    try channel.pipeline.syncOperations.addHandlers(
      guardian, HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPServerPipelineHandler(),
      Connection(site: site, guardian: guardian))
  }
}

/// Why there is no server: the facts, for the command to word.
public enum WebServerError: Error, Equatable, Sendable {
  /// The address can't be listened at.
  case socket(SocketError)
  /// The address is one that other machines reach, and nothing would keep them out.
  case tokenNeeded(NetworkEndpoint)
}
