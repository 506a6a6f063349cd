import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Support
import Testing

/// Lines that are written on a thread of their own are the lines that are written at once.
@Suite(.waiting) struct RecordOutputTests {
  init() { Signals.ignoreBrokenPipes() }

  private struct Count: Record {
    static let schema = RecordSchema("count", of: Count.self)
    var time = 0.0
    var number = 0

    func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
      columns.add(.integer("number"), number)
    }
  }

  private static func record(_ number: Int) -> Count { Count(time: Double(number) / 100, number: number) }

  /// The lines of a format for so many records.
  private func expected(_ count: Int, as format: any Format.Type = CSVFormat.self) -> String {
    LodestoneText.of((0..<count).map(Self.record), as: format, StreamFacts(device: "test"))
  }

  private func lines(to output: OutputPipe, as format: any Format.Type = CSVFormat.self, on thread: SideThread?) throws
    -> RecordOutput<Count>
  {
    try RecordOutput(format, StreamFacts(device: "test"), to: output, on: thread)
  }

  /// Serves the lines as a loop does until there is room; false after half a minute.
  private func waits(for lines: RecordOutput<Count>, _ output: OutputPipe) throws -> Bool {
    var poller = Poller()
    let deadline = MonotonicTime.now + 30
    while lines.isFull || output.isFull {
      lines.watch(with: &poller)
      if output.isWaiting { poller.watch(output.descriptor, for: .writable) } else { poller.forget(output.descriptor) }
      guard try poller.wait(until: deadline) > 0 else { return false }
      try lines.serve(poller)
      try output.flush()
    }
    return true
  }

  @Test(arguments: [0, 1, 31, 1023, 1024, 1025, 3072, 10_000])
  func theyAreTheSame(_ count: Int) throws {
    try TemporaryFolder.with { folder in
      for (path, thread) in [(folder + "/behind", try SideThread()), (folder + "/at-once", nil)] {
        let output = try OutputPipe.file(at: path, policy: .keepAll)
        let lines = try lines(to: output, on: thread)
        for number in 0..<count {
          #expect(try waits(for: lines, output))
          var record = Self.record(number)
          #expect(try lines.write(from: &record) == number + 1)
        }
        while try lines.settle() {}
        try lines.end()
        try output.finish()
        #expect(lines.count == count)
        #expect(lines.isSilent == (count == 0))
        // Without a line there is nothing to replace a file with: it has its name from the first on.
        if count > 0 { #expect(String(decoding: try CommandRun.contents(of: path), as: UTF8.self) == expected(count)) }
      }
    }
  }

  @Test func oneThatIsFullSaysSoAndLosesNothing() throws {
    let pipe = try Pipe()
    let output = try OutputPipe.standardOutput(
      policy: .keepAll, capacity: 1 << 18, descriptor: pipe.writer.number)
    let lines = try lines(to: output, on: try SideThread())
    var (poller, written) = (Poller(), 0)
    // Nobody reads: the thread, the queue and the pipe fill up.
    while !output.isFull || !lines.isFull, written < 1_000_000 {
      if !lines.isFull {
        var record = Self.record(written)
        written = try lines.write(from: &record)
      }
      lines.watch(with: &poller)
      try poller.wait(until: .now)
      try lines.serve(poller)
    }
    #expect(written < 1_000_000)
    var text = ""
    func read() throws {
      text += pipe.contents()
      try output.flush()
    }
    while output.isWaiting { try read() }
    while try lines.settle() { while output.isWaiting { try read() } }
    try read()
    #expect(text == expected(written))
  }

  @Test func aFormatWithNothingToSayIsSilent() throws {
    try TemporaryFolder.with { folder in
      for thread in [try SideThread(), nil] {
        let output = try OutputPipe.file(at: folder + "/silent", policy: .keepAll)
        let lines = try lines(to: output, as: NMEAFormat.self, on: thread)
        for number in 0..<5 {
          var record = Self.record(number)
          _ = try lines.write(from: &record)
        }
        while try lines.settle() {}
        #expect(lines.isSilent)
        #expect(lines.count == 5)
      }
    }
  }
}
