import LodestoneCore

/// The coefficients of a DistoX, as they lie in its memory from 8010 to 803F: v = A · raw / 24000 + B, v of length 1,
/// for the accelerometer and then for the magnetometer, x along the laser; row by row an element of B and three of A, A
/// times 16384 and B times 24000, as little-endian whole numbers of 16 bits. An X310 has three more bytes behind them
/// for what is not linear, less one each: FF for nothing. Source: B. Heeb, "DistoX advanced information"; his algorithm
/// as SexyTopo has it (`GetCoeff`).
enum DistoXExport: ProfileExport {
  static let name = "distox"
  static let title = "Coefficients of DistoX instruments, 48 bytes from 8010 on"
  static let comment: String? = nil
  static let holdsLaser = true
  static let holdsForce = true
  private static let (full, one) = (24_000.0, 16_384.0)

  static func notes(on profile: Profile) -> [String] {
    [
      "Frame: x along the laser, by the raw counts of both chips, of which the accelerometer's tell gravity",
      SurveyInstrument.laserNote(profile, forward: "x"),
      "Linear: to an X310 whose calibration was not, write FF FF FF FF at 8040 too",
    ]
  }

  static func body(of profile: Profile) throws(ProfileProblem) -> [UInt8] {
    guard let counts = profile.countsPerMicrotesla, let forceCounts = profile.countsPerGravity else { throw .noCounts }
    guard profile.quality.kind == .full else { throw .noForceFit }
    guard profile.laser?.nearest ?? 0 == 0 else { throw .laserElsewhere }
    let instrument = SurveyInstrument(profile, forward: 0)
    return try chip(instrument.down, zero: profile.forceCorrection.zero, counts: forceCounts)
      + chip(instrument.field, zero: profile.correction.hardIron, counts: counts)
  }

  /// Twelve coefficients. Counts of a DistoX are positive along what they measure, whichever way gravity was taken for.
  private static func chip(_ matrix: Matrix3, zero: Vector3, counts: Double) throws(ProfileProblem) -> [UInt8] {
    let sign: Double = matrix.row0.x + matrix.row1.y + matrix.row2.z < 0 ? -1 : 1
    let gain = matrix * (sign * full / counts)
    let bias = gain * zero * (-counts / full)
    var bytes: [UInt8] = []
    for row in 0..<3 {
      for value in [bias[row] * full, gain[row].x * one, gain[row].y * one, gain[row].z * one] {
        guard let whole = Int16(exactly: value.rounded()) else { throw .tooLargeForForm }
        bytes += [UInt8(truncatingIfNeeded: whole), UInt8(truncatingIfNeeded: whole >> 8)]
      }
    }
    return bytes
  }
}
