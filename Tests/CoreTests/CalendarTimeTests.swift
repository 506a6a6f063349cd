import LodestoneCore
import Testing

/// Expected values from `date -u -d … +%s` of GNU coreutils.
@Suite struct CalendarTimeTests {
  private static let moments: [(text: String, seconds: Double)] = [
    ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59Z", -1),
    ("2000-02-29T12:00:00Z", 951_825_600),
    ("2026-03-01T09:30:00Z", 1_772_357_400),
    ("1900-03-01T00:00:00Z", -2_203_891_200),
    ("0001-01-01T00:00:00Z", -62_135_596_800),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
  ]

  @Test(arguments: moments)
  func agreesWithTheSystemsCalendar(text: String, seconds: Double) {
    #expect(CalendarTime(iso: text)?.unixTime == seconds)
    #expect(CalendarTime.text(unixTime: Int(seconds)) == text)
  }

  @Test func everyDayOfEightCenturiesReadsBack() {
    var previous: CalendarTime?
    for day in stride(from: -135_140, to: 157_054, by: 1) {
      let time = CalendarTime(unixTime: Double(day) * 86_400 + 1)
      #expect(time.daysSince1970 == day)
      #expect(time.secondOfDay == 1)
      if let previous, previous.year == time.year { #expect(time.dayOfYear == previous.dayOfYear + 1) }
      previous = time
    }
  }

  @Test(arguments: [
    ("2026-03-01", 1_772_323_200.0), ("2026-03-01T09:30", 1_772_357_400), ("2026-03-01 09:30:00.25", 1_772_357_400.25),
    ("2026-03-01T11:30:00+02:00", 1_772_357_400),
    ("2026-03-01 11:30:00.000 +0200", 1_772_357_400), ("2026-03-01T04:00:00-0530", 1_772_357_400),
  ])
  func timeAndZoneMayBeShort(text: String, seconds: Double) {
    #expect(CalendarTime(iso: text)?.unixTime == seconds)
  }

  @Test(arguments: [
    "", "2026", "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "2026-01-01T24:00",
    "2026-01-01T10:60", "2026-01-01T10:00:00 ", "2026-01-01T10:00:00 0100",
    "2026-01-01T10:00:61", "2026-01-01T10:00:00X", "2026-01-01T10:00:00Z ", "26-01-01", "2026-1-1", "2026-01-01T",
    "2026-01-01T10:00:00+2", "2026-01-01T10:00:00+24:00", "2026-01-01T10:00:-5", "99999-01-01", "2026-01-01T10:00:nan",
  ])
  func whatIsNoMomentIsRefused(text: String) {
    #expect(CalendarTime(iso: text) == nil)
  }

  @Test func theFarEndsAreTheNearestMoments() {
    for seconds in [Double.nan, -.infinity, -1e300] { #expect(CalendarTime(unixTime: seconds).year == 1) }
    for seconds in [Double.infinity, 1e300, 253_402_300_800] {
      let time = CalendarTime(unixTime: seconds)
      #expect((time.year, time.month, time.day) == (9999, 12, 31))
    }
  }

  @Test func fractionsAreCut() {
    var text = TextBuffer()
    text.append(utc: 1_772_357_400.2509)
    text.append(" ")
    text.append(utc: 1_772_357_400.9999, decimals: 0)
    #expect(text.text == "2026-03-01T09:30:00.250Z 2026-03-01T09:30:00Z")
  }

  /// A written moment that is read and written again is the same, however often.
  @Test func millisecondsComeBack() {
    for millisecond in 0..<1000 {
      var text = TextBuffer()
      text.append(utc: 1_772_357_400 + Double(millisecond) / 1000)
      #expect(text.text == "2026-03-01T09:30:00.\(String(1000 + millisecond).dropFirst())Z")
    }
  }
}
