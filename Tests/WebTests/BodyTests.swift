import LodestonePorts
import Support
import Testing

@testable import LodestoneWeb

/// The body of a request is checked against what its action declares, before any instrument hears of it.
@Suite(.serialized, .waiting)
struct BodyTests {
  /// The status of the answer to a command that no instrument needs to answer, and its reason.
  private func refusal(_ path: String, _ body: String) throws -> String {
    let server = try WebServer(at: NetworkEndpoint(host: "", port: 0))
    let name = "127.0.0.1:\(server.endpoint.port)"
    let client = try RawClient(port: server.endpoint.port)
    client.send("POST /api/v1/\(path) HTTP/1.1\r\nHost: \(name)\r\nOrigin: http://\(name)\r\n")
    client.send("Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    let answer = client.read()
    #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
    #expect(server.nextRequest() == nil)
    return answer
  }

  @Test(arguments: [
    ("calibration/start", "{", "the body is not JSON"), ("calibration/start", "[]", "the body: must be an object"),
    ("calibration/start", "{\"foo\":1}", "the body: there is no foo"),
    ("calibration/start", "{\"methid\":\"held\"}", "the body: there is no methid"),
    ("calibration/start", "{\"method\":\"dance\"}", "method: must be sweep, held or touch-up"),
    ("calibration/start", "{\"level\":1}", "level: must be true or false"),
    ("settings", "{\"place\":{\"latitude_deg\":48,\"longitude_deg\":16,\"alt\":1}}", "place: there is no alt"),
    ("settings", "{\"place\":{\"latitude_deg\":48}}", "place: longitude_deg is missing"),
    ("settings", "{\"place\":5}", "place: must be an object or null"), ("settings", "5", "the body: must be an object"),
    ("settings", "{\"smoothing_s\":\"1\"}", "smoothing_s: must be a number"),
    ("distance/mark", "{}", "the body: distance_mm is missing"),
    ("device", "{\"address\":null}", "address: must be a text"),
    ("playback", "{\"paused\":\"no\"}", "paused: must be true or false"), ("zero", "{\"now\":true}", "there is no now"),
    ("zero", "null", "the body: must be an object"),
  ])
  func whatIsNotDeclaredIsRefused(_ path: String, _ body: String, _ words: String) throws {
    #expect(try refusal(path, body).contains(words))
  }

  @Test(arguments: [
    ("calibration/start", ""), ("calibration/start", "{}"),
    ("calibration/start", "{\"method\":\"held\",\"laser\":true}"), ("zero", ""), ("zero", "{}"),
    ("settings", "{\"place\":null}"), ("settings", "{\"axis\":\"left\",\"smoothing_s\":2}"),
    ("settings", "{\"place\":{\"latitude_deg\":48.2,\"longitude_deg\":16,\"altitude_m\":200}}"),
    ("playback", "{\"paused\":false}"), ("device", "{\"address\":\"sim:\"}"),
  ])
  func whatIsDeclaredIsTaken(_ path: String, _ body: String) throws {
    let action = try #require(InstrumentPanel.map.actions.first { $0.path == path })
    #expect(action.problem(of: Array(body.utf8)) == nil)
  }
}
