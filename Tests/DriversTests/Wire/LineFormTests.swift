import LodestoneCore
import Testing

@testable import Drivers

/// Lines that print the same text again and again are read in one pass. What they say must not depend on which way they
/// were read: fed byte by byte, every line goes the long way, for nothing follows it yet.
@Suite struct LineFormTests {
  /// Enough text behind a line for the short way.
  private static let padding = String(repeating: "# nothing to read in this line\r\n", count: 20)

  private func expectAlike<Decoder: WireProtocol>(
    _ decoder: Decoder.Type, _ lines: [String], _ fields: [Vector3?], _ comment: Comment? = nil
  ) {
    for end in ["\n", "\r\n", "\r"] {
      let text = lines.joined(separator: end) + end
      let atOnce = Decoder.hear(text + Self.padding), byByte = Decoder.hear(text + Self.padding, chunk: 1)
      #expect(atOnce == byByte, comment)
      #expect(atOnce.messages.map { $0.field } == fields, comment)
    }
  }

  /// `count` lines with the numbers n, 2n and −n/4.
  private func lines(_ count: Int, _ line: (String, String, String) -> String) -> [String] {
    (1...count).map { line("\($0)", "\(2 * $0).00", "\(-Double($0) / 4)") }
  }

  private func fields(_ count: Int) -> [Vector3] {
    (1...count).map { Vector3(Double($0), Double(2 * $0), -Double($0) / 4) }
  }

  @Test func labelsOfOneFormAreReadAsTheyStand() {
    expectAlike(LabelledLines.self, lines(40) { "mx:\($0),my:\($1),mz:\($2)" }, fields(40))
    expectAlike(LabelledLines.self, lines(40) { "X: \($0)  Y: \($1)  Z: \($2)  uT" }, fields(40))
    expectAlike(LabelledLines.self, lines(40) { "mx:\($0),my:\($1),mz:\($2),temp:21.5" }, fields(40))
  }

  /// Rows of bare numbers in brackets, between bars and with units, under names.
  @Test func rowsOfOneFormAreReadAsTheyStand() {
    let names = ["mx,my,mz"]
    for row in [
      lines(40) { "(\($0), \($1), \($2))" }, lines(40) { "[\($0),\($1),\($2)]," },
      lines(40) { "\($0) | \($1) | \($2)" },
      lines(40) { "| \($0) | \($1) | \($2) |" }, lines(40) { "\($0) uT, \($1) uT, \($2) uT" },
      lines(40) { "\($0)mG \($1)mG \($2)mG" }, lines(40) { "\($0) \($1) \($2) [uT]" },
    ] {
      expectAlike(CSV.self, names + row, fields(40), "\(row[0])")
    }
    let groups = lines(40) { "0.0,0.1,1.0 | \($0),\($1),\($2) | 24.5" }
    expectAlike(CSV.self, ["ax,ay,az | mx,my,mz | temperature"] + groups, fields(40))
    let padded = lines(40) { "[ \($0)   \($1)  \($2)]" }.enumerated().map {
      $0.offset % 2 == 0 ? $0.element : "  " + $0.element
    }
    expectAlike(CSV.self, names + padded, fields(40))
    let commas = lines(40) { "\($0) | \($1) | \($2)".replacing(".", with: ",") }
    expectAlike(CSV.self, names + commas, fields(40))
  }

  /// The same text means what was named before it: the axes of a sensor, in its unit.
  @Test func aFormMeansWhatHoldsBeforeIt() {
    var text: [String] = []
    for axes in lines(30, { "X: \($0) Y: \($1) Z: \($2)" }) {
      text += ["Accelerometer:", axes, "Magnetometer (uT):", axes]
    }
    expectAlike(LabelledLines.self, text, fields(30))
    let heard = LabelledLines.hear(text.joined(separator: "\n") + "\n" + Self.padding)
    #expect(heard.messages.map { $0.acceleration } == fields(30))
    var unevenly: [String] = []
    var expected: [Double] = []
    for (index, axes) in lines(60, { "X: \($0) Y: \($1) Z: \($2)" }).enumerated() {
      // Five lines a sensor: the name holds for all of them.
      let isField = index / 5 % 2 == 0
      if index % 5 == 0 { unevenly.append(isField ? "Magnetometer (uT):" : "Accelerometer:") }
      unevenly.append(axes)
      if isField { expected.append(Double(index + 1)) }
    }
    let uneven = unevenly.joined(separator: "\n") + "\n" + Self.padding
    let atOnce = LabelledLines.hear(uneven)
    #expect(atOnce == LabelledLines.hear(uneven, chunk: 1))
    #expect(atOnce.messages.compactMap { $0.field?.x } == expected)
  }

  /// Numbers that are not short, commas for points, missing axes and other units amid lines of one form.
  @Test func whatIsOddIsReadTheLongWay() {
    var text = lines(20) { "mx:\($0),my:\($1),mz:\($2)" }
    var expected = fields(20).map { Optional($0) }
    let odd: [(String, Vector3?)] = [
      ("mx:1e1,my:2,mz:3", Vector3(10, 2, 3)), ("mx:1.123456789,my:2,mz:3", Vector3(1.123456789, 2, 3)),
      ("mx:+1,my:2,mz:3", Vector3(1, 2, 3)), ("mx: 1,my: 2,mz: 3", Vector3(1, 2, 3)),
      ("mx:1,my:2,mz:3,5", Vector3(1, 2, 3.5)), ("mx:.5,my:-.5,mz:5.", Vector3(0.5, -0.5, 5)),
    ]
    for (index, (line, field)) in odd.enumerated() {
      text.insert(line, at: 3 * index + 2)
      expected.insert(field, at: 3 * index + 2)
    }
    expectAlike(LabelledLines.self, text, expected)
  }

  @Test func aTimeIsToldInItsUnit() {
    let times = (0..<30).map { (number: Int) -> Double? in Double(10 * number) * 1e-3 }
    let text = (0..<30).map { (number: Int) -> String in "t_ms:\(10 * number),mx:\(number),my:2,mz:3" }
    let heard = LabelledLines.hear(text.joined(separator: "\r\n") + "\r\n" + Self.padding)
    #expect(heard.messages.map { $0.time } == times)
    let json = (0..<30).map { (number: Int) -> String in #"{"t_ms":\#(10 * number),"mx":\#(number),"my":2,"mz":3}"# }
    let objects = JSONLines.hear(json.joined(separator: "\n") + "\n" + Self.padding)
    #expect(objects.messages.map { $0.time } == times)
  }

  @Test func objectsOfOneFormAreReadAsTheyStand() {
    expectAlike(JSONLines.self, lines(40) { #"{"mx":\#($0),"my":\#($1),"mz":\#($2)}"# }, fields(40))
    expectAlike(JSONLines.self, lines(40) { #"{"mag": {"x": \#($0), "y": \#($1), "z": \#($2)}}"# }, fields(40))
    expectAlike(JSONLines.self, lines(40) { #"{"name":"a","mag":[\#($0),\#($1),\#($2)],"n":null}"# }, fields(40))
  }

  /// An axis in another unit is brought to that of the first.
  @Test func whatIsNotKeptAsItStandsIsReadTheLongWay() {
    let text = lines(20) { #"{"mx_uT":\#($0),"my_nT":\#($1),"mz_nT":\#($2)}"# }
    expectAlike(JSONLines.self, text, fields(20).map { Vector3($0.x, $0.y * 1e-3, $0.z * 1e-3) })
    var marked = lines(20) { #"{"mx":\#($0),"my":\#($1),"mz":\#($2)}"# }
    marked[9] = #"{"mx":10,"my":20.00,"mz":-2.5,"flags":["saturated"]}"#
    expectAlike(JSONLines.self, marked, fields(20))
    let heard = JSONLines.hear(marked.joined(separator: "\n") + "\n" + Self.padding)
    #expect(heard.messages.indices.filter { heard.messages[$0].saturated } == [9])
  }
}
