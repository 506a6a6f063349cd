import FoundationEssentials

/// A JSON document as a value: keeps what a program does not know, and the order of keys it was built with.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  /// A whole number from 2⁵³ on, where a `Double` no longer tells neighbours apart.
  case integer(Int)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One key of an object with its value.
  package struct Member: Equatable, Sendable {
    /// Its name, as it stands in the document.
    package var key: String
    /// The value under the key.
    package var value: JSONValue

    /// A key with its value.
    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value under a key; nil when there is none or this is no object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// An object with these members in this order.
  package static func members(_ pairs: (String, JSONValue)...) -> JSONValue {
    .object(pairs.map { Member(key: $0.0, value: $0.1) })
  }

  /// Three numbers.
  package static func numbers(_ v: Vector3) -> JSONValue { .array([.number(v.x), .number(v.y), .number(v.z)]) }

  /// A number, or null where it is absent.
  package static func orNull(_ number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }

  /// A text, or null where it is absent.
  package static func orNull(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Three numbers, or null where they are absent.
  package static func orNull(_ vector: Vector3?) -> JSONValue { vector.map { .numbers($0) } ?? .null }

  /// The document that the bytes are; nil where they are none.
  package init?(parsing bytes: [UInt8]) {
    guard let document = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else { return nil }
    self = document
  }

  /// Whether it is an object without members.
  package var isEmpty: Bool { self == .object([]) }
}

// MARK: What a program does not know

extension JSONValue {
  /// The rest of this document without the keys that `known` has, at any depth. Arrays of objects are compared
  /// element by element.
  package func subtracting(_ known: JSONValue) -> JSONValue {
    switch (self, known) {
    case (.object(let members), .object):
      return .object(
        members.compactMap { member in
          guard let counterpart = known[member.key] else { return member }
          let rest = member.value.subtracting(counterpart)
          return rest.isEmpty ? nil : Member(key: member.key, value: rest)
        })
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      let rests = zip(elements, others).map { $0.subtracting($1) }
      return rests.allSatisfy { $0.isEmpty } ? .object([]) : .array(rests)
    default:
      return .object([])
    }
  }

  /// This document with the keys of `unknown` after its own. Where both have one, this document's value stands.
  package func merging(_ unknown: JSONValue) -> JSONValue {
    switch (self, unknown) {
    case (.object(let members), .object(let others)):
      let known = Set(members.map { $0.key })
      let merged = members.map { member in
        Member(key: member.key, value: unknown[member.key].map { member.value.merging($0) } ?? member.value)
      }
      return .object(merged + others.filter { !known.contains($0.key) })
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      return .array(zip(elements, others).map { $0.merging($1) })
    default:
      return self
    }
  }
}

// MARK: Reading

extension JSONValue: Decodable {
  /// Members come out sorted by key. A number too large for a `Double` becomes infinite, for the reader to refuse.
  package init(from decoder: any Decoder) throws {
    if let scalar = try Self.scalar(in: decoder.singleValueContainer()) {
      self = scalar
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
    } else {
      let container = try decoder.container(keyedBy: AnyKey.self)
      let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      self = .object(
        try keys.map { Member(key: $0.stringValue, value: try container.decode(JSONValue.self, forKey: $0)) })
    }
  }

  private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSONValue? {
    if container.decodeNil() { return .null }
    do {
      let number = try container.decode(Double.self)
      if abs(number) >= 0x1p53, let integer = try? container.decode(Int.self) { return .integer(integer) }
      return .number(number)
    } catch DecodingError.typeMismatch {
      if let text = try? container.decode(String.self) { return .string(text) }
      return (try? container.decode(Bool.self)).map { .bool($0) }
    } catch {
      return .number(.infinity)
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

// MARK: Writing

extension JSONValue {
  /// Two spaces a level; a list of plain values, and so a row of a matrix, on one line, and an entry of a list too.
  /// Numbers in the fewest digits that read back as the same `Double`.
  package var printed: String {
    var text = ""
    write(to: &text, indent: "")
    return text + "\n"
  }

  /// The document on one line with a line feed, as one of many.
  package var line: String { compact + "\n" }

  private var compact: String {
    switch self {
    case .array(let elements): "[" + elements.map { $0.compact }.joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.key) + ":" + $0.value.compact }.joined(separator: ",") + "}"
    default: String(printed.dropLast())
    }
  }

  private func write(to text: inout String, indent: String, isEntry: Bool = false) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .number(let number): text += number.isNaN ? "null" : Self.digits(of: number)
    case .integer(let integer): text += integer.description
    case .string(let string): text += Self.quoted(string)
    case .array(let elements):
      let isFlat = elements.allSatisfy { $0.isScalar }
      Self.writeItems(elements, between: ("[", "]"), isFlat: isFlat, to: &text, indent: indent) {
        $0.write(to: &$1, indent: $2, isEntry: true)
      }
    case .object(let members):
      let isFlat = isEntry && members.allSatisfy { $0.value.isScalar }
      Self.writeItems(members, between: isFlat ? ("{ ", " }") : ("{", "}"), isFlat: isFlat, to: &text, indent: indent) {
        $1 += Self.quoted($0.key) + ": "
        $0.value.write(to: &$1, indent: $2)
      }
    }
  }

  /// On one line when `isFlat`, else a line each.
  private static func writeItems<Item>(
    _ items: [Item], between brackets: (String, String), isFlat: Bool, to text: inout String, indent: String,
    write: (Item, inout String, String) -> Void
  ) {
    let inner = indent + "  "
    text += brackets.0
    for (index, item) in items.enumerated() {
      text += isFlat ? index > 0 ? ", " : "" : (index > 0 ? ",\n" : "\n") + inner
      write(item, &text, inner)
    }
    text += (isFlat || items.isEmpty ? "" : "\n" + indent) + brackets.1
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private static func digits(of number: Double) -> String {
    guard number.isFinite else { return number > 0 ? "1e999" : "-1e999" }
    let digits = number.description
    return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
  }

  private static func quoted(_ string: String) -> String {
    let escaped = string.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where !scalar.isHarmless: text += UTF16.encode(scalar)?.map { "\\u" + $0.hexadecimal }.joined() ?? ""
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"" + escaped + "\""
  }
}
