import FoundationEssentials
import NIOCore
import Support
import Testing

@testable import LodestoneWeb

/// The page inside the binary is the page in the folder, and stays on this machine.
struct PageFilesTests {
  private static let folder = "Sources/Web/Page"

  /// Paths below the folder of the page.
  private static func files() throws -> [String] {
    try PackageFolder.files(below: folder).map { String($0.dropFirst(folder.count + 1)) }.filter { path in
      [".html", ".css", ".js", ".svg", ".png", ".webmanifest"].contains { path.hasSuffix($0) }
    }
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: PackageFolder.root + "\(folder)/\(path)")))
  }

  @Test func everyFileIsServedAsItStands() throws {
    let paths = try Self.files()
    #expect(paths.count > 15)
    for path in paths {
      let file = try #require(PageFiles.all["/" + path], "\(path) is not in WebPage.c")
      #expect(Array(file.body.readableBytesView) == (try Self.bytes(of: path)), "\(path)")
    }
    #expect(PageFiles.all.count == paths.count + 1)  // the page itself under its other name
  }

  /// No file asks another host for anything, and nothing in it needs more than the policy `default-src 'self'` gives.
  @Test func nothingLeavesTheMachine() throws {
    for path in try Self.files() where !path.hasSuffix(".png") {
      let text = String(decoding: try Self.bytes(of: path), as: UTF8.self)
      let links = text.split(separator: "://").dropFirst().map { String($0.prefix(14)) }
      #expect(links.allSatisfy { $0 == "www.w3.org/200" }, "\(path)")
      for forbidden in [" style=\"", "eval(", "innerHTML", "javascript:", " onclick=\""] {
        #expect(!text.contains(forbidden), "\(path): \(forbidden)")
      }
    }
  }

  @Test func typesAreSaid() {
    #expect(PageFiles.all["/"]?.type == "text/html; charset=utf-8")
    #expect(PageFiles.all["/app.js"]?.type == "text/javascript; charset=utf-8")
    #expect(PageFiles.all["/icon.svg"]?.type == "image/svg+xml")
  }
}
