import LodestoneCore
import Glibc

/// Infers the units of a stream that does not state them, from what is physically possible.
///
/// The field: turned about, its tips lie on a sphere (or a circle) whose radius is the Earth's field, whatever the hard
/// iron; still, its magnitude is all there is. The acceleration: at rest it is 1 g. The rotation rate: what it says
/// must be the turn that gravity and field show.
public struct UnitInference: Sendable {
  /// Messages looked at; of a longer stream every second, fourth, … is kept.
  private static let capacity = 2048
  /// The factor by which a field in its unit may be outside of what the Earth's can be: iron on the board, and the gain
  /// of a cheap chip. What is farther off is no unit's.
  private static let largestMisfit = 1.25
  /// The factor for whole numbers, which may as well be counts.
  private static let largestWholeMisfit = 1.1

  /// The field that a calibration of the device expects; nil without one.
  public var expectation: FieldExpectation?

  /// µT in one number of the field, where the device was asked and has told it; nil where it has not.
  public var toldFieldScale: Double?

  /// The names by which the stream calls the axes of its field.
  public var fieldNaming = FieldNaming.unsaid

  private var field = Thinned<Vector3>(capacity: capacity)
  private var acceleration = Thinned<Vector3>(capacity: capacity)
  private var rotationRate = Thinned<Vector3>(capacity: capacity)
  private var steps = Thinned<TurnStep>(capacity: capacity)
  private var turning = TurnSteps()
  private var fieldIsWhole = true
  private var fieldIsNormalized = false
  private var fieldIsCounts = false
  private var units = Units()

  /// An inference that has seen nothing yet.
  public init() {}

  /// The number of fields that have been seen.
  public var fieldCount: Int { field.count + doubted.count }

  /// Takes in one message.
  public mutating func add(_ message: WireMessage) {
    var message = message
    add(from: &message)
  }

  /// Takes in one message where it is; it is only read: what is handed over like this is not copied.
  public mutating func add(from message: inout WireMessage) {
    units.note(&message)
    if let vector = message.field, vector.isFinite {
      add(field: vector, isStated: message.fieldUnit != nil)
      fieldIsNormalized = message.fieldIsNormalized
      fieldIsCounts = message.fieldIsCounts
    }
    if let vector = message.acceleration, vector.isFinite {
      if message.accelerationUnit == nil, forceJump.add(vector) { unitHasChanged = true }
      if !unitHasChanged { acceleration.add(vector) }
    }
    if let vector = message.rotationRate, vector.isFinite { rotationRate.add(vector) }
    if message.rotationRate != nil || !turning.isEmpty { addTurn(to: &message) }
  }

  /// The numbers of the field, or of the acceleration, whose unit is not said, are in another one from some message on:
  /// those before it are concluded from alone.
  public private(set) var unitHasChanged = false
  private var (jump, forceJump) = (UnitJump(), ForceJump())
  /// Fields that may be in another unit than those before them.
  private var doubted: [Vector3] = []

  /// Takes in a field; while it is weighed whether the unit has changed, it waits.
  @inline(__always)
  private mutating func add(field vector: Vector3, isStated: Bool) {
    if !isStated, jump.add(vector) { unitHasChanged = true }
    guard !unitHasChanged, !jump.isWeighing else { return doubted.append(vector) }
    if !doubted.isEmpty { forgetChange() }
    take(field: vector)
  }

  private mutating func take(field vector: Vector3) {
    field.add(vector)
    if vector == .zero { hasZeros = true }
    if fieldIsWhole { fieldIsWhole = vector.isWhole }
  }

  /// Takes the fields that waited for those of the stream's unit.
  public mutating func forgetChange() {
    doubted.forEach { take(field: $0) }
    (jump, forceJump, unitHasChanged, doubted) = (UnitJump(), ForceJump(), false, [])
  }

  /// The turn since the message before; apart, for most streams have none.
  @inline(never)
  private mutating func addTurn(to message: inout WireMessage) {
    if let step = turning.add(TurnStep.Moment(message)) { steps.add(step) }
  }

  /// The units that the stream states itself.
  private struct Units: Sendable {
    private var (fields, accelerations) = (StatedUnit<FieldUnit>(), StatedUnit<AccelerationUnit>())
    private var rotationRates = StatedUnit<RotationRateUnit>()
    var field: FieldUnit? { fields.unit }
    var acceleration: AccelerationUnit? { accelerations.unit }
    var rotationRate: RotationRateUnit? { rotationRates.unit }

    mutating func note(_ message: inout WireMessage) {
      if message.field != nil || message.alongProbe != nil { fields.note(message.fieldUnit) }
      if message.acceleration != nil { accelerations.note(message.accelerationUnit) }
      if message.rotationRate != nil { rotationRates.note(message.rotationRateUnit) }
    }
  }

  /// The units and scales, as far as the numbers show them.
  public func conclude() -> WireScales {
    if fieldNaming == .axes, units.field == nil, acceleration.count == 0, let gravity = gravityOfField {
      return WireScales(
        field: WireScales.Field(microtesla: nil, basis: .absent), acceleration: gravity,
        rotationRate: rotationRateScale, fieldIsAcceleration: true)
    }
    return WireScales(field: fieldScale, acceleration: accelerationScale, rotationRate: rotationRateScale)
  }

  /// Numbers before a sensor has measured any, which say nothing, have come.
  private var hasZeros = false
  private var fields: [Vector3] { Self.measured(field.kept, hasZeros) }
  private var forces: [Vector3] { Self.measured(acceleration.kept, hasZeros) }

  /// All vectors but those of zeros, unless there are no others.
  private static func measured(_ vectors: [Vector3], _ hasZeros: Bool) -> [Vector3] {
    guard hasZeros, vectors.contains(where: { $0 != .zero }) else { return vectors }
    return vectors.filter { $0 != .zero }
  }

  // MARK: Field

  /// Damage to the numbers of field or acceleration on their way from the chip; nil for none that shows. Where a unit
  /// is said, the field is that of a strong magnet but for 16 bits without their sign.
  private var countFault: CountFault? {
    let ofField = fieldIsWhole ? CountFault(ofField: fields) : nil
    let isSaid = units.field.map { strength(of: fields, farFromEarthIn: $0) == nil || ofField != .unsigned(bits: 16) }
    if let ofField, isSaid != true { return ofField }
    return units.acceleration == nil ? CountFault(ofAcceleration: forces) : nil
  }

  /// The number that stands for no field, where it is not zero. A calibration that fits without it has it in its iron.
  private var middle: Double? {
    guard units.field == nil, fieldIsWhole, let middle = CountMiddle.of(fields) else { return nil }
    guard let expectation, let counts = expectation.countsPerMicrotesla else { return middle }
    return expectation.fits(fields, scale: 1 / counts) ? nil : middle
  }

  /// All fields but a few that are many times as long: a magnet that passed, or the numbers that chips tell for none.
  private static func withoutOutliers(_ fields: [Vector3]) -> [Vector3] {
    guard let median = fields.map({ $0.squaredLength }).median else { return fields }
    let usual = fields.filter { $0.squaredLength <= outlier * outlier * median }
    return 4 * usual.count > 3 * fields.count ? usual : fields
  }
  private static let outlier = 6.0

  private var fieldScale: WireScales.Field {
    guard let middle else { return fieldScale(of: Self.withoutOutliers(fields)) }
    let fields = fields.map { $0 - Vector3(middle, middle, middle) }
    // They are those of a chip, and in no unit.
    let size = expectation == nil && toldFieldScale == nil ? FieldSize(fields) : nil
    var scale = size.map { WireScales.Field(countsOfSize: $0, isSaid: fieldIsCounts) } ?? fieldScale(of: fields)
    scale.zero = middle
    return scale
  }

  private func fieldScale(of fields: [Vector3]) -> WireScales.Field {
    if let countFault { return WireScales.Field(microtesla: nil, basis: .damaged(countFault)) }
    if let counts = expectation?.countsPerMicrotesla { return fieldScale(of: fields, inCounts: counts) }
    if let unit = units.field {
      return WireScales.Field(microtesla: unit.microtesla, basis: basis(of: fields, stated: unit))
    }
    if field.count > 0, let toldFieldScale { return WireScales.Field(microtesla: toldFieldScale, basis: .told) }
    if fieldIsNormalized { return WireScales.Field(microtesla: WireScales.usualStrength, basis: .normalized) }
    guard let size = FieldSize(fields) else {
      return WireScales.Field(microtesla: nil, basis: field.count > 0 ? .zero : .absent)
    }
    if !fieldIsWhole, Self.areUnitVectors(fields) {
      return WireScales.Field(microtesla: WireScales.usualStrength / size.median, basis: .normalized)
    }
    if fieldIsCounts { return WireScales.Field(countsOfSize: size, isSaid: true) }
    if let unit = expectation?.unit(of: fields, size: size) {
      return WireScales.Field(microtesla: unit.microtesla, basis: .calibrated(unit))
    }
    if fieldNaming == .axes, acceleration.count == 0, Self.areAngles(fields, size) {
      return WireScales.Field(microtesla: nil, basis: .angles)
    }
    // Who prints the registers of one chip prints those of the other.
    if fieldIsWhole, accelerationIsRegisters { return WireScales.Field(countsOfSize: size, isSaid: false) }
    let ranked = FieldUnit.inferable.map {
      (unit: $0, misfit: MagneticField.earthMisfit(size.strength * $0.microtesla))
    }
    .sorted { $0.misfit < $1.misfit }
    let isClear = ranked[1].misfit >= 2 * ranked[0].misfit
    let strength = fieldIsWhole ? size.strengthOfCounts : size.strength(in: ranked[0].unit)
    let misfit = MagneticField.earthMisfit(strength * ranked[0].unit.microtesla)
    if isClear, misfit < (fieldIsWhole ? Self.largestWholeMisfit : Self.largestMisfit) {
      return WireScales.Field(microtesla: ranked[0].unit.microtesla, basis: .inferred(ranked[0].unit, size))
    }
    if fieldIsWhole, size.isSteady { return WireScales.Field(countsOfSize: size, isSaid: false) }
    if fieldNaming == .table, size.isSteady, gravityOfField == nil || Self.multiples.contains(size.strength) {
      // Directions need no unit.
      return Self.multiples.contains(size.strength)
        ? WireScales.Field(microtesla: WireScales.usualStrength, basis: .normalized)
        : WireScales.Field(countsOfSize: size, isSaid: false)
    }
    return WireScales.Field(microtesla: nil, basis: .ambiguous(ranked[0].unit, ranked[1].unit, size))
  }

  /// Directions without a strength: all are as long as 1, to a hundredth, in which no unit has fields of the Earth.
  private static func areUnitVectors(_ fields: [Vector3]) -> Bool {
    fields.count >= 10 && fields.allSatisfy { abs($0.squaredLength - 1) < 0.02 }
  }

  /// Lengths of a field that is told as a multiple of the one its board was calibrated in.
  private static let multiples = 0.5...1.5

  /// The scale of the field's numbers as an acceleration, where they are always as long as 1 g is in a unit that
  /// accelerations have: no field of the Earth is in any unit. Whole numbers may be anything's.
  private var gravityOfField: WireScales.Acceleration? {
    guard !fieldIsWhole, let median = fields.map({ $0.length }).median else { return nil }
    let unit = [AccelerationUnit.g, .metresPerSecondSquared].first { abs(median * $0.gravities - 1) < 0.05 }
    let spread = fields.map { abs($0.length - median) }.median ?? 0
    guard let unit, spread < 0.03 * median else { return nil }
    return WireScales.Acceleration(gravities: unit.gravities, basis: .inferred(unit, median: median))
  }

  /// The strength of a field in the unit that the stream states, where it is far from the Earth's.
  private func strength(of fields: [Vector3], farFromEarthIn unit: FieldUnit) -> Double? {
    FieldSize(fields).map { $0.strength(in: unit) }.flatMap {
      MagneticField.earthMisfit($0 * unit.microtesla) > WireScales.Field.statedMisfit ? $0 : nil
    }
  }

  /// A unit that the stream states, with a doubt where the field in it is far from the Earth's.
  private func basis(of fields: [Vector3], stated unit: FieldUnit) -> WireScales.Field.Basis {
    guard let strength = strength(of: fields, farFromEarthIn: unit) else { return .stated(unit) }
    let other = FieldUnit.inferable.first { MagneticField.earthMisfit(strength * $0.microtesla) < Self.largestMisfit }
    return .doubted(unit, strength: strength, other: other)
  }

  /// The scale that the device's calibration was made with, where the stream is one of counts like it.
  private func fieldScale(of fields: [Vector3], inCounts perMicrotesla: Double) -> WireScales.Field {
    guard let size = FieldSize(fields) else { return WireScales.Field(microtesla: nil, basis: .absent) }
    if units.field != nil { return WireScales.Field(microtesla: nil, basis: .otherScale(perMicrotesla, times: nil)) }
    if let times = expectation?.misfit(of: fields, size: size, scale: 1 / perMicrotesla) {
      return WireScales.Field(microtesla: nil, basis: .otherScale(perMicrotesla, times: times))
    }
    return WireScales.Field(
      microtesla: 1 / perMicrotesla, basis: .calibratedCounts(perMicrotesla, isScaled: expectation?.isAssumed != true))
  }

  // MARK: Acceleration

  private var accelerationScale: WireScales.Acceleration {
    if let size = weightlessSize { return WireScales.Acceleration(gravities: nil, basis: .weightless(size: size)) }
    if let unit = units.acceleration { return WireScales.Acceleration(gravities: unit.gravities, basis: .stated(unit)) }
    guard let median = forces.map({ $0.length }).median, median > 0 else {
      return WireScales.Acceleration(gravities: nil, basis: .absent)
    }
    for unit in [AccelerationUnit.g, .metresPerSecondSquared, .milligravity] {
      if (0.75...1.33).contains(median * unit.gravities) {
        return WireScales.Acceleration(gravities: unit.gravities, basis: .inferred(unit, median: median))
      }
    }
    let calibrated = expectation?.countsPerGravity.flatMap { abs(median / $0 - 1) <= 0.3 ? $0 : nil }
    let counts = calibrated ?? Self.usualGravity(near: median, within: 0.08) ?? median
    return WireScales.Acceleration(gravities: 1 / counts, basis: .counts(perGravity: counts))
  }

  /// No accelerometer tells 1 g as a smaller number than this share of one.
  private static let smallestGravity = 0.2

  /// The median magnitude of accelerations from which gravity has been taken off: far below 1 g in every unit, or of
  /// all sizes and directions. Nil for those with gravity, and for none.
  private var weightlessSize: Double? {
    guard acceleration.count >= 10, let median = forces.map({ $0.length }).median, median > 0 else {
      return nil
    }
    let stated = units.acceleration.map { median * $0.gravities }
    if (stated ?? median) < Self.smallestGravity { return median }
    let isFarOff =
      stated.map { $0 < 0.7 }
      ?? ![AccelerationUnit.g, .metresPerSecondSquared].contains { (0.7...1.5).contains(median * $0.gravities) }
    // Whole numbers are those of a chip.
    guard isFarOff, !forces.allSatisfy({ $0.isWhole }) else { return nil }
    let spread = forces.map { abs($0.length - median) }.median ?? 0
    let mean = forces.reduce(.zero, +) * (1 / Double(forces.count))
    return spread > 0.2 * median && mean.length < 0.5 * median ? median : nil
  }

  /// The number that 1 g makes in usual accelerometers, where it is within this share of a measured one.
  private static func usualGravity(near measured: Double, within share: Double) -> Double? {
    [256.0, 512, 1024, 2048, 4096, 8192, 16_384].first { abs(measured / $0 - 1) <= share }
  }

  /// Accelerations are whole numbers, of a size that usual chips have in their registers.
  private var accelerationIsRegisters: Bool {
    guard case .counts(let perGravity) = accelerationScale.basis,
      Self.usualGravity(near: perGravity, within: 0.15) != nil
    else { return false }
    return forces.allSatisfy { $0.isWhole }
  }

  // MARK: Rotation rate

  private var rotationRateScale: WireScales.RotationRate {
    if let unit = units.rotationRate {
      return WireScales.RotationRate(degreesPerSecond: unit.degreesPerSecond, basis: .stated(unit))
    }
    guard let fastest = rotationRate.kept.map({ $0.length }).max() else {
      return WireScales.RotationRate(degreesPerSecond: nil, basis: .absent)
    }
    if let turning = TurnStep.slope(of: steps.kept) {
      return Self.rotationRateScale(slope: turning.slope, correlation: turning.correlation)
    }
    // No hand and no usual chip turns faster than 4000 deg/s.
    guard fastest <= 4000 else { return WireScales.RotationRate(degreesPerSecond: nil, basis: .counts) }
    // Libraries that tell accelerations in m/s² tell rotation rates in rad/s.
    let isMetric =
      switch accelerationScale.basis {
      case .stated(.metresPerSecondSquared), .inferred(.metresPerSecondSquared, _): fastest <= 70
      default: false
      }
    let unit = isMetric ? RotationRateUnit.radiansPerSecond : .degreesPerSecond
    return WireScales.RotationRate(degreesPerSecond: unit.degreesPerSecond, basis: .assumed(unit, fastest: fastest))
  }

  /// Numbers that a degree a second makes in usual gyroscopes: ranges of 250 to 2000°/s in 16 bits (InvenSense's and
  /// Bosch's 131, 65.5, 32.8, 16.4; ST's 8.75, 17.5, 35 and 70 mdps).
  private static let usualRates = [131, 65.5, 32.8, 16.4, 1000 / 8.75, 1000 / 17.5, 1000 / 35.0, 1000 / 70.0]

  /// The scale of rotation rates by the radians of turn that one number and second make: a unit where that is its size,
  /// else counts; of two units the nearer one where the numbers hardly agree with the turning, as with an axis
  /// reversed.
  private static func rotationRateScale(slope: Double, correlation: Double) -> WireScales.RotationRate {
    guard correlation > 0.5 else {
      let unit = slope > 0.05 ? RotationRateUnit.radiansPerSecond : .degreesPerSecond
      return WireScales.RotationRate(degreesPerSecond: unit.degreesPerSecond, basis: .turned(unit, slope: slope))
    }
    for unit in [RotationRateUnit.degreesPerSecond, .radiansPerSecond] {
      let ratio = slope * 180 / .pi / unit.degreesPerSecond
      if (0.2...4).contains(ratio) {
        return WireScales.RotationRate(degreesPerSecond: unit.degreesPerSecond, basis: .turned(unit, slope: slope))
      }
    }
    let seen = 1 / max(slope * 180 / .pi, 1e-12)
    let usual = usualRates.min { abs(log($0 / seen)) < abs(log($1 / seen)) }.flatMap {
      abs(log($0 / seen)) < 0.1 ? $0 : nil
    }
    let counts = usual ?? seen
    return WireScales.RotationRate(degreesPerSecond: 1 / counts, basis: .turnedCounts(perDegreePerSecond: counts))
  }
}
