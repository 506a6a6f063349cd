import LodestoneCore

/// A C header with constants and an inline function for each sensor, for a sketch.
enum ArduinoExport: ProfileExport {
  static let name = "arduino"
  static let title = "C header with constants and functions, for Arduino and other firmware"
  static let holdsForce = true
  static let comment: String? = "//"

  static func notes(on profile: Profile) -> [String] {
    [
      "Frame: raw readings in the chip's own axes, in uT; corrected ones in uT, "
        + (profile.quality.misalignment == .solved ? "on the accelerometer's axes" : "along the chip's axes"),
      "corrected = soft_iron * (raw - hard_iron)",
      "Accelerometer: raw readings in the chip's own axes, in g; corrected ones in g, +1 upwards at rest. Take up from them, "
        + "not from the raw ones",
    ]
  }

  static func body(of profile: Profile) -> [UInt8] {
    let correction = profile.correction
    return Array(
      """
      #ifndef MAGNETOMETER_CALIBRATION_H
      #define MAGNETOMETER_CALIBRATION_H

      static const float mag_hard_iron[3] = {\(C.list(correction.hardIron))};
      static const float mag_soft_iron[3][3] = {
      \(C.rows(correction.softIron))};
      static const float mag_field_strength = \(C.literal(profile.fieldStrength));

      static inline void mag_calibrate(const float raw[3], float corrected[3]) {
        const float x = raw[0] - mag_hard_iron[0];
        const float y = raw[1] - mag_hard_iron[1];
        const float z = raw[2] - mag_hard_iron[2];
        for (int i = 0; i < 3; i++)
          corrected[i] = mag_soft_iron[i][0] * x + mag_soft_iron[i][1] * y + mag_soft_iron[i][2] * z;
      }

      static const float acc_zero[3] = {\(C.list(profile.forceCorrection.zero))};
      static const float acc_matrix[3][3] = {
      \(C.rows(profile.forceMatrix))};

      static inline void acc_calibrate(const float raw[3], float corrected[3]) {
        const float x = raw[0] - acc_zero[0];
        const float y = raw[1] - acc_zero[1];
        const float z = raw[2] - acc_zero[2];
        for (int i = 0; i < 3; i++)
          corrected[i] = acc_matrix[i][0] * x + acc_matrix[i][1] * y + acc_matrix[i][2] * z;
      }

      #endif

      """.utf8)
  }
}

/// Numbers as C writes them.
enum C {
  /// The number in the fewest digits that read back as the same `float`.
  static func literal(_ value: Double) -> String { Float(value).description + "f" }

  /// Three numbers; never −0.
  static func list(_ v: Vector3) -> String { [v.x, v.y, v.z].map { literal($0 + 0) }.joined(separator: ", ") }

  /// The rows of a matrix, one a line.
  static func rows(_ matrix: Matrix3) -> String {
    (0..<3).map { "    {\(list(matrix[$0]))}" }.joined(separator: ",\n")
  }

  /// The rows of a matrix in one line, with its braces.
  static func matrix(_ matrix: Matrix3) -> String {
    "{" + (0..<3).map { "{\(list(matrix[$0]))}" }.joined(separator: ", ") + "}"
  }
}
