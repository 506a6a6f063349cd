import LodestoneCore
import Testing

@testable import Drivers

/// Lines that state a field several times: as it was measured, filtered, corrected. One statement is read, and no other
/// mixed in.
@Suite struct StatementsTests {
  private static let field = Vector3(-12.9, 15.7, -43.5)
  private static let own = ["-12.9", "15.7", "-43.5"], other = ["1.0", "2.0", "3.0"]

  /// The fields that a table, objects and lines with such names give; the second names are those of the copy.
  private static func fields(_ pairs: [(name: String, value: String)]) -> [(String, [Vector3])] {
    let names = pairs.map { $0.name }.joined(separator: ","), values = pairs.map { $0.value }.joined(separator: ",")
    let object = "{" + pairs.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}\n"
    let line = pairs.map { "\($0.name):\($0.value)" }.joined(separator: " ") + "\n"
    return [
      ("csv", CSV.hear(names + "\n" + String(repeating: values + "\n", count: 6)).messages),
      ("json", JSONLines.hear(String(repeating: object, count: 6)).messages),
      ("labels", LabelledLines.hear(String(repeating: line, count: 6)).messages),
    ].map { ($0.0, $0.1.compactMap { $0.field }) }
  }

  @Test(arguments: [
    "m?_f", "m?_filt", "m?_lpf", "m?_smooth", "m?_avg", "m?_ema", "m?_kalman", "m?_cal", "m?_comp", "m?_raw",
    "m?_uncal",
    "filtered_m?", "mag?Filtered",
  ]) func aCopyBesideTheFieldIsNotRead(form: String) {
    let axes = ["x", "y", "z"]
    let plain = zip(axes.map { "m" + $0 }, Self.own).map { (name: $0, value: $1) }
    let capital = form.hasPrefix("mag")
    let copy = zip(axes.map { form.replacing("?", with: capital ? $0.uppercased() : $0) }, Self.other)
      .map { (name: $0, value: $1) }
    for order in [plain + copy, copy + plain, zip(plain, copy).flatMap { [$0, $1] }] {
      for (format, fields) in Self.fields(order) {
        #expect(fields.count >= 5 && fields.allSatisfy { $0 == Self.field }, "\(format) \(order): \(fields)")
      }
    }
  }

  /// Where nothing else is stated, a copy is better than nothing; raw numbers go before one.
  @Test(arguments: ["m?_filt", "m?_filtered", "m?_cal"]) func aCopyAloneIsRead(form: String) {
    let copy = zip(["x", "y", "z"].map { form.replacing("?", with: $0) }, Self.own).map { (name: $0, value: $1) }
    for (format, fields) in Self.fields(copy) {
      #expect(fields.count >= 4 && fields.allSatisfy { $0 == Self.field }, "\(format): \(fields)")
    }
    let raw = zip(["mx_raw", "my_raw", "mz_raw"], Self.own).map { (name: $0, value: $1) }
    let filtered = copy.map { (name: $0.name, value: "1.5") }
    for (format, fields) in Self.fields(filtered + raw) {
      #expect(fields.count >= 5 && fields.allSatisfy { $0 == Self.field }, "\(format): \(fields)")
    }
  }

  /// B is the field where it is alone, its magnitude beside it, and before raw numbers and copies of its own.
  @Test(arguments: ["", "b", "b?_raw", "b?_filt"]) func axesOfBAloneAreTheField(form: String) {
    let plain = zip(["bx", "by", "bz"], Self.own).map { (name: $0, value: $1) }
    let beside = form == "b" ? [(name: "b", value: "48.0")] : Self.copy(form)
    for order in [plain + beside, beside + plain] {
      for (format, fields) in Self.fields(order) {
        #expect(fields.count >= 4 && fields.allSatisfy { $0 == Self.field }, "\(format) \(order): \(fields)")
      }
    }
  }

  /// In tables and objects they are a magnetometer's biases beside its axes: headings stood still.
  @Test func axesOfBBesideAMagnetometersAreNone() {
    let plain = zip(["mx", "my", "mz"], Self.own).map { (name: $0, value: $1) }
    let biases = Self.copy("b?")
    for order in [plain + biases, biases + plain, zip(plain, biases).flatMap { [$0, $1] }] {
      for (format, fields) in Self.fields(order) where format != "labels" {
        #expect(fields.count >= 5 && fields.allSatisfy { $0 == Self.field }, "\(format) \(order): \(fields)")
      }
    }
  }

  /// The axes of another statement of the field; none without a form of their names.
  private static func copy(_ form: String) -> [(name: String, value: String)] {
    form.isEmpty ? [] : zip(["x", "y", "z"], other).map { (name: form.replacing("?", with: $0), value: $1) }
  }

  /// Raw counts behind a field with a unit had that unit.
  @Test func rawCountsHaveNoUnitOfOthers() {
    let lines = [
      "mx_uT:-12.9 my_uT:15.7 mz_uT:-43.5 mx_raw:-141 my_raw:171 mz_raw:-474\n",
      "Raw X: -141 Y: 171 Z: -474\nX: -12.9 Y: 15.7 Z: -43.5 uT\n",
    ]
    for line in lines {
      let messages = LabelledLines.hear(String(repeating: line, count: 8)).messages
      #expect(messages.count >= 7 && messages.allSatisfy { $0.field == Self.field && $0.fieldUnit == .microtesla })
    }
  }

  /// The words may stand before the axes, on their line or on one of their own.
  @Test(arguments: [
    "Raw: X: % Y: % Z: %\nCalibrated: X: 1 Y: 2 Z: 3\n", "X: % Y: % Z: %\nFiltered X: 1 Y: 2 Z: 3\n",
    "X: %\nY: %\nZ: %\nCalibrated:\nX: 1\nY: 2\nZ: 3\n", "mag_cal: 1, 2, 3\nmag_raw: %, %, %\n",
    "Mag: %, %, %\nCalibrated:\nMag: 1, 2, 3\n", "Offsets: X: 1 Y: 2 Z: 3\nX: % Y: % Z: %\n",
    "Mag: % % % Offset removed: X: 1 Y: 2 Z: 3\n",
  ]) func titlesTellStatementsApart(form: String) {
    let parts = form.split(separator: "%", omittingEmptySubsequences: false).map { String($0) }
    let text = zip(parts, Self.own + [""]).map { $0 + $1 }.joined()
    var decoder = LabelledLines()
    let fields = decoder.hear(Array(String(repeating: text, count: 8).utf8)).messages.compactMap { $0.field }
    #expect(fields.count >= 7 && fields.allSatisfy { $0 == Self.field }, "\(form): \(fields)")
    #expect(decoder.otherCompass == nil)
  }

  /// A title that comes once does not take all that follows.
  @Test func aTitleHoldsForWhatIsBelowIt() {
    let lines = String(repeating: "X: -12.9\nY: 15.7\nZ: -43.5\n", count: 8)
    let fields = LabelledLines.hear("Offsets:\nX: 1\nY: 2\nZ: 3\n" + lines).messages.compactMap { $0.field }
    #expect(fields.count >= 7 && fields.allSatisfy { $0 == Self.field }, "\(fields)")
  }

  /// Half spans, limits and zeros of sketches that calibrate are no field, where none stands beside them either.
  @Test(arguments: [
    " Hard offset: (3.00, -2.00, 4.00) Field: (20.1, 20.3, 47.2)\n", "Mag bias (mG): 12.0, -30.0, 35.0\n",
    "Mag Minimums: -44.95  -42.78  -47.25\nMag Maximums: 47.05  41.78  40.25\n", "Offsets: X: 12 Y: -30 Z: 35\n",
  ]) func whatWasWorkedOutIsNoField(line: String) {
    #expect(LabelledLines.hear(String(repeating: line, count: 8)).messages.isEmpty)
  }

  /// Infineon's TLx493D prints its temperature as T.
  @Test func degreesCelsiusAreNoTime() {
    let line = "Bx [mT]:-0.013,By [mT]:0.016,Bz [mT]:-0.044,T [°C]:24.5,Norm [mT]:0.048\n"
    let messages = LabelledLines.hear(String(repeating: line, count: 8)).messages
    #expect(messages.count >= 7 && messages.allSatisfy { $0.time == nil && $0.field == Vector3(-0.013, 0.016, -0.044) })
    let row = CSV.hear("T (°C),Bx (mT),By (mT),Bz (mT)\n" + String(repeating: "24.5,1,2,3\n", count: 4)).messages.last
    #expect(row?.time == nil && row?.temperature == 24.5)
  }
}
