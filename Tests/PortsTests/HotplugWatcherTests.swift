import LodestonePorts
import Support
import Testing

@Suite(.waiting) struct HotplugWatcherTests {
  private let system = FakeSystem()

  private func notices(_ watcher: HotplugWatcher) throws -> Bool {
    var poller = Poller()
    poller.watch(watcher.descriptor, for: .readable)
    guard try poller.wait(until: .now + 0.05) > 0 else { return false }
    return watcher.takeChanges()
  }

  @Test func pluggingAndUnpluggingAreNoticed() throws {
    let watcher = try HotplugWatcher(roots: system.roots)
    #expect(!watcher.takeChanges())
    system.plugIn("ttyACM0", vendor: "239a", product: "800b")
    #expect(try notices(watcher))
    #expect(!watcher.takeChanges())
    system.unplug("ttyACM0")
    #expect(try notices(watcher))
  }

  @Test func stableNamesAreNoticedAlthoughTheirFolderCameLater() throws {
    let watcher = try HotplugWatcher(roots: system.roots)
    system.makeFolder("dev/serial")
    #expect(try notices(watcher))
    system.makeFolder("dev/serial/by-id")
    #expect(try notices(watcher))
    system.link("dev/serial/by-id/usb-A_B-if00", to: "../../ttyACM0")
    #expect(try notices(watcher))
  }

  @Test func otherNodesAreNotOurs() throws {
    let watcher = try HotplugWatcher(roots: system.roots)
    system.write("", to: "dev/loop7")
    system.write("", to: "dev/tty12")
    #expect(try !notices(watcher))
  }

  @Test func aLinkOfTheUsersOwnIsWatchedBesides() throws {
    system.makeFolder("home")
    let watcher = try HotplugWatcher(roots: system.roots, besides: system.root + "/home/compass")
    system.link("home/other", to: "/dev/null")
    #expect(try !notices(watcher))
    system.link("home/compass", to: "/dev/null")
    #expect(try notices(watcher))
  }

  @Test func aPtyThatGoesIsNoticed() throws {
    let board = try PseudoTerminal()
    let watcher = try HotplugWatcher(roots: system.roots, besides: board.path)
    board.close()
    #expect(try notices(watcher))
  }

  @Test func aMissingFolderIsAnError() {
    #expect(throws: SystemError.self) {
      try HotplugWatcher(roots: SystemRoots(sys: "/no", dev: "/no/dev", proc: "/no"))
    }
  }
}
