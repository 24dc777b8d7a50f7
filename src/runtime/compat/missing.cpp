// Entries that the older libraries had and we lack: hipErrorNotSupported, and a message with the entry's name.
#include "runtime/compat/compat.h"

#define HIP_OLDER(libraries, symbol, node, what)
#define HIP_OLDER_MISSING(libraries, symbol, node, what)                                                               \
  RT_SHIM hipError_t symbol();                                                                                         \
  RT_SHIM hipError_t symbol() {                                                                                        \
    return __omnihipAnswer(#symbol, hipErrorNotSupported, #symbol " is not part of OmniHIP. " what);                   \
  }
#include "api/older.def"
#undef HIP_OLDER
#undef HIP_OLDER_MISSING
