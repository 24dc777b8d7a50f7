#include "runtime/core/graph/graph_memory.h"

#include "runtime/base/no_destroy.h"
#include "runtime/core/memory.h"

#include <algorithm>
#include <map>

namespace hip::core {
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
};
Registry& registry() {
  static Registry* const made = new Registry;
  return *made;
}

} // namespace

Result<Ref<GraphAllocation>> GraphAllocation::create(Device& device, size_t bytes) {
  RT_TRY_ASSIGN(void* const address, allocate(device, {.bytes = bytes, .of_program = true}));
  auto made = make_ref<GraphAllocation>(device, address, bytes);
  std::lock_guard lock(registry().mutex);
  registry().by_address[address] = made.get();
  registry().accounts[device.ordinal()].reserved.add(bytes);
  return made;
}

GraphAllocation::~GraphAllocation() {
  {
    std::lock_guard lock(registry().mutex);
    const auto mine = registry().by_address.find(address_);
    if (mine->second == this) registry().by_address.erase(mine); // else the address was given again after a reset
    registry().accounts[device_.ordinal()].reserved.now -= bytes_;
  }
  static_cast<void>(free_memory(address_, FreeKind::Program)); // waits for the device's work
}

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
