// tests/backend/cuda/bench.h - a back end over the fake driver, a module in it, and the fake's controls, which are
// taken from the same shared object that the back end opens.
#pragma once

#include "fake_cuda.h"
#include "good.h"
#include "runtime/backend/backend.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>

namespace hip::test {

// One function of the fake driver, by name.
template<class F> F* control(const char* name) {
  static void* const library = ::dlopen(std::getenv("OMNIHIP_CUDA_DRIVER"), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  auto* const function = reinterpret_cast<F*>(::dlsym(library, name));
  REQUIRE(function);
  return function;
}
#define FAKE(name) ::hip::test::control<decltype(::name)>(#name)

// An environment variable for one scope.
class Setting {
public:
  Setting(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Setting() { ::unsetenv(name_); }
  Setting(const Setting&) = delete;

private:
  const char* name_;
};

inline std::vector<std::byte> read_kernels() {
  std::ifstream in(KERNELS_PTX, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  REQUIRE_FALSE(text.empty());
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline bool contains(const Status& status, std::string_view part) {
  return status.message().find(part) != std::string::npos;
}

// A fresh back end whose fake knows no fault and no injected error.
struct Bench {
  Bench() { FAKE(fake_cuda_reset)(); }
  backend::Device& device(size_t i = 0) { return *backend->devices()[i]; }
  std::unique_ptr<backend::Backend> backend = good(backend::create_cuda_backend());
};

inline Status launch(backend::Queue& queue, backend::Kernel* kernel, void** arguments, uint32_t items = 1,
                     uint32_t group = 1) {
  REQUIRE(kernel);
  backend::Launch launch;
  launch.kernel = kernel;
  launch.grid_items = {items, 1, 1};
  launch.group_items = {group, 1, 1};
  launch.groups = {items / group, 1, 1};
  launch.argument_pointers = arguments;
  return queue.launch(launch);
}

} // namespace hip::test
