import Glibc
import Support
import Testing

/// Who reads slowly loses lines and is told how many; the device is heard all the same.
@Suite(.waiting) struct SlowReaderTests {
  /// A line a reading, as a pipe and the command's own queue hold some thousands of.
  private static let count = 20_000
  /// The rows that the board says at once.
  private static let burst = 20

  @Test(arguments: [
    ["heading", "--profile", "none", "--format", "json"],
    ["teslameter", "--zero-seconds", "0.1", "--profile", "none", "--format", "json"],
  ])
  func aReaderThatSleepsDelaysNoSample(_ command: [String]) throws {
    let lines = String(repeating: "Raw:12,-250,8100,0,0,0,-180,335,-420\r\n", count: Self.burst)
    let board = try PtyBoard(rate: 1000, lines: [lines])
    try TemporaryFolder.with { folder in
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      var read: [Substring] = []
      let arguments = command + ["--device", "\(board.path)?protocol=motioncal", "--count", "\(Self.count)"]
      let run = try CommandRun.lodestone(arguments, shell: #"exec "$@" > "# + pipe) {
        let reader = open(pipe, O_RDONLY | O_CLOEXEC)
        defer { close(reader) }
        // The last of them is on its way while nothing has been read.
        #expect(eventually { board.saidCount * Self.burst >= Self.count })
        read = Self.everything(from: reader).split(separator: "\n", omittingEmptySubsequences: false)
      }
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(read.last == "")
      let got = read.dropLast()
      #expect(got.count > 1000)
      #expect(got.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
      let dropped = try #require(run.errors.firstMatch(of: /lodestone: (\d+) lines were dropped/)?.1)
      #expect(got.count + (Int(dropped) ?? 0) == Self.count, "\(run.errors)")
    }
  }

  /// More than the loop takes at a time come at once, some of them in what it has read already, and nothing after them.
  @Test func aBurstIsHeardToItsEnd() throws {
    let count = 3 * 4096 + 300
    try TemporaryFolder.with { folder in
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      let arguments = ["heading", "--device", "-", "--profile", "none", "--format", "csv", "--count", "\(count)"]
      let run = try CommandRun.lodestone(arguments, shell: #""$@" < "# + pipe + "; echo $? > \(folder)/exit") {
        let writer = open(pipe, O_WRONLY | O_CLOEXEC)
        defer { close(writer) }
        let rows = Array(String(repeating: "Raw:12,-250,8100,0,0,0,-180,335,-420\r\n", count: count).utf8)
        #expect(Glibc.write(writer, rows, rows.count) == rows.count)
        // The pipe stays open, so that its end says nothing.
        #expect(eventually { (try? CommandRun.contents(of: folder + "/exit")) == Array("0\n".utf8) })
      }
      #expect(run.output.count { $0 == UInt8(ascii: "\n") } == count + 1)
    }
  }

  /// Another program may have left standard output so that it does not wait.
  @Test func aFullPipeThatDoesNotWaitLosesNothing() throws {
    let sketch = ["firmware", "bmm150-arduino"]
    let whole = try CommandRun.lodestone(sketch).text
    let room = 4096
    #expect(whole.utf8.count > room)
    let script =
      "import fcntl, os, sys; fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, \(room)); os.set_blocking(1, False); "
      + "os.execv(sys.argv[1], sys.argv[1:])"
    try TemporaryFolder.with { folder in
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      var read = ""
      let run = try CommandRun.lodestone(sketch, shell: "exec python3 -c '\(script)' \"$@\" > " + pipe) {
        let reader = open(pipe, O_RDONLY | O_CLOEXEC)
        defer { close(reader) }
        var waiting: Int32 = 0
        #expect(eventually { ioctl(reader, UInt(FIONREAD), &waiting) == 0 && waiting == room })
        read = Self.everything(from: reader)
      }
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(read == whole)
    }
  }

  private static func everything(from descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }
}
