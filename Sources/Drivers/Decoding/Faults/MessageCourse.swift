import Glibc
import LodestoneCore

/// Faults that the course of a stream's messages shows: two boards, or two compasses with headings of their own, that
/// send at once and say nobody's name, and numbers that have lost their sign.
struct MessageCourse: Sendable {
  /// The turns of two fields.
  private(set) var fields = FieldTurns()
  /// The turns of two headings, by their directions, where no field comes. They are farther apart than 20°: two
  /// compasses that are both right tell nearly one heading.
  private(set) var headings = FieldTurns(leap: Self.leap)
  private static let leap = 0.35
  private var (hasField, hasMagnetic) = (false, false)
  private var (fieldSigns, forceSigns) = (LostSigns(), LostSigns())

  /// Whether nothing is left to find out.
  var isSettled: Bool { (fields.isSettled || headings.isSettled) && fieldSigns.isSettled && forceSigns.isSettled }

  /// Whether numbers between −1 and 0 come without their sign.
  var hasLostSigns: Bool { fieldSigns.areFound || forceSigns.areFound }

  /// Takes in what a message tells: its field, else its heading, which is from magnetic north where any is.
  mutating func add(_ message: borrowing WireMessage) {
    if let force = message.acceleration { forceSigns.add(force) } else { forceSigns.pass() }
    if let field = message.field {
      hasField = true
      fieldSigns.add(field)
      if !fields.isSettled { fields.add(field) }
      return
    }
    fieldSigns.pass()
    guard !hasField, let own = message.own, let degrees = own.magnetic?.degrees ?? own.trueNorth?.degrees else {
      return
    }
    if (own.magnetic != nil) != hasMagnetic {
      guard !hasMagnetic else { return }
      (hasMagnetic, headings) = (true, FieldTurns(leap: Self.leap))
    }
    let angle = degrees * .pi / 180
    headings.add(Vector3(cos(angle), sin(angle), 0))
  }
}

extension WireStream {
  /// Whether two fields come in turn, and nothing in the messages tells whose they are.
  public var hasFieldsInTurn: Bool { course.fields.areFound }

  /// Whether two headings come in turn, and nothing in the messages tells whose they are.
  public var hasHeadingsInTurn: Bool { course.headings.areFound }

  /// Whether numbers between −1 and 0 come without their sign.
  public var hasLostSigns: Bool { course.hasLostSigns }
}
