import LodestoneCore

/// The server's answer to a request.
public struct WebAnswer: Sendable {
  /// The HTTP status, as in 200.
  public var status: Int
  /// The media type of `body`.
  public var type: String
  /// The bytes of the answer.
  public var body: [UInt8]
  /// Further header fields.
  var fields: [(name: String, value: String)] = []

  /// An answer with its body.
  public init(status: Int = 200, type: String = "application/json", body: [UInt8]) {
    self.status = status
    self.type = type
    self.body = body
  }

  /// An answer in JSON.
  public static func json(_ text: String, status: Int = 200) -> WebAnswer {
    WebAnswer(status: status, body: Array(text.utf8))
  }

  /// The answer for an error, as `{"error": …}`.
  public static func failure(_ status: Int, _ reason: String) -> WebAnswer {
    json(JSONValue.members(("error", .string(reason.harmless))).line, status: status)
  }
}

/// A request of a browser or a program to the instruments. It waits for its answer.
public struct WebRequest: Sendable {
  /// The path below `/api/v1/`, such as `zero` or `calibration/start`; `metrics` for `/metrics`.
  public let action: String
  /// Whether it changes something (POST) or only asks (GET).
  public let isCommand: Bool
  /// The body of the request: empty, or JSON of the shape that its action declares; at most 64 kB.
  public let body: [UInt8]
  private let answered: @Sendable (WebAnswer) -> Void

  init(action: String, isCommand: Bool, body: [UInt8], answered: @escaping @Sendable (WebAnswer) -> Void) {
    self.action = action
    self.isCommand = isCommand
    self.body = body
    self.answered = answered
  }

  /// Sends the answer. Call once.
  public func answer(_ answer: WebAnswer) { answered(answer) }
}
