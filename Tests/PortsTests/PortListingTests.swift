import Drivers
import Glibc
import LodestonePorts
import Support
import Testing

@Suite struct PortListingTests {
  private let system = FakeSystem()

  @Test func aBoardOnUSBIsDescribed() throws {
    system.plugIn(
      "ttyACM0", socket: "1-1.2", vendor: "239a", product: "800b", serial: "A1B2C3", manufacturer: "Adafruit",
      title: "Feather M0", interface: "00")
    system.link("dev/serial/by-id/usb-Adafruit_Feather_M0_A1B2C3-if00", to: "../../ttyACM0")
    system.link("dev/serial/by-path/pci-0000:00-usb-0:1.2:1.0", to: "../../ttyACM0")
    let port = try #require(listPorts(in: system.roots).first)
    #expect(port.path == system.root + "/dev/ttyACM0")
    #expect(
      port.usb
        == USBIdentity(
          vendorID: 0x239A, productID: 0x800B, serial: "A1B2C3", manufacturer: "Adafruit", product: "Feather M0"))
    #expect(port.usb?.numbers == "239a:800b")
    #expect(port.interface == 0)
    #expect(port.socket == "1-1.2")
    #expect(port.driver == "cdc_acm")
    #expect(port.board?.name == "Adafruit Feather M0")
    #expect(
      port.links == [
        system.root + "/dev/serial/by-id/usb-Adafruit_Feather_M0_A1B2C3-if00",
        system.root + "/dev/serial/by-path/pci-0000:00-usb-0:1.2:1.0",
      ])
    #expect(!port.isConsole)
    #expect(port.identity.key == "usb-239a:800b-A1B2C3-if00")
  }

  @Test func aUSBSerialChipHangsOneFolderDeeper() throws {
    system.plugIn("ttyUSB0", vendor: "0403", product: "6011", interface: "0a", driver: "ftdi_sio")
    let port = try #require(listPorts(in: system.roots).first)
    #expect(port.usb == USBIdentity(vendorID: 0x0403, productID: 0x6011))
    #expect(port.interface == 10)
    #expect(port.driver == "ftdi_sio")
    #expect(port.identity.key == "usb-0403:6011-at-1-1-if10")
  }

  @Test func onlyPortsWithHardwareAreListed() {
    system.makeFolder("sys/class/tty/tty0")
    system.makeFolder("sys/class/tty/ptmx")
    system.addBuiltIn("ttyS0", type: "0")
    system.addBuiltIn("ttyS1", type: "4")
    #expect(listPorts(in: system.roots).map { $0.path } == [system.root + "/dev/ttyS1"])
  }

  @Test func usbComesFirstAndNumbersCount() {
    system.addBuiltIn("ttyS1", type: "4")
    system.plugIn("ttyUSB10", socket: "1-1", vendor: "1a86", product: "7523", driver: "ch341")
    system.plugIn("ttyUSB2", socket: "1-2", vendor: "1a86", product: "7523", driver: "ch341")
    system.plugIn("ttyACM3", socket: "1-3", vendor: "2341", product: "0043")
    let names = listPorts(in: system.roots).map { $0.path.split(separator: "/").last ?? "" }
    #expect(names == ["ttyACM3", "ttyUSB2", "ttyUSB10", "ttyS1"])
  }

  @Test func hostileTextsAreCleaned() throws {
    system.plugIn(
      "ttyACM0", vendor: "2341", product: "0043", serial: "\u{1B}[2JX\u{202E}1\u{9B}31m",
      title: String(repeating: "y", count: 4000))
    let usb = try #require(listPorts(in: system.roots).first?.usb)
    #expect(usb.serial == "[2JX131m")
    #expect(usb.product?.count == 126)
  }

  @Test func numbersThatAreNoneMakeNoUSBDevice() throws {
    system.plugIn("ttyACM0", vendor: "xyzzy", product: "0043")
    #expect(try #require(listPorts(in: system.roots).first).usb == nil)
  }

  @Test func aMissingNodeIsAFact() throws {
    system.plugIn("ttyACM0", vendor: "2341", product: "0043")
    system.remove("dev/ttyACM0")
    #expect(try #require(listPorts(in: system.roots).first).access == nil)
  }

  @Test func anEmptySystemHasNoPorts() {
    #expect(listPorts(in: SystemRoots(sys: "/no/sys", dev: "/no/dev", proc: "/no/proc")).isEmpty)
  }

  @Test func whoHoldsAPortIsNamed() throws {
    let board = try PseudoTerminal()
    system.plugIn("ttyACM0", vendor: "2341", product: "0043", node: board.path)
    system.write("minicom\n", to: "proc/4242/comm")
    system.link("proc/4242/fd/5", to: board.path)
    system.link("proc/4242/fd/6", to: "/dev/null")
    system.link("proc/4243/fd/0", to: "/dev/null")
    system.link("proc/self/fd/0", to: board.path)
    let port = try #require(listPorts(in: system.roots).first)
    #expect(port.holders == [Holder(name: "minicom", processID: 4242)])
    #expect(port.obstacle == .busy(path: port.path, heldBy: port.holders))
  }

  @Test func theMachinesOwnPortsCanBeListed() {
    for port in listPorts() { #expect(port.path.hasPrefix("/dev/")) }
  }

  @Test func permissionsAreFacts() throws {
    system.plugIn("ttyACM0", vendor: "2341", product: "0043")
    let node = system.root + "/dev/ttyACM0"
    chmod(node, 0o660)
    let access = try #require(NodeAccess(path: node))
    #expect(access.mode == 0o660)
    #expect(access.isReadable && access.isWritable)
    #expect(!access.userGroups.isEmpty)
    #expect(access.userGroups.contains(access.group) == !access.needsGroup)
    #expect(NodeAccess(path: "/no/such/node") == nil)
  }
}

@Suite struct PortIdentityTests {
  private let system = FakeSystem()

  private func identity(of name: String) throws -> PortIdentity {
    let identity = PortIdentity(path: "\(system.root)/dev/\(name)", among: listPorts(in: system.roots))
    try #require(identity.usb != nil)
    return identity
  }

  private func found(_ identity: PortIdentity) -> String? {
    identity.find(in: listPorts(in: system.roots))?.path.split(separator: "/").last.map(String.init)
  }

  @Test func aSerialNumberIsFoundUnderAnotherNameInAnotherSocket() throws {
    system.plugIn("ttyACM0", vendor: "239a", product: "800b", serial: "ONE")
    let board = try identity(of: "ttyACM0")
    system.unplug("ttyACM0")
    #expect(found(board) == nil)
    system.plugIn("ttyACM0", socket: "1-4", vendor: "239a", product: "800b", serial: "OTHER")
    #expect(found(board) == nil)
    system.plugIn("ttyACM7", socket: "1-3", vendor: "239a", product: "800b", serial: "ONE")
    #expect(found(board) == "ttyACM7")
  }

  @Test func withoutASerialNumberTheSocketDecides() throws {
    system.plugIn("ttyUSB0", socket: "1-1", vendor: "1a86", product: "7523", driver: "ch341")
    let board = try identity(of: "ttyUSB0")
    system.unplug("ttyUSB0", socket: "1-1")
    system.plugIn("ttyUSB1", socket: "1-2", vendor: "1a86", product: "7523", driver: "ch341")
    #expect(found(board) == nil)  // of the same kind, in another socket: it may be another board
    system.plugIn("ttyUSB2", socket: "1-1", vendor: "1a86", product: "7523", driver: "ch341")
    #expect(found(board) == "ttyUSB2")
    system.unplug("ttyUSB2", socket: "1-1")
    system.plugIn("ttyUSB3", socket: "1-5", vendor: "1a86", product: "7523", driver: "ch341")
    #expect(found(board) == nil)  // two could be it
  }

  @Test func theInterfaceMatters() throws {
    system.plugIn("ttyUSB0", vendor: "10c4", product: "ea70", serial: "S", interface: "00", driver: "cp210x")
    system.plugIn("ttyUSB1", vendor: "10c4", product: "ea70", serial: "S", interface: "01", driver: "cp210x")
    #expect(found(try identity(of: "ttyUSB1")) == "ttyUSB1")
    #expect(found(try identity(of: "ttyUSB0")) == "ttyUSB0")
  }

  @Test func aLinkLeadsToTheSameIdentity() throws {
    system.plugIn("ttyACM0", vendor: "239a", product: "800b", serial: "ONE")
    system.link("dev/serial/by-id/usb-it", to: "../../ttyACM0")
    let all = listPorts(in: system.roots)
    let identity = PortIdentity(path: system.root + "/dev/serial/by-id/usb-it", among: all)
    #expect(identity.usb?.serial == "ONE")
  }

  @Test func aPtyIsKnownByItsPath() {
    let identity = PortIdentity(path: "/dev/pts/99", among: [])
    #expect(identity == PortIdentity(usb: nil, path: "/dev/pts/99"))
    #expect(identity.key == "/dev/pts/99")
  }

  @Test func aPortBecomesUsable() throws {
    let board = try PseudoTerminal()
    system.plugIn("ttyACM0", vendor: "239a", product: "800b", serial: "ONE", node: board.path)
    system.remove("dev/ttyACM0")
    let before = listPorts(in: system.roots)
    #expect(before.first?.obstacle == .notThere(path: system.root + "/dev/ttyACM0"))
    system.link("dev/ttyACM0", to: board.path)
    let now = listPorts(in: system.roots)
    #expect(now.map { $0.identity } == before.map { $0.identity })
    #expect(now.first?.obstacle == nil)
  }
}
