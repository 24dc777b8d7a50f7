// The libraries libamdhip64.so.5, .so.6 and .so.7 in one process, each with its own handle: a test calls an entry in
// the one that it names, as a program that was linked with that library would.
#pragma once

#include "runtime/api/public_headers.h"

#include <catch2/catch.hpp>

#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#define OK(call) REQUIRE((call) == hipSuccess)

struct Library {
  explicit Library(int number)
      : number(number), name("libamdhip64.so." + std::to_string(number)),
        handle(dlopen((SDK_LIB "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL)) {
    INFO(name);
    REQUIRE(handle);
  }
  template<class F> F* find(const char* symbol) const {
    INFO(name << " has " << symbol);
    void* const address = dlsym(handle, symbol);
    REQUIRE(address);
    return reinterpret_cast<F*>(address);
  }
  // Whether the library itself has the symbol, not one that it needs.
  bool itself_has(const char* symbol) const {
    Dl_info info;
    void* const address = dlsym(handle, symbol);
    return address && dladdr(address, &info) && std::string(info.dli_fname).find(name) != std::string::npos;
  }
  int number;
  std::string name;
  void* handle;
};

inline const Library& library(int number) {
  static const Library five(5), six(6), seven(7);
  return number == 5 ? five : number == 6 ? six : seven;
}

// The types of the entries, without the overloads of the public headers; nothing here has a body.
namespace entry {
#define HIP_API(name, node, area, params, args, ...) hipError_t name params;
#define HIP_API_BARE(name, node, area, params, args) hipError_t name params;
#define HIP_API_TODO(name, node, area, params, args) hipError_t name params;
#define HIP_API_RET(type, name, node, area, params, args) type name params;
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) type name params;
#define HIP_COMPILER_API(type, name, node, params, args)
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value)
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
} // namespace entry

// The entry in the library of this number.
#define IN(number, name) library(number).find<decltype(entry::name)>(#name)

// The call in library `number` fails with `code`, and so says that library's hipGetLastError.
#define FAILS_IN(number, call, code)                                                                                   \
  do {                                                                                                                 \
    (void)IN(number, hipGetLastError)();                                                                               \
    CHECK((call) == (code));                                                                                           \
    CHECK(IN(number, hipPeekAtLastError)() == (code));                                                                 \
    CHECK(IN(number, hipGetLastError)() == (code));                                                                    \
    CHECK(IN(number, hipGetLastError)() == hipSuccess);                                                                \
  } while (0)

// The kernels of tests/api, loaded through one of the libraries.
struct TestModule {
  explicit TestModule(int number) : number(number) {
    std::ifstream file(CODE_DIR "/kernels.hipfb", std::ios::binary);
    image.assign(std::istreambuf_iterator<char>(file), {});
    REQUIRE_FALSE(image.empty());
    OK(IN(number, hipModuleLoadData)(&module, image.data()));
  }
  ~TestModule() { (void)IN(number, hipModuleUnload)(module); }
  hipFunction_t function(const char* name) const {
    hipFunction_t f = nullptr;
    OK(IN(number, hipModuleGetFunction)(&f, module, name));
    return f;
  }
  int number;
  std::vector<char> image;
  hipModule_t module = nullptr;
};

// Kernels have effects: the null back end executes nothing.
inline bool kernels_run() {
  hipDeviceProp_tR0600 p;
  OK(IN(7, hipGetDevicePropertiesR0600)(&p, 0));
  return std::string(p.name).find("executes nothing") == std::string::npos;
}
