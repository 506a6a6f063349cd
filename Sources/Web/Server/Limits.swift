import NIOCore

/// Bounds for what a peer may send and how long it may take. They keep strangers from holding memory or connections.
struct Limits: Sendable {
  /// A request line and its header fields, in bytes.
  var head = 8192
  /// The body of a request, in bytes.
  var body = 65_536
  /// Connections at a time.
  var connections = 64
  /// Connections of one peer at a time.
  var ofOnePeer = 16
  /// The time for the first head to come.
  var beginning = TimeAmount.seconds(5)
  /// The time for a whole request to come, or an answer to be taken.
  var patience = TimeAmount.seconds(30)
  /// The time for the instruments to answer: opening a device takes the longest.
  var answer = TimeAmount.seconds(15)
  /// Between two looks for new events: 30 a second.
  var eventInterval = TimeAmount.milliseconds(33)
}

/// Stands before the parser and counts, so that a head without end never gathers in it.
final class HeadGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Bytes that have come since the last complete request.
  private var count = 0
  private var isInHead = true
  private var isRefused = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Notes that the parser has seen a whole head.
  func headIsComplete() { isInHead = false }

  /// The request is answered: the next bytes are a head again.
  func requestIsComplete() {
    isInHead = true
    count = 0
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    guard isInHead else { return context.fireChannelRead(data) }
    var bytes = Self.unwrapInboundIn(data)
    let room = limit - count
    count += bytes.readableBytes
    guard count > limit else { return context.fireChannelRead(data) }
    // What fits may be a whole head and the beginning of a body.
    if let first = bytes.readSlice(length: max(0, room)) { context.fireChannelRead(Self.wrapInboundOut(first)) }
    if isInHead { refuse(context) } else { context.fireChannelRead(Self.wrapInboundOut(bytes)) }
  }

  /// Answers below the parser, which knows of no request yet.
  private func refuse(_ context: ChannelHandlerContext) {
    isRefused = true
    let body = "{\"error\":\"a request and its header fields may have \(limit) bytes at most\"}\n"
    let head = """
      HTTP/1.1 431 Request Header Fields Too Large\r
      content-type: application/json\r
      content-length: \(body.utf8.count)\r
      connection: close\r
      \r

      """
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: head + body))).whenComplete { _ in
      bound.value.close(promise: nil)
    }
  }
}
