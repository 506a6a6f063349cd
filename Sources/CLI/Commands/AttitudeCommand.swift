import ArgumentParser
import Lodestone
import LodestoneOutput
import LodestoneTerminal
import Navigation

/// `lodestone attitude`: how a board with a gyroscope is turned.
struct AttitudeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attitude", abstract: "Stream the attitude of a board with a gyroscope.",
    discussion: """
      Examples:
        lodestone attitude
        lodestone attitude ttyACM0 --frame true --at 48.2,16.37 --format json
        lodestone attitude ttyACM0 --at 48.2,16.37 --format nmea   PASHR for survey programs
        lodestone attitude ttyACM0 --at 48.2,16.37 --format nmea --sentence gpatt   for a sonar
        lodestone attitude ttyACM0 --convention enu --format json   for ROS

      Gyroscope, accelerometer and magnetometer together: a quaternion (qw, qx, qy, qz) that turns the board's axes into \
      those of the frame, and the same as yaw (about z), pitch (about x) and roll (about y). In each frame z is up:

      arbitrary: yaw begins at 0 and drifts with the gyroscope
      corrected: yaw begins at 0, and the field keeps it from drifting
      magnetic: x points to magnetic north, y west
      true: x points to true north; needs the place: --at 48.2,16.37

      magnetic_heading and true_heading are what lodestone heading shows.

      --convention enu has x east, y north, z up, and the board's axes ahead (the top edge), left, up, as in ROS (REP \
      103); ned has x north, y east, z down, and the board's axes ahead, right, down. Yaw, pitch and roll are then about \
      z, y and x. For sensor_msgs/Imu: orientation.x … w are qx, qy, qz, qw; angular_velocity is rate_… in radians per \
      second; linear_acceleration is what an accelerometer reads: -(gravity + user) in m/s².

      --format nmea tells the attitude in the --sentence that your program reads:

      pashr: $PASHR,time,true heading,T,roll,pitch,heave and the standard deviations
      att: $--ATT,time,true heading,roll,pitch,heave; other makers have other fields under this name
      gpatt: $PFEC,GPatt,true heading,pitch,roll, as Furuno has it

      Pitch is positive with the bow up, roll with the right side down; what is not known is left empty.

      Gravity is (0, 0, -1) g for a board at rest that lies face up. Gravity and user acceleration together are what an \
      accelerometer reads with the opposite sign. What a board computes itself stands beside it as device_….

      In a terminal a board is drawn as the real one is turned, seen from above: away from you is the north of the frame, \
      or where the top edge pointed at first. --format, --output and --matrix write lines.
      """)

  @OptionGroup var deviceOptions: DeviceOptions

  @Option(help: CalibrationOptions.help, completion: .profiles)
  var profile: String?
  var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

  @OptionGroup var placeOptions: PlaceOptions

  @Option(help: LocationOptions.help)
  var location: String?
  var locationOptions: LocationOptions { LocationOptions(location: location) }

  @OptionGroup var publishOptions: PublishOptions<AttitudeReading>
  @OptionGroup var streamOptions: StreamOptions
  @OptionGroup var formatOption: FormatOption<AttitudeReading>
  @OptionGroup var eventOptions: EventOptions<AttitudeReading>

  @Option(help: UnitOption.help)
  var unit: FieldDisplayUnit?
  var unitOption: UnitOption { UnitOption(unit: unit) }

  @Option(help: "arbitrary, corrected, magnetic or true.")
  var frame: AttitudeFrame = .magnetic

  @Option(help: TalkerOption.help)
  var talker: String?
  var talkerOption: TalkerOption { TalkerOption(talker: talker) }

  @Option(help: "What tells the attitude in --format nmea. (default: pashr)")
  var sentence: AttitudeSentence?

  @Option(help: "device, enu or ned: which axes the frame and the board have.")
  var convention: AttitudeConvention = .device

  @Flag(help: "Add the matrix, row by row: m11 to m33.")
  var matrix = false

  func validate() throws {
    try locationOptions.validate()
    try talkerOption.validate()
    _ = try formatOption.kind()
    try eventOptions.check()
    try formatOption.check(talkerOption.typed, publishOptions)
    try formatOption.check(sentence.map { "--sentence \($0)" }, publishOptions)
    if formatOption.format == NMEAFormat.name, convention != .device || frame != .magnetic {
      throw ValidationError("--frame and --convention: sentences of NMEA have a frame of their own")
    }
    // A format that has no place for a tilt picks its columns, and the matrix is none of them.
    if matrix { _ = try formatOption.kind(for: LevelReading.schema) }
    if matrix, eventOptions.isUsed { throw ValidationError("--matrix: --on and --events are for attitudes without it") }
  }

  func run() throws {
    var settings = Attitude.Settings()
    (settings.frame, settings.convention) = (frame, convention)
    if matrix {
      let run = try open(MatrixAttitude.self, settings)
      try run.finish { try run.writeLines().end }
    } else {
      let run = try open(Attitude.self, settings)
      try run.finish {
        let programs = try run.programs(eventOptions)
        // The screen draws the board in its own axes.
        return try convention == .device ? run.show(AttitudeState(), programs) : run.writeLines(programs).end
      }
    }
  }

  private func open<Device: Instrument>(_ type: Device.Type, _ settings: Device.Settings) throws
    -> InstrumentRun<Device>
  {
    try InstrumentRun(
      settings, deviceOptions, calibrationOptions, place: placeOptions, location: locationOptions,
      placeNeededFor: frame == .trueNorth ? "--frame true" : nil, format: formatOption, publish: publishOptions,
      stream: streamOptions, unit: unitOption, triggers: eventOptions.triggers, talker: talkerOption.chosen(),
      attitudeSentence: sentence ?? .pashr)
  }
}

extension AttitudeFrame: ChosenWord {}
extension AttitudeConvention: ChosenWord {}
extension AttitudeSentence: ChosenWord {}
