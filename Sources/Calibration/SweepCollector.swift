import Core
import Glibc

// The live fit. Every sample is kept for the end (bounded); beside them stands a sketch: points picked one by one when
// the field has moved on by a fortieth of what it spans, at most 500 and then every second is dropped. Four times a
// second the sketch is fitted by the same steps as a whole sweep, from where the last fit ended, so an update costs the
// same after ten minutes as after one.

/// Collects a sweep while it is made, and says how far it has come.
public struct SweepCollector: Sendable {
  /// Seconds between two fits.
  private static let updateInterval = 0.25
  private static let mostPoints = 500
  /// Seconds without a sample that are a gap.
  private static let longestStep = 0.5

  /// How far it has come.
  public private(set) var progress = SweepProgress()
  private let calibrator: Calibrator
  private var sweep = Sweep()
  private var sketch = SketchPoints(capacity: mostPoints)
  private var finder = RestFinder()
  private var rests = Rests()
  private var watch = SweepWatch()
  private var parameters: Parameters?
  private var firstTime: Double?
  private var lastTime = 0.0
  private var nextUpdate = 0.0

  /// A sweep that has not begun.
  public init(settings: CalibrationSettings = CalibrationSettings()) { calibrator = Calibrator(settings: settings) }

  /// Takes a sample; true when `progress` has changed.
  @discardableResult
  public mutating func add(_ sample: Sample) -> Bool {
    let isNew = sweep.add(sample)
    watch.note(sample, isNew: isNew)
    guard isNew, let measurement = sweep.measurements.last else { return updateIfDue(at: sample.time) }
    let start = firstTime ?? sample.time
    firstTime = start
    if sample.time - lastTime > Self.longestStep, lastTime > start { watch.gaps &+= 1 }
    lastTime = sample.time
    let isDisturbed = watch.isDisturbed(measurement, parameters: parameters, deviation: progress.deviation)
    if !isDisturbed {
      sketch.add(measurement)
      if let rest = finder.add(measurement, time: sample.time) { rests.add(rest) }
    }
    return updateIfDue(at: sample.time)
  }

  /// The calibration of all that was collected, as a recording of it would be fitted.
  public func finished() -> CalibrationOutcome { calibrator.fit(sweep) }

  // MARK: Updates

  private mutating func updateIfDue(at time: Double) -> Bool {
    guard time >= nextUpdate || time < nextUpdate - 2 * Self.updateInterval else { return false }
    nextUpdate = time + Self.updateInterval
    progress.samples = sweep.received
    progress.seconds = lastTime - (firstTime ?? lastTime)
    progress.isStill = finder.isStill
    progress.warnings = watch.warnings
    progress.hasAccelerometer = sweep.measurements.last?.force != nil
    refit()
    progress.settlePhase(target: calibrator.settings.target)
    return true
  }

  private mutating func refit() {
    guard sketch.points.count >= Sanity.fewest else {
      progress.problem = sweep.received > 100 ? Sanity.problem(of: sketchSweep) : nil
      return
    }
    var fit = SweepFit(
      sweep: sketchSweep, settings: calibrator.settings, strength: calibrator.strength, sketchRests: rests)
    fit.earlier = calibrator.settings.unitIsKnown ? parameters : nil
    progress.problem = Sanity.problem(of: sketchSweep)
    guard progress.problem == nil, fit.solveNorm() else { return forget(fit.refusal) }
    fit.solveAxes()
    fit.solveAll()
    let outcome = Judgement(fit).outcome
    guard let result = outcome.result else { return forget(outcome.refusal) }
    progress.take(outcome, result: result, deviation: fit.problem.deviation)
    finder.strength = fit.estimate.parameters.strength / fit.scale
    // A start from far off is tried again while the directions are few: the first valley may be the wrong one.
    parameters = result.coverage.percent > 2 * Coverage.least || fit.kind == .full ? fit.estimate.parameters : nil
  }

  private mutating func forget(_ problem: CalibrationRefusal?) {
    parameters = nil
    progress.problem = progress.problem ?? problem
  }

  private var sketchSweep: Sweep { sweep.replacingMeasurements(with: sketch.points) }
}

/// Points some way apart, boundedly many.
private struct SketchPoints: Sendable {
  private(set) var points: [Measurement] = []
  private let capacity: Int
  private var low = Vector3.zero
  private var high = Vector3.zero
  private var spacing = 0.025

  init(capacity: Int) { self.capacity = capacity }

  mutating func add(_ measurement: Measurement) {
    guard let last = points.last else {
      (low, high) = (measurement.raw, measurement.raw)
      points.append(measurement)
      return
    }
    for axis in 0..<3 {
      low[axis] = min(low[axis], measurement.raw[axis])
      high[axis] = max(high[axis], measurement.raw[axis])
    }
    guard (measurement.raw - last.raw).length > spacing * (high - low).length else { return }
    points.append(measurement)
    guard points.count >= capacity else { return }
    points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
    spacing = min(spacing * 1.2, 0.2)
  }
}
