/// A magnetic observatory, or a station of variometers, and the records of its files in IAGA-2002: lines of 70
/// characters with minute means along geographic axes, in nanotesla. Source: "IAGA 2002 Data Exchange Format", NOAA
/// National Centers for Environmental Information.
public struct Observatory: Sendable {
  /// Three capital letters of the association's list, or nothing.
  public var code = ""
  /// The station's name.
  public var name = ""
  /// The institute that collects the data.
  public var source = ""
  /// The geodetic latitude in degrees, north positive; nil where it is not told.
  public var latitude: Double?
  /// The longitude in degrees, east positive; nil where it is not told.
  public var longitude: Double?
  /// The elevation in metres above the sea; nil where it is not told.
  public var elevation: Double?

  /// A station of which nothing is known.
  public init() {}

  /// The number in place of a value that was not measured, in nT.
  public static let missing = 99_999.0
  /// The least number in nT that stands for no measurement: 88888 for a component that is not observed.
  public static let firstMark = 88_888.0
  /// The length of each line, without its end.
  public static let columnCount = 70

  /// Appends the twelve records at the top, comments, and the names of the columns.
  public func appendHeader(comments: [String] = [], interval: String, to text: inout TextBuffer) {
    let records: [(String, String)] = [
      ("Format", "IAGA-2002"), ("Source of Data", source), ("Station Name", name), ("IAGA CODE", code),
      ("Geodetic Latitude", latitude?.text(decimals: 3) ?? ""),
      ("Geodetic Longitude", longitude.map { ($0 < 0 ? $0 + 360 : $0).text(decimals: 3) } ?? ""),
      ("Elevation", elevation?.text(decimals: 0) ?? ""), ("Reported", "XYZF"), ("Sensor Orientation", "XYZ"),
      ("Digital Sampling", ""), ("Data Interval Type", interval), ("Data Type", "variation"),
    ]
    for (label, words) in records { Self.append(" " + label, words, to: &text) }
    for comment in comments { Self.append(" # " + comment, "", to: &text) }
    let names = ["X", "Y", "Z", "F"].map { Self.padded(Self.plain(code) + $0, to: 10) }.joined()
    Self.append("DATE       TIME         DOY     " + names, "", to: &text)
  }

  /// Appends one record: a moment in UTC, and the field to the geographic north, to the east and down in µT; nil where
  /// it was not measured. What the columns have no room for counts as not measured.
  public static func append(_ unixTime: Double, _ field: Vector3?, to text: inout TextBuffer) {
    text.append(utc: unixTime, decimals: 3, between: " ", zone: " ")
    text.append(CalendarTime(unixTime: unixTime).dayOfYear, width: 3)
    text.append("   ")
    let nanotesla = field.map { $0 / FieldUnit.nanotesla.microtesla }
    let values = nanotesla.map { [$0.x, $0.y, $0.z, $0.length] } ?? []
    let fits = !values.isEmpty && values.allSatisfy { $0.magnitude < firstMark }
    for value in fits ? values : [missing, missing, missing, missing] {
      let digits = value.text(decimals: 2)
      for _ in digits.utf8.count..<max(digits.utf8.count, 10) { text.append(" ") }
      text.append(text: digits)
    }
    text.append("\n")
  }

  /// A label, its text from the 25th column on, and the bar in the last one.
  private static func append(_ label: String, _ words: String, to text: inout TextBuffer) {
    let line = words.isEmpty ? label : padded(label, to: 24) + plain(words)
    text.append(text: String(padded(line, to: columnCount - 1).prefix(columnCount - 1)))
    text.append("|\n")
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The format is plain ASCII, and its bar ends a line.
  private static func plain(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value >= 32 && $0.value < 127 && $0 != "|" ? Character($0) : "?" })
  }
}
