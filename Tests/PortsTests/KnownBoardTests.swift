import Drivers
import LodestonePorts
import Testing

@Suite struct KnownBoardTests {
  @Test func boardsAreFoundByTheirNumbers() {
    #expect(KnownBoard.identified(vendorID: 0x1A86, productID: 0x7523)?.name == "WCH CH340")
    #expect(KnownBoard.identified(vendorID: 0x1B4F, productID: 0x9D0F)?.protocols.first == "razor")
    #expect(KnownBoard.identified(vendorID: 0x2341, productID: 0xFFFF)?.name == "Arduino")
    #expect(KnownBoard.identified(vendorID: 0xDEAD, productID: 0xBEEF) == nil)
  }

  @Test func likelyProtocolsAreOurs() {
    for name in Set(KnownBoard.all.flatMap { $0.protocols }) { #expect(Protocols.named(name) != nil, "\(name)") }
  }

  @Test func everyDeviceHasOneRow() {
    let keys = KnownBoard.all.map { "\($0.vendorID):\($0.productID.map(String.init) ?? "*")" }
    #expect(Set(keys).count == keys.count)
  }
}

@Suite struct UdevRulesTests {
  private let text = UdevRules.text()
  private var lines: [Substring] { text.split(separator: "\n") }

  @Test func theFileSortsBeforeTheSeatRules() throws {
    let number = try #require(Int(UdevRules.fileName.prefix(2)))
    #expect(number < 73)
    #expect(UdevRules.fileName.hasSuffix(".rules"))
  }

  @Test func bridgesBoardsAndChipsAreIn() {
    #expect(
      text.contains(
        #"ATTRS{idVendor}=="04d8", ATTRS{idProduct}=="00dd", TAG+="uaccess", ENV{ID_MM_DEVICE_IGNORE}="1""#))
    #expect(text.contains("\n" + #"ATTRS{idVendor}=="1a86", ATTRS{idProduct}=="7523", TAG+="uaccess""# + "\n"))
    #expect(text.contains("\n" + #"ATTRS{idVendor}=="1fb9", TAG+="uaccess""#))
  }

  @Test func everyBridgeWithADriverIsIn() {
    for identifier in Bridges.all.flatMap({ $0.identifiers }) {
      #expect(UdevRules.subjects.contains { $0.vendorID == identifier.vendor && $0.productID == identifier.product })
    }
  }

  @Test func everyLineIsARuleOrAComment() {
    for line in lines {
      let isRule = line.hasPrefix("ATTRS{") && line.contains(#"TAG+="uaccess""#)
      let isGroup = line.hasPrefix(#"SUBSYSTEM=="usb|hidraw", "#) && line.hasSuffix(#"GROUP="plugdev", MODE="0660""#)
      let isFrame =
        line.hasPrefix("#") || line.hasPrefix("ACTION") || line.hasPrefix("SUBSYSTEM!=") || line.hasPrefix("LABEL")
      #expect(isRule || isGroup || isFrame, "\(line)")
      #expect(!line.contains("MODE=") || isGroup, "\(line)")
    }
  }

  /// Who comes over a network sits at no screen. Bridges alone: a port has its group, and a chip that is both keeps it.
  @Test func bridgesAreGivenToAGroup() {
    let bridges = Bridges.all.flatMap { $0.identifiers }
    #expect(lines.filter { $0.contains("GROUP=") }.count == bridges.count)
    let ours = #"ATTRS{idVendor}=="10c4", ATTRS{idProduct}=="ea90", GROUP="plugdev", MODE="0660""#
    #expect(text.contains("\n" + #"SUBSYSTEM=="usb|hidraw", "# + ours + "\n"))
    #expect(!text.contains(#"ATTRS{idProduct}=="7523", GROUP"#))
  }

  @Test func jumpsHaveTheirLabel() {
    #expect(text.contains(#"GOTO="lodestone_end""#))
    #expect(text.hasSuffix(#"LABEL="lodestone_end""# + "\n"))
  }

  @Test func numbersAreLowerCase() {
    for rule in lines where rule.hasPrefix("ATTRS") {
      let quoted = rule.split(separator: "\"").filter { $0.count == 4 }
      #expect(quoted.allSatisfy { $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
    }
  }
}
