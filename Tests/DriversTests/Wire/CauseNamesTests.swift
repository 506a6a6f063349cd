import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Values beside the field, found by the names that a user gives them.
@Suite struct CauseNamesTests {
  private func values(_ decoder: any WireProtocol, _ bytes: [UInt8], _ names: String...) -> [[Double?]] {
    var decoder = decoder
    decoder.seek(CauseNames(names))
    return decoder.hear(bytes).messages.map { message in names.indices.map { message.causes[$0] } }
  }

  private static let table =
    "time_s,mx_uT,my_uT,mz_uT,current_A,note,throttle\n1,18,33,-42,2.5,7,40\n2,18,33,-42,3,8,50\n"

  @Test func aColumnIsFoundByItsName() {
    let table = Array(Self.table.utf8)
    #expect(values(CSV(), table, "throttle", "current_A") == [[40, 2.5], [50, 3]])
    #expect(values(CSV(), table, "Current") == [[2.5], [3]], "without its unit")
    #expect(values(CSV(), table, "rudder") == [[nil], [nil]])
    #expect(values(CSV(), table, "mx_uT") == [[nil], [nil]], "the field itself is no cause")
    #expect(CSV.hear(Self.table).messages.allSatisfy { $0.causes.isEmpty }, "nobody asked")
  }

  /// A row without the value, or with a word in its place, is a row all the same.
  @Test func aHoleIsNoValue() {
    let table = "mx_uT,my_uT,mz_uT,current_A\n1,2,3,\n1,2,3,off\n1,2,3,4\n"
    #expect(values(CSV(), Array(table.utf8), "current_A") == [[nil], [nil], [4]])
  }

  @Test func columnsThatTheUserNamesAreFound() throws {
    let decoder = try #require(CSV(columns: "mx,my,mz,amps"))
    #expect(values(decoder, Array("1,2,3,4\n5,6,7,8\n".utf8), "amps") == [[4], [8]])
  }

  /// A second temperature is no chip's, and a header that comes again changes nothing.
  @Test func aTemperatureMayBeACause() {
    let table = "mx_uT,my_uT,mz_uT,motor_temp_C\n1,2,3,60\nmx_uT,my_uT,mz_uT,motor_temp_C\n1,2,3,61\n"
    #expect(values(CSV(), Array(table.utf8), "motor_temp_C") == [[60], [61]])
  }

  @Test func aKeyIsFoundByItsName() {
    let lines = """
      {"mx":1,"my":2,"mz":3,"current_A":4.5,"motor":{"rpm":1200}}
      {"mx":1,"my":2,"mz":3,"current_A":null}

      """
    #expect(values(JSONLines(), Array(lines.utf8), "current_A", "motor_rpm") == [[4.5, 1200], [nil, nil]])
  }

  /// A line of its own belongs to the next field.
  @Test func valuesMayComeInLinesOfTheirOwn() {
    let lines = "{\"battery\":{\"current_A\":4.5}}\n" + String(repeating: "{\"mx\":1,\"my\":2,\"mz\":3}\n", count: 2)
    #expect(values(JSONLines(), Array(lines.utf8), "battery_current_A") == [[4.5], [nil]])
  }

  /// Frames written by pymavlink 2.4.50: 12.34 A, the throttle at 62 %, a second battery, a current that is not
  /// measured.
  @Test func anAutopilotTellsCurrentAndThrottle() {
    let status =
      "FD 1F 00 00 00 01 01 01 00 00 FF FF 01 00 FF FF 01 00 FF FF 01 00 FA 00 70 30 D2 04 00 00 00 00 00 00 "
      + "00 00 00 00 00 00 57 E9 7B"
    let battery =
      "FD 24 00 00 00 01 01 93 00 00 FF FF FF FF FF FF FF FF 66 08 04 10 04 10 04 10 FF FF FF FF FF FF FF FF "
      + "FF FF FF FF FF FF 29 09 00 00 01 50 DF 14"
    let second =
      "FD 24 00 00 00 01 01 93 00 00 FF FF FF FF FF FF FF FF 66 08 04 10 04 10 04 10 FF FF FF FF FF FF FF FF "
      + "FF FF FF FF FF FF E7 03 01 00 01 50 AF F1"
    let throttle = "FD 13 00 00 00 01 01 4A 00 00 00 00 40 40 00 00 80 40 00 00 C8 42 00 00 00 3F 0F 01 3E BF 03"
    let unknown =
      "FD 1F 00 00 00 01 01 01 00 00 FF FF 01 00 FF FF 01 00 FF FF 01 00 FA 00 70 30 FF FF 00 00 00 00 00 00 "
      + "00 00 00 00 00 00 57 A8 04"
    let field = "FD 16 00 00 00 01 01 1A 00 00 DC 05 00 00 0C 00 DE FF 1A FC 05 00 FA FF BC 02 D3 00 D0 FF B1 01 C2 55"
    func heard(_ frames: String...) -> [[Double?]] {
      let bytes = frames.flatMap { $0.split(separator: " ").compactMap { UInt8($0, radix: 16) } }
      var decoder = MAVLink()
      decoder.seek(CauseNames(["throttle", "current_A"]))
      return decoder.hear(bytes).messages.filter { $0.field != nil }.map { [$0.causes[0], $0.causes[1]] }
    }
    #expect(heard(status, throttle, field, field) == [[62, Double(12.34 as Float)], [nil, nil]])
    #expect(heard(battery, second, field) == [[nil, Double(23.45 as Float)]])
    #expect(heard(unknown, field) == [[nil, nil]])
  }

  // MARK: Devices that tell no field

  private func lines(_ text: String, _ names: String...) -> [[Double?]] {
    var decoder = ValueLines()
    decoder.seek(CauseNames(names))
    return decoder.hear(Array(text.utf8)).messages.map { message in
      [message.time] + names.indices.map { message.causes[$0] }
    }
  }

  @Test func valuesAreReadAsPeoplePrintThem() {
    #expect(lines("time_ms,volts,current_A\n1000,12,2.5\n1500,12,-3\n", "current") == [[1, 2.5], [1.5, -3]])
    #expect(lines("time_s;amps\n1,5;2,25\n2,0;oops\n", "amps") == [[1.5, 2.25]])
    #expect(lines("{\"t\":2,\"battery\":{\"current\":4.5}}\n{\"current\":null}\n", "battery_current") == [[2, 4.5]])
    let hub = "{\"Time\":\"1970-01-02T00:00:03\",\"ENERGY\":{\"Current\":\"0.5\"},\"Note\":\"3 A\"}\n"
    #expect(lines(hub, "energy_current", "note") == [[86_403, 0.5, nil]])
    #expect(lines("Bus Voltage:   12.06 V\nCurrent:       -153.5 mA\n", "current") == [[nil, -153.5]])
    #expect(lines("throttle=40, amps=2.5 rudder: -3\n", "rudder", "throttle") == [[nil, -3, 40]])
    #expect(lines("12.5\n13 A\n+1.5e1 A\n", "amps") == [[nil, 12.5], [nil, 13], [nil, 15]])
    #expect(lines("time_s,amps\n1,1e308\n2,3\n", "amps") == [[2, 3]], "no sensor measures as much")
    #expect(lines("12.5\n", "amps", "throttle").isEmpty, "which of the two is open")
  }

  @Test func rowsWithoutNamesAreNotGuessed() {
    var decoder = ValueLines()
    decoder.seek(CauseNames(["amps"]))
    #expect(decoder.hear(Array("1,2.5\n".utf8)).messages.isEmpty)
    guard case .unreadable? = decoder.fault else {
      Issue.record("\(String(describing: decoder.fault))")
      return
    }
    var named = ValueLines(columns: "time_s,amps")
    named.seek(CauseNames(["amps"]))
    #expect(named.hear(Array("1,2.5\n".utf8)).messages.map { $0.causes[0] } == [2.5])
  }

  /// A temperature stays where samples have it, whoever asks for it.
  @Test func theTemperatureStaysInItsPlace() {
    var decoder = CSV()
    decoder.seek(CauseNames(["temperature"]))
    let messages = decoder.hear(Array("mx_uT,my_uT,mz_uT,temperature_C\n1,2,3,60\n".utf8)).messages
    #expect(messages.map { $0.temperature } == [60] && messages.allSatisfy { $0.causes.isEmpty })
  }
}
