import ArgumentParser
import Lodestone
import LodestonePorts
import Navigation

/// `lodestone attitude`: how a board with a gyroscope is turned.
struct AttitudeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attitude", abstract: "Stream the attitude of a board with a gyroscope.",
    discussion: """
      Examples:
        lodestone attitude
        lodestone attitude ttyACM0 --frame true --at 48.2,16.37 --format json

      Gyroscope, accelerometer and magnetometer together: a quaternion (qw, qx, qy, qz) that turns the board's axes into \
      those of the frame, and the same as yaw (about z), pitch (about x) and roll (about y). In each frame z is up:

      arbitrary: yaw begins at 0 and drifts with the gyroscope
      corrected: yaw begins at 0, and the field keeps it from drifting
      magnetic: x points to magnetic north, y west
      true: x points to true north; needs the place: --at 48.2,16.37

      Gravity is (0, 0, -1) g for a board at rest that lies face up. Gravity and user acceleration together are what an \
      accelerometer reads with the opposite sign. What a board computes itself stands beside it as device_….
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var calibrationOptions: CalibrationOptions
  @OptionGroup var placeOptions: PlaceOptions
  @OptionGroup var locationOptions: LocationOptions
  @OptionGroup var publishOptions: PublishOptions
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var formatOption: FormatOption
  @OptionGroup var unitOption: UnitOption

  @Option(help: "arbitrary, corrected, magnetic or true.")
  var frame: AttitudeFrame = .magnetic

  @Flag(help: "Add the matrix, row by row: m11 to m33.")
  var matrix = false

  func validate() throws {
    _ = try formatOption.kind(for: AttitudeReading.schema)
  }

  func run() throws {
    var settings = Attitude.Settings()
    settings.frame = frame
    if matrix { try stream(MatrixAttitude.self, settings) } else { try stream(Attitude.self, settings) }
  }

  private func stream<Device: Instrument>(_ type: Device.Type, _ settings: Device.Settings) throws {
    let run = try InstrumentRun<Device>(
      settings, deviceOptions, calibrationOptions, place: placeOptions, location: locationOptions,
      placeNeededFor: frame == .trueNorth ? "--frame true" : nil, format: formatOption, publish: publishOptions,
      stream: streamOptions, unit: unitOption)
    try run.finish { try run.writeLines().end }
  }
}

extension AttitudeFrame: ExpressibleByArgument {}
