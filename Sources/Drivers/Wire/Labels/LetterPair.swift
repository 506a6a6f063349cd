import LodestoneCore

/// The letters `A` and `B`, each before three numbers: an acceleration and a field, or two boards. Two boards tell
/// numbers of one size, and no gravity.
struct LetterPair: Sendable {
  /// Whether they are two boards; nil while that is open.
  private(set) var areBoards: Bool?
  private var lengths: (a: Double?, b: Double?)
  private var count = 0

  /// Numbers behind `A` after which it is an acceleration where no `B` has come.
  private static let patience = 16
  /// 1 g in g, m/s² and mg, and how far a reading is from it at most, as a ratio.
  private static let gravities = [1, Acceleration.standardGravity, 1000], nearGravity = 0.75...1.33
  /// Ratios of the lengths of two fields.
  private static let alike = 0.5...2.0

  /// Takes the numbers behind `A` in.
  mutating func note(a triple: Vector3) {
    count += 1
    let length = triple.length
    let isGravity = Self.gravities.contains { Self.nearGravity.contains(length / $0) }
    if isGravity || count > Self.patience { return noteOther() }
    lengths.a = length
    compare()
  }

  /// Takes the numbers behind `B` in.
  mutating func note(b triple: Vector3) {
    lengths.b = triple.length
    compare()
  }

  /// Another sensor has a name: the letters are short forms of names.
  mutating func noteOther() { areBoards = areBoards ?? false }

  private mutating func compare() {
    if let a = lengths.a, let b = lengths.b, b > 0, Self.alike.contains(a / b) { areBoards = true }
  }
}
