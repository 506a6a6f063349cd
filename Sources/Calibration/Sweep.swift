import Core

/// One raw field with the specific force beside it.
struct Measurement: Sendable {
  /// Seconds.
  var time: Double
  /// In µT, in the magnetometer's axes.
  var raw: Vector3
  /// In g; nil where the device gave none.
  var force: Vector3?
}

/// What is left of a recording once everything that is no measurement of its own has been set aside, with counts of
/// what that was. Bounded: past its capacity it keeps every second measurement.
struct Sweep: Sendable {
  private(set) var measurements: [Measurement] = []
  /// Samples that held a field.
  private(set) var received = 0
  /// Of these, exactly like the one before: the loop was faster than the chip.
  private(set) var repeated = 0
  /// Of these, at the end of the chip's range.
  private(set) var saturated = 0
  /// Of these, infinite or not numbers.
  private(set) var broken = 0
  private let capacity: Int
  private var stride = 1
  private var skipped = 0
  private var last: Vector3?

  init(capacity: Int = 1 << 16) { self.capacity = max(capacity, 16) }

  /// Takes what a sample says of the field; true when it became a measurement.
  @discardableResult
  mutating func add(_ sample: Sample) -> Bool {
    guard let raw = sample.field?.microtesla else { return false }
    received &+= 1
    guard raw.isFinite, abs(raw.x) + abs(raw.y) + abs(raw.z) < 1e9, sample.time.isFinite else {
      broken &+= 1
      return false
    }
    if raw == last {
      repeated &+= 1
      return false
    }
    last = raw
    if sample.flags.contains(.saturated) {
      saturated &+= 1
      return false
    }
    return keep(Measurement(time: sample.time, raw: raw, force: force(of: sample)))
  }

  private func force(of sample: Sample) -> Vector3? {
    guard let force = sample.acceleration?.g, force.isFinite, force.squaredLength > 1e-4 else { return nil }
    return force
  }

  private mutating func keep(_ measurement: Measurement) -> Bool {
    skipped += 1
    guard skipped >= stride else { return false }
    skipped = 0
    measurements.append(measurement)
    if measurements.count >= capacity {
      measurements = measurements.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
      stride *= 2
    }
    return true
  }

  /// Seconds between neighbours: the median, so that gaps do not count. A step of half a second and more is no time but
  /// a count, and then taken for a fiftieth of a second.
  var interval: Double {
    guard measurements.count > 2 else { return 0.02 }
    let steps = probes(999).map { measurements[$0 + 1].time - measurements[$0].time }.sorted()
    let median = steps[steps.count / 2]
    return median > 0 && median < 0.5 ? median : 0.02
  }

  private func probes(_ count: Int) -> [Int] {
    let last = measurements.count - 1
    let step = max(1, last / count)
    return Array(Swift.stride(from: 0, to: last, by: step))
  }

  /// The same with every field and nothing else multiplied.
  func scaled(by factor: Double) -> Sweep {
    var sweep = self
    for index in sweep.measurements.indices { sweep.measurements[index].raw = measurements[index].raw * factor }
    return sweep
  }

  /// The same counts with other measurements.
  func replacingMeasurements(with measurements: [Measurement]) -> Sweep {
    var sweep = self
    sweep.measurements = measurements
    return sweep
  }

  /// Without the measurements that a mask rejects.
  func kept(_ mask: [Bool]) -> [Measurement] { zip(measurements, mask).filter { $0.1 }.map { $0.0 } }
}
