import Calibration
import Drivers
import Glibc
import Instruments
import LodestoneOutput
import Support
import Testing

/// One more of a kind costs a file, a line and what shows that it works. Whoever forgets one is told which.
@Suite struct RegistriesTests {
  /// A kind of member: where it is declared, where it is listed, and where each must appear to be tried.
  struct Kind: CustomTestStringConvertible, Sendable {
    let kind: String
    /// The protocol that members conform to, and the folder that they are declared in.
    let conformance: String
    let folder: String
    /// The file with a line for each.
    let registry: String
    /// The types that have a line, each with the words by which tests may know it.
    let members: [(type: String, words: [String])]
    /// Each member's needs besides, and the files or folders that hold it.
    let proof: String
    let places: [String]

    var testDescription: String { kind }
  }

  static let kinds: [Kind] = [
    Kind(
      kind: "chip", conformance: "Chip", folder: "Sources/Drivers", registry: "Sources/Drivers/Chips/Chips.swift",
      members: Chips.all.map { ("\($0)", ["\"\($0.name)\""]) }, proof: "a fixture",
      places: ["Tests/DriversTests/Chips/ChipFixtures.swift"]),
    Kind(
      kind: "protocol", conformance: "WireProtocol", folder: "Sources/Drivers",
      registry: "Sources/Drivers/Protocols/Protocols.swift",
      members: Protocols.all.map { ("\($0)", ["\"\($0.name)\"", "\($0).hear", "\($0).self", "\($0)()"]) },
      proof: "an example with what it says", places: ["Tests/DriversTests/Protocols"]),
    Kind(
      kind: "bridge", conformance: "Bridge", folder: "Sources/Drivers",
      registry: "Sources/Drivers/Bridges/Bridges.swift", members: Bridges.all.map { ("\($0)", ["\"\($0.name)\""]) },
      proof: "an emulator", places: ["Tests/Support/Emulation/EmulatedBridges.swift"]),
    Kind(
      kind: "sink", conformance: "AddressedSink", folder: "Sources/Output", registry: "Sources/Output/Sinks.swift",
      members: Sinks.all.map { ("\($0)", ["\($0.scheme):", "\($0)"]) }, proof: "a test that publishes there",
      places: ["Tests/EndToEnd", "Tests/OutputTests"]),
    Kind(
      kind: "format", conformance: "Format", folder: "Sources/Output", registry: "Sources/Output/Formats.swift",
      // Some are for one sink alone, which names them.
      members: (Formats.all + Sinks.all.compactMap { $0.format }).map { ("\($0)", ["\($0)", "\"\($0.name)\""]) },
      proof: "a golden line",
      places: ["Tests/OutputTests", "Tests/EndToEnd"]),
    Kind(
      kind: "kind of address", conformance: "AddressScheme", folder: "Sources/Instruments",
      registry: "Sources/Instruments/Addresses/DeviceAddress.swift",
      // Paths have no word before a colon; `mqtts:` is `mqtt:` with a certificate.
      members: AddressSchemes.all.map { ("\($0)", ["\($0.scheme?.replacing("mqtts", with: "mqtt") ?? ""):"]) },
      proof: "a test that opens one", places: ["Tests/EndToEnd", "Tests/InstrumentsTests"]),
    Kind(
      kind: "export", conformance: "ProfileExport", folder: "Sources/Calibration",
      registry: "Sources/Calibration/Exports/Exports.swift",
      members: Exports.all.map { ("\($0)", ["\($0)", "\"\($0.name)\""]) }, proof: "an example worked by hand",
      places: ["Tests/CalibrationTests", "Tests/EndToEnd"]),
  ]

  @Test(arguments: kinds)
  func everyMemberHasItsLine(_ kind: Kind) throws {
    // Lines of a device beside another one are no protocol of a device.
    let listed = Set(kind.members.map { $0.type }).union(["ValueLines"])
    for type in try DeclaredTypes.conforming(to: kind.conformance, below: kind.folder) where !listed.contains(type) {
      Issue.record("\(type) is a \(kind.conformance) that nobody finds: add \(type).self to \(kind.registry)")
    }
  }

  /// Sketches are no types: what is in the folder must be in the binary, and be run.
  @Test func everySketchIsInTheBinaryAndIsRun() throws {
    let binary = try PackageFolder.text(of: "Sources/Firmware/Firmware.c")
    let tests = try PackageFolder.text(of: "Tests/EndToEnd/SketchTests.swift")
    for path in try PackageFolder.files(below: "Sources/Firmware") {
      let file = path.dropFirst("Sources/Firmware/".count)
      guard file.contains("/"), !file.contains("include/"), !file.contains("board") else { continue }
      if !binary.contains("\"\(file)\"") {
        Issue.record("the sketch \(file) is not in the binary: add it to Sources/Firmware/Firmware.c")
      }
      let chip = file.split(separator: "/").last?.split(separator: ".").first ?? ""
      if !tests.contains("\"\(chip)\"") {
        Issue.record("the sketch \(file) is not run: add its board to Tests/EndToEnd/SketchTests.swift")
      }
    }
  }

  @Test(arguments: kinds)
  func everyMemberIsTried(_ kind: Kind) throws {
    let text = try kind.places.flatMap { place in
      place.hasSuffix(".swift") ? [place] : try PackageFolder.files(below: place).filter { $0.hasSuffix(".swift") }
    }.map { try PackageFolder.text(of: $0) }.joined()
    text.withCString { text in
      for (type, words) in kind.members where !words.contains(where: { strstr(text, $0) != nil }) {
        let places = kind.places.joined(separator: " or ")
        Issue.record("the \(kind.kind) \(type) is not tried: add \(kind.proof) to \(places)")
      }
    }
  }
}
