// A module needs a source; the library itself is linked.
#include "LibFuzzer.h"
