import LodestoneCore

/// Messages of a stream in, samples out: units applied, the board's clock followed, numbers that cannot be rejected and
/// counted, what a device tells in several sentences put together. Allocates nothing.
public struct SampleAssembler: Sendable {
  /// The size of one unit of each quantity's numbers.
  public var scales: WireScales {
    didSet {
      noteScales()
      forgetUnit()
    }
  }
  /// The stream states the unit of its fields: one without a unit is in another, and left out.
  public var fieldIsStated = false { didSet { noteScales() } }
  /// µT in one number of a field without a unit; nil where that is not known.
  private var fieldScale: Double?
  /// The numbers that stand for no field on the three axes; zero but for chips that tell the middle of their range.
  private var fieldZero = Vector3.zero
  /// Fields without a unit since the last one with its unit.
  private var unstatedCount = 0
  private var isUnscaled = false
  /// Accelerations have no gravity in them.
  private var isWeightless = false
  /// Whether fields are counts of a chip: its axes may differ, and its range end.
  private var isOfChip = false
  /// The number of messages that were left out because a number was beyond what any sensor measures.
  public private(set) var implausibleCount = 0

  private let keepsTime: Bool
  private var clock: StreamClock
  private var attitude = HeldAttitude()
  private var stuckField = StuckField()
  private var rails = RailWatch()
  private var standing = StandingAxis()
  private var jump = UnitJump()
  private var forceJump = ForceJump()
  private var rangeJump = RangeJump()
  private var rateEnd = RateEnd()
  private var zeroRate = ZeroRate()
  /// The axes that were taken for a field's are those of an acceleration.
  private var isForce = false

  /// The largest field any of the sensors measures, in µT, with room to spare (a Hall sensor: 266 mT).
  private static let largestField = 1e6
  /// The strongest field along a probe of one axis, in µT: Hall probes of laboratories measure up to 35 T.
  private static let largestAlongProbe = 3.5e7
  /// Fields without a unit in a row after which the stream states none any more.
  private static let mostUnstated = 32
  /// The largest acceleration that is believed, in g.
  private static let largestAcceleration = 400.0
  /// The largest rotation rate that is believed, in degrees per second.
  private static let largestRate = 2e4

  /// An assembler. `keepsTime` for a recording, whose own times are passed on as they are.
  public init(scales: WireScales, keepsTime: Bool) {
    self.scales = scales
    self.keepsTime = keepsTime
    clock = StreamClock(keepsTime: keepsTime)
    noteScales()
  }

  private mutating func noteScales() {
    fieldScale = fieldIsStated ? nil : scales.field.microtesla
    unstatedCount = 0
    isUnscaled = scales.field.isUnscaled
    if case .weightless = scales.acceleration.basis { isWeightless = true } else { isWeightless = false }
    fieldZero = Vector3(scales.field.zero, scales.field.zero, scales.field.zero)
    isOfChip = scales.field.axisFactors != nil || scales.field.range != nil
    isForce = scales.fieldIsAcceleration
  }

  /// The sample that a message makes, with the moment it arrived in seconds of the stream; nil for one that says
  /// nothing of field, motion, heading or causes.
  public mutating func sample(of message: WireMessage, arrival: Double) -> Sample? {
    var (sample, message) = (Sample(time: 0), message)
    return assemble(&message, arrival: arrival, into: &sample) ? sample : nil
  }

  /// Writes the sample of a message where it is wanted; false where the message makes none.
  /// - Parameter message: is only read: what is handed over like this is not copied.
  public mutating func assemble(_ message: inout WireMessage, arrival: Double, into sample: inout Sample) -> Bool {
    sample = Sample(time: 0)
    if var field = message.field, let scale = message.fieldUnit?.microtesla ?? fieldScale {
      field -= fieldZero
      guard let checked = Self.within(Self.largestField, field * scale) else { return reject() }
      sample.field = MagneticField(microtesla: checked)
      if message.saturated { sample.flags.insert(.saturated) }
      if message.fieldUnit == nil { watch(field, into: &sample) }
      if let times = rangeJump.add(checked) { (unitHasChanged, rangeFactor) = (true, times) }
      if isUnscaled { sample.flags.insert(.unscaled) }
      if !isUnscaled, standing.isAtEnd(checked) { sample.flags.insert(.saturated) }
      if isOfChip { applyChip(to: &sample) }
      if unstatedCount > 0 { unstatedCount = 0 }
    } else if fieldIsStated, message.field != nil {
      unstatedCount &+= 1
      if unstatedCount == Self.mostUnstated { unitHasChanged = true }
    }
    if let along = message.alongProbe, let unit = message.fieldUnit {
      let microtesla = along * unit.microtesla
      guard abs(microtesla) <= Self.largestAlongProbe else { return reject() }
      sample.alongProbe = microtesla
      if message.saturated { sample.flags.insert(.saturated) }
    }
    if !isWeightless, let force = isForce ? message.field : message.acceleration,
      let scale = message.accelerationUnit?.gravities ?? scales.acceleration.gravities
    {
      if message.accelerationUnit == nil, forceJump.add(force) { (unitHasChanged, changeIsOfForce) = (true, true) }
      guard let checked = Self.within(Self.largestAcceleration, force * scale) else { return reject() }
      sample.acceleration = Acceleration(g: checked)
    }
    if let rate = message.rotationRate,
      let scale = message.rotationRateUnit?.degreesPerSecond ?? scales.rotationRate.degreesPerSecond
    {
      guard let checked = Self.within(Self.largestRate, rate * scale) else { return reject() }
      if !zeroRate.isNone(checked) { sample.rotationRate = RotationRate(degreesPerSecond: checked) }
      if rateEnd.isReached(by: checked) { sample.flags.insert(.rateSaturated) }
    }
    if let temperature = message.temperature, Sample.temperatures.contains(temperature) {
      sample.temperature = temperature
    }
    if !message.causes.isEmpty { sample.causes = message.causes }
    sample.time = clock.time(board: message.time, arrival: arrival)
    if clock.hasBegunAnew { sample.flags.insert(.restarted) }
    if message.own != nil || !message.withdrawn.isEmpty {
      sample.own = message.own
      // The times of a recording without any are no seconds.
      let isCounted = keepsTime && clock.followsBoard == false
      attitude.complete(&sample.own, without: message.withdrawn, at: isCounted ? nil : sample.time)
    }
    guard
      sample.field != nil || sample.acceleration != nil || sample.rotationRate != nil || sample.own != nil
        || !sample.causes.isEmpty || sample.alongProbe != nil
    else { return false }
    if stuckField.isStuck(sample), stuckField.hasTurned || isFine(&message) { sample.flags.insert(.stuck) }
    isStuckWhileTurning = stuckField.hasTurned
    return true
  }

  /// Looks at numbers whose unit is not said: whether an axis is at the end of a range, and whether they still are in
  /// the unit that they were found to be in.
  @inline(__always)
  private mutating func watch(_ numbers: Vector3, into sample: inout Sample) {
    if rails.isAtEnd(numbers) { sample.flags.insert(.saturated) }
    if jump.add(numbers) { unitHasChanged = true }
  }

  /// The numbers of the field, or of the acceleration, whose unit is not said, are in another one than before, or those
  /// of the field in another range, until that is noted.
  public private(set) var unitHasChanged = false
  /// They are the acceleration's.
  public private(set) var changeIsOfForce = false
  /// The factor by which the numbers of the field have become longer, as with another range of the chip; nil where they
  /// have not.
  public private(set) var rangeFactor: Double?

  /// Notes that a unit has changed: vectors are compared with those that come next.
  public mutating func forgetUnit() {
    (jump, forceJump, unitHasChanged) = (UnitJump(), ForceJump(), false)
    (changeIsOfForce, rangeFactor) = (false, nil)
  }

  /// Makes the axes alike, and marks a field at the end of the chip's range.
  private func applyChip(to sample: inout Sample) {
    guard var field = sample.field?.microtesla else { return }
    if let factors = scales.field.axisFactors {
      for axis in 0..<3 { field[axis] *= factors[axis] }
      sample.field = MagneticField(microtesla: field)
    }
    if let range = scales.field.range, (0..<3).contains(where: { abs(field[$0]) >= 0.999 * range }) {
      sample.flags.insert(.saturated)
    }
  }

  /// The largest last digit of a field, in µT, that the noise of any sensor changes: whole microteslas and hundredths
  /// of a gauss stay the same for minutes where a board lies still.
  private static let finestStep = 0.3

  /// The numbers of a message's field have enough digits for its noise to show.
  @inline(never)
  private func isFine(_ message: inout WireMessage) -> Bool {
    guard var digits = message.field, let scale = message.fieldUnit?.microtesla ?? fieldScale else { return false }
    var step = scale
    while step > Self.finestStep {
      if (0..<3).allSatisfy({ abs(digits[$0] - digits[$0].rounded()) < 1e-6 }) { return false }
      (digits, step) = (digits * 10, step / 10)
    }
    return true
  }

  /// The field has not changed in any digit for seconds, and the gyroscope says that the board has turned meanwhile.
  /// Stored, for a look at what is worked out would copy the assembler for each row.
  public private(set) var isStuckWhileTurning = false

  /// The messages tell no times: those of the samples are when they arrived, or in a recording how many came before.
  /// Nil before the first.
  public var countsMessages: Bool? { clock.followsBoard.map { !$0 } }

  /// The unit of the board's times is not known for sure: on a live stream their pace against arrival decides.
  public var timeIsAssumed: Bool {
    get { clock.isAssumed }
    set { clock.isAssumed = newValue }
  }

  /// The board's times count its messages: whether they are times all the same is for their pace to tell, and a
  /// recording has none.
  public var timeIsIndex: Bool {
    get { clock.isIndex }
    set { clock.isIndex = newValue }
  }

  /// The correction of the board's times; nil where the unit that was assumed has not been contradicted.
  public var correction: TimeCorrection? { clock.correction }

  /// Samples are missing: board times begin a new count.
  public mutating func noteGap() { clock.noteGap() }

  private mutating func reject() -> Bool {
    implausibleCount &+= 1
    return false
  }

  /// Nil also for what is not a number: it is not within anything.
  @inline(__always)
  private static func within(_ limit: Double, _ v: Vector3) -> Vector3? {
    abs(v.x) <= limit && abs(v.y) <= limit && abs(v.z) <= limit ? v : nil
  }
}

/// A field that does not change in any digit: noise alone would change it.
private struct StuckField: Sendable {
  /// Whether it is stuck, and the board has turned since it came first.
  private(set) var hasTurned = false
  private var field: MagneticField?
  private var since = 0.0
  private var count = 0
  /// The board's recent turn, in degrees about each of its axes, and the time of its last update.
  private var (turn, turnTime) = (Vector3.zero, 0.0)
  private var hasReached = false

  /// Seconds and equal samples from which a field is stuck; a loop faster than its chip repeats samples for less time.
  private static let seconds = 3.0
  private static let samples = 30
  /// Seconds over which turns are remembered, and degrees that are one: a gyroscope at rest that reads 10 °/s makes 20
  /// of them.
  private static let (memory, limit) = (2.0, 30.0)

  @inline(__always)
  mutating func isStuck(_ sample: borrowing Sample) -> Bool {
    let time = sample.time
    if let field = sample.field {
      guard field == self.field else {
        self.field = field
        (since, count, hasTurned) = (time, 0, false)
        (turn, turnTime, hasReached) = (.zero, time, false)
        return false
      }
      count &+= 1
    }
    if let rate = sample.rotationRate?.degreesPerSecond { add(rate, at: time) }
    guard sample.field != nil, count >= Self.samples, time - since >= Self.seconds else { return false }
    hasTurned = hasReached
    return true
  }

  private mutating func add(_ rate: Vector3, at time: Double) {
    let step = min(time - turnTime, Self.memory)
    turnTime = time
    guard step > 0 else { return }
    turn = (turn + rate * step) * (1 - step / Self.memory)
    hasReached = hasReached || turn.squaredLength > Self.limit * Self.limit
  }
}
