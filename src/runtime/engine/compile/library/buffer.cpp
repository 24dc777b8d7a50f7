// runtime/engine/compile/library/buffer.cpp - loads and stores through buffer resources that are ranges of bytes, of all strips of a
// wave, for the translator; handlers make all others. Compiled to bitcode with AVX-512 and without; see entries.h.
#include "runtime/engine/interpret/memory/buffer_range.h"
#include "runtime/engine/compile/library/entries.h"

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// (Out of line: an access is long, and waits for memory anyway.)
template <class E, bool kLoads>
[[gnu::noinline]] bool access(Wave* w, uint64_t low, uint64_t high, uint64_t fixed, U32x16 offsets0, U32x16 offsets1, U32x16 offsets2, U32x16 offsets3,
                              uint64_t exec, uint64_t instruction, U32x16* rows) {
  const uint32_t resource[4] = {uint32_t(low), uint32_t(low >> 32), uint32_t(high), uint32_t(high >> 32)};
  const Buffer buffer = buffer_of(resource);
  if (!is_byte_range(buffer)) return false;
  const ByteRange range(buffer, fixed, E::kBytes);
  const int64_t step = kLoads ? buffer_step(w, instruction, range.base) : 0;
  const U32x16 offsets[kMemStrips] = {offsets0, offsets1, offsets2, offsets3};
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (lanes && !access_range<E, kLoads>(w, range, offsets[q], step, q, lanes, reinterpret_cast<uint32_t*>(rows))) return false;
  }
  return true;
}

} // namespace

extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_buffer_loads) = map_opcodes<is_plain_load<Unit::Buffer>>(
    []<Opcode kOpcode>() { return library::BufferEntry{uint32_t(kOpcode), &access<LoadElement<kOpcode>, true>}; });
extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_buffer_stores) = map_opcodes<is_plain_store<Unit::Buffer>>(
    []<Opcode kOpcode>() { return library::BufferEntry{uint32_t(kOpcode), &access<StoreElement<kOpcode>, false>}; });

} // namespace hip::engine::OMNIHIP_LEVEL
