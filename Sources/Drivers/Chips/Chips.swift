import LodestoneCore

/// Every chip there is a driver for.
public enum Chips {
  /// One line a chip. Where several can have one address they are asked in this order: parts that look like another and
  /// are known by a neighbour before that other; those whose identity stands where another has a byte of its field,
  /// which may be any, after that other; those that are recognised by reading before those that are not.
  public static var all: [any Chip.Type] { registry.all }

  /// Adds a chip of a program's own, before anything is opened.
  public static func register(_ member: any Chip.Type) { registry.add(member) }

  private static let registry = Registry<any Chip.Type>([
    LSM303AGR.self,
    LIS2MDL.self,
    LSM303C.self,
    LSM9DS1.self,
    LIS3MDL.self,
    LSM303D.self,
    LSM303DLHC.self,
    HMC5883L.self,
    FXOS8700.self,
    QMC6310.self,
    QMC5883L.self,
    AK09916.self,
    AK09918.self,
    AK09911.self,
    AK09912.self,
    AK09915.self,
    AK8963.self,
    AK8975.self,
    IST8310.self,
    IST8308.self,
    MAG3110.self,
    QMC5883P.self,
    QMC6309.self,
    MMC5603.self,
    MMC5983MA.self,
    TMAG5273.self,
    RM3100.self,
    BMM350.self,
    BNO055.self,
    LSM303DLHCAccelerometer.self,
    LSM303AGRAccelerometer.self,
    LIS3DH.self,
    LSM303CAccelerometer.self,
    ADXL345.self,
    LSM9DS1Motion.self,
    LSM6DS.self,
    MPU6050.self,
    ICM42688.self,
    L3GD20.self,
    ICM20948.self,
    ITG3200.self,
    FXAS21002C.self,
    BMM150.self,
    TLV493D.self,
    MLX90393.self,
  ])

  /// The chip of this name or alias, in any case of letters.
  public static func named(_ name: String) -> (any Chip.Type)? {
    let name = name.lowercased()
    return all.first { $0.name == name } ?? all.first { $0.aliases.contains(name) }
  }
}
