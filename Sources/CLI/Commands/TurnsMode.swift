import ArgumentParser
import Glibc
import Lodestone
import LodestoneCore
import LodestonePorts
import Navigation

/// `teslameter --turns`: counts a rotating magnet.
struct TurnsMode {
  private let command: TeslameterCommand
  private let file: TurnsFile?

  init(_ command: TeslameterCommand) throws {
    self.command = command
    file = try command.turnsFile.map { try TurnsFile($0) }
  }

  /// Counts, or counts and volumes.
  func run() throws {
    var settings = TurnMeter.Settings()
    if let file {
      (settings.forward, settings.backward) = (file.forward, file.backward)
      settings.forwardAxis = file.axis
    }
    guard let perTurn = command.perTurn else { return try stream(TurnMeter.self, settings) { $0 } }
    var volumes = VolumeMeter.Settings()
    (volumes.turns, volumes.litresPerTurn) = (settings, perTurn.litres)
    try stream(VolumeMeter.self, volumes) { $0.count }
  }

  private func stream<Device: Instrument>(
    _ kind: Device.Type, _ settings: Device.Settings, count: @escaping (borrowing Device.Reading) -> TurnReading
  ) throws {
    let run = try InstrumentRun<Device>(
      settings, command.deviceOptions, command.calibrationOptions, format: command.formatOption,
      publish: command.publishOptions, stream: command.streamOptions, unit: command.unitOption,
      volume: command.perTurn?.unit ?? .litre)
    try file?.check()
    try run.finish {
      var isFast = false
      let end = try run.writeLines(
        always: { reading in
          let now = count(reading)
          if now.flags.contains(.tooFast), !isFast {
            run.notices.say(
              "the magnet turns about as fast as half the sampling rate, or faster: the count may be wrong")
          }
          isFast = now.flags.contains(.tooFast)
          try file?.keep(now)
          return false
        }
      ).end
      try file?.save()
      return end
    }
  }
}

/// The volume per turn: `0.5L`, `0.001m3`.
struct PerTurn: ExpressibleByArgument {
  let litres: Double
  let unit: VolumeUnit

  init?(argument: String) {
    let units: [(String, VolumeUnit)] = [("m3", .cubicMetre), ("m³", .cubicMetre), ("L", .litre), ("l", .litre)]
    guard let (end, unit) = units.first(where: { argument.hasSuffix($0.0) }),
      let value = Double(argument.dropLast(end.count)), value > 0, value <= 1e6
    else { return nil }
    self.unit = unit
    litres = value * unit.litres
  }
}

/// `--turns-file`: counts that are kept over restarts, with the way that is forward.
private final class TurnsFile {
  private(set) var forward = 0
  private(set) var backward = 0
  /// The axis of forward turns; nil before it is known, and where one axis alone sees the magnet.
  private(set) var axis: Vector3?
  private let path: String
  private let lock: FileLock
  private var saved: (time: Double, forward: Int, backward: Int, axis: Vector3?)?
  private var time = 0.0

  private static let format = "lodestone-turns"
  /// Seconds between two writes at least.
  private static let interval = 5.0
  private static let sizeLimit = 4096

  /// Reads what is kept, and keeps others from writing there.
  init(_ path: String) throws(Failure) {
    self.path = path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let hidden = (parts.dropLast() + ["." + (parts.last ?? "") + ".lock"]).joined(separator: "/")
    let own: FileLock?
    do throws(SystemError) {
      own = try FileLock(hidden)
    } catch {
      throw .system("can't write \(hidden.harmless)", error.code)
    }
    guard let lock = own else {
      throw Failure(
        .tryAgain, "\(path.harmless): another program counts into this file",
        hint: "end that program, or name a new file")
    }
    self.lock = lock
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try AtomicFile.read(path, limit: Self.sizeLimit, as: .kept)
    } catch {
      if error.code == ENOENT { return }
      throw Failure(error, to: "read")
    }
    guard let value = JSONValue(parsing: bytes), value["format"] == .string(Self.format),
      let forward = Self.count(value["forward_turns"]), let backward = Self.count(value["backward_turns"])
    else { throw Failure(.badData, "\(path.harmless) is not a file of --turns-file", hint: "name a new file") }
    (self.forward, self.backward) = (forward, backward)
    axis = Self.direction(value["forward_axis"])
  }

  private static func direction(_ value: JSONValue?) -> Vector3? {
    guard case .array(let values)? = value, values.count == 3 else { return nil }
    var vector = Vector3.zero
    for (axis, value) in values.enumerated() {
      guard case .number(let number) = value else { return nil }
      vector[axis] = number
    }
    return vector.direction
  }

  private static func count(_ value: JSONValue?) -> Int? {
    let number: Double
    switch value {
    case .integer(let whole)?: number = Double(whole)
    case .number(let some)?: number = some
    default: return nil
    }
    return number >= 0 && number < 9e15 && number == number.rounded() ? Int(number) : nil
  }

  /// Refuses a file that the counts could not be kept in, as one that another output of this command takes.
  func check() throws(Failure) {
    do throws(FileProblem) { try AtomicFile.check(path, updates: true) } catch { throw Failure(error, to: "write") }
  }

  /// Takes counts, and writes them now and then.
  func keep(_ reading: TurnReading) throws {
    (forward, backward, time) = (reading.forward, reading.backward, reading.time)
    axis = reading.forwardAxis
    guard let saved else {
      self.saved = (time, forward, backward, axis)
      return
    }
    if abs(time - saved.time) >= Self.interval { try save() }
  }

  /// Writes the counts, where they are new.
  func save() throws {
    if let saved, saved.forward == forward, saved.backward == backward, saved.axis == axis { return }
    let value = JSONValue.members(
      ("format", .string(Self.format)), ("version", .integer(1)), ("forward_turns", .integer(forward)),
      ("backward_turns", .integer(backward)),
      ("forward_axis", axis.map { .array([.number($0.x), .number($0.y), .number($0.z)]) } ?? .null))
    do throws(FileProblem) {
      try AtomicFile.write(Array(value.line.utf8), to: path, updates: true)
    } catch {
      throw Failure(error, to: "write")
    }
    saved = (time, forward, backward, axis)
  }
}
