#include "runtime/backend/cuda/driver.h"

#include <dlfcn.h>

namespace hip::cuda {
namespace {

enum class Need { Required, Optional };
enum class Fate { Plain, Fatal };

struct ResultRow {
  CUresult number;
  const char* name;
  ErrorCode code;
  Fate fate;
};
constexpr ResultRow kResults[] = {
#define CUDA_RESULT(number, name, code, fate) {number, "CUDA_ERROR_" #name, ErrorCode::code, Fate::fate},
#include "runtime/backend/cuda/results.def"
#undef CUDA_RESULT
};

const ResultRow* find_row(CUresult result) noexcept {
  for (const ResultRow& row : kResults)
    if (row.number == result) return &row;
  return nullptr;
}

// CUDA 12's form: also says why a function was not found.
using GetProcAddress = CUresult (*)(const char* symbol, void** function, int version, uint64_t flags, int* found);

// Finds one function: by cuGetProcAddress in the version whose signature we declare, else by the exported symbol.
class Finder {
public:
  explicit Finder(void* library) noexcept
      : library_(library), get_(reinterpret_cast<GetProcAddress>(::dlsym(library, "cuGetProcAddress_v2"))) {}

  void* find(const char* name, const char* suffix, int version) const {
    void* function = nullptr;
    int found = 0;
    if (get_ && get_(name, &function, version, kProcAddressLegacyStream, &found) == kSuccess && function)
      return function;
    return ::dlsym(library_, (std::string(name) + suffix).c_str());
  }

private:
  void* library_;
  GetProcAddress get_;
};

} // namespace

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

Result<Driver> Driver::load(const char* file) {
  void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* const why = ::dlerror();
    return error(ErrorCode::FileNotFound, "NVIDIA's driver cannot be loaded: {}.", why ? why : file);
  }
  const Finder finder(library);
  Driver driver;
  // The version first: an old driver lacks functions because it is old.
  driver.cuDriverGetVersion = reinterpret_cast<CUresult (*)(int*)>(::dlsym(library, "cuDriverGetVersion"));
  if (!driver.cuDriverGetVersion || driver.cuDriverGetVersion(&driver.version) != kSuccess)
    return error(ErrorCode::InsufficientDriver, "{} does not tell the version of NVIDIA's driver; it is no driver.",
                 file);
  if (driver.version < kOldestVersion)
    return error(ErrorCode::InsufficientDriver,
                 "NVIDIA's driver {} supports CUDA {}; it takes one for CUDA {} (driver 470) or later.", file,
                 version_text(driver.version), version_text(kOldestVersion));
#define CUDA_FUNCTION(name, suffix, since, need, params)                                                               \
  driver.name = reinterpret_cast<decltype(driver.name)>(finder.find(#name, #suffix, since));                           \
  if (!driver.name && Need::need == Need::Required)                                                                    \
    return error(ErrorCode::InsufficientDriver, "NVIDIA's driver {} (CUDA {}) has no function {}{}.", file,            \
                 version_text(driver.version), #name, #suffix);
#include "runtime/backend/cuda/driver.def"
#undef CUDA_FUNCTION
  return driver;
}

std::string Driver::describe(CUresult result) const {
  const char* text = nullptr;
  if (cuGetErrorString(result, &text) != kSuccess || !text) text = "unrecognized error code";
  const ResultRow* const row = find_row(result);
  const char* name = row ? row->name : nullptr;
  if (!name && (cuGetErrorName(result, &name) != kSuccess || !name)) name = "CUDA error";
  return fmt::format("{} ({}): {}", name, result, text);
}

Status Driver::status(CUresult result, const char* call) const {
  if (result == kSuccess) return {};
  return error(to_error_code(result), "{} fails with {}.", call, describe(result));
}

ErrorCode to_error_code(CUresult result) noexcept {
  if (result == kSuccess) return ErrorCode::Success;
  const ResultRow* const row = find_row(result);
  return row ? row->code : ErrorCode::Unknown;
}

bool is_fatal(CUresult result) noexcept {
  const ResultRow* const row = find_row(result);
  return row && row->fate == Fate::Fatal;
}

} // namespace hip::cuda
