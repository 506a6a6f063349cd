/// A model of a chip and where it sits, for suites that run over all of them.
package struct ModelledChip: Sendable, CustomStringConvertible {
  package let name: String
  package let address: UInt8
  /// µT in one count at the default settings.
  package let resolution: Double
  package let make: @Sendable () -> ChipModel
  package var description: String { name }

  package static let all = [
    ModelledChip(name: "lis3mdl", address: 0x1C, resolution: 0.0147) { LIS3MDLModel() },
    ModelledChip(name: "hmc5883l", address: 0x1E, resolution: 0.092) { HMC5883LModel() },
    ModelledChip(name: "mmc5603", address: 0x30, resolution: 0.0062) { MMC5603Model() },
    ModelledChip(name: "rm3100", address: 0x20, resolution: 0.0134) { RM3100Model() },
    ModelledChip(name: "lsm303d", address: 0x1D, resolution: 0.008) { LSM303DModel() },
    ModelledChip(name: "fxos8700", address: 0x1F, resolution: 0.1) { FXOS8700Model() },
    ModelledChip(name: "bmm150", address: 0x10, resolution: 0.35) { BMM150Model() },
  ]
}
