import LodestoneCore
import Drivers

/// Holds messages back until the units of their numbers are known.
struct StreamUnits {
  /// Messages that wait, with the moment each arrived.
  private(set) var held: [(message: WireMessage, arrival: Double)] = []
  private var inference = UnitInference()
  /// Whether a message has come that does not say all of its units.
  private var isOpen = false
  private let isLive: Bool
  private let stated: Stated

  /// The unit that the user has given.
  enum Stated: Equatable {
    case nothing
    case unit(FieldUnit)
    /// Counts of unknown scale: directions only.
    case counts
    /// Counts that are wanted as such.
    case shownCounts
    /// Counts of a chip by its name, with what they are worth in its ranges.
    case chip(String, [CountSize])
  }

  /// Seconds of first messages by which a live stream is judged; any stream is judged by `messageLimit` at the latest.
  private static let liveSeconds = 0.8
  /// Messages that came at once, after their columns were found, are enough too.
  private static let fewest = 5
  private static let messageLimit = 2048

  init(isLive: Bool, stated: Stated) {
    self.isLive = isLive
    self.stated = stated
  }

  /// Takes the field that a calibration of the device expects.
  mutating func expect(_ expectation: FieldExpectation) { inference.expectation = expectation }

  /// Takes the size of the field's counts that the device has reported, in µT.
  mutating func tell(fieldScale: Double) { inference.toldFieldScale = fieldScale }

  /// Takes how the stream names the axes of its field; where the user says that it is one, that is no matter.
  mutating func tell(_ naming: FieldNaming) { if stated == .nothing { inference.fieldNaming = naming } }

  /// Takes a message in; the scales once they are clear, and then the messages held are to be read.
  mutating func add(_ message: WireMessage, arrival: Double) -> WireScales? {
    inference.add(message)
    held.append((message, arrival))
    let isWhole =
      (message.field == nil || message.fieldUnit != nil || stated.isUnit || inference.toldFieldScale != nil)
      && (message.acceleration == nil || message.accelerationUnit != nil)
      && (message.rotationRate == nil || message.rotationRateUnit != nil)
    isOpen = isOpen || !isWhole
    // Where acceleration and field are lines of their own, the field may come next.
    if !isOpen, !isLive || inference.fieldCount > 0 || hasWaited(until: arrival) { return conclude() }
    if inference.unitHasChanged {
      // The unit of the part behind the change is found anew.
      let scales = conclude()
      if !scales.field.isUnclear { return scales }
      inference.forgetChange()
    }
    let isDue = held.count >= Self.messageLimit || (isLive && hasWaited(until: arrival))
    return isDue ? concludeIfClear(arrival) : nil
  }

  /// Bytes have come at a moment.
  mutating func hear(_ arrival: Double) { began = began ?? arrival }

  /// The time of the first bytes.
  private var began: Double?

  /// The messages held have come over a while, or the lines that they were found by have.
  private func hasWaited(until now: Double) -> Bool {
    guard let first = held.first?.arrival else { return false }
    if now - first >= Self.liveSeconds { return true }
    return held.count >= Self.fewest && now - (began ?? first) >= Self.liveSeconds
  }

  /// The scales; nil on a live stream whose numbers can't be a field yet: it may be turned, and then they show what
  /// they are.
  mutating func concludeIfClear(_ now: Double) -> WireScales? {
    guard isLive else { return conclude() }
    guard now >= nextLook else { return nil }
    nextLook = now + Self.liveSeconds
    let scales = conclude()
    guard scales.field.isUnclear else { return scales }
    unclear = scales.field
    if held.count >= Self.messageLimit { held.removeFirst(Self.messageLimit / 2) }
    return nil
  }

  /// Why nothing is concluded.
  private(set) var unclear: WireScales.Field?
  private var nextLook = 0.0

  /// The units and scales known now.
  func conclude() -> WireScales {
    stated.applied(to: inference.conclude())
  }

  /// The messages that waited, which wait no longer.
  mutating func release() -> [(message: WireMessage, arrival: Double)] {
    defer { held = [] }
    return held
  }
}

extension StreamUnits.Stated {
  /// Whether nothing has to be found out about the field.
  var isUnit: Bool {
    switch self {
    case .unit, .shownCounts: true
    case .nothing, .counts, .chip: false
    }
  }

  /// The user says something else than a stream that states this unit. Counts that are wanted as such are refused with
  /// the scales.
  func contradicts(_ unit: FieldUnit) -> Bool {
    switch self {
    case .nothing, .shownCounts: false
    case .unit(let given): given != unit
    case .counts, .chip: true
    }
  }

  /// The scales with what the user says put in.
  func applied(to found: WireScales) -> WireScales {
    var scales = found
    switch self {
    case .nothing: break
    case .unit(let unit):
      // Fields in nT may be as large as counts that have lost their sign.
      if case .damaged = scales.field.basis, unit != .nanotesla { break }
      guard scales.field.basis != .absent else { break }
      scales.field = .init(microtesla: unit.microtesla, basis: found.field.basis(stated: unit))
    case .counts: scales = scales.scaledToEarth()
    case .shownCounts:
      guard scales.field.basis != .absent else { break }
      let known = scales.field.size == nil && scales.field.basis != .zero
      scales.field = .init(microtesla: FieldDisplayUnit.counts.microtesla, basis: known ? .noCounts : .shownCounts)
    case .chip(let name, let sizes):
      if let size = scales.field.size, let field = WireScales.Field(countsOf: name, sizes: sizes, size: size) {
        scales.field = field
      }
    }
    if self != .shownCounts { scales.field.zero = found.field.zero }
    return scales
  }

  /// A unit as the user writes it, or `counts`. Nil for another word.
  init?(_ word: String?) {
    guard let word else {
      self = .nothing
      return
    }
    if word == "counts" {
      self = .counts
    } else {
      guard let unit = FieldUnit(rawValue: word) else { return nil }
      self = .unit(unit)
    }
  }
}

extension WireScales {
  /// Why a stream with these units cannot be read; nil where it can.
  func refusal(of name: String) -> StreamError? {
    switch field.basis {
    case .ambiguous(let first, let second, let size):
      .ambiguousUnit(name, [first, second], isTurned: size.radius != nil)
    case .otherScale(let counts, let times): .otherScale(name, countsPerMicrotesla: counts, times: times)
    case .zero: .zeroField(name)
    case .angles: .anglesForField(name)
    case .damaged(let fault): .damagedField(name, fault)
    case .noCounts: .noCounts(name)
    default: nil
    }
  }

  /// The field by the size of its sphere, whatever the unit may be.
  fileprivate func scaledToEarth() -> WireScales {
    guard let size = field.size else { return self }
    var scales = self
    scales.field = Field(countsOfSize: size, isSaid: true)
    return scales
  }
}

extension WireScales.Field {
  /// How large the numbers are, where their unit was not said.
  fileprivate var size: FieldSize? {
    switch basis {
    case .inferred(_, let size), .countsScaledToEarth(let size, _), .ambiguous(_, _, let size): size
    case .absent, .zero, .angles, .damaged, .stated, .doubted, .told, .chip, .calibrated, .calibratedCounts,
      .otherScale, .normalized, .shownCounts, .noCounts:
      nil
    }
  }
}
