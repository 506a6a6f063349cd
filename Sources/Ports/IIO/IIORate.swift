/// How fast a device of the kernel measures, and how its driver is told (Documentation/ABI/testing/sysfs-bus-iio of
/// Linux): one attribute for the whole device, or one for its magnetometer, gyroscope or accelerometer.
struct IIORate {
  private let path: String
  /// The attribute that lists the rates; some drivers have one for the device beside one rate for the magnetometer.
  private let list: String

  /// The rate of a device; nil where the driver has no such attribute.
  init?(_ device: IIOListing) {
    let own = [IIOKind.field, .rotationRate, .acceleration].filter { device.senses.contains($0.sense) }
    let names = ["sampling_frequency"] + own.map { "in_\($0.rawValue)_sampling_frequency" }
    let paths = names.map { "\(device.folder)/\($0)" }
    guard
      let path = paths.first(where: { smallText($0) != nil })
        ?? paths.first(where: { smallText($0 + "_available") != nil })
    else { return nil }
    self.path = path
    list = ([path] + paths).map { $0 + "_available" }.first { smallText($0) != nil } ?? path + "_available"
  }

  /// The rate in force, in samples a second; nil where it was never set.
  var current: Double? { IIOAttribute.rate(path) }

  /// The rates that it offers, ascending; a range with a step as its ends. Empty where it does not tell.
  var offered: [Double] {
    let numbers = IIOAttribute.numbers(list)
    return isRange && numbers.count == 3 ? [numbers[0], numbers[2]] : numbers.sorted()
  }

  /// Asks for a rate: the next faster one that it offers, or its fastest, as the driver itself writes the number; some
  /// take no decimals.
  func set(_ rate: Double, noting changes: AttributeChanges) throws(PortError) {
    let words = smallText(list)?.split { " ,[]\n\t".contains($0) }.map(String.init) ?? []
    guard !words.isEmpty, !isRange else { return try changes.set(path, to: Self.text(inRange(rate))) }
    let rates = words.compactMap { word in Double(word).map { (word: word, rate: $0) } }.sorted { $0.rate < $1.rate }
    guard let chosen = rates.first(where: { $0.rate >= rate * 0.9999 }) ?? rates.last else { return }
    guard current != chosen.rate else { return }
    try changes.set(path, to: chosen.word)
  }

  private var isRange: Bool { smallText(list)?.hasPrefix("[") == true }

  private func inRange(_ rate: Double) -> Double {
    let ends = offered
    guard ends.count == 2 else { return rate }
    return min(max(rate, ends[0]), ends[1])
  }

  /// A rate as text, without decimals where there are none.
  private static func text(_ rate: Double) -> String {
    rate == rate.rounded() && abs(rate) < 1e9 ? String(Int(rate)) : "\(rate)"
  }
}
