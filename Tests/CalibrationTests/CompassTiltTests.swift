import Glibc
import Instruments
import LodestoneCore
import Support
import Testing

@testable import Calibration

/// Compasses that stand at any angle to their board.
@Suite struct CompassTiltTests {
  /// Pairs of field and up in attitudes all round, 25° apart, the field seen by a compass that is turned, with an
  /// error.
  /// - Parameter dip: the field's inclination in degrees.
  private static func pairs(
    seenThrough turn: Matrix3, count: Int = 24, error: Double = 0.3, dip: Double = 65
  ) -> [DirectionPair] {
    var random = SeededGenerator(seed: 11)
    let earth = Vector3(0, cos(Angle.radians(dip)), -sin(Angle.radians(dip)))
    func wild() -> Vector3 {
      Vector3(
        Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random),
        Double.random(in: -1...1, using: &random))
    }
    return (0..<count).compactMap { _ in
      let attitude = Matrix3(rotation: wild() * 3)
      let field = attitude * earth + wild() * Angle.radians(error)
      guard let field = (turn.transposed * field).direction else { return nil }
      return DirectionPair(field: field, up: attitude * Vector3(0, 0, 1))
    }
  }

  private static let tilts: [Vector3] = {
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    return axes.flatMap { axis in stride(from: -45.0, through: 45, by: 15).filter { $0 != 0 }.map { axis * $0 } }
  }()

  @Test func everyMountAndTiltIsFound() throws {
    for map in AxisMap.positive {
      for tilt in Self.tilts {
        let turn = Matrix3(rotation: tilt * (.pi / 180)) * map
        let found = try #require(AxisMap.tilted(Self.pairs(seenThrough: turn), inclination: nil), "\(map) \(tilt)")
        #expect(Angle.degrees((found.matrix * turn.transposed).rotationAngle) < 1)
        #expect(abs(found.tiltDegrees - abs(tilt.x + tilt.y + tilt.z)) < 1)
        #expect(!found.name.contains("?"))
      }
    }
  }

  /// A chip that is set on a little askew keeps its sign, wherever on Earth it is turned: the opposite of it points
  /// south.
  @Test(arguments: [-70.0, -30, -10, 10, 70])
  func aCompassAskewIsBelievedInBothHemispheres(dip: Double) throws {
    for tilt in [Vector3(15, 0, 0), Vector3(0, 20, 0), Vector3(10, -10, 20)] {
      let turn = Matrix3(rotation: tilt * (.pi / 180))
      for inclination in [nil, dip] {
        let found = try #require(AxisMap.tilted(Self.pairs(seenThrough: turn, dip: dip), inclination: inclination))
        #expect(found.matrix.determinant > 0 && !found.accelerometerIsReversed)
        #expect(Angle.degrees((found.matrix * turn.transposed).rotationAngle) < 1)
      }
    }
  }

  @Test func aCompassOfTheBoardIsNotTilted() {
    for map in AxisMap.positive.prefix(6) {
      #expect(
        AxisMap.tilted(Self.pairs(seenThrough: Matrix3(rotation: Vector3(0, 0.07, 0)) * map), inclination: nil) == nil)
    }
  }

  /// A field that has nothing to do with the board, and one that is off by 15°, have no rotation; nor have four
  /// attitudes, which one fits by chance.
  @Test func aBadCompassIsNotTilted() {
    let turn = Matrix3(rotation: Vector3(0.5, 0, 0))
    let still = Self.pairs(seenThrough: turn).map { DirectionPair(field: Vector3(0, 0, 1), up: $0.up) }
    #expect(AxisMap.tilted(still, inclination: nil) == nil)
    #expect(AxisMap.tilted(Self.pairs(seenThrough: turn, error: 15), inclination: nil) == nil)
    #expect(AxisMap.tilted(Self.pairs(seenThrough: turn, count: 4), inclination: nil) == nil)
  }
}

/// The whole way: a sweep with a compass at any angle, its calibration, the lines for the firmware, and what the
/// firmware makes of raw counts with them, as its own source says.
@Suite struct CompassAlignmentTests {
  private static let counts = 30.0

  /// The sweep of a board whose compass is turned, and its profile.
  private static func profile(_ turn: Matrix3, seed: UInt64) throws -> (sweep: SimulatedSweep, profile: Profile) {
    let mounting = try Mounting(matrix: turn)
    let sweep = SimulatedSweep(seed: seed) { settings in
      (settings.axes, settings.softIron, settings.misalignment, settings.rate) = (mounting, 0, 0, 50)
    }
    var settings = CalibrationSettings()
    settings.place = .init(fieldStrength: sweep.settings.fieldStrength, inclination: sweep.settings.inclination)
    let outcome = Calibrator(settings: settings).fit(sweep.samples)
    var result = try #require(outcome.result, "\(String(describing: outcome.refusal))")
    result.countsPerMicrotesla = counts
    #expect(outcome.refusal == nil)
    return (sweep, Profile(result, device: "board", created: 0))
  }

  /// The settings of a file.
  private static func settings(_ form: any ProfileExport.Type, _ profile: Profile) throws -> [String: String] {
    let lines = String(decoding: try form.body(of: profile), as: UTF8.self).split(separator: "\n")
    #expect(lines.last == "save")
    return Dictionary(
      uniqueKeysWithValues: lines.dropLast().compactMap { line in
        let words = line.split(separator: " ")
        return words.count == 4 && words[0] == "set" ? (String(words[1]), String(words[3])) : nil
      })
  }

  private static func numbers(_ settings: [String: String], _ names: [String]) throws -> Vector3 {
    let values = try names.map { try #require(settings[$0].flatMap { Double($0) }, "\($0)") }
    return Vector3(values[0], values[1], values[2])
  }

  /// `buildRotationMatrix` of both firmwares, and the product with it transposed.
  private static func applied(_ angles: Vector3, to v: Vector3) -> Vector3 {
    let (sx, cx, sy, cy) = (sin(angles.x), cos(angles.x), sin(angles.y), cos(angles.y))
    let (sz, cz) = (sin(angles.z), cos(angles.z))
    let m = Matrix3(
      Vector3(cz * cy, -cy * sz, sy), Vector3(sz * cx + sx * cz * sy, cz * cx - sx * sz * sy, -sx * cy),
      Vector3(sx * sz - cz * cx * sy, sx * cz + sz * cx * sy, cy * cx))
    return m.transposed * v
  }

  /// `alignSensorViaRotation` of both firmwares.
  private static func aligned(_ name: String, _ v: Vector3) -> Vector3? {
    switch name {
    case "CW0": v
    case "CW90": Vector3(v.y, -v.x, v.z)
    case "CW180": Vector3(-v.x, -v.y, v.z)
    case "CW270": Vector3(-v.y, v.x, v.z)
    case "CW0FLIP": Vector3(-v.x, v.y, -v.z)
    case "CW90FLIP": Vector3(v.y, v.x, -v.z)
    case "CW180FLIP": Vector3(v.x, -v.y, -v.z)
    case "CW270FLIP": Vector3(-v.y, -v.x, -v.z)
    default: nil
    }
  }

  private static let decidegrees = Double.pi / 1800

  /// Betaflight 2026.6: turned, then less the zero.
  private static func betaflight(_ settings: [String: String], _ raw: Vector3) throws -> Vector3 {
    let zeros = try #require(settings["mag_calibration"]).split(separator: ",").compactMap { Double($0) }
    let name = try #require(settings["align_mag"])
    var turned = aligned(name, raw)
    if name == "CUSTOM" {
      let angles = try numbers(settings, ["mag_align_roll", "mag_align_pitch", "mag_align_yaw"])
      turned = applied(angles * -decidegrees, to: raw)
    }
    return try #require(turned) - Vector3(zeros[0], zeros[1], zeros[2])
  }

  /// INAV: less the zero, by the gain, then turned.
  private static func inav(_ settings: [String: String], _ raw: Vector3) throws -> Vector3 {
    let zero = try numbers(settings, ["magzero_x", "magzero_y", "magzero_z"])
    let gain = try numbers(settings, ["maggain_x", "maggain_y", "maggain_z"])
    let angles = try numbers(settings, ["align_mag_roll", "align_mag_pitch", "align_mag_yaw"])
    let v = Vector3((raw.x - zero.x) / gain.x, (raw.y - zero.y) / gain.y, (raw.z - zero.z) / gain.z) * 1024
    if angles != .zero { return applied(angles * decidegrees, to: v) }
    return try #require(aligned(settings["align_mag"] ?? "", v))
  }

  /// Forward, left, up from right, forward, up.
  private static func sent(_ v: Vector3) -> Vector3 { Vector3(v.y, -v.x, v.z) }

  /// How far in degrees the firmware's field is off at most.
  private static func error(
    _ sweep: SimulatedSweep, _ profile: Profile, _ form: any ProfileExport.Type,
    _ firmware: ([String: String], Vector3) throws -> Vector3
  ) throws -> Double {
    let settings = try settings(form, profile)
    let fields = stride(from: 0, to: sweep.samples.count, by: 97).compactMap { sweep.samples[$0].field?.microtesla }
    return try fields.map { raw in
      let isTrue = sent(sweep.sensor.correction * (raw - sweep.sensor.hardIron))
      return Angle.degrees(try firmware(settings, sent(raw) * counts).angle(to: isTrue))
    }.max() ?? 180
  }

  static let turns: [Matrix3] = AxisMap.positive.enumerated().map { index, map in
    let axis = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)][index % 3]
    return Matrix3(rotation: axis * (Double(index / 3 % 7 - 3) * .pi / 12)) * map
  }

  @Test(arguments: [0, 3, 7, 11, 14, 17, 20, 23])
  func theFirmwareThenHasTheField(index: Int) throws {
    let (sweep, profile) = try Self.profile(Self.turns[index], seed: UInt64(index + 1))
    #expect(try Self.error(sweep, profile, BetaflightExport.self, Self.betaflight) < 2.5)
    #expect(try Self.error(sweep, profile, INAVExport.self, Self.inav) < 2.5)
  }

  /// Without a rest the gyroscope alone tells a tilt, small ones too.
  @Test(arguments: [8.0, 15, 30], [0, 1, 2])
  func theGyroscopeAloneTellsATilt(_ degrees: Double, _ axis: Int) throws {
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    let turn = Matrix3(rotation: axes[axis] * (degrees * .pi / 180))
    let mounting = try Mounting(matrix: turn)
    let sweep = SimulatedSweep(seed: UInt64(41 + axis)) { settings in
      (settings.axes, settings.misalignment, settings.rests, settings.hasGyroscope) = (mounting, 0, 0, true)
    }
    let result = try #require(Calibrator().fit(sweep.samples).result)
    #expect(result.axes.basis == .gyroscope)
    #expect(sweep.headingError(result.correction, force: result.forceCorrection) < 2, "\(result.axes.tiltDegrees)")
  }

  /// The settings that were in force are turned on from: a board turned by 90° and a compass set as CW270FLIP that is
  /// right as it is stays that.
  @Test func whatWasSetIsTurnedOn() throws {
    var profile = Profile.example
    (profile.correction, profile.countsPerMicrotesla) = (
      Correction(hardIron: Vector3(3, -2, 1), softIron: .identity), 10
    )
    var controller = FlightController(firmware: FlightController.betaflight)
    controller.board = FlightController.boardTurn(angles: Vector3(0, 0, 90))
    controller.compass = FlightController.Turn(preset: "CW270FLIP")
    profile.flightController = controller
    let settings = try Self.settings(BetaflightExport.self, profile)
    // Forward is +y, left −x: (−2, −3, 1) µT, ten counts each.
    #expect(settings == ["align_mag": "CW270FLIP", "mag_calibration": "-20,-30,10"])
    controller.compass = nil
    profile.flightController = controller
    #expect(throws: ProfileProblem.compassTurnUnknown) { try BetaflightExport.body(of: profile) }
    profile.flightController = nil
    profile.countsPerMicrotesla = nil
    #expect(throws: ProfileProblem.missing(key: "counts_per_uT")) { try INAVExport.body(of: profile) }
  }
}
