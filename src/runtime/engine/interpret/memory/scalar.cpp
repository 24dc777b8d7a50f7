// runtime/engine/interpret/memory/scalar.cpp - SMEM and cache control, compiled once for all host levels.
#include "runtime/engine/engine.h"
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/interpret/memory/reach.h"

#define OMNIHIP_LEVEL common
#include "runtime/engine/interpret/memory/rows.h"

#include <atomic>
#include <cstring>

namespace hip::engine {
namespace {

constexpr uint64_t kBufferBaseMask = (1ull << 48) - 1; // of a buffer resource's first two dwords

void fail(Wave* w, const Inst* i, uint64_t address) {
  w->fault_address = address;
  w->fault_lanes = 0;
  stop_with_fault(w, i, FaultKind::Memory);
}
uint64_t sgpr64_at(Wave* w, uint32_t offset) {
  uint64_t v;
  std::memcpy(&v, &at<uint32_t>(w, offset), sizeof v);
  return v;
}
uint64_t scalar_offset(Wave* w, const Inst* i) { return i->imm[0] + (i->src[2] ? at<uint32_t>(w, i->src[2]) : i->imm[1]); }

template <uint32_t kDwords> void RT_HANDLER_CC run_s_load(Wave* w, const Inst* i) {
  w->pc = i;
  const uint64_t address = (sgpr64_at(w, i->src[1]) + scalar_offset(w, i)) & ~3ull;
  if (!reachable(w, address, kDwords * 4, Access::Read)) return fail(w, i, address);
  std::memcpy(&at<uint32_t>(w, i->dst), reinterpret_cast<const void*>(address), kDwords * 4);
  RT_NEXT(w, i);
}

// Reads past the buffer's end give zero, dword by dword.
template <uint32_t kDwords> void RT_HANDLER_CC run_s_buffer_load(Wave* w, const Inst* i) {
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
    if (!reachable(w, base + offset + k * 4, 4, Access::Read)) return fail(w, i, base + offset + k * 4);
    std::memcpy(&values[k], reinterpret_cast<const void*>(base + offset + k * 4), 4);
  }
  std::memcpy(&at<uint32_t>(w, i->dst), values, sizeof values);
  RT_NEXT(w, i);
}

template <uint32_t kDwords> void RT_HANDLER_CC run_s_store(Wave* w, const Inst* i) {
  w->pc = i;
  const uint64_t address = (sgpr64_at(w, i->src[1]) + scalar_offset(w, i)) & ~3ull;
  if (!reachable(w, address, kDwords * 4, Access::Write)) return fail(w, i, address);
  std::memcpy(reinterpret_cast<void*>(address), &at<uint32_t>(w, i->dst2), kDwords * 4);
  RT_NEXT(w, i);
}

// Caches: the host's are coherent, and x86 keeps loads and stores in order; only an earlier store may be overtaken by a
// later load. Writing back is where that must not happen.
void RT_HANDLER_CC run_write_back(Wave* w, const Inst* i) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  RT_NEXT(w, i);
}
void RT_HANDLER_CC run_invalidate(Wave* w, const Inst* i) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  RT_NEXT(w, i);
}

constexpr OpRow row(const char* mnemonic, Handler handler) { return {mnemonic, lift_scalar_memory, {handler}, {}}; }
constexpr OpRow cache_row(const char* mnemonic, Handler handler) { return {mnemonic, lift_nothing, {handler}, {}}; }

constexpr OpRow kRows[] = {
    row("s_load_dword", run_s_load<1>),
    row("s_load_dwordx2", run_s_load<2>),
    row("s_load_dwordx4", run_s_load<4>),
    row("s_load_dwordx8", run_s_load<8>),
    row("s_load_dwordx16", run_s_load<16>),
    row("s_buffer_load_dword", run_s_buffer_load<1>),
    row("s_buffer_load_dwordx2", run_s_buffer_load<2>),
    row("s_buffer_load_dwordx4", run_s_buffer_load<4>),
    row("s_buffer_load_dwordx8", run_s_buffer_load<8>),
    row("s_buffer_load_dwordx16", run_s_buffer_load<16>),
    row("s_store_dword", run_s_store<1>),
    row("s_store_dwordx2", run_s_store<2>),
    row("s_store_dwordx4", run_s_store<4>),
    cache_row("s_dcache_inv", run_invalidate),
    cache_row("s_dcache_inv_vol", run_invalidate),
    cache_row("s_dcache_wb", run_write_back),
    cache_row("s_dcache_wb_vol", run_write_back),
    cache_row("buffer_inv", run_invalidate),
    cache_row("buffer_invl2", run_invalidate),
    cache_row("buffer_wbinvl1", run_invalidate),
    cache_row("buffer_wbinvl1_vol", run_invalidate),
    cache_row("buffer_wbl2", run_write_back),
};

} // namespace

std::span<const OpRow> scalar_memory_rows() noexcept { return kRows; }

} // namespace hip::engine
