// runtime/backend/aql/soft/host_ranges.h - host memory that kernels may touch although it lies outside the arena: what
// is registered (hipHostRegister), and pages that are shared (hsa_amd_svm_attributes_set). Kernels ask lane by lane
// while they run and changes are rare, so readers look at an immutable sorted snapshot. Thread safety: any thread. Old
// snapshots are kept until the owner says that nobody executes a kernel.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/base/mapped.h"
#include "runtime/base/status.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace hip::aql::soft {

class HostRanges {
public:
  HostRanges();
  // hipErrorHostMemoryAlreadyRegistered on overlap, hipErrorInvalidValue for memory that is not mapped.
  Status add(void* base, size_t bytes);
  Status remove(void* base); // hipErrorHostMemoryNotRegistered
  // Unregisters this range, whichever calls registered it or parts of it; the rest of what they registered stays.
  void remove_part(void* base, size_t bytes);
  // For whole pages, in place of what was said of them before.
  void share(void* base, size_t bytes, SharedAccess access);
  bool contains(uint64_t address, uint64_t bytes, HostAccess access) const noexcept;
  std::string describe(uint64_t address) const;
  // The caller knows that no call of contains() that began earlier is still running.
  void drop_old_snapshots() noexcept;

private:
  struct Range {
    uint64_t base, bytes;
    SharedAccess access = SharedAccess::ReadWrite; // that of registered memory
  };
  using Ranges = std::vector<Range>; // by base, disjoint
  struct Snapshot {
    Ranges registered, shared;
  };
  static const Range* find(const Ranges& ranges, uint64_t address) noexcept;
  void publish(Snapshot snapshot);

  std::atomic<const Snapshot*> current_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<const Snapshot>> snapshots_; // the current one is the last
};

} // namespace hip::aql::soft
