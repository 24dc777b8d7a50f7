#include "runtime/backend/aql/soft/host_ranges.h"

#include <algorithm>
#include <utility>

namespace hip::aql::soft {

HostRanges::HostRanges() { publish({}); }

void HostRanges::publish(Snapshot snapshot) {
  snapshots_.push_back(std::make_unique<const Snapshot>(std::move(snapshot)));
  current_.store(snapshots_.back().get(), std::memory_order_seq_cst);
}

const HostRanges::Range* HostRanges::find(const Ranges& ranges, uint64_t address) noexcept {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                [](uint64_t a, const Range& range) { return a < range.base; });
  if (after == ranges.begin()) return nullptr;
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
  Snapshot snapshot = *current_.load(std::memory_order_relaxed);
  Ranges& ranges = snapshot.registered;
  const auto place = std::lower_bound(ranges.begin(), ranges.end(), address,
                                      [](const Range& range, uint64_t a) { return range.base + range.bytes <= a; });
  if (place != ranges.end() && place->base < address + bytes)
    return error(ErrorCode::HostMemoryAlreadyRegistered,
                 "Host memory at {:#x} ({} bytes) overlaps {:#x} ({} bytes), which is registered.", address, bytes,
                 place->base, place->bytes);
  ranges.insert(place, Range{address, bytes});
  publish(std::move(snapshot));
  return Status();
}

Status HostRanges::remove(void* base) {
  const uint64_t address = reinterpret_cast<uint64_t>(base);
  std::lock_guard guard(mutex_);
  Snapshot snapshot = *current_.load(std::memory_order_relaxed);
  Ranges& ranges = snapshot.registered;
  const auto place =
      std::find_if(ranges.begin(), ranges.end(), [address](const Range& range) { return range.base == address; });
  if (place == ranges.end())
    return error(ErrorCode::HostMemoryNotRegistered, "{:#x} is not the start of registered host memory.", address);
  ranges.erase(place);
  publish(std::move(snapshot));
  return Status();
}

void HostRanges::remove_part(void* base, size_t bytes) {
  const uint64_t begin = reinterpret_cast<uint64_t>(base), end = begin + bytes;
  std::lock_guard guard(mutex_);
  Snapshot snapshot = *current_.load(std::memory_order_relaxed);
  Ranges ranges;
  const auto keep = [&ranges](uint64_t from, uint64_t to) {
    if (from < to) ranges.push_back({from, to - from});
  };
  for (const Range& range : snapshot.registered) {
    const uint64_t range_end = range.base + range.bytes;
    keep(range.base, std::min(range_end, begin));
    keep(std::max(range.base, end), range_end);
  }
  snapshot.registered = std::move(ranges);
  publish(std::move(snapshot));
}

void HostRanges::share(void* base, size_t bytes, SharedAccess access) {
  const uint64_t begin = reinterpret_cast<uint64_t>(base), end = begin + bytes;
  std::lock_guard guard(mutex_);
  Snapshot snapshot = *current_.load(std::memory_order_relaxed);
  Ranges ranges;
  bool placed = access == SharedAccess::None;
  const auto add = [&ranges](uint64_t from, uint64_t to, SharedAccess may) {
    if (from >= to) return;
    if (!ranges.empty() && ranges.back().base + ranges.back().bytes == from && ranges.back().access == may)
      ranges.back().bytes += to - from;
    else
      ranges.push_back({from, to - from, may});
  };
  const auto place = [&] {
    if (!std::exchange(placed, true)) add(begin, end, access);
  };
  for (const Range& range : snapshot.shared) {
    const uint64_t range_end = range.base + range.bytes;
    add(range.base, std::min(range_end, begin), range.access);
    if (range_end > begin) place();
    add(std::max(range.base, end), range_end, range.access);
  }
  place();
  snapshot.shared = std::move(ranges);
  publish(std::move(snapshot));
}

bool HostRanges::contains(uint64_t address, uint64_t bytes, HostAccess access) const noexcept {
  const Snapshot& ranges = *current_.load(std::memory_order_seq_cst);
  const uint64_t end = address + bytes;
  if (end < address) return false;
  // What one range lacks, the next may have, where they meet.
  do {
    const Range* range = find(ranges.registered, address);
    if (!range) range = find(ranges.shared, address);
    if (!range || (access == HostAccess::Write && range->access == SharedAccess::Read)) return false;
    address = range->base + range->bytes;
  } while (address < end);
  return true;
}

std::string HostRanges::describe(uint64_t address) const {
  const Snapshot& ranges = *current_.load(std::memory_order_seq_cst);
  const Range* const registered = find(ranges.registered, address);
  const Range* const range = registered ? registered : find(ranges.shared, address);
  if (!range) return fmt::format("{:#x} is host memory that is not registered with the device, or no memory", address);
  std::string text =
      fmt::format("{:#x} is byte {} of the {}-byte {} host memory at {:#x}", address, address - range->base,
                  range->bytes, registered ? "registered" : "shared", range->base);
  if (range->access == SharedAccess::Read) text += ", which kernels may read alone";
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
