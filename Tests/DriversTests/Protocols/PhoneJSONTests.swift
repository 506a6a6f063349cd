import LodestoneCore
import Testing

@testable import Drivers

/// JSON of apps for phones, and of programs that pass a board's compass on.
@Suite struct PhoneJSONTests {
  @Test func anEventOfSensorServerIsAField() {
    let lines = (0..<8).map { #"{"accuracy":2,"timestamp":39256575190\#($0)0000,"values":[-12.9,15.7,-43.5]}"# + "\n" }
    var decoder = JSONLines()
    let messages = decoder.hear(Array(lines.joined().utf8)).messages
    #expect(messages.count >= 6 && messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
    // No sensor is named: the length tells an accelerometer's.
    #expect(decoder.fieldNaming == .axes)
    for other in ["orientation", "rotation_vector"] {
      let line = #"{"accuracy":2,"timestamp":1,"values":[40.3,0.1,1.2],"type":"android.sensor.\#(other)"}"# + "\n"
      #expect(JSONLines.hear(String(repeating: line, count: 6)).messages.isEmpty)
    }
  }

  /// An attitude's vector is no rotation rate, in an object or in a table.
  @Test func aRotationVectorIsNoRate() {
    let field = #""magnetic_field":{"x":-12.9,"y":15.7,"z":-43.5}"#
    let object = "{\(field),\(#""rotation_vector":{"x":0.3,"y":0.1,"z":0.2}"#)}\n"
    let table =
      "t,magnetic_x,magnetic_y,magnetic_z,rotation_vector_x,rotation_vector_y,rotation_vector_z\n"
      + (0..<8).map { "0.\($0),-12.9,15.7,-43.5,0.3,0.1,0.2\n" }.joined()
    for messages in [JSONLines.hear(String(repeating: object, count: 8)).messages, CSV.hear(table).messages] {
      #expect(messages.count >= 6)
      #expect(messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) && $0.rotationRate == nil })
    }
  }

  /// Several sensors on one connection are named behind their values.
  @Test func eventsOfSensorServerAreNamedBehind() {
    let sensors = [
      ("accelerometer", "0.2,1.0,9.7"), ("gyroscope", "0.1,0.2,0.3"), ("magnetic_field", "-12.9,15.7,-43.5"),
    ]
    let lines = (0..<8).flatMap { step in
      sensors.map {
        #"{"values":[\#($0.1)],"timestamp":39256575190\#(step)0000,"accuracy":3,"type":"android.sensor.\#($0.0)"}"#
          + "\n"
      }
    }
    let messages = JSONLines.hear(lines.joined()).messages
    #expect(messages.count >= 6)
    for message in messages.dropFirst(2) {
      #expect(message.field == Vector3(-12.9, 15.7, -43.5) && message.acceleration == Vector3(0.2, 1, 9.7))
      #expect(message.rotationRate == Vector3(0.1, 0.2, 0.3))
    }
  }

  @Test(arguments: [("single", 7), ("full", 0)]) func answersOfPhyphoxAreRead(mode: String, count: Int) {
    let buffers = [("magX", "-12.9"), ("magY", "15.7"), ("magZ", "-43.5")].map {
      #""\#($0)":{"size":0,"updateMode":"\#(mode)","buffer":[\#($1)]}"#
    }
    let answer = #"{"buffer":{\#(buffers.joined(separator: ","))},"status":{"session":"a1","measuring":true}}"# + "\n"
    let messages = JSONLines.hear(String(repeating: answer, count: 9)).messages
    #expect(count == 0 ? messages.isEmpty : messages.count >= count)
    #expect(messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
  }

  @Test(arguments: [
    #"{"compass":{"heading":119.5},"gyro":{"x":-0.39,"y":-1.95,"z":-1.65}}"#,
    #"{"topic":"motion","payload":{"acceleration":{"x":0.1,"y":0.2,"z":0.97},"compass":119.5}}"#,
  ]) func aCompassMayHoldItsHeading(object: String) {
    let messages = JSONLines.hear(String(repeating: object + "\n", count: 6)).messages
    #expect(messages.count >= 4 && messages.allSatisfy { $0.own?.magnetic?.degrees == 119.5 })
  }

  /// A Movesense sensor has all moments since its last notification in one, with the time of the first.
  @Test func notificationsOfMovesenseAreRead() {
    func object(_ number: Int, _ count: Int) -> String {
      func axes(_ x: Double) -> String {
        let one = #"{"x":\#(x),"y":15.7,"z":-43.5}"#
        return "[" + repeatElement(one, count: count).joined(separator: ",") + "]"
      }
      let time = 12_395 + 80 * count * number
      return #"{"Body":{"Timestamp":\#(time),"ArrayAcc":\#(axes(0.2)),"ArrayGyro":\#(axes(1.5)),"#
        + #""ArrayMagn":\#(axes(-12.9))},"Uri":"174630000192/Meas/IMU9/13","Method":"POST"}"# + "\n"
    }
    for count in [1, 4] {
      let messages = JSONLines.hear((0..<10).map { object($0, count) }.joined()).messages
      #expect(messages.count == 9 * count + 1, "\(messages.count)")
      #expect(messages.allSatisfy { $0.microtesla == Vector3(-12.9, 15.7, -43.5) })
      #expect(messages.allSatisfy { $0.acceleration == Vector3(0.2, 15.7, -43.5) && $0.rotationRate?.x == 1.5 })
      let times = messages.compactMap { $0.time }.dropFirst()
      #expect(times.count == 9 * count && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.08) < 1e-9 })
    }
    // Arrays of other lengths do not belong together.
    let one = #"{"x":1,"y":2,"z":3}"#
    let odd = #"{"Body":{"Timestamp":1,"ArrayAcc":[\#(one),\#(one)],"ArrayMagn":[\#(one)]}}"#
    #expect(JSONLines.hear(String(repeating: odd + "\n", count: 6)).messages.isEmpty)
  }
}
