import LodestoneCore

/// The measurements since the last correction.
struct FusionWindow: Sendable {
  /// The mean of a sensor's vectors.
  struct Mean: Sendable {
    private var sum = Vector3.zero
    private(set) var count = 0.0

    /// Nil before the first vector.
    var value: Vector3? { count > 0 ? sum / count : nil }

    mutating func add(_ vector: Vector3) {
      sum += vector
      count += 1
    }

    /// Its frame has been turned.
    mutating func turn(_ turn: Quaternion) { sum = turn * sum }
  }

  /// The means in the frame that the gyroscope carries, in g and in µT: a board that turns meanwhile does not blur
  /// them.
  var (force, field) = (Mean(), Mean())
  /// The last measurements, in the device's axes; nil where there were none.
  var (lastForce, lastField): (Vector3?, Vector3?)
  /// In seconds.
  private(set) var span = 0.0
  /// The mean rate in radians per second, in the device's axes; of a window that is not empty.
  var rate: Vector3 { turned / span }
  private var turned = Vector3.zero

  /// Takes what the board turned by: a rate in radians per second, for seconds.
  mutating func turn(_ rate: Vector3, step: Double) {
    span += step
    turned += rate * step
  }
}
