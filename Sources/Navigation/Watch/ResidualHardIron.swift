import LodestoneCore

/// Hard iron that a correction does not undo, as it shows while the board turns.
///
/// The residual hard iron v makes the corrected field |b| ≈ F + v·b̂ strong, b̂ the field's direction on the board: the
/// strength changes with the side that faces the field, while its mean stays what it was. A field of the place is the
/// same on all sides, and one that the board passes through has nothing to do with them. So v is the slope of |b| over
/// b̂, and counts only as far as it explains what |b| does.
struct ResidualHardIron: Sendable {
  /// The number of directions taken.
  private(set) var count = 0

  /// The angle in radians between directions that are taken, at least.
  private static let spacing = Angle.radians(5)
  /// The number of directions that are remembered; the earlier ones fade.
  private static let memory = 90.0
  /// The variance of a direction that counts as none, so that sides which were not seen have no slope.
  private static let ridge = 0.01

  private var last: Vector3?
  private var weight = 0.0
  private var meanDirection = Vector3.zero
  private var meanStrength = 0.0
  private var spread = Matrix3(diagonal: .zero)
  private var slope = Vector3.zero
  private var variance = 0.0

  /// Takes a corrected field in µT in axes of the board; true when it came from a new direction.
  mutating func add(_ field: Vector3) -> Bool {
    if let last, last.squaredAngle(to: field) < Self.spacing * Self.spacing { return false }
    guard let direction = field.direction, field.isFinite else { return false }
    last = direction
    count = min(count + 1, 1_000_000)
    weight = min(weight + 1, Self.memory)
    let share = 1 / weight
    let (offDirection, offStrength) = (direction - meanDirection, field.length - meanStrength)
    meanDirection += offDirection * share
    meanStrength += offStrength * share
    let outer = Matrix3(
      offDirection * offDirection.x, offDirection * offDirection.y, offDirection * offDirection.z)
    spread = (spread + outer * share) * (1 - share)
    slope = (slope + offDirection * (offStrength * share)) * (1 - share)
    variance = (variance + offStrength * offStrength * share) * (1 - share)
    return true
  }

  /// The change of |b| that the slope explains, as a standard deviation in µT, and its share in the variance of |b|.
  var explained: (deviation: Double, share: Double) {
    let steadied = spread + Matrix3(diagonal: Vector3(Self.ridge, Self.ridge, Self.ridge))
    guard variance > 0, let inverse = steadied.inverse else { return (0, 0) }
    let square = max(0, slope.dot(inverse * slope))
    return (square.squareRoot(), min(1, square / variance))
  }
}
