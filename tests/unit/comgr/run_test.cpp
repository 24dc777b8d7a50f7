// A program that compiles its kernel through comgr, step by step, and runs it with HIP.
#include "fixture.h"

#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <cmath>
#include <cstring>

#include <vector>

using namespace comgr_test;

TEST_CASE("A kernel that comgr makes runs") {
  hipDeviceProp_t properties;
  REQUIRE(hipGetDeviceProperties(&properties, 0) == hipSuccess);
  const std::string isa = std::string("amdgcn-amd-amdhsa--") + properties.gcnArchName;
  const Info hip(AMD_COMGR_LANGUAGE_HIP, isa.c_str()), code(AMD_COMGR_LANGUAGE_NONE, isa.c_str());
  // With the SDK's headers and device library.
  const Data source(
      AMD_COMGR_DATA_KIND_SOURCE, "waves.hip",
      "#include <hip/hip_runtime.h>\n"
      "extern \"C\" __global__ void waves(float* p) { p[threadIdx.x] = sinf(p[threadIdx.x]) + blockDim.x; }");
  const Data bitcode =
      make(AMD_COMGR_ACTION_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC, hip, {&source}, AMD_COMGR_DATA_KIND_BC);
  const Data object =
      make(AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE, code, {&bitcode}, AMD_COMGR_DATA_KIND_RELOCATABLE);
  const Data file =
      make(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE, code, {&object}, AMD_COMGR_DATA_KIND_EXECUTABLE);

  const std::string image = file.bytes();
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  REQUIRE(hipModuleLoadData(&module, image.data()) == hipSuccess);
  REQUIRE(hipModuleGetFunction(&function, module, "waves") == hipSuccess);
  float* values = nullptr;
  REQUIRE(hipMalloc(reinterpret_cast<void**>(&values), 64 * sizeof(float)) == hipSuccess);
  std::vector<float> host(64);
  for (size_t i = 0; i < host.size(); ++i) host[i] = 0.1f * float(i);
  REQUIRE(hipMemcpy(values, host.data(), 64 * sizeof(float), hipMemcpyHostToDevice) == hipSuccess);
  void* arguments[] = {&values};
  REQUIRE(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) == hipSuccess);
  std::vector<float> out(64);
  REQUIRE(hipMemcpy(out.data(), values, 64 * sizeof(float), hipMemcpyDeviceToHost) == hipSuccess);
  for (size_t i = 0; i < host.size(); ++i) CHECK(out[i] == Approx(std::sin(host[i]) + 64).epsilon(1e-6));
  CHECK(hipFree(values) == hipSuccess);
  CHECK(hipModuleUnload(module) == hipSuccess);
}

namespace {

// A kernel of OpenCL C that is loaded by HIP.
class OpenClKernel {
public:
  OpenClKernel(const char* source, const char* name) {
    hipDeviceProp_t properties;
    REQUIRE(hipGetDeviceProperties(&properties, 0) == hipSuccess);
    const std::string isa = std::string("amdgcn-amd-amdhsa--") + properties.gcnArchName;
    const Info language(AMD_COMGR_LANGUAGE_OPENCL_2_0, isa.c_str()), code(AMD_COMGR_LANGUAGE_NONE, isa.c_str());
    const Data text(AMD_COMGR_DATA_KIND_SOURCE, "kernel.cl", source);
    const Data bitcode =
        make(AMD_COMGR_ACTION_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC, language, {&text}, AMD_COMGR_DATA_KIND_BC);
    const Data object =
        make(AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE, code, {&bitcode}, AMD_COMGR_DATA_KIND_RELOCATABLE);
    image_ =
        make(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE, code, {&object}, AMD_COMGR_DATA_KIND_EXECUTABLE).bytes();
    REQUIRE(hipModuleLoadData(&module_, image_.data()) == hipSuccess);
    REQUIRE(hipModuleGetFunction(&function_, module_, name) == hipSuccess);
  }
  ~OpenClKernel() { CHECK(hipModuleUnload(module_) == hipSuccess); }
  template<class... Arguments> void run(dim3 blocks, dim3 block, Arguments... arguments) {
    void* list[] = {&arguments...};
    REQUIRE(hipModuleLaunchKernel(function_, blocks.x, blocks.y, blocks.z, block.x, block.y, block.z, 0, nullptr, list,
                                  nullptr) == hipSuccess);
    REQUIRE(hipDeviceSynchronize() == hipSuccess);
  }
  template<class... Arguments> void run_items(dim3 items, dim3 block, Arguments... arguments) {
    void* list[] = {&arguments...};
    REQUIRE(hipExtModuleLaunchKernel(function_, items.x, items.y, items.z, block.x, block.y, block.z, 0, nullptr, list,
                                     nullptr, nullptr, nullptr, 0) == hipSuccess);
    REQUIRE(hipDeviceSynchronize() == hipSuccess);
  }

private:
  std::string image_;
  hipModule_t module_ = nullptr;
  hipFunction_t function_ = nullptr;
};

template<class T> struct HostMemory {
  explicit HostMemory(size_t count) {
    REQUIRE(hipHostMalloc(reinterpret_cast<void**>(&at), count * sizeof(T), 0) == hipSuccess);
    std::memset(static_cast<void*>(at), 0, count * sizeof(T));
  }
  ~HostMemory() { CHECK(hipHostFree(at) == hipSuccess); }
  T& operator[](size_t i) { return at[i]; }
  T* at = nullptr;
};

} // namespace

TEST_CASE("OpenCL C knows where its work-items are, in whole and partial work-groups") {
  OpenClKernel kernel(
      "kernel void where(global ulong* p) {"
      "  size_t x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;"
      "  p[i] = get_local_id(0) + 100 * get_local_id(1) + 10000 * get_group_id(0) +"
      "    1000000 * get_local_linear_id() + (get_global_linear_id() == i) * 1000000000ul +"
      "    get_work_dim() * 10000000000ul + get_local_size(0) * 100000000000ul + get_global_offset(0) +"
      "    get_num_groups(0) * 1000000000000000ul + get_enqueued_local_size(1) * 100000000000000000ul; }",
      "where");
  for (const uint64_t columns : {24, 20}) { // the last work-group of a row has half as many
    HostMemory<uint64_t> out(24 * 4);
    kernel.run_items(dim3(static_cast<unsigned>(columns), 4), dim3(8, 2), out.at);
    for (uint64_t y = 0; y < 4; ++y)
      for (uint64_t x = 0; x < columns; ++x) {
        const uint64_t width = x / 8 == 2 ? columns - 16 : 8;
        CHECK(out[y * columns + x] == x % 8 + 100 * (y % 2) + 10000 * (x / 8) + 1000000 * (y % 2 * width + x % 8) +
                                          1000000000 + 20000000000 + 100000000000 * width + 3000000000000000 +
                                          200000000000000000);
      }
  }
}

TEST_CASE("OpenCL C's functions of work-groups and sub-groups") {
  OpenClKernel kernel(
      "kernel void together(global long* p, global float* f) {"
      "  int l = get_local_id(0), i = get_global_id(0); global long* o = p + 16 * i;"
      "  o[0] = work_group_reduce_add(l); o[1] = work_group_scan_inclusive_add((long)l);"
      "  o[2] = work_group_scan_exclusive_max(l); o[3] = work_group_reduce_min((ulong)(l + 7));"
      "  o[4] = work_group_broadcast(i, (size_t)70); o[5] = work_group_any(l == 129);"
      "  o[6] = work_group_all(l < 129); o[7] = sub_group_reduce_max(l);"
      "  o[8] = sub_group_scan_inclusive_add(1u); o[9] = sub_group_broadcast(l, 3);"
      "  o[10] = get_sub_group_size() + 100 * get_sub_group_id() + 10000 * get_num_sub_groups() +"
      "    1000000 * get_sub_group_local_id(); o[11] = sub_group_all(l < 64) + 2 * sub_group_any(l == 64);"
      "  f[2 * i] = work_group_reduce_add(0.5f); f[2 * i + 1] = work_group_scan_exclusive_min(1.0f - l);"
      "  local int words[130]; words[l] = l; work_group_barrier(CLK_LOCAL_MEM_FENCE);"
      "  o[12] = words[129 - l]; sub_group_barrier(CLK_LOCAL_MEM_FENCE); }",
      "together");
  constexpr long kItems = 130, kGroups = 2;
  HostMemory<long> out(16 * kItems * kGroups);
  HostMemory<float> floats(2 * kItems * kGroups);
  kernel.run(dim3(kGroups), dim3(kItems), out.at, floats.at);
  for (long i = 0; i < kItems * kGroups; ++i) {
    const long l = i % kItems, wave = l / 64, last = std::min(wave * 64 + 63, kItems - 1);
    const long* const o = out.at + 16 * i;
    CHECK(o[0] == kItems * (kItems - 1) / 2);
    CHECK(o[1] == l * (l + 1) / 2);
    CHECK(o[2] == (l == 0 ? INT32_MIN : l - 1));
    CHECK(o[3] == 7);
    CHECK(o[4] == i - l + 70);
    CHECK(o[5] == 1);
    CHECK(o[6] == 0);
    CHECK(o[7] == last);
    CHECK(o[8] == l % 64 + 1);
    CHECK(o[9] == (wave == 2 ? o[9] : wave * 64 + 3)); // a lane that is not there
    CHECK(o[10] == last + 1 - wave * 64 + 100 * wave + 10000 * 3 + 1000000 * (l % 64));
    CHECK(o[11] == (wave == 0) + 2 * (wave == 1));
    CHECK(o[12] == 129 - l);
    CHECK(floats[2 * i] == 0.5f * kItems);
    CHECK(floats[2 * i + 1] == (l == 0 ? HUGE_VALF : 2.0f - float(l)));
  }
}

TEST_CASE("What the kernels of AMD's runtimes call copies, fills and waits") {
  OpenClKernel kernel(
      "extern void __amd_copyBufferRect(global uchar*, global uchar*, ulong4, ulong4, ulong4);"
      "extern void __amd_copyBufferRectAligned(global uint*, global uint*, ulong4, ulong4, ulong4);"
      "extern void __amd_fillBufferAligned2D(global uchar*, global ushort*, global uint*, global ulong*,"
      "  constant uchar*, uint, ulong, ulong, ulong, ulong);"
      "extern void __amd_batchMemOp(global void*, uint);"
      "extern void __ockl_dm_init_v1(ulong, ulong, uint, uint);"
      "kernel void calls(int which, global uint* a, global uint* b, constant uchar* pattern, global void* operations) {"
      "  if (which == 0) __amd_copyBufferRect((global uchar*)a, (global uchar*)b, (ulong4)(16, 64, 3, 0),"
      "    (ulong4)(32, 96, 5, 0), (ulong4)(7, 3, 2, 1));"
      "  if (which == 1) __amd_copyBufferRectAligned(a, b, (ulong4)(8, 32, 1, 0), (ulong4)(4, 16, 2, 0),"
      "    (ulong4)(3, 4, 2, 4));"
      "  if (which == 2) __amd_copyBufferRectAligned(a, b, (ulong4)(2, 8, 1, 0), (ulong4)(3, 9, 0, 0),"
      "    (ulong4)(1, 3, 2, 16));"
      "  if (which == 3) __amd_fillBufferAligned2D(0, 0, b, 0, pattern, 2, 1, 24, 3, 10);"
      "  if (which == 4) __amd_fillBufferAligned2D((global uchar*)b, 0, 0, 0, pattern, 3, 1, 9, 2, 20);"
      "  if (which == 5) __amd_batchMemOp(operations, 4);"
      "  if (which == 6) __ockl_dm_init_v1((ulong)(b + 16), 0, 512, 0); }",
      "calls");
  constexpr size_t kBytes = 1024;
  HostMemory<unsigned char> a(kBytes), b(kBytes), pattern(64);
  std::vector<unsigned char> wanted(kBytes);
  for (size_t i = 0; i < kBytes; ++i) a[i] = static_cast<unsigned char>(i * 7 + i / 256);
  for (size_t i = 0; i < 64; ++i) pattern[i] = static_cast<unsigned char>(200 + i);
  HostMemory<hipStreamBatchMemOpParams> operations(4);
  const auto box = [&](size_t unit, size_t from_row, size_t from_slice, size_t from, size_t to_row, size_t to_slice,
                       size_t to, size_t width, size_t rows, size_t slices) {
    for (size_t z = 0; z < slices; ++z)
      for (size_t y = 0; y < rows; ++y)
        std::memcpy(&wanted[unit * (z * to_slice + y * to_row + to)], &a[unit * (z * from_slice + y * from_row + from)],
                    unit * width);
  };
  for (int which = 0; which < 7; ++which) {
    INFO(which);
    const unsigned char before = which == 6 ? 0xff : 0;
    std::memset(b.at, before, kBytes);
    std::fill(wanted.begin(), wanted.end(), before);
    if (which == 6) std::memset(wanted.data() + 64, 0, 512); // a heap that is made ready
    if (which == 0) box(1, 16, 64, 3, 32, 96, 5, 7, 3, 2);
    if (which == 1) box(4, 8, 32, 1, 4, 16, 2, 3, 4, 2);
    if (which == 2) box(16, 2, 8, 1, 3, 9, 0, 1, 3, 2);
    if (which == 3)
      for (size_t y = 0; y < 3; ++y)
        for (size_t x = 0; x < 3; ++x) std::memcpy(&wanted[4 * (1 + y * 10 + x * 2)], pattern.at, 8);
    if (which == 4)
      for (size_t y = 0; y < 2; ++y)
        for (size_t x = 0; x < 3; ++x) std::memcpy(&wanted[1 + y * 20 + x * 3], pattern.at, 3);
    if (which == 5) {
      const auto set = [&](size_t i, hipStreamBatchMemOpType type, size_t word, uint64_t value, unsigned flags) {
        operations[i].writeValue.operation = type;
        operations[i].writeValue.address = b.at + 8 * word;
        operations[i].writeValue.value64 = value;
        operations[i].writeValue.flags = flags;
      };
      set(0, hipStreamMemOpWriteValue32, 0, 0x12345678, 0);
      set(1, hipStreamMemOpWaitValue32, 0, 0x12345678, hipStreamWaitValueEq);
      set(2, hipStreamMemOpWriteValue64, 1, 0x123456789abcdef0, 0);
      set(3, hipStreamMemOpWaitValue64, 1, 5, hipStreamWaitValueGte);
      const uint64_t words[] = {0x12345678, 0x123456789abcdef0};
      std::memcpy(wanted.data(), words, sizeof words);
    }
    kernel.run(dim3(2, 2, 2), dim3(8, 8, 4), which, a.at, b.at, pattern.at, operations.at);
    CHECK(std::memcmp(b.at, wanted.data(), kBytes) == 0);
  }
}
