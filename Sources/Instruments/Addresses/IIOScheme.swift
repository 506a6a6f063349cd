import Drivers
import LodestonePorts

/// `iio:` — a magnetometer that a driver of the kernel serves.
enum IIOScheme: AddressScheme {
  static let scheme: String? = "iio"
  static let example = "iio:lis3mdl"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = try address.checked(allowing: ["rate"])
    let rate = try ChipRequest(address, options).settings.rate
    return try IIOStream(try device(of: address), rate: rate, reconnects: options.reconnects)
  }

  /// The only device that an address names.
  static func device(of address: DeviceAddress) throws(StreamError) -> IIOListing {
    let all = listIIODevices()
    let found = all.filter { $0.isNamed(address.body) }
    guard found.count <= 1 else { throw .noDevice(found: found.map { $0.address(among: all) }) }
    guard let device = found.first else {
      throw .notInKernel(address.text, found: all.map { $0.address(among: all) })
    }
    return device
  }
}

extension IIOListing {
  /// The identity, which its calibration is saved under.
  var identity: String { label.map { "iio-\(name)-\($0)" } ?? "iio-\(name)" }

  /// An empty name means any.
  fileprivate func isNamed(_ text: String) -> Bool {
    text.isEmpty || text == name || text == label || text == "device\(number)" || text == "iio:device\(number)"
  }

  /// The address to type: the chip's name, or the number where several have the same.
  func address(among all: [IIOListing]) -> String {
    all.filter { $0.name == name }.count > 1 ? "iio:device\(number)" : "iio:\(name)"
  }
}
