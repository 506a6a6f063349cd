import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Rules for every protocol, whichever it is.
@Suite struct ProtocolsTests {
  /// A protocol of the registry, as a test argument.
  struct Entry: CustomTestStringConvertible {
    let type: any WireProtocol.Type
    var testDescription: String { type.name }

    /// The messages that such a device can say: a track is of places alone.
    func example(_ number: Int) -> WireMessage {
      guard type.name == "gpx" else { return .example(number) }
      var message = WireMessage()
      let place = Coordinate(latitude: 48.2 + Double(number) / 1000, longitude: 16.37)
      message.position = WirePosition(.whole, Position(place, unixTime: 1_795_348_800 + Double(number)))
      return message
    }
    var examples: [WireMessage] { (0..<8).map { example($0) } }
  }

  static let all = Protocols.all.map { Entry(type: $0) }
  static let checked = all.filter { $0.type.proof == .checksum }

  @Test func everyProtocolIsRegistered() throws {
    let declared = try DeclaredTypes.conforming(to: "WireProtocol", below: "Sources/Drivers")
    #expect(declared.filter { $0 != "ValueLines" } == Protocols.all.map { "\($0)" }.sorted())
  }

  @Test func namesAreTheirOwn() {
    let names = Protocols.all.map { $0.name }
    #expect(Set(names).count == names.count)
    for name in names { #expect(Protocols.named(name)?.name == name) }
  }

  @Test(arguments: all)
  func byteByByteIsTheSameAsWhole(_ entry: Entry) {
    let bytes = Array(entry.type.encode(entry.examples).joined())
    let whole = entry.type.hear(bytes)
    #expect(whole.messages.count >= entry.examples.count)
    for chunk in [1, 2, 7, 64] { #expect(entry.type.hear(bytes, chunk: chunk) == whole) }
  }

  /// Lines that each say a part, and lines that break off, are read once, however they arrive.
  @Test(arguments: [
    "X: -13.07 uT\r\nY: 15.38 uT\r\nZ: -43.58 uT\r\nTemperature: 20.5\r\n",
    "Mag\nX: 1e\nY: 2 Accel Z: 3\nX: 1 Y: 2 Z: 3\n",
    "Time: 12\nOrientation X: 10\nY: 5 Z: 3\n", "Accel X: 0.25 m/s^2 Y: 0.1\nZ: 9.8\nMag X: 1 Y: 2\nZ: 3 uT\n",
  ])
  func linesThatSayAPartAreReadOnce(text: String) {
    let bytes = Array(repeatElement(Array(text.utf8), count: 8).joined())
    for chunk in [1, 30, .max] {
      #expect(LabelledLines.hear(bytes, chunk: chunk) == LabelledLines.hear(bytes, chunk: 64))
    }
  }

  /// A board that lies level and points north, where the field dips: what it sends along its own axes, by what its
  /// maker's axes are called, is forward 20 and down 44 µT, and up 1 g.
  @Test(arguments: [
    ("mavlink", Vector3(20, 0, 44), Vector3(0, 0, -1)), ("vectornav", Vector3(20, 0, 44), Vector3(0, 0, -1)),
    ("vectornav-binary", Vector3(20, 0, 44), Vector3(0, 0, -1)), ("um7", Vector3(20, 0, 44), Vector3(0, 0, -1)),
    ("um7-binary", Vector3(20, 0, 44), Vector3(0, 0, -1)), ("razor", Vector3(20, 0, 44), Vector3(0, 0, -1)),
    ("razor-binary", Vector3(20, 0, 44), Vector3(0, 0, -1)), ("pni", Vector3(20, 0, 44), Vector3(0, 0, -1)),
    ("xbus", Vector3(20, 0, -44), Vector3(0, 0, 1)), ("msp", Vector3(20, 0, -44), Vector3(0, 0, 1)),
    ("witmotion", Vector3(0, 20, -44), Vector3(0, 0, 1)),
    ("bno055", Vector3(0, 20, -44), Vector3(0, 0, 1)),
  ])
  func samplesAreAlongOneSetOfAxes(name: String, field: Vector3, force: Vector3) throws {
    let type = try #require(Protocols.named(name))
    var sent = WireMessage()
    (sent.time, sent.field, sent.acceleration, sent.rotationRate) = (1, field, force, .zero)
    var stream = WireStream(type.init())
    stream.append(Array(type.encode([sent, sent, sent]).joined()).span)
    stream.end()
    var message: WireMessage?
    while let event = stream.next() {
      if case .message(let heard) = event, heard.field != nil, heard.acceleration != nil { message = heard }
    }
    #expect(try #require(message?.field).angle(to: Vector3(0, 20, -44)) < 0.01)
    #expect(try #require(message?.acceleration).angle(to: Vector3(0, 0, 1)) < 0.01)
    // And back.
    var turned = try #require(message)
    turned.turn(to: type.axes)
    #expect(try #require(turned.field).angle(to: field) < 0.01)
  }

  @Test(arguments: all)
  func garbageBeforeAndBetweenIsSkipped(_ entry: Entry) {
    let pieces = entry.type.encode(entry.examples)
    let clean = entry.type.hear(Array(pieces.joined()))
    let noise: [UInt8] = [0x0A, 0x01, 0x83, 0x1B, 0x7F, 0x21, 0x0D, 0x0A]
    let before = entry.type.hear(noise + Array(pieces.joined()))
    // Without any mark of their own these two can be lost until the next mark: that is why they are not detected.
    guard entry.type.proof >= .numbers, entry.type.name != "hmr2300-binary" else { return }
    #expect(before.messages == clean.messages)
    let between = entry.type.hear(Array(pieces.enumerated().map { $0 % 3 == 2 ? noise + $1 : $1 }.joined()))
    #expect(between.messages.count >= clean.messages.count - 2)
    for message in between.messages { #expect(clean.messages.contains { message.isPart(of: $0) }) }
  }

  @Test(arguments: all)
  func cutAnywhereNothingIsMisread(_ entry: Entry) {
    let bytes = Array(entry.type.encode(Array(entry.examples.prefix(3))).joined())
    let whole = entry.type.hear(bytes).messages
    for length in 0..<bytes.count {
      let cut = entry.type.hear(Array(bytes[..<length])).messages
      #expect(cut.count <= whole.count)
      for message in cut { #expect(whole.contains { message.isPart(of: $0) }, "\(length) bytes") }
    }
  }

  @Test(arguments: checked)
  func aFlippedBitNeverMakesAWrongValue(_ entry: Entry) {
    let pieces = entry.type.encode(Array(entry.examples.prefix(4)))
    let bytes = Array(pieces.joined())
    let whole = entry.type.hear(bytes).messages
    for index in pieces[0].count..<bytes.count {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        for message in entry.type.hear(damaged).messages {
          #expect(whole.contains { message.isPart(of: $0) }, "byte \(index), bit \(bit): \(message)")
        }
      }
    }
  }

  @Test(arguments: all)
  func hostileInputIsBounded(_ entry: Entry) {
    var random = SeededGenerator(seed: 7)
    let noise = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = (0..<50_000).map { _ in UInt8.random(in: 32...126, using: &random) }
    let marks: [UInt8] = [0x55, 0xFA, 0xFD, 0xFE, 0xC0, 0xBB, 0x7E, 0x0D, 0xFF, 0x24]
    let sync = (0..<20_000).map { _ in marks[Int.random(in: 0..<marks.count, using: &random)] }
    let deep = Array(String(repeating: "{\"a\":[", count: 2000).utf8)
    let ones = [UInt8](repeating: 0xFF, count: 20_000), zeros = [UInt8](repeating: 0, count: 20_000)
    let inputs: [[UInt8]] = [noise, text, sync, deep, ones, zeros]
    for bytes in inputs {
      let heard = entry.type.hear(bytes, chunk: 512)
      #expect(heard.longestRest <= 4096)
      #expect(heard.rejectedByteCount <= bytes.count)
    }
  }

  @Test(arguments: all)
  func whatIsWrittenIsReadBack(_ entry: Entry) {
    let messages = entry.type.hear(Array(entry.type.encode(entry.examples).joined())).messages
    let read = messages.filter { $0.field != nil }
    #expect(!read.isEmpty || Self.headingsAlone.contains(entry.type.name))
    for (message, example) in zip(read, entry.examples) {
      guard let field = message.field, let expected = example.field else { continue }
      let unit = message.fieldUnit?.microtesla ?? Self.unstated[entry.type.name] ?? 1
      #expect((field * unit - expected).length < 0.11, "\(field) \(expected)")
      if message.accelerationUnit != nil, let read = message.gravities, let expected = example.acceleration {
        #expect((read - expected).length < 0.011)
      }
      if message.rotationRateUnit != nil, let read = message.degreesPerSecond, let expected = example.rotationRate {
        #expect((read - expected).length < (Self.coarseRates[entry.type.name] ?? 0.15))
      }
    }
  }

  /// How far a rotation rate may be off where the wire holds whole degrees a second.
  static let coarseRates = ["msp": 0.71]

  /// µT in one number of the field, for wires that do not say it.
  static let unstated = [
    "witmotion": 0.1, "razor": 0.1, "razor-binary": 0.1, "oceanserver": 1e-3, "msp": 1 / 30.0, "xbus": 47, "um7": 47,
    "um7-binary": 47,
  ]

  static let nmea2000: Set = ["canboat", "canboat-json", "candump", "ikonvert", "n2k-ascii", "ngt1", "ydwg"]
  /// Protocols without a place for a field.
  static let headingsAlone = nmea2000.union(["hmr3300", "gpx", "signalk"])
  /// Protocols with a heading against magnetic north, and against true north.
  static let magneticHeadings = nmea2000.union([
    "bno055", "gpsd", "hmr3300", "msp", "nmea", "oceanserver", "pni", "razor", "signalk", "um7", "um7-binary",
    "vectornav", "vectornav-binary", "witmotion", "xbus",
  ])
  static let trueHeadings = nmea2000.union(["gpsd", "mavlink", "nmea", "signalk"])

  @Test(arguments: all)
  func ownHeadingsAreReadBack(_ entry: Entry) {
    let messages = entry.type.hear(Array(entry.type.encode(entry.examples).joined())).messages
    let magnetic = messages.compactMap { message in message.own?.magnetic.map { (message, $0.degrees) } }
    let north = messages.compactMap { $0.own?.trueNorth?.degrees }
    #expect(magnetic.count == (Self.magneticHeadings.contains(entry.type.name) ? entry.examples.count : 0))
    #expect(north.count == (Self.trueHeadings.contains(entry.type.name) ? entry.examples.count : 0))
    for (number, (message, heading)) in magnetic.enumerated() {
      #expect(abs(Angle.shortestTurn(from: heading, to: 120 + Double(number))) < 0.06)
      if let pitch = message.own?.pitch { #expect(abs(pitch - 5.25) < 0.06) }
      if let roll = message.own?.roll { #expect(abs(roll + 3.5) < 0.06) }
    }
    for (number, heading) in north.enumerated() {
      #expect(abs(Angle.shortestTurn(from: heading, to: 124.5 + Double(number))) < 0.06)
    }
  }

  @Test(arguments: all.filter { $0.type.proof > .request })
  func theDetectorTellsIt(_ entry: Entry) {
    let bytes = Array(entry.type.encode((0..<20).map { entry.example($0) }).joined())
    var detector = Detector()
    #expect(detector.listen(to: bytes.span)?.name == entry.type.name)
  }

  @Test func theDetectorSurvivesNoise() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20 {
      let noise = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
      var detector = Detector()
      #expect(detector.listen(to: noise.span) == nil)
    }
  }
}

extension WireMessage {
  /// Every value that is here is the same there: all of it, or the parts of it that were heard.
  func isPart(of other: WireMessage) -> Bool {
    (field == nil || field == other.field) && (acceleration == nil || acceleration == other.acceleration)
      && (rotationRate == nil || rotationRate == other.rotationRate) && (own == nil || own == other.own)
      && (time == nil || time == other.time) && (position == nil || position == other.position)
  }
}
