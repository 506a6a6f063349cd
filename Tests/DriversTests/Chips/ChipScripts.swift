import LodestoneCore
import Drivers
import Support
import Testing

/// A chip of the registry at an address.
func chip(_ name: String, at address: UInt8) throws -> any Chip {
  try #require(Chips.named(name), "no chip \(name)").init(address: address)
}

/// The result of `body` with a chip over a script; expects the whole script and nothing else.
func scripted<Result>(
  _ chip: inout any Chip, _ steps: [ScriptedBus.Step], sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (inout any Chip, inout ScriptedBus) throws -> Result
) throws -> Result {
  var bus = ScriptedBus(at: chip.address, steps)
  defer { #expect(bus.deviation == nil, sourceLocation: sourceLocation) }
  return try body(&chip, &bus)
}

/// Configures a chip over a script.
func configure(
  _ chip: inout any Chip, _ settings: ChipSettings, _ steps: [ScriptedBus.Step],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try scripted(&chip, steps, sourceLocation: sourceLocation) { try $0.configure(settings, on: &$1) }
}

/// A chip's own test over a script.
func ownTest(
  of chip: inout any Chip, _ steps: [ScriptedBus.Step], sourceLocation: SourceLocation = #_sourceLocation
) throws -> SelfTest {
  try #require(
    try scripted(&chip, steps, sourceLocation: sourceLocation) { try $0.selfTest(on: &$1) },
    sourceLocation: sourceLocation)
}

/// One measurement over a script.
func measurement(
  of chip: inout any Chip, _ steps: ScriptedBus.Step..., sourceLocation: SourceLocation = #_sourceLocation
) throws -> Measurement? {
  try scripted(&chip, steps, sourceLocation: sourceLocation) { try $0.measure(on: &$1) }
}

/// The components agree within `tolerance`, in the vector's own unit.
func expect(
  _ vector: Vector3?, near expected: Vector3, within tolerance: Double,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let vector = try #require(vector, sourceLocation: sourceLocation)
  #expect((vector - expected).length <= tolerance, "\(vector) is not \(expected)", sourceLocation: sourceLocation)
}
