import LodestonePorts
import Support
import Testing

@Suite(.waiting) struct SideThreadTests {
  @Test func jobsAreDoneInTheirOrder() throws {
    let results = try Handover<Int>(capacity: 500)
    let thread = try SideThread()
    for number in 0..<500 { thread.perform { _ = results.put(number) } }
    var poller = Poller()
    poller.watch(results.descriptor, for: .readable)
    var seen: [Int] = []
    while seen.count < 500, try poller.wait(until: .now + 30) > 0 {
      while let result = results.take() { seen.append(result) }
    }
    #expect(seen == Array(0..<500))
  }

  @Test func whatWasGivenIsDoneBeforeItGoes() throws {
    let results = try Handover<Int>(capacity: 100)
    do {
      let thread = try SideThread()
      for number in 0..<100 { thread.perform { _ = results.put(number) } }
    }
    for number in 0..<100 { #expect(results.take() == number) }
    #expect(results.take() == nil)
  }
}
