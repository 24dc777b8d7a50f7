// runtime/backend/aql/soft/address_space.h - what the engine may ask about memory: the arena, and host memory that is
// registered with the device or shared with it. Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/soft/arena.h"
#include "runtime/backend/aql/soft/host_ranges.h"
#include "runtime/base/mapped.h"
#include "runtime/engine/engine.h"

namespace hip::aql::soft {

class AddressSpace final : public engine::AddressSpace {
public:
  explicit AddressSpace(Arena& arena) noexcept;
  bool accessible(uint64_t address, uint64_t bytes, engine::Access access) const noexcept override;
  std::string describe(uint64_t address) const override;
  bool lend(uint64_t address) const noexcept override;
  void note(std::string_view text) const noexcept override;

  bool of_arena(uint64_t address) const noexcept { return arena_.covers(address); }
  // The host may copy from it, or to it: one live allocation, mappings with that access, or anything outside the arena
  // that the process may access so, whether or not it is registered.
  bool usable_by_host(uint64_t address, uint64_t bytes, HostAccess access) const noexcept;
  HostRanges& host_ranges() noexcept { return host_ranges_; }

private:
  Arena& arena_;
  HostRanges host_ranges_;
};

} // namespace hip::aql::soft
