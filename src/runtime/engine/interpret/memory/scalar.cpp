// runtime/engine/interpret/memory/scalar.cpp - SMEM and cache control, compiled once for all host levels.
#include "runtime/engine/engine.h"
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/interpret/memory/scalar_address.h"

#define OMNIHIP_LEVEL common
#include "runtime/engine/interpret/memory/rows.h"

#include <atomic>
#include <cstring>

namespace hip::engine {
namespace {

// A byte or a short, extended to a dword.
template <MemoryAccess kAccess> uint32_t part_of_dword(const void* from) {
  uint32_t value = 0;
  std::memcpy(&value, from, kAccess.bytes);
  constexpr uint32_t kUnused = 32 - 8 * kAccess.bytes;
  return kAccess.extend == Extend::Sign ? uint32_t(int32_t(value << kUnused) >> kUnused) : value;
}
// With what the opcode's offset in a register counts.
template <Opcode kOpcode> uint64_t offset_of(Wave* w, const Inst* i) {
  constexpr uint64_t kUnit = row_of(kOpcode).soffset_bytes;
  return i->imm[0] + (i->src[2] ? at<uint32_t>(w, i->src[2]) : i->imm[1]) * kUnit;
}

// Loads of dwords ignore the two low bits of the address, loads of bytes and shorts do not (ERRATA 35).
template <Opcode kOpcode> void RT_HANDLER_CC run_s_load(Wave* w, const Inst* i) {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  w->pc = i;
  const uint64_t address = (sgpr64_at(w, i->src[1]) + offset_of<kOpcode>(w, i)) & (kAccess.bytes < 4 ? ~0ull : ~3ull);
  if (!scalar_admitted(w, i, address, kAccess.bytes, MemoryKind::Load)) return;
  const void* from = reinterpret_cast<const void*>(address);
  if constexpr (kAccess.bytes >= 4)
    std::memcpy(&at<uint32_t>(w, i->dst), from, kAccess.bytes);
  else
    at<uint32_t>(w, i->dst) = part_of_dword<kAccess>(from);
  RT_NEXT(w, i);
}

// Elements behind the buffer's end are 0 (ERRATA 34).
template <Opcode kOpcode> void RT_HANDLER_CC run_s_buffer_load(Wave* w, const Inst* i) {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  constexpr uint32_t kDwords = kAccess.dwords();
  w->pc = i;
  const auto [base, bytes] = scalar_buffer(w, i);
  if constexpr (kAccess.bytes < 4) {
    const uint64_t at_byte = scalar_offset(w, i);
    uint32_t value = 0;
    if (at_byte + kAccess.bytes <= bytes) {
      if (!scalar_admitted(w, i, base + at_byte, kAccess.bytes, MemoryKind::Load)) return;
      value = part_of_dword<kAccess>(reinterpret_cast<const void*>(base + at_byte));
    }
    at<uint32_t>(w, i->dst) = value;
    RT_NEXT(w, i);
  }
  const uint64_t offset = scalar_offset(w, i) & ~3ull;
  uint32_t values[kDwords];
  for (uint32_t k = 0; k < kDwords; ++k) {
    values[k] = 0;
    if (offset + k * 4 + 4 > bytes) continue;
    if (!scalar_admitted(w, i, base + offset + k * 4, 4, MemoryKind::Load)) return;
    std::memcpy(&values[k], reinterpret_cast<const void*>(base + offset + k * 4), 4);
  }
  std::memcpy(&at<uint32_t>(w, i->dst), values, sizeof values);
  RT_NEXT(w, i);
}

template <Opcode kOpcode> void RT_HANDLER_CC run_s_store(Wave* w, const Inst* i) {
  constexpr uint32_t kDwords = row_of(kOpcode).memory.dwords();
  w->pc = i;
  const uint64_t address = (sgpr64_at(w, i->src[1]) + offset_of<kOpcode>(w, i)) & ~3ull;
  if (!scalar_admitted(w, i, address, kDwords * 4, MemoryKind::Store)) return;
  std::memcpy(reinterpret_cast<void*>(address), &at<uint32_t>(w, i->dst2), kDwords * 4);
  RT_NEXT(w, i);
}

// Dwords behind the buffer's end are dropped.
template <Opcode kOpcode> void RT_HANDLER_CC run_s_buffer_store(Wave* w, const Inst* i) {
  constexpr uint32_t kDwords = row_of(kOpcode).memory.dwords();
  w->pc = i;
  const auto [base, bytes] = scalar_buffer(w, i);
  const uint64_t offset = scalar_offset(w, i) & ~3ull;
  for (uint32_t k = 0; k < kDwords && offset + k * 4 + 4 <= bytes; ++k) {
    if (!scalar_admitted(w, i, base + offset + k * 4, 4, MemoryKind::Store)) return;
    std::memcpy(reinterpret_cast<void*>(base + offset + k * 4), &at<uint32_t>(w, i->dst2 + k * 4), 4);
  }
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
  return row.unit == Unit::ScalarBuffer && row.memory.kind == MemoryKind::Load;
}
constexpr bool is_buffer_store(const OpcodeRow& row) {
  return row.unit == Unit::ScalarBuffer && row.memory.kind == MemoryKind::Store;
}
constexpr auto kLoads =
    map_opcodes<is_load>([]<Opcode kOpcode>() -> OpRow { return {kOpcode, lift_scalar_memory, {run_s_load<kOpcode>}}; });
constexpr auto kStores =
    map_opcodes<is_store>([]<Opcode kOpcode>() -> OpRow { return {kOpcode, lift_scalar_memory, {run_s_store<kOpcode>}}; });
constexpr auto kBufferLoads = map_opcodes<is_buffer_load>(
    []<Opcode kOpcode>() -> OpRow { return {kOpcode, lift_scalar_memory, {run_s_buffer_load<kOpcode>}}; });
constexpr auto kBufferStores = map_opcodes<is_buffer_store>(
    []<Opcode kOpcode>() -> OpRow { return {kOpcode, lift_scalar_memory, {run_s_buffer_store<kOpcode>}}; });
} // namespace

std::span<const OpRow> scalar_memory_rows() noexcept {
  static const auto all = rows_together(kLoads, kStores, kBufferLoads, kBufferStores, kCacheRows);
  return all;
}

} // namespace hip::engine
