#include "runtime/compat/compat.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace hip::compat {

void* core_entry(const char* name) noexcept {
  // This library needs it, so it is loaded; the handle looks past the symbols of this name that come before.
  static void* const core = dlopen("libamdhip64.so.7", RTLD_LAZY | RTLD_NOLOAD);
  if (void* const address = core ? dlsym(core, name) : nullptr) return address;
  std::fprintf(stderr, "libamdhip64.so.%d: libamdhip64.so.7 has no %s; both must be of one OmniHIP.\n", kLibrary, name);
  std::abort();
}

} // namespace hip::compat
