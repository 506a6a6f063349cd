import LodestonePorts
import NIOCore
import NIOHTTP1

/// One connection: gathers a request, judges it, and answers. All on the server's thread.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: Site
  private let guardian: HeadGuard
  private var head: HTTPRequestHead?
  private var body: ByteBuffer?
  /// Whether an answer has begun before the whole request was there: the rest is not read.
  private var isRefused = false
  private var patience: Scheduled<Void>?
  private var events: EventStream?

  init(site: Site, guardian: HeadGuard) {
    self.site = site
    self.guardian = guardian
  }

  func channelActive(context: ChannelHandlerContext) {
    wait(context, for: site.limits.beginning)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    patience?.cancel()
    if let events { site.leave(events) }
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch Self.unwrapInboundIn(data) {
    case .head(let head):
      wait(context, for: site.limits.patience)
      guardian.headIsComplete()
      self.head = head
      body = nil
      if head.expectsContinue { invite(head, context) }
    case .body(var part):
      guard (body?.readableBytes ?? 0) + part.readableBytes <= site.limits.body else {
        return refuseBody(context)
      }
      if body == nil { body = part } else { body?.writeBuffer(&part) }
    case .end:
      guard let head else { return }
      self.head = nil
      serve(head, body, context)
    }
  }

  /// Asks for the body that a peer holds back until then, unless it will be too large.
  private func invite(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > site.limits.body {
      return refuseBody(context)
    }
    let answer = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(Self.wrapOutboundOut(.head(answer)), promise: nil)
  }

  private func refuseBody(_ context: ChannelHandlerContext) {
    refuse(413, "a body may have \(site.limits.body) bytes at most", context)
  }

  /// Tells the peer what is wrong with its request: at once, for the parser closes the connection after this.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError, events == nil, !isRefused else { return context.close(promise: nil) }
    if error == .headerOverflow {
      refuse(431, "a request has too many header fields, or too long ones", context)
    } else {
      refuse(400, "this is not a request in HTTP/1.1", context)
    }
  }

  /// Refuses what is not a request, or too large a one, and closes.
  func refuse(_ status: Int, _ reason: String, _ context: ChannelHandlerContext) {
    guard !isRefused else { return }
    isRefused = true
    send(.failure(status, reason), to: nil, context)
  }

  // MARK: - Answering

  private func serve(_ head: HTTPRequestHead, _ body: ByteBuffer?, _ context: ChannelHandlerContext) {
    patience?.cancel()
    switch site.route(head, own: context.localAddress?.webName) {
    case .answer(let answer): send(answer, to: head, context)
    case .file(let file): send(file, to: head, context)
    case .events: beginEvents(head, context)
    case .ask(let action): ask(action, head, body, context)
    }
  }

  /// Hands the request to the instruments, and waits for what they say. What is asked for wrongly does not reach them.
  private func ask(_ action: WebAction, _ head: HTTPRequestHead, _ body: ByteBuffer?, _ context: ChannelHandlerContext)
  {
    let body = body.map { Array($0.readableBytesView) } ?? []
    if let problem = action.problem(of: body) { return send(.failure(400, problem), to: head, context) }
    // The first answer counts: the instruments' own, or that they are late.
    let promise = context.eventLoop.makePromise(of: WebAnswer.self)
    let late = context.eventLoop.scheduleTask(in: site.limits.answer) {}
    late.futureResult.whenComplete { _ in promise.succeed(.failure(503, "the instruments do not answer")) }
    let request = WebRequest(
      action: action.path, isCommand: action.isCommand, body: body, answered: { promise.succeed($0) })
    // The thread of all connections waits for nobody.
    if !site.requests.put(request, waits: false) { promise.succeed(.failure(503, "the instruments are busy")) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    promise.futureResult.whenSuccess { answer in
      late.cancel()
      let (connection, context) = bound.value
      connection.send(answer, to: head, context)
    }
  }

  private func send(_ file: PageFiles.File, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    if head.headers["if-none-match"].contains(file.tag) {
      var answer = WebAnswer(status: 304, type: file.type, body: [])
      answer.fields = [("etag", file.tag), ("cache-control", "no-cache")]
      return send(answer, to: head, context)
    }
    let fields = [("etag", file.tag), ("cache-control", "no-cache")]
    send(status: 200, type: file.type, body: file.body, fields: fields, to: head, context)
  }

  private func send(_ answer: WebAnswer, to head: HTTPRequestHead?, _ context: ChannelHandlerContext) {
    let fields = [("cache-control", "no-store")] + answer.fields
    send(
      status: answer.status, type: answer.type, body: ByteBuffer(bytes: answer.body), fields: fields, to: head, context)
  }

  /// - Parameter head: the request that is answered; nil where none was understood, which ends the connection.
  private func send(
    status: Int, type: String, body: ByteBuffer, fields: [(String, String)], to head: HTTPRequestHead?,
    _ context: ChannelHandlerContext
  ) {
    guard context.channel.isActive else { return }
    let isLast = head.map { !$0.isKeepAlive } ?? true
    var answer = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: site.headers)
    answer.headers.add(name: "content-type", value: type)
    if status != 304 { answer.headers.add(name: "content-length", value: String(body.readableBytes)) }
    for (name, value) in fields { answer.headers.replaceOrAdd(name: name, value: value) }
    if isLast { answer.headers.add(name: "connection", value: "close") }
    context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
    send(rest: head?.method == .HEAD ? ByteBuffer() : body, isLast: isLast, context)
  }

  /// Bytes of an answer that the peer must take within the patience.
  private static let pieceByteCount = 65_536

  /// Sends a body piece by piece, and ends the answer once all of it is taken: the next request is not looked at
  /// before, or answers would pile up for a peer that only asks.
  private func send(rest: ByteBuffer, isLast: Bool, _ context: ChannelHandlerContext) {
    wait(context, for: site.limits.patience)
    var left = rest
    let piece = left.readSlice(length: min(left.readableBytes, Self.pieceByteCount)) ?? ByteBuffer()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(Self.wrapOutboundOut(.body(.byteBuffer(piece)))).whenSuccess { [left] in
      let (connection, context) = bound.value
      guard left.readableBytes == 0 else { return connection.send(rest: left, isLast: isLast, context) }
      connection.guardian.requestIsComplete()
      context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
      if isLast { context.close(promise: nil) }
    }
  }

  /// Closes the connection when nothing comes of it in time.
  private func wait(_ context: ChannelHandlerContext, for seconds: TimeAmount) {
    patience?.cancel()
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    patience = context.eventLoop.scheduleTask(in: seconds) { bound.value.close(promise: nil) }
  }

  // MARK: - Events

  private func beginEvents(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var answer = HTTPResponseHead(version: .http1_1, status: .ok, headers: site.headers)
    answer.headers.add(name: "content-type", value: "text/event-stream")
    answer.headers.add(name: "cache-control", value: "no-store")
    context.writeAndFlush(Self.wrapOutboundOut(.head(answer)), promise: nil)
    guard head.method == .GET else {
      context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
      return context.close(promise: nil)
    }
    let stream = EventStream(channel: context.channel)
    events = stream
    site.join(stream)
  }
}

extension HTTPRequestHead {
  /// Whether the peer sends the body once it was asked for it (RFC 9110, section 10.1.1).
  fileprivate var expectsContinue: Bool {
    version == .http1_1 && headers["expect"].contains { $0.lowercased() == "100-continue" }
  }
}

extension SocketAddress {
  /// The address as a browser names it in `Host`: `127.0.0.1:7373`, `[::1]:7373`; without the port where it is HTTP's
  /// own.
  var webName: String? {
    guard var address = ipAddress, let port else { return nil }
    if address.hasPrefix("::ffff:"), address.contains(".") { address.removeFirst(7) }  // IPv4 on a socket for both
    let host = address.contains(":") ? "[\(address)]" : address
    return port == 80 ? host : "\(host):\(port)"
  }
}
