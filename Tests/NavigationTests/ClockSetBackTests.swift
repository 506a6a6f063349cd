import Glibc
import Instruments
import LodestoneCore
import Navigation
import Testing

/// A recording whose clock is set back, by an hour at the end of summer time or to zero as its board is started again,
/// is read on.
@Suite struct ClockSetBackTests {
  /// The time of a sample so many seconds after the first, of a clock that is set back by an hour at one of them.
  private static func time(_ seconds: Double, setBackAt moment: Double) -> Double {
    7200 + seconds - (seconds < moment ? 0 : 3600)
  }

  /// Still, and shaken along x for the last second before the clock is set back, and for the last of all.
  @Test(arguments: [100.0, 900, 2000])
  func motionIsTold(_ back: Double) {
    var motion = Motion()
    var (readings, shakes) = (0, 0)
    for half in 0..<2 {
      for step in 0..<1000 {
        let time = 2000 + Double(step) * 0.01 - Double(half) * back
        let push = step < 900 ? 0 : step / 10 % 2 == 0 ? 2.0 : -2
        let sample = DeviceSample(time: time, acceleration: Acceleration(g: Vector3(push, 0, 1)))
        guard let reading = motion.read(sample) else { continue }
        readings += 1
        if reading.event?.kind == .shake { shakes += 1 }
      }
    }
    #expect((1798...1802).contains(readings) && shakes == 2, "\(readings), \(shakes)")
  }

  /// A board that is laid down and begins to count again half a second later: it rests from then on.
  @Test func aRestIsTold() throws {
    var watch = EventWatch<LevelReading>([try #require(EventTrigger("still"))])
    var told: [Double] = []
    for begin in [1000.0, 0] {
      for step in 0..<60 {
        var reading = LevelReading()
        (reading.time, reading.pitch) = (begin + Double(step) / 10, begin > 0 && step < 55 ? 0 : 20)
        if !watch.events(of: reading).isEmpty { told.append(reading.time) }
      }
    }
    #expect(told.count == 2, "\(told)")
  }

  /// A heading that is no longer trusted from half a second before on is let through a second later.
  @Test func aHeadingThatIsNotTrustedIsTold() {
    var filter = HeadingFilter(turn: 5)
    var told: [Double] = []
    for step in 0..<80 {
      let time = Self.time(Double(step) / 10, setBackAt: 5)
      var reading = HeadingReading(time: time, quality: step < 45 ? .good : .disturbed)
      reading.magneticHeading = Heading(degrees: 10)
      if filter.passes(reading) { told.append(Double(step) / 10) }
    }
    #expect(told.first == 0 && told.count == 2 && (told.last ?? 9) < 6.5, "\(told)")
  }

  /// While the zero-point is taken, and after: the ± grows with its age as it does by a clock that nobody sets.
  @Test(arguments: [1.0, 60], [false, true])
  func theZeroPointGrowsOlder(_ moment: Double, _ isProbe: Bool) throws {
    var random = RandomNumbers(seed: 3)
    var (steady, setBack) = (Teslameter(), Teslameter())
    var (count, last): (Int, (FieldReading, FieldReading)?) = (0, nil)
    for step in 0..<12_000 {
      let seconds = Double(step) / 50
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.1
      let field = Vector3(seconds < 100 ? 0 : 30, 20, -43) + noise
      var sample = Sample(time: 7200 + seconds, field: isProbe ? nil : MagneticField(microtesla: field))
      if isProbe { sample.alongProbe = field.x }
      let one = steady.read(DeviceFrame().read(sample))
      sample.time = Self.time(seconds, setBackAt: moment)
      let other = setBack.read(DeviceFrame().read(sample))
      guard let one, let other else { continue }
      #expect(other.time == sample.time)
      (count, last) = (count + 1, (one, other))
    }
    let (one, other) = try #require(last)
    #expect(count > 11_000)
    #expect(abs(try #require(one.uncertainty) - (try #require(other.uncertainty))) < 0.01)
  }

  /// A window of what alternates begins again where the clock is set back.
  @Test func windowsGoOn() {
    var meter = AlternatingField()
    var windows: [Double] = []
    for step in 0..<5000 {
      let seconds = Double(step) / 250
      let field = Vector3(5 * sin(2 * .pi * 50 * seconds), 20, -43)
      let sample = Sample(time: Self.time(seconds, setBackAt: 10.4), field: MagneticField(microtesla: field))
      if let reading = meter.read(DeviceFrame().read(sample)) { windows.append(reading.rms ?? 0) }
    }
    #expect((18...20).contains(windows.count) && windows.allSatisfy { abs($0 - 3.536) < 0.01 }, "\(windows)")
  }

  @Test func aTiltIsTakenForLevel() {
    var settings = Level.Settings()
    settings.zeroesAtStart = true
    var level = Level(settings)
    let readings = (0..<300).compactMap { step in
      level.read(
        DeviceSample(
          time: Self.time(Double(step) / 100, setBackAt: 0.5), acceleration: Acceleration(g: Vector3(0, 0.1, 1))))
    }
    #expect(readings.count > 100 && readings.allSatisfy { abs($0.pitch) < 0.01 })
  }
}
