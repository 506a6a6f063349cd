import Glibc
import LodestoneCore
import Support
import Testing

@testable import Calibration

/// Survey instruments must point along their laser with the calibrations that they are given.
@Suite struct SurveyInstrumentTests {
  /// The azimuth and the inclination of x in degrees, of the directions of down and of the field.
  private static func aim(down: Vector3, field: Vector3, forward axis: Int) -> (azimuth: Double, inclination: Double)? {
    guard let up = down.direction.map({ -$0 }), let east = field.cross(up).direction else { return nil }
    let north = up.cross(east)
    return (
      Angle.wrapped(degrees: Angle.degrees(atan2(east[axis], north[axis]))),
      Angle.degrees(asin(max(-1, min(1, up[axis]))))
    )
  }

  // MARK: DistoX

  /// v = A raw / 24000 + B from 24 numbers of 16 bits.
  private struct Coefficients {
    private let values: [Double]

    init(_ bytes: [UInt8]) {
      values = stride(from: 0, to: bytes.count - 1, by: 2).map {
        Double(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
      }
    }

    func aim(force: Vector3, field: Vector3) -> (azimuth: Double, inclination: Double)? {
      guard values.count == 24 else { return nil }
      func apply(_ first: Int, _ raw: Vector3) -> Vector3 {
        let rows = (0..<3).map { row -> Double in
          let v = values[(first + 4 * row)..<(first + 4 * row + 4)].map { $0 }
          return v[0] / 24_000 + (v[1] * raw.x + v[2] * raw.y + v[3] * raw.z) / (16_384 * 24_000)
        }
        return Vector3(rows[0], rows[1], rows[2])
      }
      return SurveyInstrumentTests.aim(down: apply(0, force), field: apply(12, field), forward: 0)
    }
  }

  /// Another program's calibration of the shots of a real DistoX: matrices, offsets, and the bytes it would have
  /// written.
  private enum Known {
    static let force = Matrix3(
      Vector3(1.7192941, -0.0015915735, -0.011875041), Vector3(0.0062874765, 1.7121408, -0.0038429433),
      Vector3(-0.0052880123, -0.0038429433, 1.728631))
    static let forceOffset = Vector3(0.099640116, -0.015996885, -0.048214912)
    static let field = Matrix3(
      Vector3(1.2856284, 0.009816696, -0.03835705), Vector3(0.002112252, 1.2815552, 0.018476829),
      Vector3(-4.7279825e-4, -0.073098265, 1.3007932))
    static let fieldOffset = Vector3(-0.042845722, 0.017639423, -0.009932524)
    static let bytes: [UInt8] = [
      0x57, 0x09, 0x09, 0x6e, 0xe6, 0xff, 0x3d, 0xff, 0x80, 0xfe, 0x67, 0x00, 0x94, 0x6d, 0xc1, 0xff, 0x7b, 0xfb, 0xa9,
      0xff, 0xc1, 0xff, 0xa2, 0x6e, 0xfc, 0xfb, 0x48, 0x52, 0xa1, 0x00, 0x8c, 0xfd, 0xa7, 0x01, 0x23, 0x00, 0x05, 0x52,
      0x2f, 0x01, 0x12, 0xff, 0xf8, 0xff, 0x52, 0xfb, 0x40, 0x53,
    ]

    /// The same calibration as a profile has it: the accelerometer's matrix is symmetric, and what turns it is the
    /// laser.
    static func profile() throws -> Profile {
      let (counts, forceCounts) = (400.0, 13_960.0)
      let force = force * (forceCounts / 24_000), field = field * (counts / 24_000)
      let turn = force.orthonormalFactor
      let gain = turn.transposed * force
      var profile = Profile.example
      profile.fieldStrength = 47
      profile.correction = Correction(
        hardIron: try -(#require(field.inverse) * fieldOffset), softIron: turn.transposed * field * 47)
      profile.forceCorrection = ForceCorrection(
        zero: try -(#require(force.inverse) * forceOffset), gain: Vector3(gain.row0.x, gain.row1.y, gain.row2.z),
        skew: Vector3(gain.row0.y, gain.row0.z, gain.row1.z))
      profile.laser = LaserAxis(along: turn.row0, deviation: 0.1)
      (profile.countsPerMicrotesla, profile.countsPerGravity) = (counts, forceCounts)
      (profile.accelerometerIsReversed, profile.quality.kind) = (true, .full)
      return profile
    }
  }

  /// The instrument points where it points with the other program's bytes, whichever way gravity was taken for.
  @Test(arguments: [true, false]) func distoXPointsAsWithItsOwnProgram(_ isReversed: Bool) throws {
    var profile = try Known.profile()
    profile.accelerometerIsReversed = isReversed
    let bytes = try DistoXExport.body(of: profile)
    #expect(bytes.count == 48)
    let readings = [
      (Vector3(-600, 9000, 10_500), Vector3(15_000, 9000, 8000)),
      (Vector3(7000, -12_000, 900), Vector3(3000, -17_000, 6000)),
      (Vector3(-8000, 1000, -11_000), Vector3(-17_000, 2000, -6000)),
      (Vector3(2000, 13_000, 1000), Vector3(-9000, 14_000, 9000)),
    ]
    for (force, field) in readings {
      let ours = try #require(Coefficients(bytes).aim(force: force, field: field))
      let theirs = try #require(Coefficients(Known.bytes).aim(force: force, field: field))
      #expect(abs(Angle.shortestTurn(from: theirs.azimuth, to: ours.azimuth)) < 0.03, "\(ours) \(theirs)")
      #expect(abs(theirs.inclination - ours.inclination) < 0.02, "\(ours) \(theirs)")
    }
  }

  /// By hand, without a laser: for zeros of (0, 0, −½) g and (¼, 0, 0) µT, offsets are T · (0, 0, ½) = (⅛, 0, ¾) and
  /// (−¼, 0, 0).
  @Test func distoXHoldsNumbersWhereTheyBelong() throws {
    var profile = Profile.example
    profile.quality.kind = .full
    profile.fieldStrength = 1
    (profile.countsPerMicrotesla, profile.countsPerGravity) = (24_000, 24_000)
    profile.correction = Correction(hardIron: Vector3(0.25, 0, 0), softIron: Matrix3(diagonal: Vector3(1, 0.5, 0.25)))
    profile.forceCorrection = ForceCorrection(
      zero: Vector3(0, 0, -0.5), gain: Vector3(1, 1, 1.5), skew: Vector3(0, 0.25, 0))
    let numbers: [Int] = [3000, 16_384, 0, 4096, 0, 0, 16_384, 0, 18_000, 4096, 0, 24_576]
    let field: [Int] = [-6000, 16_384, 0, 0, 0, 0, 8192, 0, 0, 0, 0, 4096]
    #expect(
      try DistoXExport.body(of: profile)
        == (numbers + field).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
  }

  @Test func distoXRefusesWhatItCannotHold() throws {
    let whole = try Known.profile()
    var profile = whole
    profile.countsPerGravity = nil
    #expect(throws: ProfileProblem.noCounts) { try DistoXExport.body(of: profile) }
    profile = whole
    profile.quality.kind = .normOnly
    #expect(throws: ProfileProblem.noForceFit) { try DistoXExport.body(of: profile) }
    profile = whole
    profile.laser = LaserAxis(along: Vector3(0, 1, 0), deviation: 0.1)
    #expect(throws: ProfileProblem.laserElsewhere) { try DistoXExport.body(of: profile) }
    profile = whole
    profile.countsPerGravity = 10_000
    #expect(throws: ProfileProblem.tooLargeForForm) { try DistoXExport.body(of: profile) }
  }

  /// A simulated instrument, from its counts to the azimuths that its coefficients make of further counts.
  @Test(arguments: [11, 12, 13] as [UInt64]) func distoXPointsWhereItsLaserDoes(_ seed: UInt64) throws {
    var cave = CaveInstrument(seed: seed, laser: 2, counts: (400, 13_960), tellsGravity: true)
    var settings = CalibrationSettings()
    (settings.countsPerMicrotesla, settings.countsPerGravity) = (400, 13_960)
    let result = try #require(Calibrator(settings: settings).fit(cave.survey()).result)
    let coefficients = Coefficients(try DistoXExport.body(of: Profile(result, device: "cave", created: 0)))
    for shot in cave.shotsAbout(30) where abs(shot.inclination) < 45 {
      let (field, force) = try #require(shot.mean)
      let aim = try #require(coefficients.aim(force: force * 13_960, field: field * 400))
      #expect(abs(Angle.shortestTurn(from: shot.azimuth, to: aim.azimuth)) < 0.7, "\(aim) \(shot.azimuth)")
      #expect(abs(shot.inclination - aim.inclination) < 0.4, "\(aim) \(shot.inclination)")
    }
  }

  // MARK: SAP6

  /// Two targets by the instruments' own calibrations, eight rolls each, in their own library: means in degrees.
  private static let targets: [(name: String, azimuths: [Double], inclinations: [Double])] = [
    ("BB", [168.28, 257.72], [-2.79, -4.10]), ("HC", [168.74, 258.25], [-2.52, -3.94]),
    ("JG", [169.16, 258.79], [-2.40, -3.94]),
  ]

  /// Real instruments, whose lasers are 2.5° and more beside their chips: every roll points at the target.
  @Test(.enabled(if: Recordings.areHere), arguments: targets.indices) func sap6PointsAlongItsLaser(_ index: Int) throws
  {
    let (name, azimuths, inclinations) = Self.targets[index]
    let samples = try Recording("held/\(name)").samples
    let result = try #require(Calibrator().fit(samples).result)
    let profile = Profile(result, device: name, created: 0)
    #expect(try #require(profile.laser).name == "x")
    let file = try #require(JSONValue(parsing: SAP6Export.body(of: profile)))
    for shot in 8..<24 {
      let rows = samples[(60 * shot)..<(60 * shot + 60)]
      let field = rows.compactMap { $0.field?.microtesla }.reduce(.zero, +) / 60
      let force = rows.compactMap { $0.acceleration?.g }.reduce(.zero, +) / 60
      let down = try Self.applied(file["grav"], to: force), direction = try Self.applied(file["mag"], to: field)
      #expect(abs(down.length - 1) < 0.02 && abs(direction.length - 1) < 0.05)
      let aim = try #require(Self.aim(down: down, field: direction, forward: 1))
      let target = shot / 8 - 1
      #expect(abs(Angle.shortestTurn(from: azimuths[target], to: aim.azimuth)) < 2.5, "\(shot): \(aim)")
      #expect(abs(inclinations[target] - aim.inclination) < 0.5, "\(shot): \(aim)")
    }
  }

  /// A chip of the file: its axes, less the centre, as a row times the matrix.
  private static func applied(_ chip: JSONValue?, to raw: Vector3) throws -> Vector3 {
    guard case .string(let axes) = chip?["axes"], case .array(let rows) = chip?["transform"],
      case .array(let centre) = chip?["centre"]
    else { throw CancellationError() }
    let letters = Array(axes)
    let along = (0..<3).map { axis -> Double in
      let value = raw[letters[2 * axis + 1] == "X" ? 0 : letters[2 * axis + 1] == "Y" ? 1 : 2]
      return (letters[2 * axis] == "-" ? -value : value) - (Self.number(centre[axis]) ?? .nan)
    }
    var result = Vector3.zero
    for (axis, row) in rows.enumerated() {
      guard case .array(let elements) = row else { throw CancellationError() }
      for column in 0..<3 { result[column] += along[axis] * (Self.number(elements[column]) ?? .nan) }
    }
    return result
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }
}
