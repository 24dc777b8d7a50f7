// runtime/engine/interpret/memory/atomic_ops.h - the operations of atomic instructions: the new value in memory, from the old
// one and the operand. They are applied directly to LDS, which one thread owns, and through the host's atomics to global
// memory. Each operation names its type T, apply(memory, data), and whether operands of several lanes may be combined
// beforehand. Include inside the level's namespace, after mem.h.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

// One lane's registers as a value; 64-bit values take two rows.
template <class T> MEM_INLINE T lane_value(const uint32_t* rows, uint32_t lane) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(rows[lane] | uint64_t(rows[kMaxLanes + lane]) << 32);
  else
    return std::bit_cast<T>(rows[lane]);
}
template <class T> MEM_INLINE void set_lane_value(uint32_t* rows, uint32_t lane, T v) {
  if constexpr (sizeof(T) == 8) {
    const uint64_t u = std::bit_cast<uint64_t>(v);
    rows[lane] = uint32_t(u), rows[kMaxLanes + lane] = uint32_t(u >> 32);
  } else {
    rows[lane] = std::bit_cast<uint32_t>(v);
  }
}

// kCombines: apply(apply(m, a), b) equals apply(m, combine(a, b)).
template <class U> struct OpAdd {
  using T = U;
  static constexpr bool kCombines = true;
  static T apply(T m, T d) { return T(m + d); }
  static T combine(T a, T b) { return T(a + b); }
};
template <class U> struct OpSub {
  using T = U;
  static constexpr bool kCombines = true;
  static T apply(T m, T d) { return T(m - d); }
  static T combine(T a, T b) { return T(a + b); }
};
struct OpSubClamp { // not below 0
  using T = uint32_t;
  static constexpr bool kCombines = false;
  static T apply(T m, T d) { return m >= d ? m - d : 0; }
};
struct OpConditionalSub { // only where it is not below 0
  using T = uint32_t;
  static constexpr bool kCombines = false;
  static T apply(T m, T d) { return m >= d ? m - d : m; }
};
template <class U> struct OpRsub {
  using T = U;
  static constexpr bool kCombines = false;
  static T apply(T m, T d) { return T(d - m); }
};
template <class U> struct OpMin {
  using T = U;
  static constexpr bool kCombines = true;
  static T apply(T m, T d) { return d < m ? d : m; }
  static T combine(T a, T b) { return apply(a, b); }
};
template <class U> struct OpMax {
  using T = U;
  static constexpr bool kCombines = true;
  static T apply(T m, T d) { return d > m ? d : m; }
  static T combine(T a, T b) { return apply(a, b); }
};
template <class U> struct OpAnd {
  using T = U;
  static constexpr bool kCombines = true;
  static T apply(T m, T d) { return m & d; }
  static T combine(T a, T b) { return a & b; }
};
template <class U> struct OpOr {
  using T = U;
  static constexpr bool kCombines = true;
  static T apply(T m, T d) { return m | d; }
  static T combine(T a, T b) { return a | b; }
};
template <class U> struct OpXor {
  using T = U;
  static constexpr bool kCombines = true;
  static T apply(T m, T d) { return m ^ d; }
  static T combine(T a, T b) { return a ^ b; }
};
template <class U> struct OpSwap {
  using T = U;
  static constexpr bool kCombines = true;
  static T apply(T, T d) { return d; }
  static T combine(T, T b) { return b; }
};
template <class U> struct OpInc { // wraps to 0 at the limit
  using T = U;
  static constexpr bool kCombines = false;
  static T apply(T m, T d) { return m >= d ? 0 : m + 1; }
};
template <class U> struct OpDec { // wraps to the limit at 0
  using T = U;
  static constexpr bool kCombines = false;
  static T apply(T m, T d) { return m == 0 || m > d ? d : m - 1; }
};
// Floating point: in min and max a number wins over a NaN (ERRATA 10). Lanes are added one after the other, never combined.
template <class U> struct OpFloatAdd {
  using T = U;
  static constexpr bool kCombines = false;
  static T apply(T m, T d) { return m + d; }
};
template <class U> struct OpFloatMin {
  using T = U;
  static constexpr bool kCombines = false;
  static T apply(T m, T d) { return d != d ? m : m != m || d < m ? d : m; }
};
template <class U> struct OpFloatMax {
  using T = U;
  static constexpr bool kCombines = false;
  static T apply(T m, T d) { return d != d ? m : m != m || d > m ? d : m; }
};
struct OpPackedAddF16 {
  using T = uint32_t;
  static constexpr bool kCombines = false;
  static uint32_t half(uint32_t a, uint32_t b) {
    const _Float16 sum = std::bit_cast<_Float16>(uint16_t(a)) + std::bit_cast<_Float16>(uint16_t(b));
    return std::bit_cast<uint16_t>(sum);
  }
  static T apply(T m, T d) { return half(m & 0xffff, d & 0xffff) | half(m >> 16, d >> 16) << 16; }
};
struct OpPackedAddBf16 {
  using T = uint32_t;
  static constexpr bool kCombines = false;
  static uint32_t half(uint32_t a, uint32_t b) {
    const float sum = std::bit_cast<float>(a << 16) + std::bit_cast<float>(b << 16);
    const uint32_t u = std::bit_cast<uint32_t>(sum);
    if (sum != sum) return (u >> 16) | 0x40;
    return (u + 0x7fff + (u >> 16 & 1)) >> 16; // nearest even
  }
  static T apply(T m, T d) { return half(m & 0xffff, d & 0xffff) | half(m >> 16, d >> 16) << 16; }
};
// Two operands: replace where the mask says (DS), and compare-and-swap.
template <class U> struct OpMaskOr {
  using T = U;
  static T apply(T m, T mask, T d) { return (m & ~mask) | d; }
};
template <class U> struct OpCompareSwap {
  using T = U;
  static T apply(T m, T compare, T value) { return m == compare ? value : m; }
};

template <class U> struct OpCompareStore { // the operands of OpCompareSwap the other way round
  using T = U;
  static T apply(T m, T value, T compare) { return m == compare ? value : m; }
};

template <class U> struct OpWrap {
  using T = U;
  static T apply(T m, T limit, T more) { return m >= limit ? m - limit : m + more; }
};
struct OpConditionalExchange { // both dwords by themselves; the highest bit says whether, and is not stored
  using T = uint64_t;
  static constexpr bool kCombines = false;
  static uint64_t half(uint32_t m, uint32_t d) { return d >> 31 ? d & 0x7fffffff : m; }
  static T apply(T m, T d) { return half(uint32_t(m), uint32_t(d)) | half(uint32_t(m >> 32), uint32_t(d >> 32)) << 32; }
};

// The operation of a row's AtomicOp on elements of so many bytes; void: there is none.
template <AtomicOp, uint32_t kBytes> struct OperationOf {
  using Type = void;
};
#define OPERATION(op, bytes, ...)                                                                                      \
  template <> struct OperationOf<AtomicOp::op, bytes> {                                                                \
    using Type = __VA_ARGS__;                                                                                          \
  };
#define OPERATION_BOTH(op, Class, u32, u64) OPERATION(op, 4, Class<u32>) OPERATION(op, 8, Class<u64>)
OPERATION_BOTH(Swap, OpSwap, uint32_t, uint64_t)
OPERATION_BOTH(CompareSwap, OpCompareSwap, uint32_t, uint64_t)
OPERATION_BOTH(CompareSwapFloat, OpCompareSwap, float, double)
OPERATION_BOTH(CompareStore, OpCompareStore, uint32_t, uint64_t)
OPERATION_BOTH(CompareStoreFloat, OpCompareStore, float, double)
OPERATION_BOTH(Add, OpAdd, uint32_t, uint64_t)
OPERATION_BOTH(Sub, OpSub, uint32_t, uint64_t)
OPERATION_BOTH(ReverseSub, OpRsub, uint32_t, uint64_t)
OPERATION_BOTH(MinSigned, OpMin, int32_t, int64_t)
OPERATION_BOTH(MinUnsigned, OpMin, uint32_t, uint64_t)
OPERATION_BOTH(MaxSigned, OpMax, int32_t, int64_t)
OPERATION_BOTH(MaxUnsigned, OpMax, uint32_t, uint64_t)
OPERATION_BOTH(And, OpAnd, uint32_t, uint64_t)
OPERATION_BOTH(Or, OpOr, uint32_t, uint64_t)
OPERATION_BOTH(Xor, OpXor, uint32_t, uint64_t)
OPERATION_BOTH(Increment, OpInc, uint32_t, uint64_t)
OPERATION_BOTH(Decrement, OpDec, uint32_t, uint64_t)
OPERATION_BOTH(AddFloat, OpFloatAdd, float, double)
OPERATION_BOTH(MinFloat, OpFloatMin, float, double)
OPERATION_BOTH(MaxFloat, OpFloatMax, float, double)
OPERATION(AddHalfPair, 4, OpPackedAddF16)
OPERATION(AddBfloatPair, 4, OpPackedAddBf16)
OPERATION_BOTH(MaskOr, OpMaskOr, uint32_t, uint64_t)
OPERATION(SubClamp, 4, OpSubClamp)
OPERATION(ConditionalSub, 4, OpConditionalSub)
OPERATION(Wrap, 4, OpWrap<uint32_t>)
OPERATION(ConditionalExchange, 8, OpConditionalExchange)
#undef OPERATION_BOTH
#undef OPERATION
template <AtomicOp kOp, uint32_t kBytes> using AtomicOperation = typename OperationOf<kOp, kBytes>::Type;
template <class Op>
inline constexpr bool kTwoOperands = requires(typename Op::T m) { Op::apply(m, m, m); };

template <class> struct HasOperation;
template <int... I> struct HasOperation<std::integer_sequence<int, I...>> {
  static constexpr bool of(AtomicOp op, uint32_t bytes) {
    return ((int(op) == I && (bytes == 4 ? !std::is_void_v<AtomicOperation<AtomicOp(I), 4>>
                                         : !std::is_void_v<AtomicOperation<AtomicOp(I), 8>>)) || ...);
  }
};
// Atomics of these units that have an operation, on one element.
template <Unit... kUnits> constexpr bool is_atomic(const OpcodeRow& row) {
  return ((row.unit == kUnits) || ...) && row.memory.kind == MemoryKind::Atomic && row.memory.elements == 1 &&
         HasOperation<std::make_integer_sequence<int, int(AtomicOp::CompareStoreFloat) + 1>>::of(row.memory.atomic, row.memory.bytes);
}
