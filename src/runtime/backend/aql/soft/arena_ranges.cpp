// Ranges of the arena that are not allocations: reservations, what is mapped into them, and pages that are shared.
#include "runtime/backend/aql/soft/arena.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace hip::aql::soft {

namespace {

using backend::PoolAccess;

int protection_of(PoolAccess access) noexcept {
  switch (access) {
  case PoolAccess::None:
    return PROT_NONE;
  case PoolAccess::Read:
    return PROT_READ;
  case PoolAccess::ReadWrite:
    break;
  }
  return PROT_READ | PROT_WRITE;
}

// Fresh addresses that fault, in place of whatever is there; false: the kernel's memory map has no room for them. (Views
// of one file that follow each other are one mapping for the kernel, which falls apart when one of them goes.)
bool make_empty(uint64_t address, uint64_t bytes) {
  return ::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

} // namespace

Result<uint64_t> Arena::reserve(uint64_t bytes, uint64_t alignment, uint64_t wish) {
  std::lock_guard guard(mutex_);
  std::optional<uint64_t> range;
  if (wish != 0 && wish % alignment == 0) range = (small_.covers(wish) ? small_ : large_).take_at(wish, bytes);
  if (!range) range = take_range(bytes, alignment);
  if (!range)
    return error(ErrorCode::OutOfMemory, "Reserving {} bytes of addresses fails: no range is large enough.", bytes);
  try {
    reservations_[*range] = bytes;
  } catch (const std::bad_alloc&) {
    give_range(*range, bytes);
    throw;
  }
  return *range;
}

Status Arena::release(uint64_t base, uint64_t bytes) {
  std::lock_guard guard(mutex_);
  const auto found = reservations_.find(base);
  if (found == reservations_.end() || found->second != bytes)
    return error(ErrorCode::InvalidValue, "{} bytes at {:#x} are not one reservation.", bytes, base);
  const auto view = views_.lower_bound(base);
  if (view != views_.end() && view->first < base + bytes)
    return error(ErrorCode::InvalidValue, "The reservation at {:#x} still has memory mapped at {:#x}.", base,
                 view->first);
  reservations_.erase(found);
  give_range(base, bytes);
  return Status();
}

Status Arena::map_file(uint64_t address, uint64_t bytes, const SharedFile& file, uint64_t offset) {
  std::lock_guard guard(mutex_);
  auto reservation = reservations_.upper_bound(address);
  if (reservation == reservations_.begin() || (--reservation, address - reservation->first > reservation->second) ||
      bytes > reservation->second - (address - reservation->first))
    return error(ErrorCode::InvalidValue, "{} bytes at {:#x} are not in one reservation.", bytes, address);
  const auto next = views_.lower_bound(address);
  if ((next != views_.end() && next->first < address + bytes) ||
      (next != views_.begin() && std::prev(next)->first + std::prev(next)->second.bytes > address))
    return error(ErrorCode::InvalidValue, "Memory is mapped already in the {} bytes at {:#x}.", bytes, address);
  const auto view = views_.emplace_hint(next, address, View{bytes, PoolAccess::None});
  if (::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, file.descriptor(),
             static_cast<off_t>(offset)) != MAP_FAILED)
    return Status();
  const int reason = errno;
  views_.erase(view);
  return error(ErrorCode::OutOfMemory, "Mapping {} bytes at {:#x} fails: {}.", bytes, address, std::strerror(reason));
}

Status Arena::unmap_file(uint64_t address, uint64_t bytes) {
  std::lock_guard guard(mutex_);
  const auto found = views_.find(address);
  if (found == views_.end() || found->second.bytes != bytes)
    return error(ErrorCode::InvalidValue, "{} bytes at {:#x} are not one mapping.", bytes, address);
  if (!make_empty(address, bytes))
    return error(ErrorCode::OutOfMemory, "Unmapping {} bytes at {:#x} fails: {}.", bytes, address,
                 std::strerror(errno));
  views_.erase(found);
  return Status();
}

Status Arena::protect(uint64_t address, uint64_t bytes, PoolAccess access) {
  std::lock_guard guard(mutex_);
  const auto found = views_.find(address);
  if (found == views_.end() || found->second.bytes != bytes)
    return error(ErrorCode::InvalidValue, "{} bytes at {:#x} are not one mapping.", bytes, address);
  if (::mprotect(reinterpret_cast<void*>(address), bytes, protection_of(access)) != 0)
    return error(ErrorCode::OutOfMemory, "Changing the access to {} bytes at {:#x} fails: {}.", bytes, address,
                 std::strerror(errno));
  found->second.access = access;
  return Status();
}

Status Arena::charge(uint64_t bytes, Purse purse) {
  if (pool(purse).charge(bytes)) return Status();
  return out_of_memory(bytes, purse, "it is used up");
}

Result<Arena::Shared> Arena::share(uint64_t address) {
  std::lock_guard guard(mutex_);
  if (const auto purse = slab_purse(address)) {
    SlabHeap& slabs = pool(*purse).slabs;
    const auto block = slabs.find(address);
    if (!block || !block->live || address - block->base >= block->requested)
      return error(ErrorCode::InvalidValue, "{:#x} is in no allocation.", address);
    RT_TRY_ASSIGN(const SharedFile* const file, slabs.share(address));
    return Shared{file->descriptor(), file->inode(), slabs.offset_in_slab(address),
                  block->base + block->requested - address, next_serial_++};
  }
  auto it = live_.upper_bound(address);
  if (it == live_.begin() || (--it, address - it->first >= it->second.requested))
    return error(ErrorCode::InvalidValue, "{:#x} is in no allocation that can be shared.", address);
  Pages& pages = it->second;
  if (!pages.file) {
    RT_TRY_ASSIGN(SharedFile file, SharedFile::create(pages.mapped));
    RT_TRY(file.replace(it->first, pages.mapped));
    pages.file = std::move(file);
  }
  return Shared{pages.file.descriptor(), pages.file.inode(), address - it->first, it->first + pages.requested - address,
                next_serial_++};
}

bool Arena::views_cover(uint64_t address, uint64_t bytes, PoolAccess access) const {
  auto it = views_.upper_bound(address);
  if (it == views_.begin()) return false;
  --it;
  const uint64_t end = address + bytes;
  for (uint64_t at = address; it != views_.end() && it->first <= at; ++it) {
    if (at - it->first >= it->second.bytes || it->second.access < access) return false;
    at = it->first + it->second.bytes;
    if (at >= end) return true;
  }
  return false;
}

std::optional<std::string> Arena::describe_reserved(uint64_t address) const {
  auto reservation = reservations_.upper_bound(address);
  if (reservation == reservations_.begin() || (--reservation, address - reservation->first >= reservation->second))
    return std::nullopt;
  std::string_view state = "where no memory is mapped";
  if (auto view = views_.upper_bound(address);
      view != views_.begin() && (--view, address - view->first < view->second.bytes))
    state = view->second.access == PoolAccess::None   ? "whose memory nobody may access"
            : view->second.access == PoolAccess::Read ? "whose memory may only be read"
                                                      : "whose memory may be read and written";
  return fmt::format("{:#x} is byte {} of the {}-byte reserved range at {:#x}, {}", address,
                     address - reservation->first, reservation->second, reservation->first, state);
}

} // namespace hip::aql::soft
