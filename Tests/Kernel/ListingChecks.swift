import Glibc
import LodestonePorts
import Support

/// The listing, and the accesses that it makes.
enum ListingChecks {
  static let all = [
    Check("SMBus: never asked unless named") { findings in
      try Machine.load("i2c-dev")
      try Machine.load("i2c-piix4")
      let listed = try Machine.lodestone("devices", "--probe")
      findings.expect(listed.text.contains("SMBus PIIX4"), "devices: \(listed.text)")
      // The machine's own serial port is all that is left.
      let program = try Machine.start(["heading"])
      findings.expect(eventually { program.hasRead(0, of: "/dev/ttyS1") }, "heading: not at /dev/ttyS1")
      kill(program.process, SIGINT)
      findings.expect(program.exitCode() == 130, "Ctrl-C")
    },
    Check("i2c-stub: an absent chip is not there, and has not gone") { findings in
      try Machine.load("i2c-dev")
      try Machine.load("i2c-stub", "chip_addr=0x1e")
      defer { Machine.unload("i2c-stub") }
      guard
        let bus = (0...9).first(where: { Machine.read("/sys/class/i2c-dev/i2c-\($0)/name") == "SMBus stub driver" })
      else { throw CannotCheck("i2c-stub makes no bus") }
      let absent = try Machine.lodestone("heading", "-d", "i2c:/dev/i2c-\(bus)/mmc5603", "--count", "1")
      findings.expect(absent.exitCode == 66, "exit \(absent.exitCode)")
      findings.expect(absent.text.contains("can't find mmc5603"), "\(absent.text)")
    },
    Check("devices --watch: plugging and unplugging are told at once") { findings in
      let program = try Machine.start(["devices", "--watch"])
      var bridge: Plugged? = try Plugged("ch341a")
      let plugged = MonotonicTime.now
      findings.expect(line(of: program, startingWith: "+ usb:ch341a"), "nothing was added")
      findings.expect(MonotonicTime.now - plugged < 5, "added after \(MonotonicTime.now - plugged) s")
      bridge?.unplug()
      let unplugged = MonotonicTime.now
      findings.expect(line(of: program, startingWith: "- usb:ch341a"), "nothing was removed")
      findings.expect(MonotonicTime.now - unplugged < 5, "removed after \(MonotonicTime.now - unplugged) s")
      findings.expect(program.end(by: SIGINT) == 130, "Ctrl-C")
      bridge = nil
    },
    Check("permission: a udev rule is offered, not root's group") { findings in
      let bridge = try Plugged("ch341a")
      let refused = try Machine.lodestone("heading", "-d", "usb:ch341a", "--count", "1", user: 65_534)
      findings.expect(refused.exitCode == 77, "exit \(refused.exitCode): \(refused.text)")
      findings.expect(refused.text.contains("devices --udev-rules"), "\(refused.text)")
      findings.expect(!refused.text.contains("group root"), "\(refused.text)")
      bridge.unplug()
    },
    Check("permission: a bus of root's has no udev rule, and a group that a package makes") { findings in
      let path = "/dev/i2c-250"
      guard mknod(path, S_IFCHR | 0o600, 89 << 8 | 250) == 0 else { throw CannotCheck("no node can be made") }
      defer { unlink(path) }
      let refused = try Machine.lodestone("heading", "-d", "i2c:" + path, "--count", "1", user: 65_534)
      findings.expect(refused.exitCode == 77, "exit \(refused.exitCode): \(refused.text)")
      findings.expect(refused.text.contains("apt-get install i2c-tools"), "\(refused.text)")
    },
  ]

  private static func line(of program: ChildProgram, startingWith text: String) -> Bool {
    while let line = program.line() { if line.hasPrefix(text) { return true } }
    return false
  }
}
