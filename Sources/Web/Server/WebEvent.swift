/// A kind of server-sent event: its name, and the shape of its objects.
struct WebEvent: Sendable {
  /// The name that stands behind `event:`.
  let name: String
  /// The shape of the object behind `data:`.
  let shape: Shape
  /// Whether the state holds the latest one; otherwise only readers of events get it.
  let isState: Bool

  init(_ name: String, _ shape: Shape, isState: Bool = true) {
    self.name = name
    self.shape = shape
    self.isState = isState
  }
}

/// A request that can be made of the instruments, at a path below `/api/v1/`.
struct WebAction: Sendable {
  /// The path, such as `calibration/start`.
  let path: String
  /// The purpose in one sentence.
  let summary: String
  /// Whether it changes something and is asked for with POST; otherwise with GET.
  var isCommand = true
  /// The object that comes with it, which is checked before the request is handed on; nil for none.
  var body: Shape?
  /// The media type of the answer.
  var type = "application/json"
  /// The shape of an answer in JSON.
  var answer = Shape.object([("done", .flag())], required: ["done"])
  /// Whether it is at the root, apart from paths below `/api/v1/`.
  var isAtRoot = false

  /// The path on the server.
  var route: String { isAtRoot ? "/" + path : "/api/v1/" + path }
}

/// The events that a site publishes, and the actions that it offers: routes and the description for programs follow
/// from it.
struct SiteMap: Sendable {
  var events: [WebEvent] = []
  var actions: [WebAction] = []

  /// The action at a path of the server.
  func action(at route: String) -> WebAction? { actions.first { $0.route == route } }
}
