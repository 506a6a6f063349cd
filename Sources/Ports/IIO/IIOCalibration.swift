import Glibc
import LodestoneCore

/// How three raw channels of one kind become a vector in the device's frame: (raw + offset) × scale, then the mount
/// matrix (Documentation/ABI/testing/sysfs-bus-iio of Linux).
struct IIOCalibration: Equatable {
  var scale = Vector3(1, 1, 1)
  var offset = Vector3(0, 0, 0)
  var mounting = Matrix3.identity
  /// Raw numbers that a channel has only where its converter is past its range: the ends of the type that buffers say.
  /// Empty where nothing tells.
  private(set) var overflows: [Double] = []
  /// Raw numbers that say so and are no numbers: bmc150_magn.c hands out the least of 32 bits, others what the part
  /// itself writes.
  private(set) var codes: [Double] = [Double(Int32.min)]
  /// Whether single numbers may come with their two bytes swapped, as from some kernels.
  private(set) var mayBeSwapped = false

  /// Reads the attributes of a kind; one may stand for all axes or for each.
  init(_ kind: IIOKind, folder: String, name: String) {
    let stem = "in_\(kind.rawValue)"
    let common = IIOAttribute.number("\(folder)/\(stem)_scale") ?? 1
    let shift = IIOAttribute.number("\(folder)/\(stem)_offset") ?? 0
    let scales = kind.axes.map { IIOAttribute.number("\(folder)/\($0)_scale") ?? common }
    let offsets = kind.axes.map { IIOAttribute.number("\(folder)/\($0)_offset") ?? shift }
    scale = Vector3(scales[0], scales[1], scales[2])
    offset = Vector3(offsets[0], offsets[1], offsets[2])
    for attribute in ["\(stem)_mount_matrix", "in_mount_matrix", "mount_matrix"] {
      if let matrix = Self.matrix(IIOAttribute.numbers("\(folder)/\(attribute)")) {
        mounting = matrix
        break
      }
    }
    if let type = smallText("\(folder)/scan_elements/\(kind.axes[0])_type").flatMap({ IIOScanType($0) }) {
      overflows = type.ends
    }
    if kind == .field { correct(name, hasOffset: offset != Vector3(0, 0, 0)) }
    if mounting.determinant > 0 { straighten(kind, of: name) }
  }

  /// An axis stands where its converter is past its range.
  func isPast(_ raw: Vector3) -> Bool { Self.any(of: overflows, in: raw) || isCoded(raw) }

  /// An axis says that it is past its range with a code in place of a number.
  func isCoded(_ raw: Vector3) -> Bool { Self.any(of: codes, in: raw) }

  private static func any(of numbers: [Double], in raw: Vector3) -> Bool {
    numbers.contains { $0 == raw.x || $0 == raw.y || $0 == raw.z }
  }

  /// ak8975.c refuses to tell a field past the range: the part gives no number then. Other drivers mean something else
  /// by this error.
  static func isPast(_ error: PortError, driver: String) -> Bool {
    guard case .system(_, let reason) = error, reason.code == EINVAL else { return false }
    return ["ak8975", "ak8963", "ak09911", "ak09912", "ak09916", "ak09918"].contains(driver)
  }

  /// A vector in the kernel's unit: gauss, m/s², rad/s.
  func vector(_ raw: Vector3) -> Vector3 {
    let shifted = raw + offset
    return mounting * Vector3(shifted.x * scale.x, shifted.y * scale.y, shifted.z * scale.z)
  }

  /// Numbers with their bytes in the right order: of three that are swapped, one lies past the 12 bits of these parts
  /// but in one case of 4096. `isSwapped` holds once that was seen.
  func straightened(_ raw: Vector3, isSwapped: inout Bool) -> Vector3 {
    guard mayBeSwapped else { return raw }
    let all = [raw.x, raw.y, raw.z]
    isSwapped = isSwapped || all.contains { !(-2048...2047).contains($0) && $0 != -4096 }
    guard isSwapped else { return raw }
    let swapped = all.map { Int16(exactly: $0).map { Double($0.byteSwapped) } ?? $0 }
    return Vector3(swapped[0], swapped[1], swapped[2])
  }

  private static func matrix(_ numbers: [Double]) -> Matrix3? {
    guard numbers.count == 9 else { return nil }
    let rows = stride(from: 0, to: 9, by: 3).map { Vector3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2]) }
    let matrix = Matrix3(rows[0], rows[1], rows[2])
    return abs(matrix.determinant) > 1e-6 ? matrix : nil
  }

  /// Chips with left-handed axes, which their drivers hand out as they are: one axis is turned round as in the chip's
  /// own file here, unless the mount matrix mirrors already.
  private mutating func straighten(_ kind: IIOKind, of name: String) {
    switch (name, kind) {
    case ("lis2mdl", .field), ("iis2mdc", .field), ("lsm303agr_magn", .field), ("lsm303agr_accel", .acceleration),
      ("lsm9ds1-imu_accel", .acceleration), ("lsm9ds1-imu_gyro", .rotationRate):
      scale.x = -scale.x
    case ("mag3110", .field): scale.z = -scale.z
    default: break
    }
  }

  /// Drivers that are known to be wrong.
  private mutating func correct(_ name: String, hasOffset: Bool) {
    switch name {
    // tlv493d.c publishes 0.098 gauss a count where the part has 0.98 (Infineon: 0.098 mT).
    case "tlv493d" where scale.x < 0.5: scale = scale * 10
    // hmc5843_core.c publishes a hundredth: 6.173e-6 gauss a count where 1620 counts are a gauss.
    // It hands out −4096 as well, with which these parts say that an axis is past its range.
    case "hmc5843", "hmc5883", "hmc5883l", "hmc5983":
      if scale.x < 1e-4 { scale = scale * 100 }
      codes.append(-4096)
    // So does st_magn_core.c. st_sensors_core.c takes the bytes of a single number in the wrong order, and those of a
    // buffer in the right one.
    case "lsm303dlh_magn", "lsm303dlhc_magn", "lsm303dlm_magn":
      codes.append(-4096)
      mayBeSwapped = true
    // ak8975.c multiplies by fuse values that these two do not have: 0.15 µT a count it is on every axis.
    case "ak09916", "ak09918": scale = Vector3(0.0015, 0.0015, 0.0015)
    // It takes the fuses of an AK09911 for those of an AK8963: (ASA + 128) / 256 in place of ASA / 128 + 1 is half of
    // what a count is. A kernel that has it right shows larger ones, but for fuses below 64.
    case "ak09911" where scale.x < 0.00898 && scale.y < 0.00898 && scale.z < 0.00898: scale = scale * 2
    // mmc5633.c hands out the unsigned 20-bit code, zero field at its middle, and no offset.
    case "mmc5633", "mmc5603": if !hasOffset { offset = Vector3(-524_288, -524_288, -524_288) }
    default: break
    }
  }
}
