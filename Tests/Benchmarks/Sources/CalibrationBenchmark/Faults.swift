import LodestoneCore
import Glibc
import Instruments

/// Effects of real boards and places beside the model: put on top of what the virtual breakout gives.
struct Faults: Sendable {
  /// By which the offset moves evenly from the sweep's begin to its end, in µT.
  var drift = 0.0
  /// By which the offset jumps in mid-sweep, in µT.
  var step = 0.0
  /// How the field differs from place to place, in µT/m.
  var gradient = 0.0
  /// From the shoulder's axis to the board, in metres: how far a sweep swings through an uneven field.
  var reach = 0.3
  /// Standard deviation of the accelerometer's gains.
  var gain = 0.0
  /// By which the field is older than the force beside it, in steps of 5 ms.
  var lag = 0
  /// The field's smallest step, in µT.
  var quantum = 0.0
  /// Rows that repeat one field.
  var repeats = 1
  /// Root mean square of the hand's tremor on each axis of the force, in g.
  var tremor = 0.0

  /// Directions and sizes that one board has.
  struct Board: Sendable {
    let offset: Vector3
    let gain: Vector3
    let gradient: Matrix3
    let phases: [Double]

    init(_ faults: Faults, seed: UInt64) {
      var random = RandomNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 77)
      func vector() -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) }
      offset = vector().direction ?? Vector3(1, 0, 0)
      gain = Vector3(1, 1, 1) + vector() * faults.gain
      let (diagonal, off) = (vector(), vector())
      let mean = (diagonal.x + diagonal.y + diagonal.z) / 3
      let matrix = Matrix3(
        Vector3(diagonal.x - mean, off.x, off.y), Vector3(off.x, diagonal.y - mean, off.z),
        Vector3(off.y, off.z, diagonal.z - mean))
      let size = [matrix.row0, matrix.row1, matrix.row2].map { $0.squaredLength }.reduce(0, +).squareRoot()
      gradient = matrix * (faults.gradient * 1.2 / max(size, 1e-9))
      phases = (0..<9).map { _ in 2 * .pi * random.uniform() }
    }
  }

  /// The addition to the raw field at a time and an attitude.
  func added(_ board: Board, time: Double, seconds: Double, attitude: Matrix3, distortion: Matrix3) -> Vector3 {
    let moved = drift * time / seconds + (time > seconds / 2 ? step : 0)
    let place = attitude * Vector3(0, reach, 0)
    return board.offset * moved + distortion * (attitude.transposed * (board.gradient * place))
  }

  /// The specific force as this accelerometer reads it.
  func force(_ force: Vector3, _ board: Board, time: Double) -> Vector3 {
    let frequencies = [1.3, 3.1, 8.7]
    func shake(_ axis: Int) -> Double {
      frequencies.enumerated().reduce(0) { $0 + sin(2 * .pi * $1.element * time + board.phases[3 * axis + $1.offset]) }
    }
    let scaled = Vector3(force.x * board.gain.x, force.y * board.gain.y, force.z * board.gain.z)
    return scaled + Vector3(shake(0), shake(1), shake(2)) * (tremor * (2.0 / 3).squareRoot())
  }

  /// A field rounded to the chip's steps.
  func stepped(_ field: Vector3) -> Vector3 {
    guard quantum > 0 else { return field }
    return Vector3(
      (field.x / quantum).rounded() * quantum, (field.y / quantum).rounded() * quantum,
      (field.z / quantum).rounded() * quantum)
  }
}
