import LodestoneCore

/// Lines of sketches, languages, hubs and logs that libraries' examples do not show.
extension FirstContactTests {
  private static let names = ["x: ", "y: ", "z: "]

  /// All are at 40.3°.
  static let sketches = [
    Line("two magnetometers") { pose in
      let other = Pose.text(["mx:", "my:", "mz:"], [30.1, -25.7, -33.5], 2)
      return "LIS3MDL " + Pose.text(["mx:", "my:", "mz:"], pose.level(), 2) + "\r\nMMC5603 " + other
    },
    Line("decimal commas between commas") {
      Pose.text($0.level(), 2, "; ").replacing(".", with: ",").replacing(";", with: ",")
    },
    Line("an azimuth called a") { Pose.text(names, $0.level(30), 0) + " a: 129" },
    Line("Teleplot with stamps") { pose in
      zip([">mx", ">my", ">mz"], pose.level()).map { "\($0):\(pose.milliseconds):\($1.text(decimals: 2))" }
        .joined(separator: "\r\n")
    }, Line("topics") { Pose.text(["board/mag/x ", "board/mag/y ", "board/mag/z "], $0.level(), 2, "\r\n") },
    Line("three axes in a name") { "Mag X,Y,Z: " + Pose.text($0.level(), 2) },
    Line("termux") { pose in
      func values(_ values: [Double]) -> String { "{\"values\": [\r\n" + Pose.text(values, 4, ",\r\n") + "]\r\n}" }
      return "{\r\n\"lsm6dso Accelerometer\": " + values(pose.force(si)) + ",\r\n\"AK09918 Magnetometer\": "
        + values(pose.field()) + "\r\n}"
    },
    Line("canboat's analyzer") {
      "{\"timestamp\":\"2026-11-27T12:00:\($0.clock)Z\",\"prio\":2,\"src\":1,\"dst\":255,\"pgn\":127250,"
        + "\"description\":\"Vessel Heading\",\"fields\":{\"SID\":0,\"Heading\":40.3,\"Reference\":\"Magnetic\"}}"
    },
    Line("a Signal K server") {
      "{\"updates\":[{\"$source\":\"can1.204\",\"timestamp\":\"2026-11-27T12:00:\($0.clock)Z\","
        + "\"values\":[{\"path\":\"navigation.headingMagnetic\",\"value\":0.7034}]}]}"
    },
    Line("an azimuth before the axes") { "a: 129 " + Pose.text(names, $0.level(30), 0) },
    Line("a length behind the axes") { Pose.text(names, $0.level(), 2) + " Acc: 1.00" },
    Line("a number behind a sensor's name") {
      "Accel 1: " + Pose.text(names, $0.force(si), 3) + " Mag 1: " + Pose.text(names, $0.field(), 2)
    },
    Line("milliseconds with a unit") {
      "\($0.milliseconds) ms  " + Pose.text(["x ", "y ", "z "], $0.level(), 1, "  ")
    },
    Line("a sensor a row") {
      "MAG," + Pose.text($0.field(), 2) + "\r\nACC," + Pose.text($0.force(si), 3) + "\r\nGYR,"
        + Pose.text($0.rate(radian), 4)
    },
    Line("a word before bare numbers") { "RAW:" + Pose.text($0.level(30), 0) },
    Line("an axis a row") { Pose.text(["X,", "Y,", "Z,"], $0.level(), 2, "\r\n") },
    Line("offsets at the start") {
      ($0.number == 0 ? "Mag offsets: 12.0, -30.0, 35.0\r\nmin: {-120, -340} max: {440, 320}\r\n" : "") + "Mag: "
        + Pose.text($0.level(), 2, ", ")
    },
    Line("Python's dictionary") {
      "{'mag': {" + Pose.text(["'x': ", "'y': ", "'z': "], $0.level(), 6, ", ") + "}, 'ok': True, 'note': None}"
    }, Line("Python's vector") { "vector3(" + Pose.text(["x=", "y=", "z="], $0.level(), 2, ", ") + ")" },
    Line("Rust's structure") { "INFO mag: Reading { " + Pose.text(names, $0.level(), 2, ", ") + " }" },
    Line("Go's structure") { "{" + Pose.text(["X:", "Y:", "Z:"], $0.level(), 2) + "}" },
    Line("Go's array") { "{" + Pose.text($0.level(), 2, " ") + "}" },
    Line("pairs with words") { "level=info msg=\"a field\" " + Pose.text(["mx=", "my=", "mz="], $0.level(), 2) },
    Line("ROS 2's field") {
      "header:\r\n  stamp:\r\n    nanosec: 5\r\nmagnetic_field:\r\n"
        + Pose.text(["  x: ", "  y: ", "  z: "], $0.level(1e-6), 8, "\r\n")
        + "\r\nmagnetic_field_covariance:\r\n- 0.0\r\n- 0.0\r\n- 0.0\r\n---"
    },
    Line("a Pico's short names") {
      "Acc. " + Pose.text(["X = ", "Y = ", "Z = "], $0.force(si), 3, ", ") + "\r\nMag. "
        + Pose.text(["X = ", "Y = ", "Z = "], $0.field(), 2, ", ") + "\r\nTemp. = 24.50"
    }, Line("three names before three numbers") { "MX, MY, MZ = " + Pose.text($0.level(0.01), 4, ", ") + " Gauss" },
    Line("axes under a rule of strokes") {
      "\r\n /----/ \r\n\r\n Acceleration: " + Pose.text(names, $0.force(16384), 0, "     ") + "\r\n\r\n Magnetic: "
        + Pose.text(names, $0.field(), 2, "     ")
    },
    Line("words before objects") { pose in
      func object(_ values: [Double]) -> String { "{" + Pose.text(["'x': ", "'y': ", "'z': "], values, 3, ", ") + "}" }
      return "accel: " + object(pose.force()) + " mag: " + object(pose.field())
    },
    Line("Zephyr's shell") {
      "channel type=11(magn_xyz) index=0 shift=1 num_samples=1 value=\($0.milliseconds)000000ns, ("
        + Pose.text($0.level(0.01), 6, ", ") + ")"
    },
    Line("ESPHome's log") { pose in
      let axes = zip(["X", "Y", "Z"], pose.level())
      return axes.map {
        "\u{1B}[0;36m[12:00:03][D][sensor:094]: 'QMC5883L Field Strength \($0)': Sending state \($1.text(decimals: 5)) µT "
          + "with 1 decimals of accuracy\u{1B}[0m"
      }.joined(separator: "\r\n")
    },
    Line("ESPHome's heading") { _ in
      "[12:00:03][D][sensor:094]: 'Heading': Sending state 40.30000 ° with 1 decimals of accuracy"
    },
    Line("Tasmota's log") {
      "12:00:03.123 MQT: tele/boat/SENSOR = {\"Time\":\"2026-11-26T12:00:03\",\"HMC5883L\":{"
        + Pose.text(["\"X\":", "\"Y\":", "\"Z\":"], $0.level(10), 0, ",") + "}}"
    },
    Line("JSON with the time of a clock") {
      "{\"time\": \"2026-11-26T12:00:\($0.clock)Z\", "
        + Pose.text(["\"mx\":", "\"my\":", "\"mz\":"], $0.level(), 2, ",")
        + "}"
    },
    Line("JSON with numbers in quotes") {
      "{" + Pose.text(["\"mx\":\"", "\"my\":\"", "\"mz\":\""], $0.level(), 2, "\",") + "\"}"
    }, Line("a heading in JSON") { _ in "{\"heading\": 40.3, \"battery\": 12.1}" },
    Line("JSON over lines") {
      "{\r\n  " + Pose.text(["\"mx\": ", "\"my\": ", "\"mz\": "], $0.level(), 2, ",\r\n  ") + "\r\n}"
    },
    Line("a batch of JSON") {
      let object = "{" + Pose.text(["\"mx\":", "\"my\":", "\"mz\":"], $0.level(), 2, ",") + "}"
      return "{\"device\":\"a\",\"samples\":[" + object + ", " + object + "]}"
    },
    Line("a heading with its radians") { _ in "Heading: 40.30 degrees 0.70 radians" },
    Line("a heading beside its target") { _ in "Heading: 40.3 Target heading: 90.0 Heading error: 49.7" },
    Line("strokes") { Pose.text($0.level(), 2, "/") },
    Line("a prompt") { ">>> (" + Pose.text($0.level(), 2, ", ") + ")" },
    Line("a minus of Unicode") { Pose.text(names, $0.level(), 2).replacing("-", with: "\u{2212}") },
    Line("a count before a colon") { "Sample \($0.number): " + Pose.text($0.level(), 2, ", ") },
    Line("a filtered copy") { pose in
      Pose.text(["mx:", "my:", "mz:"], pose.level(), 2) + " mx_f:9.10 my_f:-20.30 mz_f:-41.00"
    },
    Line("calibrated ones below") {
      "X: " + Pose.text(["", "Y: ", "Z: "], $0.level(), 2) + "\r\nCalibrated: X: 9 Y: 8 Z: 41"
    },
    Line("RIOT's registry") {
      "Dev: lis3mdl\tType: SENSE_MAG\r\nData:\t"
        + Pose.text(["[0]        ", "\t[1]        ", "\t[2]        "], $0.level(10), 0, " mGs\r\n") + " mGs"
    },
    Line("Tera Term's stamps") { "[Thu Nov 26 12:00:\($0.clock) 2026] " + Pose.text($0.level(), 2) },
  ]

  /// No heading may be made of these: the field's axes, the heading from magnetic north now, are not in them.
  static let others = [
    Line("a quaternion over lines") { _ in
      "orientation:\r\n  x: 40.3\r\n  y: 0.0\r\n  z: 0.34\r\n  w: 0.94\r\nlinear_acceleration:\r\n  x: 0\r\n  y: 0\r\n  z: 9.8"
    }, Line("a quaternion") { _ in "orientation: x: 0.1 y: 0.0 z: 0.34 w: 0.94" },
    Line("a rate") { _ in "Heading rate: 2.1" },
    Line("an accelerometer's chip") { "ADXL345 " + Pose.text(names, $0.force(si), 2) },
    Line("an accelerometer without a name") { Pose.text(names, $0.force(si), 3) },
    Line("a gyroscope's chip") { "L3GD20 " + Pose.text(names, $0.rate(), 2) },
    Line("a target") { _ in "Target heading: 90" },
    Line("angles behind a word") { _ in "YPR 40.30 0.31 -1.14" },
    Line("a place behind a word") { _ in "GPS,48.2,16.37,170.2" }, Line("degrees of what") { _ in "40° and 3°" },
  ]
}
