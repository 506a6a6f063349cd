import LodestoneCore
import Drivers
import LodestonePorts

/// Reads a recording through, to learn what its numbers mean where they do not say it: a file can be read twice. It
/// goes on piece by piece, so that whoever waits for it can be interrupted.
struct RecordingScan {
  /// How far it is.
  enum Progress {
    case reading
    /// The scales; nil where the numbers say them.
    case done(WireScales?)
  }

  /// The field that a calibration of the device expects.
  var expectation: FieldExpectation? { didSet { inference.expectation = expectation } }
  private let pump: WirePump
  private let name: String
  private let stated: StreamUnits.Stated
  private var inference = UnitInference()
  /// Messages so far, all of which have said their units; nil once one has not.
  private var toldCount: Int? = 0
  /// The scales of what comes before a change of the field's unit; nil where there is none.
  private var former: WireScales?
  /// Whether such messages came before the first field.
  private var hadOthers = false
  /// The number of messages with units and no field after which there is nothing to learn.
  private static let mostTold = 1024

  /// A decoder that knows by now how the first bytes are to be read; nil where those were read as they should be.
  var again: WireStream? { pump.again }

  /// A scan of a file that is read for this alone; `name` is for errors.
  init(_ file: InputFile, name: String, _ wire: WireStream, stated: StreamUnits.Stated) {
    pump = WirePump(file, wire)
    self.name = name
    self.stated = stated
  }

  /// Reads the next piece.
  mutating func advance() throws(StreamError) -> Progress {
    guard pump.read() else { return .done(try conclude()) }
    return takeMessages() ? .done(former) : .reading
  }

  /// Takes messages; true when there is nothing to learn: the first field has told its unit, or the file is of no use.
  private mutating func takeMessages() -> Bool {
    var message = WireMessage()
    while let step = pump.nextHeld(into: &message) {
      guard step == .message else {
        if pump.fault != nil { return true }
        continue
      }
      if let told = toldCount {
        toldCount = message.saysItsUnits ? told + 1 : nil
        hadOthers = told > 0
        if message.saysItsUnits, message.field != nil || told == Self.mostTold { return true }
      }
      inference.add(from: &message)
      if inference.unitHasChanged, isOver(before: scales()) { return true }
    }
    return pump.fault != nil
  }

  /// The unit of the field changes behind a part of the recording whose scales are known, which is read with them;
  /// false where they are not.
  private mutating func isOver(before scales: WireScales) -> Bool {
    former = scales.refusal(of: name) == nil ? scales : nil
    if former == nil { inference.forgetChange() }
    return former != nil
  }

  private mutating func scales() -> WireScales {
    inference.toldFieldScale = pump.fieldScale
    if stated == .nothing { inference.fieldNaming = pump.fieldNaming }
    return stated.applied(to: inference.conclude())
  }

  private mutating func conclude() throws(StreamError) -> WireScales? {
    guard inference.fieldCount > 0 else { return nil }
    let scales = scales()
    guard let refusal = scales.refusal(of: name) else { return scales }
    // The messages before the first field can be read without it.
    guard hadOthers else { throw refusal }
    return nil
  }
}

extension WireMessage {
  /// Whether something in it has a unit: it is more than a heading or a position.
  var hasQuantities: Bool { field != nil || acceleration != nil || rotationRate != nil || alongProbe != nil }

  /// Whether every quantity in it comes with its unit.
  var saysItsUnits: Bool {
    (field == nil || fieldUnit != nil) && (acceleration == nil || accelerationUnit != nil)
      && (rotationRate == nil || rotationRateUnit != nil)
  }
}
