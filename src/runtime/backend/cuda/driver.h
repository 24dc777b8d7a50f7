// runtime/backend/cuda/driver.h - NVIDIA's driver as a table of functions, loaded when first asked for. Each is called
// by the name of its documentation: driver.cuMemAlloc(&address, bytes). Thread safety: immutable once loaded.
#pragma once

#include "runtime/backend/cuda/driver_types.h"
#include "runtime/base/status.h"

namespace hip::cuda {

struct Driver {
#define CUDA_FUNCTION(name, suffix, version, need, params) CUresult(*name) params = nullptr;
#include "runtime/backend/cuda/driver.def"
#undef CUDA_FUNCTION
  int version = 0; // 13000: CUDA 13.0

  // CUDA 11.4, whose drivers are the 470 series: the newest signature that driver.def requires.
  static constexpr int kOldestVersion = 11040;

  // The driver in the shared object `file`, never unloaded. Errors: FileNotFound when there is none; InsufficientDriver
  // when it is too old or lacks a function, with both versions or the function's name.
  static Result<Driver> load(const char* file);

  // "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory"
  std::string describe(CUresult result) const;
  // Success, or HIP's error for `result` of `call`.
  Status status(CUresult result, const char* call) const;
};

// HIP's number for a CUresult.
ErrorCode to_error_code(CUresult result) noexcept;
// The context in which this came up is lost.
bool is_fatal(CUresult result) noexcept;

// "12.4" of 12040.
std::string version_text(int version);

} // namespace hip::cuda
