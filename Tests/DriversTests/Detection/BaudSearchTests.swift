import Testing

@testable import Drivers

@Suite struct BaudSearchTests {
  /// Plays a device that sends text at one rate and noise to a listener at any other. Seconds until the rate was found.
  private func seconds(toFind rate: Int, first: Int? = nil, bytesPerSecond: Int = 1000) -> Double? {
    var search = BaudSearch(first: first)
    var total = 0.0
    var here = 0.0
    while total < 60 {
      if search.rate == rate { return total }
      let slice = 0.05
      search.hear([UInt8](repeating: 0xE3, count: Int(Double(bytesPerSecond) * slice)).span)
      here += slice
      total += slice
      if case .change = search.advance(seconds: here) { here = 0 }
    }
    return nil
  }

  @Test(arguments: [115_200, 9600, 57_600, 38_400, 19_200])
  func usualRatesAreReachedInTime(rate: Int) throws {
    // Two seconds to arrive leave one for two messages.
    #expect(try #require(seconds(toFind: rate)) < 2)
  }

  @Test(arguments: BaudSearch.rates)
  func everyRateIsReached(rate: Int) {
    #expect(seconds(toFind: rate) != nil)
    #expect(seconds(toFind: rate, first: rate) == 0)
  }

  @Test func textAndSilenceAreGivenMoreTime() {
    var signs = BaudSearch()
    for _ in 0..<3 { signs.hear(Array("40°\r\n".utf8).span) }
    #expect(signs.advance(seconds: 5) == .listen(until: 6))

    var search = BaudSearch()
    #expect(search.advance(seconds: 0.5) == .listen(until: 0.8))
    search.hear(Array("$GPGGA,123519,4807.038,N,01131.000,E".utf8).span)
    #expect(search.advance(seconds: 5) == .listen(until: 6))
    #expect(search.advance(seconds: 6) == .change(to: 9600))
    search.hear([0xE3].span)
    #expect(search.advance(seconds: 1) == .listen(until: 1.2))
  }

  @Test func questionsAreThoseOfTheManuals() {
    let asked = Dictionary(uniqueKeysWithValues: WireProbe.all.map { ($0.protocolName, $0.bytes) })
    #expect(asked["xbus"] == [0xFA, 0xFF, 0x00, 0x00, 0x01])
    #expect(asked["pni"] == [0x00, 0x05, 0x04, 0xBF, 0x71])
    #expect(asked["hmr2300"] == Array("*99P\r".utf8))
    #expect(asked["msp"] == [0x24, 0x4D, 0x3C, 0x00, 0x01, 0x01])
    #expect(asked.count == 6)
  }

  @Test func anAnswerIsOneOfItsProtocol() throws {
    let probe = try #require(WireProbe.all.first { $0.protocolName == "bno055" })
    let answers: [(bytes: [UInt8], isOne: Bool)] = [
      ([0xEE, 0x07], true), ([0x41, 0x42, 0xEE, 0x07], false), ([], false),
    ]
    for (bytes, isOne) in answers {
      let isAnswered = probe.isAnswered(by: bytes.span)
      #expect(isAnswered == isOne)
    }
  }
}
