import CTLS

/// Why a certificate is not believed.
public enum CertificateFault: Equatable, Sendable {
  /// Nobody who is trusted has signed it.
  case unknownIssuer
  /// It is another host's.
  case otherHost
  /// It is not valid yet, or no longer.
  case outOfDate
  /// Any other reason.
  case other

  /// Nil for no fault. The numbers are those of X509_V_ERR_… in openssl/x509_vfy.h.
  init?(verdict: Int) {
    switch verdict {
    case 0: return nil
    case 2, 18, 19, 20, 21, 27: self = .unknownIssuer
    case 62, 64: self = .otherHost
    case 9, 10: self = .outOfDate
    default: self = .other
    }
  }
}

/// Certificates to trust, as OpenSSL keeps them.
final class TLSContext {
  /// The reason why there is no session.
  enum Problem: Error, Equatable {
    /// libssl is not installed.
    case libraryMissing
    /// A file or folder of certificates that can't be read.
    case badCertificates(String)
  }

  /// Where Linux keeps the certificates of public authorities.
  private static let systemFolder = "/etc/ssl/certs"
  fileprivate let handle: OpaquePointer

  /// - Parameter file: certificates to trust; nil for the system's.
  init(trusting file: String?) throws(Problem) {
    guard tls_load() == 1 else { throw .libraryMissing }
    guard let handle = tls_context_new(file, Self.systemFolder) else {
      throw .badCertificates(file ?? Self.systemFolder)
    }
    self.handle = handle
  }

  deinit { tls_context_free(handle) }
}

/// A client's side of an encrypted connection, between the bytes of a socket and those of whoever speaks through it. It
/// touches no socket and never waits.
final class TLSSession {
  /// The connection is over: why, in the library's words.
  struct Failure: Error, Equatable {
    let reason: String
    /// The peer's certificate is not believed; nil where something else failed.
    var fault: CertificateFault?
  }

  private let context: TLSContext
  private let handle: OpaquePointer
  private(set) var isEstablished = false

  /// Nil without memory. The host's certificate must hold its name or numeric address.
  init?(to host: String, _ context: TLSContext) {
    guard let handle = tls_session_new(context.handle, host) else { return nil }
    self.context = context
    self.handle = handle
  }

  deinit { tls_session_free(handle) }

  /// Takes encrypted bytes of the peer, as many as a read of a socket brings.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    guard tls_receive(handle, base, Int32(clamping: bytes.count)) == 1 else { throw Failure(reason: "out of memory") }
  }

  /// Goes on with the handshake as far as the peer's bytes allow; true once it is done.
  func handshake() throws(Failure) -> Bool {
    guard !isEstablished else { return true }
    switch tls_handshake(handle) {
    case 1: isEstablished = true
    case 0: break
    default: throw failure
    }
    return isEstablished
  }

  /// The next plain bytes of the peer; how many, 0 when more encrypted ones are needed.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
    let count = tls_read(handle, base, Int32(clamping: buffer.count))
    guard count >= 0 else { throw failure }
    return Int(count)
  }

  /// Encrypts bytes for the peer.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = tls_write(handle, base, Int32(clamping: rest.count))
      guard count > 0 else { throw failure }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(count)))
    }
  }

  /// Appends the encrypted bytes that are to be sent to the peer.
  func takeOutgoing(into output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      guard let base = buffer.baseAddress else { return }
      while true {
        let count = Int(tls_send(handle, base, Int32(buffer.count)))
        guard count > 0 else { return }
        output += buffer.prefix(count)
      }
    }
  }

  private var failure: Failure {
    Failure(
      reason: tls_words(handle).map { String(cString: $0) } ?? "the other side ended the encrypted connection",
      fault: CertificateFault(verdict: tls_verdict(handle)))
  }
}
