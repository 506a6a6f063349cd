import Core
import Drivers
import Ports

/// A board on an open bus: a magnetometer, and what moves with it, that have identified themselves. It owns the bus;
/// letting go of it closes the bus.
final class OpenBoard {
  /// Which chips there are.
  let board: Board
  /// The magnetometer, as it is set up.
  private(set) var magnetometer: any Chip
  /// The accelerometer and gyroscope, where they are in another part.
  private(set) var motion: (any Chip)?
  private var bus: any I2CBus
  private var settings: ChipSettings
  /// The latest of `motion`.
  private var attitude: (measurement: Measurement, time: MonotonicSeconds)?

  /// Seconds on whatever monotonic clock the caller has.
  typealias MonotonicSeconds = Double

  /// How old a reading of the other part may be to go with a field, in seconds.
  private static let longestPairing = 0.1

  /// The board that a request means, found by probing.
  /// - Parameter name: what to call the bus in errors.
  static func find(
    _ request: ChipRequest, on bus: any I2CBus, name: String
  ) throws(StreamError) -> OpenBoard {
    var bus = bus
    do {
      let board = try board(request, on: &bus, name: name)
      return OpenBoard(board, on: bus, request.settings)
    } catch let error as ChipError {
      throw .chip(name, error)
    } catch let error as StreamError {
      throw error
    } catch {
      throw .noChip(name, wanted: nil, found: [])
    }
  }

  /// A board that is known to be on a bus; `configure` lets it identify itself again.
  init(_ board: Board, on bus: any I2CBus, _ settings: ChipSettings) {
    self.board = board
    self.bus = bus
    self.settings = settings
    magnetometer = board.magnetometer.chip
    motion = board.motion?.chip
  }

  /// One magnetometer: the one that is asked for, or the only one there is.
  private static func board(
    _ request: ChipRequest, on bus: inout any I2CBus, name: String
  ) throws -> Board {
    var found: [FoundChip]
    if let driver = request.driver {
      let others = try request.asksOnlyNamed ? neighbours(on: &bus) : Probe.chips(on: &bus)
      found = try named(driver, at: request.address, among: others, on: &bus, name: name)
    } else {
      found = try Probe.chips(on: &bus)
    }
    let boards = Board.boards(of: found)
    guard boards.count <= 1 else {
      throw StreamError.severalChips(name, found: boards.map { $0.magnetometer.description })
    }
    guard let board = boards.first else {
      throw StreamError.noChip(name, wanted: request.driver?.name, found: found.map { $0.description })
    }
    return board
  }

  /// What was found, with no other magnetometer than the one asked for.
  private static func named(
    _ driver: any Chip.Type, at address: UInt8?, among found: [FoundChip], on bus: inout any I2CBus, name: String
  ) throws -> [FoundChip] {
    let fits = found.filter { $0.driver == driver && (address == nil || $0.address == address) }
    let chosen = fits.isEmpty ? try Probe.find(driver, at: address, on: &bus).map { [$0] } ?? [] : fits
    guard let chip = chosen.first else {
      let wanted = driver.name + (address.map { "@" + hexadecimalAddress($0) } ?? "")
      throw StreamError.noChip(name, wanted: wanted, found: found.map { $0.description })
    }
    guard driver.senses.contains(.field) else {
      throw StreamError.noChip(name, wanted: "a magnetometer", found: found.map { $0.description })
    }
    let others = found.filter { !$0.driver.senses.contains(.field) && $0.address != chip.address }
    return chosen + others
  }

  /// Accelerometers and gyroscopes alone, at the addresses they can have.
  private static func neighbours(on bus: inout any I2CBus) throws -> [FoundChip] {
    var found: [FoundChip] = []
    for driver in Chips.all where !driver.senses.contains(.field) {
      for address in driver.addresses where !found.contains(where: { $0.address == address }) {
        if let chip = try? Probe.find(driver, at: address, on: &bus) { found.append(chip) }
      }
    }
    return found
  }

  // MARK: - Setting up

  /// Identifies, resets and starts the chips; again after a loss of power.
  func configure() throws(ChipError) {
    try magnetometer.configure(settings, on: &bus)
    attitude = nil
    guard motion != nil else { return }
    let wanted = 1 / magnetometer.timing.period
    let offered = motion?.rates ?? []
    // A little faster than the field, so that no reading serves twice.
    let rate = offered.first { $0 >= wanted } ?? offered.last
    try motion?.configure(ChipSettings(rate: rate), on: &bus)
  }

  /// Changes the magnetometer's range, in µT.
  func change(fieldRange: Double) throws(ChipError) {
    settings.fieldRange = fieldRange
    try magnetometer.configure(settings, on: &bus)
  }

  // MARK: - Measuring

  /// Asks the magnetometer; nil while nothing is ready.
  func measure() throws(ChipError) -> Measurement? { try magnetometer.measure(on: &bus) }

  /// The field with what the other part says at this moment, both in the axes of that part where it is known how they
  /// lie to each other.
  func pair(_ measurement: Measurement, at now: MonotonicSeconds) throws(ChipError) -> Measurement {
    var paired = measurement
    if let relation = board.relation, let field = paired.field {
      paired.field = MagneticField(microtesla: relation * field.microtesla)
    }
    guard motion != nil else { return paired }
    if let new = try motion?.measure(on: &bus) { attitude = (new, now) }
    if let attitude, now - attitude.time < Self.longestPairing {
      paired.acceleration = attitude.measurement.acceleration
      paired.rotationRate = attitude.measurement.rotationRate
      paired.temperature = paired.temperature ?? attitude.measurement.temperature
    }
    return paired
  }

  /// The magnetometer's temperature where it takes a transfer of its own.
  func temperature() throws(ChipError) -> Double? { try magnetometer.temperature(on: &bus) }

  // MARK: - Bringing up a board

  /// Waits for a measurement, a second or four periods at most.
  func firstMeasurement() throws(ChipError) -> Measurement {
    let limit = MonotonicTime.now + max(1, 4 * magnetometer.timing.period)
    while MonotonicTime.now < limit {
      if let measurement = try measure() { return measurement }
      bus.wait(milliseconds: 1)
    }
    throw .timedOut(
      chip: type(of: magnetometer).name, waitingFor: "a measurement",
      milliseconds: max(1000, (4000 * magnetometer.timing.period).rounded()))
  }

  /// The data sheet's test of the magnetometer; nil where it has none.
  func selfTest() throws(ChipError) -> SelfTest? { try magnetometer.selfTest(on: &bus) }

  /// The registers of each chip as they are now.
  func registers() throws(ChipError) -> [(chip: FoundChip, values: [RegisterValue])] {
    var all = [(board.magnetometer, try magnetometer.dump(on: &bus))]
    if let other = board.motion, let motion { all.append((other, try motion.dump(on: &bus))) }
    return all
  }
}
