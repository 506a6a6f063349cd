/// Addresses of chips on a bus.
protocol BusScheme: AddressScheme {
  /// The bus, and what is asked of the chips on it.
  static func link(
    _ address: DeviceAddress, _ options: OpenOptions
  ) throws(StreamError) -> (any ChipLink, ChipRequest)
}

extension BusScheme {
  static var hasSensorRates: Bool { true }

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let (link, request) = try link(address, options)
    return try ChipStream(link, request, reconnects: options.reconnects)
  }
}
