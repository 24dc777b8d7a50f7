// hipify/table/table.h - what CUDA's names are called in HIP: the rows of cuda2hip.tsv, found by name, and the advice
// of advice.tsv for what has to be done by hand. Both are compiled into the program.
//
// Thread safety: constants; any thread may look anything up.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hip::hipify {

enum class Kind : uint8_t {
  RuntimeFunction,
  DriverFunction,
  RtcFunction,
  LibraryFunction,
  DeviceFunction,
  LibraryDeviceFunction,
  ComplexFunction,
  Type,
  DeviceType,
  EnumValue,
  Macro,
  Include,
};
constexpr size_t kKindCount = 12;

enum class Api : uint8_t {
  Runtime,
  Driver,
  Nvrtc,
  CuComplex,
  CuBlas,
  CuDnn,
  CuFft,
  CuRand,
  CuSolver,
  CuSparse,
  Cub,
  CuTensor,
  Nccl,
  Nvtx
};
constexpr size_t kApiCount = 14;

// Flags of a row.
constexpr uint8_t kNoHip = 1;        // HIP has no counterpart
constexpr uint8_t kNoRoc = 2;        // the roc libraries have none
constexpr uint8_t kExperimental = 4; // the counterpart is there, its interface may change
constexpr uint8_t kOverloaded = 8;   // CUDA has several functions of this name; the number of arguments decides

// One name of CUDA. Versions are CUDA's ("12.0") or the library's ("cuDNN 8.0.1"), and HIP's ("6.2.0"). "<=7.0": it is in
// 7.0, and nothing is known of those before; "?": not known; "OmniHIP": this SDK alone has it. Every row has cuda_added,
// every one with a name of HIP hip_added; of the others an empty one means never.
struct Row {
  std::string_view cuda;
  std::string_view hip; // empty: an include or macro that is dropped; with kNoHip also: nothing known
  std::string_view roc; // the name with -roc, where that is another
  std::string_view cuda_added, cuda_deprecated, cuda_removed;
  std::string_view hip_added, hip_deprecated, hip_removed;
  Kind kind{};
  Api api{};
  uint8_t flags = 0;
  uint16_t number = 0; // its place in the table, which is sorted by name

  bool has_hip() const { return !(flags & kNoHip); }
  bool has_roc() const { return !(flags & kNoRoc) && !roc.empty(); }
};

size_t row_count();
Row row(size_t number); // number < row_count()

// The row of a name; false: the table has none, and `found` is unchanged.
bool find_row(std::string_view cuda, Row& found);

// What to do by hand about a name without counterpart: the advice of the longest prefix of the name that has one; empty
// where there is none.
std::string_view advice_for(std::string_view cuda);

std::string_view kind_name(Kind kind); // "runtime functions", for reports
std::string_view api_name(Api api);    // "cuBLAS"

// A version of the table as people write it: "7.0 or earlier" for "<=7.0", "not known" for "?".
std::string version_text(std::string_view version);

} // namespace hip::hipify
