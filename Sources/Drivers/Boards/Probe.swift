/// A chip that has identified itself.
public struct FoundChip: Sendable, Equatable, CustomStringConvertible {
  /// The chip's driver.
  public let driver: any Chip.Type
  /// The address at which the chip answered, 7 bits.
  public let address: UInt8

  /// A driver at an address.
  public init(_ driver: any Chip.Type, at address: UInt8) {
    self.driver = driver
    self.address = address
  }

  /// The chip as in an address to type: `lis3mdl@0x1c`.
  public var description: String { "\(driver.name)@0x\(String(address, radix: 16))" }

  /// The driver, ready to configure the chip.
  public var chip: any Chip { driver.init(address: address) }

  /// Whether a chip of this driver is known by this one beside it.
  func isCompanion(of other: any Chip.Type) -> Bool {
    other.companions.contains { $0 == driver } && [nil, address].contains(other.companionAddress)
  }

  /// Whether both are the same driver at the same address.
  public static func == (a: FoundChip, b: FoundChip) -> Bool { a.driver == b.driver && a.address == b.address }
}

/// Looks for chips without disturbing what else may be on the bus: only identities are read, in the order of `Chips`,
/// an address is left alone once a chip there has identified itself, and a port expander is asked for none.
public enum Probe {
  /// All chips on a bus, by address, those behind the auxiliary bus of another included. Throws what keeps the bus
  /// itself from working; an address where nobody answers, or somebody unknown, is passed over.
  public static func chips(on bus: inout some I2CBus) throws(ChipError) -> [FoundChip] {
    try chips(at: Chips.all.flatMap { $0.addresses }, on: &bus)
  }

  /// The chips at these addresses, as `chips(on:)` finds them; no other address is touched.
  /// - Parameter known: a chip whose user has named it, which is taken for no other, nor for a companion of another.
  public static func chips(
    at addresses: [UInt8], beside known: FoundChip? = nil, on bus: inout some I2CBus
  ) throws(ChipError) -> [FoundChip] {
    let addresses = Set(addresses).subtracting([known?.address].compactMap { $0 }).sorted()
    var candidates: [UInt8: [any Chip.Type]] = known.map { [$0.address: [$0.driver]] } ?? [:]
    try ask(addresses, into: &candidates, on: &bus)
    if try reveal(candidates, on: &bus) {
      try ask(addresses.filter { candidates[$0] == nil }, into: &candidates, on: &bus)
    }
    return resolved(candidates)
  }

  /// Whoever answers at the addresses of known chips. A byte is read from each, and what tells a part that has no
  /// driver.
  public static func answering(on bus: inout some I2CBus) throws(ChipError) -> [Stranger] {
    var answering: [Stranger] = []
    for address in Set(Chips.all.flatMap { $0.addresses }).sorted() where try isOccupied(address, on: &bus) {
      answering.append(Stranger(at: address, part: Stranger.part(at: address, on: &bus)))
    }
    return answering
  }

  /// One chip by its driver, at this address or at any it can have; nil where nobody answers. Throws `wrongIdentity`
  /// with what was read where somebody else does. What hides other chips is looked for, and opened, only where that
  /// fails.
  public static func find(
    _ driver: any Chip.Type, at address: UInt8? = nil, on bus: inout some I2CBus
  ) throws(ChipError) -> FoundChip? {
    let addresses = address.map { [$0] } ?? driver.addresses
    var refusal: ChipError?
    for attempt in 1...2 {
      for found in addresses where try isOccupied(found, on: &bus) {
        // Whoever names the address knows what is there.
        if address == nil, try isPortExpander(at: found, on: &bus) { continue }
        do {
          try driver.identify(at: found, on: &bus)
          return FoundChip(driver, at: found)
        } catch {
          guard error.isAboutTheChip else { throw error }
          refusal = error
        }
      }
      guard attempt == 1, try reveal(hosts(on: &bus), on: &bus) else { break }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// The drivers that recognise a chip at each address. The first that needs no neighbour to be sure ends the
  /// questions.
  private static func ask(
    _ addresses: [UInt8], into candidates: inout [UInt8: [any Chip.Type]], on bus: inout some I2CBus
  ) throws(ChipError) {
    for address in addresses where try isOccupied(address, on: &bus) {
      if try isPortExpander(at: address, beside: candidates, on: &bus) { continue }
      for driver in Chips.all where driver.addresses.contains(address) {
        guard try answers(driver, at: address, on: &bus) else { continue }
        candidates[address, default: []].append(driver)
        if driver.companions.isEmpty { break }
      }
    }
  }

  /// Opens the auxiliary buses of the chips found; false where there is none.
  private static func reveal(
    _ candidates: [UInt8: [any Chip.Type]], on bus: inout some I2CBus
  ) throws(ChipError) -> Bool {
    var revealed = false
    for (address, drivers) in candidates.sorted(by: { $0.key < $1.key }) {
      for driver in drivers where driver.hidesOthers {
        try driver.reveal(at: address, on: &bus)
        revealed = true
      }
    }
    return revealed
  }

  /// The chips on the bus that hide others.
  private static func hosts(on bus: inout some I2CBus) throws(ChipError) -> [UInt8: [any Chip.Type]] {
    var hosts: [UInt8: [any Chip.Type]] = [:]
    for driver in Chips.all where driver.hidesOthers {
      for address in driver.addresses where try isOccupied(address, on: &bus) {
        if try answers(driver, at: address, on: &bus) { hosts[address] = [driver] }
      }
    }
    return hosts
  }

  /// A read of one byte is acknowledged. Asked twice where a part may be that the first read wakes.
  private static func isOccupied(_ address: UInt8, on bus: inout some I2CBus) throws(ChipError) -> Bool {
    let maySleep = Chips.all.contains { $0.wakesWhenAddressed && $0.addresses.contains(address) }
    for _ in 1...(maySleep ? 2 : 1) {
      do {
        _ = try bus.receive(1, at: address)
        return true
      } catch {
        guard error.isNotAcknowledged else { throw error }
        bus.wait(milliseconds: 0.2)
      }
    }
    return false
  }

  /// The addresses of port expanders without registers: the PCF8574 and PCF8575, and the PCF8574A.
  private static let portExpanders: [ClosedRange<UInt8>] = [0x20...0x27, 0x38...0x3F]

  /// Whether the chip may be a port expander that has no registers: the number of a register would switch its outputs.
  /// It reads the same byte or pair of bytes again and again, as no chip does that counts its registers on. What reads
  /// as nothing but zeros is asked for register 0, which leaves outputs of zeros as they are; beside the neighbour of a
  /// chip that reads so, it is no expander. An adapter that knows only SMBus reads one byte at a time, which tells
  /// nothing. Sources: NXP data sheets PCF8574 rev. 5 and PCF8575 rev. 4, "Quasi-bidirectional I/Os".
  private static func isPortExpander(
    at address: UInt8, beside candidates: [UInt8: [any Chip.Type]] = [:], on bus: inout some I2CBus
  ) throws(ChipError) -> Bool {
    guard portExpanders.contains(where: { $0.contains(address) }) else { return false }
    do {
      var bytes = try bus.receive(16, at: address).all
      if bytes.allSatisfy({ $0 == 0 }) {
        if isExpected(at: address, beside: candidates) { return false }
        bytes = try bus.get(0x00, count: 16, at: address).all
      }
      return bytes.dropFirst(2).elementsEqual(bytes.dropLast(2))
    } catch {
      guard error.isAboutTheChip || error.isOfSMBus else { throw error }
      return true
    }
  }

  /// Whether a chip that can have this address is sold beside one of those found.
  private static func isExpected(at address: UInt8, beside candidates: [UInt8: [any Chip.Type]]) -> Bool {
    let neighbours = Chips.all.filter { $0.addresses.contains(address) }.flatMap { $0.neighbours }
    return candidates.values.joined().contains { found in neighbours.contains { $0 == found } }
  }

  private static func answers(
    _ driver: any Chip.Type, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> Bool {
    do {
      try driver.identify(at: address, on: &bus)
      return true
    } catch {
      guard error.isAboutTheChip else { throw error }
      return false
    }
  }

  /// The first candidate at each address that needs no companion, or has one on the bus.
  private static func resolved(_ candidates: [UInt8: [any Chip.Type]]) -> [FoundChip] {
    let present = candidates.flatMap { address, drivers in drivers.map { FoundChip($0, at: address) } }
    var found: [FoundChip] = []
    for (address, drivers) in candidates.sorted(by: { $0.key < $1.key }) {
      let driver = drivers.first { driver in
        driver.companions.isEmpty || present.contains { $0.isCompanion(of: driver) }
      }
      if let driver { found.append(FoundChip(driver, at: address)) }
    }
    return found
  }
}

extension ChipError {
  /// Whether it tells of somebody else, nobody, or a part that is not as it should be: the bus itself works.
  fileprivate var isAboutTheChip: Bool {
    if case .bus = self { return isNotAcknowledged }
    return true
  }

  /// The adapter can't do this kind of transfer.
  fileprivate var isOfSMBus: Bool { if case .bus(.unsupported) = self { true } else { false } }
}
