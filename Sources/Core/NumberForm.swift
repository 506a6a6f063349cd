import Glibc

/// How the numbers of a column are written, worked out once.
@frozen
public struct NumberForm: Sendable {
  /// Digits after the point.
  public let decimals: Int
  /// 10 to the power of the decimals.
  @usableFromInline let power: Double
  /// The number of units of the last digit at which a rounded number begins at zero again.
  @usableFromInline let turn: UInt64
  /// Numbers of fewer units are short: 1000 with 1 ... 3 decimals, and none with others.
  @usableFromInline let shortLimit: UInt64
  /// 2³² over the power, rounded up. What that adds to a short number is less than a unit, and less than a thousandth.
  @usableFromInline let unit: UInt64

  /// A form with a count of decimals (0 ... 15); a heading begins at zero again at 360.
  public init(decimals: Int, isHeading: Bool = false) {
    let decimals = min(max(decimals, 0), 15)
    self.decimals = decimals
    power = pow(10, Double(decimals))
    turn = isHeading ? UInt64(360 * power) : .max
    let isShort = (1...3).contains(decimals)
    shortLimit = isShort ? UInt64(1000 * power) : 0
    unit = isShort ? UInt64((4_294_967_296 / power).rounded(.up)) : 0
  }
}

/// The digits of the numbers below 1000: most numbers that are measured are two of them, with a point in between.
public struct DigitTable: Sendable {
  /// Three digits as text, the first one lowest; and above them how many bits of those a number leaves out that shows
  /// no leading zeros.
  public let entries: [UInt32]

  /// The digits of 0 to 999.
  public init() {
    entries = (0..<1000).map { (number: UInt32) in
      let digits = (number / 100) | (number / 10 % 10) << 8 | (number % 10) << 16
      return digits | 0x30_3030 | (number > 99 ? 0 : number > 9 ? 8 : 16) << 24
    }
  }
}
