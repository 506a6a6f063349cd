import LodestoneCore
import Drivers
import LodestonePorts

/// A board on an open bus: a magnetometer, and what moves with it, that have identified themselves. It owns the bus;
/// letting go of it closes the bus.
final class OpenBoard {
  /// The chips on it.
  let board: Board
  /// The magnetometer, as it is set up.
  private(set) var magnetometer: any Chip
  /// The accelerometer and gyroscope, where they are in another part.
  private(set) var motion: (any Chip)?
  /// The gyroscope, where it is in a part of its own.
  private(set) var gyroscope: (any Chip)?
  /// Whether every chip is set up as its driver has it. From the first transfer of a set-up to the last, and where one of
  /// them failed, a chip may measure with another range, or show other registers in the place of its field: it is not to
  /// be asked before it has been set up again.
  private(set) var isSetUp = false
  private var bus: any I2CBus
  private var settings: ChipSettings
  /// The rate of `motion` where it has one of its own, in Hz; nil where it follows the field.
  private let ownMotionRate: Double?
  /// The latest of `motion`.
  private var attitude: (measurement: Measurement, time: MonotonicSeconds)?
  /// The latest of `gyroscope`.
  private var turn: (rate: RotationRate, time: MonotonicSeconds)?

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
      return OpenBoard(board, on: bus, request)
    } catch let error as ChipError {
      throw .chip(name, error)
    } catch let error as StreamError {
      throw request.asksOnlyNamed ? error : withStrangers(on: &bus, error)
    } catch {
      throw .noChip(name, wanted: nil, found: [])
    }
  }

  /// An error that names the chips found, with the addresses where one answers that no driver knows.
  private static func withStrangers(on bus: inout any I2CBus, _ error: StreamError) -> StreamError {
    guard case .noChip(let name, let wanted, var found) = error,
      let answering = try? Probe.answering(on: &bus)
    else { return error }
    let known = found
    for stranger in answering {
      let address = "0x" + String(stranger.address, radix: 16)
      guard !known.contains(where: { $0.hasSuffix("@" + address) }) else { continue }
      let part = stranger.part
      found.append(part.map { "\($0) at \(address), which has no driver yet" } ?? "an unknown chip at \(address)")
    }
    return .noChip(name, wanted: wanted, found: found)
  }

  /// A board that is known to be on a bus; `configure` lets it identify itself again.
  init(_ board: Board, on bus: any I2CBus, _ request: ChipRequest) {
    self.board = board
    self.bus = bus
    settings = request.settings
    ownMotionRate = request.motionRate
    magnetometer = board.magnetometer.chip
    motion = board.motion?.chip
    gyroscope = board.gyroscope?.chip
  }

  /// One board: the one whose magnetometer or motion sensor is named, or the only one there is.
  private static func board(
    _ request: ChipRequest, on bus: inout any I2CBus, name: String
  ) throws -> Board {
    guard let driver = request.driver else { return try only(of: try Probe.chips(on: &bus), wanted: nil, name: name) }
    guard driver.senses.contains(.field) else {
      // A whole board by its motion sensor, such as `mpu9250`: the magnetometer on it may be any.
      let found = try Probe.chips(on: &bus)
      let isThere = found.contains { $0.driver == driver }
      let wanted = isThere ? "a magnetometer beside \(driver.name)" : driver.name
      return try only(of: found, wanted: wanted, name: name) { board in
        board.chips.contains { $0.driver == driver && [nil, $0.address].contains(request.address) }
      }
    }
    return try only(of: try named(driver, request, on: &bus, name: name), wanted: driver.name, name: name)
  }

  private static func only(
    of found: [FoundChip], wanted: String?, name: String, where fits: (Board) -> Bool = { _ in true }
  ) throws(StreamError) -> Board {
    let boards = Board.boards(of: found).filter(fits)
    guard boards.count <= 1 else { throw .severalChips(name, found: boards.map { $0.magnetometer.description }) }
    guard let board = boards.first else {
      throw .noChip(name, wanted: wanted, found: found.map { $0.description })
    }
    return board
  }

  /// The magnetometer that is named, and what may move with it. Nothing else is asked for, except to say in an error
  /// what there is instead.
  private static func named(
    _ driver: any Chip.Type, _ request: ChipRequest, on bus: inout any I2CBus, name: String
  ) throws -> [FoundChip] {
    let motionAddresses = motionAddresses(beside: driver)
    let found = try Probe.chips(at: (request.address.map { [$0] } ?? driver.addresses) + motionAddresses, on: &bus)
    let others = found.filter { !$0.driver.senses.contains(.field) }
    if let chip = found.first(where: { $0.driver == driver && [nil, $0.address].contains(request.address) }) {
      return [chip] + others.filter { $0.address != chip.address }
    }
    // A part that passes for another one is taken by its name, and what is beside it for no companion of that one.
    if let chip = try Probe.find(driver, at: request.address, on: &bus) {
      let beside = try Probe.chips(at: motionAddresses, beside: chip, on: &bus)
      return [chip] + beside.filter { $0.address != chip.address && !$0.driver.senses.contains(.field) }
    }
    let wanted = driver.name + (request.address.map { "@0x" + $0.hexadecimal } ?? "")
    let all = request.asksOnlyNamed ? others : try Probe.chips(on: &bus)
    throw StreamError.noChip(name, wanted: wanted, found: all.map { $0.description })
  }

  /// The addresses at which accelerometers and gyroscopes can be that go with any magnetometer, or with this one.
  private static func motionAddresses(beside driver: any Chip.Type) -> [UInt8] {
    Chips.all.filter { chip in
      !chip.senses.contains(.field) && (chip.neighbours.isEmpty || chip.neighbours.contains { $0 == driver })
    }.flatMap { $0.addresses }
  }

  // MARK: - Setting up

  /// Identifies, resets and starts the chips; again after a loss of power. The motion sensor comes first: until it is
  /// set up it may hide the magnetometer.
  func configure() throws(ChipError) {
    (attitude, turn, isSetUp) = (nil, nil, false)
    let (motionRate, turnRate) = (ownMotionRate ?? rate(for: motion), ownMotionRate ?? rate(for: gyroscope))
    try motion?.configure(ChipSettings(rate: motionRate), on: &bus)
    try gyroscope?.configure(ChipSettings(rate: turnRate), on: &bus)
    try magnetometer.configure(settings, on: &bus)
    isSetUp = true
  }

  /// Whether the accelerometer and gyroscope were asked to measure more often than the magnetometer.
  var isMotionFaster: Bool {
    guard let ownMotionRate, motion != nil else { return false }
    return ownMotionRate > fieldRate
  }

  /// A little faster than the field, so that no reading serves twice.
  private func rate(for chip: (any Chip)?) -> Double? {
    let offered = chip?.rates ?? []
    return offered.first { $0 >= fieldRate } ?? offered.last
  }

  /// The rate that the magnetometer has, or is going to have.
  private var fieldRate: Double {
    guard let wanted = settings.rate else { return 1 / magnetometer.timing.period }
    return magnetometer.rates.first { $0 >= wanted } ?? wanted
  }

  /// Changes the magnetometer's range, in µT.
  func change(fieldRange: Double) throws(ChipError) {
    settings.fieldRange = fieldRange
    isSetUp = false
    try magnetometer.configure(settings, on: &bus)
    isSetUp = true
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
    guard motion != nil || gyroscope != nil else { return paired }
    if !isMotionFaster { try measureMotion(at: now) }
    if let attitude, now - attitude.time < Self.longestPairing {
      paired.acceleration = attitude.measurement.acceleration
      paired.rotationRate = attitude.measurement.rotationRate
      paired.temperature = paired.temperature ?? attitude.measurement.temperature
    }
    paired.rotationRate = paired.rotationRate ?? rate(at: now)
    return paired
  }

  /// Asks the accelerometer and gyroscope; nil while nothing is ready. What they say goes with the next field.
  @discardableResult
  func measureMotion(at now: MonotonicSeconds) throws(ChipError) -> Measurement? {
    if let rate = try gyroscope?.measure(on: &bus)?.rotationRate { turn = (rate, now) }
    guard var new = try motion?.measure(on: &bus) else { return nil }
    new.rotationRate = new.rotationRate ?? rate(at: now)
    attitude = (new, now)
    return new
  }

  /// The last rate of a gyroscope in a part of its own; nil once it is too old to go with a force of now.
  private func rate(at now: MonotonicSeconds) -> RotationRate? {
    turn.flatMap { now - $0.time < Self.longestPairing ? $0.rate : nil }
  }

  /// The magnetometer's temperature where it takes a transfer of its own.
  func temperature() throws(ChipError) -> Double? { try magnetometer.temperature(on: &bus) }

  /// The other parts than the magnetometer.
  var companions: [any Chip] { [motion, gyroscope].compactMap { $0 } }

  // MARK: - Bringing up a board

  /// Waits for the first measurement of a set-up, a second or four periods at most.
  func firstMeasurement() throws(ChipError) -> Measurement {
    bus.wait(milliseconds: 1000 * Sampling(of: magnetometer, at: 0).nextPoll)
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
    var all: [(FoundChip, [RegisterValue])] = []
    for (found, chip) in zip(board.chips, [magnetometer] + companions) { all.append((found, try chip.dump(on: &bus))) }
    return all
  }
}
