#include "runtime/core/graph/graph_memory.h"

#include "runtime/base/no_destroy.h"
#include "runtime/core/runtime.h"

#include <algorithm>
#include <map>
#include <new>

namespace hip::core {
namespace detail {
constinit std::atomic<uint32_t> kept_graph_allocations{0};
}

namespace {

struct Amounts {
  uint64_t now = 0, high = 0;
  void add(uint64_t bytes) noexcept { high = std::max(high, now += bytes); }
};
struct Account {
  Amounts used, reserved;
};
struct Registry {
  std::mutex mutex;
  std::map<const void*, GraphAllocation*> by_address;
  std::map<int, Account> accounts; // by device
  GraphAllocation* kept = nullptr; // without an owner; a list
  unsigned givers = 0;             // threads that are giving back what they took from it
};
Registry& registry() {
  static Registry* const made = new Registry;
  return *made;
}

} // namespace

Result<Ref<GraphAllocation>> GraphAllocation::create(Device& device, size_t bytes) {
  auto made = make_ref<GraphAllocation>(device, bytes); // before the memory, so that this always has an owner
  RT_TRY_ASSIGN(made->address_, allocate(device, {.bytes = bytes, .of_program = true}));
  std::lock_guard lock(registry().mutex);
  Account& account = registry().accounts[device.ordinal()];
  registry().by_address[made->address_] = made.get();
  account.reserved.add(bytes);
  made->registered_ = true;
  return made;
}

GraphAllocation::~GraphAllocation() {
  if (!registered_) return;
  std::lock_guard lock(registry().mutex);
  registry().accounts[device_.ordinal()].reserved.now -= bytes_;
}

// ---- without an owner ----------------------------------------------------------------------------------------------

// The last owner may be any call: one that must not wait for work of other streams, or one that finds work done.
void GraphAllocation::last_release() const noexcept {
  GraphAllocation& self = const_cast<GraphAllocation&>(*this);
  if (!address_) { // the device has none
    delete this;
    return;
  }
  {
    std::lock_guard lock(registry().mutex);
    const auto mine = registry().by_address.find(address_);
    if (mine != registry().by_address.end() && mine->second == this) // else the address was given again after a reset
      registry().by_address.erase(mine);
  }
  self.find_users();
  Device& device = device_;
  {
    std::lock_guard lock(registry().mutex);
    self.next_ = std::exchange(registry().kept, &self);
    detail::kept_graph_allocations.fetch_add(1, std::memory_order_relaxed);
  }
  give_back_unused(device);
}

// What was given to any device may use the memory. Where the back end's free waits for all work of the device by
// itself, points are of no use: it is called when there is none.
void GraphAllocation::find_users() noexcept {
  if (device_.properties().free_waits) return;
  try {
    for (Device* device : devices())
      if (!device->add_points(users_).ok()) return;
    knows_users_ = true;
  } catch (const std::bad_alloc&) { // the host has no memory for the points
  }
}

bool GraphAllocation::users_are_done() const noexcept {
  return std::all_of(users_.begin(), users_.end(), [](const auto& point) { return point->done(); });
}

// False: the host has no memory for what this takes.
bool GraphAllocation::free() noexcept {
  try {
    static_cast<void>(free_unused(address_)); // nobody is there to be told
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

KeptMemory GraphAllocation::give_back_unused(Device& device) noexcept {
  if (detail::kept_graph_allocations.load(std::memory_order_relaxed) == 0) return KeptMemory::None;
  GraphAllocation *unused = nullptr, *unknown = nullptr; // lists
  bool any_kept = false, takes_any, others_give;
  const auto move_first = [](GraphAllocation*& from, GraphAllocation*& to) {
    GraphAllocation* const first = from;
    from = first->next_;
    first->next_ = std::exchange(to, first);
  };
  {
    std::lock_guard lock(registry().mutex);
    for (GraphAllocation** at = &registry().kept; *at;) {
      const GraphAllocation& each = **at;
      const bool here = &each.device_ == &device;
      if (here && !each.knows_users_) {
        move_first(*at, unknown);
      } else if (here && each.users_are_done()) {
        move_first(*at, unused);
      } else {
        any_kept |= here;
        at = &(*at)->next_;
      }
    }
    others_give = registry().givers != 0;
    takes_any = unused || unknown;
    registry().givers += takes_any;
  }
  if (unknown) { // streams' locks are not taken under the registry's
    const auto all = devices();
    const bool idle = std::all_of(all.begin(), all.end(), [](Device* each) { return each->idle(); });
    any_kept |= !idle;
    std::lock_guard lock(registry().mutex);
    while (unknown) move_first(unknown, idle ? unused : registry().kept);
  }
  bool any_given = false;
  while (unused) {
    if (!unused->free()) { // a later call tries again
      std::lock_guard lock(registry().mutex);
      move_first(unused, registry().kept);
      continue;
    }
    any_given = true;
    detail::kept_graph_allocations.fetch_sub(1, std::memory_order_relaxed);
    delete std::exchange(unused, unused->next_);
  }
  if (takes_any) {
    std::lock_guard lock(registry().mutex);
    --registry().givers;
  }
  return any_given ? KeptMemory::GivenBack : any_kept || others_give ? KeptMemory::InUse : KeptMemory::None;
}

void detail::give_back_graph_memory() noexcept {
  for (Device* device : devices()) GraphAllocation::give_back_unused(*device);
}

// ---- use -----------------------------------------------------------------------------------------------------------

bool GraphAllocation::begin_use() noexcept {
  if (in_use_.exchange(true, std::memory_order_acq_rel)) return false;
  retain(); // until end_use()
  std::lock_guard lock(registry().mutex);
  registry().accounts[device_.ordinal()].used.add(bytes_);
  return true;
}

bool GraphAllocation::end_use() noexcept {
  if (!in_use_.exchange(false, std::memory_order_acq_rel)) return false;
  const Ref<GraphAllocation> in_use = Ref<GraphAllocation>::adopt(this); // dropped after the lock
  std::lock_guard lock(registry().mutex);
  registry().accounts[device_.ordinal()].used.now -= bytes_;
  return true;
}

Ref<GraphAllocation> find_graph_allocation(const void* address) noexcept {
  std::lock_guard lock(registry().mutex);
  const auto found = registry().by_address.find(address);
  if (found == registry().by_address.end()) return {};
  // An allocation whose last owner is gone waits for the lock to leave the registry.
  if (!found->second->retain_unless_ending()) return {};
  return Ref<GraphAllocation>::adopt(found->second);
}

std::optional<Status> free_graph_allocation(void* address) {
  const Ref<GraphAllocation> allocation = find_graph_allocation(address);
  if (!allocation) return std::nullopt;
  return free_graph_allocation(*allocation);
}

Status free_graph_allocation(GraphAllocation& allocation) {
  if (allocation.end_use()) return {};
  return error(ErrorCode::InvalidValue, "{} is a graph's allocation that no launch has made, or that was freed before.",
               allocation.address());
}

void end_graph_allocations(const Device& device) {
  std::vector<Ref<GraphAllocation>> found;
  {
    std::lock_guard lock(registry().mutex);
    for (const auto& [address, allocation] : registry().by_address)
      if (&allocation->device() == &device && allocation->retain_unless_ending())
        found.push_back(Ref<GraphAllocation>::adopt(allocation));
  }
  for (const auto& allocation : found) static_cast<void>(allocation->end_use());
}

uint64_t graph_memory_bytes(const Device& device, GraphMemory what) noexcept {
  std::lock_guard lock(registry().mutex);
  const Account& account = registry().accounts[device.ordinal()];
  switch (what) {
  case GraphMemory::UsedNow:
    return account.used.now;
  case GraphMemory::UsedHigh:
    return account.used.high;
  case GraphMemory::ReservedNow:
    return account.reserved.now;
  case GraphMemory::ReservedHigh:
    break;
  }
  return account.reserved.high;
}

void reset_graph_memory_high(const Device& device, GraphMemory what) noexcept {
  std::lock_guard lock(registry().mutex);
  Account& account = registry().accounts[device.ordinal()];
  Amounts& amounts = what == GraphMemory::UsedHigh ? account.used : account.reserved;
  amounts.high = amounts.now;
}

} // namespace hip::core
