#include "CTLS.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

/// The functions of libssl and libcrypto that are used: the manual pages of OpenSSL 3.0, section 3.
#define FUNCTIONS(_)                                                                                          \
  _(const void *, TLS_client_method, (void))                                                                  \
  _(void *, SSL_CTX_new, (const void *))                                                                      \
  _(void, SSL_CTX_free, (void *))                                                                             \
  _(void, SSL_CTX_set_verify, (void *, int, void *))                                                          \
  _(int, SSL_CTX_load_verify_locations, (void *, const char *, const char *))                                 \
  _(long, SSL_CTX_ctrl, (void *, int, long, void *))                                                          \
  _(void *, SSL_new, (void *))                                                                                \
  _(void, SSL_free, (void *))                                                                                 \
  _(long, SSL_ctrl, (void *, int, long, void *))                                                              \
  _(int, SSL_set1_host, (void *, const char *))                                                               \
  _(void *, SSL_get0_param, (void *))                                                                         \
  _(int, X509_VERIFY_PARAM_set1_ip_asc, (void *, const char *))                                               \
  _(void, SSL_set_bio, (void *, void *, void *))                                                              \
  _(void, SSL_set_connect_state, (void *))                                                                    \
  _(int, SSL_do_handshake, (void *))                                                                          \
  _(int, SSL_read, (void *, void *, int))                                                                     \
  _(int, SSL_write, (void *, const void *, int))                                                              \
  _(int, SSL_get_error, (const void *, int))                                                                  \
  _(long, SSL_get_verify_result, (const void *))                                                              \
  _(const char *, X509_verify_cert_error_string, (long))                                                      \
  _(const void *, BIO_s_mem, (void))                                                                          \
  _(void *, BIO_new, (const void *))                                                                          \
  _(int, BIO_free, (void *))                                                                                  \
  _(int, BIO_read, (void *, void *, int))                                                                     \
  _(int, BIO_write, (void *, const void *, int))                                                              \
  _(unsigned long, ERR_get_error, (void))                                                                     \
  _(const char *, ERR_reason_error_string, (unsigned long))                                                   \
  _(void, ERR_clear_error, (void))

#define FIELD(result, name, parameters) result(*name) parameters;
static struct {
  FUNCTIONS(FIELD)
} library;

#define ENTRY(result, name, parameters) {#name, (void **)&library.name},
static const struct {
  const char *name;
  void **function;
} entries[] = {FUNCTIONS(ENTRY)};

// Macros of OpenSSL's headers.
enum {
  VERIFY_PEER = 1,
  ERROR_WANT_READ = 2,
  ERROR_WANT_WRITE = 3,
  CTRL_SET_TLSEXT_HOSTNAME = 55,
  CTRL_SET_MIN_PROTO_VERSION = 123,
  TLSEXT_NAMETYPE_HOST_NAME = 0,
  TLS_1_2 = 0x0303,
};

struct tls_context {
  void *ssl;
};

struct tls_session {
  void *ssl;
  void *incoming, *outgoing;  // the session's
  unsigned long error;
};

int tls_load(void) {
  static int state;  // 0: not tried, 1: there, -1: missing
  if (state == 0) {
    void *handle = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!handle) handle = dlopen("libssl.so.1.1", RTLD_NOW | RTLD_LOCAL);
    state = handle ? 1 : -1;
    for (size_t i = 0; state == 1 && i < sizeof entries / sizeof entries[0]; i++) {
      *entries[i].function = dlsym(handle, entries[i].name);
      if (!*entries[i].function) state = -1;
    }
  }
  return state == 1;
}

struct tls_context *tls_context_new(const char *file, const char *folder) {
  struct tls_context *context = calloc(1, sizeof *context);
  if (!context) return NULL;
  library.ERR_clear_error();
  context->ssl = library.SSL_CTX_new(library.TLS_client_method());
  if (context->ssl && library.SSL_CTX_load_verify_locations(context->ssl, file, file ? NULL : folder)) {
    library.SSL_CTX_set_verify(context->ssl, VERIFY_PEER, NULL);
    library.SSL_CTX_ctrl(context->ssl, CTRL_SET_MIN_PROTO_VERSION, TLS_1_2, NULL);
    return context;
  }
  tls_context_free(context);
  return NULL;
}

void tls_context_free(struct tls_context *context) {
  if (context->ssl) library.SSL_CTX_free(context->ssl);
  free(context);
}

struct tls_session *tls_session_new(struct tls_context *context, const char *host) {
  struct tls_session *session = calloc(1, sizeof *session);
  if (!session) return NULL;
  session->ssl = library.SSL_new(context->ssl);
  session->incoming = library.BIO_new(library.BIO_s_mem());
  session->outgoing = library.BIO_new(library.BIO_s_mem());
  if (!session->ssl || !session->incoming || !session->outgoing) {
    if (session->incoming) library.BIO_free(session->incoming);
    if (session->outgoing) library.BIO_free(session->outgoing);
    session->incoming = session->outgoing = NULL;
    tls_session_free(session);
    return NULL;
  }
  library.SSL_set_bio(session->ssl, session->incoming, session->outgoing);
  library.SSL_set_connect_state(session->ssl);
  // A numeric address is looked for among the certificate's addresses, and is no name to ask the server for.
  if (!library.X509_VERIFY_PARAM_set1_ip_asc(library.SSL_get0_param(session->ssl), host)) {
    library.SSL_set1_host(session->ssl, host);
    library.SSL_ctrl(session->ssl, CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_HOST_NAME, (void *)host);
  }
  library.ERR_clear_error();
  return session;
}

void tls_session_free(struct tls_session *session) {
  if (session->ssl) library.SSL_free(session->ssl);
  free(session);
}

/// The outcome of a call that did not succeed: 0 when it needs more of the peer, -1 when it never will.
static int outcome(struct tls_session *session, int result) {
  int error = library.SSL_get_error(session->ssl, result);
  if (error == ERROR_WANT_READ || error == ERROR_WANT_WRITE) return 0;
  session->error = library.ERR_get_error();
  return -1;
}

int tls_handshake(struct tls_session *session) {
  library.ERR_clear_error();
  int result = library.SSL_do_handshake(session->ssl);
  return result == 1 ? 1 : outcome(session, result);
}

int tls_receive(struct tls_session *session, const void *bytes, int count) {
  return library.BIO_write(session->incoming, bytes, count) == count ? 1 : -1;
}

int tls_send(struct tls_session *session, void *bytes, int capacity) {
  int count = library.BIO_read(session->outgoing, bytes, capacity);
  return count > 0 ? count : 0;
}

int tls_read(struct tls_session *session, void *bytes, int capacity) {
  library.ERR_clear_error();
  int result = library.SSL_read(session->ssl, bytes, capacity);
  return result > 0 ? result : outcome(session, result);
}

int tls_write(struct tls_session *session, const void *bytes, int count) {
  library.ERR_clear_error();
  int result = library.SSL_write(session->ssl, bytes, count);
  return result > 0 ? result : -1;  // what is written goes to memory: there is always room
}

long tls_verdict(struct tls_session *session) { return library.SSL_get_verify_result(session->ssl); }

const char *tls_words(struct tls_session *session) {
  long verdict = tls_verdict(session);
  if (verdict != 0) return library.X509_verify_cert_error_string(verdict);
  return session->error ? library.ERR_reason_error_string(session->error) : NULL;
}
