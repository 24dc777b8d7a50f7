// runtime/engine/compile/library/buffer.cpp - loads and stores through buffer resources that are ranges of bytes, of all strips of a
// wave, for the translator; handlers make all others. Compiled to bitcode with AVX-512 and without; see entries.h.
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/compile/library/line_notes.h"
#include "runtime/engine/interpret/memory/buffer_range.h"

#include <algorithm>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// So many lanes next to each other share a line, if they do.
template<class E> constexpr uint32_t lanes_of_line() { return std::clamp(64 / E::kBytes, 4u, uint32_t(kMemLanes)); }
// Notes what the strip's lanes will load when the buffer has moved on by `step`. False: there is no room.
template<class E> MEM_INLINE bool note_next(Wave* w, uint64_t base, U32x16 offsets, int64_t step) {
  constexpr uint32_t kLines = kMemLanes / lanes_of_line<E>();
  auto* lines = reinterpret_cast<uint64_t*>(w->row(kFirstLineRow));
  const uint64_t noted = lines[kLineCountPlace];
  if (noted > kLineCountPlace - kLines) return false;
  for (uint32_t n = 0; n < kLines; ++n) lines[noted + n] = base + uint64_t(step) + offsets[n * lanes_of_line<E>()];
  lines[kLineCountPlace] = noted + kLines;
  return true;
}

// (Out of line: an access is long, and waits for memory anyway.)
template <class E, bool kLoads>
[[gnu::noinline]] bool access(Wave* w, uint64_t low, uint64_t high, uint64_t fixed, U32x16 offsets0, U32x16 offsets1, U32x16 offsets2, U32x16 offsets3,
                              uint64_t exec, uint64_t instruction, U32x16* rows) {
  const uint32_t resource[4] = {uint32_t(low), uint32_t(low >> 32), uint32_t(high), uint32_t(high >> 32)};
  const Buffer buffer = buffer_of(resource);
  if (!is_byte_range(buffer)) return false;
  const ByteRange range(buffer, fixed, E::kBytes);
  const int64_t step = kLoads ? buffer_step(w, instruction & ~kNotesLines, range.base) : 0;
  const bool notes = kLoads && step && instruction & kNotesLines;
  const U32x16 offsets[kMemStrips] = {offsets0, offsets1, offsets2, offsets3};
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (!lanes) continue;
    const bool noted = notes && note_next<E>(w, range.base, offsets[q], step);
    if (!access_range<E, kLoads>(w, range, offsets[q], noted ? 0 : step, q, lanes, reinterpret_cast<uint32_t*>(rows)))
      return false;
  }
  return true;
}

} // namespace

extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_buffer_loads) = map_opcodes<is_plain_load<Unit::Buffer>>(
    []<Opcode kOpcode>() { return library::BufferEntry{uint32_t(kOpcode), &access<LoadElement<kOpcode>, true>}; });
extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_buffer_stores) = map_opcodes<is_plain_store<Unit::Buffer>>(
    []<Opcode kOpcode>() { return library::BufferEntry{uint32_t(kOpcode), &access<StoreElement<kOpcode>, false>}; });

} // namespace hip::engine::OMNIHIP_LEVEL
