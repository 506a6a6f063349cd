import Calibration
import Core
import Navigation

/// The teslameter's course: collects a zero-point, then measures against it; a new zero-point at any time.
struct FieldSession {
  /// What a sample led to.
  enum Step {
    /// The zero-point is being collected; done so far, 0 ... 1.
    case zeroing(progress: Double)
    /// It was refused; collecting has begun anew.
    case refused(ZeroPoint.Refusal)
    /// It is there.
    case zeroed(ZeroPoint)
    case reading(FieldReading)
  }

  private enum Phase {
    case zeroing(ZeroPointCollector, since: Double?)
    case measuring(Teslameter)
  }

  private let correction: Correction
  private let mounting: Mounting
  private let gainUncertainty: Double
  private let zeroSeconds: Double
  private var phase = Phase.zeroing(ZeroPointCollector(), since: nil)

  /// A course that corrects and mounts the field, and averages the zero-point over so many seconds.
  init(correction: Correction, mounting: Mounting, gainUncertainty: Double, zeroSeconds: Double) {
    self.correction = correction
    self.mounting = mounting
    self.gainUncertainty = gainUncertainty
    self.zeroSeconds = zeroSeconds
  }

  /// Begins a new zero-point.
  mutating func zero() { phase = .zeroing(ZeroPointCollector(), since: nil) }

  /// Peak and minimum begin anew.
  mutating func resetPeak() {
    guard case .measuring(var meter) = phase else { return }
    meter.resetPeak()
    phase = .measuring(meter)
  }

  /// Takes a sample; nil for one without a field.
  mutating func take(_ sample: Sample) -> Step? {
    guard let raw = sample.field else { return nil }
    let field = mounting.matrix * correction.apply(to: raw).field.microtesla
    let up = sample.acceleration.flatMap { (mounting.matrix * $0.g).direction }
    switch phase {
    case .measuring(var meter):
      let reading = meter.read(time: sample.time, field: field, up: up, flags: sample.flags)
      phase = .measuring(meter)
      return .reading(reading)
    case .zeroing(var collector, let since):
      let begin = since ?? sample.time
      if sample.time - begin >= zeroSeconds { return conclude(collector) }
      collector.add(field, up: up, saturated: sample.flags.contains(.saturated))
      phase = .zeroing(collector, since: begin)
      return .zeroing(progress: (sample.time - begin) / zeroSeconds)
    }
  }

  /// What the zero-point collected so far amounts to, at the end of a short recording too.
  private mutating func conclude(_ collector: ZeroPointCollector) -> Step {
    switch collector.result() {
    case .success(let zero):
      phase = .measuring(Teslameter(zero: zero, gainUncertainty: gainUncertainty))
      return .zeroed(zero)
    case .failure(let refusal):
      self.zero()
      return .refused(refusal)
    }
  }
}
