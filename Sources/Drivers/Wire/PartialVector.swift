import LodestoneCore

/// A vector whose axes arrive one by one.
struct PartialVector {
  private var axes = Vector3.zero
  private var seen = 0

  /// Takes one axis in.
  mutating func set(_ axis: Int, _ value: Double) {
    axes[axis] = value
    seen |= 1 << axis
  }

  /// All three axes; nil while one is missing.
  var vector: Vector3? { seen == 0b111 ? axes : nil }
}
