import Drivers
import Glibc
import LodestonePorts
import Support
import Testing

@testable import Instruments

/// What a path names: a port or a recording, one that can be read again or not.
@Suite struct DeviceAddressTests {
  private static let line = Array("$HCHDM,101.1,M*28\r\n".utf8)

  /// As a shell makes one of `<(command)`.
  @Test func aPipeBelowDevIsARecording() throws {
    let pipe = try Pipe()
    let path = "/dev/fd/\(pipe.reader.number)"
    #expect(DeviceAddress(path).isRecording && !DeviceAddress(path).isFile)
    #expect(write(pipe.writer.number, Self.line, Self.line.count) == Self.line.count)
    let stream = try AddressSchemes.open(path, OpenOptions())
    #expect(!stream.isLive && stream.identity == path)
    #expect(try AddressSchemes.identity(of: path) == path)
  }

  @Test func aFileBelowDevIsARecordingThatCanBeReadAgain() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(String(decoding: Self.line, as: UTF8.self), to: folder + "/file")
      let file = Descriptor(owning: open(folder + "/file", O_RDONLY | O_CLOEXEC))
      for path in ["/dev/fd/\(file.number)", folder + "/file", "file:\(folder)/file"] {
        #expect(DeviceAddress(path).isRecording && DeviceAddress(path).isFile, "\(path)")
      }
      withExtendedLifetime(file) {}
    }
  }

  @Test(arguments: ["-", "no such file", "/tmp"]) func otherPathsAreRecordings(_ path: String) {
    #expect(DeviceAddress(path).isRecording && !DeviceAddress(path).isFile)
  }

  @Test(arguments: ["/dev/ttyNOWHERE", "/dev/null", "serial:x", "sim:"]) func othersAreNone(_ address: String) {
    #expect(!DeviceAddress(address).isRecording && !DeviceAddress(address).isFile)
  }
}
