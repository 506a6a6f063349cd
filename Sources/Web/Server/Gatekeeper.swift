/// Decides who may ask: the name that was dialled, the page that asks, and the token where one is needed.
///
/// A page of another site can make a browser send requests here, even under a name that it has made point to this
/// machine. Such requests carry that site's name in `Host` or `Origin`, and are refused.
struct Gatekeeper: Sendable {
  /// The credentials and origin of a request.
  struct Credentials: Sendable {
    var hosts: [String] = []
    var origins: [String] = []
    var authorization: String?
    var cookies: [String] = []
    var query: Substring?
  }

  /// The decision about a request.
  enum Verdict: Equatable, Sendable {
    case welcome
    /// The token came in the address: it is kept in a cookie, and the address without it is shown.
    case welcomeWithCookie
    case refused(status: Int, reason: String)
  }

  /// The name of the cookie that holds the token.
  private static let cookie = "lodestone_token"

  /// The files that the form for the token needs; they hold no secret.
  private static let open: Set<String> = ["/style.css", "/icon.svg"]

  /// Names that it is reached by, besides the address of the connection: `boat.local:7373`.
  private let names: Set<String>
  private let token: [UInt8]?

  /// The name and value of the cookie that a welcome reader keeps.
  var cookie: String { "\(Self.cookie)=\(token.map { String(decoding: $0, as: UTF8.self) } ?? "")" }

  init(names: Set<String>, token: String?) {
    self.names = Set(names.map { $0.lowercased() })
    self.token = token.map { Array($0.utf8) }
  }

  /// Judges a request.
  /// - Parameters:
  ///   - own: the address and port that the connection came to.
  ///   - isCommand: it changes something, so the page that asks must be ours.
  func judge(_ credentials: Credentials, own: String?, isCommand: Bool, path: Substring) -> Verdict {
    guard credentials.hosts.count == 1, let host = credentials.hosts.first?.lowercased(),
      names.contains(host) || host == own?.lowercased()
    else { return .refused(status: 421, reason: "this server does not go by that name") }
    if let origin = credentials.origins.first ?? (isCommand ? "" : nil),
      credentials.origins.count > 1 || origin.lowercased() != "http://\(host)"
    {
      return .refused(status: 403, reason: "send the header Origin: http://\(host); pages of other sites are refused")
    }
    guard let token, !Self.open.contains(String(path)) else { return .welcome }
    if hasToken(credentials, token) { return .welcome }
    let given = credentials.query?.split(separator: "&").first { $0.hasPrefix("token=") }?.dropFirst(6)
    if path == "/", !isCommand, let given,
      [Array(given.utf8), Self.plain(given)].contains(where: { Self.equal($0, token) })
    {
      return .welcomeWithCookie
    }
    return .refused(status: 401, reason: "the token is missing or wrong")
  }

  private func hasToken(_ credentials: Credentials, _ token: [UInt8]) -> Bool {
    if let text = credentials.authorization, text.lowercased().hasPrefix("bearer ") {
      return Self.equal(Array(text.dropFirst(7).utf8), token)
    }
    let prefix = Self.cookie + "="
    return credentials.cookies.flatMap { $0.split(separator: ";") }.contains { part in
      let cookie = part.drop { $0 == " " }
      return cookie.hasPrefix(prefix) && Self.equal(Array(cookie.dropFirst(prefix.count).utf8), token)
    }
  }

  /// The bytes of a value of a query, as browsers send it: those that are no letters as `%` and two digits.
  private static func plain(_ value: Substring) -> [UInt8] {
    var plain: [UInt8] = []
    var rest = value.utf8
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        plain.append(UInt8(digits[0] * 16 + digits[1]))
        rest = rest.dropFirst(2)
      } else {
        plain.append(byte)
      }
    }
    return plain
  }

  /// Compares in a time that tells nothing about where the two differ.
  static func equal(_ given: [UInt8], _ secret: [UInt8]) -> Bool {
    var difference = given.count ^ secret.count
    for (index, byte) in given.enumerated() {
      difference |= Int(byte ^ (secret.isEmpty ? 0 : secret[index % secret.count]))
    }
    return difference == 0
  }
}
