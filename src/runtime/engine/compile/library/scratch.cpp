// runtime/engine/compile/library/scratch.cpp - SCRATCH loads and stores of one strip, for the translator. Compiled to
// bitcode with AVX-512 and without; see entries.h. Elements that cross dwords, and faults, are left to the functions of support.h.
#include "runtime/engine/interpret/memory/scratch.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/compile/library/formats.h"

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// As flat accesses.
void addresses(Wave* w, U32x16 offsets, uint64_t* out) {
  *reinterpret_cast<V16<uint64_t>*>(out) = __builtin_convertvector(offsets, V16<uint64_t>) + w->private_aperture;
}
[[gnu::noinline]] bool load_slow(Wave* w, U32x16 offsets, LaneBits lanes, uint32_t q, uint64_t pc, uint32_t format, U32x16* out) {
  alignas(128) uint64_t at[kMemLanes];
  addresses(w, offsets, at);
  return omnihip_t1_load(w, at, lanes, q, pc | kAtFlat, format, reinterpret_cast<uint32_t*>(out));
}
[[gnu::noinline]] bool store_slow(Wave* w, U32x16 offsets, LaneBits lanes, uint32_t q, uint64_t pc, uint32_t format, const U32x16* in) {
  alignas(128) uint64_t at[kMemLanes];
  addresses(w, offsets, at);
  return omnihip_t1_store(w, at, lanes, q, pc | kAtFlat, format, reinterpret_cast<const uint32_t*>(in));
}

template <class E> MEM_INLINE void put(U32x16* io, const U32x16 (&v)[4]) {
  for (uint32_t k = 0; k < E::kDwords; ++k) io[k] = E::kHalf ? E::merge(v[k], io[k]) : v[k];
}
template <class E> MEM_INLINE void take(const U32x16* io, U32x16 (&v)[4]) {
  for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = io[k];
}
template <class E> MEM_INLINE bool slots_inside(uint64_t bytes, U32x16 offsets, LaneBits lanes) {
  return (scratch_inside<E>(offsets, bytes) & lanes) == lanes && in_slots<E>(offsets, lanes);
}

template <class E> void load_one(uint64_t base, uint32_t offset, uint16_t, uint32_t q, U32x16* io) {
  U32x16 v[4];
  load_slot<E>(base, offset, q, v);
  put<E>(io, v);
}
template <class E> void store_one(uint64_t base, uint32_t offset, uint16_t lanes, uint32_t q, U32x16* io) {
  U32x16 v[4];
  take<E>(io, v);
  store_slot<E>(base, offset, q, lanes, v);
}
template <class E> bool load_any(Wave* w, uint64_t base, uint64_t bytes, U32x16 offsets, uint16_t lanes, uint32_t q, uint64_t pc, U32x16* io) {
  U32x16 v[4];
  if (slots_inside<E>(bytes, offsets, lanes)) [[likely]]
    load_slots<E>(base, offsets, q, lanes, v);
  else if (!load_slow(w, offsets, lanes, q, pc, kFormatOf<E>, v))
    return false;
  put<E>(io, v);
  return true;
}
// Structures that are copied element by element are hundreds of wide loads: inline, 130 of them were 1.5 MB of host code.
template <class E>
[[gnu::noinline]] bool load_wide(Wave* w, uint64_t base, uint64_t bytes, U32x16 offsets, uint16_t lanes, uint32_t q, uint64_t pc, U32x16* io) {
  return load_any<E>(w, base, bytes, offsets, lanes, q, pc, io);
}
template <class E>
[[gnu::noinline]] bool store_any(Wave* w, uint64_t base, uint64_t bytes, U32x16 offsets, uint16_t lanes, uint32_t q, uint64_t pc, U32x16* io) {
  if (!slots_inside<E>(bytes, offsets, lanes)) return store_slow(w, offsets, lanes, q, pc, kFormatOf<E>, io);
  U32x16 v[4];
  take<E>(io, v);
  store_slots<E>(base, offsets, q, lanes, v);
  return true;
}

template <class E> library::ScratchEntry load_entry(Opcode opcode) {
  return {uint32_t(opcode), &load_one<E>, E::kDwords > 1 ? &load_wide<E> : &load_any<E>, E::kBytes, E::kDwords, 0, E::kMerges};
}
template <class E> library::ScratchEntry store_entry(Opcode opcode) {
  return {uint32_t(opcode), &store_one<E>, &store_any<E>, E::kBytes, E::kDwords, 1, 0};
}

} // namespace

// (As with alu.cpp's table, the optimiser makes constants of these.)
extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_scratch_loads) = map_opcodes<is_plain_load<Unit::Scratch>>(
    []<Opcode kOpcode>() { return load_entry<LoadElement<kOpcode>>(kOpcode); });
extern "C" __attribute__((used)) const auto OMNIHIP_LEVEL_TABLE(omnihip_scratch_stores) = map_opcodes<is_plain_store<Unit::Scratch>>(
    []<Opcode kOpcode>() { return store_entry<StoreElement<kOpcode>>(kOpcode); });

} // namespace hip::engine::OMNIHIP_LEVEL
