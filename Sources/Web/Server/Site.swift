import LodestonePorts
import NIOCore
import NIOHTTP1

/// What all connections share: the rules, the events and the way to the instruments. Lives on the server's thread.
final class Site {
  /// Where a request goes.
  enum Route {
    case answer(WebAnswer)
    case file(PageFiles.File)
    case events
    /// To the instruments.
    case ask(String)
  }

  let limits: Limits
  let requests: Handover<WebRequest>
  /// Header fields that every answer has.
  let headers: HTTPHeaders = [
    "content-security-policy": "default-src 'self'", "x-content-type-options": "nosniff", "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
  ]
  private let gatekeeper: Gatekeeper
  private let board: EventBoard
  private let log: (@Sendable (String) -> Void)?
  private var streams: [ObjectIdentifier: EventStream] = [:]
  private(set) var connectionCount = 0

  init(
    gatekeeper: Gatekeeper, board: EventBoard, requests: Handover<WebRequest>, limits: Limits,
    log: (@Sendable (String) -> Void)?
  ) {
    self.gatekeeper = gatekeeper
    self.board = board
    self.requests = requests
    self.limits = limits
    self.log = log
  }

  /// Counts a connection; false when there are too many.
  func enter() -> Bool {
    guard connectionCount < limits.connections else { return false }
    connectionCount += 1
    return true
  }

  func leaveConnection() { connectionCount -= 1 }

  func join(_ stream: EventStream) { streams[ObjectIdentifier(stream)] = stream }

  func leave(_ stream: EventStream) { streams[ObjectIdentifier(stream)] = nil }

  /// Tells every reader what is new.
  func update() {
    guard !streams.isEmpty else { return }
    let content = board.now
    let now = NIODeadline.now()
    for stream in streams.values { stream.update(content, at: now, patience: limits.patience) }
  }

  /// What GET asks the instruments, below `/api/v1/`.
  static let questions: Set<String> = ["devices", "recording.csv"]
  /// What POST can do, below `/api/v1/`.
  static let commands: Set<String> = [
    "zero", "peak", "level/zero", "level/reset", "calibration/start", "calibration/cancel", "calibration/save",
    "device",
  ]

  /// Decides about a request. Paths are compared as they stand, so there is no way out of the list.
  func route(_ head: HTTPRequestHead, own: String?) -> Route {
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first ?? "/"
    log?("\(head.method.rawValue.prefix(16)) \(path.prefix(200))")  // without the query: it may hold the token
    let credentials = Gatekeeper.Credentials(
      hosts: head.headers["host"], origins: head.headers["origin"], authorization: head.headers["authorization"].first,
      cookies: head.headers["cookie"], query: parts.count > 1 ? parts[1] : nil)
    switch gatekeeper.judge(credentials, own: own, isCommand: head.method == .POST, path: path) {
    case .refused(let status, let reason): return .answer(refusal(status, reason))
    case .welcomeWithCookie: return .answer(cookieAnswer(credentials))
    case .welcome: break
    }
    let action = path.hasPrefix("/api/v1/") ? String(path.dropFirst(8)) : path == "/metrics" ? "metrics" : nil
    if let action, Self.commands.contains(action) {
      return head.method == .POST ? .ask(action) : .answer(wrongMethod("POST"))
    }
    guard let target = target(String(path), action) else {
      return .answer(.failure(404, "there is nothing at this path"))
    }
    guard head.method == .GET || head.method == .HEAD else { return .answer(wrongMethod("GET, HEAD")) }
    return target
  }

  private func target(_ path: String, _ action: String?) -> Route? {
    switch action {
    case "events": return .events
    case "state": return .answer(WebAnswer(body: Array(board.state.readableBytesView)))
    case "metrics"?: return .ask("metrics")
    case let action? where Self.questions.contains(action): return .ask(action)
    default: return PageFiles.all[path].map { .file($0) }
    }
  }

  private func wrongMethod(_ allowed: String) -> WebAnswer {
    var answer = WebAnswer.failure(405, "this path takes \(allowed)")
    answer.fields = [("allow", allowed)]
    return answer
  }

  private func refusal(_ status: Int, _ reason: String) -> WebAnswer {
    var answer = WebAnswer.failure(status, reason)
    if status == 401 { answer.fields = [("www-authenticate", "Bearer")] }
    return answer
  }

  private func cookieAnswer(_ credentials: Gatekeeper.Credentials) -> WebAnswer {
    let token = credentials.query?.split(separator: "&").first { $0.hasPrefix("token=") }?.dropFirst(6) ?? ""
    var answer = WebAnswer(status: 303, type: "text/plain", body: [])
    answer.fields = [
      ("location", "/"), ("set-cookie", "\(Gatekeeper.cookie)=\(token); HttpOnly; SameSite=Strict; Path=/"),
    ]
    return answer
  }
}
