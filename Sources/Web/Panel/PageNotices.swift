import Lodestone

/// The notices for readers of a page. A warning holds until another notice about its topic, and goes with the device or
/// the session that it is about.
struct PageNotices {
  private enum Owner { case device, session, second }

  private let server: WebServer
  /// The topics of warnings, with whose they are, and whether they say that there is nothing to read, or not yet.
  private var warned: [String: (owner: Owner, isInTheWay: Bool)] = [:]
  /// Whether it was told that settings cannot be kept.
  private var areUnkept = false
  /// The number of the last one; from anywhere, for a page may have put notices of an earlier run away.
  private var count = Int.random(in: 0..<1 << 40)

  /// Notices to the readers of a server.
  init(_ server: WebServer) { self.server = server }

  /// Tells what a page need know of a notice.
  mutating func tell(_ notice: Notice) {
    guard let shown = PageNotice(notice) else { return }
    tell(shown)
    guard shown.kind == .warning else { return }
    let owner: Owner
    switch notice {
    case .stream: owner = .device
    case .beside: owner = .second
    default: owner = .session
    }
    warned[shown.topic] = (owner, notice.isInTheWay)
  }

  /// Tells all readers, and those that come later where it stands.
  mutating func tell(_ notice: PageNotice) {
    count += 1
    server.tell(PageNotice.event.name, notice.value(number: count), about: notice.topic, stands: notice.stands)
    warned[notice.topic] = nil
  }

  /// Tells that a device is no longer read, and why: of the one in use until another takes its place.
  mutating func tellEnd(of name: String, _ reason: String, isSecond: Bool) {
    let notice = PageNotice(endOf: name, reason, isSecond: isSecond)
    tell(notice)
    if !isSecond { warned[notice.topic] = (.device, isInTheWay: false) }
  }

  /// Tells once that settings cannot be kept, and why.
  mutating func tellUnkept(_ reason: String) {
    guard !areUnkept else { return }
    areUnkept = true
    let text = "The settings hold until the program ends: \(reason)."
    tell(PageNotice(topic: "settings", text: text, hasNoEnd: true))
  }

  /// Ends the warnings that there is nothing to read.
  mutating func haveReading() { end { $0.isInTheWay } }

  /// Ends the warnings about the device.
  mutating func endDevice() { end { $0.owner == .device } }

  /// Ends the warnings about the session: its instruments tell them anew where they hold.
  mutating func endSession() { end { $0.owner == .session } }

  private mutating func end(_ isOver: ((owner: Owner, isInTheWay: Bool)) -> Bool) {
    for (topic, warning) in warned where isOver(warning) { tell(PageNotice(topic: topic, kind: .over, text: "")) }
  }
}
