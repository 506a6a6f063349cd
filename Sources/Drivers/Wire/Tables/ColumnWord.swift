/// A word of a column's name: letters in lower case, digits and slashes. It is one number, which is compared and looked
/// up many times faster than text; a word of more than 16 letters is like no other.
struct ColumnWord: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The last 16 letters, the last of all in the lowest byte.
  private var letters: UInt128 = 0
  private var count = 0

  /// A word without letters.
  init() {}

  init(stringLiteral text: StaticString) {
    text.withUTF8Buffer { for letter in $0 { append(letter) } }
  }

  /// The letters in lower case, and the digits and strokes, of a text.
  init(_ text: Span<UInt8>) {
    for index in text.indices { append(text[index].isLetter ? text[index] | 0x20 : text[index]) }
  }

  var isEmpty: Bool { count == 0 }

  /// Whether it is made of digits.
  var isNumber: Bool {
    count > 0 && count <= 16
      && (0..<count).allSatisfy { UInt8(truncatingIfNeeded: letters >> (8 * UInt128($0))).isDigit }
  }

  /// The last letter; zero where there is none.
  var last: UInt8 { UInt8(truncatingIfNeeded: letters) }

  /// A number that differs between most words.
  fileprivate var mix: Int {
    let folded = UInt64(truncatingIfNeeded: letters) ^ UInt64(truncatingIfNeeded: letters >> 57)
    return Int(truncatingIfNeeded: folded &* 0x9E37_79B9_7F4A_7C15 >> 32)
  }

  @inline(__always)
  mutating func append(_ letter: UInt8) {
    letters = letters << 8 | UInt128(letter)
    count += 1
  }

  /// One word after the other, as one.
  static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.letters = b.count < 16 ? a.letters << (8 * UInt128(b.count)) | b.letters : b.letters
    sum.count += b.count
    return sum
  }

  /// A sign that stands for letters, and its count of bytes: µ, ° and ², in UTF-8 or in Latin-1, and a letter with an
  /// accent; nil where none is. WitMotion's app writes another letter for µ, `Magnetic field X(ʯt)`.
  @inline(__always)
  static func sign(_ text: Span<UInt8>, at index: Int) -> (ColumnWord, length: Int)? {
    if text.holds("\u{B5}", at: index) || text.holds("\u{3BC}", at: index) { return ("u", 2) }
    if text.holds("\u{2AF}", at: index) { return ("u", 2) }
    if text.holds("°", at: index) { return ("deg", 2) }
    if text.holds("²", at: index) { return ("2", 2) }
    if let length = lostMicro(text, at: index) { return ("u", length) }
    if let letter = plainLetter(text, at: index) { return (letter, 2) }
    return latinSign(text, at: index).map { ($0, 1) }
  }

  /// The count of bytes of what stands for µ before a T in files that a program has read in another encoding: `Î¼T`, a
  /// question mark, or the mark of a letter that could not be read; nil for others.
  private static func lostMicro(_ text: Span<UInt8>, at index: Int) -> Int? {
    let kinds: [(StaticString, length: Int)] = [("\u{CE}\u{BC}T", 4), ("\u{FFFD}T", 3), ("?T", 1)]
    return kinds.first { text.holds($0.0, at: index) }?.length
  }

  /// A Latin letter without its accent; nil for other letters, and for two that stand before signs in text that was
  /// read in another encoding (`Â°`).
  private static func plainLetter(_ text: Span<UInt8>, at index: Int) -> ColumnWord? {
    guard text[index] == 0xC3, index + 1 < text.count, (0x80..<0xC0).contains(text[index + 1]) else { return nil }
    let letter = plainLetters.utf8Start[Int(text[index + 1] - 0x80)]
    guard letter.isLetter else { return nil }
    var word = ColumnWord()
    word.append(letter)
    return word
  }

  /// U+00C0 to U+00FF.
  private static let plainLetters: StaticString = "aa__aa_ceeeeiiii_nooooo_ouuuuy__aaaaaa_ceeeeiiii_nooooo_ouuuuy_y"

  /// The word for a quantity that words of another script begin with, and the count of their bytes; nil for others.
  static func translated(_ text: Span<UInt8>, at index: Int) -> (ColumnWord, length: Int)? {
    guard text[index] >= 0xD0, let found = scripts.first(where: { text.holds($0.0, at: index) }) else { return nil }
    return (found.1, found.0.utf8CodeUnitCount)
  }

  /// Japanese, Chinese and Russian.
  private static let scripts: [(StaticString, ColumnWord)] = [
    ("加速度", "acc"), ("角速度", "gyro"), ("ジャイロ", "gyro"), ("陀螺", "gyro"), ("地磁", "mag"), ("磁場", "mag"), ("磁场", "mag"),
    ("磁気", "mag"), ("磁气", "mag"), ("磁力", "mag"), ("磁束密度", "mag"), ("時間", "time"), ("时间", "time"), ("時刻", "time"),
    ("方位", "azimuth"), ("航向", "azimuth"), ("Магн", "mag"), ("магн", "mag"), ("Ускор", "acc"), ("ускор", "acc"),
    ("Акселер", "acc"), ("акселер", "acc"), ("Гиро", "gyro"), ("гиро", "gyro"), ("Время", "time"), ("время", "time"),
    ("Азимут", "azimuth"), ("азимут", "azimuth"), ("Курс", "azimuth"), ("курс", "azimuth"),
  ]

  /// A sign of one byte, which is no part of a letter in UTF-8.
  private static func latinSign(_ text: Span<UInt8>, at index: Int) -> ColumnWord? {
    guard index == 0 || text[index - 1] < 0x80 else { return nil }
    switch text[index] {
    case 0xB5: return "u"
    case 0xB0: return "deg"
    case 0xB2: return "2"
    default: return nil
    }
  }

  /// The words of a name: it is split at anything but letters, digits and /, and where a small letter is followed by a
  /// capital (`magX`, `accelerationY`). µ is written u, ° deg, ² 2 and é e.
  static func words(of name: Span<UInt8>) -> [ColumnWord] {
    var words: [ColumnWord] = []
    var word = ColumnWord()
    var wasSmall = false
    var index = 0
    func end(_ word: inout ColumnWord) {
      if !word.isEmpty { words.append(word) }
      word = ColumnWord()
    }
    while index < name.count {
      let letter = name[index]
      defer { index &+= 1 }
      if letter.isLetter {
        if letter.isCapital, wasSmall, word.last != UInt8(ascii: "u"), word != "m", word != "n" { end(&word) }
        word.append(letter | 0x20)
        wasSmall = !letter.isCapital
      } else if letter.isDigit || letter == UInt8(ascii: "/") {
        word.append(letter)
        wasSmall = false
      } else if let (other, length) = sign(name, at: index) {
        word = word + other
        wasSmall = other == "u"
        index &+= length &- 1
      } else if let (other, length) = translated(name, at: index) {
        end(&word)
        words.append(other)
        wasSmall = false
        index &+= length &- 1
      } else {
        end(&word)
        wasSmall = false
      }
    }
    end(&word)
    return words
  }
}

/// A table of words and their meanings. Most words asked for are in no such table; a look-up takes a few nanoseconds.
struct WordTable<Meaning: Sendable>: Sendable {
  /// The entries, each at the place of its word's mix, or the next free one after it.
  private var entries: [(word: ColumnWord, meaning: Meaning)?]

  /// A table that is at most an eighth full.
  init(_ words: [ColumnWord: Meaning]) {
    var count = 64
    while count < 8 * words.count { count *= 2 }
    entries = Array(repeating: nil, count: count)
    for (word, meaning) in words { entries[place(of: word)] = (word, meaning) }
  }

  subscript(word: ColumnWord) -> Meaning? { entries[place(of: word)]?.meaning }

  /// The place at which a word stands, or would.
  private func place(of word: ColumnWord) -> Int {
    var place = word.mix & (entries.count - 1)
    while let entry = entries[place], entry.word != word { place = (place + 1) & (entries.count - 1) }
    return place
  }
}
