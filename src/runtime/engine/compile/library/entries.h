// runtime/engine/compile/library/entries.h - the tables through which the translator finds the library's functions. The
// library is LLVM bitcode, made from the same definitions as the handlers; the translator reads these tables as constants
// of the module, inlines the functions and never runs them as they are. `opcode` is an Opcode (isa/opcode.h).
#pragma once

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
struct SaluOut {
  uint64_t value, exec;
  uint32_t scc, write;
};
struct SaluEntry {
  uint32_t opcode;
  const void* function;
};

// What one strip of the result is, of addresses and all strips of the data: (addresses, data 0, …, data 3) -> strip.
struct LanesEntry {
  const char* name;
  const void* function;
};

// A SCRATCH access of one strip. `slot`: all lanes at one offset, which has been found to be inside and in a slot (interpret/memory/scratch.h):
// (base of the wave's private memory, offset, lanes, strip, dwords*). `any`: (Wave*, base and size of the wave's private memory,
// offsets, lanes, strip, pc, dwords*) -> whether the wave may go on.
struct ScratchEntry {
  uint32_t opcode;
  const void *slot, *any;
  uint32_t bytes, dwords, stores;
  uint32_t merges; // the destination's old value takes part (d16)
};

// A vector memory access of one strip. What `linear` and `uniform` are given has been found to be inside the arena or LDS:
// (pointer, dwords*), for stores by `uniform` with the lane whose value stays. `any` looks for itself: (Wave*, base and size of the arena or of LDS, ..., dwords*, of
// which each register's strips lie side by side as in a wave's block) -> whether the wave may go on; false: it has stopped with a fault. `wave`, where there is one, takes the place of `any`, for all four strips: (Wave*, base and size of LDS,
// offset, four strips of addresses, lanes, dwords*); it never fails. `pattern` and `pattern_two`, beside `wave`, take lane 0 of
// four strips (of two accesses) and one pattern (patterns.h) in place of offset and addresses; dwords of four strips (eight).
// Behind its eight strips `pattern_two` keeps, for the same access, what it has found out: kKeptRows strips, all ones at first.
inline constexpr uint32_t kKeptRows = 6;
enum class Space : uint32_t { Global, Lds };
struct MemoryEntry {
  uint32_t opcode;
  const void* linear;   // all lanes, elements one after the other
  const void* uniform;  // all lanes at one address
  const void* any;
  const void* wave;     // null: there is none
  const void* strided;  // elements at a stride that is known: (pointer, stride in bytes, dwords*), as `linear`; null: none
  Space space;
  uint32_t bytes, dwords;
  uint32_t stores;
  uint32_t merges; // the destination's old value takes part (d16)
  uint32_t returns; // an atomic that gives back the old value; with `stores`
  const void *pattern, *pattern_two; // null: there are none
};

// A matrix instruction (isa/matrix.inl). Registers are arrays of four strips.
struct MatrixEntry {
  uint32_t opcode;
  const char* needs;     // a feature of the host ("+avx512bf16"), where there are rows for hosts with and without; or null
  const void* prepare_a; // (registers, index register, units)
  const void* prepare_b; // (registers, units)
  // (units of A and of B, two pointers for each of several instructions; how many; their sums: C, then D; whether the sums are
  // known to be coarse) -> whether they then are. Coarse sums are multiples of 2^-126, so that none is a denormal number.
  const void* multiply;
  uint32_t unit_bytes_a, unit_bytes_b;
  uint32_t in_place; // units may take the place of the registers that they are made from
};

} // namespace hip::engine::library
