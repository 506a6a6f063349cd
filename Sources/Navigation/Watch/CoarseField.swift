import LodestoneCore

/// Looks at the first fields of a device that change for the step from one number to the next, which may be so large that
/// directions are rough: 10 µT where a field is printed in mT with two decimals, 98 µT of a TLV493D.
public struct CoarseField: Sendable {
  /// Fields that differ from the one before; they are enough once a step is told.
  private var fields: [Vector3] = []
  private var isDone = false
  private var news: Double?

  /// Fields that tell a step.
  private static let enough = 8
  /// The least step that is told, in µT, and how near numbers have to be to its multiples.
  private static let (least, nearness) = (4.0, 0.02)
  /// A field beyond which the Earth's does not matter, in µT.
  private static let strongest = 300.0

  /// Has looked at nothing yet.
  public init() {}

  /// The step in µT, where the last field told a coarse one; nil once it was asked for.
  public mutating func nextNews() -> Double? {
    defer { news = nil }
    return news
  }

  /// Takes a sample as the device sent it. It is only read: handed over like this it is not copied.
  /// - Returns: whether there is news.
  @inline(__always)
  public mutating func see(_ raw: inout Sample) -> Bool { isDone ? false : look(&raw) }

  @inline(never)
  private mutating func look(_ raw: inout Sample) -> Bool {
    guard let field = raw.field?.microtesla, field != fields.last else { return false }
    fields.append(field)
    guard fields.count == Self.enough else { return false }
    (news, fields, isDone) = (step, [], true)
    return news != nil
  }

  /// The step, where it is coarse and all numbers are multiples of it.
  private var step: Double? {
    var step = Double.infinity
    for (a, b) in zip(fields, fields.dropFirst()) {
      for axis in 0..<3 where a[axis] != b[axis] { step = min(step, abs(a[axis] - b[axis])) }
    }
    guard step.isFinite, step >= Self.least else { return nil }
    for field in fields {
      guard field.length < Self.strongest else { return nil }
      for axis in 0..<3 {
        let steps = field[axis] / step
        guard abs(steps - steps.rounded()) < Self.nearness else { return nil }
      }
    }
    return step
  }
}
