import CLinux
import Drivers
import Glibc

/// A CAN interface of the kernel (SocketCAN), as `can0` and `vcan0`: frames with identifiers of 29 bits in and out. It
/// never waits: what the bus does not take is lost, as is the way of frames.
public final class CANSocket {
  /// The interface's name.
  public let interface: String
  /// Frames that could not be sent.
  public private(set) var lostCount = 0
  private let owned: Descriptor

  /// For poll(2).
  public var descriptor: Int32 { owned.number }

  /// Opens an interface. Throws where there is none with the name, or the kernel has no CAN.
  public init(interface: String) throws(PortError) {
    self.interface = interface
    let number = linux_open_can(interface)
    guard number >= 0 else {
      let error = SystemError("can")
      switch error.code {
      case ENODEV: throw .noInterface(interface, kernelHasCAN: true)
      case EAFNOSUPPORT, EPROTONOSUPPORT: throw .noInterface(interface, kernelHasCAN: false)
      default: throw .system(path: interface, error)
      }
    }
    owned = Descriptor(owning: number)
  }

  /// Sends one frame.
  public func send(_ frame: CANFrame) {
    let sent = uninterrupted { linux_send_can(descriptor, frame.identifier, frame.bits, Int32(frame.count)) }
    if sent != 0 { lostCount += 1 }
  }

  /// The next frame that is there; nil where there is none.
  public func receive() -> CANFrame? {
    var identifier: UInt32 = 0, bits: UInt64 = 0
    for _ in 0..<64 {  // a flood of other frames must not keep the loop here
      let count = uninterrupted { linux_receive_can(descriptor, &identifier, &bits) }
      guard count >= 0 else { return nil }
      if count <= CANFrame.longest { return CANFrame(identifier: identifier, bits: bits, count: Int(count)) }
    }
    return nil
  }
}
