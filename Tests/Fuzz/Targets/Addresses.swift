import Geomagnetism
import LodestoneCore

@testable import Drivers
@testable import Instruments
@testable import LodestonePorts

/// A user's input: addresses with their options, names of columns, mountings, dates. Nothing is opened but a
/// simulation.
enum AddressesTarget: FuzzTarget {
  static let name = "addresses"

  static func take(_ bytes: Span<UInt8>) {
    var reader = InputReader(bytes)
    let kind = reader.byte() % 8
    let text = reader.text()
    switch kind {
    case 0: read(mounting: text)
    case 1: read(date: text)
    case 2: _ = Protocols.table(columns: text, fieldUnit: nil)
    default: read(address: text, motionRate: kind == 3 ? 50 : kind == 4 ? 1e-7 : nil)
    }
  }

  private static func read(address text: String, motionRate: Double?) {
    let address = DeviceAddress(text)
    var options = OpenOptions()
    options.motionRate = motionRate
    options.columns = address.option("columns")
    if let wire = try? WireOptions(address, options) { _ = try? wire.decoder() }
    if var request = try? ChipRequest(address, options) {
      for part in address.body.split(separator: "/") { try? request.take(chip: String(part), of: address) }
    }
    _ = NetworkEndpoint(address: address.body, usualPort: 10110)
    if let topic = MQTTAddress(address.withoutOptions) {
      require(MQTTAddress(topic.description)?.topic == topic.topic, "a topic that is named otherwise than it was")
      require(topic.plainTopic.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x5F }, "a topic that is no word")
    }
    guard let board = try? SimulatorScheme.open(address, options) else { return }
    for _ in 0..<20 {
      guard case .sample(let sample)? = try? board.next() else { continue }
      require(sample.field?.microtesla.isFinite ?? true, "a simulated field is not finite")
    }
  }

  private static func read(mounting text: String) {
    guard let mounting = try? Mounting(text) else { return }
    require(abs(abs(mounting.matrix.determinant) - 1) < 0.1, "a mounting that stretches")
  }

  private static func read(date text: String) {
    guard let date = DecimalYear(text) else { return }
    require(date.value.isFinite, "a date that is not finite")
  }
}
