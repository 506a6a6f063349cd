import Drivers
import LodestonePorts

/// A serial port that is found again after it was unplugged, by what it is and not by its name, and whose baud rate is
/// searched for until something is understood.
final class SerialLink: ByteLink {
  /// Seconds within which such a chip has handed over the bytes it kept.
  private static let settling = 0.1

  let isLive = true
  private(set) var name: String
  let identity: String
  private var port: PortIdentity
  /// The other ports, which are other boards though they may look the same: many have no serial numbers.
  private var bystanders: Set<PortIdentity>
  private var given: TerminalName?
  var presence: Presence
  private var rate: Int
  private var open: SerialPort?

  /// The search for the baud rate; nil when the rate was given.
  private var search: BaudSearch?
  /// Something has been understood at the rate in force: it is kept as long as that makes sense.
  private var isFound = false
  /// The end of the time in which arriving bytes are old, sent before the port was opened or at another rate: a chip
  /// such as an Uno's keeps up to 192 bytes that no flush of ours reaches. What is there at the first look after it has
  /// come within it, as far as one can tell.
  private var stale: MonotonicTime?
  /// The moment since which the rate in force is judged.
  private var judgedSince: MonotonicTime
  private var hasHeard = false
  private var turnTime: MonotonicTime?

  init(path: String, baudRate: Int?, reconnects: Bool) throws(StreamError) {
    let listings = listPorts(findingHolders: false)
    given = TerminalName(path: path)
    name = path
    port = PortIdentity(path: path, among: listings)
    identity = port.key
    bystanders = Set(listings.map { $0.identity }).subtracting([port])
    presence = Presence(isAwaited: reconnects && (port.usb != nil || given?.canReturn == true), pauses: 0.25...0.25)
    let listing = port.find(in: listings)
    // Two readers of one port each get half of what arrives, though neither has claimed it.
    var holders = listing.map { Holder.all(of: $0.path) } ?? []
    if listing == nil, given?.isPseudo == true { holders = Holder.sessions(at: path) }  // somebody's shell
    guard holders.isEmpty else { throw .port(.busy(path: path, heldBy: holders)) }
    let board = listing?.board
    let known = port.usb == nil ? nil : KnownRates.rate(of: identity)
    let search = BaudSearch(first: baudRate ?? known ?? board?.baudRate)
    hasLine = board?.baudRate != nil
    bootSeconds = board?.restartsWhenOpened == true ? DeviceQuestions.resetPatience : 0
    rate = search.rate
    self.search = baudRate == nil ? search : nil
    judgedSince = .now + DeviceQuestions.resetPatience
    do {
      open = try SerialPort(path: path, options: .init(baudRate: rate))
    } catch {
      throw .port(error)
    }
    if hasLine { stale = .now + Self.settling }
  }

  /// Whether its chip has a line behind it, and keeps what arrives there while nobody has the port open.
  private let hasLine: Bool
  let bootSeconds: Double

  var isStale: Bool { stale != nil }

  func noteEmpty(_ now: MonotonicTime) {
    if let stale, now >= stale { self.stale = nil }
  }

  var source: (any ByteSource)? { open }
  var baudRate: Int? { rate }
  var wakeTime: MonotonicTime? { open == nil ? presence.nextLook : [turnTime, stale].compactMap { $0 }.min() }

  func close() {
    open?.close()
    open = nil
    turnTime = nil
    noteBystanders()
  }

  /// A board that has a serial number may be back already, under another name, by the time that its loss is noticed;
  /// one that has none, only in its socket.
  private func noteBystanders() {
    let present = Set(listPorts(findingHolders: false).map { $0.identity })
    bystanders.formIntersection(present)
    if port.usb?.serial == nil { bystanders.formUnion(present) }
    bystanders = bystanders.filter { $0.socket != port.socket || $0.interface != port.interface }
  }

  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool {
    guard presence.isDue(now) else { return false }
    let listings = port.usb == nil ? [] : listPorts(findingHolders: false)
    let listing = find(in: listings)
    let named = port.usb == nil ? given?.afterReturn() : nil
    // A program that looks at new ports first lets them go again.
    guard let path = named?.path ?? listing?.path, listing == nil || Holder.all(of: path).isEmpty,
      named == nil || Holder.sessions(at: path).isEmpty,
      let found = try? SerialPort(path: path, options: .init(baudRate: rate))
    else {
      presence.miss(now)
      return false
    }
    open = found
    name = path
    if let named { given = named }
    if let listing {
      port = listing.identity
      bystanders = Set(listings.map { $0.identity }).subtracting([port])
    }
    hasHeard = false
    stale = hasLine ? now + Self.settling : nil
    judgedSince = now + DeviceQuestions.resetPatience
    return true
  }

  /// The board among the ports there are now. A bystander that is plugged out and in again is one no longer.
  private func find(in listings: [PortListing]) -> PortListing? {
    bystanders.formIntersection(listings.map { $0.identity })
    let candidates = listings.filter { !bystanders.contains($0.identity) }
    if let listing = port.find(in: candidates) { return listing }
    // A link of its own, as below /dev/serial/by-id, is followed to another socket.
    guard port.usb?.serial == nil, let named = given.map({ PortIdentity(path: $0.path, among: candidates) }),
      given?.isLink == true, !listings.contains(where: { $0.path == given?.path })
    else { return nil }
    return candidates.first { $0.identity == named && port.isLike($0) }
  }

  func hear(_ bytes: Span<UInt8>) {
    guard search != nil, !isFound else { return }
    if !hasHeard { judgedSince = .now }
    hasHeard = true
    search?.hear(bytes)
  }

  func tune(_ now: MonotonicTime, isUnderstood: Bool) -> Bool {
    guard !isUnderstood else {
      if !isFound, search != nil, port.usb != nil { KnownRates.note(rate, of: identity) }
      isFound = true
      turnTime = nil
      return false
    }
    guard let open, search != nil else { return false }
    if isFound { beginSearch(now) }
    var seconds = now - judgedSince
    for _ in BaudSearch.rates {  // some ports can't make every rate
      switch search?.advance(seconds: seconds) {
      case .change(let next):
        seconds = .infinity
        guard (try? open.setBaudRate(next)) != nil else { continue }
        rate = next
        judgedSince = now
        turnTime = now
        stale = now + Self.settling
        return true
      case .listen(let until): turnTime = judgedSince + until
      case nil: break
      }
      return false
    }
    search = nil
    turnTime = nil
    return false
  }

  /// Searches the baud rate again: messages make no sense any longer, and old bytes may have passed for them.
  private func beginSearch(_ now: MonotonicTime) {
    isFound = false
    search = BaudSearch(first: rate)
    judgedSince = now
  }

  func write(_ bytes: [UInt8]) -> Bool {
    guard let open, case .bytes(bytes.count) = bytes.withUnsafeBytes({ open.write($0) }) else { return false }
    return true
  }
}
