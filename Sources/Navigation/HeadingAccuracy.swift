import Calibration
import Core
import Glibc

// How far a single heading may be off.
//
// With b the corrected field, û up, ê = (b × û)/|b × û| magnetic east and B_h the horizontal field, an error δb turns
// north by ê·δb / B_h. An error of up that leans it by δ_e to the east and δ_n to the north turns north by δ_e tan I, I
// the dip, and the axis a heading ψ is read along, which points p above the horizontal, by −tan p (δ_e cos ψ − δ_n sin ψ).
// So
//
//     σ² = gᵀ C g + (σ_m / B_h)² + σ_g² ((tan I + tan p cos ψ)² + (tan p sin ψ)²) + (excess / B_h)²,           (1)
//
// C the covariance of the correction's twelve numbers and g the heading's derivatives by them, σ_m the magnetometer's
// noise, σ_g the deviation of apparent gravity from up about an axis. The excess is what |b| is off the field's strength, and the dip
// off its value, beyond what noise explains: a field that is not the Earth's alone turns north by as much as it bends
// the rest. 95 % of headings are within 1.96 σ.

/// How far a heading may be off.
public enum HeadingAccuracy: Equatable, Sendable {
  /// 95 % of headings are within this many degrees.
  case within(degrees: Double)
  /// No figure: the field is not the Earth's, or what is taken for up is not up.
  case disturbed
  /// No figure: hardly any of the field is horizontal.
  case vertical

  /// The figure; nil where there is none.
  public var degrees: Double? {
    if case .within(let degrees) = self { return degrees }
    return nil
  }
}

/// The errors of headings under one calibration. Made once, asked at every sample.
public struct HeadingErrorModel: Sendable {
  /// The Earth's field as it should be measured: its strength and its inclination.
  public struct Reference: Sendable, Equatable {
    /// In µT.
    public var strength: Double
    /// In degrees, down positive; nil without gravity.
    public var inclination: Double?

    /// A field by its strength in µT and its inclination in degrees.
    public init(strength: Double, inclination: Double?) {
      self.strength = strength
      self.inclination = inclination
    }
  }

  /// From the profile, or from a model of the Earth's field for the place.
  public var reference: Reference
  private let softIron: Matrix3
  private let inverse: Matrix3
  private let blocks: Blocks
  /// Of one axis of the corrected field, squared.
  private let noiseVariance: Double
  private let isCalibrated: Bool

  private static let quantile = 1.96
  /// Share of its strength by which the field may be off.
  private static let strengthLimit = 0.25
  /// Radians by which the dip may be off.
  private static let dipLimit = 15 * Double.pi / 180
  /// In µT.
  private static let leastHorizontal = 3.0
  /// In standard deviations of noise, what a field is off before it counts as excess.
  private static let noiseMargin = 2.5
  /// Hard iron of a board nobody calibrated, in µT.
  private static let ordinaryHardIron = 25.0
  /// Of one axis of a magnetometer nobody measured, in µT.
  private static let ordinaryNoise = 0.5

  /// Of a calibration: its correction, the fourteen parameters and their covariance (row by row), the strength and
  /// inclination it found, the noise of one axis in µT. nil when the numbers do not belong together.
  public init?(
    correction: Correction, parameters: [Double], covariance: [Double], reference: Reference, noise: Double?
  ) {
    guard
      let twelve = CorrectionCovariance(parameters: parameters, covariance: covariance, correction: correction)
    else { return nil }
    self.init(correction: correction, covariance: twelve.elements, reference: reference, noise: noise, calibrated: true)
  }

  /// Of a fresh calibration.
  public init?(_ result: CalibrationResult) {
    self.init(
      correction: result.correction, parameters: result.parameters, covariance: result.covariance,
      reference: Reference(strength: result.fieldStrength, inclination: result.inclination), noise: result.noise)
  }

  /// Of a saved calibration. One without a covariance, as an import has none, is taken to have a hard iron that is off by
  /// what makes its predicted heading error, or 3° where there is no prediction either.
  public init(_ profile: Profile) {
    let reference = Reference(strength: profile.fieldStrength, inclination: profile.inclination)
    if profile.parameters.map({ $0.name }) == CorrectionCovariance.parameterNames,
      let model = HeadingErrorModel(
        correction: profile.correction, parameters: profile.parameters.map { $0.value },
        covariance: profile.covariance.flatMap { $0 }, reference: reference, noise: profile.noise)
    {
      self = model
      return
    }
    let horizontal = profile.fieldStrength * cos(Angle.radians(profile.inclination ?? 65))
    let hardIron = Angle.radians(profile.quality.headingError ?? 3) * horizontal
    var elements = [Double](repeating: 0, count: 144)
    for index in 0..<3 { elements[index * 13] = hardIron * hardIron }
    self.init(
      correction: profile.correction, covariance: elements, reference: reference, noise: profile.noise,
      calibrated: true)
  }

  /// Of a board that was never calibrated: its headings may be off by anything that an ordinary board's iron makes of
  /// them.
  public static let uncalibrated: HeadingErrorModel = {
    var elements = [Double](repeating: 0, count: 144)
    for index in 0..<3 { elements[index * 13] = ordinaryHardIron * ordinaryHardIron }
    for index in 3..<12 { elements[index * 13] = 0.08 * 0.08 }
    return HeadingErrorModel(
      correction: .none, covariance: elements, reference: Reference(strength: 48, inclination: nil), noise: nil,
      calibrated: false)
  }()

  private init(
    correction: Correction, covariance: [Double], reference: Reference, noise: Double?, calibrated: Bool
  ) {
    softIron = correction.softIron
    inverse = correction.softIron.inverse ?? .identity
    self.reference = reference
    isCalibrated = calibrated
    blocks = Blocks(covariance)
    let gain = correction.softIron
    let mean = (gain.row0.squaredLength + gain.row1.squaredLength + gain.row2.squaredLength) / 3
    let deviation = noise ?? Self.ordinaryNoise
    noiseVariance = deviation * deviation * mean
  }

  /// How far the heading of a sample may be off. `field` is corrected, still in the chip's axes; `force` is the specific
  /// force in g, or any vector that points up, and `axis` what the heading is read along, both in the same axes; `tilt`
  /// is the standard deviation of apparent gravity from up in radians.
  public func accuracy(field: CorrectedField, force: Vector3, axis: Vector3, tilt: Double) -> HeadingAccuracy {
    let b = field.field.microtesla
    let east = b.cross(force)
    let (forceLength, eastLength, strength) = (force.length, east.length, b.length)
    guard forceLength > 1e-6, strength > 1e-6, eastLength > 1e-9 else { return .vertical }
    let horizontal = eastLength / forceLength
    guard horizontal >= Self.leastHorizontal else { return .vertical }
    let dipTangent = -b.dot(force) / eastLength
    let e = east / eastLength
    let up = force / forceLength
    var variance = calibrationVariance(east: e, raw: inverse * b) + noiseVariance
    let (along, across) = Self.rise(of: axis, up: up, east: e)
    let lean = (dipTangent + along) * (dipTangent + along) + across * across
    variance += tilt * tilt * lean * horizontal * horizontal
    if isCalibrated {
      let (offStrength, offDip) = anomalies(strength: strength, dipTangent: dipTangent)
      guard abs(offStrength) <= Self.strengthLimit * reference.strength, abs(offDip) <= Self.dipLimit else {
        return .disturbed
      }
      variance += excess(offStrength: offStrength, offDip: offDip, tilt: tilt)
    }
    return .within(degrees: min(180, Self.quantile * Angle.degrees(variance.squareRoot() / horizontal)))
  }

  /// tan p cos ψ and tan p sin ψ of an axis.
  private static func rise(of axis: Vector3, up: Vector3, east: Vector3) -> (along: Double, across: Double) {
    let (toUp, toEast, toNorth) = (axis.dot(up), axis.dot(east), axis.dot(up.cross(east)))
    let level = max(toEast * toEast + toNorth * toNorth, 1e-6)
    return (toUp * toNorth / level, toUp * toEast / level)
  }

  /// How far the field is off its strength in µT, and off its dip in radians.
  private func anomalies(strength: Double, dipTangent: Double) -> (strength: Double, dip: Double) {
    let dip = reference.inclination.map { atan(dipTangent) - Angle.radians($0) } ?? 0
    return (strength - reference.strength, dip)
  }

  /// The square of what noise does not explain, in µT.
  private func excess(offStrength: Double, offDip: Double, tilt: Double) -> Double {
    let strengthMargin = Self.noiseMargin * noiseVariance.squareRoot() + 0.01 * reference.strength
    let bent = noiseVariance / (reference.strength * reference.strength) + tilt * tilt
    let dipMargin = Self.noiseMargin * bent.squareRoot() + 0.01
    let byStrength = max(0, abs(offStrength) - strengthMargin)
    let byDip = max(0, abs(offDip) - dipMargin) * reference.strength
    return byStrength * byStrength + byDip * byDip
  }

  /// gᵀ C g times B_h²: the variance of ê·δb in µT². With d = m − o, ê·δb = Σ ê_i (δS d)_i − (Sᵀ ê)·δo, so that C enters
  /// by its 3 × 3 blocks.
  @inline(__always)
  private func calibrationVariance(east e: Vector3, raw d: Vector3) -> Double {
    let h = -(softIron.row0 * e.x + softIron.row1 * e.y + softIron.row2 * e.z)
    let mixed = blocks.x * (2 * e.x) + blocks.y * (2 * e.y) + blocks.z * (2 * e.z)
    let squares = blocks.xx * (e.x * e.x) + blocks.yy * (e.y * e.y) + blocks.zz * (e.z * e.z)
    let products = blocks.xy * (e.x * e.y) + blocks.xz * (e.x * e.z) + blocks.yz * (e.y * e.z)
    return max(0, h.dot(blocks.hardIron * h) + h.dot(mixed * d) + d.dot((squares + products) * d))
  }

  /// The covariance in blocks: hard iron; hard iron with each row of the soft iron; the rows with each other, those of
  /// different rows doubled.
  private struct Blocks: Sendable {
    var hardIron: Matrix3
    var x: Matrix3
    var y: Matrix3
    var z: Matrix3
    var xx: Matrix3
    var yy: Matrix3
    var zz: Matrix3
    var xy: Matrix3
    var xz: Matrix3
    var yz: Matrix3

    /// Of 12 × 12 elements, row by row.
    init(_ elements: [Double]) {
      func block(_ row: Int, _ column: Int) -> Matrix3 {
        func part(_ i: Int) -> Vector3 {
          let at = (3 * row + i) * 12 + 3 * column
          return Vector3(elements[at], elements[at + 1], elements[at + 2])
        }
        return Matrix3(part(0), part(1), part(2))
      }
      (hardIron, x, y, z) = (block(0, 0), block(0, 1), block(0, 2), block(0, 3))
      (xx, yy, zz) = (block(1, 1), block(2, 2), block(3, 3))
      (xy, xz, yz) = (block(1, 2) * 2, block(1, 3) * 2, block(2, 3) * 2)
    }
  }
}
