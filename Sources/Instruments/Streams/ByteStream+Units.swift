import Drivers
import LodestoneCore

/// The units of a stream's numbers.
extension ByteStream {
  /// The units are known: the messages that waited for them are samples now.
  func settle(_ scales: WireScales) {
    guard scales.field.basis != .zero else { return passZeros(scales) }
    switch scales.field.basis {
    case .otherScale, .noCounts: refusal = scales.refusal(of: link.name)
    default: break
    }
    take(scales)
    reader.noteTimes()
    queue.append(.unitsChosen(scales))
    findings.tellSources(of: &reader.wire, to: &queue)
    queue.append(units?.release() ?? [])
    units = nil
  }

  /// The field is zero so far, which it is in every unit: that is handed out, and the unit is sought in what comes
  /// next. Input that can't be read twice must not be given up for what a sensor sends before it measures.
  private func passZeros(_ scales: WireScales) {
    var scales = scales
    scales.field = .init(microtesla: 1, basis: .zero)
    take(scales)
    reader.noteTimes()
    findings.tell(unclear: scales.field, to: &queue)
    queue.append(units?.release() ?? [])
    units = tally.hasEnded ? nil : newUnits
  }

  private var newUnits: StreamUnits {
    var units = StreamUnits(isLive: link.isLive, stated: stated)
    if let expectation { units.expect(expectation) }
    return units
  }

  /// The units and scales are these, and those that the stream states hold for the fields beside them alone.
  func take(_ scales: WireScales) {
    reader.assembler.scales = scales
    switch scales.field.basis {
    case .stated, .doubted: reader.assembler.fieldIsStated = stated == .nothing
    default: reader.assembler.fieldIsStated = false
    }
  }

  /// Ends the stream with an error. Messages that wait for their units are handed out first, as far as those can be
  /// told.
  func fail(_ error: StreamError) throws(StreamError) -> StreamEvent? {
    guard units?.held.isEmpty == false, let scales = units?.conclude(), scales.refusal(of: link.name) == nil else {
      throw error
    }
    failure = error
    settle(scales)
    return nil
  }

  /// The device has told what its counts are: from now on they are that, whatever they were taken for.
  func noteFieldScale() {
    guard stated == .nothing, let told = reader.wire.fieldScale else { return }
    units?.tell(fieldScale: told)
    guard units == nil, reader.assembler.scales.field.microtesla != told else { return }
    reader.assembler.scales.field = .init(microtesla: told, basis: .told)
    queue.append(.unitsChosen(reader.assembler.scales))
  }

  /// Numbers are in another unit than they were: it is told, and found anew where it was found before. Where the user
  /// has given that of the field nothing is left to be found, nor where a chip's range has changed.
  func doubtUnits() {
    if let times = reader.assembler.rangeFactor {
      reader.assembler.forgetUnit()
      return queue.append(.rangeChanged(times: times))
    }
    guard case .unit(let unit) = stated, !reader.assembler.changeIsOfForce else {
      if reader.assembler.changeIsOfForce {
        queue.append(.forceUnitChanged)
      } else {
        queue.append(reader.assembler.fieldIsStated ? .unitMissing : .unitChanged)
        reader.assembler.fieldIsStated = false
      }
      reader.assembler.forgetUnit()
      units = newUnits
      findings.beginUnits()
      return weighAgain(queue.takeMessages())
    }
    let strength = reader.message.field?.length ?? 0
    let other = FieldUnit.inferable.first { MagneticField.earthStrength.contains(strength * $0.microtesla) }
    reader.assembler.forgetUnit()
    queue.append(
      .unclearField(
        .init(microtesla: unit.microtesla, basis: .doubted(unit, strength: strength, other: other))))
  }

  /// Messages that were to be samples in the unit of before wait for the one that is sought now.
  private func weighAgain(_ messages: ArraySlice<(message: WireMessage, arrival: Double)>) {
    for index in messages.indices {
      guard let scales = units?.add(messages[index].message, arrival: messages[index].arrival) else { continue }
      settle(scales)
      return queue.append(messages[(index + 1)...])
    }
  }

  /// A rate is at the end of the gyroscope's range.
  func noteRate(_ rate: RotationRate?) {
    if let notice = rateWatch.notice(of: rate) { queue.append(notice) }
  }
}
