import LodestonePorts
import Testing

@testable import LodestoneWeb

/// Who may ask: the names, the page and the token.
struct GatekeeperTests {
  private let own = "127.0.0.1:7373"

  private func judge(
    _ hosts: [String], origins: [String] = [], token: String? = nil, authorization: String? = nil,
    cookies: [String] = [],
    query: String? = nil, isCommand: Bool = false, path: String = "/"
  ) -> Gatekeeper.Verdict {
    let names = WebServer.names(of: NetworkEndpoint(host: "127.0.0.1", port: 7373), isLoopback: true)
    let credentials = Gatekeeper.Credentials(
      hosts: hosts, origins: origins, authorization: authorization, cookies: cookies, query: query.map { Substring($0) }
    )
    return Gatekeeper(names: names, token: token)
      .judge(credentials, own: own, isCommand: isCommand, path: Substring(path))
  }

  @Test(arguments: ["127.0.0.1:7373", "localhost:7373", "LOCALHOST:7373"])
  func ownNamesAreWelcome(_ host: String) { #expect(judge([host]) == .welcome) }

  /// DNS rebinding: the page of another site reaches this address under its own name.
  @Test(arguments: [
    "evil.example", "evil.example:7373", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:7373.evil.example", "[::1]:7373", "",
    "127.0.0.1:7373 ", "localhost",
  ])
  func otherNamesAreRefused(_ host: String) {
    #expect(judge([host]) == .refused(status: 421, reason: "this server does not go by that name"))
  }

  @Test func aRequestNamesOneHost() {
    #expect(judge([]) != .welcome)
    #expect(judge([own, "evil.example"]) != .welcome)
    #expect(judge([own, own]) != .welcome)
  }

  @Test func commandsComeFromThePage() {
    #expect(judge([own], origins: ["http://127.0.0.1:7373"], isCommand: true) == .welcome)
    for origins in [[], ["null"], ["http://evil.example"], ["https://127.0.0.1:7373"], ["http://localhost:7373"]] {
      #expect(judge([own], origins: origins, isCommand: true) != .welcome, "\(origins)")
    }
    #expect(judge([own], origins: ["http://127.0.0.1:7373", "http://evil.example"], isCommand: true) != .welcome)
  }

  /// A question that names another origin is refused as well: a page elsewhere has no business here.
  @Test func questionsOfOtherPagesAreRefused() {
    #expect(judge([own], origins: ["http://evil.example"]) != .welcome)
  }

  @Test func aTokenIsAskedFor() {
    let refused = Gatekeeper.Verdict.refused(status: 401, reason: "the token is missing or wrong")
    #expect(judge([own], token: "s3cret") == refused)
    #expect(judge([own], token: "s3cret", authorization: "Bearer s3cret") == .welcome)
    #expect(judge([own], token: "s3cret", authorization: "Bearer s3cre") == refused)
    #expect(judge([own], token: "s3cret", authorization: "Bearer s3cretx") == refused)
    #expect(judge([own], token: "s3cret", authorization: "Bearer ") == refused)
    #expect(judge([own], token: "s3cret", cookies: ["a=b; lodestone_token=s3cret"]) == .welcome)
    #expect(judge([own], token: "s3cret", cookies: ["lodestone_token=wrong"]) == refused)
  }

  /// The form that asks for it needs its style; nothing else is open.
  @Test func theFormIsOpen() {
    #expect(judge([own], token: "s3cret", path: "/style.css") == .welcome)
    #expect(judge([own], token: "s3cret", path: "/app.js") != .welcome)
  }

  /// In the address it serves once, for the page alone.
  @Test func aTokenInTheAddressBecomesACookie() {
    #expect(judge([own], token: "s3cret", query: "token=s3cret") == .welcomeWithCookie)
    #expect(judge([own], token: "s3cret", query: "token=wrong") != .welcomeWithCookie)
    let elsewhere = judge([own], token: "s3cret", query: "token=s3cret", path: "/api/v1/state")
    #expect(elsewhere == .refused(status: 401, reason: "the token is missing or wrong"))
  }

  /// A browser sends what was typed into the form with all but letters, digits and `*-._` as percent signs and digits.
  @Test func aTokenMayHaveSigns() {
    let token = "a+b/c=d%41#e?f==", typed = "a%2Bb%2fc%3Dd%2541%23e%3Ff%3D%3D"
    #expect(judge([own], token: token, query: "token=\(typed)") == .welcomeWithCookie)
    #expect(judge([own], token: token, query: "x=1&token=\(typed)") == .welcomeWithCookie)
    #expect(judge([own], token: "a%4", query: "token=a%4") == .welcomeWithCookie)
    for wrong in [token.replacing("%41", with: "A"), typed + "%", typed + "%3", typed.replacing("%2B", with: "%+2")] {
      #expect(judge([own], token: token, query: "token=\(wrong)") != .welcomeWithCookie, "\(wrong)")
    }
    let keeper = Gatekeeper(names: [], token: token)
    #expect(judge([own], token: token, cookies: [keeper.cookie]) == .welcome)
  }

  @Test func comparisonIsByValue() {
    #expect(Gatekeeper.equal([], []))
    #expect(Gatekeeper.equal([1, 2, 3], [1, 2, 3]))
    #expect(!Gatekeeper.equal([1, 2, 3, 1, 2, 3], [1, 2, 3]))
    #expect(!Gatekeeper.equal([1, 2], [1, 2, 3]))
    #expect(!Gatekeeper.equal([], [1]))
  }
}
