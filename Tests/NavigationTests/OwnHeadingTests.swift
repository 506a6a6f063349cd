import Calibration
import LodestoneCore
import Navigation
import Testing

/// Headings that a board computes itself: they stand in for ours where no calibration makes better ones.
@Suite struct OwnHeadingTests {
  private static let own = OwnHeading(magnetic: Heading(degrees: 123), pitch: 4, roll: -5)

  /// A level board that points to magnetic north, and says that it points to 123°.
  private static func sample(at time: Double, field: Bool = true, own: OwnHeading? = own) -> Sample {
    Sample(
      time: time, field: field ? MagneticField(microtesla: 0, 20, -44) : nil,
      acceleration: Acceleration(g: Vector3(0, 0, 1)), own: own)
  }

  private static func read(_ samples: [Sample], profile: Profile? = nil) -> [HeadingReading] {
    var compass = Compass(profile: profile)
    let frame = DeviceFrame(profile)
    return samples.compactMap { compass.read(frame.read($0)) }
  }

  @Test func withoutACalibrationTheyArePassedOn() throws {
    let reading = try #require(Self.read([Self.sample(at: 0)]).first)
    #expect(reading.quality == .device && reading.magneticHeading?.degrees == 123)
    #expect(reading.pitch == 4 && reading.roll == -5)
    #expect(reading.accuracy == nil)
    #expect(abs((reading.field?.strength ?? 0) - 48.33) < 0.01)
  }

  @Test func aCalibrationIsBetter() throws {
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: 48.3,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    let reading = try #require(Self.read([Self.sample(at: 0)], profile: profile).first)
    #expect(reading.quality != .device && reading.accuracy != nil)
    #expect(abs(Angle.shortestTurn(from: 0, to: reading.magneticHeading?.degrees ?? .nan)) < 0.01)
  }

  /// A device's heading within 2°, where the declination is sure to 3° (one standard deviation): 1.96 · 3 = 5.88, and
  /// √(2² + 5.88²) = 6.21.
  @Test(arguments: [(true, false, 6.21), (false, true, 6.21), (true, true, 2)])
  func theOtherNorthIsAsUnsureAsTheDeclination(_ isMagnetic: Bool, _ isTrue: Bool, _ expected: Double) throws {
    var compass = Compass()
    compass.follow(EarthReference(declination: Declination(degrees: -40)))
    compass.declinationUncertainty = 3
    var own = OwnHeading(
      magnetic: isMagnetic ? Heading(degrees: 10) : nil, trueNorth: isTrue ? Heading(degrees: 330) : nil)
    own.accuracy = 2
    let reading = compass.read(DeviceFrame().read(Self.sample(at: 0, field: false, own: own)))
    #expect(reading?.magneticHeading?.degrees == 10 && reading?.trueHeading?.degrees == 330)
    #expect(abs(try #require(reading?.accuracy) - expected) < 0.01)
  }

  /// Fields and headings in messages of their own make one kind of lines, as long as headings come.
  @Test func fieldsBetweenThemAreNoHeadings() {
    let samples = [
      Self.sample(at: 0, field: false), Self.sample(at: 0.1, own: nil), Self.sample(at: 0.2, field: false),
      Self.sample(at: 1.5, own: nil), Self.sample(at: 2.5, own: nil),
    ]
    let readings = Self.read(samples)
    #expect(readings.map { $0.time } == [0, 0.2, 2.5])
    #expect(readings.map { $0.quality } == [.device, .device, .uncalibrated])
  }

  /// 10° and 350° in turn, smoothed over a long time, are north: of true headings as of magnetic ones.
  @Test(arguments: [false, true])
  func trueHeadingsAreSmoothedToo(_ isTrue: Bool) throws {
    var settings = Compass.Settings()
    settings.smoothing = 20
    var compass = Compass(settings)
    var last: HeadingReading?
    for second in 0..<200 {
      let degrees = second % 2 == 0 ? 10.0 : 350
      var own = OwnHeading()
      if isTrue { own.trueNorth = Heading(degrees: degrees) } else { own.magnetic = Heading(degrees: degrees) }
      last = compass.read(DeviceFrame().read(Self.sample(at: Double(second), field: false, own: own)))
    }
    let told = isTrue ? last?.trueHeading?.degrees : last?.magneticHeading?.degrees
    #expect(abs(Angle.shortestTurn(from: 0, to: try #require(told))) < 1)
  }

  /// An attitude alone is no heading.
  @Test func aTiltAloneIsNotPassedOn() {
    let readings = Self.read([Self.sample(at: 0, own: OwnHeading(pitch: 4, roll: -5))])
    #expect(readings.map { $0.quality } == [.uncalibrated])
  }

  /// The notices of thirty headings of a device, and of its end.
  private static func notices(
    _ settings: Compass.Settings = .init(), profile: Profile? = nil, mounting: Mounting = .aligned,
    _ sample: (Double) -> Sample
  ) -> (while: [InstrumentNotice], atEnd: InstrumentNotice?) {
    var compass = Compass(settings, profile: profile, mounting: mounting)
    let frame = DeviceFrame(profile, mounting: mounting)
    let told = (0..<30).compactMap { index in
      _ = compass.read(frame.read(sample(Double(index) / 10)))
      return compass.nextNotice()
    }
    return (told, compass.end())
  }

  /// A mounting, or an orientation, turns no heading that the device computed: that is told, once.
  @Test func settingsThatChangeNothingAreTold() throws {
    let quarter = try Mounting("-y,x,z")
    var pinned = Compass.Settings()
    (pinned.orientation, pinned.pointing) = (.portrait, .back)
    let alone = { Self.sample(at: $0, field: false) }
    let told = Self.notices(pinned, mounting: quarter, alone)
    #expect(told.while == [.settingsIdle([.mounting, .orientation, .pointing])] && told.atEnd == nil)
    #expect(Self.notices(mounting: quarter) { Self.sample(at: $0) }.while == [.settingsIdle([.mounting])])
    let nothing = Self.notices { alone($0) }
    #expect(nothing.while.isEmpty && nothing.atEnd == nil)
  }

  @Test func fewHeadingsTellItAtTheEnd() throws {
    var compass = Compass(mounting: try Mounting("-y,x,z"))
    _ = compass.read(DeviceFrame().read(Self.sample(at: 0, field: false)))
    #expect(compass.nextNotice() == nil && compass.end() == .settingsIdle([.mounting]))
  }

  /// A field that comes more seldom than headings is what a calibration and a mounting are for.
  @Test func settingsOfAFieldAreInUse() throws {
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: 48.3,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    let told = Self.notices(profile: profile, mounting: try Mounting("-y,x,z")) { time in
      Self.sample(at: time, field: time > 1)
    }
    #expect(told.while.isEmpty && told.atEnd == nil)
  }

  @Test func itIsSaidOnce() {
    var watch = CalibrationWatch(nil)
    let frame = DeviceFrame(nil)
    #expect(watch.see(frame.read(Self.sample(at: 0))) == [.ownHeadings])
    #expect(watch.see(frame.read(Self.sample(at: 0.1))) == [])
    var other = CalibrationWatch(nil)
    #expect(other.see(frame.read(Self.sample(at: 0, own: nil))) == [.uncalibrated])
  }
}
