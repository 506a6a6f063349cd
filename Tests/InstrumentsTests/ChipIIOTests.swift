import Core
import Drivers
import Glibc
import Ports
import Support
import Testing

@testable import Instruments

/// A kernel's magnetometer made of plain files: without a buffer, read one by one.
@Suite struct ChipIIOTests {
  /// Makes the attributes of the first device below a folder.
  private func attributes(_ values: [String: String], in folder: String) throws -> SystemRoots {
    let device = "\(folder)/sys/bus/iio/devices/iio:device0"
    var path = ""
    for part in device.split(separator: "/") {
      path += "/\(part)"
      mkdir(path, 0o700)
    }
    for (name, text) in values { try CommandRun.write(text + "\n", to: "\(device)/\(name)") }
    return SystemRoots(sys: "\(folder)/sys", dev: "\(folder)/dev", proc: "\(folder)/proc")
  }

  private static let values = [
    "name": "lis3mdl", "in_magn_x_raw": "1260", "in_magn_y_raw": "767", "in_magn_z_raw": "-2938",
    "in_magn_scale": "0.000146", "sampling_frequency": "1000",
  ]

  @Test func readsTheFieldAtTheDevicesRate() throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(Self.values, in: folder)
      let listing = try #require(listIIODevices(in: roots).first)
      let stream = try IIOStream(listing, rate: nil, reconnects: true)
      #expect(stream.identity == "iio-lis3mdl")
      var samples: [Sample] = []
      var notices = 0
      while samples.count < 5 {
        switch try stream.next() {
        case .sample(let sample): samples.append(sample)
        case .notice: notices += 1
        default: break
        }
      }
      #expect(notices == 1)
      // st_magn at ±4 gauss: 146 microgauss a count.
      let field = try #require(samples.last?.field?.microtesla)
      #expect((field - Vector3(18.396, 11.1982, -42.8948)).length < 1e-9)
      for (one, next) in zip(samples, samples.dropFirst()) { #expect(next.time >= one.time) }
    }
  }

  @Test func aDeviceWithoutThreeAxesIsNone() throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(["name": "x", "in_magn_x_raw": "1"], in: folder)
      #expect(listIIODevices(in: roots).isEmpty)
    }
  }
}
