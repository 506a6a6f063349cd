/// A search for the baud rate: which one to listen at, and for how long. Told what arrives, it says when to go on: soon
/// where bytes arrive that are no text, later where they look like text, latest where nothing arrives. It opens nothing
/// and reads no clock.
public struct BaudSearch: Sendable {
  /// The rates in the order of how usual they are.
  public static let rates = [
    115_200, 9600, 57_600, 38_400, 19_200, 230_400, 460_800, 921_600, 4800, 250_000, 500_000, 1_000_000, 74_880,
    2_000_000,
  ]

  /// The next step of the search.
  public enum Step: Equatable, Sendable {
    /// Keep listening; ask again at the latest this many seconds after the change to this rate.
    case listen(until: Double)
    /// Listen at another rate, from zero seconds on.
    case change(to: Int)
  }

  /// Seconds at a rate, in the first round over all of them; each further round takes twice as long.
  private enum Patience {
    /// Bytes arrive that make no sense.
    static let noise = 0.35
    /// Text arrives: a line a second makes four lines of numbers, which is what it takes to believe them.
    static let text = 6.0
    /// Too little arrives to tell.
    static let little = 1.2
    /// Seconds at a rate at which nothing arrives.
    static let silence = 0.8
  }
  /// The fewest bytes that show what they are.
  private static let tellingCount = 24
  /// Nor fewer than these that they are text.
  private static let tellingTextCount = 8

  /// The rate to listen at now.
  public private(set) var rate: Int
  private var order: [Int]
  private var place = 0
  private var round = 0
  private var byteCount = 0
  private var textCount = 0
  private var last: UInt8 = 0

  /// A search that begins with the rate that a board is known for, or else with the most usual one.
  public init(first: Int? = nil) {
    let start = first ?? Self.rates[0]
    order = [start] + Self.rates.filter { $0 != start }
    rate = start
  }

  /// Takes in what has arrived at this rate.
  public mutating func hear(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      let byte = bytes[index]
      let isText = (byte >= 0x20 && byte < 0x7F) || byte == .lineFeed || byte == .carriageReturn || byte == .tab
      // The two bytes of a sign such as ° or µ.
      let isSign = byte & 0xC0 == 0x80 && (last == 0xC2 || last == 0xCE)
      textCount &+= isText ? 1 : isSign ? 2 : 0
      last = byte
    }
    byteCount &+= bytes.count
  }

  /// The next step after `seconds` at this rate without an understood message. An understood message ends the search:
  /// then this is not called.
  public mutating func advance(seconds: Double) -> Step {
    let limit = patience * Double(1 << min(round, 4))
    guard seconds >= limit else { return .listen(until: limit) }
    place = (place + 1) % order.count
    if place == 0 { round += 1 }
    rate = order[place]
    byteCount = 0
    textCount = 0
    return .change(to: rate)
  }

  private var patience: Double {
    guard byteCount > 0 else { return Patience.silence }
    if 10 * textCount >= 9 * byteCount { return byteCount >= Self.tellingTextCount ? Patience.text : Patience.little }
    return byteCount >= Self.tellingCount ? Patience.noise : Patience.little
  }
}
