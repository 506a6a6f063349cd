import LodestoneCore

/// A drawing of a calibration as SVG: the sweep before and after, the coverage, the predicted heading error and the
/// residual over time. Plain values in, text out; no scripts, and less than 1 MB however long the sweep was.
public struct SweepPlot: Sendable {
  /// One raw sample.
  public struct Sample: Equatable, Sendable {
    /// Seconds since the sweep began.
    public var time: Double
    /// The field in µT, in the chip's axes.
    public var field: Vector3

    /// A sample.
    public init(time: Double, field: Vector3) {
      self.time = time
      self.field = field
    }
  }

  /// A part of the sphere of directions.
  public struct Direction: Equatable, Sendable {
    /// Its middle, of any length.
    public var middle: Vector3
    /// Whether the sweep has been there.
    public var isCovered: Bool

    /// A direction.
    public init(middle: Vector3, isCovered: Bool) {
      self.middle = middle
      self.isCovered = isCovered
    }
  }

  /// The error predicted for one heading with the device level.
  public struct HeadingError: Equatable, Sendable {
    /// The heading in degrees.
    public var heading: Double
    /// Root mean square, in degrees.
    public var error: Double

    /// An error.
    public init(heading: Double, error: Double) {
      self.heading = heading
      self.error = error
    }
  }

  /// The calibration: correction, field strength, ignored stretches, quality.
  public var profile: Profile
  /// The sweep, as far as it is finite.
  public var samples: [Sample]
  /// The parts of the sphere; none leaves their marks out.
  public var directions: [Direction]
  /// The errors by heading, ascending; none leaves the curve out.
  public var headingErrors: [HeadingError]

  /// A drawing of a sweep and what was made of it. Samples that are not finite are left out.
  public init(
    profile: Profile, samples: [Sample], directions: [Direction] = [], headingErrors: [HeadingError] = []
  ) {
    self.profile = profile
    self.samples = samples.filter { $0.time.isFinite && $0.field.isFinite }
    self.directions = directions
    self.headingErrors = headingErrors.filter { $0.heading.isFinite && $0.error.isFinite }
  }

  /// The whole drawing.
  public var svg: String {
    var canvas = PlotCanvas(width: 1240, height: 930)
    drawTitle(on: &canvas)
    ProjectionPlot(self).draw(on: &canvas, top: 112)
    CoveragePlot(self).draw(on: &canvas, in: PlotFrame(x: 860, y: 132, width: 340, height: 200))
    HeadingErrorPlot(self).draw(on: &canvas, in: PlotFrame(x: 884, y: 428, width: 316, height: 208))
    ResidualPlot(self).draw(on: &canvas, in: PlotFrame(x: 70, y: 726, width: 1130, height: 140))
    return canvas.document
  }

  private func drawTitle(on canvas: inout PlotCanvas) {
    canvas.text("Calibration of \(profile.device.prefix(80))", x: 70, y: 44, style: .title)
    canvas.text(summary, x: 70, y: 68, style: .subtitle)
    var x = 70.0
    for (mark, words) in Self.legend {
      canvas.dot(x: x + 4, y: 88, mark)
      canvas.text(words, x: x + 14, y: 92, style: .tick)
      x += 30 + Double(words.count) * 5.8
    }
  }

  private static let legend: [(PlotCanvas.Mark, String)] = [
    (.sample, "sample"), (.ignored, "sample in an ignored stretch"), (.outline, "sphere of the field, fitted"),
    (.reference, "the same without hard and soft iron"),
  ]

  private var summary: String {
    let quality = profile.quality
    var parts = [quality.verdict.rawValue.prefix(1).uppercased() + quality.verdict.rawValue.dropFirst()]
    parts +=
      quality.headingErrorDegrees.map { ["predicted heading error \($0.text(decimals: 2))° RMS"] } ?? [
        "heading error unknown"
      ]
    if quality.kind != .full { parts.append(quality.kind.rawValue) }
    parts.append("field \(profile.fieldStrength.text(decimals: 1)) µT")
    parts += profile.inclination.map { ["inclination \(PlotAxis.label($0, decimals: 1))°"] } ?? []
    parts += [
      "\(quality.samples) samples", "\(quality.rests) \(quality.rests == 1 ? "rest" : "rests")",
      CalendarTime.text(unixTime: profile.created),
    ]
    return parts.joined(separator: "  ·  ")
  }
}

// MARK: What the parts share

extension SweepPlot {
  /// At most `limit` samples, evenly spread over the sweep, and whether each lies in an ignored stretch.
  func thinned(to limit: Int) -> [(sample: Sample, isIgnored: Bool)] {
    let step = max(1, (samples.count + limit - 1) / limit)
    return stride(from: 0, to: samples.count, by: step).map { index in
      let sample = samples[index]
      return (sample, profile.quality.ignored.contains { sample.time >= $0.from && sample.time <= $0.to })
    }
  }

  func corrected(_ sample: Sample) -> Vector3 {
    profile.correction.apply(to: MagneticField(microtesla: sample.field)).field.microtesla
  }

  /// The magnitude that all but a few in a thousand stay below.
  static func extent(of values: [Double]) -> Double {
    let sorted = values.map { abs($0) }.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 995 / 1000)]
  }
}
