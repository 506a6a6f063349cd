import LodestoneCore
import Testing

@testable import Drivers

/// Text that names the message of an autopilot: its axes point forward, right and down, and its units are known.
@Suite struct AutopilotTextTests {
  /// The field of the samples: 0.157 G forward, −0.129 G to the right, 0.435 G down.
  private static let field = Vector3(-0.129, 0.157, -0.435)

  private static func labels(_ text: String) -> [WireMessage] {
    LabelledLines.hear(String(repeating: text, count: 4)).messages
  }

  /// PX4's shell: `listener sensor_mag` and its like.
  @Test(arguments: [
    """
    TOPIC: sensor_mag
     sensor_mag
        timestamp: 276668773 (0.013218 seconds ago)
        timestamp_sample: 276667757 (1016 us before timestamp)
        device_id: 396817 (Type: 0x06, I2C:2 (0x0E))
        x: 0.157
        y: -0.129
        z: 0.435
        temperature: nan
        error_count: 0

    """,
    """
    TOPIC: vehicle_magnetometer
     vehicle_magnetometer
        timestamp: 276668773 (0.013218 seconds ago)
        device_id: 396817 (Type: 0x06, I2C:2 (0x0E))
        magnetometer_ga: [0.157, -0.129, 0.435]
        calibration_count: 1

    """,
    "timestamp: 276668773\ndevice_id: 197388\nmagnetometer_ga:\n- 0.157\n- -0.129\n- 0.435\ncalibration_count: 1\n---\n",
  ])
  func fieldsOfPX4AreTurned(text: String) {
    let messages = Self.labels(text)
    #expect(messages.count >= 3)
    #expect(messages.allSatisfy { $0.field == Self.field && $0.fieldUnit == .gauss })
  }

  /// Two compasses in one listing are two: the first is read, and the other is told.
  @Test func instancesAreSensorsOfTheirOwn() {
    func listing(_ number: Int, _ x: Double) -> String {
      "\nInstance \(number):\n sensor_mag_s\n    timestamp: 276668773  (0.013218 seconds ago)\n"
        + "    x: \(x)\n    y: -0.129\n    z: 0.435\n    error_count: 0\n    is_external: True\n"
    }
    let text = "TOPIC: sensor_mag 2 instances\n" + listing(0, 0.157) + listing(1, -0.406)
    var decoder = LabelledLines()
    let heard = decoder.hear(Array(String(repeating: text, count: 4).utf8))
    #expect(heard.messages.count >= 3 && heard.messages.allSatisfy { $0.field == Self.field })
    #expect(decoder.otherCompass != nil)
  }

  /// A level board in PX4's axes: the specific force points up.
  @Test(arguments: [
    "TOPIC: sensor_accel\n sensor_accel\n    timestamp: 12 (0.01 seconds ago)\n    x: 0.1\n    y: 0.2\n    z: -9.8\n",
    "TOPIC: sensor_combined\n sensor_combined\n    gyro_rad: [0.1, 0.2, 0.3]\n    accelerometer_m_s2: [0.1, 0.2, -9.8]\n",
    "gyro_rad:\n- 0.1\n- 0.2\n- 0.3\naccelerometer_m_s2:\n- 0.1\n- 0.2\n- -9.8\naccelerometer_clipping: 0\n---\n",
  ])
  func accelerationsOfPX4AreTurned(text: String) {
    let messages = Self.labels(text)
    #expect(messages.count >= 3)
    for message in messages {
      #expect(message.acceleration == Vector3(0.2, 0.1, 9.8) && message.accelerationUnit == .metresPerSecondSquared)
      #expect(message.field == nil && [nil, Vector3(0.2, 0.1, -0.3)].contains(message.rotationRate))
    }
  }

  /// A place in metres is no field.
  @Test(arguments: [
    "TOPIC: vehicle_local_position\n vehicle_local_position\n    x: 0.11\n    y: 0.22\n    z: -0.35\n",
    "LOCAL_POSITION_NED {time_boot_ms : 12395, x : 0.11, y : 0.22, z : -0.35, vx : 0.0, vy : 0.0, vz : 0.0}\n",
    "GLOBAL_POSITION_INT {time_boot_ms : 12395, lat : 1, lon : 2, alt : 3, vx : 0, vy : 0, vz : 0, hdg : 350}\n",
  ])
  func otherMessagesHoldNoField(text: String) { #expect(Self.labels(text).isEmpty) }

  private static let scaled =
    "xacc : -20, yacc : 10, zacc : -1000, xgyro : 100, ygyro : 200, zgyro : 300, xmag : 157, ymag : -129, zmag : 435"

  /// MAVLink as pymavlink and MAVProxy print it, with what another compass and other messages say between.
  @Test(arguments: [
    "RAW_IMU {time_usec : 12395000, \(scaled), id : 0, temperature : 2450}\n",
    "2026-11-27 12:00:00.00: SCALED_IMU2 {time_boot_ms : 12395, \(scaled)}\n",
    "RAW_IMU {time_usec : 12395000, \(scaled)}\nSCALED_IMU2 {time_boot_ms : 1, xmag : 1, ymag : 2, zmag : 3}\n",
    "RAW_IMU {time_usec : 12395000, \(scaled)}\nLOCAL_POSITION_NED {time_boot_ms : 1, x : 1, y : 2, z : 3}\n",
  ])
  func messagesOfMAVLinkAreRead(text: String) {
    let messages = Self.labels(text)
    #expect(messages.count >= 3)
    for message in messages {
      #expect(message.field == Self.field * 1000 && message.fieldUnit == .milligauss)
      #expect(message.acceleration == Vector3(10, -20, 1000) && message.accelerationUnit == .milligravity)
      #expect(((message.rotationRate ?? .zero) - Vector3(0.2, 0.1, -0.3)).length < 1e-9)
      #expect(message.rotationRateUnit == .radiansPerSecond)
    }
  }

  @Test func theHeadingOfVFRHUDIsTrue() {
    let messages = Self.labels("VFR_HUD {airspeed : 0.0, groundspeed : 0.1, heading : 40, throttle : 0, alt : 584.1}\n")
    #expect(messages.last?.own?.trueNorth?.degrees == 40 && messages.last?.own?.magnetic == nil)
  }

  /// The same message as a dictionary of Python, and as a table of mavlogdump.
  @Test func dictionariesAndTablesOfMAVLinkAreRead() {
    let names = ["xacc", "yacc", "zacc", "xgyro", "ygyro", "zgyro", "xmag", "ymag", "zmag"]
    let numbers = [-20, 10, -1000, 100, 200, 300, 157, -129, 435]
    let pairs = zip(names, numbers).map { "'\($0)': \($1)" }.joined(separator: ", ")
    let dictionary = "{'mavpackettype': 'RAW_IMU', 'time_usec': 12395000, \(pairs), 'id': 0, 'temperature': 2450}\n"
    let other = "{'mavpackettype': 'LOCAL_POSITION_NED', 'time_boot_ms': 1, 'x': 0.11, 'y': 0.22, 'z': -0.35}\n"
    let objects = JSONLines.hear(String(repeating: dictionary + other, count: 4)).messages
    let header = "timestamp,time_usec," + names.joined(separator: ",") + ",id,temperature\n"
    let rows = (0..<8).map {
      "\(1_764_230_400 + $0).5,\(12_395_000 + $0)," + numbers.map { String($0) }.joined(separator: ",") + ",0,2450\n"
    }
    let table = CSV.hear(header + rows.joined()).messages
    #expect(objects.count >= 3 && table.count >= 6)
    for message in objects + table {
      #expect(message.field == Self.field * 1000 && message.fieldUnit == .milligauss)
      #expect(message.acceleration == Vector3(10, -20, 1000))
      #expect(((message.rotationRate ?? .zero) - Vector3(0.2, 0.1, -0.3)).length < 1e-9)
    }
    #expect(table.last?.temperature == 24.5 && objects.last?.temperature == 24.5)
  }

  /// A sketch that prints `xmag` has axes of its own.
  @Test func otherNamesOfTheKindAreNotTurned() {
    #expect(Self.labels("xmag: -12.9 ymag: 15.7 zmag: -43.5\n").last?.field == Vector3(-12.9, 15.7, -43.5))
    let own = Self.labels("gyro_rad: 0.1 0.2 0.3 mag: -12.9 15.7 -43.5\n").last
    #expect(own?.field == Vector3(-12.9, 15.7, -43.5) && own?.rotationRate == Vector3(0.1, 0.2, 0.3))
    #expect(Self.labels("MAG_1 {x: -12.9, y: 15.7, z: -43.5}\n").last?.field == Vector3(-12.9, 15.7, -43.5))
  }

  /// Three numbers on lines of their own under a sensor's name; those of a covariance are none.
  @Test func arraysOfROSAreRead() {
    let text = "mag:\n- -12.9\n- 15.7\n- -43.5\nmag_covariance:\n- 0.0\n- 0.0\n- 0.0\n---\n"
    let messages = Self.labels(text)
    #expect(messages.count >= 3 && messages.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
  }
}
