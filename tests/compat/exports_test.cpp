// Which symbols the libraries have, and what they say of themselves and of devices.
#include "older.h"

#include <cstring>
#include <string_view>

namespace {

// C++ names of that time, of which HIP 7 has two still, and what is in libhiprtc alone since HIP 7.
constexpr bool is_elsewhere(std::string_view symbol) {
  return (symbol.starts_with("_Z") && symbol.find("ModuleLaunchKernel") == symbol.npos) || symbol.starts_with("hiprtc");
}

struct Row {
  const char* symbol;
  bool missing; // from libamdhip64.so.7
  bool in_5, in_6;
};
#define IN_5 true, false
#define IN_6 false, true
#define IN_5_6 true, true
#define HIP_OLDER(libraries, symbol, node, what) {#symbol, is_elsewhere(#symbol), libraries},
#define HIP_OLDER_MISSING(libraries, symbol, node, what) {#symbol, true, libraries},
constexpr Row kRows[] = {
#include "api/older.def"
};
#undef HIP_OLDER
#undef HIP_OLDER_MISSING
#undef IN_5
#undef IN_6
#undef IN_5_6

// "hip_5.6" -> 5
constexpr int major_of(std::string_view node) { return node.substr(0, 4) == "hip_" ? node[4] - '0' : 7; }

struct Export {
  const char* symbol;
  int major;
};
constexpr Export kExports[] = {
#define HIP_API(name, node, area, params, args, ...) {#name, major_of(#node)},
#define HIP_API_BARE(name, node, area, params, args) {#name, major_of(#node)},
#define HIP_API_TODO(name, node, area, params, args) {#name, major_of(#node)},
#define HIP_API_RET(type, name, node, area, params, args) {#name, major_of(#node)},
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) {#name, major_of(#node)},
#define HIP_COMPILER_API(type, name, node, params, args) {#name, major_of(#node)},
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value) {#name, major_of(#node)},
#define HIP_API_ALIAS(symbol, function, node) {symbol, major_of(#node)},
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
};

} // namespace

TEST_CASE("An older library has what its table says, and finds all else in libamdhip64.so.7") {
  for (const Row& row : kRows) {
    INFO(row.symbol);
    CHECK(library(5).itself_has(row.symbol) == row.in_5);
    CHECK(library(6).itself_has(row.symbol) == row.in_6);
    CHECK(library(7).itself_has(row.symbol) != row.missing);
  }
  for (const int number : {5, 6})
    for (const Export& e : kExports) {
      INFO("libamdhip64.so." << number << ": " << e.symbol);
      if (e.major <= number) CHECK(dlsym(library(number).handle, e.symbol) != nullptr);
    }
}

TEST_CASE("Calls of one library are calls of all") {
  int* memory = nullptr;
  OK(IN(5, hipMalloc)(reinterpret_cast<void**>(&memory), 64));
  int value = 0;
  hipStream_t stream = nullptr;
  OK(IN(6, hipStreamCreate)(&stream));
  OK(IN(7, hipMemsetD32Async)(memory, 77, 16, stream));
  OK(IN(5, hipStreamSynchronize)(stream));
  OK(IN(6, hipMemcpy)(&value, memory, sizeof value, hipMemcpyDeviceToHost));
  CHECK(value == 77);
  OK(IN(5, hipStreamDestroy)(stream));
  OK(IN(6, hipFree)(memory));
  CHECK(IN(5, hipFree)(memory) == hipErrorInvalidValue); // freed before
}

TEST_CASE("Compilation at run time is in libamdhip64 until HIP 7, and in libhiprtc of every number") {
  for (const char* symbol : {"hiprtcCreateProgram", "hiprtcCompileProgram", "hiprtcGetErrorString", "hiprtcGetBitcode",
                             "hiprtcLinkCreate", "hiprtcVersion"}) {
    INFO(symbol);
    CHECK(dlsym(library(5).handle, symbol));
    CHECK(dlsym(library(6).handle, symbol));
    CHECK_FALSE(dlsym(library(7).handle, symbol));
    for (const char* name : {"/libhiprtc.so.5", "/libhiprtc.so.6"}) {
      void* const handle = dlopen((std::string(SDK_LIB) + name).c_str(), RTLD_NOW | RTLD_LOCAL);
      REQUIRE(handle);
      CHECK(dlsym(handle, symbol));
    }
  }
}

TEST_CASE("hipGetProcAddress of HIP 6 gives the entries of HIP 6") {
  void* address = nullptr;
  hipDriverProcAddressQueryResult found{};
  const auto get = [&](const char* symbol, uint64_t flags) {
    address = nullptr;
    return IN(6, hipGetProcAddress)(symbol, &address, 60400000, flags, &found);
  };
  OK(get("hipGetLastError", 0));
  CHECK(found == HIP_GET_PROC_ADDRESS_SUCCESS);
  CHECK(address == dlsym(library(6).handle, "hipGetLastError"));
  CHECK(address != dlsym(library(7).handle, "hipGetLastError"));
  OK(get("hipLaunchKernel", HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
  CHECK(address == dlsym(library(6).handle, "hipLaunchKernel_spt"));
  OK(get("hipMalloc", 0));
  CHECK(address == dlsym(library(7).handle, "hipMalloc"));
  OK(get("hipMemcpy", HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
  CHECK(address == dlsym(library(7).handle, "hipMemcpy_spt"));
  OK(get("hipGetDeviceProperties", 0));
  CHECK(address == dlsym(library(7).handle, "hipGetDevicePropertiesR0600"));
  FAILS_IN(6, get("hipNoSuchEntry", 0), hipErrorNotFound);
  CHECK(address == nullptr);
  FAILS_IN(6, IN(6, hipGetProcAddress)(nullptr, &address, 60400000, 0, nullptr), hipErrorInvalidValue);
  FAILS_IN(6, IN(6, hipGetProcAddress)("hipMalloc", nullptr, 60400000, 0, nullptr), hipErrorInvalidValue);
  OK(IN(7, hipGetProcAddress)("hipGetLastError", &address, 70200000, 0, nullptr));
  CHECK(address == dlsym(library(7).handle, "hipGetLastError"));
}

TEST_CASE("Each library says its own version") {
  int version = 0;
  for (const auto& [number, low] : {std::pair(5, 50700000), {6, 60400000}, {7, 70200000}}) {
    OK(IN(number, hipRuntimeGetVersion)(&version));
    CHECK(version >= low);
    CHECK(version < low + 100000);
    OK(IN(number, hipDriverGetVersion)(&version));
    CHECK(version >= low);
    CHECK(version < low + 100000);
    FAILS_IN(number, IN(number, hipRuntimeGetVersion)(nullptr), hipErrorInvalidValue);
    FAILS_IN(number, IN(number, hipDriverGetVersion)(nullptr), hipErrorInvalidValue);
  }
}

TEST_CASE("Device properties by HIP 5's name", "[properties]") {
  // hipGetDeviceProperties is the older structure, 792 bytes, in all three.
  for (const int number : {5, 6, 7}) {
    alignas(8) unsigned char raw[800];
    std::memset(raw, 0xee, sizeof raw);
    OK(library(number).find<hipError_t(void*, int)>("hipGetDeviceProperties")(raw, 0));
    for (size_t i = 792; i < sizeof raw; ++i) CHECK(raw[i] == 0xee);
    int warp;
    std::memcpy(&warp, raw + 276, 4); // behind the name, two sizes and the registers
    CHECK(warp == 64);
    int arch; // 910 is gfx90a: minor version 0, stepping 10
    std::memcpy(&arch, raw + 392, 4);
    hipDeviceProp_tR0600 newer;
    OK(IN(7, hipGetDevicePropertiesR0600)(&newer, 0));
    CHECK(std::string(reinterpret_cast<const char*>(raw)) == newer.name);
    CHECK(arch == (std::string(newer.gcnArchName).rfind("gfx90a", 0) == 0 ? 910 : 942));
  }
}
