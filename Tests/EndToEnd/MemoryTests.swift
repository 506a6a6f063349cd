import LodestoneCore
import Drivers
import Glibc
import Support
import Testing

/// A day of samples must not take more memory than a minute: what is kept of each would add up.
@Suite(.waiting) struct MemoryTests {
  private static let rowCount = 60_000
  private static let blockCount = 60
  /// Of what the command may hold more in the end than after the first half, in KiB: three bytes a row would be seen.
  private static let growthLimit = 64

  /// The use made of a stream of a protocol.
  struct Work: CustomTestStringConvertible {
    let protocolName: String
    let arguments: [String]
    /// Lines of its output besides one a row.
    var headerCount = 1
    var testDescription: String { "\(arguments[0]) of \(protocolName)" }

    static let heading = ["heading", "--profile", "none", "--format", "csv", "--output", "FOLDER/out"]
    static let all = [
      Work(protocolName: "csv", arguments: heading),
      Work(protocolName: "motioncal", arguments: heading),
      Work(protocolName: "nmea", arguments: heading),
      Work(
        protocolName: "json", arguments: ["record", "--raw", "FOLDER/raw", "--output", "FOLDER/out"], headerCount: 3),
    ]
  }

  @Test(arguments: Work.all)
  func whatIsHeldDoesNotGrow(_ work: Work) throws {
    let blocks = try Self.blocks(of: work.protocolName)
    try TemporaryFolder.with { folder in
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      let arguments = work.arguments.map { $0.replacing("FOLDER", with: folder) } + ["--device", "-", "--quiet"]
      let shell = "echo $$ > \(folder)/process; exec \"$@\" < \(pipe)"
      let run = try CommandRun.lodestone(arguments, shell: shell) {
        let writer = open(pipe, O_WRONLY | O_CLOEXEC)
        defer { close(writer) }
        let process = String(decoding: try CommandRun.contents(of: folder + "/process").dropLast(), as: UTF8.self)
        for block in blocks.prefix(Self.blockCount / 2) { try Self.write(block, to: writer) }
        let early = try Self.heldKilobytes(by: process)
        for block in blocks.suffix(Self.blockCount / 2) { try Self.write(block, to: writer) }
        let late = try Self.heldKilobytes(by: process)
        #expect(late - early < Self.growthLimit, "\(early) KiB, then \(late) KiB")
      }
      #expect(run.exitCode == 0, "\(run.errors)")
      let lines = try CommandRun.contents(of: folder + "/out").count { $0 == UInt8(ascii: "\n") }
      #expect(lines == Self.rowCount + work.headerCount)
    }
  }

  /// Waits until the command has taken all of it but what the pipe holds.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw CommandRun.Problem.cannotStart(errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Rows of a board that turns, at 100 Hz, a thousand rows at a time.
  private static func blocks(of name: String) throws -> [[UInt8]] {
    var encoder = try #require(Protocols.named(name)).init()
    return (0..<blockCount).map { block in
      var bytes: [UInt8] = []
      for row in 0..<rowCount / blockCount {
        let turn = Double((block * 1000 + row) % 3600) / 10
        var message = WireMessage()
        message.time = Double(block * 1000 + row) / 100
        if name == "nmea" {
          message.own = OwnHeading(magnetic: Heading(degrees: turn))
        } else {
          let angle = Angle.radians(turn)
          message.field = Matrix3(rotation: Vector3(0, 0, angle)) * Vector3(0, 20, -42)
          message.acceleration = Vector3(0, 0, 1)
        }
        encoder.encode(message, into: &bytes)
      }
      return bytes
    }
  }

  /// The memory of a process that no file stands behind.
  private static func heldKilobytes(by process: String) throws -> Int {
    let status = String(decoding: try CommandRun.contents(of: "/proc/\(process)/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(line.split(whereSeparator: { $0.isWhitespace }).dropFirst().first.flatMap { Int($0) })
  }
}
