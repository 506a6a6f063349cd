import LodestoneCore
import Testing

@testable import Drivers

extension WireExamplesTests {
  /// Frames that other programs wrote, or that manuals and recordings of devices show, with what those say is in them.
  static let frames: [Example] = mavlinkFrames + vectorNavFrames + xbusFrames + otherFrames

  /// Written by pymavlink 2.4.50.
  private static let mavlinkFrames: [Example] = [
    Example(
      "mavlink",
      hexadecimal:
        "FD 3E 00 00 00 01 01 69 00 00 A0 25 26 00 00 00 00 00 CD CC CC 3D CD CC 4C BE CD CC 1C C1 0A D7 23 3C "
        + "0A D7 A3 BC 00 00 00 3F 3D 0A 57 3E CD CC 4C BD F6 28 DC 3E CD 4C 7D 44 00 00 00 00 00 00 00 00 00 00 "
        + "CC 41 FF 1F A8 F0"
    ) {
      $0.field = Vector3(0.21, -0.05, 0.43)
      $0.fieldUnit = .gauss
      $0.acceleration = Vector3(0.1, -0.2, -9.8)
      $0.accelerationUnit = .metresPerSecondSquared
      $0.rotationRate = Vector3(0.01, -0.02, 0.5)
      $0.temperature = 25.5
    },
    Example(
      "mavlink",
      hexadecimal:
        "FD 18 00 00 00 01 01 74 00 00 DC 05 00 00 0C 00 DE FF 1A FC 05 00 FA FF BC 02 D3 00 D0 FF B1 01 D8 10 "
        + "95 4C"
    ) {
      $0.field = Vector3(211, -48, 433)
      $0.fieldUnit = .milligauss
      $0.acceleration = Vector3(12, -34, -998)
      $0.accelerationUnit = .milligravity
      $0.rotationRate = Vector3(0.005, -0.006, 0.7)
      $0.temperature = 43.12
    },
    Example(
      "mavlink",
      hexadecimal:
        "FD 1D 00 00 00 01 01 1B 00 00 80 84 1E 00 00 00 00 00 0C 00 DE FF 1A FC 05 00 FA FF BC 02 D3 00 D0 FF "
        + "B1 01 00 EA 0B 13 84"
    ) {
      $0.field = Vector3(211, -48, 433)
      $0.fieldUnit = .milligauss
      $0.acceleration = Vector3(12, -34, -998)
      $0.accelerationUnit = .milligravity
      $0.rotationRate = Vector3(0.005, -0.006, 0.7)
      $0.temperature = 30.5
    },
    Example(
      "mavlink",
      hexadecimal:
        "FD 16 00 00 00 01 01 1A 00 00 DC 05 00 00 0C 00 DE FF 1A FC 05 00 FA FF BC 02 D3 00 D0 FF B1 01 C2 55"
    ) {
      $0.field = Vector3(211, -48, 433)
      $0.fieldUnit = .milligauss
      $0.acceleration = Vector3(12, -34, -998)
      $0.accelerationUnit = .milligravity
      $0.rotationRate = Vector3(0.005, -0.006, 0.7)
    },
    Example(
      "mavlink",
      hexadecimal: "FD 10 00 00 00 01 01 1E 00 00 DC 05 00 00 DD 35 7A BD 66 A8 BB 3D AF AD 7E BF AC 2C"
    ) {
      $0.own = attitude(nil, 5.25, -3.5, trueNorth: 303)
    },
    Example(
      "mavlink",
      hexadecimal:
        "FE 1C 00 01 01 1E DC 05 00 00 DD 35 7A BD 66 A8 BB 3D AF AD 7E BF 00 00 00 00 00 00 00 00 00 00 00 00 "
        + "56 2A"
    ) {
      $0.own = attitude(nil, 5.25, -3.5, trueNorth: 303)
    },
    Example(
      "mavlink",
      hexadecimal: "FD 12 00 00 00 01 01 4A 00 00 00 00 C0 3F 00 00 20 40 00 00 04 42 00 00 00 BF 0F 01 92 02"
    ) {
      $0.own = attitude(nil, trueNorth: 271)
    },
  ]

  /// The first is the example of VectorNav's manual. The other has what a VN-300 can send between the field and the
  /// angles: satellites (3 and 1, in lists), times, dilutions and the heave; its bytes are put together by hand.
  private static let vectorNavFrames: [Example] = [
    Example(
      "vectornav-binary",
      hexadecimal: "FA 01 08 00 93 50 2E 42 83 3E F1 3F 48 B5 04 BB 92 88"
    ) {
      $0.own = attitude(43.578686, 1.8847202, -0.0020249653)
    },
    Example(
      "vectornav-binary",
      hexadecimal:
        "FA 19 00 04 08 F0 02 10 CD CC CC 3D AE 47 61 BE CD CC CC 3E 00 00 CC 41 9A 99 CA 42 03 01 12 00 00 80 "
        + "3F 00 00 80 3F 00 00 80 3F 00 00 80 3F 00 00 80 3F 00 00 80 3F 00 00 80 3F 03 00 00 01 02 03 04 05 06 "
        + "07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 00 00 00 00 00 00 F8 3F D0 07 01 00 00 00 00 00 00 "
        + "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 E3 E5 C9 42 5C 8F EA C0 3D 0A 37 "
        + "3F 00 00 80 3F 00 00 00 40 00 00 40 40 06 9B"
    ) {
      $0.own = attitude(100.949, -7.33, 0.715)
      $0.field = Vector3(0.1, -0.22, 0.4)
      $0.fieldUnit = .gauss
      $0.temperature = 25.5
    },
  ]

  /// The first two were recorded from an MTi-300 and decoded by Xsens' own program ("XSens Golden Packets"). Then the
  /// numbers in fixed point 16.32 that einride/xsens-go tests with, and one attitude in the axes of east and of
  /// north-west.
  private static let xbusFrames: [Example] = [
    Example(
      "xbus",
      hexadecimal:
        "FA FF 36 8B 10 20 02 A6 55 10 60 04 00 57 47 2E 20 10 10 3F 7F 7D C4 BC 10 10 7D 3B A1 57 70 BD 7E C6 "
        + "56 40 20 0C BD A2 1A F8 BE 2A 8E 96 41 1D 27 A2 40 10 0C B9 4F C8 00 B9 DA 24 00 3C C9 28 80 40 30 0C "
        + "3C 02 C8 9C 3C 35 F6 C8 3C DB 0C 00 80 20 0C BB B1 7D 81 BB 96 32 00 3C 01 E8 41 80 30 10 3F 80 00 00 "
        + "B6 E3 30 01 B6 C0 40 00 37 26 48 00 C0 20 0C BE 99 9C 24 3F B6 1B 56 3F 16 6A EB 30 10 04 00 01 86 DE "
        + "E0 20 04 00 40 00 03 8B"
    ) {
      $0.field = Vector3(-0.30001938, 1.42270923, 0.58756894)
      $0.acceleration = Vector3(-0.07915300, -0.16655955, 9.82217598)
      $0.accelerationUnit = .metresPerSecondSquared
      $0.rotationRate = Vector3(-0.00541657, -0.00458360, 0.00792891)
    },
    Example(
      "xbus",
      hexadecimal: "FA FF 36 16 C0 20 0C BE FB FB F2 3F 33 C4 85 BF A0 A2 C1 08 10 04 42 16 80 00 B2"
    ) {
      $0.field = Vector3(-0.49215657, 0.70221740, -1.25496686)
      $0.temperature = 37.625
    },
    Example(
      "xbus",
      hexadecimal: "FA FF 36 15 40 22 12 AD F0 52 98 00 39 E1 F5 89 E9 00 0B F6 3F CA F0 FF FF 42"
    ) {
      $0.acceleration = Vector3(57.67944828234613, 11.882652873406187, -0.038089100271463394)
      $0.accelerationUnit = .metresPerSecondSquared
    },
    Example(
      "xbus",
      hexadecimal: "FA FF 36 0F 20 30 0C 3F 80 00 00 C0 A8 00 00 42 04 00 00 F3"
    ) {
      $0.own = attitude(57, 5.25, 1)
    },
    Example(
      "xbus",
      hexadecimal: "FA FF 36 0F 20 38 0C 3F 80 00 00 C0 A8 00 00 42 04 00 00 EB"
    ) {
      $0.own = attitude(327, 5.25, 1)
    },
  ]

  /// Bytes of a TRAX, with the numbers another parser's test reads from it; the envelope around the components is ours.
  /// At 1.14° of pitch and 0.44° of roll gravity is (−0.020, 0.008, 1) along forward, right, down: the specific force
  /// is its negative. Then a TRAX with all its components, by PNI's identifiers; UM7's registers 112 to 116, at
  /// 0.0109863° a count.
  private static let otherFrames: [Example] = [
    Example(
      "pni",
      hexadecimal:
        "00 46 05 0E 05 43 0D 08 3B 18 3F 91 BC D8 19 3E DF 4D E9 4F 00 08 00 15 BC A4 08 C0 16 3B FB 4D AB 17 "
        + "3F 80 F5 08 1B C1 6E A4 37 1C C1 2D 31 27 1D 42 51 3D 4F 4A 00 00 00 00 4B 00 00 00 00 4C 00 00 00 00 "
        + "3B 79"
    ) {
      $0.own = attitude(141.03215027, 1.13857555, 0.43614128)
      $0.field = Vector3(-14.91509151, -10.82450008, 52.30987167)
      $0.fieldUnit = .microtesla
      $0.acceleration = Vector3(0.02002370, -0.00766917, -1.00747776)
      $0.accelerationUnit = .g
    },
    Example(
      "pni",
      hexadecimal:
        "00 34 05 08 05 42 F6 CC CD 4F 01 4D 3F 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 4A 3D CC CC CD 08 "
        + "00 1B 41 48 00 00 1C C1 F2 00 00 1D 42 24 00 00 0D 84"
    ) {
      $0.own = attitude(123.4)
      $0.field = Vector3(12.5, -30.25, 41)
      $0.fieldUnit = .microtesla
    },
    Example(
      "um7-binary",
      hexadecimal: "73 6E 70 D4 70 03 8E FE 39 20 00 00 00 00 00 00 00 00 00 00 00 42 CB 33 33 05 F0"
    ) {
      $0.own = attitude(90, -4.99877, 9.99755)
    },
  ]
}
