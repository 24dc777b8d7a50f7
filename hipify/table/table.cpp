// Lookup in the arrays that make_table makes.
#include "table.h"

#include "name_hash.h"

#include <iterator>

namespace hip::hipify {
namespace {

struct TextRange {
  uint32_t offset;
  uint32_t size;
};

struct PackedRow {
  TextRange cuda, hip, roc, cuda_added, cuda_deprecated, cuda_removed, hip_added, hip_deprecated, hip_removed;
  Kind kind;
  Api api;
  uint8_t flags;
};

struct PackedAdvice {
  TextRange prefix, advice;
};

#include "cuda2hip.inc"

static_assert(std::size(kIndex) == kIndexSlots);
static_assert(std::size(kRows) < UINT16_MAX, "a row's number has 16 bits");

constexpr std::string_view text(TextRange range) { return {kText + range.offset, range.size}; }

constexpr std::string_view kKindNames[kKindCount] = {"runtime functions",
                                                     "driver functions",
                                                     "NVRTC functions",
                                                     "library functions",
                                                     "device functions",
                                                     "library device functions",
                                                     "complex functions",
                                                     "types",
                                                     "device types",
                                                     "enumerators",
                                                     "macros",
                                                     "headers"};

constexpr std::string_view kApiNames[kApiCount] = {"runtime", "driver",   "NVRTC",  "cuComplex", "cuBLAS",
                                                   "cuDNN",   "cuFFT",    "cuRAND", "cuSOLVER",  "cuSPARSE",
                                                   "CUB",     "cuTENSOR", "NCCL",   "NVTX"};

} // namespace

size_t row_count() { return std::size(kRows); }

Row row(size_t number) {
  const PackedRow& packed = kRows[number];
  return {.cuda = text(packed.cuda),
          .hip = text(packed.hip),
          .roc = text(packed.roc),
          .cuda_added = text(packed.cuda_added),
          .cuda_deprecated = text(packed.cuda_deprecated),
          .cuda_removed = text(packed.cuda_removed),
          .hip_added = text(packed.hip_added),
          .hip_deprecated = text(packed.hip_deprecated),
          .hip_removed = text(packed.hip_removed),
          .kind = packed.kind,
          .api = packed.api,
          .flags = packed.flags,
          .number = static_cast<uint16_t>(number)};
}

bool find_row(std::string_view cuda, Row& found) {
  for (size_t slot = name_hash(cuda) % kIndexSlots; kIndex[slot]; slot = (slot + 1) % kIndexSlots) {
    const size_t number = kIndex[slot] - 1u;
    if (text(kRows[number].cuda) != cuda) continue;
    found = row(number);
    return true;
  }
  return false;
}

std::string_view advice_for(std::string_view cuda) {
  std::string_view prefix, advice;
  for (const PackedAdvice& packed : kAdvice) {
    const std::string_view candidate = text(packed.prefix);
    if (candidate.size() > prefix.size() && cuda.starts_with(candidate)) {
      prefix = candidate;
      advice = text(packed.advice);
    }
  }
  return advice;
}

std::string_view kind_name(Kind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::string_view api_name(Api api) { return kApiNames[static_cast<size_t>(api)]; }

std::string version_text(std::string_view version) {
  if (version == "?") return "not known";
  if (version.starts_with("<=")) return std::string(version.substr(2)) + " or earlier";
  return std::string(version);
}

} // namespace hip::hipify
