import LodestoneCore
import Glibc
import Support

/// A recording of the shared folder, in the units its sidecar names.
struct Recording {
  private(set) var samples: [Sample] = []
  private(set) var trueHeadings: [Double?] = []
  let unitIsKnown: Bool

  enum Problem: Error { case unreadable(String) }

  init(_ path: String) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let text = try Self.text("\(Recordings.folder)/\(path).csv")
    unitIsKnown = !Self.counts.contains(name)
    let field = Self.gauss.contains(name) ? 100.0 : 1
    let force =
      Self.inG.contains(name) || path.hasPrefix("held/") ? 1.0 : name.hasPrefix("freeimu") ? 1 / 2108.0 : 1 / 9.80665
    let rate = Self.inRadians.contains { name.hasPrefix($0) } ? 180 / Double.pi : 1
    let lines = text.split(separator: "\n")
    let columns = (lines.first ?? "").split(separator: ",").map {
      Self.bare($0.filter { !$0.isWhitespace })
    }
    let isCounted = lines.count > 2 && lines[2].hasPrefix("1,")
    for (index, line) in lines.dropFirst().enumerated() {
      let values = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      func vector(_ letter: String, _ unit: Double) -> Vector3? {
        let parts = ["x", "y", "z"].compactMap { axis in
          columns.firstIndex(of: letter + axis).flatMap { $0 < values.count ? values[$0] : nil }
        }
        return parts.count == 3 ? Vector3(parts[0], parts[1], parts[2]) * unit : nil
      }
      var sample = Sample(time: isCounted ? Double(index) * 0.02 : values.first.flatMap { $0 } ?? 0)
      sample.field = vector("m", field).map { MagneticField(microtesla: $0) }
      sample.acceleration = vector("a", force).map { Acceleration(g: $0) }
      sample.rotationRate = vector("g", rate).map { RotationRate(degreesPerSecond: $0) }
      samples.append(sample)
      trueHeadings.append(columns.firstIndex(of: "heading_true").flatMap { $0 < values.count ? values[$0] : nil })
    }
  }

  /// A column's name without its unit: `mx` of `mx_uT`.
  private static func bare(_ column: String) -> String {
    for unit in ["_uT", "_g"] where column.hasSuffix(unit) { return String(column.dropLast(unit.count)) }
    return column
  }

  private static let gauss: Set = [
    "ck_accmag_12000", "hmc5883l_fullsphere", "hmc5883l_planar_z", "hmc5883l_tilt_x", "lsm9ds1_grisp_sphere",
    "lsm9ds1_grisp_driver_bug_2axis", "px4_auav_flight", "ximu_00033_disturbed",
  ]
  private static let inG: Set = [
    "ck_accmag_12000", "hmc5883l_fullsphere", "hmc5883l_planar_z", "hmc5883l_tilt_x", "ximu_00033_disturbed",
  ]
  private static let inRadians = ["iphone", "nexus", "phone", "px4"]
  private static let counts: Set = [
    "caribou_9axis", "ellipsoid_fit_python_magout", "freeimu_hmc_repeats", "krepa_robot_mag",
    "qmc5883l_gy63_filtered", "wagonwheel_15hz",
  ]

  private static func text(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw Problem.unreadable(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
