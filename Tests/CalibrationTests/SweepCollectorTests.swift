import Calibration
import Core
import Instruments
import Testing

@Suite struct SweepCollectorTests {
  @Test func goesFromSweepToRestsToDone() throws {
    let sweep = SimulatedSweep(seed: 3)
    var collector = SweepCollector()
    var phases: [SweepProgress.Phase] = []
    var coverage = 0.0
    for sample in sweep.samples where collector.add(sample) {
      let progress = collector.progress
      if phases.last != progress.phase { phases.append(progress.phase) }
      coverage = max(coverage, progress.coverage?.percent ?? 0)
    }
    #expect(phases == [.sweep, .rests, .done])
    #expect(coverage > 80)
    #expect(collector.progress.rests >= 8)
    #expect(collector.progress.hasAccelerometer)
    #expect(collector.progress.problem == nil)
    let live = try #require(collector.progress.result)
    #expect(sweep.headingError(live.correction) < 1)
    let final = try #require(collector.finished().result)
    #expect(final == Calibrator().fit(sweep.samples).result)
  }

  @Test func saysWhatIsMissing() throws {
    let sweep = SimulatedSweep(seed: 4, seconds: 5)
    var collector = SweepCollector()
    for sample in sweep.samples { collector.add(sample) }
    let coverage = try #require(collector.progress.coverage)
    #expect(coverage.percent < 70)
    #expect(!coverage.missing.isEmpty)
    #expect(collector.progress.missing(mounting: .aligned) == coverage.missing)
    #expect(collector.progress.phase == .sweep)
    guard case .sweep = collector.progress.next else {
      Issue.record("\(String(describing: collector.progress.next))")
      return
    }
  }

  @Test func asksForTheNextPose() {
    let sweep = SimulatedSweep(seed: 5, seconds: 40) { $0.rests = 0 }
    var collector = SweepCollector()
    for sample in sweep.samples { collector.add(sample) }
    guard collector.progress.phase == .rests, case .rest(let up, _) = collector.progress.next else {
      Issue.record("\(collector.progress.phase) \(String(describing: collector.progress.next))")
      return
    }
    #expect(abs(up.length - 1) < 1e-9)
  }

  @Test func warnsOfDisturbance() {
    let sweep = SimulatedSweep(seed: 6, seconds: 32) {
      $0.disturbances = [.init(field: Vector3(20, 20, 20), from: 30, to: 40)]
    }
    var collector = SweepCollector()
    var warned = false
    for sample in sweep.samples where collector.add(sample) {
      if collector.progress.warnings.contains(.disturbed) {
        warned = true
        #expect(sample.time > 30)
      }
    }
    #expect(warned)
  }

  @Test func namesADeadAxisWithinSeconds() {
    let sweep = SimulatedSweep(seed: 7, seconds: 6)
    var collector = SweepCollector()
    for sample in sweep.samples {
      var broken = sample
      broken.field = sample.field.map { MagneticField(microtesla: $0.microtesla.x, $0.microtesla.y, 0) }
      collector.add(broken)
    }
    #expect(collector.progress.problem == .stuckAxis(axis: "z", value: 0))
  }

  @Test func withoutAnAccelerometerDirectionsAreEnough() {
    let sweep = SimulatedSweep(seed: 8, seconds: 40) {
      $0.hasAccelerometer = false
      $0.rests = 0
    }
    var collector = SweepCollector()
    for sample in sweep.samples { collector.add(sample) }
    #expect(!collector.progress.hasAccelerometer)
    #expect(collector.progress.phase == .done)
  }

  @Test func samplesWithoutFieldsDoNoHarm() {
    var collector = SweepCollector()
    for step in 0..<1000 { collector.add(Sample(time: Double(step) * 0.01)) }
    #expect(collector.progress.samples == 0)
    #expect(collector.finished().refusal == .noField)
  }
}
