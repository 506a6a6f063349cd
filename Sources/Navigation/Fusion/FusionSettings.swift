import Calibration
import LodestoneCore

extension Fusion {
  /// Assumptions about boards, hands and places. Angles in radians where a name does not say otherwise.
  public struct Settings: Sendable, Equatable {
    /// One standard deviation of a gyroscope's bias nobody measured, in °/s, before anything of it shows. Small: a bad
    /// one takes long to be seen.
    public var startBias = 4.28
    /// The same for those that show no more, and for a board that lies still as it begins. Small: a slow turn is
    /// certain to be none; large: the first errors of up and of the field are taken for bias.
    public var usualBias = 0.7
    /// By how much a bias that was measured differs from that when it is used, one standard deviation in °/s. Data
    /// sheets have 0.01 to 0.16 °/s for each kelvin: most by less over the 15 K past which the user is told. Small: an
    /// old zero takes long to be seen; large: what was measured is worth little.
    public var biasDrift = 0.9
    /// One standard deviation of the first up, in degrees.
    public var startTilt = 28.3
    /// Seconds of force, at most, that say where up is at first.
    public var settlingTime = 1.5
    /// One standard deviation of the first north, in degrees.
    public var startYaw = 73.7

    /// How a bias wanders, in rad/s/√s.
    public var biasWander = Angle.radians(0.033)
    /// How up wanders beyond that, in rad/√s.
    public var tiltWander = Angle.radians(0.00604)
    /// How both wander more for each g that shakes a board, in rad/√s: a gyroscope feels some of it.
    public var shakeWander = Angle.radians(0.1)
    /// How north does where the field is as it should be, in rad/√s.
    public var quietYawWander = Angle.radians(0.0183)
    /// How much more it wanders for each µT by which the field is seen off, in rad/√s.
    public var yawWanderShare = Angle.radians(0.6)
    /// How it wanders where the board is carried, and at most. Small: long means over places and directions; large:
    /// quick after a disturbance.
    public var yawWander = Angle.radians(0.553)
    /// The error of a turn for each radian per second, whatever is known of the gyroscope, in rad/√s.
    public var rateScale = 0.00267
    /// By how much gains and axes are off where there is no calibration at all, one standard deviation: those of a
    /// gyroscope that its maker trimmed.
    public var gainDeviation = 0.007
    /// Seconds for which turns go the same way, so that what gains are off by adds up.
    public var gainCorrelation = 1.0
    /// How much of what boards turn by otherwise is not known of a gap.
    public var gapShare = 0.5
    /// The ratio of the errors of axes to those of gains, squared.
    public var acrossShare = 0.25
    /// The uncertainty that one second at rest leaves of a bias, in rad/s √s.
    public var restNoise = Angle.radians(0.8)

    /// One standard deviation of the direction of a force at rest, for a board of which nothing else is known.
    public var leastPush = 0.052
    /// The same for one that nothing has pushed for a while.
    public var restPush = 0.0054
    /// Seconds over which that is learned, and by how much what was seen then counts, squared.
    public var (usualPushSpan, usualPushShare) = (2.66, 2.73)
    /// Seconds for which what pushes a board at rest is alike.
    public var pushCorrelation = 0.328
    /// For how many times its length what pushes is remembered.
    public var pushMemory = 3.0
    /// Lengths of a mean that up takes to follow it, at least, where that is 2.4 s and more. Small: quick after
    /// a bend; large: steady in a swell.
    public var pushPatience = 5.0
    /// The density of what pushes a board that is shaken as it begins, in rad² s.
    public var startPush = 0.1

    /// The disturbance that stays unseen where nothing is seen, in µT.
    public var leastDisturbance = 0.0645
    /// The error across a field, in µT, that a good calibration leaves in a place without iron: one standard deviation.
    /// Inclinations show up no more exactly than this.
    public var leastBend = 0.45
    /// Standard deviations of noise in one window, and variances of it in the mean, that are no disturbance where the
    /// board is not carried.
    public var (noiseLimit, noiseShare) = (1.12, 1.13)
    /// Seconds for which the errors of a field are alike.
    public var fieldCorrelation = 3.34
    /// Seconds over which they are remembered.
    public var fieldMemory = 8.26
    /// The ratio of the unseen part of a disturbance to the seen one.
    public var disturbanceShare = 1.32
    /// The seen disturbance in µT at which that ratio is twice as large.
    public var steepness = 14.3
    /// Seconds over which what strength and inclination are off by for long is told from what changes, where a board is
    /// carried.
    public var slowTime = 0.87
    /// Seconds for which a board that is carried learns the usual deviation of the field as a mean.
    public var usualStart = 37.0
    /// Seconds over which that changes later on. Small: iron that stays soon passes for usual; large: after a change of
    /// the calibration itself figures stay wide for long.
    public var usualMemory = 600.0
    /// Seconds over which what they are off by more than usual is averaged.
    public var lastingSpan = 5.0
    /// The same deviation in ordinary places, in µT: the root of the mean square of the two.
    public var ordinary = 1.6
    /// Ratio of the eastward part of a lasting disturbance to the root of the mean square of the two that are seen.
    public var lastingShare = 7.82
    /// How much of it counts as noise of the field, squared. Small: the field soon turns north to where iron pulls it.
    public var lastingWeight = 0.667
    /// Standard deviations past which an innovation counts less (Huber).
    public var limit = 1.63
    /// Standard deviations of north that are stated for one of the filter's, and for one that came while the filter
    /// allowed for the most, as where the board is carried: it lets go so that it soon comes back, and errs no more for
    /// that.
    public var (caution, carriedCaution) = (0.5, 0.316)
    /// Standard deviations of north that are stated besides for one of what up turns the field by.
    public var leanCaution = 0.5

    /// The field turns north; without it north is where the board pointed at the start.
    public var usesField = true

    /// For a sensor that measures a magnet, from a rest of which up and the gyroscope's bias were just taken.
    public static let measuring: Settings = {
      var settings = Settings()
      settings.usesField = false
      settings.startTilt = 0.1
      settings.biasDrift = 0.1
      (settings.yawWander, settings.quietYawWander) = (settings.tiltWander, settings.tiltWander)
      (settings.caution, settings.carriedCaution, settings.leanCaution) = (0.7, 0.7, 0)
      settings.leastPush = 0.01
      return settings
    }()

    /// For boards in hands, vehicles and boats.
    public init() {}

    /// One standard deviation of what a bias is about each axis, in °/s, after a zero was subtracted; never more than
    /// of one that nobody measured.
    func biasDeviation(after zero: GyroscopeZero?) -> Double {
      guard let zero else { return startBias }
      let measured = max(zero.deviation.x, zero.deviation.y, zero.deviation.z)
      return min(startBias, (biasDrift * biasDrift + measured * measured).squareRoot())
    }

    /// How north wanders, in rad/√s: with the places that a carried board comes by, or with what is seen of iron, in
    /// µT.
    func yawWander(isCarried: Bool, seen: Double) -> Double {
      isCarried ? yawWander : max(quietYawWander, min(yawWander, yawWanderShare * seen))
    }

    /// Standard deviations of north that are stated for one that came while the filter let north wander so, in rad/√s.
    func caution(wandering yaw: Double) -> Double {
      let share = yaw / yawWander
      let (least, most) = (carriedCaution * carriedCaution, caution * caution)
      return (most + (least - most) * share * share).squareRoot()
    }

    /// The growth of the variance of the attitude about east, north and up, in rad² a second.
    /// - Parameters:
    ///   - turning: the rate in that frame, in radians per second.
    ///   - gains: the variance of a turn by unknown gains, in rad²/s for each (rad/s)².
    ///   - shaking: the mean square of what shakes the board, in g².
    ///   - yaw: how north wanders, in rad/√s.
    func wander(turning: Vector3, gains: Double, shaking: Double, yaw: Double) -> Vector3 {
      let along = rateScale * rateScale + gains
      let across = acrossShare * along * turning.squaredLength
      let gained = Vector3(turning.x * turning.x, turning.y * turning.y, turning.z * turning.z)
      let shaken = shakeWander * shakeWander * shaking
      let (tilt, north) = (tiltWander * tiltWander + shaken, yaw * yaw + shaken)
      return gained * (along * (1 - acrossShare)) + Vector3(tilt + across, tilt + across, north + across)
    }

    /// The variance of an observation whose errors are alike for a while: equation (3).
    /// - Parameter white: the variance by errors that are new in each observation.
    func noise(
      variance: Double, correlation: Double, step: Double, off: Double, expected: Double, white: Double = 0
    ) -> Double {
      let excess = abs(off) / (limit * (variance + white + expected).squareRoot())
      return (variance * (2 * correlation / step + 1) + white) * max(1, excess)
    }
  }
}
