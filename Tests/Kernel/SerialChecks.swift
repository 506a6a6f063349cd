import Glibc
import Support

/// Serial ports of the kernel: ftdi_sio at QEMU's usb-serial, whose other end is the machine's second serial port, and
/// cdc_acm at a gadget.
enum SerialChecks {
  /// A line of NMEA 0183; its checksum is the exclusive or of what is between `$` and `*`.
  private static func heading(_ degrees: String) -> String {
    let body = "HCHDM,\(degrees),M"
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
  }

  /// Says lines at the far end of a line until it is told to stop.
  private static func talk(_ text: String, to node: String, every seconds: String = "0.05") throws -> ChildProgram {
    let script = "stty raw -echo < \(node); exec > \(node); while :; do printf '%s' \"$0\"; sleep \(seconds); done"
    guard let talker = ChildProgram("/bin/sh", arguments: ["-c", script, text]) else {
      throw CannotCheck("nothing talks")
    }
    return talker
  }

  private static func port() throws -> String {
    for module in ["xhci-pci", "ftdi_sio"] { try Machine.load(module) }
    try Machine.await("QEMU's usb-serial") { Machine.exists("/dev/ttyUSB0") }
    return "/dev/ttyUSB0"
  }

  static let all = [
    Check("ftdi_sio: the first lines are no old ones") { findings in
      let port = try port()
      // The chip keeps what arrives while nobody listens.
      let old = try talk(heading("30.0"), to: "/dev/ttyS1", every: "0.01")
      usleep(1_000_000)
      _ = old.end(by: SIGKILL, within: 2000)
      let new = try talk(heading("200.0"), to: "/dev/ttyS1")
      let program = try Machine.start(["heading", "-d", port, "--count", "5", "--format", "json"])
      let ended = Machine.Finished(program)
      _ = new.end(by: SIGKILL, within: 2000)
      let headings = ended.text.split(separator: "\n")
        .compactMap { Machine.number("magnetic_heading_deg", in: String($0)) }
      findings.expect(headings == [200, 200, 200, 200, 200], "\(headings): \(ended.text)")
      findings.expect(!ended.text.contains("nothing has arrived"), "\(ended.text)")
    },
    Check("ftdi_sio: a port that is read without a claim is named") { findings in
      let port = try port()
      guard let holder = ChildProgram("/bin/sh", arguments: ["-c", "exec 3<>\(port); echo ready; read line"]),
        holder.line() == "ready"
      else { throw CannotCheck("\(port) cannot be opened") }
      let refused = try Machine.lodestone("heading", "-d", port, "--count", "1")
      findings.expect(refused.exitCode == 75, "exit \(refused.exitCode)")
      findings.expect(refused.text.contains("in use by sh (process \(holder.process))"), "\(refused.text)")
      _ = holder.ask("go")
    },
    Check("cdc_acm: streams and ends by Ctrl-C") { findings in
      try Machine.load("dummy_hcd")
      try Machine.load("cdc-acm")
      try Machine.load("usb_f_acm")  // the kernel would ask modprobe, which looks where this machine has none
      try Machine.load("g_serial", "idVendor=0x239a", "idProduct=0x800b", "iSerialNumber=A1")
      try Machine.await("the gadget's port") { Machine.exists("/dev/ttyACM0") && Machine.exists("/dev/ttyGS0") }
      let talker = try talk(heading("101.0"), to: "/dev/ttyGS0")
      let program = try Machine.start(["heading", "-d", "/dev/ttyACM0", "--format", "json"])
      var count = 0
      while count < 5, let line = program.line() {
        if Machine.number("magnetic_heading_deg", in: line) == 101 { count += 1 }
      }
      findings.expect(count == 5, "\(count) headings")
      findings.expect(program.end(by: SIGINT) == 130, "Ctrl-C")
      _ = talker.end(by: SIGKILL, within: 2000)
    },
  ]
}
