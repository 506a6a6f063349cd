import LodestoneCore
import Drivers

/// What a recording needs for each of its samples, in one place, because every look at a property of a class is guarded.
struct SampleReader {
  var wire: WireStream
  var assembler: SampleAssembler
  /// Messages so far: what stands for the time of a recording that has none.
  var count = 0
  /// Seconds from one message of a recording without times to the next; 1 where nobody knows.
  var period = 1.0
  /// The stream is a recording in the middle of its samples: nothing waits, and nothing has to be found out.
  var isFlowing = false
  private var message = WireMessage()
  /// The message is a part of a position that came between samples, and waits to be taken.
  private var holdsPart = false

  init(wire: WireStream, assembler: SampleAssembler) {
    self.wire = wire
    self.assembler = assembler
  }

  /// The next sample while samples flow; false when something else comes first.
  mutating func next(into sample: inout Sample) -> Bool {
    guard isFlowing else { return false }
    while !holdsPart, wire.nextMessage(into: &message) {
      holdsPart = message.hasPosition
      if holdsPart { return false }
      let arrival = Double(count) * period
      count &+= 1
      if assembler.assemble(&message, arrival: arrival, into: &sample) { return true }
    }
    return false
  }

  /// The part of a position that ended a row of samples, once.
  mutating func takePart() -> WirePosition? {
    guard holdsPart else { return nil }
    holdsPart = false
    return message.position
  }
}
