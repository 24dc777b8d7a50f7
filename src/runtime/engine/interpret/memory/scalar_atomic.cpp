// runtime/engine/interpret/memory/scalar_atomic.cpp - atomics of the scalar unit, on an address or through a buffer
// resource, as host atomics. With GLC set the old value comes back in the data's registers. Compiled once for all host
// levels.
#include "runtime/engine/interpret/memory/lift.h"
#include "runtime/engine/interpret/memory/scalar_address.h"
#define MEM_INLINE inline
#define OMNIHIP_LEVEL common
#include "runtime/engine/interpret/memory/rows.h"

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace hip::engine {
namespace {

#include "runtime/engine/interpret/memory/atomic_ops.h"

template<class T> T value_at(Wave* w, uint32_t offset) {
  T v;
  std::memcpy(&v, &at<uint32_t>(w, offset), sizeof v);
  return v;
}

template<Opcode kOpcode> void RT_HANDLER_CC run_scalar_atomic(Wave* w, const Inst* i) {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  using Op = AtomicOperation<kAccess.atomic, kAccess.bytes>;
  using T = typename Op::T;
  using Word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  w->pc = i;
  uint64_t address = 0;
  bool inside = true;
  if constexpr (row_of(kOpcode).unit == Unit::ScalarBuffer) {
    const ScalarBuffer buffer = scalar_buffer(w, i);
    const uint64_t offset = scalar_offset(w, i) & ~3ull;
    inside = offset + sizeof(T) <= buffer.bytes;
    address = buffer.base + offset;
  } else {
    address = (sgpr64_at(w, i->src[1]) + scalar_offset(w, i)) & ~3ull;
  }
  const T data = value_at<T>(w, i->dst2);
  Word old{};
  if (inside) {
    if (!scalar_admitted(w, i, address, sizeof(T), MemoryKind::Atomic)) return;
    Word* const p = reinterpret_cast<Word*>(address);
    old = __atomic_load_n(p, __ATOMIC_RELAXED);
    for (bool done = false; !done;) {
      T next;
      if constexpr (kTwoOperands<Op>)
        next = Op::apply(std::bit_cast<T>(old), value_at<T>(w, i->dst2 + sizeof(T)), data);
      else
        next = Op::apply(std::bit_cast<T>(old), data);
      done = __atomic_compare_exchange_n(p, &old, std::bit_cast<Word>(next), true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    }
  }
  if (i->flags) std::memcpy(&at<uint32_t>(w, i->dst2), &old, sizeof old);
  RT_NEXT(w, i);
}

constexpr auto kRows = map_opcodes<is_atomic<Unit::ScalarMemory, Unit::ScalarBuffer>>([]<Opcode kOpcode>() -> OpRow {
  return {kOpcode, lift_scalar_memory, {run_scalar_atomic<kOpcode>}};
});

} // namespace

std::span<const OpRow> scalar_atomic_rows() noexcept { return kRows; }

} // namespace hip::engine
