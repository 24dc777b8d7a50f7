// api_calls.h - the calls that fuzz_api.cpp makes: how each draws its arguments, and which errors it may give beside
// hipErrorInvalidValue. One file for each kind: api_objects.cpp, api_memory.cpp, api_launch.cpp.
#pragma once

#include "api_world.h"

#include <algorithm>

namespace hip::fuzz {

inline constexpr auto kNotCalled = static_cast<hipError_t>(2047); // the pools have no room, or nothing to call it with

struct Call {
  const char* name;
  hipError_t (*make)(World& world);
  std::vector<hipError_t> errors;
};

std::vector<Call> object_calls();
std::vector<Call> memory_calls();
std::vector<Call> launch_calls();

inline const std::vector<Call>& calls() {
  static const std::vector<Call> all = [] {
    std::vector<Call> joined = object_calls();
    for (const std::vector<Call>& more : {memory_calls(), launch_calls()})
      joined.insert(joined.end(), more.begin(), more.end());
    return joined;
  }();
  return all;
}

// The host side of a program with kernels and variables (tests/api/kernels.hip), as clang would write it.
void register_program();
void unregister_program();
// The address of a registered kernel or variable, or of none.
const void* kernel_address(World& world);
const void* symbol_address(World& world);

} // namespace hip::fuzz
