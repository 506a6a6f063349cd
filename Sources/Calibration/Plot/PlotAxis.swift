import LodestoneCore
import Glibc

/// Maps values to places along one direction of the canvas.
struct PlotAxis {
  /// The values at the two ends.
  let values: ClosedRange<Double>
  /// The places of those ends; the first may be the larger.
  let start: Double
  let end: Double

  /// An axis over a range of values; one without width is widened.
  init(_ low: Double, _ high: Double, from start: Double, to end: Double) {
    values = high > low && (high - low).isFinite ? low...high : low - 1...low + 1
    self.start = start
    self.end = end
  }

  func place(_ value: Double) -> Double {
    start + (value - values.lowerBound) / (values.upperBound - values.lowerBound) * (end - start)
  }

  /// Round values inside the range, about `count` of them, each with its label.
  func ticks(_ count: Int) -> [(value: Double, label: String)] {
    guard count > 0 else { return [] }
    let rough = (values.upperBound - values.lowerBound) / Double(count)
    let power = pow(10, floor(log10(rough)))
    let step = [1.0, 2, 5, 10].first { $0 * power >= rough * 0.999 }.map { $0 * power } ?? power
    guard step > 0, step.isFinite, abs(values.lowerBound) / step < 1e9 else { return [] }
    let decimals = max(0, -(step * (1 + 1e-9)).decimalExponent)
    let first = (values.lowerBound / step - 1e-9).rounded(.up)
    return (0...(2 * count + 4)).compactMap { index in
      let value = (first + Double(index)) * step
      guard value <= values.upperBound + step * 1e-9 else { return nil }
      return (value, Self.label(value, decimals: decimals))
    }
  }

  /// The label of a value, with a minus sign and no hyphen.
  static func label(_ value: Double, decimals: Int) -> String {
    let text = value.text(decimals: decimals)
    return text.hasPrefix("-") ? "−" + text.dropFirst() : text
  }
}

extension PlotCanvas {
  /// Grid lines and labels below and at the left, and a frame around.
  mutating func axes(
    _ frame: PlotFrame, x: PlotAxis, y: PlotAxis, ticks: (x: Int, y: Int), labels: (x: String, y: String)
  ) {
    for tick in x.ticks(ticks.x) {
      path([(x.place(tick.value), frame.y), (x.place(tick.value), frame.bottom)], .grid)
      text(tick.label, x: x.place(tick.value), y: frame.bottom + 15, style: .tick, anchor: .middle)
    }
    for tick in y.ticks(ticks.y) {
      path([(frame.x, y.place(tick.value)), (frame.right, y.place(tick.value))], .grid)
      text(tick.label, x: frame.x - 6, y: y.place(tick.value) + 4, style: .tick, anchor: .end)
    }
    rectangle(frame, .frame)
    text(labels.x, x: frame.middleX, y: frame.bottom + 31, style: .tick, anchor: .middle)
    text(labels.y, x: frame.x - 44, y: frame.middleY, style: .tick, anchor: .middle, turned: true)
  }
}
