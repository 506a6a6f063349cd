import LodestoneCore

/// An axis of a sensor that keeps its number to the last digit for seconds while noise changes the two others: it is
/// dead, or its wire or its column is.
public struct DeadAxis: Equatable, Sendable {
  /// A sensor with three axes.
  public enum Sensor: Int, Sendable, CaseIterable {
    /// In µT.
    case magnetometer
    /// In g.
    case accelerometer
    /// In °/s.
    case gyroscope
  }

  /// The sensor of which it is one.
  public let sensor: Sensor
  /// 0, 1, 2 for x, y, z, as the device names them.
  public let axis: Int
  /// The number that it keeps, in the sensor's unit.
  public let value: Double
}

/// Looks for dead axes of magnetometer, accelerometer and gyroscope, and leaves out what they spoil.
///
/// An axis that a turn does not change keeps its number too, where that has few digits. So both others must go to and
/// fro meanwhile by more than their last digit, as noise and a hand make all three of a working sensor do.
public struct DeadAxes: Sendable {
  private var (field, force, rate) = (KeptNumbers(), KeptNumbers(), KeptNumbers())
  /// A bit for each axis of each sensor that was told.
  private var told = 0
  private var news: DeadAxis?

  /// Has looked at nothing yet.
  public init() {}

  /// Some axis is dead just now.
  public var areAny: Bool { field.dead != nil || force.dead != nil || rate.dead != nil }

  /// The axis that was newly found to be dead in the last sample; nil once it was asked for.
  public mutating func nextNews() -> DeadAxis? {
    defer { news = nil }
    return news
  }

  /// Takes a sample as the device sent it, and leaves out of the corrected one what is not measured. A field goes on as
  /// a lower bound. What was sent is only read: handed over like this it is not copied.
  /// - Returns: whether anything was left out; there may be news then.
  @inline(never)
  public mutating func see(_ raw: inout Sample, _ sample: inout DeviceSample) -> Bool {
    let time = raw.time
    var areAny = false
    if let b = raw.field?.microtesla, field.add(b, at: time) { areAny = true }
    if let f = raw.acceleration?.g, force.add(f, at: time) { areAny = true }
    if let omega = raw.rotationRate?.degreesPerSecond, rate.add(omega, at: time) { areAny = true }
    if areAny { leaveOut(&sample) }
    return areAny
  }

  /// Apart, because few samples have one.
  @inline(never)
  private mutating func leaveOut(_ sample: inout DeviceSample) {
    news = nil
    if let dead = field.dead {
      note(.magnetometer, dead)
      // One that has never been another number may be of a sensor with two axes.
      if !dead.isFirst { sample.flags.insert(.saturated) }
    }
    if let dead = force.dead {
      note(.accelerometer, dead)
      (sample.acceleration, sample.forceAlone, sample.heldForce) = (nil, nil, nil)
      sample.flags.insert(.forceLost)
    }
    if let dead = rate.dead {
      note(.gyroscope, dead)
      sample.rotationRate = nil
    }
  }

  /// Notes an axis that was not told yet; one at a time.
  private mutating func note(_ sensor: DeadAxis.Sensor, _ dead: KeptNumbers.Dead) {
    let bit = 1 << (sensor.rawValue * 3 + dead.axis)
    guard news == nil, told & bit == 0 else { return }
    told |= bit
    news = DeadAxis(sensor: sensor, axis: dead.axis, value: dead.value)
  }
}

/// How long each axis of a sensor has kept its number.
private struct KeptNumbers: Sendable {
  /// An axis that is dead.
  struct Dead {
    let axis: Int
    let value: Double
    /// It has kept its number since the first sample.
    let isFirst: Bool
  }

  /// The axis that is dead just now.
  private(set) var dead: Dead?

  private var last = Vector3(.nan, .nan, .nan)
  private var (x, y, z) = (KeptNumber(), KeptNumber(), KeptNumber())
  /// Some axis keeps its number.
  private var areKept = false
  /// No sample came before the last one.
  private var isFirst = true

  /// Takes a vector; true while an axis is dead. Where each axis changes, as of most samples, nothing else is done.
  @inline(__always)
  mutating func add(_ vector: Vector3, at time: Double) -> Bool {
    if !areKept, vector.x != last.x, vector.y != last.y, vector.z != last.z {
      isFirst = last.x.isNaN
      (last, x.change, y.change, z.change) = (vector, 0, 0, 0)
      return false
    }
    return look(vector, at: time)
  }

  @inline(never)
  private mutating func look(_ vector: Vector3, at time: Double) -> Bool {
    // The same once more is of a chip that is read faster than it measures.
    guard vector != last else { return dead != nil }
    let (now, rough) = (vector - last, Vector3(x.rough, y.rough, z.rough))
    x.follow(now.x, at: time, isFirst: isFirst, rough: rough)
    y.follow(now.y, at: time, isFirst: isFirst, rough: rough)
    z.follow(now.z, at: time, isFirst: isFirst, rough: rough)
    (last, isFirst, areKept) = (vector, false, x.count | y.count | z.count != 0)
    dead = areKept ? find(at: time) : nil
    return dead != nil
  }

  private func find(at time: Double) -> Dead? {
    if x.isLong(at: time), y.isRough(since: x, x.before.y), z.isRough(since: x, x.before.z) {
      return Dead(axis: 0, value: last.x, isFirst: x.isFirst)
    }
    if y.isLong(at: time), x.isRough(since: y, y.before.x), z.isRough(since: y, y.before.z) {
      return Dead(axis: 1, value: last.y, isFirst: y.isFirst)
    }
    if z.isLong(at: time), x.isRough(since: z, z.before.x), y.isRough(since: z, z.before.y) {
      return Dead(axis: 2, value: last.z, isFirst: z.isFirst)
    }
    return nil
  }
}

/// How long one axis has kept its number, and how rough its numbers are.
private struct KeptNumber: Sendable {
  /// Its last change; 0 where that is not known.
  var change = 0.0
  /// The sum of what it went back by after it had gone the other way.
  private(set) var rough = 0.0
  /// The least change but none: its last digit.
  private var least = Double.infinity
  /// How often it has kept its number, since when, and whether since the first sample.
  private(set) var (count, since, isFirst) = (0, 0.0, false)
  /// By how much each axis had gone to and fro before that.
  private(set) var before = Vector3.zero

  /// Seconds and samples from which on an axis is dead.
  private static let (span, fewest) = (5.0, 100)
  /// The mean of what both others go to and fro by, in last digits.
  private static let noise = 0.75

  mutating func follow(_ now: Double, at time: Double, isFirst: Bool, rough all: Vector3) {
    guard now != 0 else {
      if count == 0 { (since, self.isFirst, before) = (time, isFirst, all) }
      (count, change) = (count + 1, 0)
      return
    }
    count = 0
    least = min(least, abs(now))
    if now * change < 0 { rough += min(abs(now), abs(change)) }
    change = now
  }

  func isLong(at time: Double) -> Bool { count >= Self.fewest && time - since >= Self.span }

  /// It has gone to and fro while another has kept its number.
  func isRough(since other: KeptNumber, _ before: Double) -> Bool {
    rough - before > Self.noise * least * Double(other.count)
  }
}
