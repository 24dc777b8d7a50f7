// runtime/engine/interpret/memory/global.cpp - GLOBAL and FLAT loads and stores of one host ISA level.
#include "runtime/engine/interpret/memory/flat.h"
#include "runtime/engine/interpret/memory/gather.h"
#include "runtime/engine/interpret/memory/mem.h"
#include "runtime/engine/interpret/memory/elements.h"
#include "runtime/engine/interpret/memory/rows.h"
#include "runtime/engine/interpret/memory/strip_address.h"

#include <atomic>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// How far ahead consecutive accesses prefetch. Neighbouring waves access neighbouring memory, which the host's prefetcher is
// slow to recognise when other handlers run in between.
constexpr uint32_t kPrefetchBytes = 4096;

// Recognises the most frequent case, in which all 64 lanes are active and access consecutive elements inside the arena. Returns
// the first element's address, else null.
template <uint32_t kStep, uint32_t kForm> MEM_INLINE char* wave_stretch(Wave* w, const Inst* i) {
  constexpr uint32_t kSpan = (kMaxLanes - 1) * kStep;
  const uint32_t* low = &at<uint32_t>(w, i->src[0]);
  const uint32_t* high = low + kMaxLanes;
  const uint32_t first = low[0];
  if (low[kMaxLanes - 1] - first != kSpan || first > ~0u - kSpan) return nullptr;
  uint64_t base = i->imm[0];
  if constexpr (kForm == kFormScalar)
    base += load_unaligned<uint64_t>(&at<uint32_t>(w, i->src[1]));
  else
    base += uint64_t(high[0]) << 32;
  if (!in_arena(w, base + first, kSpan + kStep)) return nullptr;
  U32x16 expected = lane_numbers16() * kStep + first;
  LaneBits differ = 0;
  for (uint32_t q = 0; q < kMemStrips; ++q, expected += kMemLanes * kStep) {
    differ |= bits_of(load_row(low, q) != expected);
    if constexpr (kForm != kFormScalar) differ |= bits_of(load_row(high, q) != high[0]);
  }
  return differ ? nullptr : reinterpret_cast<char*>(base + first);
}

// Whether a lane that is set points into LDS or a private segment.
MEM_INLINE bool touches_aperture(Wave* w, const StripAddress& a, LaneBits lanes) {
  const uint32_t shared = uint32_t(w->shared_aperture >> 32), own = uint32_t(w->private_aperture >> 32);
  return ((bits_of(a.high == shared) | bits_of(a.high == own)) & lanes) != 0;
}

// --- loads
// Loads lane by lane with every check, where load_strip has no faster way.
template <class E, uint32_t kForm> [[gnu::noinline]] bool load_lanes(Wave* w, const Inst* i, uint32_t q, LaneBits lanes) {
  const StripAddress a = strip_address<kForm, false>(w, i, q, lanes);
  alignas(128) uint64_t addresses[kMemLanes];
  put_each(addresses, full_addresses<kForm>(a, i->imm[0]));
  const bool flat = kForm == kFormFlat && touches_aperture(w, a, lanes);
  if (!flat && !strip_admitted(w, i, addresses, lanes, q, E::kBytes, MemoryKind::Load)) return false;
  if (flat) {
    U32x16 v[4];
    if (load_flat<E>(w, FlatStrip(*reinterpret_cast<const U64x16*>(addresses), lanes, q), v)) {
      write_back<E, false>(&at<uint32_t>(w, i->dst), q, lanes, v);
      return true;
    }
  }
  alignas(64) uint32_t values[4][kMemLanes];
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    const void* p = reinterpret_cast<const void*>(addresses[l]);
    char data[16];
    if (flat) {
      if (!access_lane(w, i, q * kMemLanes + l, flat_place(w, addresses[l]), E::kBytes, MemoryKind::Load, data)) return false;
      p = data;
    }
    const auto value = E::load(p);
    for (uint32_t k = 0; k < E::kDwords; ++k) values[k][l] = value.v[k];
  }
  U32x16 v[4];
  for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = *reinterpret_cast<const U32x16*>(values[k]);
  write_back<E, false>(&at<uint32_t>(w, i->dst), q, lanes, v);
  return true;
}

#ifdef __AVX512F__
// Gathers elements inside the arena. False when a lane's address is outside.
template <class E, uint32_t kForm, bool kFull>
MEM_INLINE bool scattered(Wave* w, const Inst* i, const StripAddress& a, LaneBits lanes, U32x16 (&v)[4]) {
  const FullAddresses full = full_addresses<kForm>(a, i->imm[0]);
  if ((lanes_in_arena(w, full, E::kBytes) & lanes) != lanes) return false;
  gather(reinterpret_cast<const uint64_t*>(&full), lanes, E::kDwords, v);
  return true;
}
#endif

template <class E, uint32_t kForm, bool kFull> MEM_INLINE bool load_strip(Wave* w, const Inst* i, uint32_t q, LaneBits lanes) {
  const StripAddress a = strip_address<kForm, kFull>(w, i, q, lanes);
  const char* first = reinterpret_cast<const char*>(a.base + a.first);
  U32x16 v[4];
  switch (strip_shape<E, kForm, kFull>(a, lanes)) {
  case StripShape::Linear:
    if (!stretch_inside<E::kBytes, E::kBytes, kFull>(w, a, lanes)) return load_lanes<E, kForm>(w, i, q, lanes);
    if constexpr (kFull)
      load_linear<E>(first, v);
    else if constexpr (E::kBytes == 4) // a masked load accesses only the lanes that are set
      v[0] = __builtin_masked_load(bools_of(lanes), reinterpret_cast<const uint32_t*>(first - first_lane<false>(lanes) * 4));
    else
      return load_lanes<E, kForm>(w, i, q, lanes);
    break;
  case StripShape::Dwords:
    if (!stretch_inside<4, E::kBytes, kFull>(w, a, lanes)) return load_lanes<E, kForm>(w, i, q, lanes);
    load_dwords<E>(first, v);
    break;
  case StripShape::Equal:
    if (!in_arena(w, a.base + a.first, E::kBytes)) return load_lanes<E, kForm>(w, i, q, lanes);
    splat<E>(first, v);
    break;
  case StripShape::Any:
#ifdef __AVX512F__
    if constexpr (E::kBytes >= 4)
      if (scattered<E, kForm, kFull>(w, i, a, lanes, v)) break;
#endif
    return load_lanes<E, kForm>(w, i, q, lanes);
  }
  write_back<E, kFull>(&at<uint32_t>(w, i->dst), q, lanes, v);
  return true;
}

template <class E, uint32_t kForm> void RT_HANDLER_CC run_load(Wave* w, const Inst* i) {
  if (i->flags) [[unlikely]] std::atomic_thread_fence(std::memory_order_seq_cst);
  w->pc = i;
  const uint64_t exec = w->exec();
  if (exec == ~uint64_t(0)) {
    if (const char* p = wave_stretch<E::kBytes, kForm>(w, i)) {
      for (uint32_t q = 0; q < kMemStrips; ++q) {
        U32x16 v[4];
        __builtin_prefetch(p + q * kMemLanes * E::kBytes + kPrefetchBytes);
        load_linear<E>(p + q * kMemLanes * E::kBytes, v);
        write_back<E, true>(&at<uint32_t>(w, i->dst), q, 0xffff, v);
      }
      RT_NEXT(w, i);
    }
  }
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
template <class E, uint32_t kForm> [[gnu::noinline]] bool store_lanes(Wave* w, const Inst* i, uint32_t q, LaneBits lanes) {
  const StripAddress a = strip_address<kForm, false>(w, i, q, lanes);
  const FullAddresses full = full_addresses<kForm>(a, i->imm[0]);
  alignas(128) uint64_t addresses[kMemLanes];
  put_each(addresses, full);
  const bool flat = kForm == kFormFlat && touches_aperture(w, a, lanes);
  if (!flat && (lanes_in_arena(w, full, E::kBytes) & lanes) != lanes &&
      !strip_admitted(w, i, addresses, lanes, q, E::kBytes, MemoryKind::Store))
    return false;
  const uint32_t* rows = &at<uint32_t>(w, i->dst2);
  if (flat) {
    U32x16 v[4];
    for (uint32_t k = 0; k < E::kDwords; ++k) v[k] = load_row(rows + k * kMaxLanes, q);
    if (store_flat<E>(w, FlatStrip(*reinterpret_cast<const U64x16*>(addresses), lanes, q), v)) return true;
  }
  for (LaneBits rest = lanes; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest)), lane = q * kMemLanes + l;
    if (!flat) {
      E::put(reinterpret_cast<void*>(addresses[l]), rows, lane);
      continue;
    }
    char data[16];
    E::put(data, rows, lane);
    if (!access_lane(w, i, lane, flat_place(w, addresses[l]), E::kBytes, MemoryKind::Store, data)) return false;
  }
  return true;
}

template <class E, uint32_t kForm, bool kFull> MEM_INLINE bool store_strip(Wave* w, const Inst* i, uint32_t q, LaneBits lanes) {
  const StripAddress a = strip_address<kForm, kFull>(w, i, q, lanes);
  const uint32_t* rows = &at<uint32_t>(w, i->dst2);
  char* first = reinterpret_cast<char*>(a.base + a.first);
  const StripShape shape = strip_shape<E, kForm, kFull>(a, lanes);
  if (shape == StripShape::Linear && (kFull || E::kBytes == 4) && stretch_inside<E::kBytes, E::kBytes, kFull>(w, a, lanes)) {
    if constexpr (kFull)
      store_linear<E>(first, rows, q);
    else
      __builtin_masked_store(bools_of(lanes), load_row(rows, q), reinterpret_cast<uint32_t*>(first - first_lane<false>(lanes) * 4));
    return true;
  }
  if (shape == StripShape::Equal && in_arena(w, a.base + a.first, E::kBytes)) { // the highest lane's value stays
    E::put(first, rows, q * kMemLanes + last_lane<kFull>(lanes));
    return true;
  }
  return store_lanes<E, kForm>(w, i, q, lanes);
}

template <class E, uint32_t kForm> void RT_HANDLER_CC run_store(Wave* w, const Inst* i) {
  w->pc = i;
  const uint64_t exec = w->exec();
  char* stretch = exec == ~uint64_t(0) ? wave_stretch<E::kBytes, kForm>(w, i) : nullptr;
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec, q);
    if (stretch) {
      __builtin_prefetch(stretch + q * kMemLanes * E::kBytes + kPrefetchBytes, 1);
      store_linear<E>(stretch + q * kMemLanes * E::kBytes, &at<uint32_t>(w, i->dst2), q);
    } else if (lanes == 0xffff) {
      if (!store_strip<E, kForm, true>(w, i, q, lanes)) return;
    } else if (lanes) {
      if (!store_strip<E, kForm, false>(w, i, q, lanes)) return;
    }
  }
  // Compilers put nothing behind a sequentially consistent store that would order it before later loads; such stores are
  // recognised by their scope.
  if (i->flags) std::atomic_thread_fence(std::memory_order_seq_cst);
  RT_NEXT(w, i);
}

constexpr auto kLoads = map_opcodes<is_plain_load<Unit::Global, Unit::Flat>>([]<Opcode kOpcode>() -> OpRow {
  using E = LoadElement<kOpcode>;
  return {kOpcode, lift_vector_memory, {&run_load<E, kFormVector>, &run_load<E, kFormScalar>, &run_load<E, kFormFlat>}};
});
constexpr auto kStores = map_opcodes<is_plain_store<Unit::Global, Unit::Flat>>([]<Opcode kOpcode>() -> OpRow {
  using E = StoreElement<kOpcode>;
  return {kOpcode, lift_vector_memory, {&run_store<E, kFormVector>, &run_store<E, kFormScalar>, &run_store<E, kFormFlat>}};
});

} // namespace

std::span<const OpRow> global_rows() noexcept {
  static const auto all = rows_together(kLoads, kStores);
  return all;
}

std::span<const OpRow> memory_rows() noexcept {
  static const auto all = rows_together(global_rows(), private_rows(), atomic_rows(), lds_rows(), scalar_memory_rows(),
                                        scalar_atomic_rows(), to_lds_rows(), typed_rows(), transposed_rows());
  return all;
}

} // namespace hip::engine::OMNIHIP_LEVEL
