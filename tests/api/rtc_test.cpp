// hiprtc: from source text to a kernel that runs. Needs the whole SDK, for its hipcc.
#include "testing.h"

#include <hip/hiprtc.h>

namespace {

const char* const kSource = R"(
#include "scale.h"
template <class T> __global__ void scale(T* p, T f) { p[threadIdx.x] *= f * SCALE; }
__device__ int variable;
namespace inner { __global__ void size(int* p) { *p = blockDim.x; } }
)";

struct TestProgram {
  explicit TestProgram(const char* source, const char* header = nullptr) {
    const char* name = "scale.h";
    REQUIRE(hiprtcCreateProgram(&program, source, "test.hip", header ? 1 : 0, &header, &name) == HIPRTC_SUCCESS);
  }
  ~TestProgram() { (void)hiprtcDestroyProgram(&program); }
  std::string log() {
    size_t bytes = 0;
    REQUIRE(hiprtcGetProgramLogSize(program, &bytes) == HIPRTC_SUCCESS);
    std::string text(bytes, '\0');
    REQUIRE(hiprtcGetProgramLog(program, text.data()) == HIPRTC_SUCCESS);
    return text;
  }
  hiprtcProgram program = nullptr;
};

} // namespace

TEST_CASE("A program with a header, templates and names") {
  TestProgram p(kSource, "#define SCALE 2\n");
  const char* expressions[] = {"scale<int>", "&variable", "inner::size"};
  for (const char* e : expressions) REQUIRE(hiprtcAddNameExpression(p.program, e) == HIPRTC_SUCCESS);
  const char* lowered = nullptr;
  CHECK(hiprtcGetLoweredName(p.program, "scale<int>", &lowered) == HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  const char* options[] = {"-std=c++17", "--gpu-architecture=gfx942"};
  const hiprtcResult result = hiprtcCompileProgram(p.program, 2, options);
  INFO(p.log());
  REQUIRE(result == HIPRTC_SUCCESS);
  CHECK(hiprtcAddNameExpression(p.program, "late") == HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  REQUIRE(hiprtcGetLoweredName(p.program, "&variable", &lowered) == HIPRTC_SUCCESS);
  CHECK(std::string(lowered) == "variable");
  REQUIRE(hiprtcGetLoweredName(p.program, "inner::size", &lowered) == HIPRTC_SUCCESS);
  CHECK(std::string(lowered) == "_ZN5inner4sizeEPi");
  CHECK(hiprtcGetLoweredName(p.program, "nothing", &lowered) == HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  REQUIRE(hiprtcGetLoweredName(p.program, "scale<int>", &lowered) == HIPRTC_SUCCESS);

  size_t bytes = 0;
  REQUIRE(hiprtcGetCodeSize(p.program, &bytes) == HIPRTC_SUCCESS);
  std::vector<char> code(bytes);
  REQUIRE(hiprtcGetCode(p.program, code.data()) == HIPRTC_SUCCESS);
  hipModule_t module;
  hipFunction_t f;
  OK(hipModuleLoadData(&module, code.data()));
  OK(hipModuleGetFunction(&f, module, lowered));
  int* device;
  OK(hipMalloc(reinterpret_cast<void**>(&device), 64 * sizeof(int)));
  OK(hipMemsetD32(device, 5, 64));
  int factor = 3, last = 0;
  void* args[] = {&device, &factor};
  OK(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
  OK(hipMemcpy(&last, device + 63, sizeof last, hipMemcpyDeviceToHost));
  CHECK(last == 30);
  OK(hipFree(device));
  OK(hipModuleUnload(module));
}

TEST_CASE("Programs for NVIDIA GPUs become PTX, with lowered names and without a trace of how they were found") {
  for (const char* target : {"--offload-arch=sm_75", "--gpu-architecture=compute_75", "-arch=sm_75"}) {
    TestProgram p(kSource, "#define SCALE 2\n");
    const char* const expressions[][2] = {
        {"scale<int>", "_Z5scaleIiEvPT_S0_"}, {"&variable", "variable"}, {"inner::size", "_ZN5inner4sizeEPi"}};
    for (const auto& e : expressions) REQUIRE(hiprtcAddNameExpression(p.program, e[0]) == HIPRTC_SUCCESS);
    const hiprtcResult result = hiprtcCompileProgram(p.program, 1, &target);
    INFO(p.log());
    REQUIRE(result == HIPRTC_SUCCESS);
    size_t bytes = 0;
    REQUIRE(hiprtcGetCodeSize(p.program, &bytes) == HIPRTC_SUCCESS);
    std::string ptx(bytes, '?');
    REQUIRE(hiprtcGetCode(p.program, ptx.data()) == HIPRTC_SUCCESS);
    CHECK(ptx.find('\0') == bytes - 1);
    CHECK(ptx.find(".target sm_75") != std::string::npos);
    CHECK(ptx.find("__hiprtc_name") == std::string::npos);
    for (const auto& e : expressions) {
      const char* lowered = "";
      REQUIRE(hiprtcGetLoweredName(p.program, e[0], &lowered) == HIPRTC_SUCCESS);
      CHECK(std::string(lowered) == e[1]);
      CHECK(ptx.find(lowered) != std::string::npos);
    }
    CHECK(hiprtcGetBitcodeSize(p.program, &bytes) == HIPRTC_ERROR_INVALID_PROGRAM);
  }
  const char* const refused[][2] = {{"--offload-arch=sm_1", "sm_70"}, {"-fgpu-rdc", "sm_75"}};
  for (const auto& [option, text] : refused) {
    TestProgram p("");
    const char* options[] = {"--offload-arch=sm_75", option};
    const bool first = std::string(option) != "-fgpu-rdc";
    CHECK(hiprtcCompileProgram(p.program, first ? 1 : 2, options + first) == HIPRTC_ERROR_COMPILATION);
    CHECK(p.log().find(text) != std::string::npos);
  }
}

TEST_CASE("Matrices of CUDA's interface, on both vendors' GPUs") {
  for (const char* target : {"--gpu-architecture=gfx942", "--gpu-architecture=gfx1100", "--gpu-architecture=sm_80"}) {
    TestProgram p(R"(
#include <hip/hip_wmma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* to, const __half* a, const __half* b) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(to, sum, 16, wmma::mem_row_major);
}
)");
    const hiprtcResult result = hiprtcCompileProgram(p.program, 1, &target);
    INFO(target << "\n" << p.log());
    CHECK(result == HIPRTC_SUCCESS);
  }
}

TEST_CASE("Names that programs have without an include, on both vendors' GPUs") {
  for (const char* target : {"--gpu-architecture=gfx942", "--gpu-architecture=sm_80"}) {
    TestProgram p(R"(
struct __align__(16) Row { float x[3]; };
static_assert(alignof(Row) == 16 && __hip_internal::is_same<ptrdiff_t, long>::value, "");
extern "C" __global__ void k(float* p) {
  const __half h = __float2half(p[0]);
  const __half2 pair = __float2half2_rn(p[1]);
  const hip_bfloat16 b(p[2]);
  const hipFloatComplex c = make_hipFloatComplex(p[3], 1);
  p[4] = __half2float(h) + __low2float(pair) + float(b) + hipCabsf(c) + HIP_INF_F;
}
)");
    const hiprtcResult result = hiprtcCompileProgram(p.program, 1, &target);
    INFO(p.log());
    CHECK(result == HIPRTC_SUCCESS);
  }
}

TEST_CASE("Programs see that hiprtc compiles them, and no standard header but those they include") {
  // The first program's own integers contradict those of <stdint.h> on Linux; the second has all of its names from
  // headers.
  const char* const programs[] = {R"(
#if !defined(__HIPCC_RTC__) || HIP_VERSION_MAJOR < 7
#error
#endif
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long int64_t;
static_assert(sizeof(__hip_uint8_t) == 1 && sizeof(__hip_int64_t) == 8, "");
static_assert(__hip_internal::is_same<ptrdiff_t, long>::value == !PTRDIFF_T_IS_LONG_LONG, "");
static_assert(__hip_internal::is_same<ptrdiff_t, long long>::value == PTRDIFF_T_IS_LONG_LONG, "");
extern "C" __global__ void k(float* p, uint64_t n) {
  assert(n > 0);
  cooperative_groups::this_thread_block().sync();
  p[1] = __half2float(__heq(__half(p[0]), 2.5)) + sinf(p[0]) + max(p[2], 3.0f);
  free(malloc(n));
}
)",
                                  R"(
#include <algorithm>
#include <assert.h>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdio.h>
#include <type_traits>
static_assert(std::is_same<int64_t, long>::value, "");
extern "C" __global__ void k(float* p, uint64_t n) {
  assert(n > 0);
  p[0] = std::max(p[1], std::sqrt(p[2])) + std::numeric_limits<float>::epsilon();
  printf("%f\n", p[0]);
}
)"};
  for (const char* source : programs)
    for (const char* choice : {"0", "1"}) {
      TestProgram p(source);
      const std::string macro =
          std::string("-D__HIPRTC_PTRDIFF_T_IS_LONG_LONG__=") + (source == programs[0] ? choice : "0");
      const std::string expected = std::string("-DPTRDIFF_T_IS_LONG_LONG=") + choice;
      const char* options[] = {"--gpu-architecture=gfx942", macro.c_str(), expected.c_str()};
      const hiprtcResult result = hiprtcCompileProgram(p.program, 3, options);
      INFO(p.log());
      CHECK(result == HIPRTC_SUCCESS);
    }
}

TEST_CASE("What does not compile says why, under the program's name") {
  TestProgram p("\n__global__ void k(int* p) { *p = missing; }\n");
  REQUIRE(hiprtcCompileProgram(p.program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
  CHECK(p.log().find("test.hip:2:") != std::string::npos);
  CHECK(p.log().find("missing") != std::string::npos);
  size_t bytes = 0;
  CHECK(hiprtcGetCodeSize(p.program, &bytes) == HIPRTC_ERROR_INVALID_PROGRAM);
}

TEST_CASE("The log ends with its last character, and nothing is written behind it") {
  TestProgram p("#warning heard\nextern \"C\" __global__ void k(int* p) { *p = 1; }");
  const char* options[] = {"--offload-arch=gfx942"};
  REQUIRE(hiprtcCompileProgram(p.program, 1, options) == HIPRTC_SUCCESS);
  const std::string log = p.log();
  CHECK(log.find("heard") != std::string::npos);
  CHECK(log.back() == '\n');
  std::string longer(log.size() + 1, '#');
  REQUIRE(hiprtcGetProgramLog(p.program, longer.data()) == HIPRTC_SUCCESS);
  CHECK(longer == log + "#");
}

TEST_CASE("Programs that cannot be") {
  hiprtcProgram program = nullptr;
  CHECK(hiprtcCreateProgram(nullptr, "", "x", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(hiprtcCreateProgram(&program, nullptr, "x", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCreateProgram(&program, "", "x", -1, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCreateProgram(&program, "", "x", 1, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcCompileProgram(garbage_handle<hiprtcProgram>(), 0, nullptr) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(hiprtcCompileProgram(nullptr, 0, nullptr) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(hiprtcDestroyProgram(&program) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(hiprtcDestroyProgram(nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  const char* header = "int y;";
  const char* name = "../../outside.h";
  REQUIRE(hiprtcCreateProgram(&program, "int x;", nullptr, 1, &header, &name) == HIPRTC_SUCCESS);
  CHECK(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  const hiprtcProgram gone = program;
  REQUIRE(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  CHECK(program == nullptr);
  size_t bytes = 0;
  CHECK(hiprtcGetProgramLogSize(gone, &bytes) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(std::string(hiprtcGetErrorString(HIPRTC_ERROR_LINKING)) == "HIPRTC_ERROR_LINKING");
  int major = 0, minor = 0;
  CHECK(hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS);
  CHECK(major == HIP_VERSION_MAJOR);
  CHECK(hiprtcVersion(nullptr, &minor) == HIPRTC_ERROR_INVALID_INPUT);
}

namespace {

std::vector<char> bitcode_of(const char* source) {
  TestProgram p(source);
  const char* options[] = {"-fgpu-rdc", "--gpu-architecture=gfx942"};
  const hiprtcResult result = hiprtcCompileProgram(p.program, 2, options);
  INFO(p.log());
  REQUIRE(result == HIPRTC_SUCCESS);
  size_t bytes = 0;
  REQUIRE(hiprtcGetBitcodeSize(p.program, &bytes) == HIPRTC_SUCCESS);
  std::vector<char> bitcode(bytes);
  REQUIRE(hiprtcGetBitcode(p.program, bitcode.data()) == HIPRTC_SUCCESS);
  return bitcode;
}

} // namespace

TEST_CASE("Bitcode of two programs, one of which calls the other, is linked") {
  std::vector<char> kernel = bitcode_of("__device__ int twice(int); extern \"C\" __global__ void k(int* p) { "
                                        "p[threadIdx.x] = twice(p[threadIdx.x]) + 1; }");
  std::vector<char> function = bitcode_of("__device__ int twice(int v) { return 2 * v; }");
  const char* generator[] = {"-mllvm", "-inline-threshold=1"};
  char errors[4096] = "nothing";
  hiprtcJIT_option options[] = {HIPRTC_JIT_IR_TO_ISA_OPT_EXT, HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT,
                                HIPRTC_JIT_ERROR_LOG_BUFFER, HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {generator, reinterpret_cast<void*>(size_t{2}), errors, reinterpret_cast<void*>(sizeof errors)};
  hiprtcLinkState link = nullptr;
  REQUIRE(hiprtcLinkCreate(4, options, values, &link) == HIPRTC_SUCCESS);
  void* code = nullptr;
  size_t bytes = 0;
  const auto add = [&](std::vector<char>& bitcode) {
    return hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, bitcode.data(), bitcode.size(), "part", 0, nullptr,
                             nullptr);
  };
  REQUIRE(add(kernel) == HIPRTC_SUCCESS);
  CHECK(hiprtcLinkComplete(link, &code, &bytes) == HIPRTC_ERROR_LINKING);
  CHECK(std::string(errors).find("twice") != std::string::npos);
  REQUIRE(add(function) == HIPRTC_SUCCESS);
  const hiprtcResult result = hiprtcLinkComplete(link, &code, &bytes);
  INFO(errors);
  REQUIRE(result == HIPRTC_SUCCESS);
  hipModule_t module;
  hipFunction_t f;
  OK(hipModuleLoadData(&module, code));
  OK(hipModuleGetFunction(&f, module, "k"));
  int* device;
  OK(hipMalloc(reinterpret_cast<void**>(&device), 64 * sizeof(int)));
  OK(hipMemsetD32(device, 20, 64));
  int last = 0;
  void* args[] = {&device};
  OK(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
  OK(hipMemcpy(&last, device + 63, sizeof last, hipMemcpyDeviceToHost));
  CHECK(last == 41);
  OK(hipFree(device));
  OK(hipModuleUnload(module));
  CHECK(hiprtcLinkDestroy(link) == HIPRTC_SUCCESS);
  CHECK(hiprtcLinkDestroy(link) == HIPRTC_ERROR_INVALID_INPUT);
}

TEST_CASE("Links that cannot be") {
  hiprtcLinkState link = nullptr;
  char byte = 0;
  void* code = nullptr;
  size_t bytes = 0;
  CHECK(hiprtcLinkCreate(0, nullptr, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkCreate(1, nullptr, nullptr, &link) == HIPRTC_ERROR_INVALID_INPUT);
  REQUIRE(hiprtcLinkCreate(0, nullptr, nullptr, &link) == HIPRTC_SUCCESS);
  CHECK(hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_CUBIN, &byte, 1, "x", 0, nullptr, nullptr) ==
        HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, nullptr, 0, "x", 0, nullptr, nullptr) ==
        HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkAddFile(link, HIPRTC_JIT_INPUT_NVVM, "missing", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkAddFile(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, "missing", 0, nullptr, nullptr) ==
        HIPRTC_ERROR_PROGRAM_CREATION_FAILURE);
  CHECK(hiprtcLinkComplete(link, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkComplete(link, &code, &bytes) == HIPRTC_ERROR_LINKING); // of nothing
  CHECK(hiprtcLinkComplete(garbage_handle<hiprtcLinkState>(), &code, &bytes) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkDestroy(nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  CHECK(hiprtcLinkDestroy(link) == HIPRTC_SUCCESS);
}

// As hipcc's: with the option the functions are there, without it they are an error that names it.
TEST_CASE("Programs read textures on AMD GPUs where they ask for them in software") {
  const char* const source = R"(
extern "C" __global__ void k(hipTextureObject_t t, float* p) { *p = tex2D<float>(t, 0.5f, 0.5f); }
)";
  const char* options[] = {"--gpu-architecture=gfx942", "-fsoftware-textures"};
  TestProgram without(source);
  CHECK(hiprtcCompileProgram(without.program, 1, options) == HIPRTC_ERROR_COMPILATION);
  CHECK(without.log().find("-fsoftware-textures") != std::string::npos);
  TestProgram with(source);
  const hiprtcResult result = hiprtcCompileProgram(with.program, 2, options);
  INFO(with.log());
  CHECK(result == HIPRTC_SUCCESS);
}

// Of the headers that hiprtc has parsed beforehand none may serve here that knows nothing of the macros.
TEST_CASE("Programs have no more of half than they ask for") {
  const char* const source = R"(
struct half { int of_the_program; };
__device__ __half operator+(const __half& a, const __half& b) { return __hsub(a, b); }
static_assert(!__hip_internal::is_convertible<float, __half>::value, "");
extern "C" __global__ void k(float* p) {
  const __half a = __float2half(p[0]), b = __float2half(p[1]);
  p[0] = __half2float(a + b);
  p[1] = __half2float(__hadd(a, b));
}
)";
  const char* const options[] = {"--gpu-architecture=gfx942", "-DHIP_NO_HALF", "-D__HIP_NO_HALF_OPERATORS__=1",
                                 "-D__HIP_NO_HALF_CONVERSIONS__=1"};
  for (int count = 1; count < 4; ++count) {
    INFO(options[count]);
    TestProgram p(source);
    CHECK(hiprtcCompileProgram(p.program, count, const_cast<const char**>(options)) == HIPRTC_ERROR_COMPILATION);
  }
  TestProgram p(source);
  const hiprtcResult result = hiprtcCompileProgram(p.program, 4, const_cast<const char**>(options));
  INFO(p.log());
  REQUIRE(result == HIPRTC_SUCCESS);
  size_t bytes = 0;
  REQUIRE(hiprtcGetCodeSize(p.program, &bytes) == HIPRTC_SUCCESS);
  std::vector<char> code(bytes);
  REQUIRE(hiprtcGetCode(p.program, code.data()) == HIPRTC_SUCCESS);
  hipModule_t module;
  hipFunction_t f;
  OK(hipModuleLoadData(&module, code.data()));
  OK(hipModuleGetFunction(&f, module, "k"));
  float values[2] = {5, 3};
  float* device;
  OK(hipMalloc(reinterpret_cast<void**>(&device), sizeof values));
  OK(hipMemcpy(device, values, sizeof values, hipMemcpyHostToDevice));
  void* args[] = {&device};
  OK(hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
  OK(hipMemcpy(values, device, sizeof values, hipMemcpyDeviceToHost));
  CHECK(values[0] == 2);
  CHECK(values[1] == 8);
  OK(hipFree(device));
  OK(hipModuleUnload(module));
}
