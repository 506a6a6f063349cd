import Instruments
import Lodestone
import LodestoneCore
import LodestonePorts
import NIOCore
import Support
import Testing

@testable import LodestoneWeb

/// The server as its peers see it: well-behaved ones, careless ones and hostile ones.
@Suite(.serialized, .waiting)
struct WebServerTests {
  private let server: WebServer
  private var port: UInt16 { server.endpoint.port }
  private var host: String { "Host: 127.0.0.1:\(port)\r\n" }

  init() throws { server = try WebServer(at: NetworkEndpoint(host: "", port: 0)) }

  private func ask(_ request: String) throws -> String {
    let client = try RawClient(port: port)
    client.send(request)
    return client.read()
  }

  private func get(_ path: String, _ fields: String = "") throws -> String {
    try ask("GET \(path) HTTP/1.1\r\n\(host)\(fields)Connection: close\r\n\r\n")
  }

  private func publish(_ event: String, _ json: String, isKept: Bool = false) {
    Array(json.utf8).withUnsafeBytes { server.publish(event, json: $0, isKept: isKept) }
  }

  @Test func thePageIsThere() throws {
    let answer = try get("/")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.contains("content-security-policy: default-src 'self'\r\n"))
    #expect(answer.contains("<title>Lodestone</title>"))
    #expect(!answer.contains("access-control"))
  }

  /// A server that closes a connection leaves it behind for a minute; the next server listens all the same. The port is
  /// none that the system gives to others meanwhile.
  @Test func thePortIsFreeAtOnceForTheNextServer() throws {
    var first: WebServer?
    for port in (20_000..<UInt16(32_000)).shuffled().prefix(100) where first == nil {
      first = try? WebServer(at: NetworkEndpoint(host: "", port: port))
    }
    let endpoint = try #require(first?.endpoint)
    let client = try RawClient(port: endpoint.port)
    client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(endpoint.port)\r\nConnection: close\r\n\r\n")
    #expect(client.read().hasPrefix("HTTP/1.1 200 "))
    first = nil
    #expect(try WebServer(at: endpoint).endpoint.port == endpoint.port)
  }

  @Test func anUnchangedFileIsNotSentAgain() throws {
    let tag = try #require(PageFiles.all["/style.css"]?.tag)
    let answer = try get("/style.css", "If-None-Match: \(tag)\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 304 "))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }

  @Test(arguments: [
    "/../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/draw/../app.js", "/app.js/", "/API/V1/STATE", "/api/v1/",
    "/etc/passwd", "/app.js%00", "/WebPage.c",
  ])
  func otherPathsAreNotThere(_ path: String) throws {
    let answer = try get(path)
    #expect(answer.hasPrefix("HTTP/1.1 404 "))
    #expect(answer.contains("{\"error\":"))
  }

  @Test func wrongMethodsAreTold() throws {
    let fields = "\(host)Origin: http://127.0.0.1:\(port)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    #expect(try ask("DELETE /api/v1/state HTTP/1.1\r\n\(fields)").hasPrefix("HTTP/1.1 405 "))
    #expect(try ask("POST /app.js HTTP/1.1\r\n\(fields)").hasPrefix("HTTP/1.1 405 "))
    #expect(try get("/api/v1/zero").hasPrefix("HTTP/1.1 405 "))
  }

  @Test func theStateIsTheLatestOfEachName() throws {
    publish("heading", "{\"magnetic_heading_deg\":1}")
    publish("heading", "{\"magnetic_heading_deg\":2}\n")
    publish("field", "{\"magnitude_uT\":3}")
    #expect(
      try get("/api/v1/state").hasSuffix("{\"heading\":{\"magnetic_heading_deg\":2},\"field\":{\"magnitude_uT\":3}}\n"))
  }

  @Test func eventsCome() throws {
    publish("heading", "{\"n\":1}")
    let client = try RawClient(port: port)
    client.send("GET /api/v1/events HTTP/1.1\r\n\(host)\r\n")
    let first = client.read(until: "event: alive\n")
    #expect(first.contains("content-type: text/event-stream\r\n"))
    #expect(first.contains("event: heading\ndata: {\"n\":1}\n\n"))
    publish("notice", "{\"text\":\"gone\"}", isKept: true)
    publish("notice", "{\"text\":\"back\"}", isKept: true)
    let second = client.read(until: "back")
    #expect(second.contains("event: notice\ndata: {\"text\":\"gone\"}\n\n"))
  }

  /// The events that a reader gets as it comes.
  private func told() throws -> String {
    let client = try RawClient(port: port)
    client.send("GET /api/v1/events HTTP/1.1\r\n\(host)\r\n")
    return client.read(until: "event: alive\n")
  }

  /// Of what was told before a reader came it gets what still holds.
  @Test func warningsThatHoldReachReadersThatComeLater() throws {
    func tell(_ text: String, about subject: String, stands: Bool) {
      server.tell("notice", .members(("text", .string(text))), about: subject, stands: stands)
    }
    tell("gone", about: "link", stands: true)
    tell("back", about: "link", stands: false)
    tell("weak", about: "field", stands: true)
    tell("stuck", about: "field", stands: true)
    publish("notice", "{\"text\":\"turn\"}", isKept: true)
    let client = try RawClient(port: port)
    client.send("GET /api/v1/events HTTP/1.1\r\n\(host)\r\n")
    let first = client.read(until: "event: alive\n")
    #expect(first.contains("event: notice\ndata: {\"text\":\"stuck\"}\n\n"))
    for past in ["gone", "back", "weak", "turn"] { #expect(!first.contains(past)) }
    tell("well", about: "field", stands: false)
    #expect(client.read(until: "well").contains("event: notice\ndata: {\"text\":\"well\"}"))
    #expect(!(try get("/api/v1/state")).contains("stuck"))
  }

  /// A second device stays when the first one is changed, and what was told of it too.
  @Test func warningsGoWithWhatTheyAreAbout() throws {
    let words = ["The device has gone", "\"Not calibrated", "rover: Not calibrated"]
    var notices = PageNotices(server)
    notices.tell(.stream(.lost("board")))
    notices.tell(.instrument(.uncalibrated))
    notices.tell(.beside("rover", .instrument(.uncalibrated)))
    let all = try told()
    #expect(words.map { all.contains($0) } == [true, true, true])
    notices.endSession()
    let withoutSession = try told()
    #expect(words.map { withoutSession.contains($0) } == [true, false, true])
    notices.endDevice()
    let withoutDevice = try told()
    #expect(words.map { withoutDevice.contains($0) } == [false, false, true])
  }

  /// A device that is gone is still gone when another calibration is taken, though the session had warned of it before.
  @Test func aWarningIsOfWhoeverGaveItLast() throws {
    var notices = PageNotices(server)
    notices.tell(.instrument(.nothingOfUse(tells: [], needs: .field)))
    notices.tell(.stream(.lost("board")))
    notices.endSession()
    #expect(try told().contains("The device has gone"))
  }

  /// Text that nobody understands is over with the first reading; of a warm chip nothing tells the end.
  @Test func aPageThatIsOpenedLaterIsToldNothingThatIsOver() throws {
    var notices = PageNotices(server)
    notices.tell(.stream(.unrecognized(sample: "hello", isText: true)))
    notices.tell(.instrument(.temperature(now: 60, calibrated: 20)))
    let before = try told()
    #expect(before.contains("There are no x, y and z") && !before.contains("warmer"))
    notices.haveReading()
    #expect(!(try told()).contains("event: notice"))
  }

  /// Nothing is lost of what comes after a reader, were it the very first event.
  @Test func theFirstEventIsNotMissed() throws {
    let client = try RawClient(port: port)
    client.send("GET /api/v1/events HTTP/1.1\r\n\(host)\r\n")
    #expect(client.read(until: "event: alive\n").hasPrefix("HTTP/1.1 200 "))
    publish("notice", "{\"text\":\"first\"}", isKept: true)
    #expect(client.read(until: "first").contains("{\"text\":\"first\"}"))
  }

  @Test func commandsReachTheInstruments() throws {
    let client = try RawClient(port: port)
    client.send(
      "POST /api/v1/calibration/start HTTP/1.1\r\n\(host)Origin: http://127.0.0.1:\(port)\r\nContent-Length: 14\r\n\r\n"
        + "{\"level\":true}")
    var poller = Poller()
    poller.watch(server.descriptor, for: .readable)
    try poller.wait(until: .now + 20)
    let request = try #require(server.nextRequest())
    #expect(request.action == "calibration/start" && request.isCommand)
    #expect(String(decoding: request.body, as: UTF8.self) == "{\"level\":true}")
    request.answer(.failure(409, "the device is \"gone\"\u{202E}"))
    let answer = client.read(until: "}\n")
    #expect(answer.hasPrefix("HTTP/1.1 409 "))
    #expect(answer.hasSuffix(#"{"error":"the device is \"gone\"\\u{202E}"}"# + "\n"))
    #expect(server.nextRequest() == nil)
  }

  @Test(arguments: ["\u{16}\u{3}\u{1}\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "  \0\r\n\r\n"])
  func whatIsNoRequestIsTold(_ bytes: String) throws {
    let answer = try ask(bytes)
    #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n{\"error\":\"this is not a request in HTTP/1.1\"}\n"))
  }

  /// A second request with rubbish after it: the first is answered as if it were alone.
  @Test func rubbishBehindARequestIsTold() throws {
    let answer = try ask("GET /icon.svg HTTP/1.1\r\n\(host)\r\nrubbish\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.contains("HTTP/1.1 400 Bad Request\r\n"))
  }

  @Test func manyFieldsAreRefused() throws {
    let fields = String(repeating: "a: b\r\n", count: 200)
    let answer = try get("/", fields)
    #expect(answer.hasPrefix("HTTP/1.1 431 "))
    #expect(answer.contains("{\"error\":"))
  }

  /// Every way of being refused has a reason in JSON, and nothing of the page with it.
  @Test func refusalsAreInJSON() throws {
    let origin = "Origin: http://evil.example\r\n"
    for (request, status) in [
      ("GET / HTTP/1.1\r\nHost: evil.example:\(port)\r\n", 421), ("GET / HTTP/1.1\r\n", 421),
      ("GET / HTTP/1.1\r\n\(host)\(host)", 421), ("GET / HTTP/1.1\r\n\(host)\(origin)", 403),
      ("POST /api/v1/zero HTTP/1.1\r\n\(host)Content-Length: 0\r\n", 403),
      ("GET /nothing HTTP/1.1\r\n\(host)", 404), ("PUT / HTTP/1.1\r\n\(host)Content-Length: 0\r\n", 405),
    ] {
      let answer = try ask(request + "Connection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request)")
      #expect(answer.contains("content-type: application/json\r\n"), "\(request)")
      #expect(answer.contains("\r\n\r\n{\"error\":\""), "\(request)")
      #expect(!answer.contains("<title>"), "\(request)")
    }
  }

  /// Who sends a head drop by drop, or nothing at all, loses the connection.
  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost"]) func slowHeadsAreNotWaitedFor(_ beginning: String) throws {
    var limits = Limits()
    (limits.beginning, limits.patience) = (.milliseconds(300), .milliseconds(300))
    let server = try WebServer(
      at: NetworkEndpoint(host: "", port: 0), token: nil, map: InstrumentPanel.map, limits: limits)
    let client = try RawClient(port: server.endpoint.port)
    client.send(beginning)
    #expect(client.read() == "")
    #expect(client.isClosed)
  }

  /// A reader that has gone to sleep makes room; one that reads stays, however long nothing is new.
  @Test func aReaderThatTakesNothingMakesRoom() throws {
    var limits = Limits()
    (limits.patience, limits.connections) = (.milliseconds(300), 2)
    let server = try WebServer(
      at: NetworkEndpoint(host: "", port: 0), token: nil, map: InstrumentPanel.map, limits: limits)
    let ask = "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.endpoint.port)\r\n\r\n"
    let (awake, asleep) = (try RawClient(port: server.endpoint.port), try RawClient(port: server.endpoint.port))
    for client in [awake, asleep] {
      client.send(ask)
      #expect(client.read(until: "event: alive").hasPrefix("HTTP/1.1 200 "))
    }
    let large = Array("{\"text\":\"\(String(repeating: "x", count: 60_000))\"}".utf8)
    let hasRoom = eventually {
      large.withUnsafeBytes { server.publish("notice", json: $0, isKept: true) }
      _ = awake.read(until: "event: notice")
      guard let newcomer = try? RawClient(port: server.endpoint.port) else { return false }
      newcomer.send(ask)
      return newcomer.read(until: "event: alive").hasPrefix("HTTP/1.1 200 ")
    }
    #expect(hasRoom)
    Array("{\"text\":\"last\"}".utf8).withUnsafeBytes { server.publish("notice", json: $0, isKept: true) }
    #expect(awake.read(until: "\"last\"").contains("\"last\""))
  }

  @Test func aHeadWithoutEndIsRefused() throws {
    let client = try RawClient(port: port)
    client.send("GET / HTTP/1.1\r\n\(host)X: ")
    for _ in 0..<40 where client.send(String(repeating: "x", count: 1000)) {}
    #expect(client.read().hasPrefix("HTTP/1.1 431 "))
  }

  @Test func aHeadInPiecesIsUnderstood() throws {
    let client = try RawClient(port: port)
    for byte in "GET /icon.svg HTTP/1.1\r\n\(host)Connection: close\r\n\r\n".utf8 { client.send([byte]) }
    #expect(client.read().hasPrefix("HTTP/1.1 200 "))
  }

  @Test func aLargeBodyIsRefused() throws {
    let client = try RawClient(port: port)
    client.send(
      "POST /api/v1/device HTTP/1.1\r\n\(host)Origin: http://127.0.0.1:\(port)\r\nContent-Length: 99999999\r\n\r\n")
    for _ in 0..<200 where client.send([UInt8](repeating: 32, count: 1000)) {}
    #expect(client.read().hasPrefix("HTTP/1.1 413 "))
  }

  /// One peer does not take the places of all others.
  @Test func tooManyConnectionsOfOnePeerAreClosed() throws {
    var clients: [RawClient] = []
    for _ in 0..<16 {
      let client = try RawClient(port: port)
      client.send("GET /api/v1/events HTTP/1.1\r\n\(host)\r\n")
      #expect(client.read(until: "event: alive").hasPrefix("HTTP/1.1 200 "))
      clients.append(client)
    }
    #expect(try get("/") == "")
    clients.removeAll()
    // They have left; once the server has seen it there is room again.
    #expect(eventually { (try? get("/").hasPrefix("HTTP/1.1 200 ")) == true })
  }

  @Test func randomBytesHarmNothing() throws {
    var generator = RandomNumbers(seed: 7)
    for _ in 0..<300 {
      let client = try RawClient(port: port)
      let length = Int.random(in: 1...600, using: &generator)
      client.send((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
    #expect(try get("/").hasPrefix("HTTP/1.1 200 "))
  }

  @Test func otherMachinesNeedAToken() throws {
    let everywhere = NetworkEndpoint(host: "*", port: 0)
    #expect(throws: WebServerError.tokenNeeded(everywhere)) { try WebServer(at: everywhere) }
    let guarded = try WebServer(at: everywhere, token: "s3cret")
    let client = try RawClient(port: guarded.endpoint.port)
    client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(guarded.endpoint.port)\r\nConnection: close\r\n\r\n")
    #expect(client.read().hasPrefix("HTTP/1.1 401 "))
    let known = try RawClient(port: guarded.endpoint.port)
    known.send("GET /?token=s3cret HTTP/1.1\r\nHost: 127.0.0.1:\(guarded.endpoint.port)\r\nConnection: close\r\n\r\n")
    let answer = known.read()
    #expect(answer.hasPrefix("HTTP/1.1 303 "))
    #expect(answer.contains("set-cookie: lodestone_token=s3cret; HttpOnly; SameSite=Strict; Path=/; Max-Age=86400\r\n"))
  }

  /// A browser without the token gets a form that asks for it; a program gets JSON.
  @Test func aBrowserIsAskedForTheToken() throws {
    let guarded = try WebServer(at: NetworkEndpoint(host: "", port: 0), token: "s3cret")
    func get(_ fields: String) throws -> String {
      let client = try RawClient(port: guarded.endpoint.port)
      client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(guarded.endpoint.port)\r\n\(fields)Connection: close\r\n\r\n")
      return client.read()
    }
    let form = try get("Accept: text/html,*/*\r\n")
    #expect(form.hasPrefix("HTTP/1.1 401 "))
    #expect(form.contains("name=\"token\"") && form.contains("content-type: text/html"))
    #expect(!form.contains("s3cret"))
    #expect(try get("").contains("{\"error\":"))
  }

  @Test func thereIsNoWebSocket() throws {
    let answer = try get("/api/v1/events", "Upgrade: websocket\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 426 "))
    #expect(answer.contains("server-sent events"))
  }

  /// The absolute form of a target, whose host must be this server's, whatever `Host` says.
  @Test func aWholeAddressIsATarget() throws {
    publish("heading", "{\"n\":1}")
    #expect(try get("http://127.0.0.1:\(port)/api/v1/state").hasPrefix("HTTP/1.1 200 "))
    #expect(try get("HTTP://LOCALHOST:\(port)?x=1").contains("<title>Lodestone</title>"))
    #expect(try get("http://evil.example/api/v1/state").hasPrefix("HTTP/1.1 421 "))
    #expect(try get("http://127.0.0.1:\(port)/none").hasPrefix("HTTP/1.1 404 "))
  }

  /// A body that is held back is asked for, or refused before it is sent.
  @Test func aBodyThatIsHeldBackIsAskedFor() throws {
    let head =
      "POST /api/v1/device HTTP/1.1\r\n\(host)Origin: http://127.0.0.1:\(port)\r\nExpect: 100-continue\r\n"
      + "Connection: close\r\n"
    let client = try RawClient(port: port)
    client.send(head + "Content-Length: 1\r\n\r\n")
    #expect(client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("{")
    let answer = client.read()
    #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("the body is not JSON"), "\(answer)")
    #expect(try ask(head + "Content-Length: 99999999\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
  }

  /// Who may not change anything is told what is missing.
  @Test func aMissingOriginIsNamed() throws {
    let answer = try ask("POST /api/v1/zero HTTP/1.1\r\n\(host)Content-Length: 0\r\nConnection: close\r\n\r\n")
    #expect(answer.contains("Origin: http://127.0.0.1:\(port)"))
  }

  /// Other machines reach it by the names that this one has in its network, and by no other.
  @Test func theMachinesOwnNamesAreAccepted() throws {
    let guarded = try WebServer(at: NetworkEndpoint(host: "*", port: 0), token: "s3cret")
    func status(of host: String) throws -> String {
      let client = try RawClient(port: guarded.endpoint.port)
      client.send("GET / HTTP/1.1\r\nHost: \(host):\(guarded.endpoint.port)\r\nConnection: close\r\n\r\n")
      return String(client.read().prefix(12))
    }
    let name = try #require(OwnNames.all.first)
    #expect(try status(of: name) == "HTTP/1.1 401")
    #expect(try status(of: "x" + name) == "HTTP/1.1 421")
  }

  @Test func aTakenPortIsTold() throws {
    let taken = NetworkEndpoint(host: "127.0.0.1", port: port)
    #expect(throws: WebServerError.socket(.portInUse(taken))) { try WebServer(at: taken) }
  }
}
