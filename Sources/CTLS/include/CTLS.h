/// TLS as a filter between plain and encrypted bytes, by OpenSSL (libssl 3 or 1.1), which is loaded when it is first asked
/// for: linking it would make every start of the program three times as long. It opens no socket and never waits.
#ifndef CTLS_H
#define CTLS_H

/// Certificates to trust.
struct tls_context;
/// One connection.
struct tls_session;

/// Whether the library is there: 1 or 0. Not for two threads at once.
int tls_load(void);

/// Trusts the certificates in a file, or in a folder where the file is null. Null where they can't be read.
struct tls_context *_Nullable tls_context_new(const char *_Nullable file, const char *_Nonnull folder);
void tls_context_free(struct tls_context *_Nonnull context);

/// A client's side of a connection to a host, whose certificate must hold its name or numeric address. Null without memory.
struct tls_session *_Nullable tls_session_new(struct tls_context *_Nonnull context, const char *_Nonnull host);
void tls_session_free(struct tls_session *_Nonnull session);

/// Goes on with the handshake: 1 when it is done, 0 when it needs bytes of the peer, −1 when it failed.
int tls_handshake(struct tls_session *_Nonnull session);
/// Takes encrypted bytes of the peer, all of them: 1, or −1 without memory.
int tls_receive(struct tls_session *_Nonnull session, const void *_Nonnull bytes, int count);
/// Gives encrypted bytes for the peer: how many, 0 for none.
int tls_send(struct tls_session *_Nonnull session, void *_Nonnull bytes, int capacity);
/// Gives plain bytes of the peer: how many; 0 when it needs more encrypted ones, −1 when the connection is over.
int tls_read(struct tls_session *_Nonnull session, void *_Nonnull bytes, int capacity);
/// Takes plain bytes for the peer, at least one: how many, or −1 when the connection is over.
int tls_write(struct tls_session *_Nonnull session, const void *_Nonnull bytes, int count);
/// The fault of the peer's certificate, as X509_V_ERR_… in openssl/x509_vfy.h; 0 for nothing.
long tls_verdict(struct tls_session *_Nonnull session);
/// Why it failed, in the library's words; null where it tells nothing.
const char *_Nullable tls_words(struct tls_session *_Nonnull session);

#endif
