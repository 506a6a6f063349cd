/// The files of the page, as they lie beside this folder, inside the binary.
#ifndef CWEBPAGE_H
#define CWEBPAGE_H

#include <stddef.h>

/// One file of the page.
struct WebPageFile {
  /// Its path on the server, without the leading slash.
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

/// All of them.
extern const struct WebPageFile *_Nonnull const webPageFiles;
extern const size_t webPageFileCount;

#endif
