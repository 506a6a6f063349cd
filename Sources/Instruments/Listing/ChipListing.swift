import Drivers
import LodestonePorts

// Magnetometers on buses, as a list of devices shows them.

extension DeviceListing {
  /// The bridges, or where one may be asked, the boards behind it.
  static func bridges(_ probing: Probing) -> [DeviceListing] {
    let bus: USBBus
    do {
      bus = try USBBus()
    } catch {
      // What the kernel shows, with the reason why no more is known.
      return USBBus.shownByKernel().map { bridge, usb in
        DeviceListing(address: "usb:\(bridge.name)", kind: .usb, description: bridge.name, usb: usb, problem: error)
      }
    }
    let all = bus.bridges()
    return all.flatMap { found in
      let listing = DeviceListing(found, among: all)
      guard found.mayBeAsked(probing) else { return [listing] }
      return listing.probed(place: "usb:\(found.bridge.name)", query: found.query(among: all)) {
        () throws(BridgeOpenError) in try bus.open(found)
      }
    }
  }

  private init(_ found: BridgeDevice, among all: [BridgeDevice]) {
    let device = found.device
    let words = [device.manufacturer, device.product].compactMap { $0 }.joined(separator: " ")
    self.init(
      address: found.address(among: all), kind: .usb, description: words.isEmpty ? found.bridge.name : words,
      usb: USBIdentity(
        vendorID: device.identifier.vendor, productID: device.identifier.product, serial: device.serial,
        manufacturer: device.manufacturer, product: device.product), problem: found.obstacle)
    socket = device.path
    if let driver = found.share.driver, driver != "usbfs" {
      kernel = KernelUse(driver: driver, address: found.share.bus.map { "i2c:\($0)" } ?? found.share.port)
    }
  }

  /// The kernel's I²C buses, or where they may be asked, the boards on them.
  static func buses(_ roots: SystemRoots, _ probing: Probing) -> [DeviceListing] {
    listI2CBuses(in: roots).flatMap { found in
      var listing = DeviceListing(
        address: "i2c:\(found.path)", kind: .i2c, description: found.name, usb: found.usb, problem: found.obstacle)
      (listing.socket, listing.isReserved, listing.holders) = (found.socket, found.isReserved, found.holders)
      guard found.mayBeAsked(probing) else { return [listing] }
      return listing.probed(place: "i2c:\(found.path)", query: "") { () throws(BridgeOpenError) in
        do throws(StreamError) {
          return try I2CLink(path: found.path).open(resetting: false)
        } catch .port(let error) {
          throw .port(error)
        } catch {
          throw .bus(.timeout)
        }
      }
    }
  }

  /// This bus as one line for each board that is found on it; itself where there is none, or it cannot be opened.
  private func probed(
    place: String, query: String, opening open: () throws(BridgeOpenError) -> any I2CBus
  ) -> [DeviceListing] {
    var bus: any I2CBus
    do {
      bus = try open()
    } catch {
      var listing = self
      if case .port(let error) = error { listing.problem = error }
      return [listing]
    }
    let boards = Board.boards(of: (try? Probe.chips(on: &bus)) ?? [])
    return boards.isEmpty ? [self] : boards.map { with($0, on: bus, address: "\(place)/\($0.magnetometer)\(query)") }
  }

  private func with(_ board: Board, on bus: any I2CBus, address: String) -> DeviceListing {
    var listing = self
    let open = OpenBoard(board, on: bus, ChipRequest(board.magnetometer.driver))
    listing.address = address
    listing.chip = board.magnetometer.driver.name
    listing.sensors = Self.words(board.senses)
    // The rate is the chip's own once it is set up.
    if (try? open.configure()) != nil { listing.rate = 1 / open.magnetometer.timing.period }
    return listing
  }

  private static func words(_ senses: Senses) -> [String] {
    [(Senses.field, "field"), (.acceleration, "acceleration"), (.rotationRate, "rotation")]
      .filter { senses.contains($0.0) }.map { $0.1 }
  }

  /// The magnetometers that a driver of the kernel serves.
  static func kernelDevices(_ roots: SystemRoots) -> [DeviceListing] {
    let all = listIIODevices(in: roots)
    return all.map { found in
      var listing = DeviceListing(
        address: found.address(among: all), kind: .iio, description: found.label ?? found.name)
      listing.chip = found.name
      listing.rate = found.rate
      let beside = [Senses.acceleration, .rotationRate].filter { iioNeighbour($0, beside: found, in: roots) != nil }
      listing.sensors = words(beside.reduce(found.senses) { $0.union($1) })
      (listing.socket, listing.holders) = (found.socket, found.holders)
      return listing
    }
  }
}

extension BridgeDevice {
  /// A free one may be asked what is behind it; one that may be something else only where its user allows it, and then
  /// also in place of a driver that nothing uses.
  fileprivate func mayBeAsked(_ probing: DeviceListing.Probing) -> Bool {
    bridge.isGeneric ? probing.contains(.generic) && obstacle == nil : probing.contains(.bridges) && isFree
  }
}

extension I2CListing {
  /// A bridge's own bus is asked as the bridge would be.
  fileprivate func mayBeAsked(_ probing: DeviceListing.Probing) -> Bool {
    guard obstacle == nil, holders.isEmpty, !isReserved else { return false }
    return probing.contains(usb == nil ? .buses : .bridges)
  }
}
