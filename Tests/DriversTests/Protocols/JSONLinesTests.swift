import LodestoneCore
import Support
import Testing

@testable import Drivers

@Suite struct JSONLinesTests {
  /// An axis at the end of the sensor's range is told by a word among the flags, and by nothing that looks like it.
  @Test func aFlagMarksASaturatedSample() {
    let lines = [
      #"{"mx":1,"my":2,"mz":3}"#, #"{"mx":1,"my":2,"mz":3,"flags":[]}"#,
      #"{"mx":1,"my":2,"mz":3,"flags":["saturated"]}"#,
      #"{"flags":["turned","saturated"],"mx":1,"my":2,"mz":3}"#,
      #"{"mx":1,"my":2,"mz":3,"flags":"saturated"}"#,
      #"{"mx":1,"my":2,"mz":3,"saturated":"flags"}"#, #"{"mx":1,"my":2,"mz":3,"flags":["unsaturated"]}"#,
    ]
    let heard = JSONLines.hear(lines.joined(separator: "\n") + "\n")
    #expect(heard.messages.map { $0.saturated } == [false, false, true, true, false, false, false])
    #expect(heard.messages.allSatisfy { $0.field == Vector3(1, 2, 3) })
  }

  @Test func whatIsWrittenIsReadBack() {
    var message = WireMessage()
    message.time = 1.5
    message.field = Vector3(300, -2, 3)
    message.fieldUnit = .microtesla
    for isSaturated in [false, true] {
      message.saturated = isSaturated
      var (bytes, encoder) = ([UInt8](), JSONLines())
      encoder.encode(message, into: &bytes)
      #expect(JSONLines.hear(bytes).messages == [message])
    }
  }
}
