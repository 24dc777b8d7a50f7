// runtime/engine/store/block_plan.h - the layout of the block of memory that a CodeImage is: first the text, with a stub for each
// function of the engine that it calls; from the next page on the global offset table and the read-only data. The plan is made
// before any memory is allocated.
#pragma once

#include "runtime/engine/store/elf_object.h"

#include <optional>
#include <vector>

namespace hip::engine {

inline constexpr uint64_t kSlotBytes = 8; // an address
inline constexpr uint64_t kStubBytes = 8; // jmp *slot(%rip), padded

struct SymbolPlan {
  bool is_used = false;               // by a section of the block
  std::optional<uint64_t> slot, stub; // offsets in the block
};

struct BlockPlan {
  std::vector<std::optional<uint64_t>> sections; // by section: its offset in the block, if it is there
  std::vector<SymbolPlan> symbols;               // by symbol
  uint64_t text_bytes = 0;
  uint64_t data_begin = 0;          // begins a page; everything in front of it is executable
  uint64_t block_bytes = 0;         // whole pages
  bool needs_low_addresses = false; // the object has absolute 32-bit addresses

  // Errors: hipErrorNotSupported for a section of a kind that generated code does not have (the message names it),
  // hipErrorInvalidImage when there is no code.
  static Result<BlockPlan> make(const ElfObject& object);
};

// Whether a relocation's field is the distance to the symbol's slot in the global offset table.
bool goes_through_got(uint32_t relocation_type) noexcept;

} // namespace hip::engine
