import Testing

@testable import Instruments
@testable import Lodestone

/// The device that the library opens where none is named is the one that the command opens.
@Suite struct DevicesTests {
  private func listing(
    _ address: String, _ kind: DeviceListing.Kind, socket: String? = nil, isReserved: Bool = false
  ) -> DeviceListing {
    var listing = DeviceListing(address: address, kind: kind, description: "")
    (listing.socket, listing.isReserved) = (socket, isReserved)
    return listing
  }

  private func opened(_ all: DeviceListing...) throws(StreamError) -> String {
    try Devices.open(nil, OpenOptions(), among: all).identity
  }

  /// The mainboard's own bus is asked nothing unless its user names it, even where nothing else is there.
  @Test func theMainboardsBusIsNone() throws {
    let smbus = listing("i2c:/dev/i2c-0", .i2c, isReserved: true)
    #expect(throws: StreamError.noDevice(found: [])) { try opened(smbus) }
    #expect(try opened(smbus, listing("sim:", .serial, socket: "1-1")) == "sim-1")
  }

  @Test func aBridgeAndWhatIsOnItAreOne() throws {
    let all = (listing("usb:mcp2221", .usb, socket: "1-2"), listing("sim:", .iio, socket: "1-2"))
    #expect(try opened(all.0, all.1) == "sim-1")
  }
}
