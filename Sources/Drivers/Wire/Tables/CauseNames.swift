import LodestoneCore

/// The names of the causes that a stream is asked for. A column is meant by its whole name, as `current_A`, or without
/// what follows, as `current`; capitals and signs make no difference.
public struct CauseNames: Equatable, Sendable {
  /// The names, at most as many as a sample has places for; those past that are left out.
  public let names: [String]
  private let words: [[ColumnWord]]

  /// Causes by the names of their columns.
  public init(_ names: [String] = []) {
    self.names = Array(names.prefix(CauseValues.limit))
    words = self.names.map { ColumnWord.words(of: $0.utf8.span) }
  }

  /// Whether none is sought.
  public var isEmpty: Bool { names.isEmpty }

  /// Whether a column of this name is a quantity that samples have anyway.
  public static func isOfSample(_ name: String) -> Bool {
    let role = ColumnName(name).role
    return role != nil && role != CSVColumns.Role.temperature
  }

  /// The place of the cause that a value of this name is; nil for none.
  func place(of name: [UInt8]) -> Int? {
    let own = ColumnWord.words(of: name.span)
    return words.firstIndex(of: own) ?? words.firstIndex { !$0.isEmpty && own.starts(with: $0) }
  }

  /// The place of the cause that a decoder knows under this name; nil for none.
  public func place(of name: StaticString) -> Int? {
    name.withUTF8Buffer { place(of: Array($0)) }
  }

  /// The column of each cause, among the names of all; nil for one that is not there.
  func places(in columns: [[UInt8]]) -> [Int?] {
    let all = columns.map { ColumnWord.words(of: $0.span) }
    return words.map { own in
      guard !own.isEmpty else { return nil }
      return all.firstIndex(of: own) ?? all.firstIndex { $0.starts(with: own) }
    }
  }
}
