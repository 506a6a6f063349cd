import LodestoneCore

/// Bytes read from a chip: as many as were asked for, checked on arrival.
public struct ChipBytes: Equatable, Sendable {
  /// The bytes in the order they came.
  public let all: [UInt8]

  /// Bytes from a bus. Throws where it delivered another number of bytes than was asked for.
  public init(_ bytes: [UInt8], count: Int) throws(ChipError) {
    guard bytes.count == count else {
      throw .bus(.protocolViolation("\(bytes.count) bytes instead of \(count)"))
    }
    all = bytes
  }

  /// The byte at a place; 0 past the end.
  public subscript(index: Int) -> UInt8 { all.indices.contains(index) ? all[index] : 0 }

  /// The 16-bit number at a place, in two's complement, low byte first.
  public func int16LE(_ index: Int) -> Int {
    Int(Int16(bitPattern: UInt16(self[index + 1]) << 8 | UInt16(self[index])))
  }
  /// The 16-bit number at a place, in two's complement, high byte first.
  public func int16BE(_ index: Int) -> Int {
    Int(Int16(bitPattern: UInt16(self[index]) << 8 | UInt16(self[index + 1])))
  }
  /// The unsigned 16-bit number at a place, low byte first.
  public func uint16LE(_ index: Int) -> Int { Int(self[index + 1]) << 8 | Int(self[index]) }
  /// The unsigned 16-bit number at a place, high byte first.
  public func uint16BE(_ index: Int) -> Int { Int(self[index]) << 8 | Int(self[index + 1]) }
  /// The byte at a place in two's complement.
  public func int8(_ index: Int) -> Int { Int(Int8(bitPattern: self[index])) }
  /// The 24-bit number at a place, in two's complement, high byte first.
  public func int24BE(_ index: Int) -> Int {
    signExtended(Int(self[index]) << 16 | Int(self[index + 1]) << 8 | Int(self[index + 2]), bits: 24)
  }
  /// The 24-bit number at a place, in two's complement, low byte first.
  public func int24LE(_ index: Int) -> Int {
    signExtended(Int(self[index + 2]) << 16 | Int(self[index + 1]) << 8 | Int(self[index]), bits: 24)
  }

  /// Three consecutive low-byte-first numbers.
  public func counts16LE(_ index: Int) -> Counts { Counts(int16LE(index), int16LE(index + 2), int16LE(index + 4)) }
  /// Three consecutive high-byte-first numbers.
  public func counts16BE(_ index: Int) -> Counts { Counts(int16BE(index), int16BE(index + 2), int16BE(index + 4)) }
}

/// The low `bits` of a number as two's complement.
func signExtended(_ value: Int, bits: Int) -> Int {
  let shift = Int.bitWidth - bits
  return (value << shift) >> shift
}

/// The raw counts of three axes.
public struct Counts: Equatable, Sendable {
  /// The first axis.
  public var x: Int
  /// The second axis.
  public var y: Int
  /// The third axis.
  public var z: Int

  /// The counts of three axes.
  public init(_ x: Int, _ y: Int, _ z: Int) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The counts with x turned round: those of a part whose own axes are left-handed. Headings are those of y.
  var turnedX: Counts { Counts(-x, y, z) }
  /// The counts with z turned round.
  var turnedZ: Counts { Counts(x, y, -z) }

  /// Whether an axis is at or past the end of what its number can say.
  public func anyOutside(_ range: ClosedRange<Int>) -> Bool {
    !range.contains(x) || !range.contains(y) || !range.contains(z)
  }

  /// Whether any axis holds this code.
  public func anyIs(_ code: Int) -> Bool { x == code || y == code || z == code }

  /// The counts as numbers, times one factor.
  public func scaled(by factor: Double) -> Vector3 { Vector3(Double(x), Double(y), Double(z)) * factor }

  /// The field at this scale: past its range where a code is outside `valid`, or where the chip itself says so.
  public func measurement(
    microteslaPerCount: Double, within valid: ClosedRange<Int> = withinInt16, overflow: Bool = false
  ) -> Measurement {
    let field = MagneticField(microtesla: scaled(by: microteslaPerCount))
    return overflow || anyOutside(valid) ? .saturated(lowerBound: field) : .field(field)
  }

  /// Converter codes short of both ends of 16 bits, whichever way an axis is turned.
  public static let withinInt16 = -32766...32766
}

extension I2CBus {
  /// Reads registers, the number first and a repeated start. Three axes of nothing but ones are what a line says that
  /// nobody pulls down, as of a chip that has lost its power: they would be a field of nothing.
  public mutating func get(_ register: UInt8, count: Int = 1, at address: UInt8) throws(ChipError) -> ChipBytes {
    let bytes: ChipBytes
    do { bytes = try ChipBytes(write([register], thenRead: count, at: address), count: count) } catch {
      throw ChipError(error)
    }
    guard count < 6 || bytes.all.contains(where: { $0 != 0xFF }) else { throw .bus(.dataNotAcknowledged(address)) }
    return bytes
  }

  /// Writes one register.
  public mutating func put(_ register: UInt8, _ value: UInt8, at address: UInt8) throws(ChipError) {
    try send([register, value], at: address)
  }

  /// Writes bytes as they are.
  public mutating func send(_ bytes: [UInt8], at address: UInt8) throws(ChipError) {
    do { try write(bytes, to: address) } catch { throw .bus(error) }
  }

  /// Reads without saying from where.
  public mutating func receive(_ count: Int, at address: UInt8) throws(ChipError) -> ChipBytes {
    do { return try ChipBytes(read(count, from: address), count: count) } catch { throw ChipError(error) }
  }

  /// Writes a register and reads it back: for those that decide what the numbers mean.
  public mutating func putChecked(
    _ register: UInt8, _ value: UInt8, at address: UInt8, of chip: String
  ) throws(ChipError) {
    try put(register, value, at: address)
    let read = try get(register, at: address)[0]
    guard read == value else { throw .notAccepted(chip: chip, register: register, written: value, read: read) }
  }

  /// Reads a register every `interval` milliseconds until the bits under `mask` are `value`, for at most `limit`.
  public mutating func wait(
    for what: String, in register: UInt8, mask: UInt8, value: UInt8, every interval: Double, limit: Double,
    at address: UInt8, of chip: String
  ) throws(ChipError) {
    var waited = 0.0
    while try get(register, at: address)[0] & mask != value {
      guard waited < limit else { throw .timedOut(chip: chip, waitingFor: what, milliseconds: limit) }
      wait(milliseconds: interval)
      waited += interval
    }
  }
}

extension ChipError {
  /// A bus error as a chip's; a chip's own stays what it is.
  init(_ error: any Error) {
    self = error as? ChipError ?? (error as? BusError).map(ChipError.bus) ?? .bus(.protocolViolation("\(error)"))
  }
}

/// Registers that hold known values: how most chips are recognised.
public struct Identity: Sendable {
  let register: UInt8
  /// The accepted contents, each of the same length.
  let values: [[UInt8]]

  /// Registers from one on, and what may stand there.
  public init(_ register: UInt8, _ values: [UInt8]...) {
    self.register = register
    self.values = values
  }

  /// Reads the registers and returns their contents; throws `wrongIdentity` if they are not among the values.
  @discardableResult
  public func check(_ chip: any Chip.Type, at address: UInt8, on bus: inout some I2CBus) throws(ChipError) -> [UInt8] {
    let read = try bus.get(register, count: values.first?.count ?? 1, at: address).all
    guard values.contains(read) else {
      throw .wrongIdentity(chip: chip.name, address: address, register: register, expected: values, read: read)
    }
    return read
  }
}

/// A chip that its identity tells.
protocol IdentifiedChip: Chip {
  static var identity: Identity { get }
}

extension IdentifiedChip {
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try identity.check(Self.self, at: address, on: &bus)
  }
}
