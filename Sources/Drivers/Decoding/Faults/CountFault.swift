import LodestoneCore

/// Damage to whole numbers that a sketch has put together wrongly from the bytes of a chip.
public enum CountFault: Equatable, Sendable {
  /// The sign is lost: a number below zero arrives as 2 to the power of this many bits more.
  case unsigned(bits: Int)
  /// High and low byte of 16 bits have changed places.
  case swappedBytes

  /// Lengths of counts that are not kept in 16 bits with their sign by all chips, in bits.
  private static let lengths = [12, 13, 14, 15, 16, 18, 20, 24, 32]

  /// Damage that fields show; nil for none. A board at rest shows it where chance would hardly make such numbers.
  init?(ofField fields: [Vector3]) {
    if let bits = Self.length(of: fields), Self.areUnsigned(fields, bits: bits) {
      self = .unsigned(bits: bits)
    } else if Self.areSwapped(fields) {
      self = .swappedBytes
    } else {
      return nil
    }
  }

  /// Damage that accelerations without a unit show; nil for none. Some numbers of one axis are a little above zero and
  /// others a little below 2 to the power of the bits, as those around zero come out, or two axes are as far up at
  /// once, which gravity never is.
  init?(ofAcceleration forces: [Vector3]) {
    if let bits = Self.length(of: forces), bits <= 16 {
      let full = Double(1 << bits)
      let parts = Parts(forces, low: 0.375 * full, high: 0.625 * full, end: full)
      let near = Parts(forces, low: 0.125 * full, high: 0.875 * full, end: full)
      if parts.areAll, near.hasBoth || parts.count(atLeast: 0.75 * full) > 1 {
        self = .unsigned(bits: bits)
        return
      }
    }
    guard Self.areSwapped(forces) else { return nil }
    self = .swappedBytes
  }

  /// The least length that holds numbers none of which is below zero; nil for others.
  private static func length(of vectors: [Vector3]) -> Int? {
    var largest = 0.0
    for vector in vectors {
      guard vector.x >= 0, vector.y >= 0, vector.z >= 0, vector.isWhole else { return nil }
      largest = max(largest, vector.x, vector.y, vector.z)
    }
    return lengths.first { largest < Double(1 << $0) }
  }

  /// Whether all numbers are in the lowest quarter or the highest one, as those of a field that is small in its range
  /// come out. One axis has both. At rest, two axes of 15 bits or more are so far up, or one is where no signed number
  /// can be; a field in nT that is so strong has one such axis, and is past 64 000 only beside iron. Shorter ones may
  /// be counts of another chip, and have to be as near to the ends as chance brings three axes once in a thousand
  /// times.
  private static func areUnsigned(_ fields: [Vector3], bits: Int) -> Bool {
    let full = Double(1 << bits)
    let parts = Parts(fields, low: full / 4, high: 0.75 * full, end: full)
    guard parts.areAll, parts.highAxes > 0 else { return false }
    if parts.hasBoth { return true }
    switch bits {
    case 16: return parts.highAxes > 1 || parts.count(atLeast: 64_000) > 0
    case 18...: return true
    default:
      let near = Parts(fields, low: full / 8, high: 0.875 * full, end: full)
      return near.areAll && (bits < 15 || near.highAxes > 1)
    }
  }

  /// The position of axes in the lowest and in the highest part of a range.
  private struct Parts {
    /// No number is between them.
    private(set) var areAll = true
    /// An axis has numbers in both.
    private(set) var hasBoth = false
    /// Axes with numbers in the highest one.
    private(set) var highAxes = 0
    private var largest = Vector3.zero

    init(_ vectors: [Vector3], low: Double, high: Double, end: Double) {
      for axis in 0..<3 {
        var (hasLow, hasHigh) = (false, false)
        for vector in vectors {
          let value = vector[axis]
          largest[axis] = max(largest[axis], value)
          if value < low { hasLow = true } else if value >= high, value < end { hasHigh = true } else { areAll = false }
        }
        if hasLow, hasHigh { hasBoth = true }
        if hasHigh { highAxes += 1 }
      }
    }

    /// Axes that come as far up as this.
    func count(atLeast limit: Double) -> Int { (0..<3).count { largest[$0] >= limit } }
  }

  /// Measurements that tell the order of the bytes at least, and how much smaller the steps between them must become
  /// when it is changed.
  private static let (fewest, gain) = (4, 8.0)

  /// The steps from one to the next become far smaller with their bytes changed over. Counts of 8 bits in the high byte
  /// do so, too: their low bytes are zero.
  private static func areSwapped(_ vectors: [Vector3]) -> Bool {
    guard vectors.count >= fewest else { return false }
    var (before, backBefore) = (vectors[0], Vector3.zero)
    var (steps, backSteps, lowBytes) = (0.0, 0.0, UInt16(0))
    for (place, vector) in vectors.enumerated() {
      var back = Vector3.zero
      for axis in 0..<3 {
        let value = vector[axis]
        guard value == value.rounded(), (-32_768.0...65_535).contains(value) else { return false }
        let bits = UInt16(truncatingIfNeeded: Int(value))
        back[axis] = Double(Int16(bitPattern: bits.byteSwapped))
        lowBytes |= bits & 0xFF
      }
      if place > 0 {
        for axis in 0..<3 {
          steps += abs(vector[axis] - before[axis])
          backSteps += abs(back[axis] - backBefore[axis])
        }
      }
      (before, backBefore) = (vector, back)
    }
    return lowBytes > 0 && steps > gain * backSteps
  }
}

/// The number that a chip tells for no field in the middle of its range, as those of MEMSIC do: a field in such numbers
/// points to a corner, whatever way the board lies.
enum CountMiddle {
  /// Numbers in the middle of ranges of 16, 18 and 20 bits, and how far from it, as a share of it, a field is at most.
  /// Fields in nT may be near the first.
  private static let middles = [(32_768.0, 0.125), (131_072, 0.25), (524_288, 0.25)]

  /// The middle that all axes of all fields are near to; nil where there is none.
  static func of(_ fields: [Vector3]) -> Double? {
    guard let first = fields.first else { return nil }
    let middle = middles.first { abs(first.x - $0.0) <= $0.1 * $0.0 }
    guard let (middle, share) = middle else { return nil }
    let near = (1 - share) * middle...(1 + share) * middle
    let areAll = fields.allSatisfy { $0.isWhole && near.contains($0.x) && near.contains($0.y) && near.contains($0.z) }
    return areAll ? middle : nil
  }
}
