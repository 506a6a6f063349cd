import Calibration
import LodestoneCore
import Testing

/// The removal of a cause by the value beside a field, and the notice where there is none.
@Suite struct CauseRemovalTests {
  private func cause(lag: Double = 0, name: String = "current_A") -> Cause {
    Cause(name: name, slope: Vector3(1, -2, 2), deviation: 0.01, range: 0...20, lag: lag)
  }

  private func sample(_ time: Double, _ value: Double?) -> Sample {
    var sample = Sample(time: time, field: MagneticField(microtesla: Vector3(10, 20, 30)))
    sample.causes[0] = value
    return sample
  }

  /// The hard iron holds at 10 A: at 13 there are 3 A more.
  @Test func itsShareIsTakenOff() throws {
    var removal = try #require(CauseRemoval([cause()]))
    var sample = sample(0, 13)
    #expect(removal.remove(from: &sample) == 0)
    #expect(sample.field?.microtesla == Vector3(7, 26, 24))
    #expect(removal.nextFault() == nil)
    #expect(CauseRemoval([]) == nil)
  }

  /// Each end of 0 to 20 A may be passed by a twentieth of the range.
  @Test func aValueFarOutsideIsSaidToBe() {
    let cause = cause()
    #expect([-1, 0, 20, 21].allSatisfy { !cause.isOutside($0) })
    #expect([-1.01, 21.01].allSatisfy { cause.isOutside($0) })
  }

  /// A value holds for two seconds; then half the range is open, 30 µT, and that is told once.
  @Test func aMissingValueIsTold() throws {
    var removal = try #require(CauseRemoval([cause()]))
    var faults: [CauseFault] = []
    for step in 0..<100 {
      var sample = sample(Double(step) / 10, step == 0 ? 13 : nil)
      let open = removal.remove(from: &sample)
      #expect(
        step <= 20 ? open == 0 && sample.field?.microtesla.x == 7 : open == 30 && sample.field?.microtesla.x == 10)
      while let fault = removal.nextFault() { faults.append(fault) }
    }
    #expect(faults == [.missing("current_A", microtesla: 30)])
  }

  /// Before the first value there is no field, for a second: what came then would jump with it.
  @Test func theFirstValueIsWaitedFor() throws {
    var removal = try #require(CauseRemoval([cause()]))
    let steps: [(Double, Double?, Double?)] = [
      (5, nil, nil), (5.9, nil, nil), (6, nil, 10), (6.1, 13, 7), (6.2, nil, 7),
    ]
    for (time, value, x) in steps {
      var sample = sample(time, value)
      _ = removal.remove(from: &sample)
      #expect(sample.field?.microtesla.x == x)
    }
  }

  /// 5 A past the end are 15 µT that nobody has calibrated.
  @Test func aValueOutsideIsTold() throws {
    var removal = try #require(CauseRemoval([cause()]))
    var faults: [CauseFault] = []
    for step in 0..<50 {
      var sample = sample(Double(step) / 10, 25)
      #expect(removal.remove(from: &sample) == 15)
      #expect(sample.field?.microtesla.x == -5)
      while let fault = removal.nextFault() { faults.append(fault) }
    }
    #expect(faults == [.outside("current_A", value: 25, range: 0...20)])
  }

  /// A column that comes 0.2 s early waits; one that comes late may have changed by what it did before.
  @Test func lagsAreFollowed() throws {
    var early = try #require(CauseRemoval([cause(lag: -0.2)]))
    var late = try #require(CauseRemoval([cause(lag: 0.2)]))
    for step in 0..<20 {
      let time = Double(step) / 10
      var (one, other) = (sample(time, 10 * time), sample(time, 10 * time))
      let (openEarly, openLate) = (early.remove(from: &one), late.remove(from: &other))
      guard step > 3 else { continue }
      #expect(openEarly == 0 && abs(openLate - 6) < 1e-4)
      #expect(abs((one.field?.microtesla.x ?? 0) - (10 - (10 * (time - 0.2) - 10))) < 1e-4)
      #expect(abs((other.field?.microtesla.x ?? 0) - (10 - (10 * time - 10))) < 1e-4)
    }
  }

  @Test func theChipsTemperatureIsACause() throws {
    var removal = try #require(CauseRemoval([cause(name: "temperature")]))
    var sample = Sample(time: 0, field: MagneticField(microtesla: .zero), temperature: 12)
    #expect(removal.remove(from: &sample) == 0 && sample.field?.microtesla == Vector3(-2, 4, -4))
  }
}
