// runtime/engine/interpret/memory/reach.h - what an address of a wave means: the arena, other memory that the address space
// allows, or bytes of a lane's private segment (dword d of lane l lies at scratch_base + d * 256 + l * 4). Always inline,
// because the file is compiled at several host ISA levels.
#pragma once

#include "runtime/engine/engine.h"
#include "runtime/engine/wave/wave.h"

namespace hip::engine {

[[gnu::always_inline]] inline bool in_arena(const Wave* w, uint64_t address, uint64_t bytes) {
  return address - w->arena_base <= w->arena_bytes - bytes && bytes <= w->arena_bytes;
}
[[gnu::always_inline]] inline bool reachable(const Wave* w, uint64_t address, uint64_t bytes, Access access) {
  return in_arena(w, address, bytes) || w->space->accessible(address, bytes, access);
}
[[gnu::always_inline]] inline char* scratch_byte(const Wave* w, uint32_t lane, uint32_t offset) {
  return reinterpret_cast<char*>(w->scratch_base) + uint64_t(offset / 4) * kRowBytes + lane * 4 + offset % 4;
}

} // namespace hip::engine
