// The functions of librocm-core.so.1.
#include <rocm-core/rocm_getpath.h>
#include <rocm-core/rocm_version.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#define ROCM_CORE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// Names this library for the dynamic linker; a function's address may be in the program that calls it.
const char here = 0;

// Cuts the last component off; false where there is none.
bool to_parent(char* path) noexcept {
  char* const slash = std::strrchr(path, '/');
  if (!slash) return false;
  *slash = '\0';
  return true;
}

} // namespace

ROCM_CORE_EXPORT VerErrors getROCmVersion(unsigned int* major, unsigned int* minor, unsigned int* patch) {
  if (!major || !minor || !patch) return VerIncorrecPararmeters;
  *major = ROCM_VERSION_MAJOR;
  *minor = ROCM_VERSION_MINOR;
  *patch = ROCM_VERSION_PATCH;
  return VerSuccess;
}

ROCM_CORE_EXPORT VerErrors printBuildInfo() {
  std::puts("ROCm build: " ROCM_BUILD_INFO);
  return VerSuccess;
}

ROCM_CORE_EXPORT PathErrors_t getROCmInstallPath(char** path, unsigned int* length) {
  if (!path || !length) return PathIncorrecPararmeters;
  *path = nullptr;
  *length = 0;

  char own[PATH_MAX];
  const char* folder = std::getenv("ROCM_PATH");
  if (!folder || !*folder) {
    Dl_info info;
    if (!dladdr(&here, &info) || !info.dli_fname || !realpath(info.dli_fname, own)) return PathLinuxRuntimeErrors;
    if (!to_parent(own) || !to_parent(own)) return PathFailedToGetBase;
    folder = own;
  }
  size_t size = std::strlen(folder);
  while (size > 0 && folder[size - 1] == '/') --size;
  if (size + 2 > PATH_MAX) return PathValuesTooLong;
  char* const text = static_cast<char*>(std::malloc(size + 2));
  if (!text) return PathLinuxRuntimeErrors;
  std::memcpy(text, folder, size);
  text[size] = '/';
  text[size + 1] = '\0';
  *path = text;
  *length = static_cast<unsigned int>(size + 1);
  return PathSuccess;
}
