/// How the chip sits in the device: maps a vector in the chip's axes to the device frame (x right, y top, z out of the
/// face). A rotation, or a rotation with a mirror for a chip whose own axes are left-handed.
public struct Mounting: Equatable, Sendable {
  /// Device = matrix · chip. Orthonormal.
  public let matrix: Matrix3

  /// The chip's axes are the device's.
  public static let aligned = Mounting(unchecked: .identity)

  private init(unchecked matrix: Matrix3) { self.matrix = matrix }

  /// Why a text is no mounting.
  public enum Problem: Error, Equatable, Sendable {
    /// Neither three signed axes nor nine numbers.
    case unreadable(String)
    /// Two device axes are fed by the same chip axis.
    case axisUsedTwice(String)
    /// Rows are not of length one and at right angles, within 0.01.
    case notOrthonormal
  }

  /// A matrix whose rows are orthonormal within 0.01.
  public init(matrix: Matrix3) throws(Problem) {
    let product = matrix * matrix.transposed
    for row in 0..<3 {
      for column in 0..<3 {
        guard abs(product[row][column] - (row == column ? 1 : 0)) < 0.01 else { throw .notOrthonormal }
      }
    }
    self.matrix = matrix
  }

  /// This mounting of what was turned in the chip's axes before.
  public func after(_ turn: Matrix3) -> Mounting { Mounting(unchecked: matrix * turn) }

  /// Three signed axes as in `-y,x,z` (device x is the chip's −y, and so on), or nine numbers, row by row.
  public init(_ text: String) throws(Problem) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0).filter { !$0.isWhitespace }
    }
    if parts.count == 9 {
      let numbers = parts.compactMap { Double($0) }
      guard numbers.count == 9, numbers.allSatisfy({ $0.isFinite }) else { throw .unreadable(text) }
      try self.init(
        matrix: Matrix3(
          Vector3(numbers[0], numbers[1], numbers[2]), Vector3(numbers[3], numbers[4], numbers[5]),
          Vector3(numbers[6], numbers[7], numbers[8])))
      return
    }
    let axes = parts.compactMap(Self.axis)
    guard parts.count == 3, axes.count == 3 else { throw .unreadable(text) }
    let matrix = Matrix3(axes[0], axes[1], axes[2])
    guard abs(matrix.determinant) == 1 else { throw .axisUsedTwice(text) }
    self.init(unchecked: matrix)
  }

  private static func axis(_ text: String) -> Vector3? {
    let sign: Double = text.hasPrefix("-") ? -1 : 1
    switch text.drop(while: { $0 == "+" || $0 == "-" }) {
    case "x" where text.count <= 2: return Vector3(sign, 0, 0)
    case "y" where text.count <= 2: return Vector3(0, sign, 0)
    case "z" where text.count <= 2: return Vector3(0, 0, sign)
    default: return nil
    }
  }
}
