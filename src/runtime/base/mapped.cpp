#include "runtime/base/mapped.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
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

std::string mapped_access(uint64_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uint64_t begin = 0, end = 0;
    char access[5] = {};
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, access) != 3) continue;
    if (address < begin || address >= end) continue;
    std::string may;
    for (int i = 0; i < 2; ++i)
      if (access[i] != '-') may += access[i];
    return may.empty() ? "-" : may;
  }
  return "";
}

} // namespace hip
