import LodestoneCore
import Drivers

/// The findings of a byte stream that its user has been told: each once, or each time that it is something else.
///
/// The wire is large: it is looked at where it is.
struct StreamFindings {
  /// The number of the compass that was asked for; nil for the device's first.
  let compass: Int?
  /// The units that a recording's numbers were found to be in before the first was read: told behind its protocol.
  var scales: WireScales?
  /// The protocol that was told; nil before one is found.
  private(set) var protocolName: String?

  private var changeCount = 0
  private var columns: AssumedColumns?
  private var flightController: FlightController?
  private var complaint: StreamNotice?
  private var correctionIsTold = false
  private var otherCompassIsTold = false
  private var (frameIsTold, turnsAreTold, signsAreTold) = (false, false, false)
  private var timeIsTold = false
  private var compassesAreTold = false
  private var unclearIsTold = false

  /// The number of names of columns that are told at once.
  private static let mostNames = 12

  /// Nothing told yet.
  init(compass: Int?) { self.compass = compass }

  /// Tells the protocol, and that the columns of a table have changed.
  mutating func tell(_ wire: inout WireStream, over link: any ByteLink, to queue: inout EventQueue) {
    if let found = wire.finding, found.name != protocolName {
      protocolName = found.name
      queue.append(.detected(found, baudRate: link.baudRate))
      if wire.lacksChecksums { queue.append(.noChecksums) }
      if !wire.weighed.isEmpty { queue.append(.weighed(wire.weighed, [])) }
      if let scales { queue.append(.unitsChosen(scales)) }
      scales = nil
    }
    guard wire.changeCount > changeCount else { return }
    changeCount = wire.changeCount
    if changeCount == 1 { queue.append(.columnsChanged) }
    tellColumns(of: &wire, to: &queue)
  }

  /// Tells the columns of a table that are not read; and what those of one without names are taken for, where there is
  /// more than a field.
  mutating func tellColumns(of wire: inout WireStream, to queue: inout EventQueue) {
    let names = wire.columnsNotRead
    if !names.isEmpty { queue.append(.columnsNotRead(Array(names.prefix(Self.mostNames)))) }
    guard let assumed = wire.assumedColumns, assumed != columns else { return }
    columns = assumed
    queue.append(.weighed([], wire.weighedOrders))
    if assumed.columns != ["mx", "my", "mz"] { queue.append(.columnsAssumed(assumed)) }
  }

  /// Tells the other compass that speaks in the stream, the flight controller, and how many compasses it has.
  mutating func tellDevice(of wire: inout WireStream, to queue: inout EventQueue) {
    tellSources(of: &wire, to: &queue)
    if let told = wire.flightController, told != flightController {
      flightController = told
      if wire.openQuestions.isEmpty { queue.append(.flightController(told)) }
    }
    let compasses = wire.compasses
    guard compasses.count > 1, !compassesAreTold else { return }
    compassesAreTold = true
    queue.append(.severalCompasses(compasses, read: compass ?? compasses[0]))
  }

  /// Tells the other compass, which is passed over, numbers without their sign, the unit of times that is open, and the
  /// frame whose axes are not known.
  mutating func tellSources(of wire: inout WireStream, to queue: inout EventQueue) {
    if !otherCompassIsTold, let other = wire.otherCompass {
      otherCompassIsTold = true
      queue.append(.otherCompass(other))
    }
    if !turnsAreTold, wire.hasFieldsInTurn || wire.hasHeadingsInTurn {
      turnsAreTold = true
      queue.append(wire.hasFieldsInTurn ? .fieldsInTurn : .headingsInTurn)
    }
    if !signsAreTold, wire.hasLostSigns {
      signsAreTold = true
      queue.append(.signsLost)
    }
    if !timeIsTold, columns == nil, let scale = wire.openTimeScale {
      timeIsTold = true
      queue.append(.timeAssumed(scale))
    }
    guard !frameIsTold, let name = wire.unknownFrame else { return }
    frameIsTold = true
    queue.append(.unknownFrame(name))
  }

  /// Tells that the times are in another unit than was assumed.
  mutating func tell(_ correction: TimeCorrection?, to queue: inout EventQueue) {
    guard !correctionIsTold, let correction else { return }
    correctionIsTold = true
    queue.append(.timeCorrected(correction))
  }

  /// Tells what keeps the field from being shown.
  mutating func tell(unclear field: WireScales.Field?, to queue: inout EventQueue) {
    guard !unclearIsTold, let field else { return }
    unclearIsTold = true
    queue.append(.unclearField(field))
  }

  /// The notice about bytes that make no message; nil where one of its kind was the last.
  mutating func new(_ notice: StreamNotice) -> StreamNotice? {
    defer { complaint = notice }
    return complaint.map { notice.isSameKind(as: $0) } == true ? nil : notice
  }

  /// A complaint of before is over: the next one is told, whatever it is.
  mutating func forgetComplaint() { complaint = nil }

  /// Begins to look for units again: the reason why no field is shown is told once more.
  mutating func beginUnits() { unclearIsTold = false }

  /// Begins anew at another baud rate: the protocol and complaints are told again.
  mutating func beginAnew() { (protocolName, complaint) = (nil, nil) }
}
