// runtime/engine/compile/library/buffer.cpp - loads and stores through buffer resources that are ranges of bytes, of all strips of a
// wave, for the translator; handlers make all others. Compiled to bitcode with AVX-512 and without; see entries.h.
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/compile/library/line_notes.h"
#include "runtime/engine/interpret/memory/buffer_range.h"

#include <algorithm>
#include <utility>

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

// What the first lane of each line of elements of 16 bytes adds to the buffer's base: of line n of strip q it is lane
// n * kMemStrips + q.
MEM_INLINE U32x16 line_offsets(const U32x16 (&offsets)[kMemStrips]) {
  const auto two = [](U32x16 a, U32x16 b) {
    return __builtin_shufflevector(a, b, 0, 16, 4, 20, 8, 24, 12, 28, -1, -1, -1, -1, -1, -1, -1, -1);
  };
  return __builtin_shufflevector(two(offsets[0], offsets[1]), two(offsets[2], offsets[3]), 0, 1, 16, 17, 2, 3, 18, 19,
                                 4, 5, 20, 21, 6, 7, 22, 23);
}

// The same of all strips. Lines that are fetched together are of different strips: rows of a matrix lie in pages of their own,
// and a host looks up several of these at once, but waits for each that it comes to alone.
template<class E> MEM_INLINE bool note_wave(Wave* w, uint64_t base, const U32x16 (&offsets)[kMemStrips], int64_t step) {
  constexpr uint32_t kLines = kMemLanes / lanes_of_line<E>();
  auto* lines = reinterpret_cast<uint64_t*>(w->row(kFirstLineRow));
  const uint64_t noted = lines[kLineCountPlace];
  if (noted > kLineCountPlace - kLines * kMemStrips) return false;
  if constexpr (E::kBytes == 16) {
    store_unaligned(lines + noted, __builtin_convertvector(line_offsets(offsets), U64x16) + (base + uint64_t(step)));
  } else {
    for (uint32_t n = 0; n < kLines; ++n)
      for (uint32_t q = 0; q < kMemStrips; ++q)
        lines[noted + n * kMemStrips + q] = base + uint64_t(step) + offsets[q][n * lanes_of_line<E>()];
  }
  lines[kLineCountPlace] = noted + kLines * kMemStrips;
  return true;
}
// Loads elements of 4 to 16 bytes which lie in lines of 64, as of a tile of a matrix. False: they lie otherwise, or not
// all of them inside the buffer and the arena, and nothing is loaded.
template<class E>
MEM_INLINE bool load_lines(Wave* w, const ByteRange& range, const U32x16 (&offsets)[kMemStrips], U32x16* rows) {
  constexpr uint32_t kLanes = lanes_of_line<E>();
  constexpr int64_t kLineOffset = (kLanes - 1) * E::kBytes; // of a line's last element
  const uint64_t ahead = range.base - w->arena_base;
  if (ahead >= w->arena_bytes) return false;
  const int64_t room = std::min<int64_t>(range.last, int64_t(w->arena_bytes - ahead) - E::kBytes);
  const int64_t last_line = std::min<int64_t>(room, int64_t(~0u)) - kLineOffset;
  if (last_line < 0) return false;
  U32x16 astray(0), farthest(0);
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    astray |= astray_of_lines<kLanes>(offsets[q]);
    farthest = __builtin_elementwise_max(farthest, of_first_lanes<kLanes>(offsets[q]));
  }
  if (bits_of((astray != 0) | (farthest > uint32_t(last_line)))) return false;
  _Pragma("clang loop unroll(full)") for (uint32_t q = 0; q < kMemStrips; ++q) {
    const auto line = [&](uint32_t n) {
      return load_unaligned<U32x16>(reinterpret_cast<const char*>(range.base) + offsets[q][n * kLanes]);
    };
    U32x16 out[4];
    if constexpr (E::kBytes == 4)
      out[0] = line(0);
    else if constexpr (E::kBytes == 8)
      split_pairs(line(0), line(1), out);
    else
      split_quads(line(0), line(1), line(2), line(3), out);
    for (uint32_t k = 0; k < E::kDwords; ++k) rows[k * kMemStrips + q] = out[k];
  }
  return true;
}

// (Out of line: an access is long, and waits for memory anyway.)
template <class E, bool kLoads>
[[gnu::noinline]] bool access(Wave* w, uint64_t low, uint64_t high, uint64_t fixed, U32x16 offsets0, U32x16 offsets1, U32x16 offsets2, U32x16 offsets3,
                              uint64_t exec, uint64_t instruction, U32x16* rows) {
  const uint32_t resource[4] = {uint32_t(low), uint32_t(low >> 32), uint32_t(high), uint32_t(high >> 32)};
  const Buffer buffer = buffer_of(resource, BufferGeneration(instruction >> kBufferGenerationShift & 3));
  if (!is_byte_range(buffer)) return false;
  const ByteRange range(buffer, fixed, E::kBytes);
  const int64_t step = kLoads ? buffer_step(w, instruction & ~kNotesLines, range.base) : 0;
  const bool notes = kLoads && step && instruction & kNotesLines;
  const U32x16 offsets[kMemStrips] = {offsets0, offsets1, offsets2, offsets3};
  const bool noted_all = notes && exec == ~0ull && note_wave<E>(w, range.base, offsets, step);
  if constexpr (kLoads && E::kBytes >= 4 && E::kBytes != 12)
    if (exec == ~0ull && (noted_all || !step) && load_lines<E>(w, range, offsets, rows)) return true;
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (!lanes) continue;
    const bool noted = noted_all || (notes && note_next<E>(w, range.base, offsets[q], step));
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
