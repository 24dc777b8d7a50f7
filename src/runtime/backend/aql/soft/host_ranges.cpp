#include "runtime/backend/aql/soft/host_ranges.h"

#include "runtime/base/mapped.h"

#include <algorithm>

namespace hip::aql::soft {

HostRanges::HostRanges() { publish({}); }

void HostRanges::publish(Snapshot snapshot) {
  snapshots_.push_back(std::make_unique<const Snapshot>(std::move(snapshot)));
  current_.store(snapshots_.back().get(), std::memory_order_seq_cst);
}

const HostRanges::Range* HostRanges::find(const Snapshot& snapshot, uint64_t address) noexcept {
  auto after = std::upper_bound(snapshot.begin(), snapshot.end(), address,
                                [](uint64_t a, const Range& range) { return a < range.base; });
  if (after == snapshot.begin()) return nullptr;
  --after;
  return address - after->base < after->bytes ? &*after : nullptr;
}

Status HostRanges::add(void* base, size_t bytes) {
  const uint64_t address = reinterpret_cast<uint64_t>(base);
  if (bytes == 0 || address + bytes < address)
    return error(ErrorCode::InvalidValue, "{} bytes of host memory at {:#x} cannot be registered.", bytes, address);
  if (!is_mapped(address, bytes))
    return error(ErrorCode::InvalidValue, "Host memory at {:#x} ({} bytes) is not mapped in this process.", address,
                 bytes);
  std::lock_guard guard(mutex_);
  Snapshot ranges = *current_.load(std::memory_order_relaxed);
  const auto place = std::lower_bound(ranges.begin(), ranges.end(), address,
                                      [](const Range& range, uint64_t a) { return range.base + range.bytes <= a; });
  if (place != ranges.end() && place->base < address + bytes)
    return error(ErrorCode::HostMemoryAlreadyRegistered,
                 "Host memory at {:#x} ({} bytes) overlaps {:#x} ({} bytes), which is registered.", address, bytes,
                 place->base, place->bytes);
  ranges.insert(place, Range{address, bytes});
  publish(std::move(ranges));
  return Status();
}

Status HostRanges::remove(void* base) {
  const uint64_t address = reinterpret_cast<uint64_t>(base);
  std::lock_guard guard(mutex_);
  Snapshot ranges = *current_.load(std::memory_order_relaxed);
  const auto place =
      std::find_if(ranges.begin(), ranges.end(), [address](const Range& range) { return range.base == address; });
  if (place == ranges.end())
    return error(ErrorCode::HostMemoryNotRegistered, "{:#x} is not the start of registered host memory.", address);
  ranges.erase(place);
  publish(std::move(ranges));
  return Status();
}

bool HostRanges::contains(uint64_t address, uint64_t bytes) const noexcept {
  const Snapshot& ranges = *current_.load(std::memory_order_seq_cst);
  const Range* range = find(ranges, address);
  if (!range) return false;
  // What one range lacks, the next may have, where they meet.
  for (uint64_t has = range->bytes - (address - range->base); has < bytes; has += range->bytes) {
    const uint64_t end = range->base + range->bytes;
    if (++range == ranges.data() + ranges.size() || range->base != end) return false;
  }
  return true;
}

std::string HostRanges::describe(uint64_t address) const {
  const Range* range = find(*current_.load(std::memory_order_seq_cst), address);
  if (!range) return fmt::format("{:#x} is host memory that is not registered with the device, or no memory", address);
  std::string text = fmt::format("{:#x} is byte {} of the {}-byte registered host memory at {:#x}", address,
                                 address - range->base, range->bytes, range->base);
  // The process may have taken away from itself what it had registered.
  const std::string access = mapped_access(address);
  if (access.empty())
    text += ", which the process does not have any more";
  else if (access != "rw")
    text += access == "-" ? ", which the process itself may not access"
                          : fmt::format(", where the process itself has the access \"{}\" alone", access);
  return text;
}

void HostRanges::drop_old_snapshots() noexcept {
  std::lock_guard guard(mutex_);
  snapshots_.erase(snapshots_.begin(), snapshots_.end() - 1);
}

} // namespace hip::aql::soft
