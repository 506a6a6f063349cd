import Glibc
import LodestonePorts
import Support
import Testing

/// Queues a text.
func put(_ text: String, in output: OutputPipe) throws {
  var text = text
  var failure: OutputError?
  text.withUTF8 { bytes in
    do throws(OutputError) { try output.append(UnsafeRawBufferPointer(bytes)) } catch { failure = error }
  }
  if let failure { throw failure }
}

@Suite(.waiting) struct OutputPipeTests {
  init() { Signals.ignoreBrokenPipes() }

  private func output(_ pipe: Pipe, _ policy: OutputPipe.Policy, capacity: Int = 1 << 20) throws -> OutputPipe {
    try OutputPipe.standardOutput(policy: policy, capacity: capacity, descriptor: pipe.writer.number)
  }

  @Test func linesArriveInOrder() throws {
    let pipe = try Pipe()
    let output = try output(pipe, .dropOldest)
    try put("one\n", in: output)
    try put("two\nthree\n", in: output)
    #expect(output.isWaiting)
    try output.flush()
    #expect(!output.isWaiting)
    #expect(pipe.contents() == "one\ntwo\nthree\n")
  }

  @Test func theSharedDescriptorStaysAsItWas() throws {
    let pipe = try Pipe()
    let before = fcntl(pipe.writer.number, F_GETFL)
    let output = try output(pipe, .dropOldest)
    try put("x\n", in: output)
    try output.flush()
    #expect(fcntl(pipe.writer.number, F_GETFL) == before)
  }

  @Test func aSlowReaderLosesTheOldestWholeLines() throws {
    let pipe = try Pipe()
    let output = try output(pipe, .dropOldest, capacity: 20_000)  // more than PIPE_BUF: lines are cut
    let count = 40_000  // far more than a pipe (64 KiB) and the queue hold
    for number in 0..<count {
      try put("line \(number)\n", in: output)
      try output.flush()
    }
    var text = ""
    while output.isWaiting {
      text += pipe.contents()
      try output.flush()
    }
    text += pipe.contents()
    #expect(text.hasSuffix("line \(count - 1)\n"))
    let numbers = text.split(separator: "\n").map { Int($0.dropFirst(5)) ?? -1 }
    #expect(numbers.first == 0)
    #expect(!numbers.contains(-1))  // no line is cut, not even the one that was half written
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(numbers.count + output.droppedLineCount == count)
    #expect(output.droppedLineCount > 0)
  }

  @Test func aRecordingDropsNothingAndSaysWhenToStop() throws {
    let pipe = try Pipe()
    let output = try output(pipe, .keepAll, capacity: 1 << 18)
    var expected = ""
    var number = 0
    while !output.isFull {
      let line = "row \(number)\n"
      try put(line, in: output)
      expected += line
      number += 1
    }
    var text = ""
    while output.isWaiting {
      text += pipe.contents()
      try output.flush()
    }
    text += pipe.contents()
    #expect(!output.isFull)
    #expect(text == expected)
    #expect(output.droppedLineCount == 0)
  }

  @Test func aClosedPipeIsSaid() throws {
    let pipe = try Pipe()
    let output = try output(pipe, .dropOldest)
    pipe.reader.close()
    // A program that another test is starting has the reader as well until it is started.
    #expect(throws: OutputError.closed) {
      for _ in 0..<5000 {
        try put("x\n", in: output)
        try output.flush()
        usleep(1000)
      }
    }
    #expect(throws: OutputError.closed) { try output.finish(until: soon) }
  }

  @Test func aFullDiskIsSaid() throws {
    let output = try OutputPipe.file(at: "/dev/full", policy: .keepAll)
    try put("x\n", in: output)
    #expect(throws: OutputError.noSpace) { try output.finish() }
  }

  @Test func finishingGivesUpAtTheDeadline() throws {
    let pipe = try Pipe()
    let output = try output(pipe, .keepAll)
    try put(String(repeating: "0123456789abcde\n", count: 8192), in: output)  // 128 KiB
    #expect(try output.finish(until: .now + 0.001) == false)
    #expect(output.isWaiting)
  }

  @Test func filesAreReplacedOrAppendedTo() throws {
    let path = "/tmp/lodestone-output-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unlink(path) }
    for (text, existing) in [("old\n", OutputPipe.Existing.replace), ("new\n", .replace), ("more\n", .append)] {
      let output = try OutputPipe.file(at: path, existing: existing, policy: .keepAll)
      try put(text, in: output)
      #expect(try output.finish())
    }
    let file = try InputFile(path: path)
    #expect(file.byteCount == 9)
    #expect(try receive(100, from: file).text == "new\nmore\n")
  }

  @Test func placesThatCannotBeWrittenAreNamed() {
    func error(_ path: String) -> PortError? {
      failure { () throws(PortError) in try OutputPipe.file(at: path, policy: .keepAll) }
    }
    #expect(error("/tmp") == .notAFile(path: "/tmp", kind: .directory))
    #expect(error("/no/such/folder/x") == .notCreated(path: "/no/such/folder/x", SystemError("open", code: ENOENT)))
  }
}
