// runtime/engine/exec/mem_global.cpp - GLOBAL and FLAT loads and stores of one host ISA level.
#include "runtime/engine/exec/mem.h"
#include "runtime/engine/exec/mem_rows.h"

#include <atomic>
#include <vector>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// The addresses of one strip: base + zero-extended offset, with one upper half for all lanes unless `spread`.
struct StripAddress {
  U32x16 low;
  uint64_t base = 0;  // added to `low` where !spread
  bool spread = false;
  U32x16 high;
};

template <uint32_t kForm, bool kFull>
MEM_INLINE StripAddress strip_address(Wave* w, const Inst* i, uint32_t q, LaneBits lanes) {
  StripAddress a;
  const uint32_t* row = &at<uint32_t>(w, i->src[0]);
  a.low = load_row(row, q);
  if constexpr (kForm == kFormScalar) {
    a.base = load_unaligned<uint64_t>(&at<uint32_t>(w, i->src[1])) + i->imm[0];
  } else {
    a.high = load_row(row + kMaxLanes, q);
    const uint32_t high = a.high[kFull ? 0 : uint32_t(std::countr_zero(lanes))];
    a.spread = (bits_of(a.high == high) & lanes) != lanes;
    a.base = (uint64_t(high) << 32) + i->imm[0];
  }
  return a;
}
MEM_INLINE void full_addresses(const StripAddress& a, uint64_t offset, uint64_t* out) {
  for (uint32_t l = 0; l < kMemLanes; ++l)
    out[l] = a.spread ? (uint64_t(a.high[l]) << 32 | a.low[l]) + offset : a.base + a.low[l];
}
// Whether a lane that is set points into LDS or a private segment.
MEM_INLINE bool touches_aperture(Wave* w, const StripAddress& a, LaneBits lanes) {
  const uint32_t shared = uint32_t(w->shared_aperture >> 32), own = uint32_t(w->private_aperture >> 32);
  return ((bits_of(a.high == shared) | bits_of(a.high == own)) & lanes) != 0;
}

// --- loads
template <class E, bool kFull> MEM_INLINE void write_back(uint32_t* dst, uint32_t q, LaneBits lanes, U32x16 (&v)[4]) {
  for (uint32_t k = 0; k < E::kDwords; ++k) {
    uint32_t* row = dst + k * kMaxLanes;
    store_row<kFull>(row, q, lanes, E::kMerges ? E::merge(v[k], load_row(row, q)) : v[k]);
  }
}

template <class E> [[gnu::noinline]] bool load_any(Wave* w, const Inst* i, uint32_t q, LaneBits lanes, const uint64_t* addresses) {
  U32x16 v[4] = {};
  bool inside = true;
  for (LaneBits rest = lanes; rest; rest &= rest - 1)
    inside &= in_arena(w, addresses[std::countr_zero(rest)], E::kBytes);
  if (!inside && !lanes_accessible(w, i, addresses, lanes, q, E::kBytes, Access::Read)) return false;
  alignas(64) uint32_t values[4][kMemLanes];
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    for (uint32_t k = 0; k < E::kDwords; ++k) values[k][l] = E::dword(reinterpret_cast<const void*>(addresses[l]), k);
  }
  for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = *reinterpret_cast<const U32x16*>(values[k]);
  write_back<E, false>(&at<uint32_t>(w, i->dst), q, lanes, v);
  return true;
}
template <class E> [[gnu::noinline]] bool load_flat(Wave* w, const Inst* i, uint32_t q, LaneBits lanes, const uint64_t* addresses) {
  U32x16 v[4] = {};
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    char data[16];
    if (!flat_lane(w, i, q * kMemLanes + l, addresses[l], E::kBytes, data, Access::Read)) return false;
    for (uint32_t k = 0; k < E::kDwords; ++k) v[k][l] = E::dword(data, k);
  }
  write_back<E, false>(&at<uint32_t>(w, i->dst), q, lanes, v);
  return true;
}

template <class E, uint32_t kForm, bool kFull> MEM_INLINE bool load_strip(Wave* w, const Inst* i, uint32_t q, LaneBits lanes) {
  const StripAddress a = strip_address<kForm, kFull>(w, i, q, lanes);
  const Lie lie = kForm != kFormScalar && a.spread ? Lie::Any : lie_of<E::kBytes, kFull>(a.low, lanes);
  const uint32_t f = kFull ? 0 : uint32_t(std::countr_zero(lanes)), l = kFull ? 15 : 31 - uint32_t(std::countl_zero(lanes));
  const uint64_t first = a.base + a.low[f];
  uint32_t* dst = &at<uint32_t>(w, i->dst);
  U32x16 v[4];
  if (lie == Lie::Linear && (kFull || E::kBytes == 4) && in_arena(w, first, uint64_t(l - f + 1) * E::kBytes)) {
    const char* p = reinterpret_cast<const char*>(first - f * E::kBytes);
    if constexpr (kFull)
      load_linear<E>(p, v);
    else // touches only the lanes that are set
      v[0] = __builtin_masked_load(bools_of(lanes), reinterpret_cast<const uint32_t*>(p));
    write_back<E, kFull>(dst, q, lanes, v);
    return true;
  } else if (lie == Lie::Equal && in_arena(w, first, E::kBytes)) {
    for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = U32x16(E::dword(reinterpret_cast<const void*>(first), k));
    write_back<E, kFull>(dst, q, lanes, v);
    return true;
  }
  alignas(64) uint64_t addresses[kMemLanes];
  full_addresses(a, i->imm[0], addresses);
  if constexpr (kForm == kFormFlat)
    if (touches_aperture(w, a, lanes)) return load_flat<E>(w, i, q, lanes, addresses);
  return load_any<E>(w, i, q, lanes, addresses);
}

template <class E, uint32_t kForm> void RT_HANDLER_CC run_load(Wave* w, const Inst* i) {
  w->pc = i;
  const uint64_t exec = w->exec();
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (lanes == 0xffff) {
      if (!load_strip<E, kForm, true>(w, i, q, lanes)) return;
    } else if (lanes) {
      if (!load_strip<E, kForm, false>(w, i, q, lanes)) return;
    }
  }
  RT_NEXT(w, i);
}

// --- stores
template <class E> [[gnu::noinline]] bool store_any(Wave* w, const Inst* i, uint32_t q, LaneBits lanes, const uint64_t* addresses) {
  bool inside = true;
  for (LaneBits rest = lanes; rest; rest &= rest - 1)
    inside &= in_arena(w, addresses[std::countr_zero(rest)], E::kBytes);
  if (!inside && !lanes_accessible(w, i, addresses, lanes, q, E::kBytes, Access::Write)) return false;
  const uint32_t* rows = &at<uint32_t>(w, i->dst2);
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    E::put(reinterpret_cast<void*>(addresses[l]), rows, q * kMemLanes + l);
  }
  return true;
}
template <class E> [[gnu::noinline]] bool store_flat(Wave* w, const Inst* i, uint32_t q, LaneBits lanes, const uint64_t* addresses) {
  const uint32_t* rows = &at<uint32_t>(w, i->dst2);
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    char data[16];
    E::put(data, rows, q * kMemLanes + l);
    if (!flat_lane(w, i, q * kMemLanes + l, addresses[l], E::kBytes, data, Access::Write)) return false;
  }
  return true;
}

template <class E, uint32_t kForm, bool kFull> MEM_INLINE bool store_strip(Wave* w, const Inst* i, uint32_t q, LaneBits lanes) {
  const StripAddress a = strip_address<kForm, kFull>(w, i, q, lanes);
  const Lie lie = kForm != kFormScalar && a.spread ? Lie::Any : lie_of<E::kBytes, kFull>(a.low, lanes);
  const uint32_t f = kFull ? 0 : uint32_t(std::countr_zero(lanes)), l = kFull ? 15 : 31 - uint32_t(std::countl_zero(lanes));
  const uint64_t first = a.base + a.low[f];
  const uint32_t* rows = &at<uint32_t>(w, i->dst2);
  if (kFull && lie == Lie::Linear && in_arena(w, first, 16 * E::kBytes)) {
    store_linear<E>(reinterpret_cast<char*>(first), rows, q);
    return true;
  }
  if (!kFull && E::kBytes == 4 && lie == Lie::Linear && in_arena(w, first, uint64_t(l - f + 1) * E::kBytes)) {
    __builtin_masked_store(bools_of(lanes), load_row(rows, q), reinterpret_cast<uint32_t*>(first - f * E::kBytes));
    return true;
  }
  if (lie == Lie::Equal && in_arena(w, first, E::kBytes)) { // the highest lane's value stays
    E::put(reinterpret_cast<void*>(first), rows, q * kMemLanes + l);
    return true;
  }
  alignas(64) uint64_t addresses[kMemLanes];
  full_addresses(a, i->imm[0], addresses);
  if constexpr (kForm == kFormFlat)
    if (touches_aperture(w, a, lanes)) return store_flat<E>(w, i, q, lanes, addresses);
  return store_any<E>(w, i, q, lanes, addresses);
}

template <class E, uint32_t kForm> void RT_HANDLER_CC run_store(Wave* w, const Inst* i) {
  w->pc = i;
  const uint64_t exec = w->exec();
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (lanes == 0xffff) {
      if (!store_strip<E, kForm, true>(w, i, q, lanes)) return;
    } else if (lanes) {
      if (!store_strip<E, kForm, false>(w, i, q, lanes)) return;
    }
  }
  // Sequentially consistent stores are followed by nothing that would order them before the next load; the scope tells.
  if (i->flags) std::atomic_thread_fence(std::memory_order_seq_cst);
  RT_NEXT(w, i);
}

template <class E> constexpr OpRow load_row_of(const char* mnemonic) {
  return {mnemonic, lift_vector_memory, {&run_load<E, kFormVector>, &run_load<E, kFormScalar>, &run_load<E, kFormFlat>, nullptr}, {}};
}
template <class E> constexpr OpRow store_row_of(const char* mnemonic) {
  return {mnemonic, lift_vector_memory, {&run_store<E, kFormVector>, &run_store<E, kFormScalar>, &run_store<E, kFormFlat>, nullptr}, {1, 0}};
}

#define BOTH(make, name) make("global_" name), make("flat_" name)
constexpr OpRow kRows[] = {
    BOTH(load_row_of<Elem<1>>, "load_ubyte"),
    BOTH((load_row_of<Elem<1, Conv::Sign>>), "load_sbyte"),
    BOTH(load_row_of<Elem<2>>, "load_ushort"),
    BOTH((load_row_of<Elem<2, Conv::Sign>>), "load_sshort"),
    BOTH((load_row_of<Elem<1, Conv::Low16>>), "load_ubyte_d16"),
    BOTH((load_row_of<Elem<1, Conv::High16>>), "load_ubyte_d16_hi"),
    BOTH((load_row_of<Elem<1, Conv::SignLow16>>), "load_sbyte_d16"),
    BOTH((load_row_of<Elem<1, Conv::SignHigh16>>), "load_sbyte_d16_hi"),
    BOTH((load_row_of<Elem<2, Conv::Low16>>), "load_short_d16"),
    BOTH((load_row_of<Elem<2, Conv::High16>>), "load_short_d16_hi"),
    BOTH(load_row_of<Elem<4>>, "load_dword"),
    BOTH(load_row_of<Elem<8>>, "load_dwordx2"),
    BOTH(load_row_of<Elem<12>>, "load_dwordx3"),
    BOTH(load_row_of<Elem<16>>, "load_dwordx4"),
    BOTH(store_row_of<StoreElem<1>>, "store_byte"),
    BOTH((store_row_of<StoreElem<1, 16>>), "store_byte_d16_hi"),
    BOTH(store_row_of<StoreElem<2>>, "store_short"),
    BOTH((store_row_of<StoreElem<2, 16>>), "store_short_d16_hi"),
    BOTH(store_row_of<StoreElem<4>>, "store_dword"),
    BOTH(store_row_of<StoreElem<8>>, "store_dwordx2"),
    BOTH(store_row_of<StoreElem<12>>, "store_dwordx3"),
    BOTH(store_row_of<StoreElem<16>>, "store_dwordx4"),
};

} // namespace

std::span<const OpRow> global_rows() noexcept { return kRows; }

std::span<const OpRow> memory_rows() noexcept {
  static const std::vector<OpRow> all = [] {
    std::vector<OpRow> rows;
    for (std::span<const OpRow> part : {global_rows(), private_rows(), atomic_rows(), lds_rows(), scalar_memory_rows()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

} // namespace hip::engine::OMNIHIP_LEVEL
