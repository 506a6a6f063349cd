import ArgumentParser

/// One of a few words that an option takes, by its raw value.
protocol ChosenWord: ExpressibleByArgument, CaseIterable, RawRepresentable<String> where AllCases == [Self] {}

/// Directly: for key paths and folds each start looks through all conformances, twice for each kind of word.
extension ChosenWord {
  /// The words, in the order of the cases.
  public static var allValueStrings: [String] {
    var words: [String] = []
    for choice in allCases { words.append(choice.rawValue) }
    return words
  }

  /// No descriptions: a word says itself what it is.
  public static var allValueDescriptions: [String: String] { [:] }
}
