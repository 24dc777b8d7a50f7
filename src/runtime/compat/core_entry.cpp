#include "runtime/compat/compat.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace hip::compat {

void* entry_of(const char* library, const char* name) noexcept {
  // Its own handle looks past the symbols of this name that come before; it is loaded already, and stays.
  void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (void* const address = handle ? dlsym(handle, name) : nullptr) return address;
  std::fprintf(stderr, "OmniHIP's libraries for HIP %d: %s has no %s; both must be of one OmniHIP.\n", kLibrary,
               library, name);
  std::abort();
}

} // namespace hip::compat
