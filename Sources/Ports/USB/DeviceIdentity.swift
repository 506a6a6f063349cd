import LodestoneCore

/// The identity that a USB device reports. Texts are as the device gives them, without control characters.
public struct USBIdentity: Equatable, Hashable, Sendable {
  /// Given by the USB Implementers Forum.
  public var vendorID: UInt16
  /// Given by the vendor.
  public var productID: UInt16
  /// Distinguishes two of the same kind; many cheap boards have none.
  public var serial: String?
  /// The maker's name.
  public var manufacturer: String?
  /// The product's name.
  public var product: String?

  /// An identity.
  public init(
    vendorID: UInt16, productID: UInt16, serial: String? = nil, manufacturer: String? = nil, product: String? = nil
  ) {
    self.vendorID = vendorID
    self.productID = productID
    self.serial = serial
    self.manufacturer = manufacturer
    self.product = product
  }

  /// Reads the folder of a USB device in sysfs; nil where it is none.
  init?(folder: String) {
    guard let vendor = smallText(folder + "/idVendor").flatMap({ UInt16($0, radix: 16) }),
      let product = smallText(folder + "/idProduct").flatMap({ UInt16($0, radix: 16) })
    else { return nil }
    self.init(
      vendorID: vendor, productID: product, serial: deviceText(folder + "/serial"),
      manufacturer: deviceText(folder + "/manufacturer"), product: deviceText(folder + "/product"))
  }

  /// The numbers as `lsusb` prints them: `1a86:7523`.
  public var numbers: String { vendorID.hexadecimal + ":" + productID.hexadecimal }
}

/// The lasting identity of a port, by which it is found again after it was unplugged, when it may have another name.
public struct PortIdentity: Equatable, Hashable, Sendable {
  /// The identity on USB; nil for a port that is not on USB: only its path tells it apart.
  public var usb: USBIdentity?
  /// The number of the interface, where the device has several ports.
  public var interface: Int?
  /// The socket it is plugged into, as the kernel numbers them (`1-1.2`); decides between devices without a serial
  /// number.
  public var socket: String?
  /// The node when it was last seen.
  public var path: String

  /// An identity.
  public init(usb: USBIdentity?, interface: Int? = nil, socket: String? = nil, path: String) {
    self.usb = usb
    self.interface = interface
    self.socket = socket
    self.path = path
  }

  /// The identity of the port at a path, links followed; one that is not listed (a pty) is known by its path alone.
  public init(path: String, among listings: [PortListing]) {
    let chain = linkChain(path)
    let listing = listings.first { chain.contains($0.path) }
    self = listing?.identity ?? PortIdentity(usb: nil, path: path)
  }

  /// This device among those there are now. Nil when it is away, and when several could be it. One without a serial
  /// number is known by its socket alone.
  public func find(in listings: [PortListing]) -> PortListing? {
    guard let usb else { return listings.first { $0.path == path } }
    let same = listings.filter { isLike($0) && $0.usb?.serial == usb.serial }
    if usb.serial != nil, same.count == 1 { return same[0] }
    return same.first { $0.socket == socket }
  }

  /// Whether a port is of the same kind of device, and the same of its interfaces.
  public func isLike(_ listing: PortListing) -> Bool {
    listing.usb?.vendorID == usb?.vendorID && listing.usb?.productID == usb?.productID
      && listing.interface == interface
  }

  /// A short name that stays the same: `usb-1a86:7523-A1B2-if00`, or the path of a port that is not on USB.
  public var key: String {
    guard let usb else { return path }
    let place = usb.serial ?? socket.map { "at-" + $0 } ?? "?"
    let part = interface.map { "-if" + ($0 < 10 ? "0" : "") + String($0) } ?? ""
    return "usb-\(usb.numbers)-\(place)\(part)"
  }
}

/// A text that a device gave, without what is not harmless and at most 126 characters long (the limit of a USB string
/// descriptor). Nil where there is none.
func deviceText(_ path: String) -> String? {
  guard let shown = smallText(path)?.withoutHarmful, !shown.isEmpty else { return nil }
  return String(shown.prefix(126))
}
