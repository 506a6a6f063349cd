import Calibration
import LodestoneCore
import Glibc

// How far a single heading may be off.
//
// With b the corrected field, û up, ê = (b × û)/|b × û| magnetic east and B_h the horizontal field, an error δb turns
// north by ê·δb / B_h. An error of up that leans it by δ_e to the east and δ_n to the north turns north by δ_e tan I, I
// the dip, and the axis a heading ψ is read along, which points p above the horizontal, by −tan p (δ_e cos ψ − δ_n sin
// ψ). So
//
//     σ² = gᵀ C g + (σ_m / B_h)² + σ_g² ((tan I + tan p cos ψ)² + (tan p sin ψ)²) + (σ_d / B_h)²,              (1)
//
// C the covariance of the correction's twelve numbers and g the heading's derivatives by them, σ_m the magnetometer's
// noise, σ_g the deviation of apparent gravity from up about an axis, σ_d the part of a disturbance that points east
// (FieldAnomaly). 95 % of headings are within 1.96 σ.

/// How far a heading may be off.
public enum HeadingAccuracy: Equatable, Sendable {
  /// 95 % of headings are within this many degrees.
  case within(degrees: Double)
  /// No figure: the field is not the Earth's, or what is taken for up is not up.
  case disturbed
  /// No figure: hardly any of the field is horizontal.
  case vertical

  /// The accuracy of a heading that may be off by some degrees besides.
  func widened(by degrees: Double) -> HeadingAccuracy {
    if case .within(let figure) = self { return .within(degrees: min(180, figure + degrees)) }
    return self
  }

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
    /// The strength of the field in µT.
    public var strength: Double
    /// The inclination in degrees, down positive; nil without gravity.
    public var inclination: Double?

    /// A field by its strength in µT and its inclination in degrees.
    public init(strength: Double, inclination: Double?) {
      self.strength = strength
      self.inclination = inclination
    }
  }

  /// The field that the calibration found.
  public let reference: Reference
  /// The field that is expected: the same, or by a model of the Earth's field for the place.
  private(set) var expected: Reference
  private let correction: Correction
  /// 12 × 12 elements row by row: of the hard iron in µT, then of the soft iron's rows.
  private let covariance: [Double]
  /// The variance of headings by the correction's errors.
  let calibration: CalibrationVariance
  /// Standard deviation of one raw axis, in µT.
  private let noise: Double
  /// Variance of one axis of the corrected field, in µT².
  private let noiseVariance: Double
  /// The horizontal part of the expected field, in µT.
  private var horizontal: Double
  /// The iron of a board that was never calibrated; nil for others.
  private let unknownIron: UnknownHardIron?
  /// The calibration's hard iron, in µT.
  var hardIron: Vector3 { correction.hardIron }
  /// Whether a calibration stands behind it.
  var isCalibrated: Bool { unknownIron == nil }

  /// Share of its strength by which the field may be off.
  private static let strengthLimit = 0.25
  /// Radians by which the dip may be off.
  private static let dipLimit = 15 * Double.pi / 180
  /// The least horizontal field in µT.
  static let leastHorizontal = 3.0
  /// The noise of one axis of a magnetometer nobody measured, in µT.
  private static let ordinaryNoise = 0.5

  /// A model of a calibration: its correction, the fourteen parameters and their covariance (row by row), the strength
  /// and inclination it found, the noise of one axis in µT. nil when the numbers do not belong together.
  public init?(
    correction: Correction, parameters: [Double], covariance: [Double], reference: Reference, noise: Double?
  ) {
    guard
      let twelve = CorrectionCovariance(parameters: parameters, covariance: covariance, correction: correction)
    else { return nil }
    self.init(correction: correction, covariance: twelve.elements, reference: reference, noise: noise)
  }

  /// A model of a fresh calibration.
  public init?(_ result: CalibrationResult) {
    self.init(
      correction: result.correction, parameters: result.parameters, covariance: result.covariance,
      reference: Reference(strength: result.fieldStrength, inclination: result.inclination), noise: result.noise)
  }

  /// A model of a saved calibration. One without a covariance, as an import has none, is taken to have a hard iron that
  /// is off by what makes its predicted heading error, or 3° where there is no prediction either.
  /// - Parameter mounting: how the chip sits in the device whose frame fields and axes are in.
  public init(_ profile: Profile, mounting: Mounting = .aligned) {
    let model = HeadingErrorModel(inChipAxes: profile)
    let mounting = profile.mounting(mounting)
    self = mounting == .aligned ? model : model.mounted(mounting)
  }

  private init(inChipAxes profile: Profile) {
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
    let hardIron = Angle.radians(profile.quality.headingErrorDegrees ?? 3) * horizontal
    var elements = [Double](repeating: 0, count: 144)
    for index in 0..<3 { elements[index * 13] = hardIron * hardIron }
    self.init(
      correction: profile.correction, covariance: elements, reference: reference, noise: profile.noise)
  }

  /// The model of a board that was never calibrated: its headings may be off by whatever its iron makes of them.
  public static let uncalibrated = HeadingErrorModel(
    correction: .none, covariance: [Double](repeating: 0, count: 144),
    reference: Reference(strength: 48, inclination: nil), noise: nil, unknownIron: UnknownHardIron())

  private init(
    correction: Correction, covariance: [Double], reference: Reference, noise: Double?,
    unknownIron: UnknownHardIron? = nil
  ) {
    self.reference = reference
    self.correction = correction
    self.covariance = covariance
    self.unknownIron = unknownIron
    calibration = unknownIron == nil ? CalibrationVariance(covariance, softIron: correction.softIron) : .zero
    let gain = correction.softIron
    let mean = (gain.row0.squaredLength + gain.row1.squaredLength + gain.row2.squaredLength) / 3
    let deviation = noise ?? Self.ordinaryNoise
    self.noise = deviation
    noiseVariance = deviation * deviation * mean
    (expected, horizontal) = (reference, Self.horizontal(of: reference))
  }

  private static func horizontal(of field: Reference) -> Double {
    max(leastHorizontal, field.strength * (field.inclination.map { Angle.radians($0).cosine } ?? 0.5))
  }

  /// Expects another field than the calibration's.
  mutating func expect(_ field: Reference) { (expected, horizontal) = (field, Self.horizontal(of: field)) }

  /// The model in the device frame. With S' = R S the soft iron's errors are δS' = R δS; those of the hard iron stay.
  private func mounted(_ mounting: Mounting) -> HeadingErrorModel {
    func turn(_ row: Int, _ column: Int) -> Double {
      guard row >= 3, column >= 3 else { return row == column ? 1 : 0 }
      return row % 3 == column % 3 ? mounting.matrix[row / 3 - 1][column / 3 - 1] : 0
    }
    var turned = [Double](repeating: 0, count: 144)
    for row in 0..<12 {
      for column in 0..<12 {
        for i in 0..<12 {
          for j in 0..<12 where turn(row, i) != 0 && turn(column, j) != 0 {
            turned[12 * row + column] += turn(row, i) * covariance[12 * i + j] * turn(column, j)
          }
        }
      }
    }
    return HeadingErrorModel(
      correction: correction.mounted(mounting), covariance: turned, reference: reference, noise: noise,
      unknownIron: unknownIron)
  }

  /// The noise of one axis of a corrected field, one standard deviation in µT.
  var fieldNoise: Double { noiseVariance.squareRoot() }

  /// Degrees of heading that a field is worth which may point anywhere, in µT.
  func degrees(ofField microtesla: Double) -> Double { Angle.degrees(atan2(microtesla, horizontal)) }

  /// How far north may be off in degrees (95 %) by the iron of a board that was never calibrated, whatever found it;
  /// nil for one with a calibration.
  /// - Parameter otherVariance: what else turns it, in rad².
  @inline(__always)
  func degrees(uncalibrated solution: HeadingSolution, otherVariance: Double) -> Double? {
    unknownIron.map { $0.accuracy(of: solution, earth: reference.strength, otherVariance: otherVariance) }
  }

  /// How far the heading of an axis may be off, the solution and the axis in the device frame, from this one look
  /// alone.
  /// - Parameter tilt: the standard deviation of apparent gravity from up, in radians.
  public func accuracy(of solution: HeadingSolution, along axis: Vector3, tilt: Double) -> HeadingAccuracy {
    var anomaly = FieldAnomaly()
    return accuracy(of: solution, along: axis, tilt: tilt, following: &anomaly, at: 0)
  }

  /// How far the heading of an axis may be off, the solution and the axis in the device frame.
  /// - Parameters:
  ///   - tilt: the standard deviation of apparent gravity from up, in radians.
  ///   - anomaly: what the samples before told of disturbances; takes this one in.
  ///   - time: of the sample, in seconds.
  @inline(__always)
  public func accuracy(
    of solution: HeadingSolution, along axis: Vector3, tilt: Double, following anomaly: inout FieldAnomaly,
    at time: Double
  ) -> HeadingAccuracy {
    let horizontal = solution.horizontal
    guard horizontal >= Self.leastHorizontal else { return .vertical }
    let (along, across) = Self.rise(of: axis, in: solution)
    let steep = solution.down / horizontal + along
    let byTilt = tilt * tilt * (steep * steep + across * across)
    if let degrees = degrees(uncalibrated: solution, otherVariance: byTilt) { return .within(degrees: degrees) }
    let calibration = calibration.variance(east: solution.east, field: solution.field)
    let offStrength = solution.field.length - expected.strength
    let offDip = expected.inclination.map { atan2(solution.down, horizontal) - Angle.radians($0) } ?? 0
    let bend = offDip * expected.strength
    let leaning = tilt * expected.strength
    let isAnother = abs(offStrength) > Self.strengthLimit * expected.strength
    anomaly.add(
      time: time, strength: offStrength, bend: bend,
      explained: .init(noise: noiseVariance, calibration: calibration, tilt: leaning * leaning), isAnother: isAnother)
    guard !isAnother, abs(offDip) <= Self.dipLimit else { return .disturbed }
    let eastward = calibration + anomaly.noise + anomaly.eastward * anomaly.eastward
    let variance = eastward / (horizontal * horizontal) + byTilt
    return .within(degrees: min(180, Quantile.normal * Angle.degrees(variance.squareRoot())))
  }

  /// tan p cos ψ and tan p sin ψ of an axis.
  @inline(__always)
  private static func rise(of axis: Vector3, in solution: HeadingSolution) -> (along: Double, across: Double) {
    let (toUp, toEast, toNorth) = (axis.dot(solution.up), axis.dot(solution.east), axis.dot(solution.north))
    let level = max(toEast * toEast + toNorth * toNorth, 1e-6)
    return (toUp * toNorth / level, toUp * toEast / level)
  }
}
