// Links: bitcode bare, in bundles and in archives, through hiprtc's entries and HIP's own.
#include "testing.h"

#include <hip/hiprtc.h>

namespace {

// `expression`, unless it is null, has to be lowered to `name`.
std::string bitcode_of(const std::string& source, const char* expression = nullptr, const std::string& name = "") {
  hiprtcProgram program;
  REQUIRE(hiprtcCreateProgram(&program, source.c_str(), "test.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  if (expression) REQUIRE(hiprtcAddNameExpression(program, expression) == HIPRTC_SUCCESS);
  const char* options[] = {"-fgpu-rdc", "--gpu-architecture=gfx942"};
  REQUIRE(hiprtcCompileProgram(program, 2, options) == HIPRTC_SUCCESS);
  size_t bytes = 0;
  REQUIRE(hiprtcGetBitcodeSize(program, &bytes) == HIPRTC_SUCCESS);
  std::string bitcode(bytes, '\0');
  REQUIRE(hiprtcGetBitcode(program, bitcode.data()) == HIPRTC_SUCCESS);
  const char* lowered = nullptr;
  if (expression) REQUIRE(hiprtcGetLoweredName(program, expression, &lowered) == HIPRTC_SUCCESS);
  if (expression) CHECK(lowered == name);
  REQUIRE(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  return bitcode;
}

void put(std::string& out, uint64_t number) { out.append(reinterpret_cast<const char*>(&number), sizeof number); }

// An offload bundle: magic, count, then offset, size and id of each entry, then the entries.
std::string bundle_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string head = "__CLANG_OFFLOAD_BUNDLE__", body;
  size_t head_bytes = head.size() + 8;
  for (const auto& [id, image] : entries) head_bytes += 24 + id.size();
  put(head, entries.size());
  for (const auto& [id, image] : entries) {
    put(head, head_bytes + body.size());
    put(head, image.size());
    put(head, id.size());
    head += id;
    body += image;
  }
  return head + body;
}

// A Unix archive, with an index of symbols in front, as ar makes it.
std::string archive_of(const std::vector<std::string>& files) {
  std::string out = "!<arch>\n";
  const auto add = [&](const std::string& name, const std::string& file) {
    char header[61];
    std::snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name.c_str(), 0, 0, 0, 0644, file.size());
    out.append(header, 60);
    out += file;
    if (out.size() % 2) out += '\n';
  };
  add("/", std::string(4, '\0'));
  for (size_t i = 0; i < files.size(); ++i) add("part" + std::to_string(i) + ".o/", files[i]);
  return out;
}

const char* const kId = "hip-amdgcn-amd-amdhsa--gfx942";
const char* const kOther = "hip-amdgcn-amd-amdhsa--gfx1100";
const char* const kKernel = "__device__ int twice(int); extern \"C\" __global__ void k(int* p) { *p = twice(*p) + 1; }";
const char* const kFunction = "__device__ int twice(int v) { return 2 * v; }";

void check_linked(const void* code) {
  hipModule_t module;
  hipFunction_t f;
  OK(hipModuleLoadData(&module, code));
  OK(hipModuleGetFunction(&f, module, "k"));
  int *device, value = 20;
  OK(hipMalloc(reinterpret_cast<void**>(&device), sizeof value));
  OK(hipMemcpy(device, &value, sizeof value, hipMemcpyHostToDevice));
  void* args[] = {&device};
  OK(hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
  OK(hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost));
  CHECK(value == 41);
  OK(hipFree(device));
  OK(hipModuleUnload(module));
}

hiprtcResult add(hiprtcLinkState link, hiprtcJITInputType type, std::string bytes) {
  return hiprtcLinkAddData(link, type, bytes.data(), bytes.size(), "part", 0, nullptr, nullptr);
}

} // namespace

TEST_CASE("Bitcode is linked from bundles and archives") {
  const std::string kernel = bitcode_of(kKernel), function = bitcode_of(kFunction);
  const std::string kernels = bundle_of({{"host-x86_64-unknown-linux-gnu-", ""}, {kOther, "other"}, {kId, kernel}});
  const std::string functions = bundle_of({{kId, function}}), others = bundle_of({{kOther, "other"}});
  const struct {
    hiprtcJITInputType first_type, second_type;
    std::string first, second;
  } cases[] = {
      {HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE, HIPRTC_JIT_INPUT_LLVM_BITCODE, kernels, function},
      {HIPRTC_JIT_INPUT_LLVM_BITCODE, HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE, kernel,
       archive_of({others, functions})},
      {HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE, HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE, kernels, functions},
  };
  for (const auto& c : cases) {
    char errors[4096] = "";
    hiprtcJIT_option options[] = {HIPRTC_JIT_ERROR_LOG_BUFFER, HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
    hiprtcLinkState link = nullptr;
    REQUIRE(hiprtcLinkCreate(2, options, values, &link) == HIPRTC_SUCCESS);
    REQUIRE(add(link, c.first_type, c.first) == HIPRTC_SUCCESS);
    REQUIRE(add(link, c.second_type, c.second) == HIPRTC_SUCCESS);
    void* code = nullptr;
    size_t bytes = 0;
    const hiprtcResult result = hiprtcLinkComplete(link, &code, &bytes);
    INFO(errors);
    REQUIRE(result == HIPRTC_SUCCESS);
    check_linked(code);
    REQUIRE(hiprtcLinkDestroy(link) == HIPRTC_SUCCESS);
  }
}

TEST_CASE("Programs with name expressions are linked, also those of one source") {
  const char* const source = "template <int N> __global__ void add(int* p) { *p += N; }";
  const std::string inputs[] = {
      bitcode_of(source, "add<3>", "_Z3addILi3EEvPi"), bitcode_of(source, "&add<40>", "_Z3addILi40EEvPi"),
      bitcode_of("__device__ int total[2];", "total", "total"),
      bitcode_of("static __device__ int table; __global__ void k(int* p) { *p += table; }", "&k", "_Z1kPi")};
  hiprtcLinkState link = nullptr;
  char errors[4096] = "";
  hiprtcJIT_option options[] = {HIPRTC_JIT_ERROR_LOG_BUFFER, HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
  REQUIRE(hiprtcLinkCreate(2, options, values, &link) == HIPRTC_SUCCESS);
  for (const std::string& input : inputs) REQUIRE(add(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, input) == HIPRTC_SUCCESS);
  void* code = nullptr;
  size_t bytes = 0;
  const hiprtcResult result = hiprtcLinkComplete(link, &code, &bytes);
  INFO(errors);
  REQUIRE(result == HIPRTC_SUCCESS);
  hipModule_t module;
  OK(hipModuleLoadData(&module, code));
  int *device, value = 0;
  OK(hipMalloc(reinterpret_cast<void**>(&device), sizeof value));
  OK(hipMemset(device, 0, sizeof value));
  void* args[] = {&device};
  for (const char* name : {"_Z3addILi3EEvPi", "_Z3addILi40EEvPi", "_Z1kPi"}) {
    hipFunction_t f;
    OK(hipModuleGetFunction(&f, module, name));
    OK(hipModuleLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
  }
  OK(hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost));
  CHECK(value == 43);
  OK(hipFree(device));
  OK(hipModuleUnload(module));
  REQUIRE(hiprtcLinkDestroy(link) == HIPRTC_SUCCESS);
}

TEST_CASE("A link tells what is wrong with an input") {
  const std::string others = bundle_of({{kOther, "other"}}), text = bundle_of({{kId, "no bitcode"}});
  const struct {
    hiprtcJITInputType type;
    std::string bytes;
    const char* told;
  } cases[] = {
      {HIPRTC_JIT_INPUT_LLVM_BITCODE, "no bitcode", "no LLVM bitcode"},
      {HIPRTC_JIT_INPUT_LLVM_BITCODE, "BC\xc0\xde and nothing", ""},
      {HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE, others, "gfx1100"},
      {HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE, text, "no LLVM bitcode"},
      {HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE, "no archive", "!<arch>"},
      {HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE, archive_of({others}).substr(0, 100), "damaged"},
      {HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE, archive_of({others, others}), "gfx942"},
  };
  for (const auto& c : cases) {
    char errors[4096] = "";
    hiprtcJIT_option options[] = {HIPRTC_JIT_ERROR_LOG_BUFFER, HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
    hiprtcLinkState link = nullptr;
    REQUIRE(hiprtcLinkCreate(2, options, values, &link) == HIPRTC_SUCCESS);
    REQUIRE(add(link, c.type, c.bytes) == HIPRTC_SUCCESS);
    void* code = nullptr;
    size_t bytes = 0;
    CHECK(hiprtcLinkComplete(link, &code, &bytes) == HIPRTC_ERROR_LINKING);
    INFO(errors);
    CHECK(std::string(errors).find(c.told) != std::string::npos);
    CHECK(*errors != '\0');
    REQUIRE(hiprtcLinkDestroy(link) == HIPRTC_SUCCESS);
  }
}

TEST_CASE("HIP's own linker is hiprtc's", "[link]") {
  std::string kernel = bitcode_of(kKernel), function = bitcode_of(kFunction);
  const std::string path = std::string(CODE_DIR) + "/linked-function.bc";
  std::ofstream(path, std::ios::binary) << function;
  hipLinkState_t link = nullptr;
  OK(hipLinkCreate(0, nullptr, nullptr, &link));
  OK(hipLinkAddData(link, hipJitInputLLVMBitcode, kernel.data(), kernel.size(), "kernel", 0, nullptr, nullptr));
  void* code = nullptr;
  size_t bytes = 0;
  FAILS(hipLinkComplete(link, &code, &bytes), hipErrorInvalidConfiguration); // twice is missing
  OK(hipLinkAddFile(link, hipJitInputLLVMBitcode, path.c_str(), 0, nullptr, nullptr));
  OK(hipLinkComplete(link, &code, &bytes));
  CHECK(bytes > 0);
  check_linked(code);
  OK(hipLinkDestroy(link));
  FAILS(hipLinkDestroy(link), hipErrorInvalidHandle);
  std::remove(path.c_str());
}

TEST_CASE("Links of HIP's own that cannot be", "[link]") {
  hipLinkState_t link = nullptr;
  char byte = 0;
  void* code = nullptr;
  size_t bytes = 0;
  hipJitOption unknown[] = {static_cast<hipJitOption>(hipJitOptionNumOptions)};
  void* value[] = {nullptr};
  FAILS(hipLinkCreate(0, nullptr, nullptr, nullptr), hipErrorInvalidValue);
  FAILS(hipLinkCreate(1, nullptr, nullptr, &link), hipErrorInvalidValue);
  FAILS(hipLinkCreate(1, unknown, value, &link), hipErrorInvalidConfiguration);
  CHECK(link == nullptr);
  OK(hipLinkCreate(0, nullptr, nullptr, &link));
  const auto add_data = [&](hipLinkState_t to, hipJitInputType type, void* data, size_t size) {
    return hipLinkAddData(to, type, data, size, "x", 0, nullptr, nullptr);
  };
  FAILS(add_data(link, hipJitInputLLVMBitcode, nullptr, 1), hipErrorInvalidImage);
  FAILS(add_data(link, hipJitInputLLVMBitcode, &byte, 0), hipErrorInvalidImage);
  for (const hipJitInputType type : {hipJitInputCubin, hipJitInputPtx, hipJitInputFatBinary, hipJitInputObject,
                                     hipJitInputLibrary, hipJitInputNvvm, hipJitNumLegacyInputTypes})
    FAILS(add_data(link, type, &byte, 1), hipErrorInvalidValue);
  FAILS(add_data(link, hipJitInputSpirv, &byte, 1), hipErrorNotSupported);
  FAILS(add_data(garbage_handle<hipLinkState_t>(), hipJitInputLLVMBitcode, &byte, 1), hipErrorInvalidHandle);
  FAILS(add_data(nullptr, hipJitInputLLVMBitcode, &byte, 1), hipErrorInvalidHandle);
  FAILS(hipLinkAddData(link, hipJitInputLLVMBitcode, &byte, 1, "x", 1, nullptr, nullptr), hipErrorInvalidValue);
  FAILS(hipLinkAddFile(link, hipJitInputLLVMBitcode, nullptr, 0, nullptr, nullptr), hipErrorInvalidValue);
  FAILS(hipLinkAddFile(link, hipJitInputLLVMBitcode, "missing", 0, nullptr, nullptr), hipErrorInvalidConfiguration);
  FAILS(hipLinkAddFile(link, hipJitInputNvvm, "missing", 0, nullptr, nullptr), hipErrorInvalidValue);
  FAILS(hipLinkAddFile(garbage_handle<hipLinkState_t>(), hipJitInputLLVMBitcode, "missing", 0, nullptr, nullptr),
        hipErrorInvalidHandle);
  FAILS(hipLinkComplete(link, nullptr, &bytes), hipErrorInvalidValue);
  FAILS(hipLinkComplete(link, &code, nullptr), hipErrorInvalidValue);
  FAILS(hipLinkComplete(link, &code, &bytes), hipErrorInvalidConfiguration); // of nothing
  FAILS(hipLinkComplete(garbage_handle<hipLinkState_t>(), &code, &bytes), hipErrorInvalidHandle);
  OK(hipLinkDestroy(link));
  FAILS(hipLinkDestroy(nullptr), hipErrorInvalidHandle);
}

TEST_CASE("Finished code alone is a link's result, and cannot be linked with more") {
  const std::string source = std::string(kFunction) + kKernel;
  hiprtcProgram program;
  REQUIRE(hiprtcCreateProgram(&program, source.c_str(), "test.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  REQUIRE(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_SUCCESS);
  size_t bytes = 0;
  REQUIRE(hiprtcGetCodeSize(program, &bytes) == HIPRTC_SUCCESS);
  std::string code(bytes, '\0');
  REQUIRE(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
  REQUIRE(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  const std::string other = bundle_of({{kOther, code}});
  for (const auto type : {HIPRTC_JIT_INPUT_CUBIN, HIPRTC_JIT_INPUT_PTX, HIPRTC_JIT_INPUT_FATBINARY}) {
    char errors[4096] = "";
    hiprtcJIT_option options[] = {HIPRTC_JIT_ERROR_LOG_BUFFER, HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
    hiprtcLinkState link = nullptr;
    REQUIRE(hiprtcLinkCreate(2, options, values, &link) == HIPRTC_SUCCESS);
    CHECK(add(link, type, "no code") == HIPRTC_ERROR_INVALID_INPUT);
    CHECK(hiprtcLinkAddFile(link, type, "missing", 0, nullptr, nullptr) == HIPRTC_ERROR_PROGRAM_CREATION_FAILURE);
    REQUIRE(add(link, type, code) == HIPRTC_SUCCESS);
    void* linked = nullptr;
    const hiprtcResult result = hiprtcLinkComplete(link, &linked, &bytes);
    INFO(errors);
    REQUIRE(result == HIPRTC_SUCCESS);
    CHECK(bytes == code.size());
    check_linked(linked);
    REQUIRE(add(link, type, code) == HIPRTC_SUCCESS);
    CHECK(hiprtcLinkComplete(link, &linked, &bytes) == HIPRTC_ERROR_LINKING);
    CHECK(std::string(errors).find("cannot be linked with other inputs") != std::string::npos);
    REQUIRE(hiprtcLinkDestroy(link) == HIPRTC_SUCCESS);

    REQUIRE(hiprtcLinkCreate(2, options, values, &link) == HIPRTC_SUCCESS);
    REQUIRE(add(link, type, other) == HIPRTC_SUCCESS); // for another processor
    CHECK(hiprtcLinkComplete(link, &linked, &bytes) == HIPRTC_ERROR_LINKING);
    CHECK(std::string(errors).find("gfx1100") != std::string::npos);
    REQUIRE(hiprtcLinkDestroy(link) == HIPRTC_SUCCESS);
  }
}
