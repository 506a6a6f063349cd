import LodestoneCore

extension CSV {
  /// Writes a recording: the first message decides the columns of the header.
  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let vectors = [message.microtesla, message.gravities, message.degreesPerSecond]
    if encoded.isEmpty {
      encoded = [message.time != nil] + vectors.map { $0 != nil } + [message.temperature != nil]
      let names: [StaticString] = [
        "time_s", "mx_uT,my_uT,mz_uT", "ax_g,ay_g,az_g", "gx_dps,gy_dps,gz_dps", "temperature_C",
      ]
      for (name, isThere) in zip(names, encoded) where isThere {
        if bytes.last.map({ $0 != .lineFeed }) ?? false { bytes.append(.comma) }
        bytes.append(text: name)
      }
      bytes.append(.lineFeed)
    }
    if message.saturated {
      bytes.append(text: Sample.saturatedComment)
      bytes.append(.lineFeed)
    }
    var isFirst = true
    for index in encoded.indices where encoded[index] {
      if !isFirst { bytes.append(.comma) }
      isFirst = false
      switch index {
      case 0: if let time = message.time { bytes.append(time, decimals: 6) }
      case 4: if let temperature = message.temperature { bytes.append(temperature, decimals: 3) }
      default:
        if let vector = vectors[index - 1] { bytes.append(vector, decimals: 6) } else { bytes.append(text: ",,") }
      }
    }
    bytes.append(.lineFeed)
  }
}
