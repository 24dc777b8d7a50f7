// Programs that are compiled at run time have what they had without an include in HIP 6 and 5.
#include "older.h"

#include <hip/hiprtc.h>

namespace {

constexpr char kProgram[] = R"(
static_assert(sizeof(uint32_t) == 4 && sizeof(int32_t) == 4 && sizeof(uint64_t) == 8 && sizeof(int64_t) == 8, "");
static_assert(std::is_same<std::uint64_t, uint64_t>::value && std::is_signed<int64_t>::value, "");
static_assert(std::is_floating_point<float>::value && !std::is_integral<double>::value && std::is_scalar<int*>::value, "");
template <class T> __device__ typename std::enable_if<std::is_arithmetic<T>::value, T>::type twice(T x) { return x + x; }
extern "C" __global__ void f(uint32_t* out) { out[threadIdx.x] = twice(uint32_t(threadIdx.x)); }
)";

struct Rtc {
  explicit Rtc(const char* library) : handle(dlopen((std::string(SDK_LIB) + library).c_str(), RTLD_NOW | RTLD_LOCAL)) {
    INFO(library);
    REQUIRE(handle);
  }
  template<class F> F* find(const char* name) const {
    void* const address = dlsym(handle, name);
    INFO(name);
    REQUIRE(address);
    return reinterpret_cast<F*>(address);
  }
  void* handle;
};
#define OF(rtc, name) (rtc).find<decltype(name)>(#name)

// The result of compiling, and the log.
std::pair<hiprtcResult, std::string> compile(const Rtc& rtc, const char* text, std::vector<char>* code = nullptr,
                                             std::vector<const char*> options = {}) {
  hiprtcProgram program = nullptr;
  REQUIRE(OF(rtc, hiprtcCreateProgram)(&program, text, "program.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  options.push_back("--offload-arch=gfx942");
  const hiprtcResult result = OF(rtc, hiprtcCompileProgram)(program, int(options.size()), options.data());
  size_t bytes = 0;
  REQUIRE(OF(rtc, hiprtcGetProgramLogSize)(program, &bytes) == HIPRTC_SUCCESS);
  std::string log(bytes, ' ');
  REQUIRE(OF(rtc, hiprtcGetProgramLog)(program, log.data()) == HIPRTC_SUCCESS);
  if (code && result == HIPRTC_SUCCESS) {
    REQUIRE(OF(rtc, hiprtcGetCodeSize)(program, &bytes) == HIPRTC_SUCCESS);
    code->resize(bytes);
    REQUIRE(OF(rtc, hiprtcGetCode)(program, code->data()) == HIPRTC_SUCCESS);
  }
  CHECK(OF(rtc, hiprtcDestroyProgram)(&program) == HIPRTC_SUCCESS);
  return {result, log};
}

} // namespace

TEST_CASE("Integers of fixed width and type traits need no include before HIP 7") {
  for (const char* name : {"/libamdhip64.so.5", "/libamdhip64.so.6", "/libhiprtc.so.5", "/libhiprtc.so.6"}) {
    const Rtc rtc(name);
    std::vector<char> code;
    const auto [result, log] = compile(rtc, kProgram, &code);
    INFO(name << ": " << log);
    REQUIRE(result == HIPRTC_SUCCESS);
    hipModule_t module = nullptr;
    hipFunction_t f = nullptr;
    unsigned* out = nullptr;
    OK(IN(6, hipModuleLoadData)(&module, code.data()));
    OK(IN(6, hipModuleGetFunction)(&f, module, "f"));
    OK(IN(6, hipMalloc)(reinterpret_cast<void**>(&out), 256));
    void* args[] = {&out};
    OK(IN(6, hipModuleLaunchKernel)(f, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
    unsigned got[64];
    OK(IN(6, hipMemcpy)(got, out, sizeof got, hipMemcpyDeviceToHost));
    for (unsigned i = 0; i < 64; ++i) CHECK(got[i] == 2 * i);
    OK(IN(6, hipFree)(out));
    OK(IN(6, hipModuleUnload)(module));
  }
  CHECK(compile(Rtc("/libhiprtc.so.7"), kProgram).first == HIPRTC_ERROR_COMPILATION);
}

TEST_CASE("What such programs begin with gives none of the warnings that they ask for") {
  const std::vector<const char*> strict{"-Weverything", "-Wno-c++98-compat", "-Wno-missing-prototypes", "-Werror"};
  const Rtc rtc("/libhiprtc.so.6");
  const auto [result, log] = compile(rtc, "extern \"C\" __global__ void f(uint32_t* p) { *p = 1; }\n", nullptr, strict);
  CHECK(log == "");
  CHECK(result == HIPRTC_SUCCESS);
  CHECK(compile(rtc, "#if NONE\n#endif\n", nullptr, strict).first == HIPRTC_ERROR_COMPILATION); // of their own they do
}

TEST_CASE("Errors of such programs keep their lines, and programs may declare the types themselves") {
  const Rtc rtc("/libhiprtc.so.6");
  const auto [result, log] = compile(rtc, "\n\nint x = none;\n");
  CHECK(result == HIPRTC_ERROR_COMPILATION);
  CHECK(log.find("program.hip:3:9:") != std::string::npos);
  CHECK(compile(rtc, "typedef unsigned int uint32_t;\nuint32_t x;\n").first == HIPRTC_SUCCESS);
  CHECK(OF(rtc, hiprtcCreateProgram)(nullptr, "", "", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_PROGRAM);
  hiprtcProgram program = nullptr;
  CHECK(OF(rtc, hiprtcCreateProgram)(&program, nullptr, "", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
}
