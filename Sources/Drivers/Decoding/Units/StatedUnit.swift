/// The unit that a stream states of a quantity: the one that most of its messages name. One among many messages that
/// name none is no statement but damage, as a `mag` that lost its `a` is mG.
struct StatedUnit<Unit: Equatable & Sendable>: Sendable {
  /// The stated unit; nil where too few messages name one.
  var unit: Unit? { told &* Self.most >= count ? named : nil }

  /// Messages among which one names a unit, where the stream states it.
  private static var most: Int { 32 }

  private var named: Unit?
  /// The number of messages by which it is ahead of other units.
  private var lead = 0
  /// Messages that name a unit, and all that hold the quantity.
  private var (told, count) = (0, 0)

  /// Takes what a message that holds the quantity names as its unit; nil for nothing.
  mutating func note(_ unit: Unit?) {
    count &+= 1
    guard let unit else { return }
    told &+= 1
    if unit == named {
      lead &+= 1
    } else if lead < 2 {
      (named, lead) = (unit, 1)
    } else {
      lead &-= 1
    }
  }
}
