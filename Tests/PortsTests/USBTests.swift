import Support
import Testing

@Suite struct USBTests {
  @Test func findsAndReads() throws {
    let testbed = USBTestbed()
    let chip = RegisterFile([0x0F: 0x3D])
    let function = EmulatedI2CTinyUSB(VirtualI2CBus([0x1E: chip]), serial: "A1")
    let device = testbed.plug(function)
    let probe = try #require(ChildProgram("USBProbe", environment: testbed.environment))
    #expect(probe.ask("list") == "ok i2c-tiny-usb 403:c631 A1 1-1 free")
    #expect(probe.ask("open i2c-tiny-usb") == "ok i2c-tiny-usb")
    #expect(probe.ask("writeread 1e 1 0f") == "ok 3d")
    #expect(device.interfaceLog == ["detach i2c-tiny-usb", "claim 0"])
    #expect(probe.ask("close") == "ok ")
    #expect(device.interfaceLog == [])
  }
}
