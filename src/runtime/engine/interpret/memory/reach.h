// runtime/engine/interpret/memory/reach.h - the range tests of memory accesses, of which every check is made: the
// arena, other memory that the address space allows, the work-group's LDS, a lane's private segment (dword d of lane l
// lies at scratch_base + d * 256 + l * 4). Handlers and the translator's library ask them on their fast ways; whatever
// is not plainly inside goes through access.h. Always inline, because the file is compiled at several host ISA levels.
#pragma once

#include "runtime/engine/engine.h"
#include "runtime/engine/wave/wave.h"

namespace hip::engine {

// Whether `bytes` from `address` on lie among the `room` bytes from `base` on, which are at least as many. T is
// uint64_t, or a vector of addresses; offsets have the base 0.
template<class T> [[gnu::always_inline]] inline auto lies_in(T address, uint64_t base, uint64_t room, uint64_t bytes) {
  return address - T(base) <= T(room - bytes);
}
// The same of one offset, for a room of any size.
[[gnu::always_inline]] inline bool ends_in(uint32_t offset, uint64_t bytes, uint64_t room) {
  return offset + bytes <= room;
}

[[gnu::always_inline]] inline bool in_arena(const Wave* w, uint64_t address, uint64_t bytes) {
  return lies_in(address, w->arena_base, w->arena_bytes, bytes) && bytes <= w->arena_bytes;
}
[[gnu::always_inline]] inline bool reachable(const Wave* w, uint64_t address, uint64_t bytes, Access access) {
  return in_arena(w, address, bytes) || w->space->accessible(address, bytes, access);
}
[[gnu::always_inline]] inline char* scratch_byte(const Wave* w, uint32_t lane, uint32_t offset) {
  return reinterpret_cast<char*>(w->scratch_base) + uint64_t(offset / 4) * kRowBytes + lane * 4 + offset % 4;
}

// The piece of memory that holds an element of `bytes` for each lane of `lanes`, which are some; 0 bytes: it goes round the end of
// the address space.
struct Hull {
  uint64_t base, bytes;
  uint64_t address_bits; // all that is set in any address
};
template <class AddressOf> [[gnu::always_inline]] inline Hull hull_of(uint64_t lanes, uint64_t bytes, AddressOf address_of) {
  uint64_t low = ~0ull, high = 0, bits = 0;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t address = address_of(uint32_t(__builtin_ctzll(rest)));
    if (address < low) low = address;
    if (address > high) high = address;
    bits |= address;
  }
  const uint64_t all = high - low + bytes;
  return {low, all > high - low ? all : 0, bits};
}

} // namespace hip::engine
