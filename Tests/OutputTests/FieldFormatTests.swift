import Core
import Navigation
import Output
import Testing

@Suite struct FieldFormatTests {
  private static let reading = FieldReading(
    time: 0.5, difference: Vector3(3, -4, 12), magnitude: 13, uncertainty: 0.4, peak: 15, minimum: 0.1,
    field: Vector3(10, 20, -40), flags: [.saturated, .turned])

  private func lines(_ format: any FieldFormat.Type, unit: FieldUnit, _ reading: FieldReading = reading) -> String {
    var text = TextBuffer()
    var writer = format.init(unit: unit)
    writer.appendHeader(to: &text)
    writer.append(reading, to: &text)
    return text.text
  }

  @Test func csv() {
    #expect(
      lines(CSVFields.self, unit: .microtesla) == """
        time_s,dx_uT,dy_uT,dz_uT,magnitude_uT,uncertainty_uT,peak_uT,bx_uT,by_uT,bz_uT,flags
        0.500000,3.000,-4.000,12.000,13.000,0.400,15.000,10.000,20.000,-40.000,saturated turned

        """)
  }

  @Test func unitIsInTheNames() {
    let lines = lines(CSVFields.self, unit: .millitesla).split(separator: "\n")
    #expect(lines.first?.hasPrefix("time_s,dx_mT,") == true)
    #expect(lines.last?.contains(",0.013000,") == true)
  }

  @Test func json() {
    #expect(lines(JSONFields.self, unit: .gauss).contains(#""magnitude_G":0.13000,"#))
    #expect(lines(JSONFields.self, unit: .gauss).hasSuffix(#""flags":["saturated","turned"]}"# + "\n"))
  }

  @Test func belowTheNoiseNoNumberIsClaimed() {
    var reading = Self.reading
    reading.magnitude = 0.2
    reading.flags = .belowNoise
    #expect(lines(TextFields.self, unit: .microtesla, reading).hasPrefix("< 0.40 µT"))
  }
}
