// runtime/engine/exec/mem_atomic.cpp - GLOBAL and FLAT atomics of one host ISA level, as host atomics. When all active
// lanes hit one address the wave does its work in one host atomic: combined beforehand where the operation allows it and
// nobody wants the old value, else lane after lane inside one compare-and-swap.
// Memory ordering: every host atomic here is sequentially consistent, which covers all scopes and orders of the ISA.
#include "runtime/engine/exec/mem.h"
#include "runtime/engine/exec/mem_rows.h"

#include <type_traits>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

#include "runtime/engine/exec/atomic_ops.h"

template <class T> using HostWord = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

// Replaces *p by f(*p) atomically and returns what was there.
template <class T, class F> MEM_INLINE T exchange_with(uint64_t address, F f) {
  using W = HostWord<T>;
  W* p = reinterpret_cast<W*>(address);
  W old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(p, &old, std::bit_cast<W>(T(f(std::bit_cast<T>(old)))), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {}
  return std::bit_cast<T>(old);
}
template <class Op> MEM_INLINE typename Op::T host_atomic(uint64_t address, typename Op::T d) {
  using T = typename Op::T;
  T* p = reinterpret_cast<T*>(address);
  if constexpr (std::is_same_v<Op, OpAdd<T>>)
    return __atomic_fetch_add(p, d, __ATOMIC_SEQ_CST);
  else if constexpr (std::is_same_v<Op, OpSub<T>>)
    return __atomic_fetch_sub(p, d, __ATOMIC_SEQ_CST);
  else if constexpr (std::is_same_v<Op, OpSwap<T>>)
    return __atomic_exchange_n(p, d, __ATOMIC_SEQ_CST);
  else if constexpr (std::is_same_v<Op, OpAnd<T>>)
    return __atomic_fetch_and(p, d, __ATOMIC_SEQ_CST);
  else if constexpr (std::is_same_v<Op, OpOr<T>>)
    return __atomic_fetch_or(p, d, __ATOMIC_SEQ_CST);
  else if constexpr (std::is_same_v<Op, OpXor<T>>)
    return __atomic_fetch_xor(p, d, __ATOMIC_SEQ_CST);
  else
    return exchange_with<T>(address, [d](T m) { return Op::apply(m, d); });
}

// Fills in the address of every active lane, as the host sees it. False when the wave has stopped with a fault.
template <bool kFlat> [[gnu::noinline]] bool wave_addresses(Wave* w, const Inst* i, uint64_t exec, uint32_t bytes, uint64_t* out) {
  const uint32_t* low = &at<uint32_t>(w, i->src[0]);
  const uint32_t* high = low + kMaxLanes;
  if (i->src[1]) {
    const uint64_t base = load_unaligned<uint64_t>(&at<uint32_t>(w, i->src[1])) + i->imm[0];
    for (uint32_t l = 0; l < kMaxLanes; ++l) out[l] = base + low[l];
  } else {
    for (uint32_t l = 0; l < kMaxLanes; ++l) out[l] = (uint64_t(high[l]) << 32 | low[l]) + i->imm[0];
  }
  uint64_t host = 0; // lanes whose address is the engine's own memory by now
  if constexpr (kFlat) {
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
      const uint32_t l = uint32_t(std::countr_zero(rest)), offset = uint32_t(out[l]);
      const bool shared = out[l] >> 32 == w->shared_aperture >> 32, own = out[l] >> 32 == w->private_aperture >> 32;
      if (!shared && !own) continue;
      const bool fits = shared ? uint64_t(offset) + bytes <= w->lds_bytes : uint64_t(offset) + bytes <= w->scratch_bytes;
      if (!fits) return memory_fault(w, i, out[l], 1ull << l), false;
      if (own && (bytes != 4 || offset % 4 != 0)) return stop_with_fault(w, i, FaultKind::Unsupported), false;
      out[l] = shared ? reinterpret_cast<uint64_t>(w->lds) + offset : reinterpret_cast<uint64_t>(scratch_byte(w, l, offset));
      host |= 1ull << l;
    }
  }
  for (uint32_t q = 0; q < kMemStrips; ++q) {
    const LaneBits lanes = strip_lanes(exec & ~host, q);
    if (lanes && !lanes_accessible(w, i, out + q * kMemLanes, lanes, q, bytes, Access::Write)) return false;
  }
  return true;
}
MEM_INLINE bool all_equal(const uint64_t* addresses, uint64_t exec) {
  const uint64_t first = addresses[std::countr_zero(exec)];
  uint64_t differ = 0;
  for (uint32_t l = 0; l < kMaxLanes; ++l) differ |= uint64_t(addresses[l] != first) << l;
  return (differ & exec) == 0;
}

template <class Op, bool kFlat> void RT_HANDLER_CC run_atomic(Wave* w, const Inst* i) {
  using T = typename Op::T;
  w->pc = i;
  const uint64_t exec = w->exec();
  alignas(64) uint64_t addresses[kMaxLanes];
  if (exec) {
    if (!wave_addresses<kFlat>(w, i, exec, sizeof(T), addresses)) return;
    const uint32_t* data = &at<uint32_t>(w, i->dst2);
    uint32_t* dst = i->flags ? &at<uint32_t>(w, i->dst) : nullptr;
    if (!(exec & (exec - 1)) || !all_equal(addresses, exec)) {
      for (uint64_t rest = exec; rest; rest &= rest - 1) {
        const uint32_t l = uint32_t(std::countr_zero(rest));
        const T old = host_atomic<Op>(addresses[l], lane_value<T>(data, l));
        if (dst) set_lane_value(dst, l, old);
      }
    } else {
      const uint32_t first = uint32_t(std::countr_zero(exec));
      bool done = false;
      if constexpr (Op::kCombines) {
        if (!dst) {
          T sum = lane_value<T>(data, first);
          for (uint64_t rest = exec & (exec - 1); rest; rest &= rest - 1)
            sum = Op::combine(sum, lane_value<T>(data, uint32_t(std::countr_zero(rest))));
          host_atomic<Op>(addresses[first], sum);
          done = true;
        }
      }
      if (!done) {
        T values[kMaxLanes], olds[kMaxLanes]; // the destination may be the data's own row
        for (uint32_t l = 0; l < kMaxLanes; ++l) values[l] = lane_value<T>(data, l);
        exchange_with<T>(addresses[first], [&](T m) {
          for (uint64_t rest = exec; rest; rest &= rest - 1) {
            const uint32_t l = uint32_t(std::countr_zero(rest));
            olds[l] = m;
            m = Op::apply(m, values[l]);
          }
          return m;
        });
        if (dst)
          for (uint64_t rest = exec; rest; rest &= rest - 1) {
            const uint32_t l = uint32_t(std::countr_zero(rest));
            set_lane_value(dst, l, olds[l]);
          }
      }
    }
  }
  RT_NEXT(w, i);
}

// Data: the new value, then the value to compare with.
template <class T, bool kFlat> void RT_HANDLER_CC run_compare_swap(Wave* w, const Inst* i) {
  w->pc = i;
  const uint64_t exec = w->exec();
  alignas(64) uint64_t addresses[kMaxLanes];
  if (exec) {
    if (!wave_addresses<kFlat>(w, i, exec, sizeof(T), addresses)) return;
    const uint32_t* value = &at<uint32_t>(w, i->dst2);
    const uint32_t* compare = value + sizeof(T) / 4 * kMaxLanes;
    uint32_t* dst = i->flags ? &at<uint32_t>(w, i->dst) : nullptr;
    if ((exec & (exec - 1)) && all_equal(addresses, exec)) {
      T values[kMaxLanes], compares[kMaxLanes], olds[kMaxLanes]; // the destination may be a row of the data
      for (uint32_t l = 0; l < kMaxLanes; ++l) values[l] = lane_value<T>(value, l), compares[l] = lane_value<T>(compare, l);
      exchange_with<T>(addresses[std::countr_zero(exec)], [&](T m) {
        for (uint64_t rest = exec; rest; rest &= rest - 1) {
          const uint32_t l = uint32_t(std::countr_zero(rest));
          olds[l] = m;
          m = OpCompareSwap<T>::apply(m, compares[l], values[l]);
        }
        return m;
      });
      if (dst)
        for (uint64_t rest = exec; rest; rest &= rest - 1) {
          const uint32_t l = uint32_t(std::countr_zero(rest));
          set_lane_value(dst, l, olds[l]);
        }
    } else {
      for (uint64_t rest = exec; rest; rest &= rest - 1) {
        const uint32_t l = uint32_t(std::countr_zero(rest));
        T old = lane_value<T>(compare, l);
        __atomic_compare_exchange_n(reinterpret_cast<T*>(addresses[l]), &old, lane_value<T>(value, l), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
        if (dst) set_lane_value(dst, l, old);
      }
    }
  }
  RT_NEXT(w, i);
}

template <class Op> constexpr OpRow atomic_row(const char* mnemonic) {
  return {mnemonic, lift_atomic, {&run_atomic<Op, false>, &run_atomic<Op, true>, nullptr, nullptr}, {}};
}
template <class T> constexpr OpRow compare_row(const char* mnemonic) {
  return {mnemonic, lift_atomic, {&run_compare_swap<T, false>, &run_compare_swap<T, true>, nullptr, nullptr}, {}};
}
#define ATOMIC(name, ...) atomic_row<__VA_ARGS__>("global_atomic_" name), atomic_row<__VA_ARGS__>("flat_atomic_" name)
#define ATOMIC_BOTH(name, Op, u32, u64) ATOMIC(name, Op<u32>), ATOMIC(name "_x2", Op<u64>)

constexpr OpRow kRows[] = {
    ATOMIC_BOTH("swap", OpSwap, uint32_t, uint64_t),
    ATOMIC_BOTH("add", OpAdd, uint32_t, uint64_t),
    ATOMIC_BOTH("sub", OpSub, uint32_t, uint64_t),
    ATOMIC_BOTH("smin", OpMin, int32_t, int64_t),
    ATOMIC_BOTH("umin", OpMin, uint32_t, uint64_t),
    ATOMIC_BOTH("smax", OpMax, int32_t, int64_t),
    ATOMIC_BOTH("umax", OpMax, uint32_t, uint64_t),
    ATOMIC_BOTH("and", OpAnd, uint32_t, uint64_t),
    ATOMIC_BOTH("or", OpOr, uint32_t, uint64_t),
    ATOMIC_BOTH("xor", OpXor, uint32_t, uint64_t),
    ATOMIC_BOTH("inc", OpInc, uint32_t, uint64_t),
    ATOMIC_BOTH("dec", OpDec, uint32_t, uint64_t),
    ATOMIC("add_f32", OpFloatAdd<float>),
    ATOMIC("pk_add_f16", OpPackedAddF16),
    ATOMIC("pk_add_bf16", OpPackedAddBf16),
    ATOMIC("add_f64", OpFloatAdd<double>),
    ATOMIC("min_f64", OpFloatMin<double>),
    ATOMIC("max_f64", OpFloatMax<double>),
    compare_row<uint32_t>("global_atomic_cmpswap"),
    compare_row<uint32_t>("flat_atomic_cmpswap"),
    compare_row<uint64_t>("global_atomic_cmpswap_x2"),
    compare_row<uint64_t>("flat_atomic_cmpswap_x2"),
};

} // namespace

std::span<const OpRow> atomic_rows() noexcept { return kRows; }

} // namespace hip::engine::OMNIHIP_LEVEL
