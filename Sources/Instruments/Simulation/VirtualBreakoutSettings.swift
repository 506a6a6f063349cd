import LodestoneCore
import Glibc

extension VirtualBreakout {
  /// The settings of a run. Each setting has the name it has in an address.
  public struct Settings: Sendable {
    /// The motion of the board.
    public enum Motion: String, CaseIterable, Sendable {
      case still
      case spin
      case figureEight = "figure-eight"
      case walk
      case drive
      case sail
      case tilt
      case shake
      /// Turned forth and back about all axes, facing one way.
      case wiggle
      /// A hand that does what a guided calibration asks, and until then turns gently.
      case hand
    }

    /// A field that is there for a while, in the device frame.
    public struct Disturbance: Sendable, Equatable {
      /// The field in µT.
      public var field: Vector3
      /// Seconds since the start.
      public var from: Double
      /// Seconds since the start.
      public var to: Double

      /// A field in µT between two times.
      public init(field: Vector3, from: Double, to: Double) {
        self.field = field
        self.from = from
        self.to = to
      }
    }

    /// A magnet that is brought near and taken away, over and over: the far field of a dipole, 1/distance³.
    public struct Magnet: Sendable, Equatable {
      /// The field at the nearest point, in the device frame, in µT.
      public var peak: Vector3
      /// First time at the nearest, and seconds from one approach to the next.
      public var period: Double

      /// A magnet that adds `peak` µT every `period` seconds.
      public init(peak: Vector3, period: Double) {
        self.peak = peak
        self.period = period
      }

      /// It passes at 0.5 m/s; one metre away at the end of its run it is out of reach.
      func field(at time: Double) -> Vector3 {
        let away = abs(fmod(time, 2 * period) - period)
        guard away < 4 else { return .zero }
        let distance = 1 + away / 0.4
        return peak / (distance * distance * distance)
      }
    }

    /// The board's motion.
    public var motion = Motion.walk
    /// Samples per second.
    public var rate = 50.0
    /// Seed of the noise and of everything that differs from run to run.
    public var seed: UInt64 = 1
    /// Seed of the board's own errors: hard iron, soft iron, misalignment.
    public var sensor: UInt64 = 1

    /// Whether the board knows its own calibration.
    public var isCalibrated = true

    /// Standard deviation of each axis of the field in µT.
    public var noise = 0.3
    /// Standard deviation of each axis of the specific force in g.
    public var accelerometerNoise = 0.004
    /// Length of the accelerometer's offset in g; its direction comes with the sensor.
    public var accelerometerOffset = 0.0
    /// Standard deviation of each axis of the rotation rate in degrees per second.
    public var gyroscopeNoise = 0.1
    /// Length of what the gyroscope reads at rest, in degrees per second; its direction comes with the sensor.
    public var gyroscopeBias = 0.0
    /// The rate at rest itself, in degrees per second, where it matters.
    public var gyroscopeBiasVector: Vector3?
    /// The factor of the rotation rate: −1 for a wrong sign, π/180 for radians passed off as degrees.
    public var gyroscopeScale = 1.0
    /// The gyroscope's range: a faster turn reads as this many degrees per second.
    public var gyroscopeRange = Double.infinity
    /// Whether the samples hold a specific force.
    public var hasAccelerometer = true
    /// Whether the samples hold a rotation rate.
    public var hasGyroscope = true
    /// Whether the accelerometer reads gravity instead of specific force.
    public var accelerometerIsReversed = false

    /// The field of a motor's current, in µT per ampere along the chip's axes; nil without a motor.
    public var currentField: Vector3?
    /// The chip's temperature in degrees Celsius; nil for a chip that tells none.
    public var temperature: Double?

    /// Length of the hard iron in µT; its direction comes with the sensor.
    public var hardIron = 30.0
    /// The hard iron itself, where it matters.
    public var hardIronVector: Vector3?
    /// Standard deviation of the elements by which the soft iron differs from the identity.
    public var softIron = 0.04
    /// Angle between magnetometer and accelerometer in degrees, about an axis that comes with the sensor.
    public var misalignment = 2.0
    /// The map from the magnetometer's axes to the accelerometer's.
    public var axes = Mounting.aligned
    /// An axis that reads this many µT or more is cut off and flagged.
    public var range = Double.infinity

    /// The distance from the centre of the motion to the board, in metres: from the elbow along its top edge; up the
    /// mast in a boat.
    public var leverArm = 0.15
    /// Root mean square of what a walker's steps push the board, in g.
    public var push = 0.12
    /// Root mean square of what an engine shakes the board, 13 to 19 Hz, in g.
    public var vibration = 0.0
    /// The gestures made with the board now and then.
    public var gestures = VirtualGesture.Choice.none
    /// The strongest acceleration of a gesture, in g.
    public var strength = 1.6
    /// The heading in degrees at which the motion starts or stays.
    public var heading = 0.0
    /// The pitch in degrees, where the motion leaves it free.
    public var pitch = 0.0
    /// The roll in degrees, where the motion leaves it free.
    public var roll = 0.0
    /// Rate of a spin, in degrees per second.
    public var turnRate = 36.0
    /// Amplitude in degrees by which a spin is not level.
    public var wobble = 2.0
    /// How far a wiggle turns to either side, in degrees.
    public var swing = 45.0
    /// Attitudes held still after the sweep.
    public var rests = 8
    /// How much of its gentle motion a hand makes until it is asked for something, 0 to hold still.
    public var sway = 1.0
    /// How far a hand misses what it is asked for, in degrees, about each axis.
    public var miss = 0.0
    /// Standard deviation of the acceleration a hand trembles with, along each axis, in g.
    public var tremor = 0.0
    /// Degrees between the top edge's direction and the laser that a hand aims with, towards the right edge and the
    /// face.
    public var laserAngle = 0.0
    /// Whether the person turns about while sweeping.
    public var turnsAbout = true

    /// Field strength of the place, in µT.
    public var fieldStrength = 48.0
    /// Inclination of the place, in degrees, down positive.
    public var inclination = 65.0
    /// Declination of the place, in degrees, east positive.
    public var declination = 4.0

    /// Fields that come and go.
    public var disturbances: [Disturbance] = []
    /// A magnet that comes near again and again.
    public var magnet: Magnet?
    /// Share of samples that are thrown off.
    public var wildFraction = 0.0
    /// Standard deviation of each axis of what throws them off, in µT.
    public var wildSize = 60.0

    /// A walk with an ordinary board.
    public init() {}

    /// The direction of the laser in the device frame.
    public var laser: Vector3 {
      let aside = sin(Angle.radians(laserAngle)) * (0.5).squareRoot()
      return Vector3(aside, cos(Angle.radians(laserAngle)), aside)
    }
  }
}
