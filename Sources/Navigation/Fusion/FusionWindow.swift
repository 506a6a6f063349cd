import LodestoneCore

/// What was measured since the last correction. Force and field are averaged in the frame that the gyroscope carries: a
/// board that turns meanwhile does not blur them.
struct FusionWindow: Sendable {
  /// The vectors of one sensor.
  struct Vectors: Sendable {
    /// As it was measured, in the device's axes; nil before the first.
    private(set) var last: Vector3?
    private var sum = Vector3.zero
    private var count = 0.0

    /// The mean in the frame; nil before the first.
    var mean: Vector3? { count > 0 ? sum / count : nil }

    fileprivate mutating func add(_ vector: Vector3, _ attitude: Quaternion) {
      last = vector
      sum += attitude * vector
      count += 1
    }
  }

  /// In g.
  private(set) var force = Vectors()
  /// In µT.
  private(set) var field = Vectors()
  /// In seconds.
  private(set) var span = 0.0
  /// The mean square of the rate, in (rad/s)²; 0 of an empty window.
  var squaredRate: Double { span > 0 ? turned / span : 0 }
  private var turned = 0.0

  /// Takes what the board turned by: a rate in radians per second, for seconds.
  mutating func turn(_ rate: Vector3, step: Double) {
    span += step
    turned += rate.squaredLength * step
  }

  /// Takes a force in the device's axes, and the attitude that turns these into the frame.
  mutating func add(force vector: Vector3, _ attitude: Quaternion) { force.add(vector, attitude) }

  /// The same of a field.
  mutating func add(field vector: Vector3, _ attitude: Quaternion) { field.add(vector, attitude) }
}
