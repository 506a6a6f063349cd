import LodestoneCore
import LodestonePorts
import Navigation

/// The raw data of each sensor, uncorrected: axes, rate, losses, noise.
final class RawView: PanelView {
  static let events = [
    WebEvent(
      "raw",
      .object(
        [
          ("time_s", .number("Of the last sample")), ("rate_hz", .number("Samples a second", isOptional: true)),
          ("samples", .integer("Since the stream began")), ("gaps", .integer("Times that samples were missing")),
          ("lost_s", .number("Seconds that samples are missing of")),
          ("saturated", .integer("Samples with an axis at the end of its range")),
          ("temperature_C", .number("Of the chip", isOptional: true)),
          (
            "sensors",
            .list(
              .object(
                [
                  ("name", .word(["magnetometer", "accelerometer", "gyroscope"])), ("unit", .text()),
                  ("x", .number("In the chip's own axes")), ("y", .number()), ("z", .number()),
                  ("rate_hz", .number("New values a second", isOptional: true)),
                  ("noise", .vector("Standard deviation from one sample to the next, over a second", isOptional: true)),
                ], required: ["name", "unit", "x", "y", "z", "rate_hz", "noise"]))
          ),
        ], required: ["time_s", "rate_hz", "samples", "gaps", "lost_s", "saturated", "temperature_C", "sensors"]))
  ]

  private let server: WebServer
  private var magnetometer = SensorStatistics("magnetometer", "µT")
  private var accelerometer = SensorStatistics("accelerometer", "g")
  private var gyroscope = SensorStatistics("gyroscope", "°/s")
  private var all = SensorStatistics("", "")
  private var (count, gaps, saturated, lost) = (0, 0, 0, 0.0)
  private var lastTime: Double?
  private var due: MonotonicTime?

  /// Seconds between two reports.
  private static let interval = 0.1

  init(_ context: PanelContext) { server = context.server }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {
    let time = raw.time
    count += 1
    if raw.flags.contains(.gap) {
      gaps += 1
      lost += max(0, time - (lastTime ?? time))
    }
    lastTime = time
    if raw.flags.contains(.saturated) { saturated += 1 }
    if let field = raw.field?.microtesla { magnetometer.add(field, at: time) }
    if let force = raw.acceleration?.g { accelerometer.add(force, at: time) }
    if let rate = raw.rotationRate?.degreesPerSecond { gyroscope.add(rate, at: time) }
    all.add(Vector3(Double(count), 0, 0), at: time)
    if let due, now < due { return }
    due = now + Self.interval
    server.publish(
      "raw",
      .members(
        ("time_s", .number(time)), ("rate_hz", .orNull(all.rate)), ("samples", .integer(count)),
        ("gaps", .integer(gaps)), ("lost_s", .number(lost)), ("saturated", .integer(saturated)),
        ("temperature_C", .orNull(raw.temperature)),
        ("sensors", .array([magnetometer, accelerometer, gyroscope].compactMap { $0.value }))))
  }
}

/// The last values of a sensor, their rate and their noise.
private struct SensorStatistics {
  private let name: String
  private let unit: String
  private var last: Vector3?
  private var recent: [(time: Double, value: Vector3)] = []

  /// Values that are looked at, at the most.
  private static let most = 256
  /// Seconds that are looked at: four, so that slow sensors have a rate.
  private static let span = 4.0

  init(_ name: String, _ unit: String) {
    self.name = name
    self.unit = unit
  }

  /// Takes a value. One that repeats the last is no new measurement.
  mutating func add(_ value: Vector3, at time: Double) {
    guard value != last else { return }
    last = value
    if let before = recent.last, time < before.time { recent = [] }
    recent.append((time, value))
    let old = recent.firstIndex { $0.time >= time - Self.span } ?? 0
    if old > Self.most / 2 || recent.count > Self.most { recent.removeFirst(max(old, recent.count - Self.most)) }
  }

  /// New values a second; nil before there are two.
  var rate: Double? {
    guard let first = recent.first, let end = recent.last, end.time > first.time else { return nil }
    return Double(recent.count - 1) / (end.time - first.time)
  }

  /// Standard deviation along each axis, from second differences: a steady turn does not count. Nil below eight values.
  private var noise: Vector3? {
    guard recent.count >= 8 else { return nil }
    var sum = Vector3.zero
    for place in 1..<(recent.count - 1) {
      let bend = recent[place - 1].value - recent[place].value * 2 + recent[place + 1].value
      sum = sum + Vector3(bend.x * bend.x, bend.y * bend.y, bend.z * bend.z)
    }
    let mean = sum / (6 * Double(recent.count - 2))
    return Vector3(mean.x.squareRoot(), mean.y.squareRoot(), mean.z.squareRoot())
  }

  /// The value for programs; nil without one.
  var value: JSONValue? {
    last.map { last in
      .members(
        ("name", .string(name)), ("unit", .string(unit)), ("x", .number(last.x)), ("y", .number(last.y)),
        ("z", .number(last.z)), ("rate_hz", .orNull(rate)), ("noise", .orNull(noise)))
    }
  }
}
