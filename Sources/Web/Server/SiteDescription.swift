import LodestoneCore

extension SiteMap {
  /// The description of the site for programs: OpenAPI 3.1.
  var description: JSONValue {
    .members(
      ("openapi", .string("3.1.0")), ("info", Self.info),
      ("servers", .array([.members(("url", .string("/")))])),  // the one that tells it, by whatever name and port
      ("security", .array([.object([]), .members(("token", .array([])))])), ("paths", object(paths)),
      ("components", components))
  }

  private static let info = JSONValue.members(
    ("title", .string("Lodestone")), ("version", .string("1")),
    (
      "description",
      .string(
        "A digital compass and teslameter. Names carry units; absent values are null. Where a token is needed, send "
          + "`Authorization: Bearer …`. POST needs an `Origin` header that is this server's own. Every failure is JSON "
          + "with the reason in `error`; other paths are answered with 404. 64 connections at a time, 16 of one peer.")
    ), ("license", .members(("name", .string("MIT")), ("identifier", .string("MIT")))))

  private func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
  }

  // MARK: - Paths

  private var paths: [(String, JSONValue)] {
    let unchanged = ("304", JSONValue.members(("description", .string("Unchanged since the `ETag` that was given"))))
    let moved = JSONValue.members(
      ("description", .string("The token in the address was right: it is kept in a cookie")))
    return [
      (
        "/",
        get("The page", content("text/html", nil, "HTML"), besides: [("303", moved), unchanged], id: "page")
      ),
      (
        "/api/v1/events",
        get(
          "Server-sent events, at most 30 a second of each name. A slow reader gets the newest of each; notices and "
            + "movements are all sent to a reader that keeps up. Once a second without news: alive.",
          content("text/event-stream", stream, "A stream of events"), besides: [("426", reference("NoWebSocket"))],
          id: "events")
      ), ("/api/v1/state", get("The latest event of each name", json(schema("State")), id: "state")),
      (
        "/api/v1/openapi.json",
        get("This description", json(.members(("type", .string("object")))), besides: [unchanged], id: "openapi")
      ),
    ] + actions.map { ($0.route, $0.isCommand ? post($0) : question($0)) }
  }

  private func question(_ action: WebAction) -> JSONValue {
    let isJSON = action.type == "application/json"
    return get(
      action.summary,
      content(action.type, isJSON ? action.answer.json : .members(("type", .string("string"))), "Found"),
      besides: [("503", reference("NoAnswer"))], id: action.id)
  }

  private func get(_ summary: String, _ found: JSONValue, besides: [(String, JSONValue)] = [], id: String) -> JSONValue
  {
    let failures = [
      "401": "NoToken", "403": "OtherOrigin", "405": "WrongMethod", "421": "OtherName", "431": "HeadTooLarge",
    ]
    return .members(
      ("get", operation("get-" + id, summary, answers(found, failures, besides: besides))))
  }

  private func post(_ action: WebAction) -> JSONValue {
    let failures = [
      "400": "BadRequest", "401": "NoToken", "403": "OtherOrigin", "405": "WrongMethod", "409": "Conflict",
      "413": "TooLarge", "421": "OtherName", "431": "HeadTooLarge", "503": "NoAnswer",
    ]
    let body = action.body.map { shape in
      let isRequired = shape.json["required"] != nil
      return [
        (
          "requestBody",
          JSONValue.members(
            ("required", .bool(isRequired)),
            ("content", object([("application/json", .members(("schema", shape.json)))])))
        )
      ]
    }
    let operation = operation(
      "post-" + action.id, action.summary, answers(json(action.answer.json), failures, besides: []),
      [("parameters", .array([.members(("$ref", .string("#/components/parameters/Origin")))]))] + (body ?? []))
    return .members(("post", operation))
  }

  private func operation(
    _ id: String, _ summary: String, _ answers: JSONValue, _ besides: [(String, JSONValue)] = []
  ) -> JSONValue {
    object([("operationId", .string(id)), ("summary", .string(summary))] + besides + [("responses", answers)])
  }

  private func answers(
    _ found: JSONValue, _ failures: [String: String], besides: [(String, JSONValue)]
  ) -> JSONValue {
    let failures = failures.map { ($0.key, reference($0.value)) }
    return object([("200", found)] + (failures + besides).sorted { $0.0 < $1.0 })
  }

  private func json(_ schema: JSONValue) -> JSONValue { content("application/json", schema, "Done") }

  private func content(_ type: String, _ schema: JSONValue?, _ words: String) -> JSONValue {
    let schema = schema.map { JSONValue.members(("schema", $0)) } ?? .object([])
    return .members(("description", .string(words)), ("content", object([(type, schema)])))
  }

  private func reference(_ name: String) -> JSONValue { .members(("$ref", .string("#/components/responses/\(name)"))) }
  private func schema(_ name: String) -> JSONValue { .members(("$ref", .string("#/components/schemas/\(name)"))) }

  // MARK: - Components

  /// The events of the stream: those of the site, and the sign of life between them.
  private var streamed: [WebEvent] { events + [EventStream.alive] }

  /// Each event as the pair that a reader of server-sent events gets.
  private var stream: JSONValue {
    let kinds = streamed.map { event in
      JSONValue.members(
        ("type", .string("object")), ("required", .array([.string("event"), .string("data")])),
        (
          "properties",
          .members(("event", .members(("const", .string(event.name)))), ("data", schema(event.schemaName)))
        ))
    }
    return .members(("type", .string("array")), ("items", .members(("oneOf", .array(kinds)))))
  }

  private var components: JSONValue {
    let error = Shape.object([("error", .text("What failed and why, in one line"))], required: ["error"])
    let state = events.filter { $0.isState }.map { ($0.name, schema($0.schemaName)) }
    let schemas =
      [("Error", error.json), ("State", .members(("type", .string("object")), ("properties", object(state))))]
      + streamed.map { ($0.schemaName, $0.shape.json) }
    let failures = Self.failures.map { name, words in
      (name, content("application/json", schema("Error"), words))
    }
    let origin = JSONValue.members(
      ("name", .string("Origin")), ("in", .string("header")), ("required", .bool(true)),
      ("schema", .members(("type", .string("string")))),
      ("description", .string("This server's own origin, such as http://127.0.0.1:7373")))
    return .members(
      ("schemas", object(schemas)), ("responses", object(failures)), ("parameters", .members(("Origin", origin))),
      (
        "securitySchemes",
        .members(("token", .members(("type", .string("http")), ("scheme", .string("bearer")))))
      ))
  }

  private static let failures: [(String, String)] = [
    ("BadRequest", "Not a request in HTTP/1.1, or not what the path takes"),
    ("NoToken", "The token is missing or wrong"),
    ("OtherOrigin", "The request does not carry this server's own `Origin`"),
    ("WrongMethod", "The path takes another method, see `Allow`"), ("Conflict", "It cannot be done now"),
    ("TooLarge", "A body of more than 64 kB"), ("OtherName", "The server does not go by the name in `Host`"),
    ("NoWebSocket", "There is no WebSocket here"),
    ("HeadTooLarge", "A request line and header fields of more than 8 kB"),
    ("NoAnswer", "The instruments do not answer"),
  ]
}

extension WebAction {
  /// A name of letters and hyphens.
  fileprivate var id: String { path.split { $0 == "/" || $0 == "." }.joined(separator: "-") }
}

extension WebEvent {
  /// The name of its schema: `Heading`.
  fileprivate var schemaName: String { name.prefix(1).uppercased() + name.dropFirst() }
}
