import Glibc
import LodestoneCore
import Support
import Testing

@testable import Drivers

/// One metre per second squared in g, by the definition of standard gravity.
private let perG = 1 / 9.80665

@Suite struct UnitInferenceTests {
  /// The meaning found for a recording's columns.
  private func scales(_ file: String) throws -> WireScales {
    var inference = UnitInference()
    for message in CSV.hear(try Recordings.bytes("sweeps/\(file).csv")).messages { inference.add(message) }
    return inference.conclude()
  }

  /// Units as the notes beside the recordings state them.
  @Test(
    .enabled(if: Recordings.areHere),
    arguments: [
      ("hmc5883l_fullsphere", .gauss), ("hmc5883l_tilt_x", .gauss), ("hmc5883l_planar_z", .gauss),
      ("ck_accmag_12000", .gauss), ("lsm9ds1_grisp_sphere", .gauss), ("lsm9ds1_grisp_driver_bug_2axis", .gauss),
      ("magneto12_6880", .microtesla), ("nexus5_cal_d1", .microtesla), ("nexus5_cal_d2", .microtesla),
      ("iphone4s_cal_d2", .microtesla), ("iphone5_cal_d3", .microtesla), ("lsm303_planar_one_turn", .microtesla),
      ("ximu_00033_disturbed", .gauss), ("px4_auav_flight", .gauss), ("caribou_9axis", .milligauss),
    ] as [(String, FieldUnit)])
  func fieldUnitsOfRecordings(file: String, unit: FieldUnit) throws {
    guard case .inferred(let found, _) = try scales(file).field.basis else {
      Issue.record("\(file): \(try scales(file).field)")
      return
    }
    #expect(found == unit)
  }

  /// A board on a table in 20.3 µT across and 43.5 µT down, by its numbers.
  private static func turned(_ write: (Double) -> Double) -> [Vector3] {
    (0..<120).map { number in
      let angle = Double(number) * .pi / 60
      return Vector3(write(-20.3 * sin(angle)), write(20.3 * cos(angle)), write(-43.5))
    }
  }

  /// Directions of length 1, as fusion libraries hand out: those of a turn on a table were a field of 100 µT.
  @Test func unitVectorsAreNoGauss() {
    let found = scales(Self.turned { $0 / 48 }, .unsaid).field
    #expect(found.basis == .normalized && abs((found.microtesla ?? 0) - 47) < 1)
    guard case .inferred(.gauss, _) = scales(Self.turned { $0 / 100 }, .unsaid).field.basis else {
      Issue.record("\(scales(Self.turned { $0 / 100 }, .unsaid).field)")
      return
    }
  }

  /// The meaning of numbers under names, as long as they are told to be.
  private func scales(_ vectors: [Vector3], _ naming: FieldNaming) -> WireScales {
    var inference = UnitInference()
    inference.fieldNaming = naming
    for vector in vectors {
      var message = WireMessage()
      message.field = vector
      inference.add(message)
    }
    return inference.conclude()
  }

  /// Bare axes that are always as long as 1 g are an acceleration; a field of the Earth's size stays one, and so does
  /// what names itself.
  @Test func bareAxesAsLongAsGravityAreNoField() throws {
    let metric = [Vector3(0.12, 0.3, 9.8), Vector3(3.1, 0.2, 9.31), Vector3(-6.9, 0.1, 6.97), Vector3(0, 9.8, 0.4)]
    let found = scales(metric, .axes)
    #expect(found.fieldIsAcceleration && found.field.microtesla == nil)
    #expect(abs(try #require(found.acceleration.gravities) / perG - 1) < 1e-9)
    #expect(scales(metric.map { $0 * perG }, .axes).acceleration.gravities == 1)
    for naming in [FieldNaming.unsaid, .table] { #expect(!scales(metric, naming).fieldIsAcceleration) }
    #expect(!scales([Vector3(12.5, 15, -43), Vector3(12.6, 15, -43)], .axes).fieldIsAcceleration)

    var assembler = SampleAssembler(scales: found, keepsTime: true)
    var message = WireMessage()
    message.field = metric[0]
    let sample = assembler.sample(of: message, arrival: 0)
    #expect(sample?.field == nil && abs((sample?.acceleration?.g.z ?? 0) - 9.8 * perG) < 1e-9)
  }

  /// Two bytes that were put together in an int of 32 bits; fields in nT of the southern hemisphere are none of that.
  @Test func numbersWithoutTheirSignAreNoField() {
    let unsigned = [Vector3(-388, 471, -1305), Vector3(12, -611, -1301)].map { field in
      Vector3(field.x < 0 ? field.x + 65_536 : field.x, field.y < 0 ? field.y + 65_536 : field.y, field.z + 65_536)
    }
    for count in 1...2 {
      #expect(scales(Array(unsigned[..<count]), .axes).field.basis == .damaged(.unsigned(bits: 16)))
    }
    #expect(scales(unsigned, .axes).field.isUnclear)
    for field in [Vector3(12_000, 5000, 58_000), Vector3(388, 471, 1305), Vector3(-12_920, 15_700, 58_490)] {
      #expect(!scales([field, field], .axes).field.isDamaged, "\(field)")
    }
    // Beside a magnet, in the unit that the board says.
    var (stated, message) = (UnitInference(), WireMessage())
    (message.field, message.fieldUnit) = (Vector3(64_900, 57_300, 1200), .nanotesla)
    stated.add(message)
    #expect(!stated.conclude().field.isDamaged)
  }

  /// A field of a length that is no unit's gives directions where a table names it, and no strength.
  @Test func aNamedFieldNeedsNoUnit() {
    let normalized = [Vector3(-0.27, 0.33, -0.91), Vector3(-0.27, 0.34, -0.92)]
    #expect(scales(normalized, .table).field.basis == .normalized)
    #expect(scales(normalized, .unsaid).field.isUnclear)
    let others = scales([Vector3(5.1, 2.2, 5.5), Vector3(5.2, 2.2, 5.5)], .table).field
    #expect(others.isUnscaled && others.microtesla != nil)
    #expect(
      scales([Vector3(0.12, 0.3, 9.8), Vector3(0.12, 0.3, 9.81)], .table).field.isUnclear, "gravity under its name")
  }

  /// The flags of samples of bare numbers, one after the other, and whether their unit has changed at the end.
  private func assembled(_ fields: [Vector3], unit: FieldUnit? = nil) -> (saturated: [Bool], hasChanged: Bool) {
    var field = WireScales.Field(microtesla: 0.1, basis: .stated(.milligauss))
    field.microtesla = 0.1
    var scales = UnitInference().conclude()
    scales.field = field
    var assembler = SampleAssembler(scales: scales, keepsTime: true)
    let saturated = fields.enumerated().map { row, field in
      var message = WireMessage()
      (message.field, message.fieldUnit) = (field, unit)
      return assembler.sample(of: message, arrival: Double(row))?.flags.contains(.saturated) == true
    }
    return (saturated, assembler.unitHasChanged)
  }

  /// Counts that stay at the end of a chip's range measure nothing.
  @Test(arguments: [-4096.0, 2047, -2048, 32_767, -32_768, 4095, 8191]) func countsAtTheEndAreMarked(end: Double) {
    #expect(assembled([Vector3(end, 120, -430), Vector3(end, 121, -431)]).saturated == [true, true])
    #expect(assembled([Vector3(10, 120, end), Vector3(10, 121, end)]).saturated == [true, true])
    let passing = [Vector3(end - 5, 120, -430), Vector3(end, 121, -430), Vector3(end + 5, 120, -430)]
    #expect(assembled(passing).saturated == [false, false, false], "one that comes by")
    #expect(assembled([Vector3(end, 120, -430), Vector3(end, 1, 2)], unit: .nanotesla).saturated == [false, false])
  }

  /// An axis in µT that says the same at the end of its range, as that of an LIS3MDL does at ±4 G, while the others
  /// tremble. Not a coarse one, which always says the same, and not one that says so far below the range.
  @Test func anAxisThatStandsIsAtItsEnd() {
    func fields(_ strong: Double, step: Double) -> [Vector3] {
      var state = 7.0
      func noise() -> Double {
        state = (state * 16_807).truncatingRemainder(dividingBy: 2_147_483_647)
        return state / 2_147_483_647 - 0.5
      }
      return (0..<120).map { index in
        let magnet = (60..<90).contains(index) || index > 100 ? strong : 0
        let field = Vector3(10 + noise() + magnet, -20 + noise(), 40 + noise())
        return Vector3(
          min(478.91, (field.x / step).rounded() * step), (field.y / step).rounded() * step,
          (field.z / step).rounded() * step)
      }
    }
    let found = assembled(fields(900, step: 0.01), unit: .microtesla).saturated
    #expect(!found[..<60].contains(true) && !found[68..<90].contains(false), "after eight of them")
    #expect(!found[90...100].contains(true) && !found[101...].contains(false), "known from then on")
    for (strong, step) in [(300.0, 0.01), (900, 5), (300, 5)] {
      #expect(!assembled(fields(strong, step: step), unit: .microtesla).saturated.contains(true))
    }
  }

  /// Numbers that become 10, 100 or 1090 times as large and stay so have another unit; a magnet turns the field as
  /// well, and one damaged number comes alone.
  @Test(arguments: [10, 100, 1090, 0.1, 0.001]) func aUnitThatChangesIsSeen(times: Double) {
    let fields = (0..<20).map { Vector3(-129 + 3 * Double($0), 157, -435) }
    let later = fields.map { $0 * times }
    #expect(assembled(fields + later).hasChanged)
    #expect(!assembled(fields + fields).hasChanged)
    #expect(!assembled(fields + later.prefix(4) + fields).hasChanged)
    #expect(!assembled(fields + later.map { Vector3($0.z, $0.x, $0.y) }).hasChanged)
    #expect(!assembled(fields + later, unit: .milligauss).hasChanged)
  }

  /// A BNO055's example calls heading, roll and pitch X, Y and Z, in sixteenths of a degree: at rest and turned on a
  /// table. Its magnetometer counts in sixteenths as well.
  @Test func anglesUnderTheNamesOfAxesAreNoField() {
    let still = (0..<20).map { Vector3(40.25 + 0.0625 * Double($0 % 3), 0.3125, -1.125) }
    let turned = (0..<60).map { Vector3(6 * Double($0) + 0.0625, 0.3125, -1.125 + 0.0625 * Double($0 % 2)) }
    for angles in [still, turned] {
      #expect(scales(angles, .axes).field.basis == .angles)
      #expect(scales(angles.map { $0 * 1.01 }, .axes).field.basis != .angles)
      #expect(scales(angles, .table).field.basis != .angles)
    }
    let field = (0..<60).map { step in
      let angle = Double(step) * 0.1
      return Vector3((20 * cos(angle) * 16).rounded() / 16, (20 * sin(angle) * 16).rounded() / 16, -43.5)
    }
    guard case .inferred(.microtesla, _) = scales(field, .axes).field.basis else {
      Issue.record("\(scales(field, .axes).field)")
      return
    }
  }

  /// ROS tells fields in tesla, and says so nowhere.
  @Test func fieldsInTeslaAreSeen() {
    var inference = UnitInference()
    for message in CSV.hear(
      "%time,field.magnetic_field.x,field.magnetic_field.y,field.magnetic_field.z\n"
        + "1700000000000000000,2.1e-5,3e-7,-4.2e-5\n1700000000020000000,2.0e-5,4e-7,-4.1e-5\n"
    ).messages { inference.add(message) }
    guard case .inferred(.tesla, _) = inference.conclude().field.basis else {
      Issue.record("\(inference.conclude().field)")
      return
    }
  }

  @Test(
    .enabled(if: Recordings.areHere),
    arguments: [
      ("hmc5883l_fullsphere", 1), ("ck_accmag_12000", 1), ("lsm9ds1_grisp_sphere", perG),
      ("caribou_9axis", perG), ("nexus5_cal_d1", perG), ("iphone4s_cal_d2", perG),
      ("lsm303_planar_one_turn", perG), ("ximu_00033_disturbed", 1), ("px4_auav_flight", perG),
      ("freeimu_hmc_repeats", 0.00048828125),
    ] as [(String, Double)])
  func accelerationUnitsOfRecordings(file: String, gravities: Double) throws {
    #expect(abs(try #require(try scales(file).acceleration.gravities) / gravities - 1) < 1e-9)
  }

  /// A board that turns slowly through an arc: the middle of that is no centre of the field's sphere, around which it
  /// would have turned many times as far.
  @Test func ratesOfASlowTurnAreDegrees() {
    var inference = UnitInference()
    for number in 0..<60 {
      var message = WireMessage()
      let (angle, jitter) = (Double(number) * 0.6 * .pi / 180, Double(number * 7 % 5 - 2) * 0.1)
      message.time = Double(number) * 0.1
      message.field = Vector3(20 * cos(angle) + jitter, -20 * sin(angle) - jitter, -43 + jitter)
      message.acceleration = Vector3(0, 0, 1)
      message.rotationRate = Vector3(0, 0, 6)
      inference.add(message)
    }
    #expect(inference.conclude().rotationRate.degreesPerSecond == 1)
  }

  @Test(
    .enabled(if: Recordings.areHere),
    arguments: [
      ("hmc5883l_fullsphere", .degreesPerSecond), ("hmc5883l_planar_z", .degreesPerSecond),
      ("caribou_9axis", .degreesPerSecond), ("nexus5_cal_d1", .radiansPerSecond), ("nexus5_cal_d2", .radiansPerSecond),
      ("iphone4s_cal_d2", .radiansPerSecond), ("iphone5_cal_d3", .radiansPerSecond),
      ("px4_auav_flight", .radiansPerSecond),
    ] as [(String, RotationRateUnit)])
  func rotationRateUnitsOfRecordings(file: String, unit: RotationRateUnit) throws {
    let scale = try scales(file).rotationRate
    let factor = unit == .degreesPerSecond ? 1 : 57.29577951308232
    #expect(abs(try #require(scale.degreesPerSecond) / factor - 1) < 1e-9, "\(scale)")
  }

  @Test(
    .enabled(if: Recordings.areHere), arguments: ["qmc5883l_gy63_filtered", "ellipsoid_fit_python_magout"])
  func countsOfUnknownScaleAreScaledToTheEarth(file: String) throws {
    let field = try scales(file).field
    guard case .countsScaledToEarth(let size, isSaid: false) = field.basis else {
      Issue.record("\(file): \(field)")
      return
    }
    let scaled = try #require(size.radius) * (try #require(field.microtesla))
    #expect(MagneticField.earthStrength.contains(scaled))
  }

  /// Recordings in counts that are a usual milligauss in strength: either answer is physically possible.
  @Test(
    .enabled(if: Recordings.areHere), arguments: ["krepa_robot_mag", "wagonwheel_15hz", "freeimu_hmc_repeats"])
  func countsNearMilligaussAreScaled(file: String) throws {
    #expect(try scales(file).field.microtesla != nil)
  }

  @Test func aStillFieldBetweenTwoUnitsIsRefused() {
    var inference = UnitInference()
    var message = WireMessage()
    message.field = Vector3(0, 0, 5.5)
    for _ in 0..<50 { inference.add(message) }
    guard case .ambiguous = inference.conclude().field.basis else {
      Issue.record("\(inference.conclude().field)")
      return
    }
  }

  /// A DistoX makes 13 960 counts of 1 g, 15 % beside the nearest usual scale; an MPU-6050 whose z is off by 0.06 g
  /// makes 15 400, and is an ordinary one. A calibration's own scale counts before what one attitude shows, within one
  /// range.
  @Test(
    arguments: [
      (13_960.0, nil, 13_960.0), (15_400, nil, 16_384), (12_600, 13_960, 13_960), (16_384, 4096, 16_384),
    ] as [(Double, Double?, Double)])
  func countsOfGravityAreTakenForWhatTheyAre(_ sent: Double, _ calibrated: Double?, _ taken: Double) {
    var inference = UnitInference()
    inference.expectation = FieldExpectation(strength: 48, countsPerGravity: calibrated) { $0 }
    var message = WireMessage()
    message.acceleration = Vector3(0, 0, sent)
    for _ in 0..<50 { inference.add(message) }
    #expect(inference.conclude().acceleration.basis == .counts(perGravity: taken))
  }

  /// A board that is turned on a table shows the horizontal part of the field: 10 µT of 55 far north, where the whole
  /// field tells the unit as well as the size that is shown.
  @Test(arguments: [(20.0, -43.0), (10, -54)])
  func aTurnOnATableShowsTheWholeField(_ horizontal: Double, _ vertical: Double) {
    var inference = UnitInference()
    for step in 0..<100 {
      var message = WireMessage()
      let angle = Double(step) * 0.1
      message.field = Vector3(horizontal * cos(angle), horizontal * sin(angle), vertical + 0.1 * sin(7 * angle))
      inference.add(message)
    }
    guard case .inferred(.microtesla, let size) = inference.conclude().field.basis else {
      Issue.record("\(inference.conclude().field)")
      return
    }
    #expect(abs(size.strength(in: .microtesla) - (horizontal * horizontal + vertical * vertical).squareRoot()) < 0.5)
  }

  /// Three normal numbers, nearly: twelve uniform ones each.
  private func noise(_ generator: inout SeededGenerator) -> Vector3 {
    func number() -> Double { (0..<12).reduce(0) { sum, _ in sum + .random(in: -0.5...0.5, using: &generator) } }
    return Vector3(number(), number(), number())
  }

  /// Accelerations without gravity, of a phone that walks and of one at rest: their sum is no up.
  @Test(arguments: [(2.0, nil), (0.05, nil), (0.02, AccelerationUnit.g), (2, .metresPerSecondSquared)])
  func accelerationsWithoutGravityAreLeftOut(_ size: Double, _ unit: AccelerationUnit?) {
    var generator = SeededGenerator(seed: 5)
    var (inference, message) = (UnitInference(), WireMessage())
    for _ in 0..<200 {
      message.acceleration = noise(&generator) * size
      message.accelerationUnit = unit
      inference.add(message)
    }
    guard case .weightless = inference.conclude().acceleration.basis else {
      Issue.record("\(inference.conclude().acceleration)")
      return
    }
    var (assembler, sample) = (SampleAssembler(scales: inference.conclude(), keepsTime: true), Sample(time: 0))
    message.field = Vector3(20, 0, -43)
    message.fieldUnit = .microtesla
    #expect(assembler.assemble(&message, arrival: 0, into: &sample))
    #expect(sample.field != nil && sample.acceleration == nil)
  }

  /// A board that is shaken about has gravity in each sum, be it in counts.
  @Test(arguments: [1, 9.80665, 16_384])
  func accelerationsOfAShakenBoardAreKept(_ gravity: Double) {
    var generator = SeededGenerator(seed: 6)
    var (inference, message) = (UnitInference(), WireMessage())
    for _ in 0..<200 {
      let push = noise(&generator) * 0.5
      let turned = noise(&generator).direction ?? .zero
      let force = (turned + push) * gravity
      message.acceleration = gravity > 100 ? Vector3(force.x.rounded(), force.y.rounded(), force.z.rounded()) : force
      inference.add(message)
    }
    #expect(inference.conclude().acceleration.gravities != nil)
  }
}

extension WireScales.Field {
  /// The numbers were put together wrongly.
  fileprivate var isDamaged: Bool { if case .damaged = basis { true } else { false } }
}
