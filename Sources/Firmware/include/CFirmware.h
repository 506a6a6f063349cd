/// The sketches of Arduino/ and Python/ inside the binary.
#ifndef CFIRMWARE_H
#define CFIRMWARE_H

#include <stddef.h>

/// What the sketches of a language share.
struct FirmwareBoard {
  /// The line of a sketch that stands for it.
  const char *_Nonnull line;
  /// The text in its place.
  const char *_Nonnull text;
};

/// All sketches, a zero behind each.
extern const char *_Nonnull const firmwareSketches;
extern const size_t firmwareSketchesSize;

/// One for each language.
extern const struct FirmwareBoard *_Nonnull const firmwareBoards;
extern const size_t firmwareBoardCount;

#endif
