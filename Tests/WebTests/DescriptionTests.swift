import LodestoneCore
import LodestonePorts
import Support
import Testing

@testable import LodestoneWeb

/// The description for programs says what the server has, and nothing else.
@Suite(.serialized, .waiting)
struct DescriptionTests {
  private let server: WebServer
  private let methods: [String: [String]]
  private let description: JSONValue

  init() throws {
    server = try WebServer(at: NetworkEndpoint(host: "", port: 0))
    let client = try RawClient(port: server.endpoint.port)
    client.send(
      "GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:\(server.endpoint.port)\r\nConnection: close\r\n\r\n")
    let body = client.read().split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
    description = try #require(JSONValue(parsing: Array(body.utf8)))
    guard case .object(let paths)? = description["paths"] else { throw NoPaths() }
    methods = Dictionary(uniqueKeysWithValues: paths.map { ($0.key, $0.value.keys) })
  }

  private struct NoPaths: Error {}

  @Test func everyPathIsDescribed() {
    var expected = ["/": ["get"], "/metrics": ["get"]]
    for path in ["events", "state", "openapi.json", "devices", "recording.csv"] {
      expected["/api/v1/\(path)"] = ["get"]
    }
    for path in [
      "calibration/cancel", "calibration/finish", "calibration/level", "calibration/save", "calibration/start",
      "device", "level/reset",
      "distance/back", "distance/mark", "distance/start", "level/zero", "peak", "playback", "settings", "swing/back",
      "swing/clear", "swing/mark", "swing/save", "zero",
    ] { expected["/api/v1/\(path)"] = ["post"] }
    #expect(methods == expected)
  }

  /// A reader of the stream meets no event that is not among those described.
  @Test func theSignOfLifeIsDescribed() {
    let content = description["paths"]?["/api/v1/events"]?["get"]?["responses"]?["200"]?["content"]
    guard case .array(let kinds)? = content?["text/event-stream"]?["schema"]?["items"]?["oneOf"] else {
      Issue.record("no kinds of events")
      return
    }
    let names = kinds.map { $0["properties"]?["event"]?["const"] }
    #expect(names.contains(.string("alive")) && names.contains(.string("heading")))
    #expect(description["components"]?["schemas"]?["Alive"] != nil)
    #expect(description["components"]?["schemas"]?["State"]?["properties"]?["alive"] == nil)
  }

  /// A client made from the description asks the server that told it, at whatever port.
  @Test func theServerIsTheOneThatTellsIt() {
    #expect(description["servers"] == .array([.members(("url", .string("/")))]))
  }

  /// A body may be left out where nothing in it is needed, and only there.
  @Test func bodiesThatAreNeededAreDescribed() {
    func isRequired(_ path: String) -> JSONValue? {
      description["paths"]?["/api/v1/" + path]?["post"]?["requestBody"]?["required"]
    }
    for path in ["device", "swing/mark", "distance/mark"] { #expect(isRequired(path) == .bool(true), "\(path)") }
    for path in ["playback", "settings", "calibration/start"] { #expect(isRequired(path) == .bool(false), "\(path)") }
  }

  /// Each path takes the method that is described, and tells of any other which one it takes.
  @Test func everyDescribedPathIsThere() throws {
    for (path, methods) in methods {
      let isCommand = methods == ["post"]
      let answer = try ask(isCommand ? "GET" : "POST", path)
      #expect(answer.hasPrefix("HTTP/1.1 405 "), "\(path)")
      #expect(answer.contains("allow: \(isCommand ? "POST" : "GET, HEAD")\r\n"), "\(path)")
      // What the instruments answer has nobody here to answer it; a stream has no end.
      guard !isCommand, !["/api/v1/devices", "/api/v1/recording.csv", "/metrics"].contains(path) else { continue }
      #expect(try ask("HEAD", path).hasPrefix("HTTP/1.1 200 "), "\(path)")
    }
  }

  private func ask(_ method: String, _ path: String) throws -> String {
    let client = try RawClient(port: server.endpoint.port)
    let name = "127.0.0.1:\(server.endpoint.port)"
    client.send("\(method) \(path) HTTP/1.1\r\nHost: \(name)\r\nOrigin: http://\(name)\r\n")
    client.send("Content-Length: 0\r\nConnection: close\r\n\r\n")
    return client.read()
  }
}

extension JSONValue {
  /// The keys of an object.
  fileprivate var keys: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map { $0.key }
  }
}
