// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 language mode, no warning left standing, imports said where they are used.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// From the bottom up: a target may use only what stands above it.
let package = Package(
  name: "lodestone",
  products: [
    .executable(name: "lodestone", targets: ["CLI"]),
    .library(
      name: "Lodestone",
      targets: ["Core", "Geomagnetism", "Calibration", "Navigation", "Drivers", "Ports", "Instruments", "Output"]),
  ],
  dependencies: [
    // The command's arguments, help and usage errors.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // What the system provides: libusb for USB, Linux calls that Glibc's module leaves out, Eigen for linear algebra.
    .systemLibrary(name: "CLibUSB", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
    .target(name: "CLinux"),
    .target(name: "CEigen"),

    .target(name: "Core", swiftSettings: strict),
    .target(name: "Geomagnetism", dependencies: ["Core"], swiftSettings: strict),
    .target(name: "Calibration", dependencies: ["Core", "CEigen"], swiftSettings: strict),
    .target(name: "Navigation", dependencies: ["Core", "Calibration"], swiftSettings: strict),
    .target(name: "Drivers", dependencies: ["Core"], swiftSettings: strict),
    .target(name: "Ports", dependencies: ["Core", "Drivers", "CLibUSB", "CLinux"], swiftSettings: strict),
    .target(name: "Instruments", dependencies: ["Core", "Calibration", "Drivers", "Ports"], swiftSettings: strict),
    .target(name: "Output", dependencies: ["Core", "Navigation"], swiftSettings: strict),
    .target(name: "Terminal", dependencies: ["Core", "CLinux"], swiftSettings: strict),
    .executableTarget(
      name: "CLI",
      dependencies: [
        "Core", "Geomagnetism", "Calibration", "Navigation", "Drivers", "Ports", "Instruments", "Output",
        "Terminal", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    .testTarget(name: "CoreTests", dependencies: ["Core"], swiftSettings: strict),
    .testTarget(name: "GeomagnetismTests", dependencies: ["Core", "Geomagnetism"], swiftSettings: strict),
    .testTarget(
      name: "CalibrationTests",
      dependencies: ["Core", "Calibration", "Geomagnetism", "Instruments", "Ports", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "NavigationTests", dependencies: ["Core", "Calibration", "Instruments", "Navigation"],
      swiftSettings: strict),
    .testTarget(name: "DriversTests", dependencies: ["Core", "Drivers", "Support"], swiftSettings: strict),
    .testTarget(
      name: "PortsTests", dependencies: ["Core", "Drivers", "Ports", "CLinux", "Support", "BusProbe"],
      swiftSettings: strict),
    .testTarget(
      name: "InstrumentsTests", dependencies: ["Core", "Drivers", "Ports", "Instruments", "Support"],
      swiftSettings: strict),
    .testTarget(name: "OutputTests", dependencies: ["Core", "Navigation", "Output"], swiftSettings: strict),
    .testTarget(name: "TerminalTests", dependencies: ["Core", "CLinux", "Terminal"], swiftSettings: strict),
    .testTarget(
      name: "CLITests",
      dependencies: [
        "CLI", "Core", "Drivers", "Geomagnetism", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(name: "EndToEnd", dependencies: ["CLI", "Core", "Drivers", "Ports", "Support"], swiftSettings: strict),
    // Emulators, fixtures and the recordings that suites share.
    .target(
      name: "Support", dependencies: ["Core", "Drivers", "Ports", "CLinux", "CUMockdev"], path: "Tests/Support",
      exclude: ["CUMockdev", "BusProbe"], swiftSettings: strict),
    // Emulated devices for the real libusb; the program that suites start to see them.
    .systemLibrary(
      name: "CUMockdev", path: "Tests/Support/CUMockdev", pkgConfig: "umockdev-1.0",
      providers: [.apt(["umockdev", "libumockdev-dev"])]),
    .executableTarget(
      name: "BusProbe", dependencies: ["Drivers", "Ports"], path: "Tests/Support/BusProbe", swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
