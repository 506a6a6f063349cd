import LodestoneCore

/// The fuses with an axis's sensitivity that AKM's parts show in a mode of their own (ASAX, ASAY, ASAZ).
struct AKMFuses {
  /// The register with the mode of operation.
  let control: UInt8
  /// Fuse-ROM access mode.
  let mode: UInt8
  /// ASAX, the first of three.
  let register: UInt8

  /// The factor of each axis. The part is in power-down afterwards, which lies between two modes for 100 µs.
  func factors(
    of chip: any Chip.Type, at address: UInt8, on bus: inout some I2CBus, _ factor: (Double) -> Double
  ) throws(ChipError) -> Vector3 {
    try bus.put(control, mode, at: address)
    let bytes = try bus.get(register, count: 3, at: address)
    try powerDown(at: address, on: &bus)
    guard !bytes.all.contains(0x00), !bytes.all.contains(0xFF) else {
      throw .implausible(chip: chip.name, what: "sensitivity adjustment", read: bytes.all)
    }
    return Vector3(factor(Double(bytes[0])), factor(Double(bytes[1])), factor(Double(bytes[2])))
  }

  func powerDown(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(control, 0x00, at: address)
    bus.wait(milliseconds: 0.1)
  }
}
