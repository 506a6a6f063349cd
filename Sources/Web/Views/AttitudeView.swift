import LodestoneCore
import LodestonePorts
import Navigation

/// Attitude, against true north where the place is known.
final class AttitudeView: PanelView {
  static let events = [
    WebEvent(
      "attitude",
      .record(
        AttitudeReading.schema,
        [
          "qw": "Of the unit quaternion that turns the device's axes into the frame's", "qx": "Of the quaternion",
          "qy": "Of the quaternion", "qz": "Of the quaternion", "yaw": "Left turn from the frame's x axis",
          "pitch": "Of the device", "roll": "Of the device",
          "rate_x": "Rotation about device x, without the gyroscope's bias", "rate_y": "About device y",
          "rate_z": "About device z", "gravity_x": "Gravity, device x", "gravity_y": "Device y",
          "gravity_z": "Device z", "user_x": "Acceleration without gravity, device x", "user_y": "Device y",
          "user_z": "Device z", "bx": "Corrected field, device x", "by": "Device y", "bz": "Device z",
          "field_accuracy": "How far the field is to be trusted", "yaw_accuracy": "95 % of yaws are within this much",
          "inclination_accuracy": "95 % of tilts are within this much", "at_rest": "1 while the board rests",
          "frame": "What yaw is against: x points to magnetic or true north, y west, z up",
          "device_heading": "What the device computed itself", "device_pitch": "What the device computed itself",
          "device_roll": "What the device computed itself", "magnetic_heading": "What the compass shows",
          "true_heading": "The same against true north; null where the place is not known",
        ],
        extra: [
          (
            "missing",
            .word(
              ["gyroscope", "accelerometer", "magnetometer"],
              "The sensor that is needed and not there; nothing else is told then")
          )
        ]
      ))
  ]

  private let context: PanelContext
  private var part: InstrumentPart<Attitude>
  private var earth: EarthReference?
  private var missing: String?

  init(_ context: PanelContext) {
    self.context = context
    part = InstrumentPart("attitude", .init(), context)
  }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {
    let isReading = part.take(sample, at: now)
    while let notice = part.instrument.nextNotice() { missing = Self.missing(by: notice) ?? missing }
    if isReading { missing = nil }
    guard let missing else { return }
    part.channel.publish(.members(("time_s", .number(sample.time)), ("missing", .string(missing))), at: now)
  }

  private static func missing(by notice: InstrumentNotice) -> String? {
    switch notice {
    case .noGyroscope: "gyroscope"
    case .nothingOfUse(_, let needs): needs == .acceleration ? "accelerometer" : "magnetometer"
    default: nil
    }
  }

  /// Follows the place: true north begins and ends with it.
  func follow(_ earth: EarthReference?) {
    if (earth == nil) != (self.earth == nil) {
      var settings = Attitude.Settings()
      settings.frame = earth == nil ? .magnetic : .trueNorth
      part = InstrumentPart("attitude", settings, context)
    }
    self.earth = earth
    part.instrument.follow(earth)
  }

  func tell(at now: MonotonicTime) { part.channel.flush(at: now) }
  func appendMetrics(to text: inout TextBuffer) { part.channel.appendMetrics(to: &text) }
}
