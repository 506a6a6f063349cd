import Lodestone

/// What the readers of a page are told beside readings. A warning holds until another notice about its topic, and goes with
/// the device or the session that it is about.
struct PageNotices {
  private let server: WebServer
  private var ofDevice: Set<String> = []
  private var ofSession: Set<String> = []
  /// That there is nothing to read, or not yet.
  private var inTheWay: Set<String> = []
  /// The number of the last one; from anywhere, for a page may have put notices of an earlier run away.
  private var count = Int.random(in: 0..<1 << 40)

  /// To the readers of a server.
  init(_ server: WebServer) { self.server = server }

  /// Tells what a page need know of a notice.
  mutating func tell(_ notice: Notice) {
    guard let shown = PageNotice(notice) else { return }
    switch notice {
    case .stream: ofDevice.insert(shown.topic)
    case .beside: break
    default: ofSession.insert(shown.topic)
    }
    if notice.isInTheWay { inTheWay.insert(shown.topic) } else { inTheWay.remove(shown.topic) }
    tell(shown)
  }

  /// Tells all readers, and those that come later where it stands.
  mutating func tell(_ notice: PageNotice) {
    count += 1
    server.tell(PageNotice.event.name, notice.value(number: count), about: notice.topic, stands: notice.stands)
  }

  /// Ends what said that there is nothing to read.
  mutating func haveReading() {
    guard !inTheWay.isEmpty else { return }
    for topic in inTheWay { end(topic) }
    inTheWay = []
  }

  /// Ends the warnings about the device.
  mutating func endDevice() {
    for topic in ofDevice { end(topic) }
    ofDevice = []
  }

  /// Ends the warnings about the session: its instruments tell them anew where they hold.
  mutating func endSession() {
    for topic in ofSession { end(topic) }
    ofSession = []
  }

  private mutating func end(_ topic: String) { tell(PageNotice(topic: topic, kind: .over, text: "")) }
}
