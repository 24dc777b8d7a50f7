#include "runtime/backend/aql/transfer_forms.h"

#include <cstring>

namespace hip::aql {

Result<Transfer> make_fill(const backend::Region& dst, uint64_t pattern, uint32_t pattern_bytes,
                           const backend::Extent3& extent) {
  if (pattern_bytes == 0 || pattern_bytes > 8 || (pattern_bytes & (pattern_bytes - 1)) != 0)
    return error(ErrorCode::NotSupported, "A fill pattern of {} bytes is not supported; 1, 2, 4 and 8 are.",
                 pattern_bytes);
  if (extent.width_bytes % pattern_bytes != 0)
    return error(ErrorCode::InvalidValue, "A fill of {} bytes is no multiple of its pattern of {} bytes.",
                 extent.width_bytes, pattern_bytes);
  Transfer t;
  t.dst = dst;
  t.extent = extent;
  t.pattern_bytes = pattern_bytes;
  for (uint32_t shift = 0; shift < 64; shift += pattern_bytes * 8)
    t.pattern |= (pattern_bytes == 8 ? pattern : pattern & ((uint64_t(1) << pattern_bytes * 8) - 1)) << shift;
  return t;
}

namespace {

constexpr uint64_t kLittleBytes = 4096; // between two rows

} // namespace

bool host_may_access(const backend::Region& region, const backend::Extent3& extent, HostAccess access) noexcept {
  const auto may = [access](const void* base, uint64_t bytes) {
    return may_access(reinterpret_cast<uint64_t>(base), bytes, access);
  };
  const bool dense = extent.height == 1 || region.pitch_bytes - extent.width_bytes < kLittleBytes;
  const uint64_t slice = (extent.height - 1) * region.pitch_bytes + extent.width_bytes;
  if (dense && (extent.depth == 1 || region.slice_bytes - slice < kLittleBytes))
    return may(region.base, span_bytes(region, extent));
  for (size_t z = 0; z < extent.depth; ++z) {
    if (dense && !may(row(region, 0, z), slice)) return false;
    for (size_t y = 0; !dense && y < extent.height; ++y)
      if (!may(row(region, y, z), extent.width_bytes)) return false;
  }
  return true;
}

namespace {
template<class T> bool fill_word(std::byte* dst, uint64_t pattern, uint64_t bytes) noexcept {
  if (bytes != sizeof(T) || reinterpret_cast<uintptr_t>(dst) % sizeof(T) != 0) return false;
  __atomic_store_n(reinterpret_cast<T*>(dst), static_cast<T>(pattern), __ATOMIC_RELEASE);
  return true;
}
} // namespace

void fill_bytes(std::byte* dst, uint64_t pattern, uint64_t bytes) noexcept {
  if (fill_word<uint64_t>(dst, pattern, bytes) || fill_word<uint32_t>(dst, pattern, bytes)) return;
  if (pattern == (pattern & 0xff) * 0x0101010101010101u) {
    std::memset(dst, static_cast<int>(pattern & 0xff), bytes);
    return;
  }
  for (; bytes >= 8; bytes -= 8, dst += 8) std::memcpy(dst, &pattern, 8);
  std::memcpy(dst, &pattern, bytes);
}

Status no_host_access(const Transfer& t, HostAccess access) {
  const backend::Region& region = access == HostAccess::Write ? t.dst : t.src;
  const auto address = reinterpret_cast<uint64_t>(region.base);
  const uint64_t bytes = span_bytes(region, t.extent), at = first_without_access(address, bytes, access);
  const std::string may = mapped_access(at);
  return error(ErrorCode::IllegalAddress,
               "The {} of a {} of {} bytes at {:#x} is not all memory that the process may {}: at {:#x} {}.",
               access == HostAccess::Write ? "destination" : "source", t.pattern_bytes ? "fill" : "copy", bytes,
               address, access == HostAccess::Write ? "write" : "read", at,
               may.empty()  ? "is none"
               : may == "-" ? "it may do nothing"
                            : fmt::format("its access is \"{}\"", may));
}

} // namespace hip::aql
