import LodestoneCore
import LodestonePorts
import NIOCore
import NIOHTTP1

/// The state that all connections share: the rules, the events and the way to the instruments. Lives on the server's
/// thread.
final class Site {
  /// The destination of a request.
  enum Route {
    case answer(WebAnswer)
    case file(PageFiles.File)
    case events
    /// The instruments.
    case ask(WebAction)
  }

  let limits: Limits
  let requests: Handover<WebRequest>
  /// Header fields that every answer has.
  let headers: HTTPHeaders = [
    "content-security-policy": "default-src 'self'", "x-content-type-options": "nosniff", "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
  ]
  private let gatekeeper: Gatekeeper
  private let map: SiteMap
  private let description: PageFiles.File
  private let board: EventBoard
  private let log: (@Sendable (String) -> Void)?
  private var streams: [ObjectIdentifier: EventStream] = [:]
  private var connections: [String: Int] = [:]

  init(
    gatekeeper: Gatekeeper, map: SiteMap, board: EventBoard, requests: Handover<WebRequest>, limits: Limits,
    log: (@Sendable (String) -> Void)?
  ) {
    self.gatekeeper = gatekeeper
    self.map = map
    description = PageFiles.file(map.description.printed, type: "application/json")
    self.board = board
    self.requests = requests
    self.limits = limits
    self.log = log
  }

  /// Counts a connection; false when there are too many, or too many of this peer.
  func enter(_ peer: String) -> Bool {
    guard connections.values.reduce(0, +) < limits.connections, connections[peer, default: 0] < limits.ofOnePeer
    else { return false }
    connections[peer, default: 0] += 1
    return true
  }

  func leaveConnection(of peer: String) {
    let left = connections[peer, default: 1] - 1
    connections[peer] = left > 0 ? left : nil
  }

  func join(_ stream: EventStream) { streams[ObjectIdentifier(stream)] = stream }

  func leave(_ stream: EventStream) { streams[ObjectIdentifier(stream)] = nil }

  /// Tells every reader what is new.
  func update() {
    guard !streams.isEmpty else { return }
    let content = board.now
    let now = NIODeadline.now()
    for stream in streams.values { stream.update(content, at: now, patience: limits.patience) }
  }

  /// Decides about a request. Paths are compared as they stand, so there is no way out of the list.
  func route(_ head: HTTPRequestHead, own: String?) -> Route {
    let target = RequestTarget(head.uri)
    let path = target.path
    log?("\(head.method.rawValue.prefix(16)) \(path.prefix(200))")  // without the query: it may hold the token
    let hosts = head.headers["host"]
    let credentials = Gatekeeper.Credentials(
      hosts: hosts.count == 1 ? [target.authority.map { String($0) } ?? hosts[0]] : hosts,
      origins: head.headers["origin"], authorization: head.headers["authorization"].first,
      cookies: head.headers["cookie"], query: target.query)
    switch gatekeeper.judge(credentials, own: own, isCommand: head.method == .POST, path: path) {
    case .refused(let status, let reason): return refusal(status, reason, head)
    case .welcomeWithCookie: return .answer(cookieAnswer)
    case .welcome: break
    }
    let isQuestion = head.method == .GET || head.method == .HEAD
    if let action = map.action(at: String(path)) {
      guard action.isCommand ? head.method == .POST : isQuestion else {
        return .answer(wrongMethod(action.isCommand ? "POST" : "GET, HEAD"))
      }
      return .ask(action)
    }
    guard let route = self.route(to: String(path), head) else {
      return .answer(.failure(404, "there is nothing at this path"))
    }
    return isQuestion ? route : .answer(wrongMethod("GET, HEAD"))
  }

  private func route(to path: String, _ head: HTTPRequestHead) -> Route? {
    switch path {
    case "/api/v1/events" where head.headers["upgrade"].contains { $0.lowercased() == "websocket" }:
      return .answer(noWebSocket)
    case "/api/v1/events": return .events
    case "/api/v1/state": return .answer(WebAnswer(body: Array(board.state.readableBytesView)))
    case "/api/v1/openapi.json": return .file(description)
    default: return PageFiles.all[path].map { .file($0) }
    }
  }

  private var noWebSocket: WebAnswer {
    var answer = WebAnswer.failure(
      426, "there is no WebSocket here: read server-sent events, with Accept: text/event-stream")
    answer.fields = [("upgrade", "HTTP/1.1"), ("connection", "upgrade")]
    return answer
  }

  private func wrongMethod(_ allowed: String) -> WebAnswer {
    var answer = WebAnswer.failure(405, "this path takes \(allowed)")
    answer.fields = [("allow", allowed)]
    return answer
  }

  /// Says why, in JSON; a browser that has no token gets a form that asks for it.
  private func refusal(_ status: Int, _ reason: String, _ head: HTTPRequestHead) -> Route {
    if status == 401, head.method == .GET, head.headers["accept"].contains(where: { $0.contains("text/html") }),
      let form = PageFiles.all["/token.html"]
    {
      return .answer(WebAnswer(status: 401, type: form.type, body: Array(form.body.readableBytesView)))
    }
    var answer = WebAnswer.failure(status, reason)
    if status == 401 { answer.fields = [("www-authenticate", "Bearer")] }
    return .answer(answer)
  }

  private var cookieAnswer: WebAnswer {
    var answer = WebAnswer(status: 303, type: "text/plain", body: [])
    answer.fields = [
      ("location", "/"),
      ("set-cookie", "\(gatekeeper.cookie); HttpOnly; SameSite=Strict; Path=/; Max-Age=86400"),
    ]
    return answer
  }
}
