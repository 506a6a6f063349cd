@testable import Instruments
import LodestonePorts
import Support
import Testing

/// The device that is opened where none is named.
@Suite(.waiting) struct OnlyDeviceTests {
  private func listing(
    _ address: String, _ kind: DeviceListing.Kind, socket: String? = nil, isReserved: Bool = false,
    kernel: DeviceListing.KernelUse? = nil
  ) -> DeviceListing {
    var listing = DeviceListing(address: address, kind: kind, description: "")
    (listing.socket, listing.isReserved, listing.kernel) = (socket, isReserved, kernel)
    return listing
  }

  private func chosen(_ all: DeviceListing...) -> Result<String, StreamError> {
    Result { () throws(StreamError) in try DeviceListing.onlyAttached(among: all) }
  }

  private var smbus: DeviceListing { listing("i2c:/dev/i2c-0", .i2c, isReserved: true) }

  @Test func aBoardBesideTheMainboardsBusIsTheOnlyOne() {
    let arduino = listing("/dev/ttyACM0", .serial, socket: "1-1")
    #expect(chosen(smbus, arduino) == .success("/dev/ttyACM0"))
    #expect(chosen(listing("/dev/ttyS0", .serial), smbus, arduino) == .success("/dev/ttyACM0"))
  }

  @Test func aBridgeAndWhatTheKernelMakesOfItAreOneThing() {
    let bus = listing("i2c:/dev/i2c-3", .i2c, socket: "1-2")
    let bridge = listing(
      "usb:mcp2221", .usb, socket: "1-2", kernel: .init(driver: "mcp2221", address: "i2c:/dev/i2c-3"))
    let port = listing("/dev/ttyACM0", .serial, socket: "1-2")
    #expect(chosen(port, bridge, bus, smbus) == .success("i2c:/dev/i2c-3"))
    #expect(chosen(bridge, listing("iio:lis3mdl", .iio, socket: "1-2"), bus) == .success("iio:lis3mdl"))
    #expect(chosen(port, listing("usb:mcp2221", .usb, socket: "1-2")) == .success("usb:mcp2221"))
  }

  /// What listens at a port that is none waits for ever.
  @Test func aBridgeThatIsASerialPortNowMayBeEither() {
    let bridge = listing("usb:ft232h", .usb, socket: "1-1", kernel: .init(driver: "ftdi_sio", address: "/dev/ttyUSB0"))
    #expect(
      chosen(bridge, listing("/dev/ttyUSB0", .serial, socket: "1-1"))
        == .failure(.noDevice(found: ["/dev/ttyUSB0", "usb:ft232h"])))
  }

  @Test func severalThingsAreListed() {
    let first = listing("/dev/ttyACM0", .serial, socket: "1-1")
    let second = listing("usb:ch341a", .usb, socket: "1-2")
    #expect(chosen(first, second, smbus) == .failure(.noDevice(found: ["/dev/ttyACM0", "usb:ch341a"])))
    #expect(chosen(smbus) == .failure(.noDevice(found: [])))
    #expect(chosen(listing("/dev/ttyS0", .serial)) == .success("/dev/ttyS0"))
    let ports = [listing("/dev/ttyUSB0", .serial, socket: "1-4"), listing("/dev/ttyUSB1", .serial, socket: "1-4")]
    #expect(chosen(ports[0], ports[1]) == .failure(.noDevice(found: ["/dev/ttyUSB0", "/dev/ttyUSB1"])))
  }

  /// A bridge, its bus and the chip on it, which each have a line.
  @Test func oneThingIsSaidToBeOne() {
    let all = [
      listing("/dev/ttyACM0", .serial, socket: "1-1"), listing("usb:mcp2221", .usb, socket: "1-2"),
      listing("i2c:/dev/i2c-3", .i2c, socket: "1-2"), listing("iio:lis3mdl", .iio, socket: "1-2"), smbus,
      listing("i2c:/dev/i2c-1", .i2c),
    ]
    #expect(DeviceListing.linked(all).map { $0.sameAs } == [nil, nil, "usb:mcp2221", "usb:mcp2221", nil, nil])
  }
}
