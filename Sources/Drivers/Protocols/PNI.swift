import LodestoneCore

/// PNI's TCM, TRAX and Prime modules: a length of two bytes, a frame identifier, data, and CRC-16/XMODEM. We read
/// kGetDataResp: a count of components, each an identifier and its value. Field in µT, acceleration in g, angles in
/// degrees; the heading is magnetic unless the module is told its declination. Pitch is positive nose up, roll right
/// edge down. The acceleration is sent negated, as the "Earth's gravity vector" of the Prime user manual: z reads +1 g
/// on a level module. Sources: PNI TCM XB, Prime and TRAX user manuals; identifiers also in nstrumenta/viewer-trax2.
struct PNI: FrameProtocol {
  static let name = "pni"
  static let proof = WireProof.checksum
  static let axes = WireAxes.forwardRightDown
  /// The request kGetData.
  static let request: [UInt8]? = [0x00, 0x05, 0x04, 0xBF, 0x71]

  private static let dataResponse: UInt8 = 5
  /// The longest frame in bytes: longer than any that a module sends.
  private static let longestFrame = 512
  private enum Component {
    static let heading: UInt8 = 5, temperature: UInt8 = 7, distortion: UInt8 = 8, calibrated: UInt8 = 9
    static let accelerationX: UInt8 = 21, pitch: UInt8 = 24, roll: UInt8 = 25, fieldX: UInt8 = 27
    static let quaternion: UInt8 = 77, headingStatus: UInt8 = 79

    /// Bytes of a component's value.
    static func size(_ component: UInt8) -> Int {
      switch component {
      case distortion, calibrated, headingStatus: 1
      case quaternion: 16
      default: 4
      }
    }
  }

  init() {}

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    var index = place
    while index < bytes.count, bytes[index] > UInt8(longestFrame >> 8) { index &+= 1 }
    return index
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard let length = bytes.big(UInt16.self, at: start) else {
      return bytes[start] <= UInt8(Self.longestFrame >> 8) ? .incomplete : .none
    }
    let count = Int(length)
    guard count >= 5, count <= Self.longestFrame else { return .none }
    guard bytes.count - start >= count else { return .incomplete }
    let told = bytes.big(UInt16.self, at: start + count - 2)
    // Without a sync byte, what does not check is noise rather than a damaged frame.
    return told == Checksum.xmodem(bytes.extracting(start..<start + count - 2)) ? .whole(count) : .none
  }

  /// The values of the components.
  private struct Components {
    var own = OwnHeading()
    var temperature: Double?
    var isDistorted = false
    var acceleration = PartialVector()
    var field = PartialVector()
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard frame[2] == Self.dataResponse, frame.count > 5 else { return .other }
    var components = Components()
    var index = 4
    for _ in 0..<frame[3] {
      guard index < frame.count - 2 else { return .rejected(.malformed) }
      let size = Component.size(frame[index])
      guard index + 1 + size <= frame.count - 2 else { return .rejected(.malformed) }
      if size == 1 {
        if frame[index] == Component.distortion { components.isDistorted = frame[index + 1] != 0 }
      } else if let value = frame.bigFloat(at: index + 1) {
        take(frame[index], value, &components)
      }
      index += 1 + size
    }
    return take(components, into: &message)
  }

  private func take(_ component: UInt8, _ value: Double, _ components: inout Components) {
    switch component {
    case Component.heading: components.own.magnetic = Heading(degrees: value)
    case Component.temperature: components.temperature = value
    case Component.accelerationX..<Component.pitch:
      components.acceleration.set(Int(component - Component.accelerationX), value)
    case Component.pitch: components.own.pitch = value
    case Component.roll: components.own.roll = value
    case Component.fieldX..<Component.fieldX + 3: components.field.set(Int(component - Component.fieldX), value)
    default: break
    }
  }

  private func take(_ components: Components, into message: inout WireMessage) -> WireMeaning {
    message.field = components.field.vector
    message.fieldUnit = message.field == nil ? nil : .microtesla
    message.acceleration = components.acceleration.vector.map { -$0 }
    message.accelerationUnit = message.acceleration == nil ? nil : .g
    message.temperature = components.temperature
    message.own = components.own == OwnHeading() ? nil : components.own
    message.saturated = components.isDistorted
    return message == WireMessage() ? .other : .message
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    var data: [UInt8] = []
    var count: UInt8 = 0
    func put(_ component: UInt8, _ value: Double?) {
      guard let value else { return }
      data.append(component)
      data.append(bigFloat: value)
      count += 1
    }
    put(Component.heading, message.own?.magnetic?.degrees)
    put(Component.temperature, message.temperature)
    for axis in 0..<3 { put(Component.accelerationX + UInt8(axis), message.gravities.map { -$0[axis] }) }
    put(Component.pitch, message.own?.pitch)
    put(Component.roll, message.own?.roll)
    for axis in 0..<3 { put(Component.fieldX + UInt8(axis), message.microtesla?[axis]) }
    let start = bytes.count
    bytes.append(big: UInt16(truncatingIfNeeded: data.count + 6))
    bytes += [Self.dataResponse, count] + data
    bytes.append(big: Checksum.xmodem(bytes.span.extracting(start...)))
  }
}
