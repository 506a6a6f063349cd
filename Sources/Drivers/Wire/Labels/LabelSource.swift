/// The words of a label that tell one of several sensors of a kind from the others: the chip in `LIS3MDL mx`, the
/// number in `Mag2` and `mag_x_1`, `left` in `left mag X`; and the quantity that the chip measures, for its name says
/// it. Words for what a sketch has made of a sensor's numbers (`mx_filt`, `mx_cal`), or that it has made nothing of
/// them (`mx_raw`), tell one statement of a sensor from others.
struct LabelSource {
  /// The words as one; empty where nothing tells.
  private(set) var word = ColumnWord()
  /// The same for names in a table or an object, where axes of B that name no sensor yield to others.
  var owner: ColumnWord { word.isEmpty && isOfB ? .axesOfB : word }
  /// An axis of B is named: of a field, or of the biases of a magnetometer beside its axes.
  private var isOfB = false
  /// The quantity of the chip by its first role, `LineLabel.elsewhere` for one whose axes may be of several and are no
  /// field's; nil where no chip is named, or one that measures fields beside others.
  private(set) var quantity: UInt8?
  /// The label without them.
  private(set) var rest: [UInt8] = []
  /// Whether nothing is left of it that is no unit.
  private(set) var isAlone = true
  /// Words that nobody knows, which belong to it where an axis or a quantity follows.
  private var unknown = ColumnWord()
  /// A quantity or a word for a sensor has come.
  private var mayBeNumbered = false
  /// A quantity or an axis is among the words.
  private let hasSubject: Bool
  /// A quantity or an axis has come.
  private var subjectHasCome = false
  /// Words of a copy, and one for numbers of which nothing was made.
  private var copy = ColumnWord(), isRaw = false

  init(_ text: Span<UInt8>) {
    hasSubject = ColumnWord.words(of: text).contains { Self.isSubject($0) }
    if let words = ColumnName.topic(text) { read(words.span) } else { read(text) }
    if !copy.isEmpty {
      word = word + copy
      word.append(ColumnWord.copyMark)
    } else if isRaw, hasSubject {
      word = word + "raw"
      word.append(ColumnWord.rawMark)
    }
  }

  private mutating func read(_ text: Span<UInt8>) {
    var index = 0
    while index < text.count {
      guard Self.isOfWord(text, index) else {
        rest.append(text[index])
        index += 1
        continue
      }
      let start = index
      while index < text.count, Self.isOfWord(text, index) { index += 1 }
      if takeLetter(text, start..<index) { continue }
      let isMarked = start > 0 && "^[".utf8.contains(text[start - 1])
      take(text.extracting(start..<index), isMarked: isMarked)
    }
  }

  /// The quantity of the chip, as that of a column.
  var columnQuantity: ColumnName.Quantity? {
    switch quantity {
    case CSVColumns.Role.field: .field
    case CSVColumns.Role.acceleration: .acceleration
    case CSVColumns.Role.rotationRate: .rotationRate
    default: nil
    }
  }

  private static func isOfWord(_ text: Span<UInt8>, _ index: Int) -> Bool {
    let byte = text[index]
    if byte < 0x80 { return byte.isLetter || byte.isDigit || byte == UInt8(ascii: "/") }
    // A letter with an accent.
    return byte == 0xC3 || byte < 0xC0 && index > 0 && text[index - 1] == 0xC3
  }

  /// A word is the sensor's, or is left.
  /// - Parameter isMarked: a number is a power or an index, and no sensor's.
  private mutating func take(_ text: Span<UInt8>, isMarked: Bool) {
    let small = ColumnWord(text)
    if let chip = Self.chip(text) {
      word = word + small
      return quantity = chip.quantity ?? quantity
    }
    guard let last = text.indices.last, !isMarked else { return rest += text.bytes(in: 0..<text.count) }
    if text[last].isDigit, last == 0 || !text[last - 1].isDigit, isNumbered(text.extracting(0..<last)) {
      word.append(text[last])
      return keep(text.extracting(0..<last))
    }
    keep(text)
  }

  /// Takes a capital letter behind a word for a sensor, `Board B X: …`, `Mag A: …`; false for any other word.
  private mutating func takeLetter(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count == 1, range.lowerBound > 1, text[range.lowerBound - 1] == .space,
      (UInt8(ascii: "A")...UInt8(ascii: "D")).contains(text[range.lowerBound])
    else { return false }
    var start = range.lowerBound - 1
    while start > 0, text[start - 1].isLetter { start -= 1 }
    let noun = ColumnWord(text.extracting(start..<range.lowerBound - 1))
    guard Self.lettered.contains(noun) else { return false }
    word.append(text[range.lowerBound])
    if Self.sensors.contains(noun) { rest.removeLast(min(rest.count, range.lowerBound - start)) }
    return true
  }

  /// A word that may bear a number: a quantity, an axis with its quantity, a word for a sensor, or none at all behind
  /// these.
  private func isNumbered(_ text: Span<UInt8>) -> Bool {
    let word = ColumnWord(text)
    guard !word.isEmpty else { return mayBeNumbered }
    return Self.sensors.contains(word) || text.count > 1 && ColumnName.isOfQuantity(word)
  }

  /// Leaves a word in the label, but for what says that it is a copy: `magXFiltered`.
  private mutating func keep(_ whole: Span<UInt8>) {
    let capitals = whole.indices.dropFirst().filter { whole[$0].isCapital && !whole[$0 - 1].isCapital }
    var range = whole.indices
    if let start = capitals.first, takeCopy(whole.extracting(0..<start), isFirst: true) { range = start..<whole.count }
    if let start = capitals.last, start > range.lowerBound {
      if takeCopy(whole.extracting(start..<whole.count), isFirst: true) { range = range.lowerBound..<start }
    } else if range.lowerBound == 0, takeCopy(whole, isFirst: false) || takeRaw(whole) {
      return
    }
    let text = whole.extracting(range)
    rest += text.bytes(in: 0..<text.count)
    for part in ColumnWord.words(of: text) {
      if Self.isSubject(part) { subjectHasCome = true }
      if Self.rawAxes.contains(part) { isRaw = true }
      if Self.axesOfB.contains(part) { isOfB = true }
      if ColumnName.isOfQuantity(part) || Self.sensors.contains(part) { mayBeNumbered = true }
      if ColumnName.isOfQuantity(part) || part == "x" || part == "y" || part == "z" {
        word = word + unknown
        unknown = ColumnWord()
      } else if !ColumnName.isKnown(part), !Self.plain.contains(part), text.indices.allSatisfy({ !text[$0].isDigit }) {
        unknown = unknown + part
      }
      if !ColumnName.isUnit(part) { isAlone = false }
    }
  }

  /// Takes a word that says that the numbers are a copy; false for any other.
  private mutating func takeCopy(_ text: Span<UInt8>, isFirst: Bool) -> Bool {
    let word = ColumnWord(text)
    let isCopy =
      Self.titles.contains(word) || hasSubject && Self.copies.contains(word)
      || !isFirst && subjectHasCome && Self.suffixes.contains(word)
    if isCopy { copy = copy + word }
    return isCopy
  }

  /// Takes a word that says that nothing was made of the numbers; false for any other.
  private mutating func takeRaw(_ text: Span<UInt8>) -> Bool {
    guard hasSubject, Self.raws.contains(ColumnWord(text)) else { return false }
    isRaw = true
    return true
  }

  private static func isSubject(_ word: ColumnWord) -> Bool {
    ColumnName.isOfQuantity(word) || word == "x" || word == "y" || word == "z"
  }

  /// Words for what was worked out of a sensor's numbers, which may stand alone before its axes.
  private static let titles: Set<ColumnWord> = [
    "filtered", "smoothed", "averaged", "calibrated", "corrected", "compensated", "adjusted", "normalized",
    "normalised",
  ]
  /// The words that need a quantity or an axis beside them.
  private static let copies: Set<ColumnWord> = titles.union([
    "filt", "filter", "lpf", "lowpass", "smooth", "avg", "average", "mean", "median", "ema", "sma", "kalman", "kf",
    "iir",
    "fir", "cal", "calib",
  ])
  /// The words that are so only behind it.
  private static let suffixes: Set<ColumnWord> = ["f", "lp", "n", "comp", "corr", "adj"]
  /// Words for numbers of which nothing was made.
  private static let raws: Set<ColumnWord> = ["raw", "uncal", "uncalibrated"]
  private static let rawAxes: Set<ColumnWord> = ["xraw", "yraw", "zraw"]
  private static let axesOfB: Set<ColumnWord> = ["bx", "by", "bz"]

  /// Words for a sensor of any kind, of which there may be several.
  static let sensors: Set<ColumnWord> = [
    "sensor", "imu", "ch", "channel", "unit", "node", "board", "dev", "device", "chip", "port", "bus", "probe",
  ]

  /// The sensors that are told apart by letters. An IMU's A is its acceleration.
  private static let lettered = sensors.subtracting(["imu", "bus"]).union(["mag", "magnetometer", "compass"])

  /// Words that two statements of one sensor differ by.
  private static let plain: Set<ColumnWord> = MissingNumber.words.union([
    "scaled", "counts", "count", "lsb", "strength", "vector", "data", "reading", "readings", "values", "output", "adc",
    "measured", "measurement", "component", "components", "in", "of", "the", "along", "flux", "density", "info",
    "debug", "micro", "milli", "nano",
  ])

  /// The words tell how numbers are stated, and not which sensor's they are: `Data in counts`, `Data in
  /// microTesla(uT)`.
  static func areOfStatement(_ words: [ColumnWord]) -> Bool {
    !words.isEmpty && words.allSatisfy { !sensors.contains($0) && (plain.contains($0) || ColumnName.isKnown($0)) }
  }

  /// Whether a text is the name of a chip.
  static func namesChip(_ text: Span<UInt8>) -> Bool {
    text.indices.allSatisfy { text[$0].isLetter || text[$0].isDigit } && chip(text) != nil
  }

  /// The chip that a word names, with its quantity where it measures one; nil for any other word.
  private static func chip(_ text: Span<UInt8>) -> (prefix: String, quantity: UInt8?)? {
    guard text.count > 3, text.indices.contains(where: { text[$0].isDigit }) else { return nil }
    let small = text.bytes(in: 0..<text.count).map { $0.isLetter ? $0 | 0x20 : $0 }
    return chips.first { small.starts(with: $0.prefix.utf8) }
  }

  /// The beginnings of the names of usual chips, the longer ones first.
  private static let chips: [(prefix: String, quantity: UInt8?)] = {
    let kinds: [(UInt8?, [String])] = [
      (nil, ["mpu9", "lsm9", "lsm303", "icm209", "bno0", "bmx", "fxos"]),
      (
        CSVColumns.Role.field,
        [
          "lis2mdl", "lis3mdl", "iis2mdc", "hmc", "qmc", "mmc", "ist8", "bmm", "bm142", "rm3", "mag31", "mlx9039",
          "tlv49", "tmag", "ak89", "ak09", "yas5",
        ]
      ),
      (
        CSVColumns.Role.acceleration,
        ["adxl3", "lis2d", "lis2h", "lis3d", "lis33", "h3lis", "mma", "bma", "kx0", "kx1", "msa3", "iis3d"]
      ), (CSVColumns.Role.rotationRate, ["l3g", "itg", "bmg", "adxrs", "fxas"]),
      (LineLabel.elsewhere, ["mpu6", "lsm6", "icm", "bmi", "qmi", "ism3", "asm3"]),
    ]
    return kinds.flatMap { kind in kind.1.map { (prefix: $0, quantity: kind.0) } }
  }()
}

extension ColumnWord {
  /// The ends of words for a copy of a sensor's numbers, and for raw ones.
  static let copyMark = UInt8(ascii: "~"), rawMark = UInt8(ascii: "^")
  /// Stands for axes of B that name no sensor.
  static let axesOfB: ColumnWord = "b?"

  /// The use of what the sensor states: 0 where it says no more, for that is in a unit where raw numbers may be counts;
  /// 1 for axes of B, 2 for raw numbers, and 3 for a copy that was filtered or corrected.
  var rank: Int {
    switch last {
    case Self.copyMark: 3
    case Self.rawMark: 2
    default: self == .axesOfB ? 1 : 0
    }
  }
}

/// The sensor that each quantity is taken from, where several of a kind tell it: the first that tells all three axes.
/// Axes of two sensors are never put together to one vector. A copy of a sensor's numbers is taken only where that
/// states no others.
struct SensorOwners: Sendable {
  private var sources = InlineArray<3, ColumnWord>(repeating: ColumnWord())
  /// Their owners before, as long as none has told all axes; a word that none has where there was none.
  private var formers = InlineArray<3, ColumnWord>(repeating: "?")
  /// Quantities that have an owner, and those whose owner has told all axes; one bit each.
  private var known: UInt8 = 0, whole: UInt8 = 0
  /// Quantities whose owner has come again behind another one.
  private var inTurn: UInt8 = 0

  /// The place of a quantity among the three, by its first role.
  static func place(_ first: UInt8) -> Int { Int(first &- CSVColumns.Role.field) / 3 % 3 }

  /// Axes of a quantity from a sensor are wanted.
  @inline(__always)
  func holds(_ first: UInt8, _ source: ColumnWord) -> Bool {
    let place = Self.place(first)
    return known >> UInt8(place) & 1 == 1 && sources[place] == source
  }

  /// The quantity is another sensor's from now on, unless its owner has told all axes already, or states more, or two
  /// tell their axes in turn, `x{a} x{b} y{a} y{b} …`, and it is the first of these; false then.
  mutating func pass(_ first: UInt8, to source: ColumnWord) -> Bool {
    let place = Self.place(first)
    let bit: UInt8 = 1 << UInt8(place)
    if known & bit != 0 {
      let rank = sources[place].rank
      guard source.rank < rank || source.rank == rank && whole & bit == 0 && inTurn & bit == 0 else { return false }
      if formers[place] == source { inTurn |= bit }
      formers[place] = sources[place]
    }
    known |= bit
    whole &= ~bit
    sources[place] = source
    return true
  }

  /// The owner has told all axes of the quantity.
  func isWhole(_ first: UInt8) -> Bool { whole >> UInt8(Self.place(first)) & 1 == 1 }

  /// The owner has told all axes; false the first time for a copy, behind which what it is one of may come. Raw numbers
  /// alone are a sensor like any other.
  mutating func noteWhole(_ first: UInt8) -> Bool {
    let place = Self.place(first)
    let bit: UInt8 = 1 << UInt8(place)
    defer { whole |= bit }
    return whole & bit != 0 || sources[place].rank < 3
  }
}
