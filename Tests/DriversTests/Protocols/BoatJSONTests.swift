import LodestoneCore
import Testing

@testable import Drivers

/// JSON of boats: canboat's analyzer, canboatjs and Signal K.
@Suite struct BoatJSONTests {
  private static func heading(_ number: String, reference: String = "\"Magnetic\"") -> String {
    #"{"timestamp":"2026-09-27T17:33:21.107Z","prio":2,"src":36,"dst":255,"pgn":127250,"description":"Vessel Heading","#
      + #""fields":{"SID":116,"Heading":"# + number + #","Deviation":0.0,"Reference":"# + reference + "}}\n"
  }

  private static func headings(_ text: String) -> [Double] {
    CanboatJSON.hear(text).messages.compactMap { $0.own?.magnetic?.degrees }
  }

  /// The analyzer's first line says degrees or radians; 0.7034 rad are 40.3019°.
  @Test func theFirstLineTellsTheUnit() throws {
    func first(_ units: String) -> String {
      "{\"version\":\"6.1.0\",\"units\":\"\(units)\",\"showLookupValues\":false}\n"
    }
    #expect(abs(try #require(Self.headings(first("std") + Self.heading("3.1")).first) - 3.1) < 0.003)
    #expect(abs(try #require(Self.headings(first("si") + Self.heading("0.7034")).first) - 40.3019) < 0.003)
  }

  /// Without that line: 10.1 is no angle in radians, 0.7034 none in tenths of degrees; 3.1 may be either until it is
  /// 3.2.
  @Test func headingsTellTheUnit() throws {
    #expect(abs(try #require(Self.headings(Self.heading("\"10.1\"")).first) - 10.1) < 0.003)
    #expect(abs(try #require(Self.headings(Self.heading("0.7034")).first) - 40.3019) < 0.003)
    let low = Self.headings(Self.heading("3.1") + Self.heading("3.1") + Self.heading("3.2"))
    #expect(low.count == 1 && abs(low[0] - 3.2) < 0.003)
    // Degrees finer than the analyzer's: the first look like radians, until one cannot be.
    let fine = Self.headings(Self.heading("40.1234") + Self.heading("3.1234"))
    #expect(fine.count == 2 && abs(fine[1] - 3.1234) < 0.003)
    let corrected = Self.headings(Self.heading("3.1234") + Self.heading("40.1234") + Self.heading("3.1234"))
    #expect(corrected.last?.rounded() == 3)
  }

  /// With `-nv` a name stands beside its number; true north, and headings that are none.
  @Test func theReferenceIsRead() throws {
    #expect(Self.headings(Self.heading("40.3", reference: #"{"value":1,"name":"Magnetic"}"#)).count == 1)
    let north = CanboatJSON.hear(Self.heading("40.3", reference: "\"True\"")).messages
    #expect(try abs(#require(north.first?.own?.trueNorth?.degrees) - 40.3) < 0.003 && north[0].own?.magnetic == nil)
    for reference in ["\"Error\"", "null"] {
      #expect(Self.headings(Self.heading("40.3", reference: reference)).isEmpty)
    }
    for number in ["null", "\"\"", "1e9", "-40.3", "[40.3]"] { #expect(Self.headings(Self.heading(number)).isEmpty) }
  }

  /// Attitude and turn of a sender belong to its next heading, as in other spellings; a place is in degrees in all
  /// units.
  @Test func attitudeTurnAndPlaceAreRead() throws {
    func line(_ group: Int, _ fields: String) -> String {
      "{\"timestamp\":\"2026-09-27-17:33:21.107\",\"prio\":2,\"src\":36,\"dst\":255,\"pgn\":\(group),\"fields\":{\(fields)}}\n"
    }
    let heard = CanboatJSON.hear(
      Self.heading("280.1") + line(127_251, #""Rate":-0.10792"#)
        + line(127_257, #""Yaw":-80.5,"Pitch":2.5,"Roll":-4.8"#) + line(127_258, #""SID":1,"Variation":4.1"#)
        + line(129_025, #""Latitude":48.2081743,"Longitude":16.3738189"#) + line(130_306, #""Wind Angle":353.4"#)
        + Self.heading("281.0"))
    #expect(heard.messages.count == 3 && heard.otherCount == 4 && heard.rejections.isEmpty)
    let own = try #require(heard.messages.last?.own)
    #expect(try abs(#require(own.pitch) - 2.5) < 0.003 && abs(#require(own.roll) + 4.8) < 0.003)
    #expect(abs(try #require(own.rateOfTurn) + 0.10792) < 1e-5)
    #expect(abs(try #require(own.trueNorth?.degrees) - 285.1) < 0.006)
    let place = try #require(heard.messages[1].position?.position.coordinate)
    #expect(abs(place.latitude - 48.2081743) < 1e-7 && abs(place.longitude - 16.3738189) < 1e-7)
  }

  // MARK: Signal K

  private static func delta(_ values: String, source: String = "can1.204") -> String {
    #"{"context":"vessels.self","updates":[{"source":{"label":"n2k","type":"NMEA2000","pgn":127250,"src":"204"},"#
      + #""timestamp":"2026-09-27T17:33:21.107Z","values":["# + values + #"],"$source":""# + source + "\"}]}\n"
  }

  private static func value(_ path: String, _ value: String) -> String {
    "{\"path\":\"navigation.\(path)\",\"value\":\(value)}"
  }

  /// 1.568 rad are 89.8398°, 0.1 rad 5.7296°: variation, attitude and turn before a heading belong to it.
  @Test func aDeltaIsRead() throws {
    let heard = SignalK.hear(
      Self.delta(Self.value("magneticVariation", "0.1") + "," + Self.value("rateOfTurn", "-0.1"))
        + Self.delta(Self.value("attitude", #"{"roll":-0.05,"pitch":0.03,"yaw":1.2}"#))
        + Self.delta(Self.value("headingMagnetic", "1.568")))
    let own = try #require(heard.messages.first?.own)
    #expect(heard.messages.count == 1 && heard.otherCount == 2)
    #expect(abs(try #require(own.magnetic?.degrees) - 89.8398) < 0.0001)
    #expect(abs(try #require(own.trueNorth?.degrees) - 95.5693) < 0.0002)
    #expect(try abs(#require(own.roll) + 2.8648) < 0.0001 && abs(#require(own.pitch) - 1.7189) < 0.0001)
    #expect(abs(try #require(own.rateOfTurn) + 5.7296) < 0.0001)
    #expect(try #require(heard.messages.first?.time) == 1_790_530_401.107)
  }

  /// A number before its path, an attitude axis by axis, a compass's own heading with its deviation, over several
  /// lines.
  @Test func otherFormsOfADeltaAreRead() throws {
    let forms =
      #"{"value":1.568,"path":"navigation.headingMagnetic"}"# + "," + Self.value("attitude.roll", "0.1") + ","
      + Self.value("attitude.pitch", "0.1")
    #expect(SignalK.hear(Self.delta(forms)).messages.first?.own?.magnetic?.degrees.rounded() == 90)
    #expect(SignalK.hear(Self.delta(forms)).messages.first?.own?.pitch?.rounded() == 6)
    let compass = Self.value("headingCompass", "1.568") + "," + Self.value("magneticDeviation", "-0.1")
    let pretty = Self.delta(compass).replacing(",", with: ",\n  ")
    #expect(abs(try #require(SignalK.hear(pretty).messages.first?.own?.magnetic?.degrees) - 84.1102) < 0.0002)
    let place = Self.value("position", #"{"longitude":16.37,"latitude":48.21,"altitude":0}"#)
    #expect(SignalK.hear(Self.delta(place)).messages.first?.position?.position.coordinate?.latitude == 48.21)
  }

  /// A deviation that comes apart from its compass's heading belongs to the headings behind it, until it is null; that
  /// of another source never does.
  @Test func aDeviationApartIsKept() {
    let heading = Self.delta(Self.value("headingCompass", "1.568"))
    let text =
      heading + Self.delta(Self.value("magneticDeviation", "-0.1")) + heading
      + Self.delta(Self.value("magneticDeviation", "0.2"), source: "pilot") + heading
      + Self.delta(Self.value("magneticDeviation", "null")) + heading
    let degrees = SignalK.hear(text).messages.compactMap { $0.own?.magnetic?.degrees }
    let expected = [89.8398, 84.1102, 84.1102, 89.8398]
    #expect(degrees.count == 4 && zip(degrees, expected).allSatisfy { abs($0 - $1) < 0.0002 }, "\(degrees)")
  }

  /// Degrees by mistake, nothing known, a subscription, what a server says of itself, units: no heading.
  @Test(arguments: [
    delta(value("headingMagnetic", "40.3")), delta(value("headingMagnetic", "null")),
    delta(value("courseOverGroundTrue", "1.2")),
    #"{"context":"vessels.self","subscribe":[{"path":"navigation.headingMagnetic","period":1}]}"# + "\n",
    #"{"name":"signalk-server","version":"2.0.0","self":"vessels.self","roles":["master"]}"# + "\n",
    #"{"updates":[{"meta":[{"path":"navigation.headingMagnetic","value":{"units":"rad","timeout":1}}]}]}"# + "\n",
  ])
  func whatIsNoHeadingIsNone(line: String) { #expect(SignalK.hear(line).messages.isEmpty) }

  /// A path whose value is null is not known any more.
  @Test func nullTakesAValueBack() throws {
    let own = SignalK.hear(
      Self.delta(Self.value("attitude", #"{"roll":-0.05,"pitch":0.03}"#) + "," + Self.value("rateOfTurn", "0.1"))
        + Self.delta(Self.value("attitude", "null") + "," + Self.value("rateOfTurn", "null"))
        + Self.delta(Self.value("headingMagnetic", "1.568"))
    ).messages.compactMap { $0.own }
    let last = try #require(own.last)
    #expect(own.count == 1 && last.pitch == nil && last.roll == nil && last.rateOfTurn == nil)
  }

  /// A boat's compass and its autopilot's never mix.
  @Test func twoSourcesAreKeptApart() {
    let both =
      Self.delta(Self.value("headingMagnetic", "1.568"))
      + Self.delta(Self.value("headingMagnetic", "4.6"), source: "pilot")
    var decoder = SignalK()
    let headings = decoder.hear(Array(String(repeating: both, count: 40).utf8)).messages.compactMap {
      $0.own?.magnetic?.degrees
    }
    #expect(headings.count == 40 && headings.allSatisfy { abs($0 - 89.84) < 0.01 })
    #expect(decoder.otherCompass?.contains("pilot") == true)
  }

  /// Another vessel's heading and place, which AIS hears, are not the boat's own, whoever comes first; nor is its turn.
  @Test func otherVesselsAreLeftOut() {
    func line(_ context: String, _ values: String) -> String {
      Self.delta(values, source: "ais").replacing("vessels.self", with: "vessels." + context)
    }
    let place = Self.value("position", #"{"longitude":1,"latitude":2}"#)
    let other = line("urn:mrn:imo:mmsi:1", Self.value("headingTrue", "3") + "," + place)
    #expect(SignalK.hear(other + other).messages.isEmpty)
    let mixed = SignalK.hear(
      other + line("urn:mrn:imo:mmsi:2", Self.value("headingMagnetic", "1.568")) + other
        + line("urn:mrn:imo:mmsi:2", place))
    #expect(mixed.messages.map { $0.own?.magnetic?.degrees.rounded() } == [90, nil])
    #expect(mixed.messages.last?.position != nil)
    for name in ["vessels.urn:mrn:imo:mmsi:1", "urn:mrn:imo:mmsi:1"] {
      let first = "{\"name\":\"signalk-server\",\"self\":\"\(name)\",\"roles\":[\"master\"]}\n"
      #expect(SignalK.hear(first + other).messages.first?.own?.trueNorth?.degrees.rounded() == 172)
    }
  }

  /// A source's name comes from a peer, and is shown.
  @Test func theNameOfASourceIsHarmless() {
    var decoder = SignalK()
    let value = Self.value("headingMagnetic", "1.568"), name = "\u{1b}]0;x" + String(repeating: "y", count: 400)
    _ = decoder.hear(Array((Self.delta(value) + Self.delta(value, source: name)).utf8))
    #expect(decoder.otherCompass?.hasPrefix("the source \\x1b]0;x") == true && (decoder.otherCompass?.count ?? 0) < 100)
  }

  /// Logs of a Signal K server: a stamp, the kind of what came, and that as it was.
  @Test func logsOfAServerAreRead() {
    let delta = Self.delta(Self.value("headingMagnetic", "1.568"))
    #expect(SignalK.hear(String(repeating: "1714557600000;I;" + delta, count: 3)).messages.count == 3)
    #expect(Self.headings("1714557600000;P;" + Self.heading("280.1")).count == 1)
    let sentences = NMEA0183.hear("1714557600000;N;$HCHDG,0.0,,,4.1,E*2C\r\n")
    #expect(sentences.messages.first?.own?.magnetic?.degrees == 0)
  }

  // MARK: Sensors with values

  /// termux-sensor on a phone: the sensor's name, its values in an object of their own, over lines.
  @Test func valuesInAnObjectOfTheSensorAreItsAxes() throws {
    let text = """
      {
        "lsm6dso Accelerometer": {
          "values": [
            0.25,
            1.02,
            9.75
          ]
        },
        "AK09918 Magnetometer": {
          "values": [
            -14.15,
            10.95,
            -44.52
          ]
        }
      }

      """
    let message = try #require(JSONLines.hear(text + text).messages.first)
    #expect(message.field == Vector3(-14.15, 10.95, -44.52) && message.acceleration == Vector3(0.25, 1.02, 9.75))
    let nested = #"{"payload":{"sensor":"mag","values":{"x":1,"y":2,"z":3}}}"# + "\n"
    #expect(JSONLines.hear(nested).messages.first?.field == Vector3(1, 2, 3))
  }
}
