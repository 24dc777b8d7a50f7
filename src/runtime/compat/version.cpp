// Versions, and entries by name.
#include "runtime/compat/compat.h"

#include <dlfcn.h>
#include <string>

namespace hip::compat {
namespace {

// Of the last releases that had the library, 5.7.1 and 6.4.3: no program of that time was built with a newer one.
constexpr int kVersion = kLibrary == 5 ? 50731921 : 60443484;

// The address of a symbol that this library itself has, null if it has none.
void* own_entry(const char* name) noexcept {
  static Dl_info self;
  static void* const handle = dladdr(reinterpret_cast<const void*>(&own_entry), &self)
                                  ? dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                                  : nullptr;
  void* const address = handle ? dlsym(handle, name) : nullptr; // looks into the libraries that this one needs, too
  Dl_info where;
  return address && dladdr(address, &where) && where.dli_fbase == self.dli_fbase ? address : nullptr;
}

} // namespace
} // namespace hip::compat

RT_SHIM hipError_t hipRuntimeGetVersion(int* runtimeVersion) {
  const hipError_t result = RT_CORE(hipRuntimeGetVersion)(runtimeVersion);
  if (result == hipSuccess) *runtimeVersion = hip::compat::kVersion;
  return result;
}

RT_SHIM hipError_t hipDriverGetVersion(int* driverVersion) {
  const hipError_t result = RT_CORE(hipDriverGetVersion)(driverVersion);
  if (result == hipSuccess) *driverVersion = hip::compat::kVersion;
  return result;
}

RT_SHIM hipError_t hipGetProcAddress(const char* symbol, void** pfn, int hipVersion, uint64_t flags,
                                     hipDriverProcAddressQueryResult* symbolStatus) {
  const hipError_t result = RT_CORE(hipGetProcAddress)(symbol, pfn, hipVersion, flags, symbolStatus);
  if (result != hipSuccess) return result;
  try {
    const bool per_thread = flags == HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    void* own = per_thread ? hip::compat::own_entry((std::string(symbol) + "_spt").c_str()) : nullptr;
    if (!own) own = hip::compat::own_entry(symbol);
    if (own) *pfn = own;
    return result;
  } catch (...) { // no memory for the name
    *pfn = nullptr;
    return __omnihipAnswer("hipGetProcAddress", hipErrorOutOfMemory, "The host is out of memory.");
  }
}
