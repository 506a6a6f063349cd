import ArgumentParser
import Instruments
import Lodestone
import LodestoneCore
import LodestoneOutput
import LodestonePorts
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

      The device is gpsd (gpsd://localhost), a receiver that speaks NMEA 0183 (/dev/ttyACM0, tcp://host:port, \
      udp://:port), or a log of either. With none given, it is the location of lodestone config.

      Distance and bearing are those of the shortest line on the WGS 84 ellipsoid, from the first fix or from --from. \
      altitude is above that ellipsoid, sea_level_altitude above the sea; both are absent without a fix in three \
      dimensions. Accuracies hold for 95 of 100 fixes: by the receiver's own word, or where it gives none by how the \
      satellites stand (accuracy_basis: dilution). climb is absent while it is within its noise, bearing while the \
      distance is within the accuracy.
      """)

  @OptionGroup var addressOptions: AddressOptions
  @OptionGroup var publishOptions: PublishOptions
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var formatOption: FormatOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Count distance and bearing from here. (default: from the first fix)", valueName: "lat,lon"))
  var from: String?

  @Option(help: "The unit of the distance: m, km, mi (miles) or nmi (nautical miles).")
  var unit: DistanceUnit = .metre

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print only changes of at least so many metres.", valueName: "metres"))
  var distance: Double?

  func validate() throws {
    _ = try formatOption.kind(for: LocationReading.schema)
    if let distance, !(distance >= 0 && distance <= 2e7) {
      throw ValidationError("--distance \(distance): not in 0 to 20000000 m")
    }
  }

  func run() throws {
    var settings = Location.Settings()
    settings.origin = try from.map { try Coordinate(argument: $0) }
    let set = try UserSettings.current()[.location]?.text
    let run = try InstrumentRun<Location>(
      settings, try addressOptions.open(OpenOptions(), preferring: set), SessionOptions(),
      rate: addressOptions.wantedRate, format: formatOption, publish: publishOptions, stream: streamOptions,
      units: DisplayUnits(distance: unit))
    var filter = distance.map { LocationFilter(metres: $0) }
    try run.finish {
      guard run.showsScreen else { return try run.writeLines { filter?.passes($0) != false }.end }
      return try run.show(LocationState(unit: unit, hasGivenOrigin: from != nil))
    }
  }
}

extension DistanceUnit: ExpressibleByArgument {}
