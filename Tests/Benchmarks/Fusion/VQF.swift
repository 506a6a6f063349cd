import Glibc
import LodestoneCore

/// The basic filter of Laidig and Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and
/// magnetic disturbance rejection", Information Fusion 91 (2023), doi 10.1016/j.inffus.2022.10.014, with its default
/// settings: what ours is compared with. Rates in rad/s, forces in m/s², fields in any unit, all at one rate.
struct VQF {
  /// Device to east, north and up.
  var attitude: Quaternion { Quaternion(angle: heading, about: Vector3(0, 0, 1)) * inclined }

  private let step: Double
  private var turned = Quaternion.identity
  private var levelled = Quaternion.identity
  private var inclined: Quaternion { (levelled * turned).normalized }
  private var heading = 0.0
  private var bias = Vector3.zero
  private var biasCovariance: Matrix3
  private var (meanForce, meanBias): (LowPass<Vector3>, LowPass<Vector3>)
  private var meanMatrix: (LowPass<Vector3>, LowPass<Vector3>, LowPass<Vector3>)
  private var (restRate, restForce): (LowPass<Vector3>, LowPass<Vector3>)
  private var restFor = 0.0
  private var isAtRest = false
  private var seen: LowPass<SIMD2<Double>>
  private var (reference, candidate) = (SIMD2<Double>.zero, SIMD2<Double>(-1, 0))
  private var (undisturbedFor, candidateFor, rejectedFor) = (0.0, 0.0, 0.0)
  private var isDisturbed = true
  private var firstGain = 1.0

  private static let (forceTime, fieldTime, referenceTime) = (3.0, 9.0, 20.0)
  /// In rad/s.
  private static let (startBias, clip) = (Angle.radians(0.5), Angle.radians(2))
  private static let (restRateLimit, restForceLimit, restPatience) = (Angle.radians(2), 0.5, 1.5)
  private static let (strengthLimit, inclinationLimit) = (0.1, Angle.radians(10))

  init(step: Double) {
    self.step = step
    biasCovariance = .identity * (Self.startBias * Self.startBias)
    func lowPass(_ time: Double) -> LowPass<Vector3> { LowPass(time: time, step: step) }
    (meanForce, meanBias) = (lowPass(Self.forceTime), lowPass(Self.forceTime))
    meanMatrix = (lowPass(Self.forceTime), lowPass(Self.forceTime), lowPass(Self.forceTime))
    (restRate, restForce) = (lowPass(0.5), lowPass(0.5))
    seen = LowPass(time: 0.05, step: step)
  }

  mutating func add(rate: Vector3, force: Vector3, field: Vector3?) {
    let meanRate = restRate.add(rate)
    let isSteady =
      (rate - meanRate).squaredLength < Self.restRateLimit * Self.restRateLimit
      && max(abs(meanRate.x), abs(meanRate.y), abs(meanRate.z)) <= Self.clip
    if !isSteady { (restFor, isAtRest) = (0, false) }
    turned = (turned * Quaternion(rotation: (rate - bias) * step)).normalized
    take(force: force, meanRate: meanRate)
    if let field { take(field: field, meanRate: meanRate) }
  }

  // MARK: Inclination and bias

  private mutating func take(force: Vector3, meanRate: Vector3) {
    let off = force - restForce.add(force)
    if off.squaredLength >= Self.restForceLimit * Self.restForceLimit {
      (restFor, isAtRest) = (0, false)
    } else {
      restFor += step
      isAtRest = restFor >= Self.restPatience
    }
    let up = (levelled * meanForce.add(turned * force)).direction ?? Vector3(0, 0, 1)
    let w = ((up.z + 1) / 2).squareRoot()
    let correction =
      w > 1e-6
      ? Quaternion(w: w, v: Vector3(0.5 * up.y / w, -0.5 * up.x / w, 0)) : Quaternion(w: 0, v: Vector3(1, 0, 0))
    levelled = (correction * levelled).normalized
    learn(up: up, meanRate: meanRate)
  }

  private mutating func learn(up: Vector3, meanRate: Vector3) {
    let forgetting = 100.0
    // In units of 0.01°/s, as the published weights are.
    let unit = Angle.radians(0.01)
    let wander = square(0.1 * 100) * step / forgetting
    func weight(_ sigma: Double) -> Double {
      let p = square(sigma * 100)
      return (p * p / wander + p) * unit * unit
    }
    let matrix = inclined.matrix
    let now = matrix * bias
    let rows = (meanMatrix.0.add(matrix.row0), meanMatrix.1.add(matrix.row1), meanMatrix.2.add(matrix.row2))
    let lowBias = meanBias.add(Vector3(now.x, now.y, 0))
    var r = Matrix3(rows.0, rows.1, rows.2)
    var error = Vector3(-up.y / step + lowBias.x, up.x / step + lowBias.y, 0) - r * bias
    var weights = Vector3(weight(0.1), weight(0.1), weight(0.1) / 0.0001)
    if isAtRest { (r, error, weights) = (.identity, meanRate - bias, Vector3(1, 1, 1) * weight(0.03)) }
    for axis in 0..<3 where biasCovariance[axis][axis] < Self.startBias * Self.startBias {
      var row = biasCovariance[axis]
      row[axis] += wander * unit * unit
      biasCovariance[axis] = row
    }
    error = clipped(error)
    let carried = biasCovariance * r.transposed
    guard let inverse = (r * carried + Matrix3(diagonal: weights)).inverse else { return }
    let gain = carried * inverse
    bias = clipped(bias + gain * error)
    biasCovariance = biasCovariance + gain * (r * biasCovariance) * -1
  }

  private func clipped(_ v: Vector3) -> Vector3 {
    Vector3(
      max(-Self.clip, min(Self.clip, v.x)), max(-Self.clip, min(Self.clip, v.y)), max(-Self.clip, min(Self.clip, v.z)))
  }

  // MARK: Heading

  private mutating func take(field: Vector3, meanRate: Vector3) {
    let earth = inclined * field
    judge(strength: earth.length, inclination: -asin(max(-1, min(1, earth.z / earth.length))), meanRate: meanRate)
    let off = Angle.radians(
      Angle.shortestTurn(from: Angle.degrees(heading), to: Angle.degrees(atan2(earth.x, earth.y))))
    var gain = 1 - exp(-step / Self.fieldTime)
    if isDisturbed {
      if rejectedFor <= 60 {
        rejectedFor += step
        gain = 0
      } else {
        gain /= 2
      }
    } else {
      rejectedFor = max(0, rejectedFor - 2 * step)
    }
    if firstGain != 0 {
      gain = max(gain, firstGain)
      firstGain /= firstGain + 1
      if firstGain * Self.fieldTime < step { firstGain = 0 }
    }
    heading += gain * off
  }

  private mutating func judge(strength: Double, inclination: Double, meanRate: Vector3) {
    let now = seen.add(SIMD2(strength, inclination))
    let share = 1 - exp(-step / Self.referenceTime)
    func isNear(_ then: SIMD2<Double>) -> Bool {
      abs(now.x - then.x) < Self.strengthLimit * then.x && abs(now.y - then.y) < Self.inclinationLimit
    }
    if isNear(reference) {
      undisturbedFor += step
      if undisturbedFor >= 0.5 {
        isDisturbed = false
        reference += (now - reference) * share
      }
    } else {
      (undisturbedFor, isDisturbed) = (0, true)
    }
    guard isNear(candidate) else {
      (candidateFor, candidate) = (0, now)
      return
    }
    if meanRate.length >= Angle.radians(20) { candidateFor += step }
    candidate += (now - candidate) * share
    if isDisturbed, candidateFor >= 20 || (reference.x == 0 && candidateFor >= 5) {
      (reference, isDisturbed, undisturbedFor) = (candidate, false, 0.5)
    }
  }

  private func square(_ value: Double) -> Double { value * value }
}

/// The coefficients of a second-order Butterworth low-pass.
protocol Filtered {
  static var zero: Self { get }
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Double) -> Self
}

extension Vector3: Filtered {}
extension SIMD2<Double>: Filtered {}

/// A second-order Butterworth low-pass that begins with the mean of its first `time` seconds.
struct LowPass<Value: Filtered> {
  private let (b0, a1, a2): (Double, Double, Double)
  private let most: Int
  private var count = 0
  private var sum = Value.zero
  private var state = (Value.zero, Value.zero)

  init(time: Double, step: Double) {
    let root = 2.0.squareRoot()
    let c = tan(root / (2 * time) * step)
    let d = c * c + root * c + 1
    (b0, a1, a2) = (c * c / d, 2 * (c * c - 1) / d, (1 - root * c + c * c) / d)
    most = Int((time / step).rounded(.up))
  }

  mutating func add(_ x: Value) -> Value {
    if count < most {
      count += 1
      sum = sum + x
      let mean = sum * (1 / Double(count))
      if count == most { state = (mean * (1 - b0), mean * (b0 - a2)) }
      return mean
    }
    let y = x * b0 + state.0
    state = (x * (2 * b0) - y * a1 + state.1, x * b0 - y * a2)
    return y
  }
}
