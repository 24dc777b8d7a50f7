// runtime/engine/interpret/memory/atomic.cpp - GLOBAL, FLAT and MUBUF atomics of one host ISA level, as host atomics. Lanes with the
// same address share one host atomic: their operands are combined beforehand where the operation allows it, else applied lane
// after lane inside one compare-and-swap (ERRATA 37). Memory ordering: every host atomic here is sequentially consistent, which
// covers all scopes and orders of the ISA.
#include "runtime/engine/interpret/memory/buffer.h"
#include "runtime/engine/interpret/memory/mem.h"
#include "runtime/engine/interpret/memory/rows.h"

#include <type_traits>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

#include "runtime/engine/interpret/memory/atomic_ops.h"

template <class T> using HostWord = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

// Replaces the value v at `address` by f(v) atomically and returns v.
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

// For lanes that are not all in the arena, or not all aligned: checks the addresses, and replaces those of LDS and
// private memory by host addresses. False when the wave has stopped with a fault.
template<bool kFlat>
[[gnu::noinline]] bool other_addresses(Wave* w, const Inst* i, uint64_t exec, uint32_t bytes, uint64_t* addresses) {
  uint64_t host = 0; // lanes whose address is a host address of LDS or private memory by now
  if constexpr (kFlat) {
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
      const uint32_t l = uint32_t(std::countr_zero(rest));
      const FlatPlace place = flat_place(w, addresses[l]);
      if (place.space == MemorySpace::Global) continue;
      const WaveAccess access{i, place.space, MemoryKind::Atomic, bytes, 1ull << l, &place.address, l};
      const auto ahead = admit(w, access);
      if (!ahead) return false;
      if (!*ahead) return stop_with_memory_fault(w, access, access.lanes), false; // an atomic outside LDS is not dropped
      const uint32_t offset = uint32_t(place.address);
      const bool own = place.space == MemorySpace::Scratch;
      if (own && (bytes != 4 || offset % 4 != 0)) return stop_with_fault(w, i, FaultKind::Unsupported), false;
      addresses[l] = own ? reinterpret_cast<uint64_t>(scratch_byte(w, l, offset)) : reinterpret_cast<uint64_t>(w->lds) + offset;
      host |= 1ull << l;
    }
  }
  return admit(w, {i, MemorySpace::Global, MemoryKind::Atomic, bytes, exec & ~host, addresses}).has_value();
}

// The host addresses of the active lanes' values. Inactive lanes have that of the first active lane.
struct LaneAddresses {
  alignas(64) uint64_t addresses[kMaxLanes];
  bool equal; // all addresses are the same
};
template <bool kFlat> [[gnu::noinline]] bool find_addresses(Wave* w, const Inst* i, uint64_t exec, uint32_t bytes, LaneAddresses& out) {
  using U64x8 = V8<uint64_t>;
  const uint32_t* low = &at<uint32_t>(w, i->src[0]);
  const uint32_t* high = low + kMaxLanes;
  const bool scalar = i->src[1] != 0;
  const uint64_t base = i->imm[0] + (scalar ? load_unaligned<uint64_t>(&at<uint32_t>(w, i->src[1])) : 0);
  const uint64_t one = global_address(w, i, uint32_t(std::countr_zero(exec)));
  U64x8 bad(0), differ(0), bits(0);
  for (uint32_t l = 0; l < kMaxLanes; l += 8) {
    U64x8 a = __builtin_convertvector(load_unaligned<V8<uint32_t>>(low + l), U64x8) + base;
    if (!scalar) a += __builtin_convertvector(load_unaligned<V8<uint32_t>>(high + l), U64x8) << 32;
    const auto active = __builtin_bit_cast(V8<bool>, uint8_t(exec >> l));
    a = active ? a : U64x8(one);
    differ |= a ^ one;
    bits |= a;
    bad |= U64x8(!lies_in(a, w->arena_base, w->arena_bytes, bytes)); // every arena is larger than a value
    *reinterpret_cast<U64x8*>(out.addresses + l) = a;
  }
  const bool misaligned = __builtin_reduce_or(bits) & (bytes - 1);
  if ((__builtin_reduce_or(bad) || misaligned) && !other_addresses<kFlat>(w, i, exec, bytes, out.addresses))
    return false;
  // In private memory the same address means another place for every lane.
  out.equal = !__builtin_reduce_or(differ) && !(kFlat && one >> 32 == w->private_aperture >> 32);
  return true;
}

// The same through a buffer resource. Lanes whose value is outside the buffer leave `exec`: they get 0, and memory stays
// (ERRATA 34).
[[gnu::noinline]] bool find_buffer_addresses(Wave* w, const Inst* i, uint64_t& exec, uint32_t bytes, uint32_t* dst, LaneAddresses& out) {
  const Buffer buffer = buffer_of(w, i);
  uint64_t inside = 0, one = 0;
  out.equal = true;
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(std::countr_zero(rest));
    const BufferElement element = buffer_element(w, i, buffer, l, bytes);
    out.addresses[l] = element.address;
    if (!element.fits) continue;
    if (inside && element.address != one) out.equal = false;
    if (!inside) one = element.address;
    inside |= 1ull << l;
  }
  for (uint32_t l = 0; l < kMaxLanes; ++l)
    if (!(inside >> l & 1)) out.addresses[l] = one;
  for (uint64_t rest = dst ? exec & ~inside : 0; rest; rest &= rest - 1)
    for (uint32_t k = 0; k < bytes / 4; ++k) dst[k * kMaxLanes + uint32_t(std::countr_zero(rest))] = 0;
  exec = inside;
  return admit(w, {i, MemorySpace::Global, MemoryKind::Atomic, bytes, inside, out.addresses}).has_value();
}
enum class AtomicForm { Global, Flat, Buffer };
template <AtomicForm kForm> MEM_INLINE bool find_lanes(Wave* w, const Inst* i, uint64_t& exec, uint32_t bytes, uint32_t* dst, LaneAddresses& out) {
  if constexpr (kForm == AtomicForm::Buffer)
    return find_buffer_addresses(w, i, exec, bytes, dst, out);
  else
    return find_addresses<kForm == AtomicForm::Flat>(w, i, exec, bytes, out);
}

// The lanes with this address; inactive lanes may be among them.
MEM_INLINE uint64_t lanes_at(const LaneAddresses& all, uint64_t address) {
  uint64_t lanes = 0;
  for (uint32_t l = 0; l < kMaxLanes; l += 8)
    lanes |= uint64_t(__builtin_bit_cast(uint8_t, __builtin_convertvector(*reinterpret_cast<const V8<uint64_t>*>(all.addresses + l) == address, V8<bool>))) << l;
  return lanes;
}
// With fewer lanes on one address, one host atomic for each is as fast.
constexpr int kWorthCombining = 4;

// Calls f(lane) for each lane that is set, in ascending order.
template <class F> MEM_INLINE void for_lanes(uint64_t exec, F f) {
  if (exec == ~0ull)
    for (uint32_t l = 0; l < kMaxLanes; ++l) f(l);
  else
    for (; exec; exec &= exec - 1) f(uint32_t(std::countr_zero(exec)));
}

// Executes the lanes of `exec`, which have the same address. The destination may be the data's own row, so it is written last.
template <class Op> [[gnu::noinline]] void combined(uint64_t address, uint64_t exec, const uint32_t* data, uint32_t* dst) {
  using T = typename Op::T;
  T olds[kMaxLanes];
  const uint32_t first = uint32_t(std::countr_zero(exec));
  if constexpr (Op::kCombines) {
    T sum = lane_value<T>(data, first);
    for_lanes(exec & (exec - 1), [&](uint32_t l) { sum = Op::combine(sum, lane_value<T>(data, l)); });
    T m = host_atomic<Op>(address, sum);
    if (!dst) return;
    for_lanes(exec, [&](uint32_t l) { // the old values, as if the lanes had come one after the other
      olds[l] = m;
      m = Op::apply(m, lane_value<T>(data, l));
    });
  } else {
    exchange_with<T>(address, [&](T m) {
      for_lanes(exec, [&](uint32_t l) {
        olds[l] = m;
        m = Op::apply(m, lane_value<T>(data, l));
      });
      return m;
    });
    if (!dst) return;
  }
  for_lanes(exec, [&](uint32_t l) { set_lane_value(dst, l, olds[l]); });
}

template <class Op, AtomicForm kForm> void RT_HANDLER_CC run_atomic(Wave* w, const Inst* i) {
  using T = typename Op::T;
  w->pc = i;
  uint64_t exec = w->exec();
  if (exec) {
    const uint32_t* data = &at<uint32_t>(w, i->dst2);
    uint32_t* dst = i->flags ? &at<uint32_t>(w, i->dst) : nullptr;
    if constexpr (kForm != AtomicForm::Buffer) {
      const uint32_t first = uint32_t(std::countr_zero(exec));
      const uint64_t one = global_address(w, i, first);
      if (!(exec & (exec - 1)) && in_arena(w, one, sizeof(T)) &&
          one % sizeof(T) == 0) { // one active lane: compilers emit this for a uniform address
        const T old = host_atomic<Op>(one, lane_value<T>(data, first));
        if (dst) set_lane_value(dst, first, old);
        RT_NEXT(w, i);
      }
    }
    LaneAddresses at_lanes;
    if (!find_lanes<kForm>(w, i, exec, sizeof(T), dst, at_lanes)) return;
    // As long as many lanes have the first remaining lane's address, these are executed together. Operations that do not combine
    // gain from that only when it is the whole wave.
    uint64_t rest = exec;
    for (uint64_t together; (Op::kCombines || at_lanes.equal) && (rest & (rest - 1)); rest &= ~together) {
      const uint64_t address = at_lanes.addresses[std::countr_zero(rest)];
      together = at_lanes.equal ? rest : rest & lanes_at(at_lanes, address);
      if (std::popcount(together) < kWorthCombining && !at_lanes.equal) break;
      combined<Op>(address, together, data, dst);
    }
    if (dst)
      for_lanes(rest, [&](uint32_t l) { set_lane_value(dst, l, host_atomic<Op>(at_lanes.addresses[l], lane_value<T>(data, l))); });
    else
      for_lanes(rest, [&](uint32_t l) { host_atomic<Op>(at_lanes.addresses[l], lane_value<T>(data, l)); });
  }
  RT_NEXT(w, i);
}

// The data's registers are the new value, then the value to compare with.
template<class Op, AtomicForm kForm> void RT_HANDLER_CC run_compare_swap(Wave* w, const Inst* i) {
  using T = typename Op::T;
  w->pc = i;
  uint64_t exec = w->exec();
  if (exec) {
    uint32_t* dst = i->flags ? &at<uint32_t>(w, i->dst) : nullptr;
    LaneAddresses at_lanes;
    T values[kMaxLanes], compares[kMaxLanes]; // the destination, where lanes outside a buffer get 0, may be a row of them
    const uint32_t* data = &at<uint32_t>(w, i->dst2);
    for_lanes(exec, [&](uint32_t l) {
      values[l] = lane_value<T>(data, l);
      compares[l] = lane_value<T>(data + sizeof(T) / 4 * kMaxLanes, l);
    });
    if (!find_lanes<kForm>(w, i, exec, sizeof(T), dst, at_lanes)) return;
    T olds[kMaxLanes]; // the destination may be a row of the data
    if (at_lanes.equal && (exec & (exec - 1))) {
      exchange_with<T>(at_lanes.addresses[std::countr_zero(exec)], [&](T m) {
        for_lanes(exec, [&](uint32_t l) {
          olds[l] = m;
          m = Op::apply(m, compares[l], values[l]);
        });
        return m;
      });
    } else if constexpr (std::is_floating_point_v<T>) { // whose equality is not that of their bits
      for_lanes(exec, [&](uint32_t l) {
        olds[l] = exchange_with<T>(at_lanes.addresses[l], [&](T m) { return Op::apply(m, compares[l], values[l]); });
      });
    } else {
      for_lanes(exec, [&](uint32_t l) {
        olds[l] = compares[l];
        __atomic_compare_exchange_n(reinterpret_cast<T*>(at_lanes.addresses[l]), &olds[l], values[l], false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      });
    }
    if (dst) for_lanes(exec, [&](uint32_t l) { set_lane_value(dst, l, olds[l]); });
  }
  RT_NEXT(w, i);
}

constexpr bool is_global_atomic(const OpcodeRow& row) {
  return is_atomic<Unit::Global, Unit::Flat, Unit::Buffer>(row) && row.memory.atomic != AtomicOp::MaskOr;
}
constexpr auto kRows = map_opcodes<is_global_atomic>([]<Opcode kOpcode>() -> OpRow {
  constexpr MemoryAccess kAccess = row_of(kOpcode).memory;
  using Op = AtomicOperation<kAccess.atomic, kAccess.bytes>;
  constexpr bool kBuffer = row_of(kOpcode).unit == Unit::Buffer;
  constexpr LiftFn kLift = kBuffer ? lift_buffer : lift_atomic;
  constexpr AtomicForm kFirst = kBuffer ? AtomicForm::Buffer : AtomicForm::Global, kSecond = kBuffer ? AtomicForm::Buffer : AtomicForm::Flat;
  if constexpr (kTwoOperands<Op>)
    return {kOpcode, kLift, {&run_compare_swap<Op, kFirst>, &run_compare_swap<Op, kSecond>}};
  else
    return {kOpcode, kLift, {&run_atomic<Op, kFirst>, &run_atomic<Op, kSecond>}};
});

} // namespace

std::span<const OpRow> atomic_rows() noexcept { return kRows; }

} // namespace hip::engine::OMNIHIP_LEVEL
