import LodestoneCore
import Drivers
import Testing

@Suite("Sampling") struct SamplingTests {
  private static let nominal = 0.0125

  /// A chip that is ready every `period` seconds from `phase` on, and a host whose polls cost `transfer` seconds.
  private struct Bench {
    var period: Double
    var phase = 0.0031
    var transfer = 0.0008
    var sampling = Sampling(
      Timing(period: SamplingTests.nominal, latency: 0.004), flagsNewData: true, frozenAfter: nil, at: 0)
    var now = 0.0
    var seen = -1
    var samples: [(number: Int, time: Double, missed: Int)] = []
    var polls = 0

    /// The number of the latest finished measurement.
    var latest: Int { now < phase ? -1 : Int((now - phase) / period) }

    mutating func poll() {
      now = max(now, sampling.nextPoll) + transfer
      polls += 1
      let isNew = latest > seen
      let measurement: Measurement? = isNew ? .field(MagneticField(microtesla: Double(latest), 0, 0)) : nil
      if case .sample(let time, let missed, _) = sampling.take(measurement, at: now) {
        samples.append((latest, time, missed))
      }
      if isNew { seen = latest }
    }

    func truth(_ number: Int) -> Double { phase + Double(number) * period - 0.004 }
  }

  @Test(
    "no sample is missed and stamps stay true while the oscillator is off", arguments: [-0.07, -0.01, 0, 0.02, 0.08])
  func drift(error: Double) {
    var bench = Bench(period: Self.nominal * (1 + error))
    while bench.samples.count < 800 { bench.poll() }
    #expect(bench.sampling.missed == 0)
    #expect(zip(bench.samples, bench.samples.dropFirst()).allSatisfy { $1.number == $0.number + 1 })
    let settled = bench.samples.dropFirst(300)
    #expect(settled.allSatisfy { abs($0.time - bench.truth($0.number)) < 0.0025 })
    #expect(abs(bench.sampling.period / bench.period - 1) < 0.01)
    // About one poll in vain for each sample, not eight.
    #expect(Double(bench.polls) / 800 < 2.6)
  }

  @Test(
    "whatever the phase at the start, nothing is called missed that was not", arguments: [-0.1, -0.03, 0, 0.05, 0.1])
  func start(error: Double) {
    // At 80 Hz, by bridges that take 0.3 to 6 ms for a transfer, on a host that is late by up to 3 ms.
    for (transfer, phase) in [0.0003, 0.0008, 0.002, 0.004, 0.006].flatMap({ transfer in
      stride(from: -1, through: 1, by: 0.05).map { (transfer, $0) }
    }) {
      var bench = Bench(period: Self.nominal * (1 + error), phase: phase * Self.nominal, transfer: transfer)
      var lateness = 0.0
      while bench.samples.count < 60 {
        lateness = (lateness + 0.00137).truncatingRemainder(dividingBy: 0.003)
        bench.now = max(bench.now, bench.sampling.nextPoll) + lateness
        bench.poll()
      }
      for (one, next) in zip(bench.samples, bench.samples.dropFirst()) {
        #expect(next.missed < next.number - one.number, "phase \(phase), \(transfer) s a transfer")
      }
    }
  }

  @Test("a host that was away counts what it missed")
  func away() {
    var bench = Bench(period: Self.nominal)
    while bench.samples.count < 100 { bench.poll() }
    bench.now += 10 * Self.nominal
    let before = bench.seen
    bench.poll()
    while bench.samples.count < 101 { bench.poll() }
    let skipped = bench.samples[100].number - before - 1
    #expect(skipped >= 9)
    #expect(bench.samples[100].missed == skipped)
    #expect(bench.sampling.missed == skipped)
  }

  @Test("a result that the chip says overwrote another counts as one missed")
  func overrun() {
    var sampling = Sampling(
      Timing(period: Self.nominal, latency: 0), flagsNewData: true, frozenAfter: nil, at: 0)
    _ = sampling.take(.field(MagneticField(microtesla: 1, 0, 0)), at: 0.0125)
    var late = Measurement.field(MagneticField(microtesla: 2, 0, 0))
    late.overrun = true
    guard case .sample(_, let missed, _) = sampling.take(late, at: 0.025) else {
      Issue.record("no sample")
      return
    }
    #expect(missed == 1)
  }

  @Test("without a flag, the same numbers within a period are the same measurement")
  func duplicates() {
    var sampling = Sampling(Timing(period: 0.01, latency: 0), flagsNewData: false, frozenAfter: nil, at: 0)
    let one = Measurement.field(MagneticField(microtesla: 1, 2, 3))
    #expect(sampling.take(one, at: 0.01) != .nothing)
    #expect(sampling.take(one, at: 0.011) == .nothing)
    #expect(sampling.take(one, at: 0.019) == .nothing)
    #expect(sampling.take(.field(MagneticField(microtesla: 1, 2, 4)), at: 0.0205) != .nothing)
    // Equal by chance: half a period late it is believed, and nothing is called missed.
    let equal = Measurement.field(MagneticField(microtesla: 1, 2, 4))
    #expect(sampling.take(equal, at: 0.031) == .nothing)
    guard case .sample(_, let missed, _) = sampling.take(equal, at: 0.0362) else {
      Issue.record("no sample")
      return
    }
    #expect(missed == 0)
  }

  @Test("the same digits for longer than noise allows are frozen, until they change")
  func frozen() {
    var sampling = Sampling(Timing(period: 0.01, latency: 0), flagsNewData: true, frozenAfter: 5, at: 0)
    let same = Measurement.field(MagneticField(microtesla: 40, 0, 0))
    var flags: [Bool] = []
    for count in 1...8 {
      let measurement = count < 8 ? same : .field(MagneticField(microtesla: 41, 0, 0))
      if case .sample(_, _, let isFrozen) = sampling.take(measurement, at: Double(count) * 0.01) {
        flags.append(isFrozen)
      }
    }
    #expect(flags == [false, false, false, false, false, true, true, false])
  }

  @Test("a chip on command is never late and never misses")
  func onCommand() {
    var sampling = Sampling(
      Timing(period: 0.01, latency: 0.005, isOnCommand: true), flagsNewData: true, frozenAfter: nil, at: 0)
    var now = 0.0
    for count in 1...50 {
      now = max(sampling.nextPoll, now) + 0.004
      let outcome = sampling.take(.field(MagneticField(microtesla: Double(count), 0, 0)), at: now)
      guard case .sample(let time, let missed, _) = outcome else {
        Issue.record("no sample")
        return
      }
      #expect(missed == 0)
      #expect(time <= now - 0.005 && time > now - 0.016)
    }
  }

  @Test("silence is counted from the last measurement")
  func silence() {
    var sampling = Sampling(Timing(period: 0.01, latency: 0), flagsNewData: true, frozenAfter: nil, at: 5)
    #expect(sampling.silence(at: 7) == 2)
    _ = sampling.take(.field(.init(microtesla: 1, 1, 1)), at: 8)
    #expect(abs(sampling.silence(at: 9) - 1) < 0.02)
  }
}
