import LodestoneCore

/// NMEA 0183 sentences, of any talker: headings, attitude, raw field and positions.
///
/// A sentence is `$`, an address, fields between commas, and `*` with the exclusive or of all in between. One without a
/// checksum is taken and marked unchecked, unless sentences of that address have carried one: then it is a damaged
/// line. Which sentences mean something to us stands in `NMEASentence`, whose headings are read in `NMEATalkers`.
struct NMEA0183: SentenceReading {
  static let name = "nmea"
  static let proof = WireProof.checksum

  var framer = LineFramer()
  private var habits = ChecksumHabits()
  private var talkers = NMEATalkers()
  /// A sentence has come: what begins with `#` is a remark beside them.
  private var hasSentences = false

  init() {}

  var lacksChecksums: Bool { habits.lackChecksums }

  var otherCompass: String? { talkers.otherCompass }

  mutating func hear(at arrival: Double) { talkers.hear(at: arrival) }

  func fromStart() -> NMEA0183 {
    var start = NMEA0183()
    start.talkers = talkers.fromStart()
    start.hasSentences = true
    return start
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    switch NMEAFrame.find(in: line) {
    case .none: return line[0] == UInt8(ascii: "#") && hasSentences ? .other : .rejected(.unrecognized)
    case .damaged: return .rejected(.checksum)
    case .found(let frame):
      let address = NMEAAddress(line, frame.content)
      guard frame.isChecked || address.isPlausible(in: line) else { return .rejected(.unrecognized) }
      guard habits.accept(address.bits, isChecked: frame.isChecked) else { return .rejected(.checksum) }
      hasSentences = true
      if frame.isEncapsulated { return .other }
      let meaning = NMEASentence.read(line, address, frame, into: &message)
      guard case .message = meaning, message.own != nil else { return meaning }
      talkers.sift(&message, address)
      return NMEASentence.meaning(of: message)
    }
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    NMEASentence.encode(message, into: &bytes)
  }
}

/// The place of a sentence in a line.
struct NMEAFrame {
  /// The bytes from the first of the address to the one before `*`.
  var content: Range<Int>
  /// A checksum stood there, and was right.
  var isChecked: Bool
  /// Whether it began with `!`: packed data such as AIS.
  var isEncapsulated: Bool

  enum Found {
    case none, damaged
    case found(NMEAFrame)
  }

  /// The last sentence in a line: what stands before it is the wreck of another. A checksum of two digits is the
  /// exclusive or, one of four is CRC-16/XMODEM, and `XX` says that there is none.
  static func find(in line: Span<UInt8>) -> Found {
    if let frame = findUsual(in: line) { return .found(frame) }
    return findOther(in: line)
  }

  @inline(never)
  private static func findOther(in line: Span<UInt8>) -> Found {
    guard line.quickIndex(of: UInt8(ascii: "$"), or: UInt8(ascii: "!"), from: 0) < line.count else { return .none }
    var start = line.count
    var isEncapsulated = false
    var star: Int?
    while start > 0 {
      start &-= 1
      let byte = line[start]
      if byte == UInt8(ascii: "*"), star == nil { star = start }
      if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") {
        isEncapsulated = byte == UInt8(ascii: "!")
        return check(line, start &+ 1, star, isEncapsulated)
      }
    }
    return .none
  }

  /// The frame of a usual line: `$` first, one sentence, and a correct checksum at its end; nil for any other.
  @inline(__always)
  private static func findUsual(in line: Span<UInt8>) -> NMEAFrame? {
    let star = line.count &- 3
    guard star > 8, line[0] == UInt8(ascii: "$"), line[star] == UInt8(ascii: "*"),
      let high = line[star &+ 1].hexadecimalValue, let low = line[star &+ 2].hexadecimalValue
    else { return nil }
    // Eight bytes at a time: their exclusive or, whether one of them is no ASCII, and whether another sentence begins.
    var (sum, all, marks) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
    var index = 1
    while index &+ 8 <= star {
      let word = line.eightBytes(at: index)
      sum ^= word
      all |= word
      marks |= word.marks(of: UInt8(ascii: "$")) | word.marks(of: UInt8(ascii: "!"))
      index &+= 8
    }
    // The rest are the last of the eight bytes before the end.
    let rest = line.eightBytes(at: star &- 8) >> UInt64(truncatingIfNeeded: 8 &* (8 &- (star &- index)))
    sum ^= rest
    all |= rest
    marks |= rest.marks(of: UInt8(ascii: "$")) | rest.marks(of: UInt8(ascii: "!"))
    guard marks == 0, all & 0x8080_8080_8080_8080 == 0 else { return nil }
    sum ^= sum >> 32
    sum ^= sum >> 16
    sum ^= sum >> 8
    guard UInt8(truncatingIfNeeded: sum) == high << 4 | low else { return nil }
    return NMEAFrame(content: 1..<star, isChecked: true, isEncapsulated: false)
  }

  /// The end of a sentence that stands between quotes, as in a string of JSON, or before a logger's stamp
  /// (`…*2C,1714557600000`); otherwise where the line does.
  private static func sentenceEnd(_ line: Span<UInt8>, _ star: Int, _ end: Int) -> Int {
    for digits in [2, 4] where star + digits + 1 < end {
      switch line[star + digits + 1] {
      case .quote, UInt8(ascii: "\\"), .comma, .semicolon, .space, .tab: return star + digits + 1
      default: break
      }
    }
    return end
  }

  private static func check(_ line: Span<UInt8>, _ start: Int, _ star: Int?, _ isEncapsulated: Bool) -> Found {
    var end = line.count
    while end > start, line[end &- 1].isBlank { end &-= 1 }
    if let star { end = sentenceEnd(line, star, end) }
    for index in start..<end where line[index] < 0x20 || line[index] > 0x7E { return .none }
    guard let star, star < end else {
      return .found(NMEAFrame(content: start..<end, isChecked: false, isEncapsulated: isEncapsulated))
    }
    let content = start..<star
    var frame = NMEAFrame(content: content, isChecked: true, isEncapsulated: isEncapsulated)
    if end - star == 3, line.holds("XX", at: star + 1) {
      frame.isChecked = false
      return .found(frame)
    }
    var told: UInt16 = 0
    for index in star + 1..<end {
      guard let digit = line[index].hexadecimalValue else { return .damaged }
      told = told << 4 | UInt16(digit)
    }
    switch end - star {
    case 3: return told == UInt16(Checksum.xor8(line.extracting(content))) ? .found(frame) : .damaged
    case 5: return told == Checksum.xmodem(line.extracting(content)) ? .found(frame) : .damaged
    default: return .damaged
    }
  }
}

/// The addresses that have carried checksums: a talker that sends them always does, so a line of it without one has
/// lost its end. Addresses share 64 places; two that meet in one can at worst have an unchecked line refused.
struct ChecksumHabits: Sendable {
  private var checked: UInt64 = 0
  private var hasUnchecked = false

  /// No sentence has carried a checksum.
  var lackChecksums: Bool { hasUnchecked && checked == 0 }

  /// Notes a sentence; false when it lacks the checksum that its address has carried before.
  mutating func accept(_ address: UInt64, isChecked: Bool) -> Bool {
    let place: UInt64 = 1 << ((address &* 0x9E37_79B9_7F4A_7C15) >> 58)
    if isChecked {
      checked |= place
      return true
    }
    hasUnchecked = true
    return checked & place == 0
  }
}

/// The address of a sentence: for `$HCHDG,` talker `HC` and sentence `HDG`.
struct NMEAAddress {
  /// The letters of the address, the last in the lowest byte; zero when it has more than eight.
  let bits: UInt64
  /// The place at which the fields begin.
  let fieldStart: Int
  private let content: Range<Int>

  /// The address in the bytes up to the first comma.
  @inline(__always)
  init(_ line: Span<UInt8>, _ content: Range<Int>) {
    let start = content.lowerBound
    // One of up to seven letters lies with its comma in eight bytes.
    let word = start &+ 8 <= line.count ? line.eightBytes(at: start) : 0
    let bitCount = word.marks(of: .comma).trailingZeroBitCount & 0x78
    var index = start &+ bitCount >> 3
    if bitCount > 0, bitCount < 64, index < content.upperBound {
      bits = word.byteSwapped >> UInt64(truncatingIfNeeded: 64 &- bitCount)
    } else {
      var letters: UInt64 = 0
      index = start
      while index < content.upperBound, line[index] != .comma {
        letters = letters << 8 | UInt64(line[index])
        index &+= 1
      }
      bits = index &- start <= 8 ? letters : 0
    }
    fieldStart = index &+ 1
    self.content = content
  }

  /// Whether it looks like an address: three to eight capitals or digits and a comma. Only a checksum excuses another.
  func isPlausible(in line: Span<UInt8>) -> Bool {
    let end = fieldStart - 1
    return end < content.upperBound && (3...8).contains(end - content.lowerBound)
      && (content.lowerBound..<end).allSatisfy { line[$0].isCapital || line[$0].isDigit }
  }

  /// The three letters after a talker of two; zero when the address is not five letters long.
  var sentence: UInt64 { bits >> 32 != 0 && bits >> 40 == 0 ? bits & 0xFF_FFFF : 0 }

  /// The talker, as `bits` would hold it: two letters before a sentence of three, else the first four, as of makers.
  var talker: UInt64 {
    let count = (71 &- bits.leadingZeroBitCount) / 8
    let isMakers = sentence == 0 || bits >> 32 == UInt64(UInt8(ascii: "P"))
    return bits >> UInt64(truncatingIfNeeded: 8 &* max(0, count &- (isMakers ? 4 : 2)))
  }

  /// The letters of a word that `bits` or `talker` holds.
  static func text(_ word: UInt64) -> String {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }.drop { $0 == 0 }
      .harmlessText
  }

  /// A word as `bits` would hold it.
  static func word(_ text: StaticString) -> UInt64 {
    text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
  }
}
