import Lodestone
import LodestoneCore
import LodestonePorts
import Support
import Testing

/// Sessions give a program what the command gives its user.
@Suite struct SessionTests {
  /// A level board whose top points east: 20 µT to the north is along −x, 43 µT down.
  private static func recording(rows: Int, in folder: String) throws -> String {
    let path = folder + "/east.csv"
    var text = "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n"
    for row in 0..<rows { text += "\(Double(row) / 10),-20,\(row % 2),-43,0,0,1\n" }
    try CommandRun.write(text, to: path)
    return path
  }

  @Test func headingsComeOneByOneAndEnd() throws {
    try TemporaryFolder.with { folder in
      let compass = try CompassSession(
        device: Self.recording(rows: 5, in: folder), place: Place(latitude: 48.2, longitude: 16.37), profile: .none)
      var notices: [InstrumentNotice] = []
      compass.onNotice = { if case .instrument(let notice) = $0 { notices.append(notice) } }
      var headings: [HeadingReading] = []
      while let reading = try compass.next() { headings.append(reading) }
      #expect(headings.map { $0.time } == [0, 0.1, 0.2, 0.3, 0.4])
      for reading in headings {
        let heading = try #require(reading.magneticHeading)
        #expect(abs(heading.degrees - 90) < 3)
        #expect(try #require(reading.trueHeading).degrees > heading.degrees + 4)
      }
      #expect(notices == [.uncalibrated])
      #expect(try compass.next() == nil)
    }
  }

  /// A receiver that tells the place and falls silent is not the compass: its headings go on, and hold.
  @Test func aSilentReceiverIsNotTheDevice() throws {
    let receiver = try PseudoTerminal()
    var options = SessionOptions(place: nil, profile: .none)
    let address = receiver.path + "?protocol=nmea"
    options.location = address
    let compass = try CompassSession(Devices.open("sim:?motion=still&rate=20"), Compass.Settings(), options)
    var names: [String] = []
    var hasEnded = false
    compass.onNotice = { notice in
      if case .beside(let name, .stream(.silent)) = notice { names.append(name) }
      if notice.endsReadings { hasEnded = true }
    }
    while names.isEmpty, let reading = try compass.next(), reading.time < 20 {}
    #expect(names == [address] && !hasEnded)
  }

  @Test func theSequenceGivesTheSameReadings() async throws {
    let device = "sim:?motion=spin&speed=max&seed=3"
    var expected: [HeadingReading] = []
    let one = try CompassSession(device: device, profile: .none)
    while expected.count < 20, let reading = try one.next() { expected.append(reading) }
    var readings: [HeadingReading] = []
    for try await reading in try CompassSession(device: device, profile: .none).readings {
      readings.append(reading)
      if readings.count == 20 { break }
    }
    #expect(readings == expected)
  }

  /// A task that is cancelled does not wait for a device that says nothing.
  @Test func aCancelledTaskStopsWaiting() async throws {
    let board = try PseudoTerminal()
    let task = Task {
      var count = 0
      for try await _ in try CompassSession(device: board.path, profile: .none).readings { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value == 0)
  }

  /// Nor does it take what has come.
  @Test func aCancelledTaskTakesNothingMore() async throws {
    let task = Task {
      var count = 0
      for try await _ in try CompassSession(device: "sim:?speed=max", profile: .none).readings {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }
    #expect(try await task.value == 1)
  }

  /// A device that always has more ends all the same.
  @Test func aStopEndsTheReadings() throws {
    let session = try CompassSession(device: "sim:?speed=max", profile: .none)
    #expect(try session.next() != nil)
    session.stop()
    #expect(try session.next() == nil)
    #expect(try session.next() != nil)
  }

  @Test func aFieldIsMeasuredAgainstItsZeroPoint() throws {
    let meter = try TeslameterSession(
      device: "sim:?motion=still&speed=max&magnet=0,0,400@10&soft=0&misalignment=0", profile: .none)
    var zeros = 0
    meter.onNotice = { if case .instrument(.zeroed) = $0 { zeros += 1 } }
    var peak = 0.0
    while let reading = try meter.next(), reading.time < 20 { peak = reading.peak ?? peak }
    #expect(zeros == 1)
    #expect(abs(peak - 400) < 4)
  }

  @Test func aRecordingThatIsTooShortHasNoZeroPoint() throws {
    try TemporaryFolder.with { folder in
      let meter = try TeslameterSession(device: Self.recording(rows: 5, in: folder), profile: .none)
      #expect(throws: SessionError.noZeroPoint(.ended)) { try meter.next() }
    }
  }

  @Test func aSweepBecomesAProfileThatHeadingsUse() throws {
    let sweep = try CalibrationSession(device: "sim:?motion=figure-eight&seed=3&speed=max", duration: 75)
    _ = try sweep.run()
    let result = try #require(sweep.outcome().result)
    #expect(result.quality.verdict == .good)
    try TemporaryFolder.with { folder in
      let path = folder + "/profile.json"
      try Profile(result, device: "sim", created: 0).write(to: path)
      let compass = try CompassSession(device: "sim:?motion=spin&seed=8&speed=max", profile: .file(path))
      let reading = try #require(try compass.next())
      #expect([.good, .fair].contains(reading.quality))
    }
  }

  /// A receiver that goes east along the equator, an arc minute (1855.325 m) each minute.
  private static func track() throws -> LocationSession {
    let text = (0..<5).map { minute in
      NMEASentenceText.sentence("GPRMC,120\(minute)00,A,0000.000,N,0100\(minute).000,E,,,221126,,,A")
    }.joined()
    return try TemporaryFolder.with { folder in
      try CommandRun.write(text, to: folder + "/track.nmea")
      return try LocationSession(device: folder + "/track.nmea")
    }
  }

  @Test func aReceiverIsFollowed() async throws {
    let location = try Self.track()
    var readings: [LocationReading] = []
    while let reading = try location.next() { readings.append(reading) }
    #expect(readings.count == 5)
    for (minute, reading) in readings.enumerated() {
      #expect(abs(try #require(reading.distance) - Double(minute) * 1855.325) < 0.002)
      #expect(reading.bearing == (minute == 0 ? nil : 90))
    }
    var again: [LocationReading] = []
    for try await reading in try Self.track().readings { again.append(reading) }
    #expect(again == readings)
  }

  @Test func aDeviceOfSamplesIsNoReceiver() {
    #expect {
      try LocationSession(device: "sim:")
    } throws: { error in
      if case StreamError.noReceiver = error { true } else { false }
    }
  }

  @Test func whatIsNotThereIsSaid() {
    #expect(throws: StreamError.self) { try CompassSession(device: "/no/such/device") }
    #expect(throws: (any Error).self) { try CompassSession(device: "sim:", profile: .file("/no/such/profile.json")) }
  }
}
