import ArgumentParser
import Instruments
import Lodestone
import LodestoneCore
import LodestoneOutput
import LodestoneTerminal
import Navigation

/// `lodestone location`: where a satellite receiver is.
struct LocationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "location", abstract: "Follow a satellite receiver: place, altitude, distance, climb.",
    discussion: """
      Examples:
        lodestone location gpsd://localhost                place, altitude, distance from the start, climb
        lodestone location ttyUSB0 --from 48.2,16.37 --unit nmi
        lodestone location track.nmea --distance 10 --format csv > track.csv
        lodestone location gpsd://localhost --format gpx > track.gpx
        lodestone location track.gpx --to-altitude 2962    what is left of a climb

      The device is gpsd (gpsd://localhost), a receiver that speaks NMEA 0183 (/dev/ttyACM0, tcp://host:port, \
      udp://:port), a log of either, or a GPX file. With none given, it is the location of lodestone config.

      Distance and bearing are those of the shortest line on the WGS 84 ellipsoid, from the first fix or from --from. \
      altitude is above that ellipsoid, sea_level_altitude above the sea; both are absent without a fix in three \
      dimensions. Accuracies hold for 95 of 100 fixes: by the receiver's own word, or where it gives none by how the \
      satellites stand (accuracy_basis: dilution). climb is absent while it is within its noise, bearing while the \
      distance is within the accuracy.

      Half an hour without a fix begins another trip, which counts from its own start. A GPX file has a track for each \
      trip and a segment after each gap. geo: on the screen is the place as maps take it.
      """)

  @OptionGroup var addressOptions: AddressOptions
  @OptionGroup var publishOptions: PublishOptions<LocationReading>
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var formatOption: FormatOption<LocationReading>
  @OptionGroup var eventOptions: EventOptions<LocationReading>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Count distance and bearing from here. (default: from the first fix)", valueName: "lat,lon"))
  var from: String?

  @Option(help: "The unit of the distance: m, km, mi (miles) or nmi (nautical miles).")
  var unit: DistanceUnit = .metre

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print only changes of at least N metres.", valueName: "metres"))
  var distance: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Take only fixes that are at least so good.", valueName: "metres"))
  var accuracy: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show what is left of a climb to this altitude above the sea.", valueName: "metres"))
  var toAltitude: Double?

  func validate() throws {
    _ = try formatOption.kind()
    try OptionRange.check("--accuracy", accuracy, to: 2e7, " m")
    try OptionRange.check("--to-altitude", toAltitude, in: -100_000...100_000, " m")
    try eventOptions.check()
    try OptionRange.check("--distance", distance, in: 0...2e7, " m")
  }

  func run() throws {
    var settings = Location.Settings()
    settings.origin = try from.map { try Coordinate(argument: $0) }
    (settings.largestError, settings.goal) = (accuracy, toAltitude)
    let set = try UserSettings.current()[.location]?.text
    let stream = try addressOptions.open(
      OpenOptions(), preferring: set,
      withoutAny: "plug a receiver in, or name one, as in gpsd://localhost or track.nmea")
    let run = try InstrumentRun<Location>(
      settings, stream, SessionOptions(),
      rate: addressOptions.wantedRate, format: formatOption, publish: publishOptions, stream: streamOptions,
      units: DisplayUnits(distance: unit), triggers: eventOptions.triggers)
    var filter = distance.map { LocationFilter(metres: $0) }
    try run.finish {
      let programs = try run.programs(eventOptions, unit: unit.metres)
      // Changes are lines: a screen has none to leave out.
      guard run.showsScreen, !eventOptions.events, distance == nil else {
        return try check(run.session, run.writeLines(programs, where: { filter?.passes($0) != false }).end)
      }
      return try check(run.session, run.show(LocationState(unit: unit, hasGivenOrigin: from != nil), programs))
    }
  }

  /// A recording whose fixes were all left out has to say so.
  private func check(_ session: Session<Location>, _ end: StreamLoop.End) throws -> StreamLoop.End {
    guard end == .streamEnded, let accuracy, let fixes = session.instrument.inexactFixes else { return end }
    throw Failure(
      .badData, "no fix is accurate to \(number(accuracy, 1)) m: \(InexactFixes.words(best: fixes.best))",
      hint: "give a larger --accuracy, or leave it out")
  }
}

extension DistanceUnit: ChosenWord {}
