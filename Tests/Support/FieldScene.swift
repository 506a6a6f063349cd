import Calibration
import LodestoneCore
import Glibc
import Instruments
import Navigation

/// A sensor beside which a magnet is or is not, and what else makes its numbers move. Every number comes from the seed.
package struct FieldScene {
  /// Samples a second.
  package var rate = 50.0
  /// Seconds in all; the first two are the zero-point.
  package var duration = 62.0
  /// Standard deviation of noise on each axis, new in every sample, in µT.
  package var white = 0.3
  /// Standard deviation of 1/f noise on each axis, in µT.
  package var pink = 0.0
  /// Smallest change of an axis, in µT.
  package var step = 0.0
  /// In µT/s, along a direction that comes of the seed.
  package var drift = 0.0
  /// Amplitude of a field that alternates with the mains, in µT, and its frequency in hertz.
  package var hum = (amplitude: 0.0, frequency: 50.0)
  /// Turn of the sensor by so many degrees about a device axis, ten seconds after the start.
  package var turn = (axis: Vector3(0, 0, 1), degrees: 0.0)
  /// Seconds that the turn takes.
  package var turnSeconds = 1.0
  /// Strength of the magnet's field in µT; it comes five seconds after the start.
  package var magnet = 0.0
  /// Seconds that the magnet takes from a distance fifteen times as large; it is at hand at once where they are 0.
  package var approach = 0.0
  package var hasAccelerometer = false
  package var hasGyroscope = false

  package init() {}

  /// The share of the magnet's field that has come: as the inverse cube of a distance that falls by the same share a
  /// second.
  private func nearness(at time: Double) -> Double {
    approach > 0 ? pow(15, -3 * max(0, 1 - (time - 5) / approach)) : 1
  }

  /// The samples in the device frame.
  package func samples(seed: UInt64) -> [DeviceSample] {
    var random = RandomNumbers(seed: seed)
    func normal() -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) }
    func direction() -> Vector3 { normal().direction ?? Vector3(1, 0, 0) }
    let start = Matrix3(rotation: direction() * (2 * random.uniform()))
    let (earth, up) = (start * Vector3(0, 20.3, -43.5), start * Vector3(0, 0, 1))
    let (driftWay, humWay, magnetWay) = (direction(), direction(), direction())
    let phase = 2 * Double.pi * random.uniform()
    var slow = PinkNoise()
    return (0..<Int(duration * rate)).map { index in
      let time = Double(index) / rate
      let angle = Angle.radians(turn.degrees) * max(0, min(1, (time - 10) / turnSeconds))
      let toDevice = Matrix3(rotation: turn.axis * -angle)
      var field = toDevice * earth + driftWay * (drift * time)
      field += humWay * (hum.amplitude * sin(2 * .pi * hum.frequency * time + phase))
      if time >= 5 { field += magnetWay * (magnet * nearness(at: time)) }
      field += normal() * white
      if pink > 0 { field += slow.next(&random) * pink }
      if step > 0 { field = Vector3(quantized(field.x), quantized(field.y), quantized(field.z)) }
      var sample = DeviceSample(time: time, field: Correction.none.apply(to: MagneticField(microtesla: field)))
      if hasAccelerometer { sample.acceleration = Acceleration(g: toDevice * up + normal() * 0.004) }
      if hasGyroscope {
        let isTurning = time > 10 && time < 10 + turnSeconds
        let turning = isTurning ? turn.axis * (turn.degrees / turnSeconds) : .zero
        sample.rotationRate = RotationRate(degreesPerSecond: turning + Vector3(0.4, -0.3, 0.2) + normal() * 0.1)
      }
      return sample
    }
  }

  private func quantized(_ value: Double) -> Double { (value / step).rounded() * step }
}
