import LodestoneCore
import Support
import Testing

@testable import Drivers

@Suite struct JSONLinesTests {
  /// Words before an object name the sensor of its axes: a label, or the topic that a broker's client prints.
  @Test(arguments: [("accel: ", "\nmag: "), ("imu/accel ", "\nimu/mag "), ("ACC ", " MAG ")])
  func wordsBeforeAnObjectNameItsSensor(force: String, field: String) {
    let line = force + #"{"x":0.25,"y":1.02,"z":9.75}"# + field + #"{"x":-12.9,"y":15.7,"z":-43.5}"# + "\n"
    let messages = JSONLines.hear(String(repeating: line, count: 6)).messages
    let wholes = messages.filter {
      $0.field == Vector3(-12.9, 15.7, -43.5) && $0.acceleration == Vector3(0.25, 1.02, 9.75)
    }
    #expect(wholes.count >= 5 && wholes.count == messages.count, "\(messages)")
  }

  /// A heading that may be in radians is none yet.
  @Test func headingsMayBeInRadians() {
    var decoder = JSONLines()
    let open = String(repeating: #"{"heading": 0.71}"# + "\n", count: 5)
    #expect(decoder.hear(Array(open.utf8)).messages.isEmpty && decoder.doubt == .headingUnit)
    #expect(JSONLines.hear(#"{"heading_deg": 0.71}"# + "\n").messages.first?.own?.magnetic?.degrees == 0.71)
  }

  /// A sensor within another object is not the one that is told beside that.
  @Test(arguments: [#"{"mag":M,"last":{"mag":N}}"#, #"{"last":{"mag":N},"mag":M}"#, #"{"now":{"mag":M}}"#])
  func aFormerFieldIsNone(form: String) {
    let line = form.replacing("M", with: #"{"x":-12.9,"y":15.7,"z":-43.5}"#)
      .replacing("N", with: #"{"x":1,"y":2,"z":3}"#)
    let messages = JSONLines.hear(String(repeating: line + "\n", count: 4)).messages
    #expect(messages.count == 4 && messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) }, "\(messages)")
  }

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

  /// Python prints tuples in round brackets.
  @Test func tuplesInADictionaryAreVectors() {
    let line = "{'accel': (0.02, 0.1, 0.99), 'mag': (-12.9, 15.7, -43.5)}\n"
    for chunk in [1, .max] {
      let messages = JSONLines.hear(String(repeating: line, count: 4), chunk: chunk).messages
      #expect(messages.count == 4 && messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
      #expect(messages.allSatisfy { $0.acceleration == Vector3(0.02, 0.1, 0.99) })
    }
  }

  /// A field without an accelerometer beside it would be taken for a level board's.
  @Test(arguments: [0, 1])
  func sensorsOnLinesOfTheirOwnAreOneMessage(first: Int) {
    let lines = (0..<5).flatMap { number in
      let both = [
        #"{"t_ms":\#(100 * number),"mag":[\#(number),2,3]}"#, #"{"t_ms":\#(100 * number),"acc":[0,\#(number),1]}"#,
      ]
      return first == 0 ? both : both.reversed()
    }
    for chunk in [1, 40, .max] {
      let messages = JSONLines.hear(lines.joined(separator: "\n") + "\n", chunk: chunk).messages
      #expect(messages.map { $0.field } == (0..<5).map { Vector3(Double($0), 2, 3) })
      #expect(messages.map { $0.acceleration } == (0..<5).map { Vector3(0, Double($0), 1) })
      #expect(messages.map { $0.time } == (0..<5).map { Double($0) / 10 })
    }
  }

  /// Each line of a sensor that has no other beside it is a message, and so is each line of all.
  @Test func linesThatAreWholeAreNotJoined() {
    let alone = [#"{"acc":[0,0,1]}"#, #"{"mag":[1,2,3]}"#, #"{"mag":[1,2,3],"acc":[0,0,1],"gyro":[4,5,6]}"#]
    for line in alone {
      let heard = JSONLines.hear([line, line, line, line].joined(separator: "\n") + "\n").messages
      #expect(heard.count == 4)
      #expect(Set(heard.map { $0.field }).count == 1 && Set(heard.map { $0.acceleration }).count == 1)
    }
    // Rates come more often than the rest.
    let rates = [#"{"gyro":[4,5,6]}"#, #"{"gyro":[4,5,6]}"#, #"{"gyro":[4,5,6]}"#, alone[2]]
    let heard = JSONLines.hear((rates + rates + rates).joined(separator: "\n") + "\n").messages
    #expect(heard.filter { $0.field != nil }.count == 3)
    #expect(heard.count == 12)
  }

  /// The word beside numbers names their sensor: axes of a gyroscope are no field.
  @Test func theSensorMayBeNamedBesideItsNumbers() {
    let lines = [
      #"{"sensor":"accelerometer","data":[0,0,1]}"#, #"{"type":"gyro","values":{"x":4,"y":5,"z":6}}"#,
      #"{"name":"Magnetometer","x":1,"y":2,"z":3}"#,
    ]
    let messages = JSONLines.hear((lines + lines + lines).joined(separator: "\n") + "\n").messages
    #expect(messages.count == 3)
    for message in messages {
      #expect(message.field == Vector3(1, 2, 3) && message.acceleration == Vector3(0, 0, 1))
      #expect(message.rotationRate == Vector3(4, 5, 6))
    }
    for line in [#"{"sensor":"humidity","data":[1,2,3]}"#, #"{"type":"gyro","other":[1,2,3]}"#] {
      #expect(JSONLines.hear(line + "\n" + line + "\n").messages.isEmpty)
    }
  }

  /// A message of a broker names the sensor by its topic; that of another board is left out.
  @Test(arguments: ["\"payload\":{\"x\":X,\"y\":15.7,\"z\":-43.5}", "\"payload\":[X,15.7,-43.5]"])
  func theTopicNamesTheSensor(payload: String) {
    let text = (0..<20).map {
      "{\"topic\":\"boat/mag\",\(payload.replacing("X", with: "-12.9")),\"_msgid\":\"a\($0)\"}\n"
        + "{\"topic\":\"shed/mag\",\(payload.replacing("X", with: "7.5")),\"_msgid\":\"b\($0)\"}\n"
    }
    let fields = JSONLines.hear(text.joined()).messages.map(\.field)
    #expect(fields.count == 20 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) }, "\(fields.prefix(3))")
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

  /// A heading is the board's own where no field has come; beside one the board has worked it out of that.
  @Test func aHeadingCountsWhereNoFieldComes() {
    let heading = "{\"heading\":\"129.5\"}\n", field = "{\"mx\":1,\"my\":2,\"mz\":3}\n"
    let alone = JSONLines.hear(heading + heading).messages
    #expect(alone.first?.own?.magnetic?.degrees == 129.5)
    let both = JSONLines.hear(field + heading + field + heading + field).messages
    #expect(!both.isEmpty && both.allSatisfy { $0.own == nil && $0.field == Vector3(1, 2, 3) }, "\(both)")
  }

  /// Of two sensors of a kind the first is read, on lines of their own or in one object, and the other is told.
  @Test(arguments: [
    (#"{"sensor":"lis3mdl",A}"#, #"{"sensor":"mmc5603",B}"#, "mmc5603"),
    (#"{"sensor":"mag1",A}"#, #"{"sensor":"mag2",B}"#, "mag2"),
    (#"{"LIS3MDL":{A}}"#, #"{"MMC5603":{B}}"#, "MMC5603"), (#"{"LIS3MDL":{A},"MMC5603":{B}}"#, "", "MMC5603"),
    (#"{"mag1":{A},"mag2":{B}}"#, "", "mag2"), (#"{"ADXL345":{B},"LIS3MDL":{A}}"#, "", nil),
  ])
  func twoSensorsAreNeverMixed(first: String, second: String, other: String?) {
    func object(_ text: String) -> String {
      text.replacing("A", with: #""x":-12.9,"y":15.7,"z":-43.5"#).replacing("B", with: #""x":0.1,"y":0.2,"z":9.8"#)
    }
    // Letters of names are none of the two.
    let (one, two) = (first.replacing("ADXL", with: "adxl"), second)
    var decoder = JSONLines()
    let text = String(repeating: object(one) + "\n" + (two.isEmpty ? "" : object(two) + "\n"), count: 6)
    let fields = decoder.hear(Array(text.utf8)).messages.compactMap { $0.field }
    #expect(
      fields.count >= 5 && fields.allSatisfy { $0 == Vector3(-12.9, 15.7, -43.5) }, "\(text.prefix(80)): \(fields)")
    #expect(decoder.otherCompass == other)
  }

  /// One number an object, with the name of its axis as text: of a broker's client, of SenML and of Home Assistant.
  @Test(
    arguments: [
      (#"{"topic":"board/mag/A","payload":V}"#, nil), (#"{"name":"mag_A","value":V,"unit":"uT"}"#, .microtesla),
      (#"{"n":"magnetometer/A","u":"uT","v":V}"#, .microtesla),
      (
        #"{"entity_id":"sensor.mag_A","state":"V","attributes":{"unit_of_measurement":"µT","friendly_name":"Mag"}}"#,
        .microtesla
      ),
    ] as [(String, FieldUnit?)]) func axesMayComeInObjectsOfTheirOwn(_ form: String, _ unit: FieldUnit?)
  {
    func object(_ axis: String, _ value: String) -> String {
      form.replacing("A\"", with: axis + "\"").replacing("V", with: value)
    }
    let objects = [object("x", "-12.9"), object("y", "15.7"), object("z", "-43.5")]
    for text in [objects.joined(separator: "\n") + "\n", "[" + objects.joined(separator: ",") + "]\n"] {
      let messages = JSONLines.hear(String(repeating: text, count: 5)).messages
      #expect(messages.count == 5, "\(text)")
      #expect(messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) && $0.fieldUnit == unit }, "\(text)")
    }
    // An axis that is lost takes its moment with it.
    let cut = objects + [objects[0], objects[2]] + objects
    #expect(JSONLines.hear(cut.joined(separator: "\n") + "\n").messages.count == 2)
  }
}
