import Glibc
import LodestoneCore
import Testing

@testable import Drivers

/// Numbers that a sketch prints in two parts (`%d.%03d`), and those of boards whose axes are above zero by themselves.
@Suite struct LostSignsTests {
  /// A board that lies flat and turns by so many degrees a line, in 48 µT at an inclination of 65°: the field in µT.
  private static func field(_ number: Int, step: Double) -> Vector3 {
    let (angle, noise) = (Angle.radians(40.3 + step * Double(number)), Double(number % 5 - 2) * 0.05)
    return Vector3(-20.29 * sin(angle) + noise, 20.29 * cos(angle) - noise, -43.5 + noise)
  }

  /// A number as `%d.%03d` prints its whole part and the amount of its fraction.
  private static func split(_ value: Double) -> String {
    let thousandths = Int((abs(value) * 1000).rounded(.down)), whole = Int(value)
    return "\(whole).\(String(1000 + thousandths % 1000).dropFirst())"
  }

  private static func hasLostSigns(_ lines: [String]) -> Bool {
    var (stream, message) = (WireStream(), WireMessage())
    stream.append(Array(lines.map { $0 + "\r\n" }.joined().utf8).span)
    stream.end()
    while stream.next(into: &message) != nil {}
    return stream.hasLostSigns
  }

  private static func line(_ vector: Vector3, _ text: (Double) -> String) -> String {
    "X: \(text(vector.x)) Y: \(text(vector.y)) Z: \(text(vector.z))"
  }

  @Test(arguments: [1.0, 3, 7]) func aFieldInGaussLosesThem(step: Double) {
    let fields = (0..<Int(300 / step)).map { Self.field($0, step: step) * 0.01 }
    #expect(Self.hasLostSigns(fields.map { Self.line($0, Self.split) }))
    #expect(Self.hasLostSigns(fields.map { "\(Self.split($0.x)),\(Self.split($0.y)),\(Self.split($0.z))" }))
    // The same numbers with their signs.
    #expect(!Self.hasLostSigns(fields.map { Self.line($0) { $0.text(decimals: 3) } }))
  }

  /// In µT and in m/s² only small numbers lose theirs, as an axis passes zero.
  @Test func anAxisThatPassesZeroLosesThem() {
    let fields = (0..<400).map { Self.field($0, step: 1) }
    #expect(Self.hasLostSigns(fields.map { Self.line($0, Self.split) }))
    #expect(!Self.hasLostSigns(fields.map { Self.line($0) { $0.text(decimals: 2) } }))
    // Numbers that are far apart pass zero without one below it.
    #expect(!Self.hasLostSigns((0..<200).map { Self.line(Self.field($0, step: 25), Self.split) }))
  }

  /// Axes above zero by themselves: a board that is turned to and fro within a quarter, upside down, one that shakes,
  /// and whole numbers.
  @Test func axesAboveZeroHaveLostNone() {
    let swung = (0..<400).map { number in
      let angle = Angle.radians(43 - 42 * cos(Double(number) / 15))
      return Vector3(0.203 * sin(angle), 0.203 * cos(angle), 0.435)
    }
    #expect(!Self.hasLostSigns(swung.map { Self.line($0) { $0.text(decimals: 3) } }))
    let shaken = (0..<400).map { number in
      Vector3(0.15 + 0.12 * sin(Double(number * number % 97)), 0.2, 0.95 + 0.1 * sin(Double(number * 37 % 89)))
    }
    #expect(!Self.hasLostSigns(shaken.map { "Accel " + Self.line($0) { $0.text(decimals: 3) } }))
    let counts = (0..<300).map { Self.field($0, step: 3) * 10 }
    #expect(!Self.hasLostSigns(counts.map { Self.line($0) { abs($0).text(decimals: 0) } }))
  }

  /// A board that is turned while it leans a few degrees to either side, as a hand holds it: the force in g.
  private static func force(_ number: Int) -> Vector3 {
    let pitch = Angle.radians(6 + 8 * sin(Double(number) / 17))
    let roll = Angle.radians(-4 + 10 * sin(Double(number) / 23))
    let noise = Double(number * 31 % 7 - 3) * 0.0007
    return Vector3(-sin(roll) + noise, sin(pitch) - noise, cos(pitch) * cos(roll) + noise)
  }

  /// Forces in g lose theirs beside a field in µT, whose numbers are hardly changed.
  @Test func aTiltedBoardLosesThem() {
    func lines(_ text: (Double) -> String) -> [String] {
      (0..<400).map { number in
        let (force, field) = (Self.force(number), Self.field(number, step: 0.2) + Vector3(-30, 30, 0))
        return "Accel " + Self.line(force, text) + " Mag " + Self.line(field) { $0.text(decimals: 2) }
      }
    }
    #expect(Self.hasLostSigns(lines(Self.split)))
    #expect(!Self.hasLostSigns(lines { $0.text(decimals: 3) }))
    // One that leans to one side alone, and is set down level again and again.
    let leaned = (0..<600).map { number in
      Vector3(0.004 + 0.1 * max(0, sin(Double(number) / 15)), 0.1, 0.99)
    }
    #expect(!Self.hasLostSigns(leaned.map { "Accel " + Self.line($0) { $0.text(decimals: 3) } }))
    let swayed = (0..<600).map { number in Vector3(0.051 - 0.05 * cos(Double(number) / 15), 0.1, 0.99) }
    #expect(!Self.hasLostSigns(swayed.map { "Accel " + Self.line($0) { $0.text(decimals: 3) } }))
  }
}
