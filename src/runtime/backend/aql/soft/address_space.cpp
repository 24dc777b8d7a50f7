#include "runtime/backend/aql/soft/address_space.h"

#include "runtime/base/log.h"

namespace hip::aql::soft {

AddressSpace::AddressSpace(Arena& arena) noexcept : arena_(arena) {
  arena_base = arena.base();
  arena_bytes = arena.bytes();
}

bool AddressSpace::accessible(uint64_t address, uint64_t bytes, engine::Access access) const noexcept {
  return arena_.covers(address) ||
         host_ranges_.contains(address, bytes, access == engine::Access::Write ? HostAccess::Write : HostAccess::Read);
}

std::string AddressSpace::describe(uint64_t address) const {
  return arena_.covers(address) ? arena_.describe(address) : host_ranges_.describe(address);
}

bool AddressSpace::lend(uint64_t address) const noexcept { return arena_.covers(address) && arena_.lend_gap(address); }

void AddressSpace::note(std::string_view text) const noexcept { log(LogLevel::Fault, "{}", text); }

bool AddressSpace::usable_by_host(uint64_t address, uint64_t bytes, HostAccess access) const noexcept {
  if (!arena_.covers(address)) return may_access(address, bytes, access);
  return arena_.contains(address, bytes,
                         access == HostAccess::Write ? backend::PoolAccess::ReadWrite : backend::PoolAccess::Read);
}

} // namespace hip::aql::soft
