import LodestoneCore
import Navigation

/// The state of an instrument's live screen: filled by readings, notices and keys, and drawn as it stands. One more
/// screen is one such type; the code that runs it is the same for all.
public protocol ScreenState: Sendable {
  /// The instrument whose readings are shown.
  associatedtype Device: Instrument

  /// The screen's name, at its top left.
  static var title: String { get }
  /// The key that makes the display stand still; the space bar does too.
  static var pauseKey: ScreenKey { get }
  /// The state that all screens share.
  var status: ScreenStatus { get set }
  /// The keys that this screen has besides those of all.
  var keys: [ScreenKey] { get }

  /// Takes a reading; none come while the display stands still.
  mutating func take(_ reading: Device.Reading, from instrument: Device)
  /// Looks at the instrument after a sample that gave no reading.
  mutating func watch(_ instrument: Device)
  /// Takes what the instrument has to say; false where it is to be said in words.
  mutating func take(_ notice: InstrumentNotice, from instrument: Device) -> Bool
  /// Does what one of its own keys is for.
  mutating func press(_ key: Character, _ instrument: inout Device)
  /// Draws itself on a cleared canvas of any size.
  func draw(into canvas: inout Canvas)
}

extension ScreenState {
  /// p, unless another screen needs it for something else.
  public static var pauseKey: ScreenKey { ScreenKey("p", "pause", "freeze or resume the display") }
  /// No keys of its own.
  public var keys: [ScreenKey] { [] }
  /// Shows nothing of it.
  public mutating func watch(_ instrument: Device) {}
  /// Leaves it to words.
  public mutating func take(_ notice: InstrumentNotice, from instrument: Device) -> Bool { false }
  /// Has no key of its own.
  public mutating func press(_ key: Character, _ instrument: inout Device) {}

  /// Does what a key is for, whether the screen's own or one of all screens; false for the key that ends it.
  public mutating func press(_ key: Key, _ instrument: inout Device) -> Bool {
    guard case .character(let character) = key else { return key != .interrupt }
    switch character {
    case "q": return false
    case "?": status.showsKeys.toggle()
    case " ": status.isPaused.toggle()
    case _ where String(character) == Self.pauseKey.key: status.isPaused.toggle()
    default: press(character, &instrument)
    }
    return true
  }

  /// Draws the screen, or the list of its keys where that is wanted.
  public func show(on canvas: inout Canvas) {
    guard status.showsKeys else { return draw(into: &canvas) }
    let area = canvas.drawFrame(self)
    var used = 0
    for key in allKeys where used < area.height {
      let row = area.below(used)
      canvas.text(key.key, column: row.column, row: row.row, style: .bold)
      let right = Region(column: row.column + 3, row: row.row, width: row.width - 3, height: row.height)
      used += max(1, canvas.drawParagraph(key.meaning, in: right, limit: 3, style: .plain))
    }
  }

  /// The screen's own keys, and those of all screens behind them.
  var allKeys: [ScreenKey] {
    var pause = Self.pauseKey
    if status.isPaused { pause.effect = "resume" }
    return keys + [
      pause, ScreenKey("?", "keys", "show what the keys are for, or the values again"), ScreenKey("q", "quit", "quit"),
    ]
  }
}

/// A key of a screen, and what it is for.
public struct ScreenKey: Sendable, Equatable {
  /// The label of the key.
  public var key: String
  /// The effect in a word, for the screen's foot.
  public var effect: String
  /// The effect, for the list of keys.
  public var meaning: String

  /// A key.
  public init(_ key: String, _ effect: String, _ meaning: String) {
    (self.key, self.effect, self.meaning) = (key, effect, meaning)
  }
}

/// The state that all live screens share.
public struct ScreenStatus: Sendable, Equatable {
  /// The device's address or name; from outside.
  public var device = ""
  /// Samples a second; nil while there are too few.
  public var rate: Double?
  /// Whether the device is away and waited for: what it said before no longer holds.
  public var isAway = false
  /// Whether the display stands still.
  public var isPaused = false
  /// Whether the keys are listed instead of values.
  public var showsKeys = false
  /// The sentence for what keeps readings from coming; nil while they come. It may come from outside.
  public var obstacle: String?
  /// Sentences for the user, such as "assumed level", the newest last; may come from outside.
  public private(set) var notes: [String] = []

  /// A state without a device.
  public init() {}

  /// Says something on the screen, where the last few such sentences stand.
  public mutating func note(_ words: String) { notes = (notes.filter { $0 != words } + [words]).suffix(3) }

  /// The sentences shown besides the values: first, that the device is away, and what is in the way.
  var remarks: [String] { (isAway ? ["waiting for \(device)"] : []) + (obstacle.map { [$0] } ?? []) + notes.reversed() }
}

extension Canvas {
  /// Draws what all instruments' screens share around their values, and returns what is left between.
  /// - Parameter marks: words that stand beside the rate.
  mutating func drawFrame(_ state: some ScreenState, marks: [String] = []) -> Region {
    let status = state.status
    let rate = status.rate.map { [Figures.fixed($0, decimals: $0 < 9.5 ? 1 : 0) + " Hz"] } ?? []
    return drawFrame(
      title: type(of: state).title, device: status.device, status: (status.isPaused ? ["PAUSED"] : []) + marks + rate,
      keys: state.allKeys.map { ($0.key, $0.effect) }, lastKeys: 2)
  }

  /// Draws what is said besides the values at the foot of a region, the most important first, and returns what is left
  /// above.
  mutating func drawRemarks(_ status: ScreenStatus, in area: Region) -> Region {
    // An obstacle comes with its remedy.
    let more = status.obstacle == nil ? 0 : 3
    let limit = area.height >= 18 ? 3 + more : area.height >= 9 ? 2 + more : 1
    let lines = status.remarks.flatMap { CellText.wrapped("! " + $0.harmless, to: area.width) }.prefix(limit)
    guard !lines.isEmpty, area.height > lines.count else { return area }
    for (offset, line) in lines.enumerated() {
      let row = area.row + area.height - lines.count + offset
      text(line, column: area.column, row: row, style: status.isAway && offset == 0 ? .alarm : .warning)
    }
    return Region(column: area.column, row: area.row, width: area.width, height: area.height - lines.count)
  }
}
