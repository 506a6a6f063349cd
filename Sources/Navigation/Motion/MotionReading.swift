import LodestoneCore

/// Forces at one moment, and what was recognized.
public struct MotionReading: Record, Equatable {
  /// A gesture or an event of motion: a movement, a shake, a fall.
  public struct Event: Equatable, Sendable {
    /// The kind of an event.
    public enum Kind: String, CaseIterable, Sendable {
      /// Pushed to a side.
      case movement
      /// Swung to and fro.
      case shake
      /// Two axes changed at once.
      case jolt
      /// Held another way.
      case orientation
      /// A fall: less than 0.3 g for 0.1 s.
      case freeFall = "free-fall"
      /// A step of whoever carries it.
      case step
    }

    /// The direction of a movement, or the axis of a shake.
    public enum Direction: String, CaseIterable, Sendable {
      case right, left, top, bottom
      case towardsFace = "towards-face"
      case awayFromFace = "away-from-face"
      case x, y, z
    }

    /// The kind of the event.
    public var kind: Kind
    /// The direction or the axis; nil for events that have none.
    public var direction: Direction?
    /// The strongest acceleration in g.
    public var peak: Double?
    /// The time from its beginning to its end, in seconds.
    public var duration: Double?

    /// An event by what is known of it.
    public init(kind: Kind, direction: Direction? = nil, peak: Double? = nil, duration: Double? = nil) {
      self.kind = kind
      self.direction = direction
      self.peak = peak
      self.duration = duration
    }
  }

  /// The time of its sample in seconds.
  public var time: Double
  /// Gravity in g, in the device's axes: (0, 0, −1) for a board that lies face up.
  public var gravity = Vector3.zero
  /// Acceleration beside gravity, in g. The sum of the two is what an accelerometer reads with the opposite sign.
  public var userAcceleration = Vector3.zero
  /// How the board is held.
  public var orientation = Orientation.unknown
  /// The event recognized at this moment; nil for most.
  public var event: Event?
  /// Steps since the beginning.
  public var steps = 0
  /// Steps a minute; nil while nobody walks.
  public var cadence: Double?

  /// A reading of nothing yet.
  public init() { self.init(time: 0) }

  /// A reading of nothing yet, at a time.
  public init(time: Double) { self.time = time }

  /// The kind of record.
  public static let schema = RecordSchema("motion", of: MotionReading.self, line: MotionLine.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    func gravities(_ name: String) -> Column { .number(name, .gravities, decimals: 4) }
    columns.add(gravities("gravity_x"), gravities("gravity_y"), gravities("gravity_z"), gravity)
    columns.add(gravities("user_x"), gravities("user_y"), gravities("user_z"), userAcceleration)
    columns.add("orientation", word: orientation)
    columns.add("event", word: event?.kind)
    columns.add("direction", word: event?.direction)
    columns.add(.number("peak", .gravities, decimals: 3), event?.peak)
    columns.add(.number("duration", .seconds, decimals: 3), event?.duration)
    columns.add(.integer("steps"), steps)
    columns.add(.number("cadence", .perMinute, decimals: 1), cadence)
  }
}

/// One line for people.
public struct MotionLine: RecordLine {
  private let places: [Int?]

  /// A writer for rows of this kind.
  public init(_ schema: RecordSchema, units: DisplayUnits) {
    places = ["user_x", "user_y", "user_z", "orientation", "event", "direction", "peak", "steps", "cadence"]
      .map { schema.index(of: $0) }
  }

  /// Appends `user 0.01 -0.02 0.00 g   face-up   114 steps, 108 a minute   movement right 0.84 g`.
  public func append(_ row: borrowing Row, to text: inout TextBuffer) {
    text.append("user")
    for place in places.prefix(3) {
      text.append(" ")
      text.append(row[place], decimals: 2, absent: "-")
    }
    text.append(" g   ")
    append(Orientation.allCases.map { $0.rawValue }, row.integer(places[3]), to: &text)
    if let steps = row.integer(places[7]), let cadence = row[places[8]] {
      text.append("   ")
      text.append(steps)
      text.append(" steps, ")
      text.append(cadence, decimals: 0)
      text.append(" a minute")
    }
    guard row.integer(places[4]) != nil else { return }
    text.append("   ")
    append(MotionReading.Event.Kind.allCases.map { $0.rawValue }, row.integer(places[4]), to: &text)
    if row.integer(places[5]) != nil { text.append(" ") }
    append(MotionReading.Event.Direction.allCases.map { $0.rawValue }, row.integer(places[5]), to: &text)
    guard let peak = row[places[6]] else { return }
    text.append(" ")
    text.append(peak, decimals: 2)
    text.append(" g")
  }

  private func append(_ words: [String], _ index: Int?, to text: inout TextBuffer) {
    guard let index, words.indices.contains(index) else { return }
    text.append(text: words[index])
  }
}
