import LodestoneCore

/// Notifications of a Movesense sensor, whose axes are objects in arrays, one for each moment since the last one:
/// `{"Body":{"Timestamp":12395,"ArrayAcc":[{"x":…,"y":…,"z":…}],"ArrayGyro":[…],"ArrayMagn":[…]},…}`. The time is that of
/// the first, in milliseconds. Accelerations are in m/s², rates in °/s, fields in µT. Source: movesense-device-lib,
/// meas/imu.yaml.
struct MovesenseObject {
  /// The arrays, by their keys: accelerations, rates, fields.
  private static let arrays: [StaticString] = ["ArrayAcc", "ArrayGyro", "ArrayMagn"]
  /// Moments in a notification at most.
  private static let limit = 64

  /// The time of the notification before, in milliseconds.
  private var last: Double?

  /// The messages of an object, with their times in seconds; nil for any other. Of the first one only the first moment
  /// is known.
  mutating func messages(_ line: Span<UInt8>) -> [WireMessage]? {
    var scanner = JSONScanner(entersElements: true)
    var numbers = [[Double]](repeating: [], count: Self.arrays.count)
    var (time, array) = (Double?.none, Int?.none)
    while let item = scanner.next(in: line) {
      if !item.parent.isEmpty { array = Self.arrays.firstIndex { line.holds($0, in: item.parent) } }
      if line.holds("Timestamp", in: item.key) { time = item.number }
      guard let array, let value = item.number, item.key.count == 1 else { continue }
      guard Int((line[item.key.lowerBound] | 0x20) &- UInt8(ascii: "x")) == numbers[array].count % 3 else { return nil }
      numbers[array].append(value)
    }
    let counts = numbers.map { $0.count }.filter { $0 > 0 }
    guard scanner.isComplete, let time, let count = counts.first, count % 3 == 0, count / 3 <= Self.limit,
      counts.allSatisfy({ $0 == count })
    else { return nil }
    let step = last.map { (time - $0) * 3 / Double(count) }
    last = time
    return (0..<(step == nil ? 1 : count / 3)).map { place in
      func vector(_ array: Int) -> Vector3? {
        let start = 3 * place
        guard start + 2 < numbers[array].count else { return nil }
        return Vector3(numbers[array][start], numbers[array][start + 1], numbers[array][start + 2])
      }
      var message = WireMessage()
      message.time = (time + (step ?? 0) * Double(place)) / 1000
      (message.acceleration, message.accelerationUnit) = (vector(0), .metresPerSecondSquared)
      (message.rotationRate, message.rotationRateUnit) = (vector(1), .degreesPerSecond)
      (message.field, message.fieldUnit) = (vector(2), .microtesla)
      return message
    }
  }
}
