/// The values of causes beside a field: a motor's current, a throttle, a rudder. Each has the place of its name in the
/// list that the stream was asked for; one that is absent is nil.
@frozen
public struct CauseValues: Equatable, Sendable {
  /// The most causes that can be asked for.
  @inlinable public static var limit: Int { 4 }

  @usableFromInline var values = InlineArray<4, Float>(repeating: 0)
  /// The values that are there, one bit each.
  @usableFromInline var present: UInt8 = 0

  /// No value.
  @inlinable
  public init() {}

  /// Whether a cause of this name is the temperature, which has a place of its own in a sample.
  public static func isTemperature(_ name: String) -> Bool {
    ["temperature", "temperature_c", "temp", "temp_c"].contains(name.lowercased())
  }

  /// Whether there is no value.
  @inlinable public var isEmpty: Bool { present == 0 }

  /// The value of a cause by its place; nil where it is absent, and for a place outside 0 ..< `limit`.
  @inlinable
  public subscript(place: Int) -> Double? {
    get { place >= 0 && place < Self.limit && present >> UInt8(place) & 1 == 1 ? Double(values[place]) : nil }
    set {
      guard place >= 0, place < Self.limit else { return }
      let bit = UInt8(1) << UInt8(place)
      // Past the largest Float nothing is measured.
      guard let newValue, Float(newValue).isFinite else {
        present &= ~bit
        return
      }
      values[place] = Float(newValue)
      present |= bit
    }
  }

  /// Takes every value out.
  @inlinable public mutating func clear() { present = 0 }

  /// Equality of the values, and of the ones that are absent.
  public static func == (a: CauseValues, b: CauseValues) -> Bool {
    a.present == b.present && (0..<limit).allSatisfy { a[$0] == b[$0] }
  }
}
