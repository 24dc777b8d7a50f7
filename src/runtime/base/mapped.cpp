#include "runtime/base/mapped.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hip {

namespace {

constexpr const char* kMappings = "/proc/self/maps";
// Up to here populating costs less than to open the list of mappings.
constexpr uint64_t kPopulateBytes = 128 * 1024;

// The pages that hold the range; nothing: it does not end below the last one. The kernel rounds lengths up to whole
// pages.
struct Pages {
  void* base;
  uint64_t bytes;
};
std::optional<Pages> pages_of(uint64_t address, uint64_t bytes) noexcept {
  const uint64_t page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const uint64_t begin = address & ~(page - 1), end = address + bytes;
  if (end < address || end > UINT64_MAX - (page - 1)) return std::nullopt;
  return Pages{reinterpret_cast<void*>(begin), end - begin};
}

// linux/fs.h, since Linux 6.11.
struct MappingQuery {
  uint64_t size = sizeof(MappingQuery), query_flags = 0, query_address = 0;
  uint64_t begin = 0, end = 0, flags = 0, page_bytes = 0, offset = 0, inode = 0;
  uint32_t device_major = 0, device_minor = 0, name_bytes = 0, build_id_bytes = 0;
  uint64_t name = 0, build_id = 0;
};
static_assert(sizeof(MappingQuery) == 104);
constexpr unsigned long kQueryMapping = _IOWR('f', 17, MappingQuery);
constexpr uint64_t kReadable = 1, kWritable = 2;

// Asks for one mapping after the other; nothing: this kernel does not tell, or a part is of a file, which may have
// ended before its mapping does.
std::optional<bool> queried_access(uint64_t address, uint64_t bytes, HostAccess access) noexcept {
  const struct Opened {
    const int descriptor = ::open(kMappings, O_RDONLY | O_CLOEXEC);
    ~Opened() {
      if (descriptor >= 0) ::close(descriptor);
    }
  } maps;
  const uint64_t wanted = access == HostAccess::Write ? kWritable : kReadable, end = address + bytes;
  for (uint64_t at = address; at < end;) {
    MappingQuery query;
    query.query_address = at;
    if (::ioctl(maps.descriptor, kQueryMapping, &query) != 0)
      return errno == ENOENT ? std::optional<bool>(false) : std::nullopt;
    if ((query.flags & wanted) == 0) return false;
    if (query.inode != 0) return std::nullopt;
    at = query.end;
  }
  return true;
}

struct Mapping {
  uint64_t begin = 0, end = 0;
  bool read = false, write = false;
};

// Calls f(mapping) for each of the process until it returns false.
template<class F> void each_mapping(const F& f) {
  std::ifstream maps(kMappings);
  for (std::string line; std::getline(maps, line);) {
    Mapping mapping;
    char access[5] = {};
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &mapping.begin, &mapping.end, access) != 3) continue;
    mapping.read = access[0] == 'r';
    mapping.write = access[1] == 'w';
    if (!f(mapping)) return;
  }
}

} // namespace

bool is_mapped(uint64_t address, uint64_t bytes) noexcept {
  const auto pages = pages_of(address, bytes);
  // MS_ASYNC writes nothing; the call fails with ENOMEM at a hole.
  return pages && ::msync(pages->base, pages->bytes, MS_ASYNC) == 0;
}

bool may_access(uint64_t address, uint64_t bytes, HostAccess access) noexcept {
  const auto pages = pages_of(address, bytes);
  if (!pages) return false;
  if (bytes > kPopulateBytes)
    if (const auto known = queried_access(address, bytes, access)) return *known;
  constexpr int kPopulateRead = 22, kPopulateWrite = 23; // since Linux 5.14
  int result;
  do result = ::madvise(pages->base, pages->bytes, access == HostAccess::Write ? kPopulateWrite : kPopulateRead);
  while (result != 0 && (errno == EINTR || errno == EAGAIN));
  if (result == 0) return true;
  if (errno != EINVAL) return false;
  // Not allowed, memory of another driver, or an older kernel.
  try {
    return first_without_access(address, bytes, access) == address + bytes;
  } catch (...) { // the host has no memory
    return false;
  }
}

uint64_t first_without_access(uint64_t address, uint64_t bytes, HostAccess access) {
  uint64_t at = address;
  const uint64_t end = address + bytes;
  each_mapping([&](const Mapping& mapping) {
    if (mapping.end <= at) return true;
    if (mapping.begin > at || !(access == HostAccess::Write ? mapping.write : mapping.read)) return false;
    at = mapping.end;
    return at < end;
  });
  return std::min(at, end);
}

std::string mapped_access(uint64_t address) {
  std::string may;
  each_mapping([&](const Mapping& mapping) {
    if (address >= mapping.end) return true;
    if (address < mapping.begin) return false;
    if (mapping.read) may += 'r';
    if (mapping.write) may += 'w';
    if (may.empty()) may = "-";
    return false;
  });
  return may;
}

} // namespace hip
