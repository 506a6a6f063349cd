import Drivers

/// A bus that expects exact transfers in their order and answers what the script says. What departs from the script is
/// noted, and so is what the driver leaves undone: a test ends with `#expect(bus.deviation == nil)`.
public struct ScriptedBus: I2CBus {
  /// One transfer or wait.
  public enum Step: Equatable, Sendable {
    /// Bytes are written.
    case write([UInt8])
    /// Bytes are written, then these are read after a repeated start.
    case exchange([UInt8], [UInt8])
    /// These are read with nothing written.
    case read([UInt8])
    /// A wait of at least so many milliseconds.
    case wait(Double)
    /// The failure of any transfer that comes.
    case fail(BusError)

    /// A register is written.
    public static func set(_ register: UInt8, _ value: UInt8) -> Step { .write([register, value]) }
    /// Registers are read from this one on.
    public static func get(_ register: UInt8, _ values: UInt8...) -> Step { .exchange([register], values) }
    /// A register is written and reads back as written.
    public static func keep(_ register: UInt8, _ value: UInt8) -> [Step] {
      [.set(register, value), .get(register, value)]
    }
  }

  private let address: UInt8
  private var steps: ArraySlice<Step>
  private var firstDeparture: String?

  /// A bus on which only this address may be talked to.
  public init(at address: UInt8, _ steps: [Step]) {
    self.address = address
    self.steps = steps[...]
  }

  /// The first departure from the script; nil when all steps, and nothing else, happened.
  public var deviation: String? { firstDeparture ?? steps.first.map { "never came: \($0)" } }

  /// Starts START, address, bytes, STOP.
  public mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    guard case .write(bytes)? = try next(to: address) else { throw depart("write \(hex(bytes))") }
    steps.removeFirst()
  }

  /// Reads with nothing written.
  public mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    guard case .read(let bytes)? = try next(to: address) else { throw depart("read of \(count)") }
    steps.removeFirst()
    return bytes
  }

  /// Reads registers.
  public mutating func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    guard case .exchange(bytes, let answer)? = try next(to: address), answer.count == count else {
      throw depart("write \(hex(bytes)) then read \(count)")
    }
    steps.removeFirst()
    return answer
  }

  /// Nobody waits.
  public mutating func wait(milliseconds: Double) {
    if case .wait(let least)? = steps.first, milliseconds >= least - 1e-9 {
      steps.removeFirst()
    } else {
      _ = depart("wait of \(milliseconds) ms")
    }
  }

  private mutating func next(to address: UInt8) throws(BusError) -> Step? {
    guard address == self.address else { throw depart("transfer to \(hex([address]))") }
    if case .fail(let error)? = steps.first {
      steps.removeFirst()
      throw error
    }
    return steps.first
  }

  private mutating func depart(_ what: String) -> BusError {
    let text = "\(what) instead of \(steps.first.map { "\($0)" } ?? "nothing")"
    firstDeparture = firstDeparture ?? text
    return .protocolViolation(text)
  }
}

private func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
}
