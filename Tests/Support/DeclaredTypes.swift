/// The types of the package's own sources that conform to a protocol, for the tests that compare them with a registry:
/// by declaration, wherever in a folder they stand.
public enum DeclaredTypes {
  /// The names of the structs, enums and classes below a folder of the package that conform to a protocol, or to one
  /// that refines it, sorted. Protocols refine it where they are declared in that folder.
  public static func conforming(to name: String, below folder: String) throws -> [String] {
    var declarations: [Declaration] = []
    for path in try PackageFolder.files(below: folder) where path.hasSuffix(".swift") {
      declarations += Declaration.all(in: try PackageFolder.text(of: path))
    }
    var protocols: Set = [name]
    while true {
      let refined = declarations.filter { $0.isProtocol && !protocols.isDisjoint(with: $0.conformances) }
      let grown = protocols.union(refined.map { $0.name })
      if grown == protocols { break }
      protocols = grown
    }
    return declarations.filter { !$0.isProtocol && !protocols.isDisjoint(with: $0.conformances) }.map { $0.name }
      .sorted()
  }
}

/// The head of a type's declaration.
private struct Declaration {
  let name: String
  let isProtocol: Bool
  let conformances: Set<String>

  /// Those of a file. A protocol that is nested is named after the type around it: `Family.Member`.
  static func all(in text: String) -> [Declaration] {
    var outer = ""
    return text.split(separator: "\n").compactMap { line in
      guard
        let head = line.firstMatch(
          of:
            /^( *)(?:(?:public|package|private|fileprivate|final) )*(struct|enum|class|protocol|extension) ([\w.]+)(?::([^{]*))? ?\{/
        )
      else { return nil }
      let isNested = !head.1.isEmpty
      if !isNested { outer = String(head.3) }
      let conformances = (head.4 ?? "").split(separator: ",").map { $0.split(separator: " ").joined() }
      return Declaration(
        name: isNested ? "\(outer).\(head.3)" : String(head.3), isProtocol: head.2 == "protocol",
        conformances: Set(conformances))
    }
  }
}
