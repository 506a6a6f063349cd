import LodestoneCore
import Glibc
import Support

/// Magnetometers that drivers of the kernel serve: st_magn and hmc5843 over models of their chips. Debian's kernel has
/// no trigger that could run a buffer here; IIOTests shows buffers on plain files.
enum IIOChecks {
  /// A chip of the kernel on a bridge's bus.
  private final class Bench {
    let bridge: Plugged
    let folder: String
    private let adapter: String
    private let address: String

    init(_ name: String, module: String, at address: UInt8, _ chip: any VirtualChip) throws {
      bridge = try Plugged("i2c-tiny-usb", chips: [address: chip])
      try Machine.load(module)
      let bus = (bridge.node ?? "").split(separator: "-").last.map(String.init) ?? ""
      adapter = "/sys/bus/i2c/devices/i2c-\(bus)"
      self.address = "0x" + String(address, radix: 16)
      try Machine.write("\(name) \(self.address)", to: adapter + "/new_device")
      var found: String?
      try Machine.await("the kernel's \(name)") {
        found = (0...9).map { "/sys/bus/iio/devices/iio:device\($0)" }.first { Machine.read($0 + "/name") == name }
        return found != nil
      }
      folder = found ?? ""
    }

    /// The bus as an address.
    var bus: String { "i2c:/dev/" + (adapter.split(separator: "/").last.map(String.init) ?? "") }

    var rate: String? { Machine.read(folder + "/sampling_frequency") }

    deinit { try? Machine.write(address, to: adapter + "/delete_device") }
  }

  private static func magnetometer() -> LIS3MDLModel {
    let model = LIS3MDLModel()
    model.field = { _ in Plugged.field }
    return model
  }

  /// The rate that a stream announced.
  private static func announced(_ text: String) -> Double? {
    guard let end = text.firstRange(of: " samples a second")?.lowerBound else { return nil }
    return text[..<end].split { ", ".contains($0) }.last.flatMap { Double($0) }
  }

  static let all = [
    Check("st_magn: comes at the rate that is announced, ends by Ctrl-C, puts the rate back") { findings in
      let bench = try Bench("lis3mdl", module: "st_magn_i2c", at: 0x1C, magnetometer())
      let before = bench.rate
      let ended = try Machine.lodestone("heading", "--count", "20", "--format", "json")
      findings.expect(ended.exitCode == 0 && ended.strengths.count == 20, "\(ended.text)")
      findings.expect(ended.strengths.allSatisfy { abs($0 - 48) < 1 }, "\(ended.strengths)")
      // The first reading tells how long one takes; a machine that others use keeps no pace.
      let rate = announced(ended.text) ?? 0
      let seconds = (ended.times.last ?? 0) - (ended.times.first ?? 0)
      findings.expect((0.2...5).contains(rate * seconds / 19), "20 at \(rate) a second in \(seconds) s")
      findings.expect(bench.rate == before, "\(before ?? "?") has become \(bench.rate ?? "?")")
      let endless = try Machine.start(["heading", "-d", "iio:", "--format", "json"])
      while let line = endless.line(), Machine.strength(in: line) == nil {}
      findings.expect(bench.rate != before, "the rate stays \(bench.rate ?? "?")")
      findings.expect(endless.end(by: SIGINT) == 130, "Ctrl-C")
      findings.expect(bench.rate == before, "Ctrl-C: \(before ?? "?") has become \(bench.rate ?? "?")")
    },
    Check(
      "st_magn: read singly it measures as fast as it can, whatever rate is wanted; a hint where it may not be told"
    ) {
      findings in
      let bench = try Bench("lis3mdl", module: "st_magn_i2c", at: 0x1C, magnetometer())
      let before = bench.rate
      let slow = try Machine.start(["heading", "-d", "iio:?rate=5", "--format", "json"])
      while let line = slow.line(), Machine.strength(in: line) == nil {}
      findings.expect(bench.rate == "80", "the rate is \(bench.rate ?? "?")")
      findings.expect(slow.end(by: SIGINT) == 130 && bench.rate == before, "Ctrl-C: \(bench.rate ?? "?")")
      let refused = try Machine.lodestone("heading", "-d", "iio:?rate=40", "--count", "1", user: 65_534)
      findings.expect(refused.exitCode == 77 && refused.text.contains("sudo tee /sys/"), "\(refused.text)")
    },
    Check("hmc5843: the driver's scale is a hundredth") { findings in
      let model = HMC5883LModel()
      model.field = { _ in Plugged.field }
      let bench = try Bench("hmc5883l", module: "hmc5843_i2c", at: 0x1E, model)
      let ended = try Machine.lodestone("heading", "-d", "iio:", "--count", "5", "--format", "json")
      findings.expect(ended.exitCode == 0, "\(ended.text)")
      findings.expect(ended.strengths.count == 5, "\(ended.text)")
      findings.expect(ended.strengths.allSatisfy { abs($0 - 48) < 2 }, "\(ended.strengths)")
      withExtendedLifetime(bench) {}
    },
    Check("hmc5843: --rate is written where the driver has it") { findings in
      let model = HMC5883LModel()
      model.field = { _ in Plugged.field }
      let bench = try Bench("hmc5883l", module: "hmc5843_i2c", at: 0x1E, model)
      let ended = try Machine.lodestone("heading", "-d", "iio:?rate=15", "--count", "3", "--format", "json")
      findings.expect(ended.exitCode == 0 && ended.strengths.count == 3, "\(ended.text)")
      withExtendedLifetime(bench) {}
    },
    Check("unplugged, a chip of the kernel is waited for") { findings in
      let bench = try Bench("lis3mdl", module: "st_magn_i2c", at: 0x1C, magnetometer())
      let program = try Machine.start(["heading", "-d", "iio:", "--format", "json"])
      while let line = program.line(), Machine.strength(in: line) == nil {}
      bench.bridge.unplug()
      findings.expect(
        program.line(holding: "has gone; waiting", "Error: ")?.contains("waiting") == true, "not waited for")
      findings.expect(program.end(by: SIGINT) == 130, "Ctrl-C")
    },
    Check("a chip that the kernel reads is not taken from it, be it by its bridge or by its bus") { findings in
      let bench = try Bench("lis3mdl", module: "st_magn_i2c", at: 0x1C, magnetometer())
      let reader = try Machine.start(["heading", "-d", "iio:", "--format", "json"])
      while let line = reader.line(), Machine.strength(in: line) == nil {}
      let bridge = try Machine.lodestone("heading", "-d", "usb:", "--count", "1")
      findings.expect(bridge.exitCode == 75 && bridge.text.contains("--device iio:"), "usb: \(bridge.text)")
      let bus = try Machine.lodestone("heading", "-d", bench.bus + "/lis3mdl", "--count", "1")
      findings.expect(bus.exitCode == 75 && bus.text.contains("the kernel's driver"), "i2c: \(bus.text)")
      findings.expect(!bus.text.contains("supply"), "i2c: \(bus.text)")
      let listed = try Machine.lodestone("devices")
      findings.expect(listed.text.contains("the same device as usb:i2c-tiny-usb"), "devices: \(listed.text)")
      findings.expect(reader.end(by: SIGINT) == 130, "Ctrl-C")
    },
    Check("two programs do not share a chip of one bus") { findings in
      let bridge = try Plugged("i2c-tiny-usb")
      let address = "i2c:\(bridge.node ?? "")/lis3mdl"
      let first = try Machine.start(["heading", "-d", address, "--format", "json"])
      while let line = first.line(), Machine.strength(in: line) == nil {}
      let second = try Machine.lodestone("heading", "-d", address, "--count", "1")
      findings.expect(second.exitCode == 75 && second.text.contains("in use by lodestone"), "\(second.text)")
      findings.expect(first.end(by: SIGINT) == 130, "Ctrl-C")
      let third = try Machine.lodestone("heading", "-d", address, "--count", "1")
      findings.expect(third.exitCode == 0, "\(third.text)")
      bridge.unplug()
    },
  ]
}
