import Glibc
import Instruments
import LodestoneCore

/// Noise whose power falls as 1/f from half the sampling rate to once in ten minutes: first-order noises an octave
/// apart.
struct PinkNoise {
  private var states: [Vector3]
  private let kept: [Double]

  init() {
    kept = (0..<15).map { exp(-pow(2, -Double($0))) }
    states = kept.map { _ in .zero }
    // Long noises start anywhere; a settled start is drawn with the first sample.
  }

  private var isSettled = false

  mutating func next(_ random: inout RandomNumbers) -> Vector3 {
    for (index, kept) in kept.enumerated() {
      let fresh = Vector3(random.normal(), random.normal(), random.normal())
      states[index] = isSettled ? states[index] * kept + fresh * (1 - kept * kept).squareRoot() : fresh
    }
    isSettled = true
    return states.reduce(.zero, +) / Double(states.count).squareRoot()
  }
}
