import Glibc
import LodestonePorts

/// A real MQTT broker (mosquitto) on a port of the loopback address. It ends with its owner.
public final class Broker {
  /// Where it listens.
  public let endpoint: NetworkEndpoint
  private let configuration: String
  private var program: ChildProgram?

  /// Starts one with lines of `mosquitto.conf`, whose files are in `folder`.
  /// - Parameter port: nil takes a free one.
  public init(in folder: String, port: UInt16? = nil, _ lines: [String] = ["allow_anonymous true"]) throws {
    let free = try port ?? ListeningSocket(at: NetworkEndpoint(host: "127.0.0.1", port: 0)).port
    endpoint = NetworkEndpoint(host: "127.0.0.1", port: free)
    configuration = folder + "/mosquitto.conf"
    let text =
      (["listener \(free) 127.0.0.1", "user root", "persistence false", "log_dest none"] + lines).joined(
        separator: "\n") + "\n"
    try AtomicFile.write(Array(text.utf8), to: configuration)
    try start()
  }

  /// Starts it, again after `stop`.
  public func start() throws {
    program = ChildProgram("/usr/sbin/mosquitto", arguments: ["-c", configuration], joinsErrors: true)
    guard program != nil else { throw Recordings.Missing(name: "/usr/sbin/mosquitto") }
    // It listens when somebody can connect.
    for _ in 0..<200 {
      if isListening { return }
      usleep(50_000)
    }
  }

  /// Kills it, as a power failure would.
  public func stop() { program = nil }

  private var isListening: Bool {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = endpoint.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    } == 0
  }
}
