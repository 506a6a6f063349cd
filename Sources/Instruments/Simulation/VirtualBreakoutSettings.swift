import Core
import Glibc

extension VirtualBreakout {
  /// What a run is made of. Each setting has the name it has in an address.
  public struct Settings: Sendable {
    /// What the board does.
    public enum Motion: String, CaseIterable, Sendable {
      case still
      case spin
      case figureEight = "figure-eight"
      case walk

      var kind: VirtualMotion.Kind {
        switch self {
        case .still: .still
        case .spin: .spin
        case .figureEight: .figureEight
        case .walk: .walk
        }
      }
    }

    /// A field that is there for a while, in the device frame.
    public struct Disturbance: Sendable, Equatable {
      /// In µT.
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
      /// At the nearest, in the device frame, in µT.
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

    /// What it does.
    public var motion = Motion.walk
    /// Samples per second.
    public var rate = 50.0
    /// Of the noise and of everything that differs from run to run.
    public var seed: UInt64 = 1
    /// Of the board in the hand: hard iron, soft iron, misalignment.
    public var sensor: UInt64 = 1

    /// Standard deviation of each axis of the field in µT.
    public var noise = 0.3
    /// Standard deviation of each axis of the specific force in g.
    public var accelerometerNoise = 0.004
    /// Length of the accelerometer's offset in g; its direction comes with the sensor.
    public var accelerometerOffset = 0.0
    /// Standard deviation of each axis of the rotation rate in degrees per second.
    public var gyroscopeNoise = 0.1
    /// The samples hold a specific force.
    public var hasAccelerometer = true
    /// The samples hold a rotation rate.
    public var hasGyroscope = true
    /// The accelerometer reads gravity instead of specific force.
    public var accelerometerIsReversed = false

    /// Length of the hard iron in µT; its direction comes with the sensor.
    public var hardIron = 30.0
    /// The hard iron itself, where it matters.
    public var hardIronVector: Vector3?
    /// Standard deviation of the elements by which the soft iron differs from the identity.
    public var softIron = 0.04
    /// Angle between magnetometer and accelerometer in degrees, about an axis that comes with the sensor.
    public var misalignment = 2.0
    /// From the magnetometer's axes to the accelerometer's.
    public var axes = Mounting.aligned
    /// An axis that reads this many µT or more is cut off and flagged.
    public var range = Double.infinity

    /// From the elbow to the board along its top edge, in metres.
    public var leverArm = 0.15
    /// In degrees, where the motion starts or stays.
    public var heading = 0.0
    /// In degrees, where the motion leaves it free.
    public var pitch = 0.0
    /// In degrees, where the motion leaves it free.
    public var roll = 0.0
    /// Of a spin, in degrees per second.
    public var turnRate = 36.0
    /// Amplitude in degrees by which a spin is not level.
    public var wobble = 2.0
    /// Attitudes held still after the sweep.
    public var rests = 8
    /// Whether the person turns about while sweeping.
    public var turnsAbout = true

    /// Of the place, in µT.
    public var fieldStrength = 48.0
    /// Of the place, in degrees, down positive.
    public var inclination = 65.0
    /// Of the place, in degrees, east positive.
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
  }
}
