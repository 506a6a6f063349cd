// swift-tools-version: 6.2
import PackageDescription

/// A program of values alone: with the traits off nothing is resolved but Lodestone itself.
/// `swift run --package-path Tests/Client/Values`
let package = Package(
  name: "values",
  dependencies: [.package(name: "lodestone", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Values", dependencies: [.product(name: "LodestoneNavigation", package: "lodestone")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
