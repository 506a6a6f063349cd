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
    // Everything: devices, calibration, instruments, formats, sinks.
    .library(name: "Lodestone", targets: ["Lodestone"]),
    // Values without any device; nothing is resolved, and no C but Eigen's mathematics.
    .library(name: "LodestoneNavigation", targets: ["LodestoneNavigation"]),
    // Protocols and chips for ports of one's own; no C at all.
    .library(name: "LodestoneDrivers", targets: ["LodestoneDrivers"]),
  ],
  traits: [
    .default(enabledTraits: ["Command", "USB"]),
    .trait(name: "Command", description: "The command lodestone and its page, with what they are resolved with."),
    .trait(name: "USB", description: "Chips behind USB bridges, through libusb."),
  ],
  dependencies: [
    // The command's arguments, help and usage errors.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // The user's configuration file.
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    // HTTP and its connections, for the page.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // What the system provides: Linux calls that Glibc's module leaves out, Eigen for linear algebra.
    .target(name: "CLinux"),
    .target(name: "CEigen", exclude: ["link"]),
    // libusb, loaded when it is first asked for; the header is libusb-1.0-0-dev's.
    .target(name: "CLibUSB"),
    // TLS by OpenSSL, loaded when it is first asked for; no header of it is needed.
    .target(name: "CTLS"),
    // The page's files inside the binary.
    .target(
      name: "CWebPage", path: "Sources/Web/Page",
      exclude: [
        "index.html", "token.html", "style.css", "icon.svg", "icon-192.png", "icon-512.png", "manifest.webmanifest",
        "app.js", "device.js", "dom.js", "keep.js", "live.js", "numbers.js", "record.js", "sound.js", "tabs.js",
        "worker.js", "draw", "views",
      ]),

    // Sketches for breakouts inside the binary.
    .target(name: "CFirmware", path: "Sources/Firmware", exclude: ["Arduino", "Python"]),

    .target(name: "LodestoneCore", path: "Sources/Core", swiftSettings: strict),
    .target(name: "Geomagnetism", dependencies: ["LodestoneCore"], swiftSettings: strict),
    .target(name: "Calibration", dependencies: ["LodestoneCore", "CEigen"], swiftSettings: strict),
    .target(name: "Navigation", dependencies: ["LodestoneCore", "Calibration"], swiftSettings: strict),
    .target(name: "Drivers", dependencies: ["LodestoneCore"], swiftSettings: strict),
    .target(
      name: "LodestonePorts",
      dependencies: [
        "LodestoneCore", "Drivers", "CLinux", "CTLS", .target(name: "CLibUSB", condition: .when(traits: ["USB"])),
      ],
      path: "Sources/Ports", swiftSettings: strict),
    .target(
      name: "Instruments", dependencies: ["LodestoneCore", "Calibration", "Drivers", "LodestonePorts"],
      swiftSettings: strict),
    .target(
      name: "LodestoneOutput", dependencies: ["LodestoneCore", "Drivers", "Navigation", "LodestonePorts"],
      path: "Sources/Output", swiftSettings: strict),
    // The faces: what `import Lodestone` gives, and two parts of it.
    .target(
      name: "LodestoneNavigation", dependencies: ["LodestoneCore", "Geomagnetism", "Calibration", "Navigation"],
      swiftSettings: strict),
    .target(name: "LodestoneDrivers", dependencies: ["LodestoneCore", "Drivers"], swiftSettings: strict),
    .target(
      name: "Lodestone",
      dependencies: [
        "LodestoneCore", "Geomagnetism", "Calibration", "Navigation", "Drivers", "LodestonePorts", "Instruments",
        "LodestoneOutput",
      ], swiftSettings: strict),
    .target(
      name: "LodestoneTerminal", dependencies: ["LodestoneCore", "Calibration", "Navigation", "CLinux"],
      path: "Sources/Terminal",
      swiftSettings: strict),
    .target(
      name: "LodestoneWeb",
      dependencies: [
        "LodestoneCore", "Geomagnetism", "Calibration", "Navigation", "LodestonePorts", "Instruments",
        "LodestoneOutput", "Lodestone", "CWebPage", .command("NIOCore", "swift-nio"), .command("NIOPosix", "swift-nio"),
        .command("NIOHTTP1", "swift-nio"), .command("NIOConcurrencyHelpers", "swift-nio"),
      ], path: "Sources/Web", exclude: ["Page"], swiftSettings: strict),
    .executableTarget(
      name: "CLI",
      dependencies: [
        "LodestoneCore", "Geomagnetism", "Calibration", "Navigation", "Drivers", "LodestonePorts", "Instruments",
        "LodestoneOutput", "Lodestone", "LodestoneTerminal", "LodestoneWeb", "CFirmware", "CLinux",
        .command("ArgumentParser", "swift-argument-parser"), .command("TOMLKit", "TOMLKit"),
      ],
      // Types are asked for directly, not by a name that the runtime looks through all conformances for: 8 % of a
      // start.
      swiftSettings: strict + [
        .unsafeFlags(
          ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release))
      ],
      // Nothing looks up the program's own names while it runs, and functions of the same code can be one: 2 MB less.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=safe"], .when(configuration: .release)),
        // The C++ library inside: nothing but the C library is needed where it runs.
        .unsafeFlags(
          ["-L", Context.packageDirectory + "/Sources/CEigen/link", "-Xclang-linker", "-static-libgcc"],
          .when(configuration: .release)),
      ]),

    .testTarget(name: "CoreTests", dependencies: ["LodestoneCore", "Support"], swiftSettings: strict),
    .testTarget(name: "GeomagnetismTests", dependencies: ["LodestoneCore", "Geomagnetism"], swiftSettings: strict),
    .testTarget(
      name: "CalibrationTests",
      dependencies: [
        "LodestoneCore", "Calibration", "Geomagnetism", "Instruments", "LodestonePorts", "Navigation", "Support",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NavigationTests", dependencies: ["LodestoneCore", "Calibration", "Instruments", "Navigation", "Support"],
      swiftSettings: strict),
    .testTarget(name: "DriversTests", dependencies: ["LodestoneCore", "Drivers", "Support"], swiftSettings: strict),
    .testTarget(
      name: "PortsTests",
      dependencies: ["LodestoneCore", "Drivers", "LodestonePorts", "CLinux", "Support", "BusProbe"],
      swiftSettings: strict),
    .testTarget(
      name: "InstrumentsTests", dependencies: ["LodestoneCore", "Drivers", "LodestonePorts", "Instruments", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "OutputTests",
      dependencies: ["LodestoneCore", "LodestonePorts", "Navigation", "LodestoneOutput", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "LodestoneTests",
      dependencies: [
        "Lodestone", "LodestoneCore", "LodestoneOutput", "Calibration", "Drivers", "Geomagnetism", "Instruments",
        "LodestonePorts", "Support",
      ], swiftSettings: strict),
    .testTarget(
      name: "TerminalTests",
      dependencies: [
        "LodestoneCore", "Calibration", "Navigation", "Instruments", "CLinux", "LodestoneTerminal", "Support",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "WebTests",
      dependencies: [
        "Lodestone", "LodestoneCore", "LodestoneOutput", "LodestoneWeb", "LodestonePorts", "Instruments", "Support",
        .command("NIOCore", "swift-nio"),
      ], swiftSettings: strict),
    .testTarget(
      name: "EndToEnd", dependencies: ["CLI", "LodestoneCore", "Drivers", "LodestonePorts", "Support"],
      swiftSettings: strict),
    // Emulators, fixtures and the recordings that suites share.
    .target(
      name: "Support",
      dependencies: [
        "LodestoneCore", "Calibration", "Navigation", "Drivers", "LodestonePorts", "Instruments", "CLinux", "CUMockdev",
      ],
      path: "Tests/Support",
      exclude: ["CUMockdev", "BusProbe"], swiftSettings: strict),
    // Emulated devices for the real libusb; the program that suites start to see them.
    .systemLibrary(
      name: "CUMockdev", path: "Tests/Support/CUMockdev", pkgConfig: "umockdev-1.0",
      providers: [.apt(["umockdev", "libumockdev-dev"])]),
    // Runs the command on a kernel of its own, with the kernel's drivers over emulated bridges: see .ci/kernel.
    .executableTarget(
      name: "KernelChecks", dependencies: ["LodestoneCore", "LodestonePorts", "Support"], path: "Tests/Kernel",
      swiftSettings: strict),
    // How often single headings and fields are within what is stated of them, on the rides and scenes of the tests.
    // `swift run -c release FieldBenchmark [seeds]` prints the tables.
    .executableTarget(
      name: "FieldBenchmark", dependencies: ["LodestoneCore", "Calibration", "Instruments", "Navigation", "Support"],
      path: "Tests/Benchmarks/Field", swiftSettings: strict),
    // How far fused headings and attitudes are from motion capture and from the truth of the simulation, beside VQF.
    // `swift run -c release FusionBenchmark [boards]` prints the tables.
    .executableTarget(
      name: "FusionBenchmark", dependencies: ["LodestoneCore", "Calibration", "Instruments", "Navigation", "Support"],
      path: "Tests/Benchmarks/Fusion", swiftSettings: strict),
    .executableTarget(
      name: "BusProbe", dependencies: ["Drivers", "LodestonePorts"], path: "Tests/Support/BusProbe",
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)

extension Target.Dependency {
  /// A product that only the command and its page need.
  static func command(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Command"]))
  }
}
