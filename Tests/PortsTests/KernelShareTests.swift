import Support
import Testing

@testable import LodestonePorts

/// Sysfs about the kernel's part in a USB device, laid out as Linux does for hid-mcp2221 and ftdi_sio.
@Suite(.waiting) struct KernelShareTests {
  private let system = FakeSystem()

  private func interface(_ number: Int, of port: String, classCode: String, driver: String?) -> String {
    let folder = "sys/devices/pci0000:00/usb1/\(port)/\(port):1.\(number)"
    system.write(classCode + "\n", to: folder + "/bInterfaceClass")
    system.write("02\n", to: folder + "/bNumEndpoints")
    if let driver { system.link(folder + "/driver", to: "../../../../../bus/usb/drivers/\(driver)") }
    system.link("sys/bus/usb/devices/\(port)", to: "\(system.root)/sys/devices/pci0000:00/usb1/\(port)")
    return folder
  }

  @Test func theNodesOfTheInterfaceThatWouldBeTakenAreFound() {
    let serial = interface(0, of: "1-2", classCode: "02", driver: "cdc_acm")
    system.write("MAJOR=166\nMINOR=0\nDEVNAME=ttyACM0\n", to: serial + "/tty/ttyACM0/uevent")
    let human = interface(2, of: "1-2", classCode: "03", driver: "usbhid")
    system.write("DEVNAME=hidraw0\n", to: human + "/0003:04D8:00DD.0001/hidraw/hidraw0/uevent")
    system.write("DEVNAME=i2c-3\n", to: human + "/0003:04D8:00DD.0001/i2c-3/i2c-dev/i2c-3/uevent")
    system.link(human + "/subsystem", to: "\(system.root)/sys/devices")
    let share = KernelShare(port: "1-2", interfaceClass: 0x03, roots: system.roots)
    #expect(share.driver == "usbhid")
    #expect(share.nodes == [system.root + "/dev/hidraw0", system.root + "/dev/i2c-3"])
    #expect(share.bus == system.root + "/dev/i2c-3")
    #expect(share.port == nil)
  }

  @Test func anInterfaceWithoutADriverIsFree() {
    _ = interface(0, of: "1-1", classCode: "ff", driver: nil)
    #expect(KernelShare(port: "1-1", interfaceClass: 0xFF, roots: system.roots).driver == nil)
    #expect(KernelShare(port: "1-9", interfaceClass: 0xFF, roots: system.roots).nodes == [])
  }

  @Test func aSerialPortIsOne() {
    let folder = interface(0, of: "1-1.4", classCode: "ff", driver: "ftdi_sio")
    system.write("DRIVER=ftdi_sio\n", to: folder + "/ttyUSB0/uevent")
    system.write("DEVNAME=ttyUSB0\n", to: folder + "/ttyUSB0/tty/ttyUSB0/uevent")
    let share = KernelShare(port: "1-1.4", interfaceClass: 0xFF, roots: system.roots)
    #expect(share.driver == "ftdi_sio")
    #expect(share.port == system.root + "/dev/ttyUSB0")
  }

  /// The mainboard's and the graphics card's buses, and those inside a USB tuner, are no place to look for sensors.
  @Test func busesThatServeTheMachineAreToldFromOthers() throws {
    func bus(_ number: Int, _ name: String, below parent: String) {
      let adapter = "sys/devices/\(parent)/i2c-\(number)"
      system.write(name + "\n", to: adapter + "/i2c-dev/i2c-\(number)/name")
      system.link("\(adapter)/i2c-dev/i2c-\(number)/device", to: "\(system.root)/\(adapter)")
      system.link("sys/class/i2c-dev/i2c-\(number)", to: "\(system.root)/\(adapter)/i2c-dev/i2c-\(number)")
    }
    bus(0, "SMBus I801 adapter at efa0", below: "pci0000:00/0000:00:1f.4")
    bus(1, "i915 gmbus dpb", below: "pci0000:00/0000:00:02.0")
    bus(2, "bcm2835 (i2c@7e804000)", below: "platform/soc/3f804000.i2c")
    bus(3, "SMBus stub driver", below: "virtual")
    for (number, vendor, product) in [(4, "10c4", "ea90"), (5, "0ccd", "0043")] {
      let device = "pci0000:00/0000:00:14.0/usb1/1-\(number)"
      system.write(vendor, to: "sys/devices/\(device)/idVendor")
      system.write(product, to: "sys/devices/\(device)/idProduct")
      bus(number, "a bus on USB", below: "\(device)/1-\(number):1.0")
    }
    let buses = listI2CBuses(in: system.roots)
    #expect(buses.map { $0.isReserved } == [true, true, false, false, false, true])
    #expect(buses[4].usb?.numbers == "10c4:ea90" && buses[4].socket == "1-4")
    #expect(buses[2].usb == nil && buses[2].socket == nil)
  }
}
