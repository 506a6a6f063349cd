import Geomagnetism
import Instruments
import LodestoneCore
import LodestoneOutput
import Navigation

/// A notice for the user of a session. It holds facts; whoever shows it words them.
public enum Notice: Sendable {
  /// The device, or the stream that it sends.
  case stream(StreamNotice)
  /// The instrument or its calibration.
  case instrument(InstrumentNotice)
  /// The first position came: true headings from now on.
  case positionReceived(Declination)
  /// The time is known after all: true headings from now on.
  case timeReceived(Declination)
  /// No true headings are given while the system's clock shows a moment that cannot be.
  case noTime(unixTime: Double)
  /// The model gives no declination for the place and date.
  case noDeclination(FieldModel.Problem)
  /// The horizontal field where the device is lets compasses err: a zone of the model's caution or blackout.
  case weakField(EarthField)
  /// The hard iron that is learnt while instruments run.
  case learning(LearningNotice)
  /// A sink that readings are published at, by its name.
  case sink(String, SinkNotice)
  /// The stream of the receiver with this address has ended without a position.
  case noPosition(String)
  /// A device beside the first one, by its name.
  indirect case beside(String, Notice)

  /// Whether the data are of no use as they are, or not yet: the notice stands until something of use comes.
  public var isInTheWay: Bool {
    switch self {
    case .instrument(.nothingOfUse), .stream(.unanswered), .stream(.unclearField), .stream(.doubtful),
      .stream(.unrecognized), .stream(.nothingOfUse):
      true
    default: false
    }
  }

  /// Whether the device is there, and speaks, from now on; nil for notices that do not tell. While it is away it is
  /// waited for, and what was shown before no longer holds.
  public var isPresent: Bool? {
    switch self {
    case .stream(.lost), .stream(.disconnected), .stream(.silent): false
    case .stream(.returned): true
    default: nil
    }
  }

  /// Whether readings of before hold no longer, until others come: the device is away, or what it sends makes no sense
  /// now.
  public var endsReadings: Bool {
    switch self {
    case .stream(.tryingBaudRate), .stream(.unclearField), .stream(.doubtful), .stream(.unrecognized),
      .stream(.nothingOfUse):
      true
    default: isPresent == false
    }
  }
}

/// Why a session cannot go on.
public enum SessionError: Error, Equatable, Sendable {
  /// The zero-point was refused, and is not tried again.
  case noZeroPoint(ZeroPoint.Refusal)
  /// A recording or the duration has ended, and nothing in it is of use to the instrument: the quantities that it tells,
  /// and those of which the instrument needs one.
  case nothingOfUse(tells: DeviceParts, needs: DeviceParts)
  /// A recording or the duration has ended, and no reading came of its samples: their number, the seconds that they took,
  /// nil where the recording has no times, and whether the field is zero in all of them.
  case noReadings(samples: Int, seconds: Double?, isFieldZero: Bool)
  /// The system gives no signals, no thread, or cannot wait: what was asked of it, and its answer.
  case system(String)
}

extension StreamNotice {
  /// Whether it asks for something that the mounting already answers: how a sensor of unknown axes sits in the device.
  func isSettled(by mounting: Mounting) -> Bool {
    if case .unknownFrame = self { mounting != .aligned } else { false }
  }
}
