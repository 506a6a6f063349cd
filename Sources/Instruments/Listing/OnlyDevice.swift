extension DeviceListing {
  /// The address to open where no device is named: of the only device attached, the address that disturbs nothing else.
  /// A bridge, the bus and the ports that the kernel makes of it, and a chip that a driver of the kernel has on it are
  /// one thing; what serves the machine itself is none. Ports on the machine's own board count where nothing is plugged
  /// in.
  /// - Throws: `noDevice` with what there is.
  public static func onlyAttached(among all: [DeviceListing]) throws(StreamError) -> String {
    let all = all.filter { !$0.isReserved }
    let plugged = all.filter { $0.socket != nil || $0.kind != .serial }
    let choices = things(plugged.isEmpty ? all : plugged).map { preferred(of: $0) }
    guard choices.count == 1, choices[0].count == 1 else { throw .noDevice(found: choices.flatMap { $0 }) }
    return choices[0][0]
  }

  /// The listings of each device: those of one socket together, any other alone.
  private static func things(_ all: [DeviceListing]) -> [[DeviceListing]] {
    var order: [String] = []
    var things: [String: [DeviceListing]] = [:]
    for listing in all {
      let key = listing.socket ?? listing.address
      if things[key] == nil { order.append(key) }
      things[key, default: []].append(listing)
    }
    return order.compactMap { things[$0] }
  }

  /// The addresses of one thing that are left to choose from. The kernel's own way comes first: a chip, then a bus. A
  /// bridge that its serial driver has may be either: its user has to say.
  private static func preferred(of thing: [DeviceListing]) -> [String] {
    func addresses(_ kind: Kind) -> [String] { thing.filter { $0.kind == kind }.map { $0.address } }
    let isPort = thing.contains { $0.kind == .usb && $0.kernel?.address?.hasPrefix("/") == true }
    let order: [Kind] = [.iio, .i2c, .usb, .serial]
    if isPort, addresses(.iio).isEmpty, addresses(.i2c).isEmpty { return addresses(.serial) + addresses(.usb) }
    return order.lazy.map { addresses($0) }.first { !$0.isEmpty } ?? []
  }
}
