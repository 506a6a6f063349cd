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
  @usableFromInline var field = KeptNumbers()
  @usableFromInline var force = KeptNumbers()
  @usableFromInline var rate = KeptNumbers()
  /// A bit for each axis of each sensor that was told.
  private var told = 0

  /// Has looked at nothing yet.
  public init() {}

  /// Some axis is dead just now.
  public var areAny: Bool { field.dead != nil || force.dead != nil || rate.dead != nil }

  /// Takes a sample as the device sent it, and leaves out of the corrected one what is not measured. A field goes on as
  /// a lower bound.
  /// - Returns: an axis that is newly found to be dead.
  @inlinable @inline(__always)
  public mutating func see(_ raw: borrowing Sample, _ sample: inout DeviceSample) -> DeadAxis? {
    let time = raw.time
    var areAny = false
    if let b = raw.field?.microtesla, field.add(b, at: time) { areAny = true }
    if let f = raw.acceleration?.g, force.add(f, at: time) { areAny = true }
    if let omega = raw.rotationRate?.degreesPerSecond, rate.add(omega, at: time) { areAny = true }
    return areAny ? leaveOut(&sample) : nil
  }

  /// Apart, because few samples have one.
  @usableFromInline @inline(never)
  mutating func leaveOut(_ sample: inout DeviceSample) -> DeadAxis? {
    var news: DeadAxis?
    if let dead = field.dead {
      news = note(.magnetometer, dead)
      // One that has never been another number may be of a sensor with two axes.
      if !dead.isFirst { sample.flags.insert(.saturated) }
    }
    if let dead = force.dead {
      news = news ?? note(.accelerometer, dead)
      (sample.acceleration, sample.forceAlone, sample.heldForce) = (nil, nil, nil)
      sample.flags.insert(.forceLost)
    }
    if let dead = rate.dead {
      news = news ?? note(.gyroscope, dead)
      sample.rotationRate = nil
    }
    return news
  }

  private mutating func note(_ sensor: DeadAxis.Sensor, _ dead: KeptNumbers.Dead) -> DeadAxis? {
    let bit = 1 << (sensor.rawValue * 3 + dead.axis)
    guard told & bit == 0 else { return nil }
    told |= bit
    return DeadAxis(sensor: sensor, axis: dead.axis, value: dead.value)
  }
}

/// How long each axis of a sensor has kept its number.
@usableFromInline
struct KeptNumbers: Sendable {
  /// An axis that is dead.
  struct Dead {
    let axis: Int
    let value: Double
    /// It has kept its number since the first sample.
    let isFirst: Bool
  }

  /// A number that an axis keeps: since when, how often it came again, and by how much the axes had gone to and fro
  /// before.
  private struct Run {
    let since: Double
    let isFirst: Bool
    var count = 0
    let before: Vector3
  }

  /// The axis that is dead just now.
  private(set) var dead: Dead?

  @usableFromInline var last = Vector3(.nan, .nan, .nan)
  /// What each axis changed by last; 0 where that is not known.
  @usableFromInline var change = Vector3.zero
  /// Some axis keeps its number.
  @usableFromInline var areKept = false
  private var runs: (x: Run?, y: Run?, z: Run?)
  /// Each axis has been one number alone so far.
  @usableFromInline var isFirst = true
  /// The least change of each axis but none: its last digit.
  private var least = Vector3(.infinity, .infinity, .infinity)
  /// The sums of what each went back by after it had gone the other way.
  private var rough = Vector3.zero

  /// Seconds and samples from which on an axis is dead.
  private static let (span, fewest) = (5.0, 100)
  /// The mean of what both others go to and fro by, in last digits.
  private static let noise = 0.75

  @usableFromInline
  init() {}

  /// Takes a vector; true while an axis is dead. Where each axis changes, as of most samples, nothing else is done.
  @inlinable @inline(__always)
  mutating func add(_ vector: Vector3, at time: Double) -> Bool {
    if !areKept, vector.x != last.x, vector.y != last.y, vector.z != last.z {
      isFirst = last.x.isNaN
      (last, change) = (vector, .zero)
      return false
    }
    return look(vector, at: time)
  }

  @usableFromInline @inline(never)
  mutating func look(_ vector: Vector3, at time: Double) -> Bool {
    // The same once more is of a chip that is read faster than it measures.
    guard vector != last else { return dead != nil }
    for axis in 0..<3 { follow(axis, vector[axis] - last[axis], at: time) }
    (last, isFirst, areKept) = (vector, false, runs.x != nil || runs.y != nil || runs.z != nil)
    dead = find(0, at: time) ?? find(1, at: time) ?? find(2, at: time)
    return dead != nil
  }

  private mutating func follow(_ axis: Int, _ now: Double, at time: Double) {
    defer { change[axis] = now }
    guard now != 0 else {
      var run = self[axis] ?? Run(since: time, isFirst: isFirst, before: rough)
      run.count += 1
      return self[axis] = run
    }
    self[axis] = nil
    least[axis] = min(least[axis], abs(now))
    if now * change[axis] < 0 { rough[axis] += min(abs(now), abs(change[axis])) }
  }

  private func find(_ axis: Int, at time: Double) -> Dead? {
    guard let run = self[axis], run.count >= Self.fewest, time - run.since >= Self.span else { return nil }
    let areRough = (0..<3).allSatisfy { other in
      other == axis || rough[other] - run.before[other] > Self.noise * least[other] * Double(run.count)
    }
    return areRough ? Dead(axis: axis, value: last[axis], isFirst: run.isFirst) : nil
  }

  private subscript(axis: Int) -> Run? {
    get { axis == 0 ? runs.x : axis == 1 ? runs.y : runs.z }
    set {
      switch axis {
      case 0: runs.x = newValue
      case 1: runs.y = newValue
      default: runs.z = newValue
      }
    }
  }
}
