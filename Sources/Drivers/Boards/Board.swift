import LodestoneCore

/// A magnetometer and what moves with it: the accelerometer and gyroscope that tilt compensation needs.
public struct Board: Sendable, Equatable {
  /// The chip that the field comes from.
  public let magnetometer: FoundChip
  /// The chip that acceleration and rotation rate come from; nil where there is none, or where the magnetometer's own
  /// chip measures them too. It is configured before the magnetometer, which it may hide.
  public let motion: FoundChip?
  /// A gyroscope in a part of its own, for rotation rates that neither of the two measures; it lies along the axes
  /// of the accelerometer as far as anybody knows. Nil where there is none.
  public let gyroscope: FoundChip?
  /// Field in the axes of `motion` = relation · field in the magnetometer's own. Nil where two packages sit on a board
  /// as its maker liked: a mounting or the calibration has to say it.
  public let relation: Matrix3?

  /// A board from its parts.
  public init(
    magnetometer: FoundChip, motion: FoundChip? = nil, relation: Matrix3? = nil, gyroscope: FoundChip? = nil
  ) {
    self.magnetometer = magnetometer
    self.motion = motion
    self.relation = relation
    self.gyroscope = gyroscope
  }

  /// Its chips, the magnetometer first.
  public var chips: [FoundChip] { [magnetometer] + [motion, gyroscope].compactMap { $0 } }

  /// All that its chips measure.
  public var senses: Senses { chips.reduce([]) { $0.union($1.driver.senses) } }

  /// The axes of a magnetometer as they lie to those of an accelerometer in the same package: drawn under "Orientation
  /// of axes" in the data sheets of the MPU-9150, the MPU-9250 and the ICM-20948, and used alike by independent
  /// drivers. In the ST parts they are the same once each file has straightened its own. Each is in its package at one
  /// address, or at any where that is nil: elsewhere it is a part of its own, which lies as a board's maker liked.
  private static let packages: [Package] = [
    Package(AK8963.self, at: 0x0C, MPU6050.self, crossed), Package(AK8975.self, at: 0x0C, MPU6050.self, crossed),
    Package(AK09916.self, ICM20948.self, Matrix3(diagonal: Vector3(1, -1, -1))),
    Package(LSM9DS1.self, LSM9DS1Motion.self, .identity),
    Package(LSM303DLHC.self, LSM303DLHCAccelerometer.self, .identity),
    Package(LSM303AGR.self, LSM303AGRAccelerometer.self, motionAt: 0x19, .identity),
  ]

  /// x is the accelerometer's y, y its x, and z is turned round.
  private static let crossed = Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1))

  private struct Package: Sendable {
    let magnetometer, motion: any Chip.Type
    let magnetometerAddress, motionAddress: UInt8?
    let relation: Matrix3

    init(
      _ magnetometer: any Chip.Type, at magnetometerAddress: UInt8? = nil, _ motion: any Chip.Type,
      motionAt motionAddress: UInt8? = nil, _ relation: Matrix3
    ) {
      (self.magnetometer, self.motion, self.relation) = (magnetometer, motion, relation)
      (self.magnetometerAddress, self.motionAddress) = (magnetometerAddress, motionAddress)
    }
  }

  /// One board for each magnetometer found. A partner in the same package comes first; otherwise the only magnetometer
  /// on a bus takes the best of the chips for motion, one with a gyroscope before one without, and a gyroscope of its
  /// own where its accelerometer has none.
  public static func boards(of found: [FoundChip]) -> [Board] {
    let magnetometers = found.filter { $0.driver.senses.contains(.field) }
    let gyroscopes = found.filter { $0.driver.senses == .rotationRate }
    return magnetometers.map { magnetometer in
      let board = board(of: magnetometer, among: found, isAlone: magnetometers.count == 1)
      let isOnly = magnetometers.count == 1 && gyroscopes.count == 1
      guard isOnly, board.senses == [.field, .acceleration] else { return board }
      return Board(
        magnetometer: magnetometer, motion: board.motion, relation: board.relation, gyroscope: gyroscopes.first)
    }
  }

  private static func board(of magnetometer: FoundChip, among found: [FoundChip], isAlone: Bool) -> Board {
    guard !magnetometer.driver.senses.contains(.acceleration) else {
      return Board(magnetometer: magnetometer, relation: .identity)
    }
    if let (partner, relation) = partner(of: magnetometer, among: found) {
      return Board(magnetometer: magnetometer, motion: partner, relation: relation)
    }
    let others = isAlone ? found.filter { $0.driver.senses.contains(.acceleration) } : []
    let motion = others.first { $0.driver.senses.contains(.rotationRate) } ?? others.first
    return Board(magnetometer: magnetometer, motion: motion)
  }

  private static func partner(of magnetometer: FoundChip, among found: [FoundChip]) -> (FoundChip, Matrix3)? {
    for package in packages where package.magnetometer == magnetometer.driver {
      guard [nil, magnetometer.address].contains(package.magnetometerAddress) else { continue }
      let motion = found.first { $0.driver == package.motion && [nil, $0.address].contains(package.motionAddress) }
      if let motion { return (motion, package.relation) }
    }
    return nil
  }
}
