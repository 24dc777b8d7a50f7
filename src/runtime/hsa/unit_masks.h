// runtime/hsa/unit_masks.h - HSA_CU_MASK: on which compute units of which GPUs all queues execute, whatever masks they
// get by themselves. The format is ROCr's: sets of "GPUs:units", separated by ';', as in "0,2-3:0-15,32-47; 1:0x337F",
// with GPUs as ROCR_VISIBLE_DEVICES leaves them. Pure functions on text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hip::hsa {

// Bits of compute units in words of 32; empty: all units.
using UnitMask = std::vector<uint32_t>;

struct UnitMasks {
  std::vector<UnitMask> of_gpu; // one for each
  std::string problem;          // what is wrong in the text; empty: nothing
};

// Reading stops at the first set that is wrong, which counts for nothing, nor does what follows it. GPUs and units that
// there are not are left out; a GPU or unit that is named twice, or a set without any unit or GPU, is wrong.
// `most_units`: of the GPU that has most.
UnitMasks parse_unit_masks(std::string_view text, size_t gpus, size_t most_units);

// The units of `wanted` that `limit` allows. `reduced`: it has others.
UnitMask limited(const UnitMask& wanted, const UnitMask& limit, bool& reduced);

// Whether each pair of units (0 and 1, 2 and 3, ...) is in the mask as a whole or not at all: the two of a work-group
// processor. A last unit without another is a whole by itself.
bool takes_whole_pairs(const UnitMask& mask, size_t units) noexcept;

} // namespace hip::hsa
