import Testing

@testable import LodestoneTerminal

/// The little of a terminal that the renderer uses, and nothing more: any other byte is recorded as a fault.
struct VirtualTerminal {
  let width: Int
  let height: Int
  private(set) var cells: [Cell]
  private(set) var faults: [String] = []
  private var column = 0
  private var row = 0
  private var style = Style.plain

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    cells = Array(repeating: Cell(scalar: "x", style: .alarm), count: width * height)
  }

  mutating func feed(_ bytes: [UInt8]) {
    var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if scalar == "\u{1B}" {
        escape(&scalars)
      } else if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
        faults.append("control \(scalar.value)")
      } else {
        print(scalar)
      }
    }
  }

  private mutating func print(_ scalar: Unicode.Scalar) {
    guard column < width, row < height else { return faults.append("outside at \(column),\(row)") }
    cells[row * width + column] = Cell(scalar: scalar, style: style)
    column += 1
  }

  private mutating func escape(_ scalars: inout Substring.UnicodeScalarView) {
    guard scalars.popFirst() == "[" else { return faults.append("no CSI") }
    var parameters = ""
    while let scalar = scalars.popFirst() {
      if scalar.value < 0x40 {
        parameters.unicodeScalars.append(scalar)
      } else {
        return control(scalar, parameters)
      }
    }
    faults.append("unfinished sequence")
  }

  private mutating func control(_ final: Unicode.Scalar, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    switch final {
    case "H":
      row = (numbers.first.flatMap { $0 } ?? 1) - 1
      column = (numbers.count > 1 ? numbers[1] ?? 1 : 1) - 1
    case "C": column += numbers.first.flatMap { $0 } ?? 1
    case "J" where parameters == "2": cells = Array(repeating: Cell(scalar: " ", style: style), count: width * height)
    case "m":
      let found = Style.allCases.first { "\(Palette.sixteen.sequence($0))" == "\u{1B}[" + parameters + "m" }
      if let found { style = found } else { faults.append("style \(parameters)") }
    case "h" where parameters == "?2026", "l" where parameters == "?2026": break
    default: faults.append("CSI \(parameters)\(final)")
    }
  }
}
