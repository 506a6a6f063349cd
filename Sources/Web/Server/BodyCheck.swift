import LodestoneCore

extension WebAction {
  /// Why the body of a request is not what is declared for the action, in one line; nil where it is. A body may be left
  /// out, and an action that declares none takes an empty object.
  func problem(of body: [UInt8]) -> String? {
    guard isCommand, !body.isEmpty else { return nil }
    guard let value = JSONValue(parsing: body) else { return "the body is not JSON" }
    return (self.body ?? .object([])).problem(of: value)
  }
}

extension Shape {
  /// Why a value is not of this shape, in one line; nil where it is.
  func problem(of value: JSONValue) -> String? { Self.problem(of: value, "the body", json) }

  /// Checks a value by those words of JSON Schema that shapes are made of.
  /// - Parameter name: of the value.
  private static func problem(of value: JSONValue, _ name: String, _ shape: JSONValue) -> String? {
    if case .array(let choices)? = shape["enum"] {
      return choices.contains(value) ? nil : "\(name): must be \(choices.map(words(of:)).alternatives)"
    }
    let kinds = shape["type"].map(kinds(of:)) ?? []
    guard kinds.isEmpty || kinds.contains(where: value.isOf(kind:)) else {
      return "\(name): must be \(kinds.map { kindWords[$0] ?? $0 }.alternatives)"
    }
    switch value {
    case .object(let members): return problem(of: members, name, shape)
    case .array(let elements): return problem(of: elements, name, shape)
    default: return nil
    }
  }

  private static func problem(of members: [JSONValue.Member], _ name: String, _ shape: JSONValue) -> String? {
    for member in members {
      if let part = shape["properties"]?[member.key] {
        if let problem = problem(of: member.value, member.key, part) { return problem }
      } else if shape["additionalProperties"] == .bool(false) {
        return "\(name): there is no \(member.key.prefix(40))"
      }
    }
    guard case .array(let required)? = shape["required"] else { return nil }
    for case .string(let key) in required where !members.contains(where: { $0.key == key }) {
      return "\(name): \(key) is missing"
    }
    return nil
  }

  private static func problem(of elements: [JSONValue], _ name: String, _ shape: JSONValue) -> String? {
    let count = Double(elements.count)
    guard count >= shape["minItems"]?.number ?? 0, count <= shape["maxItems"]?.number ?? .infinity else {
      return "\(name): has too many or too few values"
    }
    guard let items = shape["items"] else { return nil }
    return elements.lazy.compactMap { problem(of: $0, name, items) }.first
  }

  private static func kinds(of type: JSONValue) -> [String] {
    switch type {
    case .string(let kind): [kind]
    case .array(let kinds): kinds.map(words(of:))
    default: []
    }
  }

  private static let kindWords = [
    "number": "a number", "integer": "a whole number", "string": "a text", "boolean": "true or false",
    "object": "an object", "array": "a list",
  ]

  private static func words(of choice: JSONValue) -> String {
    if case .string(let word) = choice { word } else { "null" }
  }
}

extension JSONValue {
  /// Whether it is what JSON Schema calls by this name.
  fileprivate func isOf(kind: String) -> Bool {
    switch self {
    case .null: kind == "null"
    case .bool: kind == "boolean"
    case .number(let value): kind == "number" || kind == "integer" && value == value.rounded()
    case .integer: kind == "number" || kind == "integer"
    case .string: kind == "string"
    case .array: kind == "array"
    case .object: kind == "object"
    }
  }
}

extension [String] {
  /// "sweep, held or touch-up".
  fileprivate var alternatives: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
