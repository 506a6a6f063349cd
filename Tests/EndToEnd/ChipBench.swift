import LodestoneCore
import Glibc
import Support
import Testing

/// The built command in a world with one emulated bridge, and chip models behind it that live in real time.
struct ChipBench {
  let testbed = Testbed()
  let bus: VirtualI2CBus
  let device: EmulatedUSBDevice
  let bridge: String

  init(_ bridge: String, _ chips: [UInt8: any VirtualChip], hasDrivers: Bool = true) throws {
    self.bridge = bridge
    bus = VirtualI2CBus(chips, clock: ChipBench.seconds)
    device = testbed.plug(try #require(EmulatedBridges.make(bridge, bus)), hasDrivers: hasDrivers)
  }

  /// The monotonic clock.
  static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  func start(_ arguments: String...) throws -> ChildProgram { try start(arguments) }

  func start(_ arguments: [String]) throws -> ChildProgram {
    try #require(testbed.start("lodestone", arguments: arguments, joinsErrors: true))
  }

  /// Runs the command to its end.
  func run(_ arguments: String...) throws -> Finished {
    Finished(try #require(testbed.start("lodestone", arguments: arguments, joinsErrors: true)))
  }

  /// The outcome of a command.
  struct Finished {
    let lines: [String]
    let exitCode: Int32

    init(_ program: ChildProgram) {
      var lines: [String] = []
      while let line = program.line() { lines.append(line) }
      self.lines = lines
      exitCode = program.exitCode()
    }

    var readings: [Reading] { lines.compactMap { Reading($0) } }
    var text: String { lines.joined(separator: "\n") }
    var words: String { lines.filter { !$0.hasPrefix("{") }.joined(separator: "\n") }
  }

  /// A line of `heading --format json`.
  struct Reading {
    let time: Double
    let heading: Double
    let field: Vector3

    init?(_ line: String) {
      guard line.hasPrefix("{"), let time = Self.number("time_s", in: line),
        let heading = Self.number("magnetic_heading_deg", in: line), let x = Self.number("bx_uT", in: line),
        let y = Self.number("by_uT", in: line), let z = Self.number("bz_uT", in: line)
      else { return nil }
      (self.time, self.heading, field) = (time, heading, Vector3(x, y, z))
    }

    private static func number(_ name: String, in line: String) -> Double? {
      let key = "\"\(name)\":"
      guard let start = line.firstRange(of: key)?.upperBound else { return nil }
      return Double(line[start...].prefix { !",}".contains($0) })
    }
  }
}
