#include "runtime/backend/aql/soft/arena.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace hip::aql::soft {

namespace {

// Address space costs nothing, and the more there is the longer it takes until what is in use for long has cut it into
// pieces. Where ThreadSanitizer leaves a program's mappings no more than 1.5 TiB, it gets no more.
#if defined(__has_feature) && __has_feature(thread_sanitizer)
constexpr uint64_t kLargestArena = uint64_t(1) << 40;
#else
constexpr uint64_t kLargestArena = uint64_t(1) << 44;
#endif
constexpr uint64_t kSmallestArena = uint64_t(1) << 32;
// Of the arena's addresses: slabs of each purse, then allocations of less than 2 MiB, then the rest. The parts of a
// large arena begin at no power of two behind one another, so that a wild index of such a size is not likely to meet an
// allocation.
constexpr uint64_t slabs_bytes(uint64_t arena) noexcept { return std::min(arena / 32, uint64_t(32) << 30); }
constexpr uint64_t small_bytes(uint64_t arena) noexcept { return std::min(arena / 16, uint64_t(1) << 40); }
constexpr uint64_t kPage = Arena::kPageBytes;
constexpr uint64_t kHugePage = 2 << 20;
// A gap costs one entry of the kernel's memory map (65530 by default): with this many live allocations, new ones have
// none.
constexpr size_t kAllocationsWithGap = 20000;
constexpr size_t kRememberedFrees = 256;

constexpr uint64_t round_up(uint64_t value, uint64_t unit) noexcept { return (value + unit - 1) / unit * unit; }

enum class PagesOf { Process, File };

// Gives back the memory of pages that are all of one kind. True: the addresses can be used again.
//
// A fresh mapping in place of the old one gives back the memory, the page tables and the access rights at once. But
// allocations without a gap between them are one mapping for the kernel, and what is taken out of its middle makes
// three of it, for which a full memory map (vm.max_map_count) has no room. A full map may take no new mapping at all.
bool give_back(uint64_t base, uint64_t bytes, PagesOf owner) {
  void* const pages = reinterpret_cast<void*>(base);
  if (::mmap(pages, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED)
    return true;
  RT_CHECK(errno == ENOMEM, "fresh pages can be mapped anywhere in the arena");
  // The map stays as it is: the pages can still be read and written, and are zeros to whoever gets them next.
  if (owner == PagesOf::Process) {
    ::madvise(pages, bytes, MADV_DONTNEED); // where it is refused, because they are locked, they stay in memory
    return true;
  }
  // Other processes may have these pages. They are a mapping of their own, so that a change of their access cuts none.
  ::mprotect(pages, bytes, PROT_NONE);
  return false;
}

} // namespace

Result<std::unique_ptr<Arena>> Arena::create(uint64_t device_bytes, uint64_t host_bytes, uint64_t page_bytes,
                                             bool lends_gaps) {
  for (uint64_t bytes = kLargestArena; bytes >= kSmallestArena; bytes /= 2) {
    void* const base = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) continue;
    return std::unique_ptr<Arena>(new Arena(reinterpret_cast<uint64_t>(base), bytes, std::min(device_bytes, bytes / 2),
                                            std::min(host_bytes, bytes / 2), page_bytes, lends_gaps));
  }
  return error(ErrorCode::OutOfMemory,
               "Reserving {} GiB of address space for software GPUs fails: {}; is there a ulimit -v?",
               kSmallestArena >> 30, std::strerror(errno));
}

Arena::Arena(uint64_t base, uint64_t bytes, uint64_t device_bytes, uint64_t host_bytes, uint64_t page_bytes,
             bool lends_gaps)
    : base_(base), bytes_(bytes), page_bytes_(page_bytes), lends_gaps_(lends_gaps),
      pools_{{{device_bytes, base, slabs_bytes(bytes)}, {host_bytes, base + slabs_bytes(bytes), slabs_bytes(bytes)}}},
      small_(base + 2 * slabs_bytes(bytes), small_bytes(bytes)),
      large_(base + 2 * slabs_bytes(bytes) + small_bytes(bytes), bytes - 2 * slabs_bytes(bytes) - small_bytes(bytes)) {}

Arena::~Arena() { ::munmap(reinterpret_cast<void*>(base_), bytes_); }

bool Arena::Pool::charge(uint64_t bytes) noexcept {
  uint64_t now = used.load(std::memory_order_relaxed);
  do {
    if (bytes > capacity - now) return false;
  } while (!used.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed));
  return true;
}

std::optional<Purse> Arena::slab_purse(uint64_t address) const noexcept {
  for (const Purse purse : {Purse::Device, Purse::Host})
    if (pool(purse).slabs.covers(address)) return purse;
  return std::nullopt;
}

Status Arena::out_of_memory(size_t bytes, Purse purse, std::string_view why) const {
  return error(ErrorCode::OutOfMemory, "Allocating {} bytes of {} memory fails: {}; {} of {} bytes are in use.", bytes,
               purse == Purse::Host ? "host" : "device", why, used_bytes(purse), capacity_bytes(purse));
}

Result<void*> Arena::allocate(size_t bytes, size_t alignment, Purse purse) {
  if (!SlabHeap::fits(bytes, alignment)) return allocate_pages(bytes, alignment, purse);
  const size_t block_bytes = SlabHeap::block_bytes(bytes, alignment);
  Pool& payer = pool(purse);
  if (!payer.charge(block_bytes)) return out_of_memory(bytes, purse, "it is used up");
  Refund refund{&payer, block_bytes};
  std::lock_guard guard(mutex_);
  Result<void*> block = payer.slabs.allocate(bytes, alignment);
  if (block.ok()) refund.payer = nullptr;
  return block;
}

Status Arena::free(void* address) {
  const uint64_t base = reinterpret_cast<uint64_t>(address);
  const auto purse = slab_purse(base);
  if (!purse) return free_pages(base);
  Pool& payer = pool(*purse);
  std::lock_guard guard(mutex_);
  RT_TRY_ASSIGN(const size_t block_bytes, payer.slabs.free(base));
  payer.refund(block_bytes);
  return Status();
}

// ---- pages -------------------------------------------------------------------------------------------------------

Result<void*> Arena::allocate_pages(size_t bytes, size_t alignment, Purse purse) {
  Pool& payer = pool(purse);
  if (bytes > payer.capacity) return out_of_memory(bytes, purse, "this is more than there is");
  const bool huge = bytes >= kHugePage;
  Pages pages;
  pages.purse = purse;
  pages.requested = bytes;
  pages.mapped = round_up(bytes, page_bytes_);
  std::map<uint64_t, Pages> entry; // made before anything is taken, so that nothing fails half-way
  entry.emplace(0, Pages{});
  if (!payer.charge(pages.mapped)) return out_of_memory(bytes, purse, "it is used up");
  Refund refund{&payer, pages.mapped};

  std::optional<uint64_t> range;
  {
    std::lock_guard guard(mutex_);
    pages.reserved = pages.mapped + (live_.size() < kAllocationsWithGap ? kPage : 0);
    range = take_range(pages.reserved, std::max<uint64_t>(alignment, huge ? kHugePage : kPage));
  }
  const auto undo = [&](std::string_view why) {
    if (range) {
      std::lock_guard guard(mutex_);
      give_range(*range, pages.reserved);
    }
    return out_of_memory(bytes, purse, why);
  };
  if (!range) return undo("no address range is large enough");
  void* const base = reinterpret_cast<void*>(*range);
  if (::mprotect(base, pages.mapped, PROT_READ | PROT_WRITE) != 0) return undo(std::strerror(errno));
  if (huge) ::madvise(base, pages.mapped, MADV_HUGEPAGE); // only faster; where it is refused nothing is lost
  refund.payer = nullptr;
  auto node = entry.extract(entry.begin());
  node.key() = *range;
  node.mapped() = std::move(pages);
  std::lock_guard guard(mutex_);
  live_.insert(std::move(node));
  return base;
}

Status Arena::free_pages(uint64_t base) {
  Pages pages;
  {
    std::lock_guard guard(mutex_);
    const auto found = live_.find(base);
    if (found == live_.end())
      return error(ErrorCode::InvalidValue, "{:#x} is no allocation, or has been freed already.", base);
    pages = std::move(found->second);
    live_.erase(found);
    remember_freed({base, pages.requested});
  }
  bool can_be_used_again = true;
  if (pages.file) {
    can_be_used_again = give_back(base, pages.mapped, PagesOf::File);
    if (pages.lent) give_back(base + pages.mapped, pages.lent, PagesOf::Process);
  } else {
    give_back(base, pages.mapped + pages.lent, PagesOf::Process);
  }
  pool(pages.purse).refund(pages.mapped);
  if (!can_be_used_again) return Status();
  std::lock_guard guard(mutex_);
  give_range(base, pages.reserved);
  return Status();
}

bool Arena::lend_gap(uint64_t address) noexcept {
  if (!lends_gaps_) return false;
  std::lock_guard guard(mutex_);
  if (const auto purse = slab_purse(address)) {
    const SlabHeap& slabs = pool(*purse).slabs;
    if (slabs.find(address)) return true; // a new slab, since the access
    const uint64_t page = address / kPage * kPage;
    return slabs.covers(page - 1) && slabs.find(page - 1) &&
           ::mprotect(reinterpret_cast<void*>(page), kPage, PROT_READ) == 0;
  }
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return false;
  Pages& pages = (--it)->second;
  const uint64_t offset = address - it->first;
  if (offset < pages.mapped || offset >= pages.reserved) return false;
  const uint64_t gap = pages.reserved - pages.mapped;
  if (pages.lent != gap && ::mprotect(reinterpret_cast<void*>(it->first + pages.mapped), gap, PROT_READ) != 0)
    return false;
  pages.lent = gap;
  return true; // another thread may have been here before
}

std::optional<uint64_t> Arena::take_range(uint64_t bytes, uint64_t alignment) {
  if (bytes < kHugePage)
    if (auto range = small_.take(bytes, alignment)) return range;
  return large_.take(bytes, alignment);
}

void Arena::give_range(uint64_t base, uint64_t bytes) noexcept try {
  (small_.covers(base) ? small_ : large_).give(base, bytes);
} catch (const std::bad_alloc&) { // these addresses are not used again
}

void Arena::remember_freed(const Block& block) noexcept try {
  recently_freed_.push_back(block);
  if (recently_freed_.size() > kRememberedFrees) recently_freed_.pop_front();
} catch (const std::bad_alloc&) { // messages about it will not know that it was freed
}

// ---- questions ---------------------------------------------------------------------------------------------------

bool Arena::contains(uint64_t address, uint64_t bytes, backend::PoolAccess access) const {
  if (address + bytes < address) return false; // leaves the address space
  std::lock_guard guard(mutex_);
  if (const auto purse = slab_purse(address)) {
    const auto block = pool(*purse).slabs.find(address);
    return block && block->live && address - block->base + bytes <= block->requested;
  }
  if (!views_.empty() && views_cover(address, bytes, access)) return true;
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return false;
  --it;
  const uint64_t offset = address - it->first;
  return offset <= it->second.requested && bytes <= it->second.requested - offset;
}

std::optional<Arena::Found> Arena::find(uint64_t address) const {
  std::lock_guard guard(mutex_);
  if (const auto purse = slab_purse(address)) {
    const auto block = pool(*purse).slabs.find(address);
    if (!block || !block->live || address - block->base >= block->requested) return std::nullopt;
    return Found{block->base, block->requested, *purse};
  }
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return std::nullopt;
  --it;
  if (address - it->first >= it->second.requested) return std::nullopt;
  return Found{it->first, it->second.requested, it->second.purse};
}

std::string Arena::describe(uint64_t address) const {
  if (!covers(address)) return fmt::format("{:#x} is no device memory", address);
  std::lock_guard guard(mutex_);
  const auto relation = [&](uint64_t base, uint64_t bytes, std::string_view state) {
    if (address < base + bytes)
      return fmt::format("{:#x} is byte {} of the {}-byte allocation at {:#x}{}", address, address - base, bytes, base,
                         state);
    // Some of AMD's own kernels read there.
    constexpr uint64_t kCardsPage = 2 << 20;
    const bool cards_have_it =
        state.empty() && page_bytes_ < kCardsPage && address - base < round_up(bytes, kCardsPage);
    return fmt::format("{:#x} is {} bytes past the end of the {}-byte allocation at {:#x}{}{}", address,
                       address - base - bytes, bytes, base, state,
                       cards_have_it ? " (cards have pages of 2 MiB and do not notice; OMNIHIP_SOFT_PAGE_KB=2048 gives "
                                       "this device such pages)"
                                     : "");
  };
  if (const auto purse = slab_purse(address)) {
    const auto block = pool(*purse).slabs.find(address);
    if (!block || block->requested == 0) return fmt::format("no allocation is near {:#x}", address);
    return relation(block->base, block->requested, block->live ? "" : ", which has been freed");
  }
  if (auto text = describe_reserved(address)) return *text;
  for (auto freed = recently_freed_.rbegin(); freed != recently_freed_.rend(); ++freed)
    if (address - freed->base < freed->bytes) return relation(freed->base, freed->bytes, ", which has been freed");
  // The nearer of the two neighbours; inside one its distance is 0.
  constexpr uint64_t kNear = 64 << 20;
  const auto after = live_.upper_bound(address);
  const uint64_t distance_after = after == live_.end() ? UINT64_MAX : after->first - address;
  if (after != live_.begin()) {
    const auto before = std::prev(after);
    const uint64_t end = before->first + before->second.requested;
    const uint64_t distance = address < end ? 0 : address - end;
    if (distance < kNear && distance <= distance_after) return relation(before->first, before->second.requested, "");
  }
  if (distance_after < kNear)
    return fmt::format("{:#x} is {} bytes before the {}-byte allocation at {:#x}", address, distance_after,
                       after->second.requested, after->first);
  return fmt::format("no allocation is near {:#x}", address);
}

} // namespace hip::aql::soft
