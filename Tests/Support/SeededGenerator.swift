/// A generator that gives the same numbers each time: SplitMix64 (Steele, Lea and Flood, 2014). A test that fails on
/// random numbers fails again when it is run again.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// A sequence that depends on nothing but the seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
