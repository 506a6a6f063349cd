import Drivers
import Support
import Testing

/// A bridge, what it plays on, and the wire between.
struct Bench {
  var bridge: any Bridge
  let bus: VirtualI2CBus
  let pipe: FunctionPipe

  /// A bridge by its name, with these chips behind it; `prepare` comes before it is opened.
  init(
    _ name: String, _ chips: [UInt8: any VirtualChip] = [:], hertz: Int = 100_000,
    prepare: (FunctionPipe) -> Void = { _ in }
  ) throws {
    let bus = VirtualI2CBus(chips)
    try self.init(try #require(EmulatedBridges.make(name, bus)), bus, hertz: hertz, prepare: prepare)
  }

  /// An emulated bridge.
  init(
    _ function: any USBFunction, _ bus: VirtualI2CBus, hertz: Int = 100_000, prepare: (FunctionPipe) -> Void = { _ in }
  ) throws {
    let identity = function.identity
    let type = try #require(Bridges.identified(by: USBIdentifier(identity.vendor, identity.product)))
    self.bus = bus
    pipe = FunctionPipe(function, interfaceClass: type.interfaceClass)
    prepare(pipe)
    bridge = try type.init(pipe: pipe, hertz: hertz)
  }

  /// The bytes sent to the OUT endpoint since the last `clearExchanges`.
  var sent: [[UInt8]] {
    pipe.exchanges.compactMap { if case .sent(let bytes) = $0 { bytes } else { nil } }
  }
}

/// Rules for every bridge, with an emulated one behind it and no USB between.
@Suite struct BridgesTests {
  static let names = Bridges.all.map { $0.name }

  @Test func everyBridgeHasAnEmulatorAndItsIdentity() throws {
    #expect(Set(Self.names) == Set(EmulatedBridges.all.keys))
    for name in Self.names {
      let identity = try #require(EmulatedBridges.make(name, VirtualI2CBus())).identity
      let type = try #require(Bridges.identified(by: USBIdentifier(identity.vendor, identity.product)))
      #expect(type.name == name)
      #expect(identity.interfaces.contains { $0.classCode == type.interfaceClass })
    }
  }

  @Test func everyBridgeIsRegistered() throws {
    let declared = try DeclaredTypes.conforming(to: "Bridge", below: "Sources/Drivers")
    #expect(declared == Bridges.all.map { "\($0)" }.sorted())
  }

  @Test func namesAndIdentifiersBelongToOneBridge() {
    let names = Bridges.all.flatMap { [$0.name] + $0.otherNames }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0 == $0.lowercased() })
    let identifiers = Bridges.all.flatMap { $0.identifiers }
    #expect(Set(identifiers).count == identifiers.count)
  }

  @Test(arguments: names) func writesAndReads(_ name: String) throws {
    let chip = RegisterFile()
    var bench = try Bench(name, [0x1E: chip])
    try bench.bridge.write([0x20, 0x70, 0x61], to: 0x1E)
    #expect(chip.registers[0x20] == 0x70)
    #expect(chip.registers[0x21] == 0x61)
    try bench.bridge.write([0x20], to: 0x1E)
    #expect(try bench.bridge.read(2, from: 0x1E) == [0x70, 0x61])
    #expect(try bench.bridge.registers(0x21, at: 0x1E) == [0x61])
  }

  @Test(arguments: names) func readsRegistersWithARepeatedStart(_ name: String) throws {
    var bench = try Bench(name, [0x1E: RegisterFile([0x0F: 0x3D])])
    bench.bus.clearEvents()
    #expect(try bench.bridge.write([0x0F], thenRead: 1, at: 0x1E) == [0x3D])
    #expect(
      bench.bus.events == [
        .start(0x1E, reading: false, acknowledged: true), .wrote(0x0F, acknowledged: true),
        .repeatedStart(0x1E, reading: true, acknowledged: true), .read(0x3D), .stop,
      ])
  }

  @Test(arguments: names) func endsEveryTransferWithAStop(_ name: String) throws {
    var bench = try Bench(name, [0x1E: RegisterFile()])
    try bench.bridge.write([1, 2], to: 0x1E)
    #expect(bench.bus.events.last == .stop)
    _ = try bench.bridge.read(1, from: 0x1E)
    #expect(bench.bus.events.last == .stop)
    #expect(throws: BusError.addressNotAcknowledged(0x1C)) { try bench.bridge.write([1], to: 0x1C) }
    #expect(throws: BusError.addressNotAcknowledged(0x1C)) { _ = try bench.bridge.write([1], thenRead: 1, at: 0x1C) }
    bench.bus.clearEvents()
    _ = try bench.bridge.read(1, from: 0x1E)
    #expect(bench.bus.events.first == .start(0x1E, reading: true, acknowledged: true))
    #expect(bench.bus.events.last == .stop)
  }

  @Test(arguments: names) func tellsAnAddressThatNobodyAcknowledges(_ name: String) throws {
    var bench = try Bench(name, [0x1E: RegisterFile([0: 0x55])])
    for _ in 0..<3 {
      #expect(throws: BusError.addressNotAcknowledged(0x1C)) { _ = try bench.bridge.read(1, from: 0x1C) }
      #expect(throws: BusError.addressNotAcknowledged(0x1C)) { try bench.bridge.write([0, 1], to: 0x1C) }
      #expect(throws: BusError.addressNotAcknowledged(0x1C)) { _ = try bench.bridge.registers(0, at: 0x1C) }
      #expect(try bench.bridge.registers(0, at: 0x1E) == [0x55])
    }
  }

  @Test(arguments: names, [1, 2, 16, 25, 26, 27, 31]) func carriesEveryLength(_ name: String, _ count: Int) throws {
    let chip = RegisterFile()
    var bench = try Bench(name, [0x30: chip])
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    try bench.bridge.write([0x40] + bytes, to: 0x30)
    #expect(Array(chip.registers[0x40..<(0x40 + count)]) == bytes)
    #expect(try bench.bridge.registers(0x40, count: count, at: 0x30) == bytes)
  }

  /// Longer than some bridges can: either it is done, or it is refused before anything is on the bus.
  @Test(arguments: names, [32, 60, 61, 62, 100, 128, 255, 512, 513, 1024, 1025, 70_000])
  func carriesOrRefusesLongTransfers(_ name: String, _ count: Int) throws {
    let chip = RegisterFile()
    var bench = try Bench(name, [0x30: chip])
    for register in 0..<256 { chip.registers[register] = UInt8(register) }
    try bench.bridge.write([0], to: 0x30)
    bench.bus.clearEvents()
    do throws(BusError) {
      let bytes = try bench.bridge.read(count, from: 0x30)
      #expect(bytes == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    } catch {
      guard case .unsupported = error else { throw error }
      #expect(bench.bus.events == [])
    }
    let bytes = [UInt8](repeating: 0xA5, count: count)
    bench.bus.clearEvents()
    do throws(BusError) {
      try bench.bridge.write([0] + bytes, to: 0x30)
      #expect(chip.registers[(count - 1) & 0xFF] == 0xA5)
    } catch {
      guard case .unsupported = error else { throw error }
      #expect(bench.bus.events == [])
    }
  }

  @Test(arguments: names) func refusesEmptyTransfers(_ name: String) throws {
    var bench = try Bench(name, [0x30: RegisterFile()])
    bench.bus.clearEvents()
    for count in [0, -1] {
      #expect(throws: BusError.self) { _ = try bench.bridge.read(count, from: 0x30) }
      #expect(throws: BusError.self) { _ = try bench.bridge.write([0], thenRead: count, at: 0x30) }
    }
    #expect(throws: BusError.self) { try bench.bridge.write([], to: 0x30) }
    #expect(bench.bus.events == [])
  }

  @Test(arguments: names) func aBridgeThatFallsSilentIsATimeout(_ name: String) throws {
    var bench = try Bench(name, [0x30: RegisterFile()])
    bench.pipe.tamper = { _ throws(BusError) in nil }
    #expect(throws: BusError.timeout) { _ = try bench.bridge.registers(0, at: 0x30) }
    bench.pipe.tamper = nil
    #expect(try bench.bridge.registers(0, at: 0x30) == [0])
  }

  @Test(arguments: names) func aBridgeThatLeavesIsGone(_ name: String) throws {
    for exchange in 0..<6 {
      var bench = try Bench(name, [0x30: RegisterFile()])
      var left = exchange
      bench.pipe.tamper = { (answer) throws(BusError) in
        left -= 1
        if left < 0 { throw BusError.disconnected }
        return answer
      }
      #expect(throws: BusError.disconnected) {
        for _ in 0..<8 { _ = try bench.bridge.registers(0, at: 0x30) }
      }
    }
  }

  /// Each answer in turn is lost, or comes only after the bridge was thought silent: at most that transfer fails, and
  /// none reads what another has asked for.
  @Test(arguments: names, [false, true])
  func oneMissedAnswerCostsOneTransfer(_ name: String, _ comesLater: Bool) throws {
    let content: [UInt8: [UInt8]] = [0: [0x11, 0x22], 0x40: [0x33, 0x44]]
    for missed in 0..<12 {
      let bus = VirtualI2CBus([0x30: RegisterFile([0: 0x11, 1: 0x22, 0x40: 0x33, 0x41: 0x44])])
      let late = LateFunction(try #require(EmulatedBridges.make(name, bus)))
      var bench = try Bench(late, bus)
      late.isLate = { $0 == missed }
      late.losesAnswer = !comesLater
      var failures = 0
      for turn in 0..<8 {
        let register: UInt8 = turn % 2 == 0 ? 0 : 0x40
        do throws(BusError) {
          let bytes = try bench.bridge.write([register], thenRead: 2, at: 0x30)
          #expect(bytes == content[register], "answer \(missed), transfer \(turn)")
        } catch {
          #expect(error == .timeout, "answer \(missed), transfer \(turn)")
          failures += 1
        }
      }
      #expect(failures <= 1, "answer \(missed)")
    }
  }

  /// Each answer in turn comes short, empty, or with one byte changed, while the bridge is opened and used: an error
  /// or a result of the length asked for, never a trap, and not without an end.
  @Test(arguments: names) func survivesAnyAnswer(_ name: String) throws {
    for answerIndex in 0..<10 {
      for change in 0..<142 {
        let bench = try? Bench(name, [0x30: RegisterFile([0: 0x11])]) { pipe in
          var index = -1
          pipe.tamper = { (answer) throws(BusError) in
            index += 1
            return index == answerIndex ? Self.changed(answer, change) : answer
          }
        }
        guard var bench else { continue }
        do throws(BusError) {
          for _ in 0..<2 {
            let bytes = try bench.bridge.write([0], thenRead: 6, at: 0x30)
            #expect(bytes.count == 6)
            try bench.bridge.write([1, 2], to: 0x30)
          }
        } catch {}
        #expect(bench.pipe.exchanges.count < 20_000)
        #expect(bench.pipe.waited < 10_000)
      }
    }
  }

  private static func changed(_ answer: [UInt8], _ change: Int) -> [UInt8] {
    guard !answer.isEmpty else { return answer }
    switch change {
    case 0..<10: return Array(answer.prefix(change))
    case 10: return []
    case 11: return answer + answer
    default:
      let values: [UInt8] = [0x00, 0xFF, 0x80, 0x54, 0x3F]
      var answer = answer
      answer[(change - 12) / values.count % answer.count] = values[(change - 12) % values.count]
      return answer
    }
  }
}

/// An emulated bridge of which an answer comes late: not when it is asked for, but when it is asked the next time, or
/// never.
final class LateFunction: USBFunction {
  /// Whether the answer of this number, counted from when this was set, is late; nil for none.
  var isLate: ((Int) -> Bool)? { didSet { count = -1 } }
  /// What is late never comes.
  var losesAnswer = false
  private let function: any USBFunction
  private var count = -1
  private var held: [UInt8]?

  init(_ function: any USBFunction) { self.function = function }

  var identity: USBIdentity { function.identity }
  func powerUp() { function.powerUp() }
  func receive(_ bytes: [UInt8]) -> Bool { function.receive(bytes) }
  func control(_ setup: USBSetup, _ data: [UInt8]) -> [UInt8]? { function.control(setup, data) }

  func send(limit: Int) -> [UInt8]? {
    if let answer = held {
      held = nil
      return answer
    }
    guard let answer = function.send(limit: limit) else { return nil }
    count += 1
    guard let isLate, isLate(count) else { return answer }
    if !losesAnswer { held = answer }
    return nil
  }
}
