import LodestoneCore
import Drivers

/// The state that reads a recording's samples, in one place, because every access to a property of a class is guarded.
struct SampleReader {
  var wire: WireStream
  var assembler: SampleAssembler
  /// Messages so far: what stands for the time of a recording that has none.
  var count = 0
  /// Seconds from one message of a recording without times to the next; 1 where nobody knows.
  var period = 1.0
  /// Whether the stream is a recording in the middle of its samples: nothing waits, and nothing has to be found out.
  var isFlowing = false
  /// Whether messages wait for the units of their numbers.
  var waitsForUnits = false
  /// The last message.
  private(set) var message = WireMessage()
  /// A step that is no sample, while it has not been taken.
  private var held: WireStep?

  init(wire: WireStream, assembler: SampleAssembler) {
    self.wire = wire
    self.assembler = assembler
  }

  /// The next sample while samples flow; false when something else comes first, which `nextStep` gives.
  mutating func next(into sample: inout Sample) -> Bool {
    guard isFlowing, held == nil else { return false }
    while let step = wire.next(into: &message) {
      guard step == .message, !message.hasPosition, !(waitsForUnits && message.hasQuantities) else {
        held = step
        return false
      }
      if assemble(into: &sample) { return true }
      if assembler.unitHasChanged { return false }
    }
    return false
  }

  /// The next thing said, its message in `message`; nil when more bytes are needed.
  mutating func nextStep() -> WireStep? {
    guard let step = held else { return wire.next(into: &message) }
    held = nil
    return step
  }

  /// Writes the sample of the last message of a recording where it is wanted; false where it makes none.
  @inline(__always)
  private mutating func assemble(into sample: inout Sample) -> Bool {
    let arrival = Double(count) * period
    count &+= 1
    return assembler.assemble(&message, arrival: arrival, into: &sample)
  }

  /// The time at which the last message arrived, in seconds of the stream; nil where nothing tells.
  var arrival: Double? { message.arrival ?? wire.arrival }

  /// Takes over what is known of the messages' times.
  mutating func noteTimes() {
    assembler.timeIsAssumed = wire.timeIsAssumed
    assembler.timeIsIndex = wire.timeIsIndex
  }

  /// The sample of the last message, which arrived at a time in seconds; nil where it makes none.
  mutating func sample(arrival: Double) -> Sample? {
    var sample = Sample(time: 0)
    noteTimes()
    return assembler.assemble(&message, arrival: arrival, into: &sample) ? sample : nil
  }
}
