#include "runtime/base/mapped.h"

#include <sys/mman.h>
#include <unistd.h>

namespace hip {

bool is_mapped(uint64_t address, uint64_t bytes) noexcept {
  const uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const uint64_t begin = address & ~(page - 1), end = address + bytes;
  if (end < address || end > UINT64_MAX - (page - 1)) return false; // the kernel rounds lengths up to whole pages
  // MS_ASYNC writes nothing; the call fails with ENOMEM at a hole.
  return ::msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0;
}

} // namespace hip
