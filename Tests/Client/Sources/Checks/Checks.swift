/// A fact that was not as it should be. Thrown, it ends the program with that line.
public struct Wrong: Error {
  let what: String

  /// A fact in words.
  public init(_ what: String) { self.what = what }
}

/// Throws where something does not hold.
public func check(_ isRight: Bool, _ what: String) throws(Wrong) {
  if !isRight { throw Wrong(what) }
}
