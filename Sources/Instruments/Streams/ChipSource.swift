import Drivers
import LodestoneCore
import LodestonePorts

/// A chip on an I²C bus of one's own, read at the chip's pace, with its accelerometer and gyroscope where they are on
/// the bus too. What fails is tried again and then thrown: a bus of one's own is not waited for.
public struct ChipSource: SampleSource {
  private let stream: ChipStream

  /// A chip that there is a driver for, by its name: `lis3mdl`.
  /// - `bus`: where it is.
  /// - `address`: 7 bits; nil where it is to be found among those the chip can have.
  /// - `settings`: range and rate.
  /// - `name`: of the bus, for messages and the calibration's name.
  public init(
    _ chip: String, on bus: any I2CBus, address: UInt8? = nil, settings: ChipSettings = ChipSettings(),
    name: String = "bus"
  ) throws(StreamError) {
    guard let driver = Chips.named(chip) else {
      throw .badAddress(chip, .unknownName(chip, allowed: Chips.all.map { $0.name }))
    }
    try self.init(driver, on: bus, address: address, settings: settings, name: name)
  }

  /// A chip with a driver of one's own.
  public init(
    _ chip: any Chip.Type, on bus: any I2CBus, address: UInt8? = nil, settings: ChipSettings = ChipSettings(),
    name: String = "bus"
  ) throws(StreamError) {
    let request = ChipRequest(chip, at: address, settings)
    stream = try ChipStream(OwnBus(bus, name: name), request, reconnects: false)
  }

  /// The bus and the chip on it.
  public var name: String { stream.identity }

  /// The next sample, waited for.
  public func next(into sample: inout Sample) throws -> Bool {
    var poller = Poller()
    while true {
      switch try stream.next() {
      case .sample(let new):
        sample = new
        return true
      case .ended: return false
      case .waiting: try poller.wait(until: stream.wakeTime)
      case .notice, .position: break
      }
    }
  }

  /// The chip's own stream, which says what it found.
  public func makeStream() -> any SampleStream { stream }
}

/// A bus that a program brought along.
private final class OwnBus: ChipLink {
  let name: String
  var identity: String { name }
  private let bus: any I2CBus

  init(_ bus: any I2CBus, name: String) {
    self.bus = bus
    self.name = name
  }

  func open(resetting: Bool) -> any I2CBus { bus }
}
