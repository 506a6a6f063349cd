import Glibc
import LodestoneCore
import Instruments
import Navigation
import Support
import Testing

/// What is no gesture, and what is one of its own: turns, the stop of a push, falls, steps.
@Suite struct MotionFalseTests {
  /// Samples of a board at 100 Hz by its attitude (device to world) and its acceleration in the device's axes, in g.
  private static func events(
    _ seconds: Double, _ settings: Motion.Settings = .init(), hasGyroscope: Bool = true,
    attitude: (Double) -> Quaternion = { _ in .identity }, push: (Double) -> Vector3 = { _ in .zero }
  ) -> [(time: Double, event: MotionReading.Event, steps: Int)] {
    var motion = Motion(settings)
    var random = RandomNumbers(seed: 7)
    let frame = DeviceFrame()
    var before = attitude(0)
    var events: [(Double, MotionReading.Event, Int)] = []
    for step in 0..<Int(seconds * 100) {
      let time = Double(step) / 100
      let now = attitude(time)
      let turn = (before.conjugate * now).rotationVector * (100 * 180 / Double.pi)
      before = now
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.004
      let sample = Sample(
        time: time, field: MagneticField(microtesla: now.conjugate * Vector3(0, 20, -43)),
        acceleration: Acceleration(g: now.conjugate * Vector3(0, 0, 1) + push(time) + noise),
        rotationRate: hasGyroscope ? RotationRate(degreesPerSecond: turn) : nil)
      guard let reading = motion.read(frame.read(sample)), let event = reading.event else { continue }
      events.append((time, event, reading.steps))
    }
    return events
  }

  /// A hand that shakes a board faster than anybody walks, for two seconds.
  @Test(arguments: [Vector3(0.87, -0.5, 0), Vector3(0, 0, 1)], [true, false])
  func aFastShakeIsNoWalk(along axis: Vector3, hasGyroscope: Bool) {
    let events = Self.events(
      9, hasGyroscope: hasGyroscope,
      push: { (3..<5).contains($0) ? axis * (2.2 * sin(2 * Double.pi * 4 * $0)) : .zero })
    #expect(events.contains { $0.event.kind == .shake })
    #expect(events.allSatisfy { $0.event.kind != .step && $0.steps == 0 }, "\(events)")
  }

  /// Turns of 60° in 1.5 s about axes all round, one every 4 s.
  private static func turned(_ time: Double) -> Quaternion {
    var attitude = Quaternion.identity
    for index in 0..<60 {
      let share = (time - 3 - 4 * Double(index)) / 1.5
      guard share > 0 else { break }
      let smooth = share >= 1 ? 1 : share * share * (3 - 2 * share)
      let (longitude, height) = (Double(index) * 2.4, Double(index % 7) / 3.5 - 0.86)
      let level = (1 - height * height).squareRoot()
      let axis = Vector3(level * cos(longitude), level * sin(longitude), height)
      attitude = attitude * Quaternion(angle: .pi / 3 * smooth, about: axis)
    }
    return attitude
  }

  @Test(arguments: [true, false])
  func aTurnIsNoMovement(_ hasGyroscope: Bool) {
    let events = Self.events(243, hasGyroscope: hasGyroscope, attitude: Self.turned)
    #expect(events.allSatisfy { $0.event.kind == .orientation }, "\(events)")
    #expect(events.count > 10)
  }

  /// A push to the right of 0.25 s, a moment without a force, and its stop; every 3 s.
  private static func coasting(_ time: Double, _ strength: Double) -> Vector3 {
    let age = fmod(time, 3)
    guard time > 3, age < 0.75 else { return .zero }
    let force = age < 0.25 ? sin(.pi * age / 0.25) : age > 0.5 ? -sin(.pi * (age - 0.5) / 0.25) : 0
    return Vector3(strength * force, 0, 0)
  }

  /// Carried, turned about in a hand and driven: one event at most that nobody made, in an hour of each.
  @Test(arguments: ["walk", "turning", "handled", "bends"]) func aRideIsNoGesture(_ name: String) throws {
    let rides = ["walk": Ride.walk, "turning": Ride.turning, "handled": Ride.handled, "bends": Ride.bends]
    let kind = try #require(rides[name])
    var told: [MotionReading.Event.Kind: Int] = [:]
    var seconds = 0.0
    var seed: UInt64 = 300
    while seconds < 360 * Double(Endurance.factor) {
      seed += 1
      var random = RandomNumbers(seed: seed)
      let ride = kind(&random)
      var settings = VirtualBreakout.Settings()
      (settings.seed, settings.rate, settings.hasGyroscope) = (seed, 100, seed % 2 == 0)
      var motion = Motion()
      let frame = DeviceFrame()
      for moment in ride.moments(settings, seed: seed) {
        if let event = motion.read(frame.read(moment.sample))?.event { told[event.kind, default: 0] += 1 }
      }
      seconds += ride.duration
    }
    let gestures = [.movement, .shake, .freeFall].compactMap { told[$0] }.reduce(0, +)
    #expect(Double(gestures) <= max(1, seconds / 3600), "\(name): \(told) in \(seconds) s")
  }

  @Test(arguments: [0.5, 1, 2], [true, false])
  func theStopOfAPushIsNoSecondMovement(_ strength: Double, _ hasGyroscope: Bool) {
    let events = Self.events(63, hasGyroscope: hasGyroscope, push: { Self.coasting($0, strength) })
    let movements = events.filter { $0.event.kind == .movement }
    #expect(movements.count == 20)
    #expect(movements.allSatisfy { $0.event.direction == .right })
  }

  @Test func axesThatAreLeftOutAndGentlePushesSayNothing() {
    var settings = Motion.Settings()
    settings.axes = MotionAxes("yz") ?? .all
    #expect(Self.events(30, settings, push: { Self.coasting($0, 1) }).isEmpty)
    settings = Motion.Settings()
    settings.movementThreshold = 1.2
    #expect(Self.events(30, settings, push: { Self.coasting($0, 1) }).isEmpty)
    #expect(MotionAxes("xx") == nil && MotionAxes("") == nil && MotionAxes("w") == nil)
  }

  /// Dropped by 45 cm: 0.3 s without weight.
  @Test func freeFallIsToldOnceAfterATenthOfASecond() {
    let events = Self.events(8, push: { $0 >= 5 && $0 < 5.3 ? Vector3(0, 0, -1) : .zero })
    let falls = events.filter { $0.event.kind == .freeFall }
    #expect(falls.count == 1)
    #expect(falls.allSatisfy { abs($0.time - 5.1) < 0.021 })
    #expect(!events.contains { $0.event.kind == .movement })
  }

  /// At 1 g it passes through nothing for an eighth of a second.
  @Test(arguments: [0.8, 0.9, 1, 1.1, 1.2, 1.35], [true, false])
  func aPushAwayFromTheFaceIsNoFall(_ strength: Double, _ hasGyroscope: Bool) {
    let events = Self.events(
      63, hasGyroscope: hasGyroscope, push: { time in Vector3(0, 0, -Self.coasting(time, strength).x) })
    #expect(!events.contains { $0.event.kind == .freeFall })
    #expect(events.count { $0.event.kind == .movement } == 20)
  }

  /// Five hundred steps in a pocket that swings: up and down with each step, aside with each other one.
  @Test(arguments: [1.4, 1.9, 2.4], [0.08, 0.3])
  func stepsAreCounted(_ rate: Double, _ strength: Double) throws {
    let seconds = 500 / rate
    let events = Self.events(
      seconds + 8,
      attitude: { Quaternion(angle: 0.5 + 0.1 * sin(.pi * rate * $0), about: Vector3(1, 0, 0)) },
      push: { time in
        guard time > 3, time < 3 + seconds else { return .zero }
        let phase = 2 * Double.pi * rate * (time - 3)
        return Vector3(0.4 * sin(phase / 2), 0.5 * sin(phase + 1), sin(phase) + 0.35 * sin(2 * phase + 1)) * strength
      })
    let steps = try #require(events.last?.steps)
    #expect(abs(Double(steps) - 500) <= 15, "\(steps)")
  }

  /// A phone held before the chest through 120 s: a band-pass without delay over the whole recording shows 191 steps.
  @Test(.enabled(if: Recordings.areHere)) func stepsOfAWalkerAreCounted() throws {
    let table = try TruthTable(named: "phone_Jakob_iPhone5_NoDist_Texting")
    var motion = Motion()
    var last = MotionReading()
    for row in table.rows {
      let sample = DeviceSample(
        time: row["t"] ?? 0,
        acceleration: Acceleration(
          metresPerSecondSquared: Vector3(row["ax"] ?? .nan, row["ay"] ?? .nan, row["az"] ?? .nan)))
      if let reading = motion.read(sample) { last = reading }
    }
    #expect(abs(Double(last.steps) - 191) <= 6, "\(last.steps)")
  }
}

/// A recording with truth, row by row.
private struct TruthTable {
  let rows: [[String: Double]]

  init(named name: String) throws {
    let text = String(decoding: try Recordings.bytes("truth/\(name).csv"), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let names = (lines.first ?? "").split(separator: ",").map(String.init)
    rows = lines.dropFirst().map { line in
      let values = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      return Dictionary(uniqueKeysWithValues: zip(names, values))
    }
  }
}
