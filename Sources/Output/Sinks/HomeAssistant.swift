import LodestoneCore

/// The discovery of a device by Home Assistant: its columns as sensors and its events as triggers, in one message (MQTT
/// discovery, device based).
enum HomeAssistant {
  /// The message for a stream of JSON records whose state stands at a topic.
  static func device(_ stream: SinkStream, topic: String) -> JSONValue {
    let units = stream.facts.units
    let columns = stream.schema.columns.dropFirst().filter { $0.reach == .all }
    let sensors = columns.map { JSONValue.Member(key: $0.name, value: component($0, topic, units)) }
    let triggers = stream.events.map { JSONValue.Member(key: "event_" + $0.identifier, value: trigger($0, topic)) }
    return .members(
      (
        "dev",
        .members(
          ("ids", .array([.string("lodestone_" + topic)])), ("name", .string("Lodestone \(stream.facts.device)")))
      ),
      ("o", .members(("name", .string("lodestone")))),
      ("state_topic", .string(topic)), ("availability_topic", .string(topic + "/status")),
      ("cmps", .object(sensors + triggers)))
  }

  /// A device trigger: something that an automation begins with.
  private static func trigger(_ event: String, _ topic: String) -> JSONValue {
    .members(
      ("p", .string("device_automation")), ("automation_type", .string("trigger")), ("type", .string("event")),
      ("subtype", .string(event)), ("topic", .string(topic + "/event")), ("payload", .string(event)))
  }

  private static func component(_ column: Column, _ topic: String, _ units: DisplayUnits) -> JSONValue {
    let key = column.title(units)
    var members: [(String, JSONValue)] = [
      ("p", .string("sensor")), ("name", .string(column.name.split(separator: "_").joined(separator: " "))),
      ("unique_id", .string("lodestone_\(topic)_\(column.name)")),
      ("value_template", .string("{{ value_json\(key.member) }}")),
    ]
    switch column.kind {
    case .heading: members += [("unit_of_measurement", .string("°")), ("state_class", .string("measurement_angle"))]
    case .number:
      if let symbol = column.unit.symbol(units) { members.append(("unit_of_measurement", .string(symbol))) }
      if column.unit == .volume { members.append(("device_class", .string("water"))) }
      members.append(("state_class", .string(column.isTotal ? "total_increasing" : "measurement")))
    case .integer: if column.isTotal { members.append(("state_class", .string("total_increasing"))) }
    case .word, .flags: break
    }
    return .object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
  }
}

extension Column.Unit {
  /// The unit as people write it; nil for a bare number.
  fileprivate func symbol(_ units: DisplayUnits) -> String? {
    switch self {
    case .none: nil
    case .seconds: "s"
    case .degrees: "°"
    case .degreesPerSecond: "°/s"
    case .gravities: "g"
    case .metres: "m"
    case .metresPerSecond: "m/s"
    case .celsius: "°C"
    case .hertz: "Hz"
    case .perMinute: "1/min"
    case .litresPerMinute: "L/min"
    case .volume: units.volume.symbol
    case .distance: units.distance.rawValue
    case .field: units.field.symbol
    }
  }
}

extension String {
  /// Letters, digits and underscores alone, as names of components are.
  fileprivate var identifier: String {
    String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// The member of this name in a template: the name of a column may hold characters that a template does not take
  /// (`Strom/A`).
  fileprivate var member: String { self == identifier && first?.isNumber == false ? ".\(self)" : "['\(self)']" }
}
