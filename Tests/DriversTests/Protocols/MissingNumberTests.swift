import LodestoneCore
import Testing

@testable import Drivers

/// Words in the place of a number: a sensor that was not read for a moment, or is not there at all, takes nothing else
/// with it. `nan`, `inf` and `ovf` are what Arduino's `Print` writes (Print.cpp, printFloat), `nan` and `-nan` what
/// glibc does, `None` and `nan` Python, `NaN` JavaScript and MATLAB, `NA` R.
@Suite struct MissingNumberTests {
  private static let field = Vector3(-12.9, 15.7, -43.5)
  private static let words = ["nan", "-nan", "NaN", "inf", "-inf", "ovf", "None", "null", "NA", "N/A"]

  private static func messages(_ text: String, chunk: Int = 4096) -> [WireMessage] {
    var stream = WireStream()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      stream.append(Array(rest.prefix(chunk)).span)
      rest = rest.dropFirst(chunk)
    }
    stream.end()
    var messages: [WireMessage] = []
    while let event = stream.next() { if case .message(let message) = event { messages.append(message) } }
    #expect(stream.otherCompass == nil)
    return messages
  }

  /// A field without numbers for a while comes back, whatever the form of its lines.
  @Test(
    arguments: [
      "mx:%,my:%,mz:%", "mx=% my=% mz=%", "X: %  Y: %  Z: %  uT", "Mag (uT): (%, %, %)", "Mag X: % uT Y: % uT Z: % uT",
      "Compass: X=% Y=% Z=%", "m: % % %",
    ], words)
  func aFieldComesBack(form: String, word: String) {
    func line(_ numbers: [String]) -> String {
      let parts = form.split(separator: "%", omittingEmptySubsequences: false)
      return zip(parts, numbers).map { $0 + $1 }.joined() + (parts.last ?? "") + "\n"
    }
    let good = (0..<6).map { line(["-12.\($0)", "15.7", "-43.5"]) }.joined()
    for bad in [[word, word, word], ["-12.9", word, "-43.5"]] {
      let heard = Self.messages(good + String(repeating: line(bad), count: 9) + good)
      let fields = heard.compactMap { $0.field }
      #expect(fields.count == 12 && fields.allSatisfy { $0.y == 15.7 && $0.z == -43.5 }, "\(form) \(bad): \(fields)")
      #expect(fields.map { $0.x } == [-12, -12.1, -12.2, -12.3, -12.4, -12.5, -12, -12.1, -12.2, -12.3, -12.4, -12.5])
    }
  }

  /// What stands beside a sensor without numbers is read: a gyroscope that is not there, a thermometer that was not
  /// read.
  @Test(arguments: words) func whatStandsBesideIsRead(word: String) {
    let lines = [
      "ax:0.1,ay:0.2,az:0.97,gx:\(word),gy:\(word),gz:\(word),mx:-12.9,my:15.7,mz:-43.5",
      "temp: \(word), mx: -12.9, my: 15.7, mz: -43.5", "Humidity: \(word) %, T: \(word) C, mx:-12.9,my:15.7,mz:-43.5",
      "Gyro: \(word) \(word) \(word) Mag: -12.9 15.7 -43.5", "heading: \(word), mx:-12.9,my:15.7,mz:-43.5",
    ]
    for line in lines {
      let heard = Self.messages(String(repeating: line + "\n", count: 12))
      #expect(heard.count == 12 && heard.allSatisfy { $0.field == Self.field }, "\(line): \(heard.count)")
      #expect(heard.allSatisfy { $0.rotationRate == nil && $0.temperature == nil && $0.time == nil && $0.own == nil })
    }
    let table = "mx_uT,my_uT,mz_uT,gx_dps,gy_dps,gz_dps,temperature_C\n"
    let rows = Self.messages(table + String(repeating: "-12.9,15.7,-43.5,\(word),\(word),\(word),\(word)\n", count: 12))
    #expect(rows.count == 12 && rows.allSatisfy { $0.field == Self.field && $0.rotationRate == nil })
    #expect(rows.allSatisfy { $0.temperature == nil })
  }

  /// On lines of their own the acceleration goes without the field, and no value meets one of another moment.
  @Test func sensorsOnLinesOfTheirOwn() {
    let text = (0..<9).map { number in
      let field = number == 4 ? "nan nan nan" : "-12.9 15.7 -43.\(number)"
      return "Accel: 0.1 0.2 0.9\(number)\nMag: \(field)\n"
    }
    let heard = Self.messages(text.joined())
    #expect(heard.compactMap { $0.field }.count == 8 && heard.compactMap { $0.acceleration }.count == 9)
    for message in heard {
      guard let field = message.field, let force = message.acceleration else { continue }
      #expect(((-43 - field.z) * 10).rounded() == ((force.z - 0.9) * 100).rounded())
    }
  }

  /// Axes on lines of their own: a moment that lacks one is left out.
  @Test func axesOnLinesOfTheirOwn() {
    let good = "X: -12.9\nY: 15.7\nZ: -43.5\n"
    let heard = Self.messages(good + good + "X: -12.9\nY: nan\nZ: -43.5\n" + good + good)
    #expect(heard.count == 4 && heard.allSatisfy { $0.field == Self.field }, "\(heard.map { $0.field })")
  }

  /// Words that stand where no number is due take nothing away, and names that end in one are names.
  @Test(arguments: [
    "level=none mx:-12.9 my:15.7 mz:-43.5 na: 3 inf: 4", "X: -12.9 Y: 15.7 Z: -43.5 none",
    "Mag (uT): (-12.9, 15.7, -43.5) none", "Mag: -12.9 15.7 -43.5 N/A", "mx=-12.9 my=15.7 mz=-43.5 state=null",
  ])
  func otherWordsTakeNothingAway(line: String) {
    let heard = Self.messages(String(repeating: line + "\n", count: 12))
    #expect(heard.count == 12 && heard.allSatisfy { $0.field == Self.field }, "\(line): \(heard.map { $0.field })")
  }
}
