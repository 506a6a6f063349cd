import LodestoneCore
import Testing

@testable import Drivers

/// The axes of messages of ROS, by the frame that they name: x forward and y left of a robot's base, and open where it
/// is the sensor's own.
@Suite struct ROSTests {
  /// As a sample has it, and along the axes of a base.
  private static let field = Vector3(-1.29e-05, 1.57e-05, -4.35e-05)
  private static let based = "1.57e-05,1.29e-05,-4.35e-05"
  private static let zeros = Array(repeating: "0.0", count: 9).joined(separator: ",")

  private static func fields<Wire: WireProtocol>(_ text: String, by _: Wire.Type) -> ([Vector3?], String?) {
    var decoder = Wire()
    let heard = decoder.hear(Array(text.utf8))
    return (heard.messages.map { $0.field }, decoder.unknownFrame)
  }

  private static func isRead(_ fields: [Vector3?], _ count: Int) -> Bool {
    fields.count >= count && fields.allSatisfy { (($0 ?? .zero) - field).length < 1e-12 }
  }

  @Test(arguments: ["base_link", "robot1/base_link", "/base_footprint"])
  func rowsOfABaseAreTurned(frame: String) {
    let rows = (0..<4).map { "176423040\($0),500000000,\(frame),\(Self.based),\(Self.zeros)\n" }.joined()
    let (fields, unknown) = Self.fields(rows, by: CSV.self)
    #expect(Self.isRead(fields, 4) && unknown == nil)
  }

  @Test(arguments: ["imu_link", ""]) func aSensorsOwnFrameIsTold(frame: String) {
    let own = "-1.29e-05,1.57e-05,-4.35e-05"
    let rows = (0..<4).map { "176423040\($0),500000000,\(frame),\(own),\(Self.zeros)\n" }.joined()
    let (fields, unknown) = Self.fields(rows, by: CSV.self)
    #expect(Self.isRead(fields, 4) && unknown == frame)
  }

  @Test func theAccelerationOfABaseIsTurnedToo() {
    let motion =
      "12,0,base_link,0.0,0.0,0.0,1.0,\(Self.zeros),0.1,0.2,0.3,\(Self.zeros),0.25,1.02,9.75,\(Self.zeros)\n"
    let motions = CSV.hear(String(repeating: motion, count: 4)).messages
    #expect(motions.count == 4)
    for message in motions {
      #expect(message.acceleration == Vector3(-1.02, 0.25, 9.75) && message.rotationRate == Vector3(-0.2, 0.1, 0.3))
    }
  }

  @Test(arguments: [("base_link", nil), ("'base_link'", nil), ("base_link_frd", nil), ("imu_link", "imu_link")])
  func linesOfYAMLAreTurned(frame: String, unknown: String?) {
    let axes =
      unknown != nil
      ? ["-1.29e-05", "1.57e-05", "-4.35e-05"]
      : frame.contains("frd") ? ["1.57e-05", "-1.29e-05", "4.35e-05"] : ["1.57e-05", "1.29e-05", "-4.35e-05"]
    let message =
      "header:\n  stamp:\n    sec: 1764230400\n    nanosec: 0\n  frame_id: \(frame)\nmagnetic_field:\n  x: \(axes[0])\n"
      + "  y: \(axes[1])\n  z: \(axes[2])\n---\n"
    let (fields, told) = Self.fields(String(repeating: message, count: 6), by: LabelledLines.self)
    #expect(Self.isRead(fields, 4) && told == unknown)
  }

  @Test(arguments: [("base_link", nil), ("imu_link", "imu_link")])
  func objectsAreTurned(frame: String, unknown: String?) {
    let axes =
      unknown == nil
      ? #""x":1.57e-05,"y":1.29e-05,"z":-4.35e-05"# : #""x":-1.29e-05,"y":1.57e-05,"z":-4.35e-05"#
    let object =
      #"{"op":"publish","topic":"/imu/mag","msg":{"header":{"frame_id":"\#(frame)"},"magnetic_field":{\#(axes)}}}"#
    let (fields, told) = Self.fields(String(repeating: object + "\n", count: 8), by: JSONLines.self)
    #expect(Self.isRead(fields, 6) && told == unknown)
  }

  @Test(arguments: [("base_link", nil), ("imu", "imu")]) func aTopicAsATableIsTurned(frame: String, unknown: String?) {
    let axes = unknown == nil ? Self.based : "-1.29e-05,1.57e-05,-4.35e-05"
    let header = "field.header.frame_id,field.magnetic_field.x,field.magnetic_field.y,field.magnetic_field.z"
    let rows = (0..<4).map { "170000000\($0)000000000,\(frame),\(axes)\n" }.joined()
    let (fields, told) = Self.fields("%time,\(header)\n" + rows, by: CSV.self)
    #expect(Self.isRead(fields, 4) && told == unknown)
  }

  /// An inertial sensor's rates are in rad/s and its accelerations in m/s² (sensor_msgs/Imu.msg), as blocks and as a
  /// table. Blocks leave the latter to their length.
  @Test func anInertialSensorHasUnits() {
    let block =
      "header:\n  stamp:\n    sec: 1764230400\n    nanosec: @00000000\n  frame_id: base_link\norientation:\n  x: 0.0\n  y: 0.1\n"
      + "  z: 0.2\n  w: 0.97\nangular_velocity: \n  x: 0.1\n  y: -0.2\n  z: 0.3\nangular_velocity_covariance:\n- 0.0\n- 0.0\n"
      + "linear_acceleration:\n  x: 0.25\n  y: 1.02\n  z: 9.75\n---\n"
    let table =
      "%time,field.header.frame_id,field.orientation.x,field.orientation.y,field.orientation.z,field.orientation.w,"
      + "field.angular_velocity.x,field.angular_velocity.y,field.angular_velocity.z,field.linear_acceleration.x,"
      + "field.linear_acceleration.y,field.linear_acceleration.z\n"
    let row = "176423040@000000000,base_link,0.0,0.1,0.2,0.97,0.1,-0.2,0.3,0.25,1.02,9.75\n"
    func all(_ text: String) -> String { (0..<6).map { text.replacing("@", with: "\($0)") }.joined() }
    for heard in [LabelledLines.hear(all(block)), CSV.hear(table + all(row))] {
      #expect(heard.messages.count == 6)
      for message in heard.messages {
        // x forward and y left are y and −x of samples.
        #expect(message.rotationRate == Vector3(0.2, 0.1, 0.3) && message.rotationRateUnit == .radiansPerSecond)
        #expect(message.acceleration == Vector3(-1.02, 0.25, 9.75))
        #expect(message.accelerationUnit ?? .metresPerSecondSquared == .metresPerSecondSquared)
        #expect(message.field == nil)
      }
    }
  }

  /// Python prints a message on one line.
  @Test func messagesOfPythonAreTurned() {
    let message =
      "sensor_msgs.msg.MagneticField(header=std_msgs.msg.Header(stamp=builtin_interfaces.msg.Time(sec=1764230400, nanosec=0), "
      + "frame_id='base_link'), magnetic_field=geometry_msgs.msg.Vector3(x=1.57e-05, y=1.29e-05, z=-4.35e-05))\n"
    let (fields, told) = Self.fields(String(repeating: message, count: 6), by: LabelledLines.self)
    #expect(Self.isRead(fields, 4) && told == nil)
  }
}
