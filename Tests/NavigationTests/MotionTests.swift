import LodestoneCore
import Instruments
import Navigation
import Testing

/// Gestures of the simulation, recognized.
@Suite struct MotionTests {
  private struct Count {
    var gestures = 0
    var found = 0
    var other = 0
  }

  /// Runs until 40 gestures were made, and counts those that were found with their direction.
  private static func count(
    _ choice: VirtualGesture.Choice, _ strength: Double, walking: Bool, hasGyroscope: Bool = true
  ) -> Count {
    var run = VirtualBreakout.Settings()
    (run.motion, run.rate, run.seed) = (walking ? .walk : .still, 100, 5)
    (run.gestures, run.strength, run.hasGyroscope) = (choice, strength, hasGyroscope)
    var breakout = VirtualBreakout(run)
    var motion = Motion()
    let frame = DeviceFrame()
    var count = Count()
    var pending: (kind: VirtualGesture.Kind, until: Double)?
    var before: VirtualGesture.Kind?
    for _ in 0..<Int(41 * 4 * run.rate) {
      let (sample, truth) = breakout.next()
      if let gesture = truth.gesture {
        if before == nil {
          count.gestures += 1
          pending = (gesture, truth.time + 1.6)
        }
      }
      before = truth.gesture
      guard let event = motion.read(frame.read(sample))?.event, event.kind == .movement || event.kind == .shake else {
        continue
      }
      if let now = pending, truth.time <= now.until, event.isOf(now.kind) {
        count.found += 1
        pending = nil
      } else {
        count.other += 1
      }
    }
    return count
  }

  @Test(arguments: [0.8, 1.1, 1.6], [false, true])
  func pushesAreFound(_ strength: Double, _ walking: Bool) {
    let count = Self.count(.pushes, strength, walking: walking)
    #expect(count.gestures >= 39)
    #expect(Double(count.found) >= 0.99 * Double(count.gestures), "\(count)")
  }

  @Test(arguments: [1.5, 2, 3], [false, true])
  func shakesAreFound(_ strength: Double, _ walking: Bool) {
    let count = Self.count(.shakes, strength, walking: walking)
    #expect(count.gestures >= 39)
    #expect(Double(count.found) >= 0.99 * Double(count.gestures), "\(count)")
  }

  /// Ten minutes of walking are no gesture.
  @Test(arguments: [true, false])
  func walkingIsNoGesture(_ hasGyroscope: Bool) {
    var run = VirtualBreakout.Settings()
    (run.motion, run.rate, run.hasGyroscope) = (.walk, 50, hasGyroscope)
    var breakout = VirtualBreakout(run)
    var motion = Motion()
    let frame = DeviceFrame()
    var events = 0
    for _ in 0..<30_000 {
      guard let event = motion.read(frame.read(breakout.next().sample))?.event else { continue }
      if event.kind == .movement || event.kind == .shake { events += 1 }
    }
    #expect(events <= 1)
  }

  @Test func nothingIsSaidInTheFirstSecond() {
    var motion = Motion()
    for step in 0..<100 {
      let sample = DeviceSample(time: Double(step) * 0.01, acceleration: Acceleration(g: Vector3(0, 0, 1)))
      #expect(motion.read(sample) == nil)
    }
    #expect(motion.read(DeviceSample(time: 1.01, acceleration: Acceleration(g: Vector3(0, 0, 1)))) != nil)
  }

  @Test func anotherOrientationIsToldOnce() {
    var motion = Motion()
    var events: [MotionReading.Event.Kind] = []
    for step in 0..<800 {
      let up = step < 300 ? Vector3(0, 0, 1) : Vector3(0, 1, 0)
      let sample = DeviceSample(time: Double(step) * 0.01, acceleration: Acceleration(g: up))
      if let event = motion.read(sample)?.event, event.kind == .orientation { events.append(event.kind) }
    }
    #expect(events.count == 1)
  }
}

extension MotionReading.Event {
  /// It is what the hand did.
  fileprivate func isOf(_ gesture: VirtualGesture.Kind) -> Bool {
    switch gesture {
    case .shakeX: kind == .shake && direction == .x
    case .shakeY: kind == .shake && direction == .y
    case .shakeZ: kind == .shake && direction == .z
    default: kind == .movement && direction?.rawValue == gesture.rawValue
    }
  }
}
