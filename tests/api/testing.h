// What the API tests share: result checks, files with code, and which back end runs.
#pragma once

#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#define OK(call) REQUIRE((call) == hipSuccess)
// The call fails with `code`, and the thread's last error says so once.
#define FAILS(call, code)                                                                                              \
  do {                                                                                                                 \
    (void)hipGetLastError();                                                                                           \
    CHECK((call) == (code));                                                                                           \
    CHECK(hipGetLastError() == (code));                                                                                \
    CHECK(hipGetLastError() == hipSuccess);                                                                            \
  } while (0)

inline std::vector<char> read_file(const std::string& name) {
  std::ifstream file(std::string(CODE_DIR) + "/" + name, std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  REQUIRE_FALSE(bytes.empty());
  if (name.ends_with(".ptx")) bytes.push_back('\0'); // which ends PTX that is known by its address alone
  return bytes;
}

// Kernels have effects (the null back end executes nothing).
inline bool kernels_run() {
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  return std::string(p.name).find("executes nothing") == std::string::npos;
}

// The device is NVIDIA's, or stands for one.
inline bool on_nvidia() {
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  return std::string(p.gcnArchName).rfind("sm_", 0) == 0;
}
// The device is a software GPU, and not by way of HSA, where it is like a card that is known by what it says alone.
inline bool on_software() {
  const char* const backend = std::getenv("OMNIHIP_BACKEND");
  return kernels_run() && !on_nvidia() && !(backend && std::string(backend) == "hsa");
}
// kernels.hip for this device alone.
inline const char* bare_code() { return on_nvidia() ? "kernels.sm_70.ptx" : "kernels.gfx942.co"; }

// The device has arrays, textures and surfaces.
inline bool has_images() {
  int value = 0;
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeImageSupport, 0));
  return value != 0;
}

template <class H> H garbage_handle() { return reinterpret_cast<H>(uintptr_t{0xdeadbeefcafe}); }

// A module of kernels.hip, unloaded at the end.
struct TestModule {
  TestModule() {
    image = read_file("kernels.hipfb");
    OK(hipModuleLoadData(&module, image.data()));
  }
  ~TestModule() {
    if (module) (void)hipModuleUnload(module);
  }
  hipFunction_t function(const char* name) {
    hipFunction_t f = nullptr;
    OK(hipModuleGetFunction(&f, module, name));
    return f;
  }
  std::vector<char> image;
  hipModule_t module = nullptr;
};
