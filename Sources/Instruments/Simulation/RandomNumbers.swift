import Glibc

/// Reproducible random numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014). The same seed gives the same numbers on every machine.
public struct RandomNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private var spare: Double?

  /// A sequence that depends on nothing but the seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Evenly in 0 ..< 1, in steps of 2⁻⁵³.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Normally distributed with mean 0 and standard deviation 1 (Box and Muller, 1958).
  public mutating func normal() -> Double {
    if let spare {
      self.spare = nil
      return spare
    }
    let radius = (-2 * log(1 - uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    spare = radius * sin(angle)
    return radius * cos(angle)
  }
}
