import LodestonePorts
import Synchronization
import Support
import Testing

@Suite(.waiting) struct HandoverTests {
  /// Everything until a negative number, waited for with poll(2) as a loop does.
  private func everything(from handover: Handover<Int>) throws -> [Int] {
    var items: [Int] = []
    var poller = Poller()
    poller.watch(handover.descriptor, for: .readable)
    while items.last.map({ $0 >= 0 }) ?? true {
      guard let item = handover.take() else {
        guard try poller.wait(until: .now + 30) > 0 else { break }
        continue
      }
      items.append(item)
    }
    return items
  }

  @Test(arguments: [1, 2, 7])
  func everythingArrivesInOrder(capacity: Int) throws {
    let handover = try Handover<Int>(capacity: capacity)
    let count = 20_000
    let thread = try BackgroundThread {
      for number in 0..<count { _ = handover.put(number) }
      _ = handover.put(-1)
    }
    #expect(try everything(from: handover) == Array(0..<count) + [-1])
    thread.join()
    #expect(handover.take() == nil)
    var poller = Poller()
    poller.watch(handover.descriptor, for: .readable)
    #expect(try poller.wait(until: .now) == 0)
  }

  @Test func whoeverHandsOverWaitsForRoom() throws {
    let handover = try Handover<Int>(capacity: 3)
    let put = Mutex(0)
    let thread = try BackgroundThread {
      for number in 0..<10 where handover.put(number) { put.withLock { $0 += 1 } }
    }
    var poller = Poller()
    poller.watch(handover.descriptor, for: .readable)
    #expect(try poller.wait(until: .now + 30) > 0)
    for taken in 0..<10 {
      while handover.take() != nil ? false : try poller.wait(until: .now + 30) > 0 {}
      // Three wait at most, and one more may be about to.
      #expect(put.withLock { $0 } <= taken + 1 + 3)
    }
    thread.join()
    #expect(put.withLock { $0 } == 10)
  }

  @Test func whoeverMustNotWaitIsTold() throws {
    let handover = try Handover<Int>(capacity: 2)
    #expect((0..<3).map { handover.put($0, waits: false) } == [true, true, false])
    #expect(handover.take() == 0 && handover.put(3, waits: false))
    #expect(handover.take() == 1 && handover.take() == 3 && handover.take() == nil)
    handover.stop()
    #expect(!handover.put(4, waits: false))
  }

  @Test func nobodyWaitsForOneWhoHasGone() throws {
    let handover = try Handover<Int>(capacity: 1)
    #expect(handover.put(1))
    let answer = Mutex<Bool?>(nil)
    let thread = try BackgroundThread { answer.withLock { $0 = handover.put(2) } }
    handover.stop()
    thread.join()
    #expect(answer.withLock { $0 } == false)
  }
}
