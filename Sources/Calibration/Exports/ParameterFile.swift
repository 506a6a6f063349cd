import LodestoneCore

/// Named numbers in a text, one a line, as flight controllers exchange them: the number follows the name, whatever
/// separates and precedes them. `#` begins a comment.
struct ParameterFile {
  private var values: [String: Double] = [:]
  private static let sizeLimit = 1 << 20

  init(_ bytes: [UInt8]) throws(ImportProblem) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge }
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0.isNewline }) {
      guard !line.hasPrefix("#") else { continue }
      let words = line.split { $0 == "," || $0 == "=" || $0.isWhitespace }
      guard let position = words.firstIndex(where: { $0.first?.isLetter == true }), position + 1 < words.count
      else { continue }
      values[String(words[position])] = Double(words[position + 1]) ?? .nan
    }
  }

  /// A number; the default, where there is one, when the file does not name it.
  func number(_ name: String, default absent: Double? = nil) throws(ImportProblem) -> Double {
    guard let value = values[name] ?? absent else { throw .missing(name) }
    guard value.isFinite, abs(value) < 1e6 else { throw .notANumber(name) }
    return value
  }

  /// Three numbers named by `X`, `Y` and `Z`.
  func vector(
    default absent: Double? = nil, _ name: (String) -> String
  ) throws(ImportProblem) -> Vector3 {
    Vector3(
      try number(name("X"), default: absent), try number(name("Y"), default: absent),
      try number(name("Z"), default: absent))
  }
}

extension Matrix3 {
  /// Symmetric, from its diagonal and the elements 01, 02 and 12: the order of ArduPilot, PX4 and MotionCal.
  init(diagonal d: Vector3, offDiagonal o: Vector3) {
    self.init(Vector3(d.x, o.x, o.y), Vector3(o.x, d.y, o.z), Vector3(o.y, o.z, d.z))
  }

  var diagonal: Vector3 { Vector3(row0.x, row1.y, row2.z) }
  /// The elements 01, 02 and 12.
  var offDiagonal: Vector3 { Vector3(row0.y, row0.z, row1.z) }
}
