// runtime/core/address_map.h - every range of addresses that HIP knows: what hipMalloc and its kin gave, host memory
// that was registered, and variables of loaded code. An address in none of them is ordinary, pageable host memory.
// Thread safety: all functions may be called from any thread; a found allocation is a copy.
#pragma once

#include "runtime/backend/backend.h"
#include "runtime/base/mutex.h"
#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace hip::core {

class Device;
class MemoryPool;

enum class PointerKind : uint8_t {
  Device,     // hipMalloc, hipExtMallocWithFlags
  Host,       // hipHostMalloc
  Registered, // hipHostRegister
  Managed,    // hipMallocManaged, storage of __managed__ variables
  Variable,   // a __device__ or __constant__ variable of a loaded code object
};

struct Allocation {
  void* base = nullptr;
  size_t bytes = 0; // as asked for
  PointerKind kind = PointerKind::Device;
  backend::MemoryKind memory = backend::MemoryKind::Device; // as the back end was asked for it
  Device* device = nullptr;                                 // where it was made
  unsigned flags = 0;                                       // the API's, as given
  uint64_t id = 0;                                          // unique in the process
  size_t pitch_bytes = 0;                                   // of hipMallocPitch and hipMalloc3D, else 0
  bool of_program = false;                                  // belongs to a variable of the program, not to the user
  MemoryPool* pool = nullptr; // that gave it and takes it back; lives as long as its allocations
  backend::PoolAccess access = backend::PoolAccess::ReadWrite; // of hipMemMap: the widest that a device has

  bool on_host() const noexcept { return kind == PointerKind::Host || kind == PointerKind::Registered; }
  // Of hipMalloc or hipExtMallocWithFlags, and no variable's.
  bool is_plain_device_memory() const noexcept {
    return kind == PointerKind::Device && !of_program &&
           (memory == backend::MemoryKind::Device || memory == backend::MemoryKind::FineGrained);
  }
  bool is_mapped() const noexcept { return memory == backend::MemoryKind::Mapped; }
  bool user_can_free() const noexcept {
    return !of_program && !is_mapped() && kind != PointerKind::Variable && kind != PointerKind::Registered;
  }
  // Bytes from `address`, which lies inside, to the end.
  size_t bytes_from(const void* address) const noexcept {
    return bytes - static_cast<size_t>(static_cast<const char*>(address) - static_cast<const char*>(base));
  }
};

class AddressMap {
public:
  // Gives the allocation its id. False: it overlaps one that is known.
  [[gnu::hot]] bool insert(const Allocation& allocation);
  // Part of [address, address + bytes) is known already; the sum does not leave the address space.
  bool overlaps(const void* address, size_t bytes) const noexcept;
  // The allocation that contains `address`; one of zero bytes is found by its base.
  [[gnu::hot]] std::optional<Allocation> find(const void* address) const noexcept;
  // Removes and returns the allocation that begins at `base` and satisfies `accept`; of two threads only one gets it.
  template<class F> std::optional<Allocation> take(const void* base, F accept) {
    const auto claimed = claim(base, [&](const Allocation& a) { return accept(a) ? Claim::Take : Claim::Refuse; });
    return claimed.taken ? std::optional(claimed.allocation) : std::nullopt;
  }
  // Asks `decide` about the allocation that begins at `base`, and removes it when that answers Take.
  enum class Claim { Refuse, Leave, Take };
  struct Claimed {
    Allocation allocation;
    bool known = false; // there is one, and it was not refused
    bool taken = false;
  };
  template<class F> Claimed claim(const void* base, F decide) {
    Claimed claimed;
    std::lock_guard lock(mutex_);
    const auto it = map_.find(reinterpret_cast<uintptr_t>(base));
    if (it == map_.end()) return claimed;
    const Claim claim = decide(static_cast<const Allocation&>(it->second));
    if (claim == Claim::Refuse) return claimed;
    claimed.allocation = it->second;
    claimed.known = true;
    claimed.taken = claim == Claim::Take;
    if (claimed.taken) remove(it);
    return claimed;
  }
  // Calls f with the allocation that begins at `base`, to change it; false: there is none.
  template<class F> bool change(const void* base, F f) {
    std::lock_guard lock(mutex_);
    const auto it = map_.find(reinterpret_cast<uintptr_t>(base));
    if (it == map_.end()) return false;
    f(it->second);
    return true;
  }
  // [address, address + bytes) lies in allocations of hipMemMap that follow each other and have at least this access.
  bool is_mapped(const void* address, size_t bytes, backend::PoolAccess access) const noexcept;
  // All allocations of a device that the user can free or unregister, removed.
  std::vector<Allocation> take_all(const Device& device);

private:
  using Map = std::map<uintptr_t, Allocation>;
  [[gnu::hot]] void remove(Map::iterator it);
  // `next` is the first allocation that begins at `base` or behind it.
  bool overlaps(Map::const_iterator next, uintptr_t base, size_t bytes) const noexcept;

  mutable Mutex mutex_;
  Map map_;
  std::vector<Map::node_type>
      spare_; // of what was removed, for what comes: most programs free as much as they allocate
  uint64_t next_id_ = 1;
};

AddressMap& addresses() noexcept;

} // namespace hip::core
