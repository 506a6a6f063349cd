import LodestoneCore
import Navigation
import Support
import Testing

/// An axis of a sensor that keeps its number while noise changes the others.
@Suite struct DeadAxesTests {
  /// Numbers of a last digit, with noise of so many digits; the same in each run.
  private struct Noise {
    private var generator = SeededGenerator(seed: 7)

    mutating func value(_ value: Double, digit: Double, noise: Double) -> Double {
      let sum = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
      return ((value + sum * noise * digit) / digit).rounded() * digit
    }
  }

  /// What is told of a stream of 50 Hz, and its last sample as instruments take it.
  private func look(
    seconds: Double = 20, _ sample: (Double, inout Noise) -> Sample
  ) -> (told: [DeadAxis], last: DeviceSample) {
    var (axes, noise, told, last) = (DeadAxes(), Noise(), [DeadAxis](), DeviceSample())
    for number in 0..<Int(seconds * 50) {
      var raw = sample(Double(number) / 50, &noise)
      last = DeviceSample(
        time: raw.time, acceleration: raw.acceleration, rotationRate: raw.rotationRate, flags: raw.flags)
      if axes.see(&raw, &last), let dead = axes.nextNews() { told.append(dead) }
    }
    return (told, last)
  }

  private func whole(at time: Double, _ noise: inout Noise) -> Sample {
    func vector(_ x: Double, _ y: Double, _ z: Double, _ digit: Double) -> Vector3 {
      Vector3(
        noise.value(x, digit: digit, noise: 2), noise.value(y, digit: digit, noise: 2),
        noise.value(z, digit: digit, noise: 2))
    }
    var sample = Sample(time: time, field: MagneticField(microtesla: vector(20, -5, -40, 0.15)))
    sample.acceleration = Acceleration(g: vector(0.1, 0, 1, 0.001))
    sample.rotationRate = RotationRate(degreesPerSecond: vector(0.5, -1, 0, 0.06))
    return sample
  }

  @Test func aWorkingSensorHasNone() {
    let (told, last) = look { time, noise in whole(at: time, &noise) }
    #expect(told == [] && last.acceleration != nil && last.rotationRate != nil && last.flags == [])
  }

  @Test(arguments: 0..<3) func anAxisThatDiesIsToldOnce(axis: Int) {
    let (told, last) = look { time, noise in
      var sample = whole(at: time, &noise)
      guard time > 10 else { return sample }
      var (b, f) = (sample.field?.microtesla ?? .zero, sample.acceleration?.g ?? .zero)
      var omega = sample.rotationRate?.degreesPerSecond ?? .zero
      (b[axis], f[axis], omega[axis]) = (-327.68, 0, 0)
      sample.field = MagneticField(microtesla: b)
      sample.acceleration = Acceleration(g: f)
      sample.rotationRate = RotationRate(degreesPerSecond: omega)
      return sample
    }
    #expect(Set(told.map { $0.sensor }).count == 3 && told.allSatisfy { $0.axis == axis })
    #expect(told.first { $0.sensor == .magnetometer }?.value == -327.68)
    #expect(last.acceleration == nil && last.rotationRate == nil && last.flags == [.saturated, .forceLost])
  }

  /// One that lives again is used again.
  @Test func itMayLiveAgain() {
    let (told, last) = look { time, noise in
      var sample = whole(at: time, &noise)
      if time < 10, let f = sample.acceleration?.g { sample.acceleration = Acceleration(g: Vector3(f.x, 0, f.z)) }
      return sample
    }
    #expect(told.count == 1 && last.acceleration != nil && last.flags == [])
  }

  /// A table of whole microteslas: a board that is turned on a table keeps one axis.
  @Test func aLevelTurnInFewDigitsIsNone() {
    let (told, _) = look { time, noise in
      let (x, y) = (20 * (time * 2).remainder(dividingBy: 6), 20 - 20 * abs((time * 2).remainder(dividingBy: 6)))
      return Sample(time: time, field: MagneticField(microtesla: Vector3(x.rounded(), y.rounded(), -40)))
    }
    #expect(told == [])
  }

  /// An accelerometer of 10 bits at rest: one axis toggles between two numbers, the others keep theirs.
  @Test func aTogglingLastDigitIsNoNoise() {
    let (told, _) = look { time, noise in
      var sample = Sample(time: time)
      let toggle = noise.value(0, digit: 1, noise: 0.6) > 0 ? 0.048 : 0
      sample.acceleration = Acceleration(g: Vector3(toggle, noise.value(0, digit: 0.048, noise: 0.3), 1.008))
      return sample
    }
    #expect(told == [])
  }

  /// A magnetometer with two axes, whose third is printed as zero: said, and used as it is.
  @Test func anAxisThatNeverLivedIsToldAndLeft() {
    let (told, last) = look { time, noise in
      var sample = whole(at: time, &noise)
      if let b = sample.field?.microtesla { sample.field = MagneticField(microtesla: Vector3(b.x, b.y, 0)) }
      return sample
    }
    #expect(told.map { $0.axis } == [2] && told.first?.sensor == .magnetometer && last.flags == [])
  }
}
