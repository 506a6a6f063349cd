import LodestoneCore

/// The shape of a JSON value, as OpenAPI 3.1 describes it.
struct Shape: Sendable {
  /// The description.
  let json: JSONValue

  /// A shape by its members.
  init(_ members: [(String, JSONValue)], _ words: String = "") {
    let description = words.isEmpty ? [] : [("description", JSONValue.string(words))]
    json = .object((members + description).map { JSONValue.Member(key: $0.0, value: $0.1) })
  }

  /// A number; null where `isOptional`.
  static func number(_ words: String = "", isOptional: Bool = false) -> Shape {
    Shape([("type", type("number", isOptional))], words)
  }

  /// A whole number.
  static func integer(_ words: String = "", isOptional: Bool = false) -> Shape {
    Shape([("type", type("integer", isOptional))], words)
  }

  /// A text.
  static func text(_ words: String = "", isOptional: Bool = false) -> Shape {
    Shape([("type", type("string", isOptional))], words)
  }

  /// True or false.
  static func flag(_ words: String = "") -> Shape { Shape([("type", .string("boolean"))], words) }

  /// One of several words; null where `isOptional`.
  static func word(_ choices: [String], _ words: String = "", isOptional: Bool = false) -> Shape {
    let choices = choices.map { JSONValue.string($0) } + (isOptional ? [.null] : [])
    return Shape([("type", type("string", isOptional)), ("enum", .array(choices))], words)
  }

  /// Values of one shape.
  static func list(_ items: Shape, _ words: String = "") -> Shape {
    Shape([("type", .string("array")), ("items", items.json)], words)
  }

  /// Three numbers along the device's x, y and z.
  static func vector(_ words: String = "", isOptional: Bool = false) -> Shape {
    Shape(
      [
        ("type", type("array", isOptional)), ("items", Shape.number().json), ("minItems", .integer(3)),
        ("maxItems", .integer(3)),
      ], words)
  }

  /// An object.
  /// - Parameters:
  ///   - properties: its keys with their shapes.
  ///   - required: the keys that are always there.
  ///   - isOptional: null may stand in its place.
  static func object(
    _ properties: [(String, Shape)], required: [String] = [], _ words: String = "", isOptional: Bool = false
  ) -> Shape {
    let keys = properties.map { JSONValue.Member(key: $0.0, value: $0.1.json) }
    let names = required.isEmpty ? [] : [("required", JSONValue.array(required.map { .string($0) }))]
    return Shape(
      [("type", type("object", isOptional))] + names
        + [("properties", .object(keys)), ("additionalProperties", .bool(false))], words)
  }

  /// The objects that a kind of record is written as in JSON.
  /// - Parameters:
  ///   - words: the meaning of columns, by their names without units.
  ///   - extra: what an object of this kind may hold besides, or instead.
  static func record(
    _ schema: RecordSchema, _ words: [String: String], extra: [(String, Shape)] = [], _ description: String = ""
  ) -> Shape {
    let columns = schema.columns.filter { $0.reach != .byName }.map { column in
      (
        column.title(),
        column.shape(column.name == "time" ? "Seconds since the stream began" : words[column.name] ?? "")
      )
    }
    let command = schema.name == "field" ? "teslameter" : schema.name
    let keys = "The keys of `lodestone \(command) --format json`"
    return object(
      columns + extra, required: ["time_s"], description.isEmpty ? keys : "\(keys). \(description)")
  }

  private static func type(_ name: String, _ isOptional: Bool) -> JSONValue {
    isOptional ? .array([.string(name), .string("null")]) : .string(name)
  }
}

extension Column {
  /// The shape of its values in JSON.
  fileprivate func shape(_ words: String) -> Shape {
    switch kind {
    case .number, .heading: .number(words, isOptional: name != "time")
    case .integer: .integer(words, isOptional: true)
    case .word(let choices): .word(choices, words, isOptional: true)
    case .flags(let choices): .list(.word(choices), words)
    }
  }
}
