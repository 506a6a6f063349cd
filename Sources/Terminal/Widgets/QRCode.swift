/// A QR code of a short text, for a phone's camera: bytes, versions 1 to 5 with error correction level L, which are one
/// block each (ISO/IEC 18004).
package struct QRCode: Equatable {
  /// Modules on a side.
  package let size: Int
  private var dark: [Bool]
  /// Modules that carry no data: finders, timing, alignment, format.
  private var isFixed: [Bool]

  /// Bytes of data and of correction, by version.
  private static let versions = [(19, 7), (34, 10), (55, 15), (80, 20), (108, 26)]

  /// The code of a text; nil for one of more than 106 bytes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let version = Self.versions.firstIndex(where: { bytes.count <= $0.0 - 2 }) else { return nil }
    size = 21 + 4 * version
    dark = Array(repeating: false, count: size * size)
    isFixed = dark
    drawPatterns(version: version + 1)
    let (dataCount, checkCount) = Self.versions[version]
    let data = Self.codewords(bytes, count: dataCount)
    place(data + ReedSolomon.check(data, count: checkCount))
    let choices = (0..<8).map { mask in masked(by: mask) }
    guard let best = choices.min(by: { $0.penalty < $1.penalty }) else { return nil }
    dark = best.dark
  }

  /// Whether a module is dark; false outside.
  package subscript(column: Int, row: Int) -> Bool {
    (0..<size).contains(column) && (0..<size).contains(row) && dark[row * size + column]
  }

  /// Lines of half blocks, black on white whatever the terminal's colours, with a rim of two modules.
  package var lines: [String] {
    stride(from: -2, to: size + 2, by: 2).map { row in
      let cells = (-2..<size + 2).map { column in
        switch (self[column, row], self[column, row + 1]) {
        case (false, false): " "
        case (true, false): "▀"
        case (false, true): "▄"
        case (true, true): "█"
        }
      }
      return "\u{1B}[30;107m" + cells.joined() + "\u{1B}[0m"
    }
  }

  // MARK: - Data

  /// Mode, length, bytes and padding.
  private static func codewords(_ bytes: [UInt8], count: Int) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ width: Int) { for bit in (0..<width).reversed() { bits.append(value >> bit & 1 == 1) } }
    append(4, 4)
    append(bytes.count, 8)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, count * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var words = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    while words.count < count { words.append((words.count - (bits.count / 8)) % 2 == 0 ? 0xEC : 0x11) }
    return words
  }

  /// Puts codewords into the free modules: pairs of columns from the right, up and down in turn.
  private mutating func place(_ words: [UInt8]) {
    var index = 0
    var isUpward = true
    var right = size - 1
    while right > 0 {
      if right == 6 { right -= 1 }
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] {
          if index < words.count * 8 { dark[row * size + column] = words[index / 8] >> (7 - index % 8) & 1 == 1 }
          index += 1
        }
      }
      isUpward.toggle()
      right -= 2
    }
  }

  // MARK: - Patterns

  private mutating func set(_ column: Int, _ row: Int, _ isDark: Bool) {
    guard (0..<size).contains(column), (0..<size).contains(row) else { return }
    dark[row * size + column] = isDark
    isFixed[row * size + column] = true
  }

  private mutating func drawPatterns(version: Int) {
    for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for x in -4...4 {
        for y in -4...4 {
          let ring = max(abs(x), abs(y))
          set(column + x, row + y, ring != 2 && ring != 4)
        }
      }
    }
    for place in 8..<size - 8 {
      set(place, 6, place % 2 == 0)
      set(6, place, place % 2 == 0)
    }
    if version > 1 {
      let centre = size - 7
      for x in -2...2 { for y in -2...2 { set(centre + x, centre + y, max(abs(x), abs(y)) != 1) } }
    }
    drawFormat(mask: 0)
  }

  /// The level of correction and the mask, twice, with their own correction.
  private mutating func drawFormat(mask: Int) {
    let data = 1 << 3 | mask
    var rest = data << 10
    for bit in (10..<15).reversed() where rest >> bit & 1 == 1 { rest ^= 0x537 << (bit - 10) }
    let bits = (data << 10 | rest) ^ 0x5412
    func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
    for place in 0..<6 { set(8, place, bit(place)) }
    set(8, 7, bit(6))
    set(8, 8, bit(7))
    set(7, 8, bit(8))
    for place in 9..<15 { set(14 - place, 8, bit(place)) }
    for place in 0..<8 { set(size - 1 - place, 8, bit(place)) }
    for place in 8..<15 { set(8, size - 15 + place, bit(place)) }
    set(8, size - 8, true)
  }

  // MARK: - Masks

  private func masked(by mask: Int) -> QRCode {
    var code = self
    for row in 0..<size {
      for column in 0..<size where !isFixed[row * size + column] && Self.inverts(mask, column, row) {
        code.dark[row * size + column].toggle()
      }
    }
    code.drawFormat(mask: mask)
    return code
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  /// How hard it is to read: runs, blocks, what looks like a finder, and too much of one colour.
  private var penalty: Int {
    var sum = 0
    for line in 0..<size {
      sum += runPenalty((0..<size).map { self[$0, line] }) + runPenalty((0..<size).map { self[line, $0] })
    }
    for row in 0..<size - 1 {
      for column in 0..<size - 1 {
        let first = self[column, row]
        if self[column + 1, row] == first, self[column, row + 1] == first, self[column + 1, row + 1] == first {
          sum += 3
        }
      }
    }
    let share = dark.lazy.filter { $0 }.count * 20 / (size * size)
    return sum + 10 * max(0, abs(share - 10) - (share < 10 ? 1 : 0))
  }

  private func runPenalty(_ line: [Bool]) -> Int {
    var (sum, run) = (0, 0)
    for (place, isDark) in line.enumerated() {
      run = place > 0 && line[place - 1] == isDark ? run + 1 : 1
      if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    for start in 0...(line.count - 7) where Array(line[start..<start + 7]) == finder {
      let before = (start - 4..<start).allSatisfy { $0 < 0 || !line[$0] }
      let after = (start + 7..<start + 11).allSatisfy { $0 >= line.count || !line[$0] }
      if before { sum += 40 }
      if after { sum += 40 }
    }
    return sum
  }
}

/// Error correction over GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1.
private enum ReedSolomon {
  static func check(_ data: [UInt8], count: Int) -> [UInt8] {
    var divisor = Array(repeating: UInt8(0), count: count)
    divisor[count - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<count {
      for place in divisor.indices {
        divisor[place] = times(divisor[place], root) ^ (place + 1 < count ? divisor[place + 1] : 0)
      }
      root = times(root, 2)
    }
    var rest = Array(repeating: UInt8(0), count: count)
    for byte in data {
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for place in rest.indices { rest[place] ^= times(divisor[place], factor) }
    }
    return rest
  }

  private static func times(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var product = 0
    for bit in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7) * 0x11D
      if b >> bit & 1 == 1 { product ^= Int(a) }
    }
    return UInt8(truncatingIfNeeded: product)
  }
}
