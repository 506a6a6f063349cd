/// Tables whose rows begin with a word for each sensor, and whose columns are known by it.
///
/// An x-IMU3 sends text such as `I,12395000,2.6,0.4,-5.4,0.03,0.10,0.99` of its inertial sensors and
/// `M,12395000,-0.29,0.23,-0.93` of its magnetometer, whose numbers are multiples of the field that it was calibrated in.
/// GnssLogger names its columns in comments, `# UncalMag,utcTimeMillis,elapsedRealtimeNanos,UncalMagXMicroT,…`; behind
/// the axes stand the biases that a phone would take off. Sources: x-io Technologies, x-IMU3 user manual, "Data
/// messages"; google/gps-measurement-tools.
enum TaggedRows {
  private static let ofXIMU3 = [
    "I,Timestamp (us),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),Accelerometer X (g),"
      + "Accelerometer Y (g),Accelerometer Z (g)",
    "M,Timestamp (us),Magnetometer X (a.u.),Magnetometer Y (a.u.),Magnetometer Z (a.u.)",
  ]
  private static let ofGnssLogger = ["", "Uncal"].flatMap {
    [
      "\($0)Accel,utc,time_ns,ax_m/s2,ay_m/s2,az_m/s2", "\($0)Gyro,utc,time_ns,gx_rad/s,gy_rad/s,gz_rad/s",
      "\($0)Mag,utc,time_ns,mx_uT,my_uT,mz_uT",
    ]
  }

  /// The tables of which a line is the first sign; empty for any other line.
  static func tables(by line: Span<UInt8>) -> [CSVTable] {
    let headers = isOfXIMU3(line) ? ofXIMU3 : line.holds("# UncalAccel,utcTimeMillis,elapsed") ? ofGnssLogger : []
    return headers.compactMap { header in
      var table = CSVTable(header: Array(header.utf8).span, CauseNames(), hasXsensUnits: false)
      table?.tag = Array(header.utf8.prefix { $0 != .comma })
      return table
    }
  }

  /// The letter, a whole number, and as many numbers as its kind has.
  private static func isOfXIMU3(_ line: Span<UInt8>) -> Bool {
    guard line.count > 8, line[1] == .comma, line[2].isDigit else { return false }
    let count =
      switch line[0] {
      case UInt8(ascii: "I"): 7
      case UInt8(ascii: "M"): 4
      default: 0
      }
    guard count > 0 else { return false }
    let numbers = TableLine.plainNumbers(of: line.extracting(2..<line.count), separator: .comma)
    return numbers?.count == count && numbers?.first.map { $0 == $0.rounded() } == true
  }
}
