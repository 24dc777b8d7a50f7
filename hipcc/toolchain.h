// hipcc/toolchain.h - where the SDK and clang are. The SDK is found relative to the running binary, so that an
// installed tree may be moved; clang is the system's clang 22.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc {

// Whose GPUs programs are compiled for, and by which compiler: HIP's two platforms.
enum class Platform { Amd, Nvidia }; // clang and this SDK's runtime; nvcc and CUDA's runtime

// HIP_PLATFORM ("amd" or "nvidia"); where that is not set, HIP_COMPILER ("nvcc") or HIP_RUNTIME ("cuda") say Nvidia.
// Throws DriverError for a HIP_PLATFORM that is neither.
Platform platform_from_environment();

struct Toolchain {
  std::string sdk;           // holds bin, include/hip, lib, amdgcn/bitcode, share/hip/version
  std::string clang_dir;     // folder of clang++ with its links resolved, e.g. /usr/lib/llvm-22/bin
  std::string clangxx;       // the compiler that is run
  std::string clang_headers; // clang's own include folder; empty when it is not where clang's layout puts it

  std::string tool(const char* name) const { return clang_dir + "/" + name; } // e.g. clang-offload-bundler
};

// The SDK that the running binary belongs to, else ROCM_PATH's, else HIP_PATH's. sdk_option (--rocm-path) wins over
// all. Throws DriverError that says what was looked for and where.
std::string find_sdk(const std::string& sdk_option = {});

// The folder of clang++: HIP_CLANG_PATH, the SDK's own llvm/bin, Debian's /usr/lib/llvm-22/bin, then clang++-22 on
// PATH.
std::string find_clang_dir(const std::string& sdk);
// The same for those who start clang themselves: the SDK's lib/llvm/bin, whose clang knows the SDK, if there is one.
std::string find_rocm_clang_dir(const std::string& sdk);

Toolchain find_toolchain(const std::string& sdk_option);

// The version of this SDK, "7.2.0-abcdef012": HIP's own API level, then this build's source revision.
std::string version_string();
std::string short_version_string(); // "7.2.0"

// What a C or C++ compiler needs to use the HIP API against this SDK. On Nvidia: without a CUDA toolkit, DriverError.
std::vector<std::string> cxx_flags(const std::string& sdk, Platform platform = Platform::Amd);
std::vector<std::string> ld_flags(const std::string& sdk, Platform platform = Platform::Amd);

} // namespace hip::hipcc
