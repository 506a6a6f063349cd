/// Whether a board has taken a MotionCal packet. It says so in two lines of its stream: `Cal1:` with the first ten
/// numbers of the packet, `Cal2:` with the soft-iron matrix row by row. Old values may come first.
public struct MotionCalEcho: Sendable {
  /// The numbers that `Cal1:` must have.
  private let offsets: [Double]
  /// The numbers that `Cal2:` must have.
  private let matrix: [Double]
  private var hasOffsets = false
  private var hasMatrix = false
  /// Whether one of the lines came with other numbers.
  public private(set) var saidOtherwise = false

  /// The echo that a packet must have.
  public init(packet: [UInt8]) throws(ImportProblem) {
    let numbers = try MotionCalExport.numbers(in: packet)
    offsets = Array(numbers[..<10])
    let (diagonal, other) = (numbers[10...12], numbers[13...15])
    let (xx, yy, zz) = (diagonal[10], diagonal[11], diagonal[12])
    let (xy, xz, yz) = (other[13], other[14], other[15])
    matrix = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
  }

  /// Whether both lines have come as they must.
  public var isConfirmed: Bool { hasOffsets && hasMatrix }

  /// Takes one line of the board's stream, any line.
  public mutating func take(line: String) {
    if let says = Self.line(line, "Cal1:", offsets) {
      hasOffsets = hasOffsets || says
      saidOtherwise = saidOtherwise || !says
    } else if let says = Self.line(line, "Cal2:", matrix) {
      hasMatrix = hasMatrix || says
      saidOtherwise = saidOtherwise || !says
    }
  }

  /// Whether a line of that name says these numbers, to MotionCal's own tolerance (`is_float_ok`) and half a unit of
  /// the fourth decimal; nil for another line.
  private static func line(_ line: String, _ name: String, _ expected: [Double]) -> Bool? {
    guard line.utf8.count <= 4096, line.hasPrefix(name) else { return nil }
    let words = line.dropFirst(name.count).split(separator: ",", omittingEmptySubsequences: false)
    let numbers = words.map { Double($0.filter { !$0.isWhitespace }) }
    guard numbers.count == expected.count else { return false }
    return zip(numbers, expected).allSatisfy { number, expected in
      number.map { abs($0 - expected) <= 0.00015 + abs(expected) * 0.00003 } ?? false
    }
  }
}
