// runtime/engine/interpret/memory/support.cpp - the slow paths of translated code's memory accesses; see
// compile/library/support.h.
#include "runtime/engine/compile/library/support.h"

#include "runtime/engine/engine.h"
#include "runtime/engine/tools/tool.h"
#include "runtime/engine/wave/group.h"
#include "runtime/engine/interpret/program.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/reach.h"
#include "runtime/engine/wave/run.h"
#include "runtime/engine/interpret/memory/words.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace hip::engine;

namespace {

constexpr uint32_t kStrip = 16;

// Sets Wave::pc to the instruction, so that a host fault is reported for it. Returns the region's element, which must be Wave::pc
// again when translated code goes on.
const Inst* enter(Wave* w, uint64_t at) {
  const Inst* region = w->pc;
  w->pc = w->program->resolve(region->imm[1] + (at & ~kAtFlat));
  return region;
}
// Converts the bytes of one lane's element to dwords in `out`, whose dwords are kStrip apart (one for each lane in between).
void widen(const char* p, uint32_t format, uint32_t* out) {
  const uint32_t bytes = format & kFormatBytes;
  if (bytes == 1) {
    const uint8_t v = uint8_t(*p);
    *out = format & kFormatSigned ? uint32_t(int32_t(int8_t(v))) : v;
  } else if (bytes == 2) {
    uint16_t v;
    std::memcpy(&v, p, 2);
    *out = format & kFormatSigned ? uint32_t(int32_t(int16_t(v))) : v;
  } else if (bytes == 16) {
    const Word128 four = load_word128(p);
    for (uint32_t k = 0; k < 4; ++k) out[k * kStrip] = four[k];
  } else {
    for (uint32_t k = 0; k < bytes / 4; ++k) {
      if (bytes % 8) {
        std::memcpy(&out[k * kStrip], p + 4 * k, 4);
        continue;
      }
      const uint64_t two = load_word64(p + 4 * k);
      out[k * kStrip] = uint32_t(two), out[++k * kStrip] = uint32_t(two >> 32);
    }
  }
}
void narrow(char* p, uint32_t format, const uint32_t* in) {
  const uint32_t bytes = format & kFormatBytes;
  const uint32_t v = format & kFormatHigh ? *in >> 16 : *in;
  if (bytes == 1)
    *p = char(v);
  else if (bytes == 2)
    std::memcpy(p, &v, 2);
  else if (bytes == 16)
    store_word128(p, Word128{in[0], in[kStrip], in[2 * kStrip], in[3 * kStrip]});
  else
    for (uint32_t k = 0; k < bytes / 4; ++k) {
      if (bytes % 8) {
        std::memcpy(p + 4 * k, &in[k * kStrip], 4);
        continue;
      }
      store_word64(p + 4 * k, in[k * kStrip] | uint64_t(in[(k + 1) * kStrip]) << 32);
      ++k;
    }
}

FlatPlace place_of(const Wave* w, uint64_t at, uint64_t address) {
  return at & kAtFlat ? flat_place(w, address) : FlatPlace{MemorySpace::Global, address};
}

// One strip's access: 16 addresses, and the bits of its active lanes.
struct StripAccess {
  const uint64_t* addresses;
  uint32_t lanes, strip, bytes;
  uint64_t at; // as the functions of support.h have it
  uint32_t first_lane() const { return strip * kStrip; }
};

// Those of `lanes` that access global memory, as lanes of the wave.
uint64_t global_lanes(const Wave* w, const StripAccess& strip, uint32_t lanes) {
  uint64_t out = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    if (place_of(w, strip.at, strip.addresses[l]).space == MemorySpace::Global) out |= 1ull << (strip.first_lane() + l);
  }
  return out;
}

// Whether all lanes access one piece of the host's memory that the address space allows.
bool is_one_piece_of_host_memory(const Wave* w, const StripAccess& strip, Access access) {
  const Hull hull = hull_of(strip.lanes, strip.bytes, [&](uint32_t lane) { return strip.addresses[lane]; });
  return hull.bytes && !in_arena(w, hull.base, 1) && w->space->accessible(hull.base, hull.bytes, access);
}

// Calls use(lane, bytes) for each lane with its element's bytes: its memory in the arena, or else a copy, which is written back for
// stores.
template <MemoryKind kKind, class Use> bool each_lane(Wave* w, const StripAccess& strip, Use use) {
  constexpr bool kReads = kKind == MemoryKind::Load;
  const Inst* const region = enter(w, strip.at);
  const bool one_piece = is_one_piece_of_host_memory(w, strip, kReads ? Access::Read : Access::Write);
  for (uint32_t rest = strip.lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    const uint64_t address = strip.addresses[l];
    if (one_piece || in_arena(w, address, strip.bytes)) [[likely]] {
      w->fault_lanes = 1ull << (strip.first_lane() + l); // if the host faults: the block's registers may be old ones
      use(l, reinterpret_cast<char*>(address));
      continue;
    }
    const FlatPlace place = place_of(w, strip.at, address);
    char data[16] = {};
    if (!kReads) use(l, data);
    // The report names all lanes that are still to come and may not go ahead.
    if (place.space == MemorySpace::Global && !reachable(w, address, strip.bytes, kReads ? Access::Read : Access::Write))
      return admit(w, {w->pc, MemorySpace::Global, kKind, strip.bytes, global_lanes(w, strip, rest), strip.addresses, strip.first_lane()}).has_value();
    if (!access_lane(w, w->pc, strip.first_lane() + l, place, strip.bytes, kKind, data)) return false;
    if (kReads) use(l, data);
  }
  w->fault_lanes = 0;
  w->pc = region;
  return true;
}

} // namespace

bool omnihip_t1_load(Wave* w, const uint64_t* addresses, uint32_t lanes, uint32_t strip, uint64_t at, uint32_t format,
                     uint32_t* dwords) noexcept {
  return each_lane<MemoryKind::Load>(w, {addresses, lanes, strip, format & kFormatBytes, at},
                                 [&](uint32_t l, char* p) { widen(p, format, dwords + l); });
}

bool omnihip_t1_store(Wave* w, const uint64_t* addresses, uint32_t lanes, uint32_t strip, uint64_t at, uint32_t format,
                      const uint32_t* dwords) noexcept {
  return each_lane<MemoryKind::Store>(w, {addresses, lanes, strip, format & kFormatBytes, at},
                                  [&](uint32_t l, char* p) { narrow(p, format, dwords + l); });
}

bool omnihip_t1_lds_load(Wave* w, const uint32_t* offsets, uint32_t lanes, uint32_t format, uint32_t* dwords) noexcept {
  const uint32_t bytes = format & kFormatBytes;
  constexpr char kNothing[16] = {};
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    const bool inside = ends_in(offsets[l], bytes, w->lds_bytes);
    widen(inside ? reinterpret_cast<const char*>(w->lds) + offsets[l] : kNothing, format, dwords + l);
  }
  return true;
}

bool omnihip_t1_lds_store(Wave* w, const uint32_t* offsets, uint32_t lanes, uint32_t format, const uint32_t* dwords) noexcept {
  const uint32_t bytes = format & kFormatBytes;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    if (ends_in(offsets[l], bytes, w->lds_bytes)) narrow(reinterpret_cast<char*>(w->lds) + offsets[l], format, dwords + l);
  }
  return true;
}

bool omnihip_t1_lds_misaligned(Wave* w, const uint32_t* offsets, uint32_t lanes, uint32_t strip, uint64_t at,
                               uint32_t bytes) noexcept {
  const Inst* const region = enter(w, at);
  uint64_t addresses[kStrip];
  for (uint32_t l = 0; l < kStrip; ++l) addresses[l] = offsets[l];
  const uint32_t first = strip * kStrip;
  if (!admit(w, {w->pc, MemorySpace::Lds, MemoryKind::Atomic, bytes, uint64_t(lanes) << first, addresses, first}))
    return false;
  w->pc = region;
  return true;
}

void omnihip_t1_count(Wave* w, const uint32_t* counts, uint64_t exec) noexcept {
  for (size_t k = 0; k < kInstructionClasses; ++k)
    if (counts[k]) w->group->probe->executed.add(InstructionClass(k), counts[k], uint64_t(std::popcount(exec)));
}

bool omnihip_t1_turn_is_over(Wave* w, const StateRange* changing, uint32_t count) noexcept {
  return turn_is_over(*w, changing, count);
}

void omnihip_t1_run_apart(Wave* w, const Inst* next) noexcept { run_apart(*w, next); }

void omnihip_t1_fill_rows(Wave* w, const AffineRow* rows, uint32_t count) noexcept {
  for (const AffineRow* r = rows; r != rows + count; ++r) {
    uint32_t *low = w->row(r->vgpr), *high = r->high != r->vgpr ? w->row(r->high) : nullptr;
    uint64_t first = 0; // of the part's first strip, whose row is overwritten by then
    for (uint32_t strip = 0; strip < kMaxLanes / kStrip; ++strip) {
      const uint32_t held = r->strips ? strip - strip % r->strips : 0;
      if (held == strip) first = low[held * kStrip] | (high ? uint64_t(low[held * kStrip + 1]) << 32 : 0);
      uint64_t number = first;
      if (r->strips) number += uint64_t(int64_t(r->stride) * kStrip * (strip - held));
      for (uint32_t lane = 0; lane < kStrip; ++lane, number += uint64_t(int64_t(r->stride))) {
        low[strip * kStrip + lane] = uint32_t(number);
        if (high) high[strip * kStrip + lane] = uint32_t(number >> 32);
      }
    }
  }
}
