// runtime/engine/compile/library/entries.h - the tables through which the translator finds the library's functions. The
// library is LLVM bitcode, made from the same definitions as the handlers; the translator reads these tables as constants
// of the module, inlines the functions and never runs them as they are. `opcode` is an Opcode (isa/opcode.h).
#pragma once

#include "runtime/engine/compile/library/signatures.h"

#include <cstdint>

// The name of a table of what is compiled more than once: with the level (namespace) that it is compiled for behind it.
#define OMNIHIP_LEVEL_TABLE(name) OMNIHIP_LEVEL_TABLE2(name, OMNIHIP_LEVEL)
#define OMNIHIP_LEVEL_TABLE2(name, level) OMNIHIP_LEVEL_TABLE3(name, level)
#define OMNIHIP_LEVEL_TABLE3(name, level) name##_##level

namespace hip::engine::library {

// A VALU definition on one strip of lanes (table omnihip_valu_strip) or on one lane (omnihip_valu_lane). Parameters:
// `flags` (clamp and omod as in Inst::flags), then all dwords of all operands, then all lane masks (bits of the strip).
// Result: the dword, the mask, or both through a pointer in front (struct { dwords; mask }).
struct ValuEntry {
  uint32_t opcode;
  const void* function;
};

// A SALU definition. Parameters: SaluOut*, then one uint64_t per parameter (SCC as 0 or 1, EXEC).
struct SaluEntry {
  uint32_t opcode;
  const void* function;
};

// The crossbar ("bpermute", of type Crossbar), and what isa/helpers.inl leaves to the host: each of the type with which
// host_functions.h declares it (omnihip_host_<name>).
struct LanesEntry {
  const char* name;
  const void* function;
};
inline constexpr char kOddFmaToNearest[] = "fma_to_odd_nearest"; // "fma_to_odd" while MXCSR rounds to nearest

// A SCRATCH access of one strip.
struct ScratchEntry {
  uint32_t opcode;
  ScratchSlot* slot;
  ScratchAny* any;
  uint32_t bytes, dwords, stores;
  uint32_t merges; // the destination's old value takes part (d16)
};

// A MUBUF access of all strips.
struct BufferEntry {
  uint32_t opcode;
  BufferAccess* access;
};

// A vector memory access. Null: there is no such way. Where there is `wave`, it takes the place of `any`; atomics have
// `atomic_places` and `atomic_wave` only.
enum class Space : uint32_t { Global, Lds };
struct MemoryEntry {
  uint32_t opcode;
  AccessLinear* linear;
  LoadUniform* load_uniform;
  StoreUniform* store_uniform;
  AccessAny* any;
  AccessWave* wave;
  AccessStrided* strided;
  AccessPattern* pattern;
  AccessPatternTwo* pattern_two;
  Space space;
  uint32_t bytes, dwords;
  uint32_t stores;
  uint32_t merges;  // the destination's old value takes part (d16)
  uint32_t returns; // an atomic that gives back the old value; with `stores`
  // `wave`, `pattern` and `pattern_two` for waves of 32 lanes.
  AccessWave* wave32;
  AccessPattern* pattern32;
  AccessPatternTwo* pattern_two32;
  AtomicWave *atomic_wave, *atomic_wave32;
  AtomicPlaces *atomic_places, *atomic_places32;
  LoadNear *near, *near32;
  LooksNear* looks_near; // where there is `near`
};

// A matrix instruction (isa/matrix.inl).
struct MatrixEntry {
  uint32_t opcode;
  const char* needs; // a feature of the host ("+avx512bf16"), where there are rows for hosts with and without; or null
  PrepareA* prepare_a;
  PrepareB* prepare_b;
  Multiply* multiply;
  uint32_t unit_bytes_a, unit_bytes_b;
  uint32_t in_place; // units may take the place of the registers that they are made from
  uint32_t as_is;    // and are those registers, unless something comes behind them
};

} // namespace hip::engine::library
