// runtime/engine/compile/library/signatures.h - how translated code calls the library: one function type per kind of
// entry. The library's sources are checked against them where they fill the tables of entries.h (a mismatch does not
// compile), the bitcode where it is loaded (Library::check_signatures), and the emitters where they call
// (LibraryFunction::call).
#pragma once

#include <cstdint>

namespace hip::engine {
struct Wave;
}

namespace hip::engine::library {

// 16 lanes of a register. `dwords` of an element are one strip per register, one behind the other.
using Strip = uint32_t __attribute__((ext_vector_type(16)));

// What a SALU definition writes.
struct SaluOut {
  uint64_t value, exec;
  uint32_t scc, write;
};

// --- Memory. `memory` and `bytes` are the arena's or LDS's place; `lanes` the active ones of the strip, `exec` of the
// wave; `at` is where the guest instruction lies, counted from its function's first byte, with flags of support.h. What
// does not look itself is given addresses that have been found to be inside.

// Elements of all lanes, one after the other, or `stride` bytes apart.
using AccessLinear = void(char* first, Strip* dwords);
using AccessStrided = void(char* first, uint64_t stride, Strip* dwords);
// All lanes at one address: a scalar per dword; of a store the lane whose value stays.
using LoadUniform = void(const char* address, uint32_t* dwords);
using StoreUniform = void(char* address, const Strip* dwords, uint32_t lane);
// Looks at each lane's address, base + low + high * 2^32. Whether the wave may go on; false: it has stopped with a
// fault. Each register's four strips lie side by side as in a wave's block, so `dwords` is strip `strip` of the first.
using AccessAny = bool(Wave* wave, uint64_t memory, uint64_t bytes, uint64_t base, Strip low, Strip high,
                       uint16_t lanes, uint32_t strip, uint64_t at, Strip* dwords);
// A load of all strips of the wave at once whose lanes are near each other within each strip. Whether they are; if not,
// each strip has to be loaded again.
using LoadNear = bool(Wave* wave, uint64_t base, Strip low0, Strip low1, Strip low2, Strip low3, Strip high0,
                      Strip high1, Strip high2, Strip high3, uint64_t exec, uint64_t at, Strip* dwords);
// Whether it is worth trying, by the low halves of strip 0.
using LooksNear = bool(Strip low, uint16_t lanes);
// An atomic of all strips of the wave at once, otherwise as AccessAny. First it writes down where in LDS its lanes are, and says
// whether all of them are active, inside and aligned; then it is made.
using AtomicPlaces = bool(uint64_t bytes, uint64_t offset, Strip address0, Strip address1, Strip address2, Strip address3,
                          uint64_t exec, Strip* places);
using AtomicWave = bool(Wave* wave, uint64_t lds, uint64_t bytes, uint64_t offset, Strip address0, Strip address1,
                        Strip address2, Strip address3, uint64_t exec, uint64_t at, Strip* dwords, const Strip* places,
                        bool good);
// All strips of the wave at once; never fails. Of a wave of 32 lanes the first two strips count here and below.
using AccessWave = void(Wave* wave, uint64_t lds, uint64_t bytes, uint64_t offset, Strip address0, Strip address1,
                        Strip address2, Strip address3, uint64_t exec, Strip* dwords);
// Likewise, by addresses with a pattern (analysis/patterns.h): lane 0 of four strips, and the pattern.
using AccessPattern = void(Wave* wave, uint64_t lds, uint64_t bytes, uint32_t first0, uint32_t first1, uint32_t first2,
                           uint32_t first3, Strip pattern, uint64_t exec, Strip* dwords);
// Two of them with one pattern. Behind its eight strips of dwords it keeps, for the same access, what it has found out:
// kKeptRows strips, all ones at first.
using AccessPatternTwo = void(Wave* wave, uint64_t lds, uint64_t bytes, uint32_t first0, uint32_t first1,
                              uint32_t first2, uint32_t first3, uint32_t second0, uint32_t second1, uint32_t second2,
                              uint32_t second3, Strip pattern, uint64_t exec, Strip* dwords);
inline constexpr uint32_t kKeptRows = 6;

// --- Private memory: its base and size, of the wave.

// All lanes at one offset, which has been found to be inside and in a slot (interpret/memory/scratch.h).
using ScratchSlot = void(uint64_t base, uint32_t offset, uint16_t lanes, uint32_t strip, Strip* dwords);
// Whether the wave may go on.
using ScratchAny = bool(Wave* wave, uint64_t base, uint64_t bytes, Strip offsets, uint16_t lanes, uint32_t strip,
                        uint64_t at, Strip* dwords);

// --- Buffers, without an index: the resource's dwords, two and two; the instruction's offset and the scalar one together; what each
// strip adds to it; the rows of the data's registers in the wave's block. Whether the access is made; else, perhaps after a part of it,
// a handler has to make it. `instruction` tells instructions apart.
using BufferAccess = bool(Wave* wave, uint64_t low, uint64_t high, uint64_t fixed, Strip offsets0, Strip offsets1, Strip offsets2,
                          Strip offsets3, uint64_t exec, uint64_t instruction, Strip* rows);

// --- One strip of a result, of its addresses and all strips of the data.
using Crossbar = Strip(Strip addresses, Strip data0, Strip data1, Strip data2, Strip data3);

// --- Matrix instructions. Registers are arrays of four strips; units are what A and B are multiplied as.
struct MatrixRegisters;
struct MatrixUnits;
struct MatrixFactors; // units of A and of B: two pointers
using PrepareA = void(const MatrixRegisters* rows, const MatrixRegisters* index, MatrixUnits* units);
using PrepareB = void(const MatrixRegisters* rows, MatrixUnits* units);
// Adds the products of `count` instructions to their sums: C, then D. `coarse`: whether the sums are known to be
// coarse, multiples of 2^-126, so that none is a denormal number; returns whether they then are.
using Multiply = uint32_t(const MatrixFactors* all, uint32_t count, MatrixRegisters* sums, uint32_t coarse);

// The address of a function of that type, for tables whose functions differ in type.
template<class Signature> const void* address_of(Signature* function) {
  return reinterpret_cast<const void*>(function);
}

} // namespace hip::engine::library
