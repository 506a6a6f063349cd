import CUMockdev
import Glibc

/// A board with a USB serial port, as it is plugged into a testbed: the port's node leads to the board's pty.
public final class SerialPlug {
  /// The port's node.
  public var node: String { "/dev/" + name }
  /// The board.
  public let board: PtyBoard
  private let name: String
  private let socket: String
  private let link: String?
  private let testbed: Testbed

  /// Plugs an FT232R in.
  /// - Parameters:
  ///   - name: of the port's node in /dev.
  ///   - serial: its serial number; nil for one that has none.
  ///   - socket: of bus 1.
  public init(_ board: PtyBoard, in testbed: Testbed, as name: String, serial: String?, socket: String = "1-1") {
    self.board = board
    self.testbed = testbed
    self.name = name
    self.socket = socket
    link = serial.map { "dev/serial/by-id/usb-FTDI_FT232R_USB_UART_\($0)-if00-port0" }
    for name in names { testbed.attachKernel(to: name) }
    var facts = stat()
    stat(board.path, &facts)
    let number = UInt64(facts.st_rdev)
    let system = FakeSystem(in: testbed.world.root)
    // umockdev reads on behind the number's end, so it ends with something that is no digit.
    system.link("dev/.node/\(name)", to: "\(number >> 8 & 0xFFF):\(number & 0xFF | number >> 12 & 0xFFF00) ")
    if let link { system.link(link, to: "../../\(name)") }
    system.plugIn(
      name, socket: socket, vendor: "0403", product: "6001", serial: serial, manufacturer: "FTDI",
      title: "FT232R USB UART", driver: "ftdi_sio", node: board.path)
  }

  /// Pulls the plug.
  public func unplug() {
    board.unplug()
    let system = FakeSystem(in: testbed.world.root)
    system.unplug(name, socket: socket)
    system.remove("dev/.node/\(name)")
    if let link { system.remove(link) }
    for name in names { testbed.detachKernel(from: name) }
  }

  /// The names under which a program may open the port.
  private var names: [String] { [node] + (link.map { ["/" + $0] } ?? []) }
}
