// Fat binaries registered by hand, with the calls that clang generates.
#pragma once

#include "testing.h"

extern "C" {
void** __hipRegisterFatBinary(const void* wrapper);
void __hipUnregisterFatBinary(void** modules);
void __hipRegisterFunction(void** modules, const void* host, char* device_function, const char* device_name,
                           unsigned thread_limit, void* tid, void* bid, dim3* block, dim3* grid, int* size);
void __hipRegisterVar(void** modules, void* var, char* host_var, char* device_var, int ext, size_t size, int constant,
                      int global);
void __hipRegisterManagedVar(void* modules, void** pointer, void* init, const char* name, size_t size, unsigned align);
unsigned short __gnu_f2h_ieee(float value);
float __gnu_h2f_ieee(unsigned short half);
}

struct Wrapper {
  uint32_t magic = 0x48495046, version = 1;
  const void* bundle;
  void* unused = nullptr;
};

// What the host side of kernels.hip would be.
struct Registered {
  explicit Registered(const char* file) : image(read_file(file)) {
    wrapper.bundle = image.data();
    modules = __hipRegisterFatBinary(&wrapper);
    REQUIRE(modules);
    add("scale", &scale);
    add("count_up", &count_up);
    add("apply_factors", &apply_factors);
    add("no_such_kernel", &missing);
    __hipRegisterVar(modules, &counter, const_cast<char*>("counter"), const_cast<char*>("counter"), 0, 4, 0, 0);
    __hipRegisterVar(modules, factors, const_cast<char*>("factors"), const_cast<char*>("factors"), 0, 16, 1, 0);
  }
  ~Registered() { __hipUnregisterFatBinary(modules); }
  void add(const char* name, const void* host) {
    __hipRegisterFunction(modules, host, const_cast<char*>(name), name, ~0u, nullptr, nullptr, nullptr, nullptr,
                          nullptr);
  }
  std::vector<char> image;
  Wrapper wrapper{};
  void** modules;
  char scale = 0, count_up = 0, apply_factors = 0, missing = 0;
  int counter = 0, factors[4] = {};
};
