import Core
import Glibc

/// The ambient field that a teslameter subtracts: the mean over a while in which nothing moved.
public struct ZeroPoint: Equatable, Sendable {
  /// The mean field in µT, corrected, in the device frame.
  public let field: Vector3
  /// The standard deviation of one sample on each axis, in µT.
  public let noise: Vector3
  /// How many samples it rests on.
  public let samples: Int
  /// Where up was, of length 1; nil without an accelerometer.
  public let up: Vector3?

  /// A zero-point by its parts.
  public init(field: Vector3, noise: Vector3, samples: Int, up: Vector3?) {
    self.field = field
    self.noise = noise
    self.samples = samples
    self.up = up
  }

  /// Why there is no zero-point.
  public enum Refusal: Error, Equatable, Sendable {
    /// Fewer samples than a mean and its spread need.
    case tooFewSamples(Int)
    /// The field wandered by this much (standard deviation in µT) beyond the noise of a sample (µT).
    case moving(wander: Double, noise: Double)
    /// An axis was at the end of the range.
    case saturated
  }
}

/// Averages the field and judges whether it stood still.
///
/// Noise that is new in each sample shows in the differences of neighbours; a field that moves shows only over time.
/// With s² the variance and δ² the mean squared difference of neighbours, δ²/2 = s² for pure noise (von Neumann 1941);
/// what s² has beyond δ²/2 is movement.
public struct ZeroPointCollector: Sendable {
  /// Movement below this many µT (standard deviation) is let pass: quantized and slowly drifting sensors show it.
  public static let allowedWander = 0.5
  /// The fewest samples that make a zero-point.
  public static let fewestSamples = 8

  private var count = 0
  private var mean = Vector3.zero
  private var squares = Vector3.zero
  private var differences = Vector3.zero
  private var last: Vector3?
  private var upSum = Vector3.zero
  private var sawUp = false
  private var sawSaturation = false

  /// Nothing collected yet.
  public init() {}

  /// How many samples were taken.
  public var samples: Int { count }

  /// Takes a corrected field (µT, device frame) and up (length 1) where known.
  public mutating func add(_ field: Vector3, up: Vector3?, saturated: Bool = false) {
    count += 1
    sawSaturation = sawSaturation || saturated
    let before = field - mean  // Welford's update
    mean += before / Double(count)
    squares += before.times(field - mean)
    if let last { differences += (field - last).times(field - last) }
    last = field
    if let up {
      upSum += up
      sawUp = true
    }
  }

  /// The zero-point, or why there is none.
  public func result() -> Result<ZeroPoint, ZeroPoint.Refusal> {
    guard count >= Self.fewestSamples else { return .failure(.tooFewSamples(count)) }
    guard !sawSaturation else { return .failure(.saturated) }
    let variance = squares / Double(count - 1)
    let whiteVariance = differences / Double(2 * (count - 1))
    let noise = (whiteVariance.x + whiteVariance.y + whiteVariance.z).squareRoot()
    let excess = variance - whiteVariance
    let wander = (max(0, excess.x) + max(0, excess.y) + max(0, excess.z)).squareRoot()
    guard wander <= max(Self.allowedWander, noise) else { return .failure(.moving(wander: wander, noise: noise)) }
    let spread = Vector3(variance.x.squareRoot(), variance.y.squareRoot(), variance.z.squareRoot())
    return .success(ZeroPoint(field: mean, noise: spread, samples: count, up: sawUp ? upSum.direction : nil))
  }
}

extension Vector3 {
  /// Component by component.
  func times(_ other: Vector3) -> Vector3 { Vector3(x * other.x, y * other.y, z * other.z) }
}
