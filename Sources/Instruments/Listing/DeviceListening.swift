import LodestoneCore
import Drivers
import LodestonePorts

extension DeviceListing {
  /// Seconds until a port must have been recognised: the three that a search takes, and a moment to say what arrives
  /// instead.
  public static let listeningSeconds = 3.5
  /// Seconds in which a board whose protocol has just been recognised shows its sensors, however late that was.
  private static let sensorSeconds = 2.0

  /// Opens a serial port that is free and listens until its protocol and sensors are known, or that nobody understands
  /// it; fills in what was heard. Nothing is written, but opening raises the control lines, which restarts some boards.
  /// Other devices are left as they are.
  /// - Parameter seconds: the most until its protocol is recognised, besides the time that its board takes to restart.
  public mutating func listen(for seconds: Double = Self.listeningSeconds) {
    guard kind == .serial, problem == nil else { return }
    var options = OpenOptions()
    options.reconnects = false
    do throws(StreamError) {
      let stream = try SerialScheme.open(DeviceAddress(address), options)
      try hear(stream, until: .now + seconds + bootSeconds)
    } catch {
      if case .port(let error) = error { problem = error }
    }
  }

  private var bootSeconds: Double {
    let board = usb.flatMap { KnownBoard.identified(vendorID: $0.vendorID, productID: $0.productID) }
    return board?.restartsWhenOpened == true ? DeviceQuestions.resetPatience : 0
  }

  /// Takes in what a stream brings in time.
  mutating func hear(_ stream: any SampleStream, until deadline: MonotonicTime) throws(StreamError) {
    var heard = HeardSensors()
    var deadline = deadline
    protocolName = nil
    while MonotonicTime.now < deadline, !heard.isEnough {
      switch try stream.next() {
      case .sample(let sample): heard.take(sample)
      case .notice(.detected(let finding, let rate)):
        protocolName = finding.name
        baudRate = rate
        deadline = max(deadline, .now + Self.sensorSeconds)
      case .notice(.unitsChosen(let chosen)): scales = chosen
      case .notice(.silent): isSilent = true
      case .notice(.doubtful(let fault, _)): doubt = fault
      case .notice(.weighed(let protocols, let orders)):
        if !protocols.isEmpty { weighed = protocols }
        if !orders.isEmpty { weighedOrders = orders }
      case .notice(.unrecognized(let sample, _, _, _)):
        unrecognized = sample
        if protocolName == nil { return }
      case .notice(.nothingOfUse(let name, _)):
        protocolName = name
        return
      case .ended: return
      case .waiting:
        var poller = Poller()
        if let descriptor = stream.descriptor { poller.watch(descriptor, for: stream.interest) }
        let wakeTime = stream.wakeTime.map { min($0, deadline) } ?? deadline
        guard (try? poller.wait(until: wakeTime)) != nil else { return }
      case .notice, .position: continue
      }
    }
    sensors = heard.names
    rate = heard.rate
  }
}

/// The quantities in a stream's samples, and the sample rate.
private struct HeardSensors {
  private var hasField = false
  private var hasAcceleration = false
  private var hasRotationRate = false
  private var hasHeading = false
  private var count = 0
  private var first = 0.0
  private var last = 0.0

  /// Second of samples after which nothing new is expected, and how many they are at least.
  private static let enough = (seconds: 1.0, count: 3)

  mutating func take(_ sample: Sample) {
    hasField = hasField || sample.field != nil
    hasAcceleration = hasAcceleration || sample.acceleration != nil
    hasRotationRate = hasRotationRate || sample.rotationRate != nil
    hasHeading = hasHeading || sample.own != nil
    if count == 0 { first = sample.time }
    last = sample.time
    count += 1
  }

  var isEnough: Bool { count >= Self.enough.count && last - first >= Self.enough.seconds }

  /// Samples a second; nil for fewer than two.
  var rate: Double? { count > 1 && last > first ? Double(count - 1) / (last - first) : nil }

  var names: [String] {
    [(hasField, "field"), (hasAcceleration, "acceleration"), (hasRotationRate, "rotation"), (hasHeading, "heading")]
      .compactMap { $0.0 ? $0.1 : nil }
  }
}
