/// The target of a request taken apart: a path, or in the absolute form that proxies are sent a whole address, whose
/// host counts instead of that in `Host` (RFC 9112, section 3.2.2).
struct RequestTarget {
  /// Host and port of the absolute form; nil for a path.
  let authority: Substring?
  /// The path as it stands, with nothing decoded.
  let path: Substring
  /// Behind the question mark; nil where there is none.
  let query: Substring?

  init(_ text: String) {
    let scheme = "http://"
    var rest = text[...]
    if text.prefix(scheme.count).lowercased() == scheme {
      rest = text.dropFirst(scheme.count)
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    } else {
      authority = nil
    }
    let mark = rest.firstIndex(of: "?")
    let path = rest[..<(mark ?? rest.endIndex)]
    self.path = path.isEmpty ? "/" : path
    query = mark.map { rest[rest.index(after: $0)...] }
  }
}
