import LodestonePorts
import Testing

@Suite struct MQTTAddressTests {
  private func word(_ topic: String) throws -> String {
    try #require(MQTTAddress("mqtt://host/\(topic)")).plainTopic
  }

  @Test(arguments: [("boat", "boat"), ("boat/compass", "boat_compass"), ("Home/deck2/compass", "Home_deck2_compass")])
  func plainTopicsStandAsTheyAre(_ topic: String, _ expected: String) throws { #expect(try word(topic) == expected) }

  /// Topics that differ in signs or letters past ASCII alone are two devices. The mark is FNV-1a of 64 bits over the
  /// topic's bytes, worked out apart from this program.
  @Test func noTwoTopicsHaveTheSameWord() throws {
    let topics = [
      "boat/compass", "boat_compass", "boat.compass", "boat-compass", "boat compass", "boat//compass", "süd", "sud",
      "söd",
      "s_d", "北", "南", "/boat", "boat/kompaß", "boat/kompa_",
    ]
    let words = try topics.map(word)
    #expect(Set(words).count == topics.count)
    for word in words {
      #expect(
        word.unicodeScalars.allSatisfy {
          $0.isASCII && ($0.properties.isAlphabetic || "0123456789_".unicodeScalars.contains($0))
        })
    }
    #expect(try word("boat_compass") == "boat_compass__d7c421c4e2afd834")
  }

  /// A topic and the stream behind it name the same place.
  @Test(arguments: [
    ("boat", "boat"), ("boat/stream", "boat"), ("/stream", "/stream"), ("boat/upstream", "boat/upstream"),
  ])
  func theStreamIsThatOfItsTopic(_ topic: String, _ state: String) throws {
    #expect(try #require(MQTTAddress("mqtt://host/\(topic)")).ofState.topic == state)
  }
}
