import LodestoneCore
import Testing

@testable import Drivers

/// Objects of JSON however they stand: a line is only one way to print them.
@Suite struct ObjectFramerTests {
  private static let count = 30

  /// A sample of the number, its axes in an object of their own where it is nested.
  private static func object(_ number: Int, isNested: Bool = false, blank: String = "") -> String {
    isNested
      ? "{\"t_ms\":\(number * 20),\(blank)\"mag\":{\(blank)\"x\":\(number),\(blank)\"y\":-2.5,\(blank)\"z\":3}\(blank)}"
      : "{\(blank)\"t_ms\":\(number * 20),\(blank)\"mx\":\(number),\(blank)\"my\":-2.5,\(blank)\"mz\":3\(blank)}"
  }

  private static let all = (0..<count).map { object($0) }
  private static let indented = (0..<count).map { object($0, isNested: $0 % 2 == 0, blank: "\r\n    ") }
  private static let list: String = "[" + all.joined(separator: ", ") + "]"

  /// Arrays of seven objects, each between two texts, on lines of their own.
  private static func batches(_ objects: [String], _ before: String = "", _ after: String = "") -> String {
    let starts = Array(stride(from: 0, to: count, by: 7))
    let arrays: [String] = starts.map { "[" + objects[$0..<min($0 + 7, count)].joined(separator: ", ") + "]" }
    return arrays.map { before + $0 + after }.joined(separator: "\n")
  }

  private static let layouts: [String] = [
    all.joined(separator: "\n"),
    all.joined(separator: "\r\n") + "\r\n",
    all.joined(),
    all.joined(separator: ",\n"),
    list,
    "[\n" + all.joined(separator: ",\n") + "\n]\n",
    "[\n  " + indented.joined(separator: ",\n  ") + "\n]",
    indented.joined(separator: "\n"),
    batches(all),
    batches(all, "{\"device\":\"a\",\"n\":3,\"samples\":", "}"),
    batches(indented, "{\n  \"device\": \"a\",\n  \"samples\": ", ",\n  \"rssi\": -70,\n  \"b\": {\"c\": [1]}\n}"),
    "{\"device\":\"a\",\"data\":{\"kind\":\"raw\",\"samples\":" + list + "},\"end\":true}",
    batches(all, "boat/compass "),
    "{\"updates\":[{\"source\":\"a\",\"values\":" + list + "}],\"context\":\"b\"}",
  ]

  @Test(arguments: 0..<14)
  func objectsAreReadHoweverTheyStand(layout: Int) {
    let fields = (0..<Self.count).map { Vector3(Double($0), -2.5, 3) }
    let times: [Double] = (0..<Self.count).map { Double($0) * 20 / 1000 }
    for chunk in [1, 37, .max] {
      let heard = JSONLines.hear(Self.layouts[layout], chunk: chunk)
      #expect(heard.messages.map { $0.field } == fields, "\(chunk)")
      #expect(heard.messages.map { $0.time } == times, "\(chunk)")
      #expect(heard.rejections.isEmpty, "\(heard.rejections)")
      #expect(heard.longestRest <= 4096)
    }
  }

  /// A line that was cut off costs itself and at most the next, wherever the cut is.
  @Test func aBrokenObjectIsOver() {
    let whole = Self.object(1)
    for length in 1..<whole.count {
      for next in [whole, Self.object(1, blank: "\n  ")] {
        let text = String(whole.prefix(length)) + "\n" + String(repeating: next + "\n", count: 5)
        let heard = JSONLines.hear(text).messages
        #expect(heard.count >= 4 && heard.allSatisfy { $0.field == Vector3(1, -2.5, 3) }, "\(length)")
      }
    }
  }

  /// An object that has a field of its own is a sample, whatever stands in its arrays.
  @Test func objectsBesideAFieldAreNone() {
    let line = "{\"mx\":1,\"my\":2,\"mz\":3,\"seen\":[{\"mx\":7,\"my\":8,\"mz\":9},{\"mx\":0}],\"temp\":20}\n"
    let messages = JSONLines.hear(line + line + line).messages
    #expect(messages.map { $0.field } == [Vector3](repeating: Vector3(1, 2, 3), count: 3))
    #expect(messages.allSatisfy { $0.temperature == 20 })
  }

  /// All accelerations before all fields: none would have the other's beside it.
  @Test func arraysOfOneSensorEachAreRefused() {
    for separator in [",", ",\n"] {
      for count in [3, 300] {
        let axes = [String](repeating: "{\"x\":1,\"y\":2,\"z\":3}", count: count).joined(separator: separator)
        let text = "{\"accelerometer\":[\(axes)],\"magnetometer\":[\(axes)]}\n"
        #expect(JSONLines.hear(text).messages.isEmpty)
      }
    }
  }

  @Test(
    arguments: [
      "[1,2,3]", "[[1,2,3],[4,5,6]]", "{1, 2, 3}", "[{\"mx\":1]", "{\"a\":[{\"b\":}]}", "]]]", "{{{{", "[{,,}]",
    ])
  func anythingElseIsNoMessage(text: String) {
    for chunk in [1, .max] {
      let heard = JSONLines.hear(text + "\n" + Self.all.joined(separator: "\n") + "\n", chunk: chunk)
      #expect(heard.messages.count >= Self.count - 1, "\(text)")
      #expect(heard.messages.allSatisfy { $0.field?.y == -2.5 })
    }
  }

  /// A line past the limit is told, and costs nothing that follows it.
  @Test func aLongLineIsRejected() {
    let text = String(repeating: "x", count: 5000) + "\n" + Self.all.joined(separator: "\n") + "\n"
    for chunk in [100, .max] {
      let heard = JSONLines.hear(text, chunk: chunk)
      #expect(heard.rejections == [.tooLong] && heard.messages.count == Self.count)
    }
  }
}
