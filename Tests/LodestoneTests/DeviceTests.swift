import Drivers
import Glibc
import Lodestone
import LodestoneCore
import Support
import Testing

/// A device gives any number of instruments the same samples, and a program hears of everything.
@Suite struct DeviceTests {
  /// A level board whose top points east, ten samples a second: 20 µT to the north is along −x, 43 µT down.
  private static func recording(_ rows: Int, hasForce: Bool = true, in folder: String) throws -> String {
    let path = folder + "/east.csv"
    var text = "time_s,mx_uT,my_uT,mz_uT" + (hasForce ? ",ax_g,ay_g,az_g\n" : "\n")
    for row in 0..<rows {
      text += "\(Double(row) / 10),-20,\(Double(row % 2) / 10),-43" + (hasForce ? ",0,0,1\n" : "\n")
    }
    try CommandRun.write(text, to: path)
    return path
  }

  private static func with(_ rows: Int, hasForce: Bool = true, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { try body(recording(rows, hasForce: hasForce, in: $0)) }
  }

  private static func device(_ path: String, mounting: Mounting = .aligned) throws -> Device {
    try Device(path, profile: .none, mounting: mounting)
  }

  @Test func eachInstrumentReadsWhatItWouldReadAlone() throws {
    try Self.with(30) { path in
      let alone = try CompassSession(device: path, profile: .none)
      var expected: [HeadingReading] = []
      while let reading = try alone.next() { expected.append(reading) }
      let device = try Self.device(path)
      let (compass, level) = (device.attach(Compass.self), device.attach(Level.self))
      var (headings, levels) = ([HeadingReading](), 0)
      while let event = try device.next() {
        if let reading = event.reading(of: compass) { headings.append(reading) }
        if event.reading(of: level) != nil { levels += 1 }
      }
      #expect(headings == expected && headings.count == 30)
      #expect(levels == 30)
    }
  }

  @Test func theNoticesOfEachArrive() throws {
    try Self.with(60) { path in
      let device = try Self.device(path)
      device.attach(Compass.self)
      device.attach(Teslameter.self)
      var (told, called) = ([InstrumentNotice](), 0)
      device.onNotice = { if case .instrument = $0 { called += 1 } }
      while let event = try device.next() { if case .notice(.instrument(let notice)) = event { told.append(notice) } }
      #expect(told.contains(.uncalibrated))
      #expect(told.contains { if case .zeroed = $0 { true } else { false } })
      #expect(called == told.count)
    }
  }

  /// Both compasses find that nothing tells where up is; that is said once.
  @Test func whatTwoInstrumentsFindIsSaidOnce() throws {
    try Self.with(20, hasForce: false) { path in
      let device = try Self.device(path)
      device.attach(Compass.self)
      device.attach(Compass.self)
      var told: [InstrumentNotice] = []
      while let event = try device.next() { if case .notice(.instrument(let notice)) = event { told.append(notice) } }
      #expect(told.filter { $0 == .assumedLevel }.count == 1, "\(told)")
    }
  }

  @Test func thinningIsAnAttachmentsOwn() throws {
    try Self.with(50) { path in
      let device = try Self.device(path)
      let all = device.attach(Compass.self), few = device.attach(Compass.self, rate: 1)
      var counts = (all: 0, few: 0)
      while let event = try device.next() {
        if event.reading(of: all) != nil { counts.all += 1 }
        if event.reading(of: few) != nil { counts.few += 1 }
      }
      #expect(counts.all == 50 && counts.few == 5)
      #expect(few.reading.time == 4.9 && few.latest == nil)
    }
  }

  @Test func eventsPassWhateverTheRate() throws {
    try TemporaryFolder.with { folder in
      var text = "time_s,ax_g,ay_g,az_g\n"
      for row in 0..<400 { text += "\(Double(row) / 50),0,0,\((200..<215).contains(row) ? 0 : 1)\n" }
      try CommandRun.write(text, to: folder + "/fall.csv")
      let session = try MotionSession(device: folder + "/fall.csv", profile: .none)
      session.attachment.rate = 0.01
      var readings: [MotionReading] = []
      while let reading = try session.next() { readings.append(reading) }
      #expect(readings.contains { $0.event != nil })
      #expect(readings.filter { $0.event == nil }.count <= 1)
    }
  }

  /// What was looked at beforehand is read all the same.
  @Test(arguments: [true, false])
  func aDeviceTellsWhatItHas(hasForce: Bool) throws {
    try Self.with(20, hasForce: hasForce) { path in
      let device = try Self.device(path)
      #expect(try device.tells() == (hasForce ? [.field, .strength, .acceleration] : [.field, .strength]))
      #expect(try !device.tells().tellAttitude)
      let compass = device.attach(Compass.self)
      var times: [Double] = []
      while let event = try device.next() { if let reading = event.reading(of: compass) { times.append(reading.time) } }
      #expect(times == (0..<20).map { Double($0) / 10 })
    }
  }

  @Test func rawSamplesAreInTheChipsAxes() throws {
    try Self.with(3) { path in
      let device = try Self.device(path, mounting: Mounting("-y,x,z"))
      let sample = try #require(try device.nextSample())
      #expect(sample.field?.microtesla == Vector3(-20, 0, -43))
      #expect(device.sample.field?.field.microtesla != sample.field?.microtesla)
    }
  }

  @Test func whoIsDetachedReadsNoLonger() throws {
    try Self.with(10) { path in
      let device = try Self.device(path)
      let (first, second) = (device.attach(Compass.self), device.attach(Compass.self))
      var counts = (first: 0, second: 0)
      while let event = try device.next() {
        if event.reading(of: first) != nil { counts.first += 1 }
        if event.reading(of: second) != nil { counts.second += 1 }
        if counts.second == 4 { device.detach(second) }
      }
      #expect(counts.first == 10 && counts.second == 4)
      #expect(second.reading.time == 0.3)
    }
  }

  /// A board without an accelerometer is of use to one of the two.
  @Test func oneInstrumentThatCanUseItIsEnough() throws {
    try Self.with(50, hasForce: false) { path in
      let device = try Self.device(path)
      device.attach(Level.self)
      device.attach(Compass.self)
      while try device.next() != nil {}
      let level = try Self.device(path)
      level.attach(Level.self)
      #expect(throws: SessionError.nothingOfUse(tells: [.field, .strength], needs: Level.needs)) {
        while try level.next() != nil {}
      }
    }
  }

  /// A receiver's date is no long silence, and headings that come after its positions are of use.
  @Test func headingsAfterPositionsAreNotInVain() throws {
    try TemporaryFolder.with { folder in
      let lines = [
        "$GPGLL,5310.8115,N,00525.7025,E,195719,A,A*4D",
        "$GPRMC,195719,A,5310.8115,N,00525.7025,E,0.0,0.0,160414,0.7,E,A*10",
        "$SDHDG,181.7,,,0.6,E*3C", "$SDHDG,181.8,,,0.6,E*33",
      ]
      try CommandRun.write(lines.map { $0 + "\r\n" }.joined(), to: folder + "/bridge.nmea")
      let device = try Self.device(folder + "/bridge.nmea")
      let compass = device.attach(Compass.self)
      var (headings, useless) = ([Double](), 0)
      while let event = try device.next() {
        if let heading = event.reading(of: compass)?.magneticHeading {
          headings.append((heading.degrees * 10).rounded() / 10)
        }
        if case .notice(.instrument(.nothingOfUse)) = event { useless += 1 }
      }
      #expect(headings == [181.7, 181.8] && useless == 0)
    }
  }

  @Test func whatComesAfterTheUserWasToldCountsToo() {
    var parts = PartsWatch(needed: .heading)
    let told = [0.0, 1, 4, 5].map { parts.see(.field, at: $0) }
    #expect(told == [false, false, true, false] && parts.isInVain && !parts.isOver)
    let isUseless = parts.see(.heading, at: 6)
    #expect(!isUseless && !parts.isInVain && parts.isOver)
  }

  /// A program that shows the place keeps it, and it moves on.
  @Test func aPlaceOutlivesItsDevice() throws {
    let place = try Device("sim:?speed=max", profile: .none).place
    place.move(to: Position(Coordinate(latitude: 48.2, longitude: 16.37), unixTime: 1_790_000_000))
    #expect(place.earth != nil)
  }

  @Test func eventsComeAsASequenceToo() async throws {
    let device = try Device("sim:?speed=max", profile: .none)
    let compass = device.attach(Compass.self)
    var count = 0
    for try await event in device.allEvents where event.reading(of: compass) != nil {
      count += 1
      if count == 10 { break }
    }
    #expect(count == 10)
  }
}

/// Sources that a program brings along.
@Suite struct SampleSourceTests {
  private struct Failure: Error, CustomStringConvertible { let description = "the cable is cut" }

  /// A count of samples, and then an end or an error.
  private struct Counted: SampleSource {
    var left: Int
    var fails = false

    mutating func next(into sample: inout Sample) throws -> Bool {
      guard left > 0 else {
        if fails { throw Failure() }
        return false
      }
      left -= 1
      sample = Sample(time: Double(10 - left), field: MagneticField(microtesla: 0, 20, -43))
      return true
    }
  }

  /// A source with a descriptor: a sample for each byte of a pipe.
  private struct Piped: SampleSource {
    let descriptor: Int32?
    var count = 0.0

    mutating func next(into sample: inout Sample) -> Bool {
      var byte: UInt8 = 0
      guard let descriptor, read(descriptor, &byte, 1) == 1 else { return false }
      count += 1
      sample = Sample(time: count, field: MagneticField(microtesla: Double(byte), 0, 0))
      return true
    }
  }

  @Test func itIsReadToItsEnd() throws {
    let device = try Device(source: Counted(left: 5), profile: .none)
    #expect(device.stream.identity == "Counted" && device.stream.isLive)
    var times: [Double] = []
    while let sample = try device.nextSample() { times.append(sample.time) }
    #expect(times == [6, 7, 8, 9, 10])
  }

  /// A sensor's library that gives NaN for what it missed.
  private struct Lapsing: SampleSource {
    var values = [Double.nan, .infinity, 20]

    mutating func next(into sample: inout Sample) -> Bool {
      guard !values.isEmpty else { return false }
      let value = values.removeFirst()
      sample = Sample(
        time: Double(3 - values.count), field: MagneticField(microtesla: 0, value, -43),
        acceleration: Acceleration(g: Vector3(0, 0, value / 20)),
        rotationRate: RotationRate(degreesPerSecond: Vector3(value, 0, 0)), temperature: value,
        own: OwnHeading(
          magnetic: Heading(degrees: value), trueNorth: Heading(degrees: value), pitch: value, roll: value,
          rateOfTurn: value))
      sample.own?.accuracy = value
      return true
    }
  }

  @Test func whatIsNotFiniteIsAbsent() throws {
    let device = try Device(source: Lapsing(), profile: .none)
    let compass = device.attach(Compass.self)
    var samples: [Sample] = []
    var strengths: [Double?] = []
    let nothing = OwnHeading()
    while let event = try device.next() {
      guard case .sample = event else { continue }
      samples.append(device.raw)
      strengths.append(event.reading(of: compass)?.field?.strength)
    }
    #expect(samples.map { $0.field != nil } == [false, false, true])
    #expect(samples.map { $0.acceleration != nil } == [false, false, true])
    #expect(samples.map { $0.rotationRate != nil } == [false, false, true])
    #expect(samples.map { $0.temperature != nil } == [false, false, true])
    #expect(samples.map { $0.own == nothing } == [true, true, false])
    #expect(strengths.dropLast().allSatisfy { $0 == nil } && strengths.last != .some(nil))
  }

  @Test func itsErrorIsToldWithItsName() throws {
    let device = try Device(source: Counted(left: 2, fails: true), profile: .none)
    #expect(throws: StreamError.source("Counted", reason: "the cable is cut")) {
      while try device.nextSample() != nil {}
    }
  }

  @Test func aDescriptorIsWaitedFor() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let bytes: [UInt8] = [20, 21, 22]
    #expect(write(ends[1], bytes, 3) == 3)
    close(ends[1])
    let device = try Device(source: Piped(descriptor: ends[0]), profile: .none)
    var fields: [Double] = []
    while let sample = try device.nextSample() { fields.append(sample.field?.microtesla.x ?? 0) }
    #expect(fields == [20, 21, 22])
    close(ends[0])
  }

  /// A bus on which nobody answers.
  private struct EmptyBus: I2CBus {
    func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) { throw .addressNotAcknowledged(address) }
    func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] { throw .addressNotAcknowledged(address) }
    func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
      throw .addressNotAcknowledged(address)
    }
    func wait(milliseconds: Double) {}
  }

  @Test func aChipThatIsNotThereIsToldApart() {
    #expect(throws: StreamError.noChip("bus", wanted: "lis3mdl", found: [])) {
      try ChipSource("lis3mdl", on: EmptyBus())
    }
    #expect {
      try ChipSource("nothing", on: EmptyBus())
    } throws: { error in
      if case StreamError.badAddress("nothing", .unknownName) = error { true } else { false }
    }
  }

  @Test func membersOfAProgramComeFirst() {
    let registry = Registry(["a", "b"])
    #expect(registry.all == ["a", "b"])
    registry.add("c")
    registry.add("d")
    #expect(registry.all == ["d", "c", "a", "b"])
  }
}
