import Glibc
import LodestonePorts
import Support
import Testing

/// Ports as an ordinary user meets them. Each test runs in a process of its own, which gives up being root.
@Suite struct PortAccessTests {
  /// Becomes nobody where this process is root.
  private static func becomeNobody() -> Bool {
    guard geteuid() == 0 else { return true }
    return setgroups(0, nil) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0
  }

  private static func refusal(opening path: String) -> PortError? {
    do throws(PortError) {
      _ = try SerialPort(path: path)
      return nil
    } catch {
      return error
    }
  }

  /// Ends the process with a code that says how it went.
  private static func conclude(_ isRight: Bool) -> Never { exit(isRight ? 0 : 1) }

  @Test func aPortOfRootIsNotPermitted() async {
    await #expect(processExitsWith: .success) {
      let board = try PseudoTerminal()
      chmod(board.path, 0)
      guard Self.becomeNobody(), case .notPermitted(board.path, let access) = Self.refusal(opening: board.path) else {
        Self.conclude(false)
      }
      Self.conclude(!access.isReadable && !access.isWritable && access.mode == 0 && !access.isUSB)
    }
  }

  @Test func theGroupThatWouldHelpIsNamed() async {
    await #expect(processExitsWith: .success) {
      let board = try PseudoTerminal()
      chmod(board.path, 0o060)
      guard geteuid() == 0 else { Self.conclude(true) }  // only root can give a node to a group that is not his
      guard chown(board.path, 0, 20) == 0, Self.becomeNobody(),  // 20 is dialout on Debian
        case .notPermitted(board.path, let access) = Self.refusal(opening: board.path)
      else { Self.conclude(false) }
      Self.conclude(access.needsGroup && !access.userGroups.contains(access.group) && access.owner == "root")
    }
  }

  /// As udev leaves the nodes of USB devices: nobody is to join root's group.
  @Test func rootsGroupIsNoneToJoin() async {
    await #expect(processExitsWith: .success) {
      let board = try PseudoTerminal()
      chmod(board.path, 0o664)
      guard geteuid() == 0 else { Self.conclude(true) }  // only root can give a node to root
      guard chown(board.path, 0, 0) == 0, Self.becomeNobody(),
        case .notPermitted(board.path, let access) = Self.refusal(opening: board.path)
      else { Self.conclude(false) }
      Self.conclude(access.group == "root" && !access.needsGroup)
    }
  }

  @Test func aPortThatAnotherProgramClaimedIsBusy() async {
    await #expect(processExitsWith: .success) {
      let board = try PseudoTerminal()
      chmod(board.path, 0o666)
      guard Self.becomeNobody() else { Self.conclude(false) }
      let first = try SerialPort(path: board.path)
      guard case .busy(board.path, _) = Self.refusal(opening: board.path) else { Self.conclude(false) }
      first.close()
      Self.conclude(Self.refusal(opening: board.path) == nil)
    }
  }

  @Test func aFolderThatMayNotBeEnteredIsNotPermitted() async {
    await #expect(processExitsWith: .success) {
      let folder = "/tmp/lodestone-closed-\(getpid())"
      mkdir(folder, 0)
      guard Self.becomeNobody() else { Self.conclude(false) }
      let error = Self.refusal(opening: folder + "/ttyACM0")
      rmdir(folder)
      guard case .notPermitted(_, let access) = error else { Self.conclude(false) }
      Self.conclude(access.mode == 0 && !access.isReadable)
    }
  }

  @Test func theProcessThatHoldsAPortIsNamed() throws {
    let board = try PseudoTerminal()
    let stranger = try Stranger(holding: board.path)
    let holder = Holder(name: "sh", processID: stranger.processID)
    #expect(Holder.all(of: board.path) == [holder])
    #expect(
      failure { () throws(PortError) in try SerialPort(path: board.path) } == .busy(path: board.path, heldBy: [holder]))
    stranger.end()
    #expect(failure { () throws(PortError) in try SerialPort(path: board.path) } == nil)
  }
}

/// A shell that has a port open and locked, until it is told to end.
private final class Stranger {
  let processID: pid_t
  private let input: Descriptor

  init(holding path: String) throws {
    let toStranger = try Pipe()
    let fromStranger = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toStranger.reader.number, 0)
    posix_spawn_file_actions_adddup2(&actions, fromStranger.writer.number, 1)
    let script = "exec 3<>\(path); flock -n 3 && echo ready; read line"
    let words = ["sh", "-c", script].map { (word: String) in strdup(word) }
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, "/bin/sh", &actions, nil, words + [nil], environ)
    guard code == 0 else { throw SystemError("posix_spawn", code: code) }
    processID = id
    input = toStranger.writer
    fromStranger.writer.close()
    var byte: UInt8 = 0
    guard read(fromStranger.reader.number, &byte, 1) == 1 else { throw SystemError("read", code: EPIPE) }
  }

  func end() {
    input.close()
    waitpid(processID, nil, 0)
  }
}
