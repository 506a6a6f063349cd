import LodestoneCore

// The statistics of a zero-point, of its drift and its noise are those of three axes. A number b goes through them as
// the vector (b, b, b)/√3: it is as long, and whatever noise the number has, each axis has a third of its power.
// Lengths and sums of squares come out as those of the number itself.

/// Measures the field along the axis of a probe against a zero-point.
struct ProbeMeter: Sendable {
  /// The zero-point that is subtracted, of vectors that stand for numbers.
  private let zero: ZeroPoint
  private let gainUncertainty: Double
  private var noise: FieldNoise
  private var drift: FieldDrift
  private var extremes = FieldExtremes()
  private var smoothing: FieldSmoothing?

  /// The direction of the vectors that stand for numbers.
  private static let diagonal = Vector3(1, 1, 1) / 3.0.squareRoot()
  /// The step of a Hall sensor behind ten bits, in µT: a DRV5055A4 has 0.39 mT, an A1302 0.38 mT. One whose numbers do
  /// not change may be as coarse, however many digits it prints.
  private static let resolution = SensorResolution(step: 400, noise: 0)

  /// The vector that stands for a number.
  static func vector(_ along: Double) -> Vector3 { diagonal * along }

  /// The number that a vector stands for.
  fileprivate static func number(_ vector: Vector3) -> Double { vector.dot(diagonal) }

  /// Measures against a zero-point of vectors that stand for numbers.
  init(zero: ZeroPoint, gainUncertainty: Double, smoothing: Double?) {
    (self.zero, self.gainUncertainty) = (zero, gainUncertainty)
    self.smoothing = FieldSmoothing(timeConstant: smoothing)
    noise = FieldNoise(zero: zero, resolution: Self.resolution)
    drift = FieldDrift(zero: zero)
  }

  /// The zero-point along the probe.
  var zeroAlongProbe: ZeroPoint { zero.alongProbe }

  /// Peak and minimum begin again.
  mutating func resetPeak() { extremes = FieldExtremes() }

  /// Reads the field along the probe, in µT.
  mutating func read(time: Double, along: Double, flags sampleFlags: Sample.Flags) -> FieldReading {
    let isSaturated = sampleFlags.contains(.saturated)
    let raw = Self.vector(along)
    if !isSaturated { noise.add(raw) }
    let mean = isSaturated ? nil : smoothing?.add(raw, noise: zero.noise.length, at: time)
    let field = Self.number(mean?.field ?? raw)
    let difference = field - Self.number(zero.field)
    var reading = FieldReading(
      time: time, difference: Vector3(difference, 0, 0), field: Vector3(field, .nan, .nan), flags: .oneAxis)
    if sampleFlags.contains(.rangeChanged) { reading.flags.insert(.rangeChanged) }
    if zero.alternating > 0 { reading.flags.insert(.alternating) }
    var error = error(at: time, share: mean?.noiseShare ?? 1)
    error.lag = mean?.lag ?? 0
    reading.scatter = error.scatter
    if isSaturated {
      reading.saturate(error, gain: gainUncertainty)
      extremes.saturate(&reading)
    } else {
      reading.judge(error, gain: gainUncertainty)
      // Each sample's own difference: the noise of a mean is the same again and again.
      let alone = noise.error(age: time - zero.time, share: 1)
      drift.learn(raw - zero.field, noise: alone.power / 3, at: time)
      extremes.take(&reading, error, gain: gainUncertainty)
    }
    // The strength of the field is not measured, nor are its other axes.
    reading.magnitude = nil
    reading.difference = Vector3(difference, .nan, .nan)
    return reading
  }

  /// The errors of a difference, all of them along the probe.
  private func error(at time: Double, share: Double) -> FieldError {
    let spread = noise.error(age: time - zero.time, share: share)
    var error = FieldError(variance: Vector3(spread.power, 0, 0), step: spread.step)
    let (size, deviation) = drift.since(time)
    (error.drift, error.driftDeviation) = (size, deviation * 3.0.squareRoot())
    return error
  }
}

extension ZeroPoint {
  /// A zero-point along the axis of a probe: x is along it, and the others are no numbers.
  public var isOfProbe: Bool { field.y.isNaN }

  /// The zero-point of a probe, from that of the vectors that stand for its numbers.
  fileprivate var alongProbe: ZeroPoint {
    func along(_ vector: Vector3) -> Vector3 { Vector3(ProbeMeter.number(vector), .nan, .nan) }
    var zero = ZeroPoint(field: along(field), noise: Vector3(noise.length, 0, 0), samples: samples, up: nil)
    (zero.time, zero.duration, zero.alternating) = (time, duration, alternating)
    (zero.flicker, zero.driftDeviation) = (flicker * 3.0.squareRoot(), driftDeviation * 3.0.squareRoot())
    (zero.drift, zero.leastChange) = (along(drift), leastChange)
    return zero
  }
}
