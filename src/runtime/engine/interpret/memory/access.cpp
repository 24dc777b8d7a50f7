// runtime/engine/interpret/memory/access.cpp - see access.h.
#include "runtime/engine/interpret/memory/access.h"

#include "runtime/engine/interpret/memory/reach.h"

#include <bit>
#include <cstring>

namespace hip::engine {
namespace {

enum class Verdict : uint8_t { GoesAhead, Dropped, Misaligned, Faults };

Verdict verdict(const Wave* w, const WaveAccess& access, uint32_t lane) {
  const uint64_t address = access.address_of(lane);
  if (access.kind == MemoryKind::Atomic && address % access.bytes != 0) return Verdict::Misaligned;
  switch (access.space) {
  case MemorySpace::Global:
  case MemorySpace::Scalar:
    return reachable(w, address, access.bytes, access.access()) ? Verdict::GoesAhead : Verdict::Faults;
  case MemorySpace::Lds:
    return ends_in(uint32_t(address), access.bytes, w->lds_bytes) ? Verdict::GoesAhead : Verdict::Dropped;
  case MemorySpace::Scratch:
    return ends_in(uint32_t(address), access.bytes, w->scratch_bytes) ? Verdict::GoesAhead : Verdict::Faults;
  }
  return Verdict::Faults;
}

} // namespace

[[gnu::cold]] void stop_with_memory_fault(Wave* w, const WaveAccess& access, uint64_t lanes,
                                          uint32_t misaligned_bytes) noexcept {
  const uint64_t first = access.address_of(uint32_t(std::countr_zero(lanes)));
  switch (access.space) {
  case MemorySpace::Global:
  case MemorySpace::Scalar:
    w->fault_address = first;
    break;
  case MemorySpace::Lds:
    w->fault_address = w->shared_aperture | first;
    break;
  case MemorySpace::Scratch:
    w->fault_address = w->private_aperture | first;
    break;
  }
  w->fault_lanes = access.space == MemorySpace::Scalar ? 0 : lanes;
  stop_with_fault(w, access.inst, FaultKind::Memory, misaligned_bytes);
}

namespace {

// Whether one piece of memory that holds what all lanes access may be accessed, which is the usual case in memory of the host, and
// atomics are aligned.
bool all_in_one_piece(const Wave* w, const WaveAccess& access) {
  if (access.space != MemorySpace::Global || !access.lanes) return false;
  const Hull hull = hull_of(access.lanes, access.bytes, [&](uint32_t lane) { return access.address_of(lane); });
  if (access.kind == MemoryKind::Atomic && hull.address_bits % access.bytes != 0) return false;
  return hull.bytes && reachable(w, hull.base, hull.bytes, access.access());
}

} // namespace

std::optional<uint64_t> admit(Wave* w, const WaveAccess& access) noexcept {
  if (all_in_one_piece(w, access)) return access.lanes;
  uint64_t ahead = 0, faulty = 0, misaligned = 0;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest));
    switch (verdict(w, access, lane)) {
    case Verdict::GoesAhead:
      ahead |= 1ull << lane;
      break;
    case Verdict::Dropped:
      break;
    case Verdict::Misaligned:
      misaligned |= 1ull << lane;
      break;
    case Verdict::Faults:
      faulty |= 1ull << lane;
      break;
    }
  }
  if (!faulty && !misaligned) return ahead;
  if (misaligned)
    stop_with_memory_fault(w, access, misaligned, access.bytes);
  else
    stop_with_memory_fault(w, access, faulty);
  return std::nullopt;
}

void read_scratch(const Wave* w, uint32_t lane, uint32_t offset, uint32_t bytes, void* out) noexcept {
  for (uint32_t k = 0; k < bytes; ++k) static_cast<char*>(out)[k] = *scratch_byte(w, lane, offset + k);
}
void write_scratch(const Wave* w, uint32_t lane, uint32_t offset, uint32_t bytes, const void* in) noexcept {
  for (uint32_t k = 0; k < bytes; ++k) *scratch_byte(w, lane, offset + k) = static_cast<const char*>(in)[k];
}

bool access_lane(Wave* w, const Inst* inst, uint32_t lane, const FlatPlace& place, uint32_t bytes, MemoryKind kind,
                 void* data) noexcept {
  const auto ahead = admit(w, {inst, place.space, kind, bytes, 1ull << lane, &place.address, lane});
  if (!ahead) return false;
  const bool reads = kind == MemoryKind::Load;
  if (!*ahead) {
    if (reads) std::memset(data, 0, bytes);
    return true;
  }
  if (place.space == MemorySpace::Scratch) {
    const uint32_t offset = uint32_t(place.address);
    reads ? read_scratch(w, lane, offset, bytes, data) : write_scratch(w, lane, offset, bytes, data);
    return true;
  }
  void* memory = place.space == MemorySpace::Lds ? w->lds + place.address : reinterpret_cast<void*>(place.address);
  reads ? std::memcpy(data, memory, bytes) : std::memcpy(memory, data, bytes);
  return true;
}

} // namespace hip::engine
