/// A shot along the laser or the sight of an instrument, rolled about it.
public struct AimedShot: Sendable, Equatable {
  /// The mark to aim at: 0 is the first.
  public var mark: Int
  /// Shots that the mark has so far.
  public var number: Int
  /// How the instrument is rolled: the hour on a clock's face, seen along the aim, to which its upper side points.
  public var hour: Int

  /// A shot by its mark, its number there and its roll.
  public init(mark: Int, number: Int, hour: Int) {
    self.mark = mark
    self.number = number
    self.hour = hour
  }

  /// The shot after `last` with these counts for each mark: upright at a new mark, a quarter turn farther at the same
  /// one.
  init(after last: AimedShot?, _ shots: [Int]) {
    let open = shots.last.flatMap { $0 < RolledShots.fewest ? $0 : nil }
    self.init(mark: open == nil ? shots.count : shots.count - 1, number: open ?? 0, hour: 12)
    if number > 0, let last { hour = last.hour % 12 + 3 }
  }

  /// The instruction, in a sentence.
  package var instruction: String {
    guard number == 0 else { return "Same mark: roll it to \(hour) o'clock and hold it still." }
    let which = mark == 0 ? "a mark" : mark == 1 ? "a second mark" : "one more mark"
    return "Aim at \(which), upright (\(hour) o'clock), and hold it still."
  }

  /// How to choose marks.
  package static let explanation = "Marks 3 m away or more, not overhead, a quarter turn apart; roll about the aim."

  /// The reminder after this one was asked for and this many came; nil where it came as it was asked for.
  func reminder(_ shots: [Int]) -> CalibrationProgress.Reminder? {
    if mark < shots.count, shots[mark] > number { return nil }
    return number == 0 && mark > 0 ? .sameMark : .otherMark
  }
}
