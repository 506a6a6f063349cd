import Glibc
import LodestoneCore

/// Two fields that come in turn from the start of a stream, as those of two boards do that print at one place or
/// publish at one topic, and say no name.
struct FieldTurns: Sendable {
  /// Messages that are looked at; among how many the fields must change places once more, as boards do that send
  /// several at a time, and how often.
  private static let (patience, window, enough) = (512, 32, 12)
  /// The distance of the two at least, as a share of the longer.
  private let leap: Double

  private var one = Vector3.zero
  private var other: Vector3?
  private var isOther = false
  private var (looks, count, changes) = (0, 0, 0)

  /// Whether two fields come in turn.
  private(set) var areFound = false
  /// Whether nothing is left to find out.
  private(set) var isSettled = false

  init(leap: Double = 0.15) { self.leap = leap }

  /// Takes in a field.
  mutating func add(_ field: Vector3) {
    defer { isSettled = areFound || looks >= Self.patience }
    looks += 1
    count += 1
    guard let second = other, count <= Self.window else { return begin(field) }
    let gap = (second - one).length, ways = ((field - one).length, (field - second).length)
    guard min(ways.0, ways.1) < gap / 4 else { return begin(field) }
    let isSecond = ways.1 < ways.0
    if isSecond { other = field } else { one = field }
    if isSecond != isOther { (isOther, changes, count) = (isSecond, changes + 1, 0) }
    areFound = changes >= Self.enough
  }

  /// A first field, or a second that is far from it.
  private mutating func begin(_ field: Vector3) {
    let isFar = (field - one).length > leap * max(field.length, one.length)
    if other == nil, isFar, looks > 1 {
      (other, isOther, count, changes) = (field, true, 0, 1)
    } else {
      (one, other) = (field, nil)
    }
  }
}
