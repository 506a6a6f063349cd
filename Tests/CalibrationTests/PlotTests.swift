import LodestoneCore
import Glibc
import Instruments
import Support
import Testing

@testable import Calibration

@Suite struct PlotTests {
  /// A minute of turning about two axes at unlike rates, with 4 s of a disturbance.
  private static func scene(samples count: Int = 3000, name: String = "usb:serial=ABC123") -> SweepPlot {
    var profile = Profile.example
    profile.device = name
    profile.quality.ignored = [IgnoredStretch(from: 23, to: 27, reason: "the field changed by 15 µT for 4.0 s")]
    let inverse = profile.correction.softIron.inverse ?? .identity
    let samples = (0..<count).map { index in
      let time = 60 * Double(index) / Double(max(count, 2) - 1)
      let turn =
        Matrix3(rotation: Vector3(0.9 * sin(0.41 * time), 1.1 * sin(0.29 * time), 0))
        * Matrix3(rotation: Vector3(0, 0, 0.53 * time)) * Matrix3(rotation: Vector3(0.37 * time, 0, 0))
      let noise = Vector3(sin(917 * time), sin(1319 * time), sin(1733 * time)) * 0.4
      let disturbance = (23...27).contains(time) ? Vector3(8, -9, 9) : .zero
      let field = turn * (Vector3(0, 0.43, -0.9) * profile.fieldStrength)
      return SweepPlot.Sample(time: time, field: inverse * (field + noise + disturbance) + profile.correction.hardIron)
    }
    let directions = (0..<100).map { index in
      let z = 1 - 2 * (Double(index) + 0.5) / 100
      let angle = 2.399963 * Double(index)
      let radius = (1 - z * z).squareRoot()
      let middle = Vector3(radius * cos(angle), radius * sin(angle), z)
      return SweepPlot.Direction(middle: middle, isCovered: index % 17 != 3)
    }
    let errors = stride(from: 0.0, through: 360, by: 5).map { heading in
      SweepPlot.HeadingError(heading: heading, error: 0.2 + 0.06 * sin(Angle.radians(2 * heading + 40)))
    }
    return SweepPlot(profile: profile, samples: samples, directions: directions, headingErrors: errors)
  }

  /// Every tag is closed in its order; nothing but text stands between.
  private func isWellFormed(_ svg: String) -> Bool {
    var open: [Substring] = []
    for piece in svg.split(separator: "<").dropFirst(svg.hasPrefix("<") ? 0 : 1) {
      guard let end = piece.firstIndex(of: ">") else { return false }
      let tag = piece[..<end]
      if tag.hasPrefix("/") {
        guard open.popLast() == tag.dropFirst() else { return false }
      } else if !tag.hasSuffix("/") {
        open.append(tag.prefix { $0 != " " })
      }
    }
    return open.isEmpty
  }

  @Test func drawsEveryPart() {
    let svg = Self.scene().svg
    #expect(isWellFormed(svg))
    for words in [
      "Before", "After", "Coverage", "heading error", "Residual", "time / s", "x / µT", "ignored: the field",
    ] {
      #expect(svg.contains(words))
    }
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }

  /// A sweep by the virtual breakout, with a disturbance that the fit leaves out.
  private static func calibrated() -> SweepPlot? {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    settings.disturbances = [.init(field: Vector3(9, -8, 9), from: 21, to: 25)]
    var breakout = VirtualBreakout(settings)
    let samples = (0..<4000).map { _ in breakout.next().sample }
    guard let result = Calibrator().fit(samples).result else { return nil }
    let profile = Profile(result, device: "sim:?motion=figure-eight", created: 1_767_225_600)
    return SweepPlot(result, profile: profile, samples: samples)
  }

  @Test func drawsAFinishedCalibration() throws {
    let plot = try #require(Self.calibrated())
    #expect(plot.samples.count == 4000)
    #expect(plot.directions.contains { $0.isCovered })
    let squares = plot.headingErrors.dropLast().map { $0.error * $0.error }
    let level = (squares.reduce(0, +) / Double(max(squares.count, 1))).squareRoot()
    #expect(abs(level - (plot.profile.quality.headingErrorLevelDegrees ?? 0)) < 0.02 * level)
    #expect(isWellFormed(plot.svg) && plot.svg.utf8.count < 1 << 20)
  }

  @Test func staysSmallHoweverLongTheSweep() {
    #expect(Self.scene(samples: 200_000).svg.utf8.count < 1 << 20)
  }

  @Test(arguments: [0, 1, 2])
  func drawsNextToNothing(_ count: Int) {
    var plot = Self.scene(samples: count)
    plot.directions = []
    plot.headingErrors = []
    #expect(isWellFormed(plot.svg))
    #expect(!plot.svg.contains("nan"))
  }

  @Test func survivesWildNumbers() {
    var plot = Self.scene()
    plot.samples = [
      SweepPlot.Sample(time: -1e300, field: Vector3(1e300, -1e300, 0)), SweepPlot.Sample(time: 1e300, field: .zero),
    ]
    plot.directions = [SweepPlot.Direction(middle: Vector3(.nan, 0, 0), isCovered: true)]
    plot.headingErrors = [SweepPlot.HeadingError(heading: 1e300, error: 1e300)]
    #expect(isWellFormed(plot.svg))
    let broken = SweepPlot(profile: .example, samples: [SweepPlot.Sample(time: .nan, field: .zero)])
    #expect(broken.samples.isEmpty)
  }

  @Test func namesCannotBreakOut() {
    let svg = Self.scene(name: "</text><script>alert(1)</script>&\u{0}\u{1b}").svg
    #expect(isWellFormed(svg))
    #expect(!svg.contains("<script") && !svg.unicodeScalars.contains("\u{1b}") && svg.contains("&lt;script&gt;"))
  }

  @Test(arguments: [
    (0.0, 10.0, 5, ["0", "2", "4", "6", "8", "10"]), (-1.25, 1.25, 5, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]),
    (0, 0.26, 4, ["0.0", "0.1", "0.2"]), (3, 3, 2, ["2", "3", "4"]),
  ])
  func ticksAreRound(_ low: Double, _ high: Double, _ count: Int, _ labels: [String]) {
    #expect(PlotAxis(low, high, from: 0, to: 100).ticks(count).map { $0.label } == labels)
  }
}
