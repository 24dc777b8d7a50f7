// Fat binaries registered by hand, with the calls that clang generates.
#pragma once

#include "registration.h"
#include "testing.h"

extern "C" {
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
