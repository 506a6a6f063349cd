import LodestoneCore
import ArgumentParser
import Calibration
import Lodestone
import LodestonePorts

extension ProfilesCommand {
  struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Send a calibration to a board that takes MotionCal's packet, and check that it took it.")
    @OptionGroup var selection: ProfileSelection
    @Option(
      name: .customLong("to"), help: ArgumentHelp("The board's serial port.", valueName: "port"), completion: .devices)
    var port: String
    @Option(parsing: .unconditional, help: ArgumentHelp("Its baud rate.", valueName: "rate")) var baud = 115_200
    @Option(
      parsing: .unconditional, help: ArgumentHelp("How long to wait for the board's answer.", valueName: "seconds"))
    var wait = 5.0

    func validate() throws {
      if baud < 1 { throw ValidationError("--baud \(baud): must be at least 1") }
      try OptionRange.check("--wait", wait, to: 600, " s")
    }

    func run() throws {
      let (profile, path) = try selection.resolved()
      let form = Exports.motionCal
      let packet: [UInt8]
      do { packet = try Exports.file(form, of: profile) } catch { throw Failure(.profile(path: path, error)) }
      for note in Exports.notes(form, on: profile) { writeToStandardError("\(note.harmless)\n") }
      var line: SerialConversation
      do { line = try SerialConversation(path: port, baudRate: baud, patience: wait) } catch { throw Failure(error) }
      try line.send(packet)
      try Self.confirm(packet, on: &line)
      writeToStandardError("\(port.harmless) has taken the calibration\n")
    }

    private static func confirm(_ packet: [UInt8], on line: inout SerialConversation) throws {
      guard var echo = try? MotionCalEcho(packet: packet) else {
        throw Failure(.badData, "can't check the answer of \(line.path): what was sent is not MotionCal's packet")
      }
      while !echo.isConfirmed {
        guard let text = try line.nextLine() else {
          throw Failure(
            .inputOutput,
            "\(line.path) \(echo.saidOtherwise ? "answered with another calibration" : "did not answer") to the packet",
            hint: "its firmware must take MotionCal's packet and answer with Cal1: and Cal2:")
        }
        echo.take(line: text)
      }
    }
  }
}

/// A serial port that is written to and answers in lines, until a deadline.
struct SerialConversation {
  private let port: SerialPort
  private let deadline: MonotonicTime
  private var poller = Poller()
  private var received: [UInt8] = []

  /// Opens the port. `patience` in seconds is for the whole conversation.
  init(path: String, baudRate: Int, patience: Double) throws(PortError) {
    port = try SerialPort(path: path, options: SerialPort.Options(baudRate: baudRate))
    deadline = .now + patience
  }

  var path: String { port.path }

  /// Writes all of the bytes.
  mutating func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      switch bytes[sent...].withUnsafeBytes(port.write) {
      case .bytes(let count): sent += count
      case .wouldBlock:
        guard try isReady(for: .writable) else { throw Failure(.inputOutput, "\(path) takes no bytes") }
      case .gone: throw Failure(.gone, "\(path) is gone")
      case .failed(let error): throw Failure(.inputOutput, "can't write \(path): \(error.message)")
      }
    }
  }

  /// The next line, without its end; nil at the deadline. Of a line past 4096 bytes, the last ones.
  mutating func nextLine() throws -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      if received.count > 4096 { received.removeFirst(received.count - 2048) }
      guard try isReady(for: .readable) else { return nil }
      try receive()
    }
  }

  private mutating func receive() throws {
    try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      switch port.read(into: buffer) {
      case .bytes(let count): received += buffer[..<count]
      case .wouldBlock: break
      case .ended, .gone: throw Failure(.gone, "\(path) is gone")
      case .failed(let error): throw Failure(.inputOutput, "can't read \(path): \(error.message)")
      }
    }
  }

  private mutating func isReady(for interest: Poller.Interest) throws -> Bool {
    poller.watch(port.descriptor, for: interest)
    do { return try poller.wait(until: deadline) > 0 && MonotonicTime.now < deadline } catch {
      throw Failure(.inputOutput, "can't wait for \(path): \(error.message)")
    }
  }
}
