// swift-tools-version: 6.2
import PackageDescription

/// A program as others write it: it imports Lodestone and nothing else.
/// `swift run --package-path Tests/Client` builds it and checks what it gets.
let package = Package(
  name: "client",
  dependencies: [.package(name: "lodestone", path: "../..")],
  targets: [
    .executableTarget(
      name: "Client", dependencies: [.product(name: "Lodestone", package: "lodestone")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
