import CLinux
import LodestoneCore
import Glibc
import Support
import Testing

/// However a program that reads a bridge is asked to end, it ends in order: 130, the kernel's driver back, the terminal
/// as it was.
@Suite(.waiting) struct EndingTests {
  static let bridges = EmulatedBridges.all.keys.sorted()
  static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private func bench(_ bridge: String, besides others: [UInt8: any VirtualChip] = [:]) throws -> ChipBench {
    let model = LIS3MDLModel()
    model.field = { _ in USBTests.field }
    return try ChipBench(bridge, others.merging([0x1C: model]) { $1 })
  }

  /// The last thing that happened to the interface with the bus.
  private func lastWord(of bench: ChipBench) -> String { bench.device.interfaceLog.last ?? "" }

  private func isBack(_ bench: ChipBench) -> Bool {
    let drivers = ["cp2112": "cp2112", "ft232h": "ftdi_sio", "i2c-tiny-usb": "i2c-tiny-usb", "mcp2221": "mcp2221"]
    guard let driver = drivers[bench.bridge] else { return lastWord(of: bench) == "release 0" }
    return lastWord(of: bench) == "attach \(driver)"
  }

  @Test(arguments: bridges, signals) func aSignalGivesTheBridgeBack(bridge: String, signal: Int32) throws {
    let bench = try bench(bridge)
    let program = try bench.start("heading", "--device", "usb:", "--format", "json")
    for _ in 0..<3 { #expect(program.line() != nil) }
    #expect(program.end(by: signal) == 130)
    #expect(isBack(bench), "\(bench.device.interfaceLog)")
  }

  /// Before there is a first line, and a loop that could see it.
  @Test(arguments: signals) func aSignalWhileTheChipIsLookedForDoes(signal: Int32) throws {
    let bench = try bench("i2c-tiny-usb")
    bench.device.fail(.hang, after: 3)
    let program = try bench.start("chip", "info", "usb:")
    #expect(eventually { bench.device.transferCount > 3 })
    kill(program.process, signal)
    bench.device.fail(nil)
    while program.line() != nil {}
    #expect(program.exitCode() == (signal == SIGTERM ? 143 : signal == SIGHUP ? 129 : signal == SIGQUIT ? 131 : 130))
    #expect(isBack(bench), "\(bench.device.interfaceLog)")
  }

  @Test(
    arguments: [["heading", "--rose"], ["teslameter"], ["calibrate"], ["level"], ["motion"], ["attitude"]], signals)
  func aFullScreenPutsTheTerminalBack(command: [String], signal: Int32) throws {
    let motion = LSM6DSOXModel()
    motion.acceleration = { _ in Vector3(0, 0.6, 0.8) }
    let bench = try bench("cp2112", besides: ["level", "motion"].contains(command.first) ? [0x6A: motion] : [:])
    let screen = try TestTerminal()
    let before = screen.modes
    try TemporaryFolder.with { folder in
      let program = try #require(
        bench.testbed.start(
          "lodestone", arguments: command + ["--device", "usb:"], environment: ["XDG_DATA_HOME": folder],
          terminal: screen.path))
      var text = ""
      #expect(
        eventually {
          text += screen.drawn(); return text.contains("\u{1B}[?1049h") && text.utf8.count > 400
        })
      #expect(screen.modes & tcflag_t(ICANON | ECHO) == 0)
      kill(program.process, signal)
      var status: Int32 = 0
      #expect(
        eventually {
          text += screen.drawn(); return waitpid(program.process, &status, WNOHANG) != 0
        })
      #expect(status == 130 << 8, "\(status)")
      text += screen.drawn()
      let restored = text.contains("\u{1B}[?1049l") && text.contains("\u{1B}[?25h")
      #expect(restored)
      #expect(screen.modes == before)
    }
    #expect(isBack(bench), "\(bench.device.interfaceLog)")
  }
}
