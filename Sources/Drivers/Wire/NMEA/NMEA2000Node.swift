import LodestoneCore

/// A sender on an NMEA 2000 bus: claims an address, defends it or moves on, and says who it is when it is asked. Frames
/// and times come in, frames go out; it opens nothing and reads no clock. Source: SAE J1939-81, section 4 (address
/// claim), and canboat's definitions of 126996 and 59392.
public struct NMEA2000Node: Sendable {
  private enum Group {
    static let acknowledgement = 59_392, request = 59_904, claim = 60_928, product = 126_996
  }
  /// The address that it tries first, and the number of addresses.
  private static let firstAddress: UInt8 = 35, addressCount: UInt8 = 252
  /// The address of a node that found none.
  private static let nowhere: UInt8 = 254
  /// A claim that nobody contests for so long, in seconds, stands.
  private static let contestTime = 0.25
  /// Bytes in the first frame of a longer message, and in each that follows.
  private static let firstPiece = 6, piece = 7

  /// 64 bits that no other node has: the lower one keeps a contested address.
  public let name: UInt64
  /// The address it has claimed; nil where all are taken.
  public var address: UInt8? { current == Self.nowhere ? nil : current }

  private let product: [UInt8]
  private var current = Self.firstAddress
  private var tried: UInt8 = 0
  /// The time at which the claim was sent, in seconds of the caller's clock.
  private var claimed: Double?
  private var messageCount: UInt8 = 0

  /// A compass.
  /// - Parameter device: what its number is made from: another device has another.
  public init(device: String) {
    let hash = device.utf8.fingerprint  // folded to the 21 bits there are
    let number = (hash ^ hash >> 21 ^ hash >> 42) & 0x1F_FFFF
    // Maker 2046 (no registered one), function 140 (attitude of the own ship), class 60 (navigation), marine industry,
    // and an address that may be any.
    name = number | 2046 << 21 | 140 << 40 | 60 << 49 | 4 << 60 | 1 << 63
    var product: [UInt8] = []
    product.append(little: UInt16(2100))  // NMEA 2000, version 2.1
    product.append(little: UInt16(0xFFFF))  // no product code
    for text in ["Lodestone", "", "compass", "\(number)"] {
      product += (Array(text.utf8.prefix(32)) + [UInt8](repeating: 0xFF, count: 32)).prefix(32)
    }
    self.product = product + [0, 0]  // not certified, takes no power from the bus
  }

  /// Whether it may send from its address: the claim was not contested in time.
  public func isReady(at time: Double) -> Bool {
    guard let claimed, address != nil else { return false }
    return time - claimed >= Self.contestTime
  }

  /// Claims the address.
  public mutating func claim(at time: Double, _ send: (CANFrame) -> Void) {
    claimed = time
    var frame = CANFrame(group: Group.claim, priority: 6, source: current)
    frame.append(little: name)
    send(frame)
  }

  /// Takes in what another node has sent, and answers it.
  public mutating func receive(_ frame: CANFrame, at time: Double, _ send: (CANFrame) -> Void) {
    switch frame.group {
    case Group.claim:
      // Those that found no address say so from `nowhere`, which is nobody's to defend.
      guard frame.source == address, let other = frame.little(UInt64.self, at: 0), other != name else { return }
      if other < name { moveOn() }
      claim(at: time, send)
    case Group.request:
      guard frame.destination == current || frame.destination == CANFrame.everybody, frame.count >= 3 else { return }
      let wanted = Int(frame[0]) | Int(frame[1]) << 8 | Int(frame[2]) << 16
      answer(wanted, to: frame, at: time, send)
    default: break
    }
  }

  private mutating func answer(_ wanted: Int, to request: CANFrame, at time: Double, _ send: (CANFrame) -> Void) {
    switch wanted {
    case Group.claim: claim(at: claimed ?? time, send)
    case Group.product where isReady(at: time): sendProduct(send)
    default:
      guard request.destination == current else { return }
      var refusal = CANFrame(
        group: Group.acknowledgement, priority: 6, source: current, destination: request.source)
      refusal.append(1)  // not known here
      for _ in 0..<4 { refusal.append(0xFF) }
      for index in 0..<3 { refusal.append(request[index]) }
      send(refusal)
    }
  }

  private mutating func moveOn() {
    tried += 1
    current = tried < Self.addressCount ? (current + 1) % Self.addressCount : Self.nowhere
  }

  /// A message of more than eight bytes ("fast packet"): each frame begins with the message's number in three bits and
  /// its own in five, the first one also with the length.
  private mutating func sendProduct(_ send: (CANFrame) -> Void) {
    defer { messageCount = (messageCount + 1) & 7 }
    var rest = product[...]
    var number: UInt8 = 0
    while !rest.isEmpty {
      var frame = CANFrame(group: Group.product, priority: 6, source: current)
      frame.append(messageCount << 5 | number)
      if number == 0 { frame.append(UInt8(truncatingIfNeeded: product.count)) }
      for byte in rest.prefix(number == 0 ? Self.firstPiece : Self.piece) { frame.append(byte) }
      rest = rest.dropFirst(number == 0 ? Self.firstPiece : Self.piece)
      while frame.append(0xFF) {}
      send(frame)
      number += 1
    }
  }
}
