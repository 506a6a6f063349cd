import LodestoneCore
import Glibc

/// How far a sensor was turned since a zero-point was taken: by the gyroscope where there is one, else by where up went.
struct SensorTurn: Sendable {
  /// What turns a field of the place as it was seen at the zero-point into what is seen now.
  private(set) var rotation = Quaternion.identity
  /// The angle of it in radians.
  var angle: Double { 2 * atan2(rotation.v.length, abs(rotation.w)) }
  /// How far that may be off: a share of itself, and the noise of up.
  var deviation: Double { angle > Self.noticed ? Self.share * angle + Self.noise : 0 }

  /// In radians. What is smaller is noise.
  static let noticed = Angle.radians(0.3)
  private static let noise = 0.002
  private static let share = 0.03
  /// Rates below so many degrees per second are drift of the gyroscope.
  private static let restingRate = 0.5
  /// Seconds over which up is averaged.
  private static let span = 0.4
  private static let longestStep = 0.5

  private let zero: ZeroPoint
  private var up: Vector3?
  private var last: Double?
  private var turn = Quaternion.identity

  init(zero: ZeroPoint) { self.zero = zero }

  /// Takes up (length 1) and the rotation rate of a sample.
  mutating func add(time: Double, up now: Vector3?, rate: RotationRate?) {
    let step = last.map { time - $0 } ?? 0
    last = time
    if let rate, let bias = zero.restingRate, step > 0, step < Self.longestStep {
      let turning = rate.degreesPerSecond - bias
      if turning.length > Self.restingRate { turn = Quaternion(rotation: turning * (-step * .pi / 180)) * turn }
      rotation = turn
    } else if let now, let before = zero.up {
      let mean = up.map { $0 + (now - $0) * min(1, step / Self.span) } ?? now
      up = mean
      if let direction = mean.direction { rotation = Quaternion(from: before, to: direction) }
    }
  }
}
