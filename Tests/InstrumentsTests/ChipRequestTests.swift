import Drivers
import Support
import Testing

@testable import Instruments

@Suite(.waiting) struct ChipRequestTests {
  private func request(_ text: String, rate: Double? = nil) throws -> ChipRequest {
    var options = OpenOptions()
    options.rate = rate
    return try ChipRequest(DeviceAddress(text), options)
  }

  @Test(arguments: [
    ("usb:?range=400", 400.0), ("usb:?range=400uT", 400), ("usb:?range=4G", 400), ("usb:?range=0.4mT", 400),
    ("usb:?range=0.4mt", 400),
  ])
  func rangesHaveUnits(text: String, range: Double) throws {
    let found = try #require(try request(text).settings.fieldRange)
    #expect(abs(found - range) < 1e-9)
  }

  @Test(arguments: ["usb:?range=", "usb:?range=-4G", "usb:?range=4T", "usb:?range=nan", "usb:?rate=0", "usb:?hertz=1"])
  func whatIsNoValueIsRefused(text: String) {
    #expect(throws: StreamError.self) { try request(text) }
  }

  @Test func theAddressComesBeforeTheCommandsRate() throws {
    #expect(try request("usb:?rate=40", rate: 80).settings.rate == 40)
    #expect(try request("usb:", rate: 80).settings.rate == 80)
    #expect(try request("usb:").settings.rate == nil)
  }

  @Test func aChipHasANameAndAnAddressThatItCanHave() throws {
    let address = DeviceAddress("usb:x")
    var request = try request("usb:")
    try request.take(chip: "LIS3MDL@0x1e", of: address)
    #expect(request.driver?.name == "lis3mdl")
    #expect(request.address == 0x1E)
    try request.take(chip: "mmc5603@48", of: address)
    #expect(request.address == 0x30)
    for text in ["lis3mdl@", "lis3mdl@0x", "lis3mdl@0x1ff", "lis3mdl@0x10", "nothing", "@0x1c", ""] {
      var other = request
      #expect(throws: StreamError.self, "\(text)") { try other.take(chip: text, of: address) }
    }
  }
}
