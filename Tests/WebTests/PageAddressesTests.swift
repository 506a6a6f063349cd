import LodestonePorts
import Support
import Testing

@testable import LodestoneWeb

/// Which addresses a page may open: whoever reaches it reaches devices, and nothing else of the machine.
struct PageAddressesTests {
  private func isOpen(_ address: String, recordings: String? = nil, first: String? = nil) -> Bool {
    (try? PageAddresses(recordings: recordings, first: first).checked(address)) != nil
  }

  @Test(arguments: ["sim:", "sim:?motion=still", "usb:", "usb:mcp2221/lis3mdl", "i2c:/dev/i2c-1", "iio:"])
  func devicesOfTheMachineMayBeOpened(_ address: String) { #expect(isOpen(address)) }

  @Test(arguments: [
    "-", "/etc/shadow", "file:/etc/passwd", "tcp://127.0.0.1:22", "udp://:9", "gpsd://host", "mqtt://host/topic",
    "mqtts://host/topic", "/dev/pts/0", "serial:/dev/pts/0", "/dev/tty", "/dev/zero", "nothing:", "../sweep.csv",
  ])
  func othersMayNot(_ address: String) { #expect(!isOpen(address)) }

  @Test func recordingsMayBelowTheirFolder() throws {
    try TemporaryFolder.with { folder in
      try AtomicFile.write(Array("time_s,mx_uT,my_uT,mz_uT\n".utf8), to: "\(folder)/ride.csv")
      #expect(isOpen("\(folder)/ride.csv", recordings: folder))
      #expect(!isOpen("\(folder)/ride.csv"))
      #expect(!isOpen("\(folder)/../../etc/passwd", recordings: folder))
      #expect(!isOpen("/etc/passwd", recordings: folder))
      #expect(!isOpen(folder, recordings: folder))
    }
  }

  /// A recording is named as it stands in the folder, with options where it needs them; what is outside has no name
  /// there.
  @Test func recordingsAreNamedWithinTheirFolder() throws {
    try TemporaryFolder.with { folder in
      try AtomicFile.write(Array("secret\n".utf8), to: "\(folder)/outside.csv")
      let recordings = "\(folder)/Fährten"
      try Folder.make("\(recordings)/june")
      for name in ["ride.csv", "june/ride.csv", "a:b.csv", "what?.csv"] {
        try AtomicFile.write(Array("time_s,mx_uT,my_uT,mz_uT\n".utf8), to: "\(recordings)/\(name)")
      }
      let addresses = PageAddresses(recordings: recordings)
      #expect(addresses.names == ["a:b.csv", "june/ride.csv", "ride.csv", "what?.csv"])
      #expect(PageAddresses().names.isEmpty)
      for name in [
        "ride.csv", "file:ride.csv", "june/ride.csv", "june/../ride.csv", "a:b.csv", "what?.csv", "ride.csv?rate=50",
      ] {
        let path = try addresses.checked(name)
        #expect(path.hasPrefix("/") && path.contains("/Fährten/"), "\(path)")
        #expect(!path.contains(".."))
      }
      #expect(try addresses.checked("june/ride.csv").hasSuffix("/Fährten/june/ride.csv"))
      #expect(try addresses.checked("ride.csv?rate=50").hasSuffix("/Fährten/ride.csv?rate=50"))
      for name in ["june", "none.csv", "../outside.csv", "file:../outside.csv", "", "-", "."] {
        #expect(!isOpen(name, recordings: recordings), "\(name)")
      }
    }
  }

  /// What the server was started with may be chosen again.
  @Test func theFirstDeviceStays() { #expect(isOpen("tcp://127.0.0.1:22", first: "tcp://127.0.0.1:22")) }
}
