// runtime/engine/interpret/memory/scalar.cpp - SMEM and cache control, compiled once for all host levels.
#include "runtime/engine/engine.h"
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/buffer.h"
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/interpret/memory/reach.h"

#define OMNIHIP_LEVEL common
#include "runtime/engine/interpret/memory/rows.h"

#include <atomic>
#include <cstring>

namespace hip::engine {
namespace {

// Whether the wave may access `bytes` from `address` on, which no lane does for itself; ends it with a fault when it may not.
bool admitted(Wave* w, const Inst* i, uint64_t address, uint32_t bytes, MemoryKind kind) {
  if (in_arena(w, address, bytes)) [[likely]] return true;
  return admit(w, {i, MemorySpace::Scalar, kind, bytes, 1, &address}).has_value();
}
uint64_t sgpr64_at(Wave* w, uint32_t offset) {
  uint64_t v;
  std::memcpy(&v, &at<uint32_t>(w, offset), sizeof v);
  return v;
}
// A byte or a short, extended to a dword.
template <MemoryAccess kAccess> uint32_t part_of_dword(const void* from) {
  uint32_t value = 0;
  std::memcpy(&value, from, kAccess.bytes);
  constexpr uint32_t kUnused = 32 - 8 * kAccess.bytes;
  return kAccess.extend == Extend::Sign ? uint32_t(int32_t(value << kUnused) >> kUnused) : value;
}
uint64_t scalar_offset(Wave* w, const Inst* i) { return i->imm[0] + (i->src[2] ? at<uint32_t>(w, i->src[2]) : i->imm[1]); }

// Loads of dwords ignore the two low bits of the address, loads of bytes and shorts do not (ERRATA 35).
template <Opcode kOpcode> void RT_HANDLER_CC run_s_load(Wave* w, const Inst* i) {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  w->pc = i;
  const uint64_t address = (sgpr64_at(w, i->src[1]) + scalar_offset(w, i)) & (kAccess.bytes < 4 ? ~0ull : ~3ull);
  if (!admitted(w, i, address, kAccess.bytes, MemoryKind::Load)) return;
  const void* from = reinterpret_cast<const void*>(address);
  if constexpr (kAccess.bytes >= 4)
    std::memcpy(&at<uint32_t>(w, i->dst), from, kAccess.bytes);
  else
    at<uint32_t>(w, i->dst) = part_of_dword<kAccess>(from);
  RT_NEXT(w, i);
}

// Dwords behind the buffer's end are 0 (ERRATA 34).
template <Opcode kOpcode> void RT_HANDLER_CC run_s_buffer_load(Wave* w, const Inst* i) {
  constexpr uint32_t kDwords = row_of(kOpcode).memory.dwords();
  w->pc = i;
  const uint32_t* resource = &at<uint32_t>(w, i->src[1]);
  const uint64_t base = sgpr64_at(w, i->src[1]) & kBufferBaseMask;
  const uint32_t stride = resource[1] >> 16 & 0x3fff;
  const uint64_t bytes = stride ? uint64_t(resource[2]) * stride : resource[2];
  const uint64_t offset = scalar_offset(w, i) & ~3ull;
  uint32_t values[kDwords];
  for (uint32_t k = 0; k < kDwords; ++k) {
    values[k] = 0;
    if (offset + k * 4 + 4 > bytes) continue;
    if (!admitted(w, i, base + offset + k * 4, 4, MemoryKind::Load)) return;
    std::memcpy(&values[k], reinterpret_cast<const void*>(base + offset + k * 4), 4);
  }
  std::memcpy(&at<uint32_t>(w, i->dst), values, sizeof values);
  RT_NEXT(w, i);
}

template <Opcode kOpcode> void RT_HANDLER_CC run_s_store(Wave* w, const Inst* i) {
  constexpr uint32_t kDwords = row_of(kOpcode).memory.dwords();
  w->pc = i;
  const uint64_t address = (sgpr64_at(w, i->src[1]) + scalar_offset(w, i)) & ~3ull;
  if (!admitted(w, i, address, kDwords * 4, MemoryKind::Store)) return;
  std::memcpy(reinterpret_cast<void*>(address), &at<uint32_t>(w, i->dst2), kDwords * 4);
  RT_NEXT(w, i);
}

// Cache control. The host's caches are coherent, and x86 reorders nothing but an earlier store and a later load. An instruction
// that writes caches back must prevent that.
void RT_HANDLER_CC run_write_back(Wave* w, const Inst* i) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  RT_NEXT(w, i);
}
void RT_HANDLER_CC run_invalidate(Wave* w, const Inst* i) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  RT_NEXT(w, i);
}

constexpr bool is_cache_control(const OpcodeRow& row) { return row.cache != CacheEffect::None; }
template<Opcode kOpcode> constexpr OpRow cache_row() {
  return {kOpcode, lift_nothing, {row_of(kOpcode).cache == CacheEffect::WritesBack ? run_write_back : run_invalidate}};
}
constexpr auto kCacheRows = map_opcodes<is_cache_control>([]<Opcode kOpcode> { return cache_row<kOpcode>(); });

constexpr bool is_load(const OpcodeRow& row) {
  return row.unit == Unit::ScalarMemory && row.memory.kind == MemoryKind::Load;
}
constexpr bool is_store(const OpcodeRow& row) {
  return row.unit == Unit::ScalarMemory && row.memory.kind == MemoryKind::Store;
}
constexpr bool is_buffer_load(const OpcodeRow& row) {
  return row.unit == Unit::ScalarBuffer && row.memory.kind == MemoryKind::Load && row.memory.bytes >= 4;
}
constexpr auto kLoads =
    map_opcodes<is_load>([]<Opcode kOpcode>() -> OpRow { return {kOpcode, lift_scalar_memory, {run_s_load<kOpcode>}}; });
constexpr auto kStores =
    map_opcodes<is_store>([]<Opcode kOpcode>() -> OpRow { return {kOpcode, lift_scalar_memory, {run_s_store<kOpcode>}}; });
constexpr auto kBufferLoads = map_opcodes<is_buffer_load>(
    []<Opcode kOpcode>() -> OpRow { return {kOpcode, lift_scalar_memory, {run_s_buffer_load<kOpcode>}}; });
} // namespace

std::span<const OpRow> scalar_memory_rows() noexcept {
  static const auto all = rows_together(kLoads, kStores, kBufferLoads, kCacheRows);
  return all;
}

} // namespace hip::engine
