import Glibc
import LodestonePorts
import Support
import Testing

@Suite struct InputFileTests {
  @Test func aFileIsReadToItsEnd() throws {
    let file = try InputFile(path: "/proc/self/comm")
    let (text, last) = try receive(1000, from: file)
    #expect(text.hasSuffix("\n"))
    #expect(last == .ended)
  }

  @Test func aPipeIsReadUntilItsWriterGoes() throws {
    let pipe = try Pipe()
    let input = try InputFile.standardInput(descriptor: pipe.reader.number)
    #expect(readOnce(input) == .wouldBlock)
    #expect(write(pipe.writer.number, "abc", 3) == 3)
    #expect(readOnce(input) == .bytes(3))
    #expect(readOnce(input) == .wouldBlock)
    pipe.writer.close()
    // A program that another test is about to start may hold it for a moment longer.
    #expect(eventually { readOnce(input) == .ended })
  }

  @Test func aFIFOWaitsForItsFirstWriter() throws {
    let path = "/tmp/lodestone-fifo-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let input = try InputFile(path: path)
    #expect(input.kind == .pipe)
    #expect(readOnce(input) == .wouldBlock)
    let writer = try OutputPipe.file(at: path, policy: .dropOldest)
    try put("hello\n", in: writer)
    try writer.flush()
    #expect(try receive(6, from: input).text == "hello\n")
  }

  @Test func anEmptyFileEndsAtOnce() throws {
    #expect(readOnce(try InputFile(path: "/dev/null")) == .ended)
  }

  @Test func whatIsNoFileIsNamed() {
    func error(_ path: String) -> PortError? {
      failure { () throws(PortError) in try InputFile(path: path) }
    }
    #expect(error("/no/such/file") == .notThere(path: "/no/such/file"))
    #expect(error("/tmp") == .notAFile(path: "/tmp", kind: .directory))
  }

  @Test func aClosedStandardInputIsNotThere() {
    #expect(failure { () throws(PortError) in try InputFile.standardInput(descriptor: -1) } == .notThere(path: "-"))
  }
}
