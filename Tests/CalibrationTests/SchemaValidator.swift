import LodestoneCore

/// The part of JSON Schema (draft 2020-12) that the profile's schema uses. A keyword it does not know is a violation,
/// so that no rule goes unchecked.
struct SchemaValidator {
  let schema: JSONValue

  /// The rules that a value breaks, each with the path to it; empty for a valid one.
  func violations(in value: JSONValue) -> [String] { Self.violations(value, schema, "$") }

  private static func violations(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard case .object(let rules) = schema else { return ["\(path): the schema is no object"] }
    return rules.flatMap { rule -> [String] in
      switch rule.key {
      case "$schema", "title", "description": []
      case "properties": properties(value, rule.value, path)
      case "items": items(value, rule.value, path)
      case "required": missing(value, rule.value).map { "\(path): \($0) is missing" }
      default: holds(rule.key, rule.value, value) ? [] : ["\(path): \(rule.key)"]
      }
    }
  }

  private static func properties(_ value: JSONValue, _ schemas: JSONValue, _ path: String) -> [String] {
    guard case .object(let members) = value else { return [] }
    return members.flatMap { member in
      schemas[member.key].map { violations(member.value, $0, path + "." + member.key) } ?? []
    }
  }

  private static func items(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard case .array(let elements) = value else { return [] }
    return elements.enumerated().flatMap { violations($1, schema, "\(path)[\($0)]") }
  }

  private static func missing(_ value: JSONValue, _ names: JSONValue) -> [String] {
    guard case .object = value, case .array(let names) = names else { return [] }
    return names.compactMap { name in
      guard case .string(let name) = name else { return "?" }
      return value[name] == nil ? name : nil
    }
  }

  private static func holds(_ keyword: String, _ rule: JSONValue, _ value: JSONValue) -> Bool {
    switch (keyword, rule, value) {
    case ("const", _, _): rule == value
    case ("enum", .array(let allowed), _): allowed.contains(value)
    case ("type", .string(let type), _): isOf(type, value)
    case ("type", .array(let types), _):
      types.contains { if case .string(let type) = $0 { isOf(type, value) } else { false } }
    case ("minimum", .number(let limit), .number(let number)): number >= limit
    case ("maximum", .number(let limit), .number(let number)): number <= limit
    case ("exclusiveMaximum", .number(let limit), .number(let number)): number < limit
    case ("minItems", .number(let limit), .array(let elements)): Double(elements.count) >= limit
    case ("maxItems", .number(let limit), .array(let elements)): Double(elements.count) <= limit
    case ("minLength", .number(let limit), .string(let text)): Double(text.unicodeScalars.count) >= limit
    case ("maxLength", .number(let limit), .string(let text)): Double(text.unicodeScalars.count) <= limit
    // A bound on another type than the value's does not apply.
    case ("minimum", .number, _), ("maximum", .number, _), ("exclusiveMaximum", .number, _): true
    case ("minItems", .number, _), ("maxItems", .number, _), ("minLength", .number, _), ("maxLength", .number, _): true
    default: false
    }
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("number", .number), ("null", .null),
      ("boolean", .bool):
      true
    case ("integer", .number(let number)): number == number.rounded()
    default: false
    }
  }
}
