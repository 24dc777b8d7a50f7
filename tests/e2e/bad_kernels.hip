// Kernels that misbehave, and the reports of it on standard error: what the report says, the documented error, and that the
// process and other streams go on. With E2E_LINES it has been compiled with -g, and reports name source lines.
#define E2E_ABOUT_FAULTS
#include "e2e.h"

#include <cstdio>
#include <unistd.h>

namespace {

// (The constants behind kernels are lines of this file that reports must name.)
__global__ void spin_on_memory(const int* flag) {
  while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
}
constexpr int kSpinLine = __LINE__ - 2;
__global__ void endless_loop(int* out) {
  for (int n = threadIdx.x;; n = n * 5 + 3) {
    asm volatile("" : : "r"(n));
    if (n == -1 && out == nullptr) out[0] = n;
  }
}
__global__ void endless_in_one_lane(int* out) {
  if (threadIdx.x == 70)
    for (;;) asm volatile("");
  out[threadIdx.x] = 1;
}
__global__ void endless_barriers(int* out) {
  __shared__ int tile[256];
  for (int n = 0;; ++n) {
    tile[threadIdx.x] = n;
    __syncthreads();
    if (tile[(threadIdx.x + 64) % 256] != n) out[0] = n;
    __syncthreads();
  }
}
// The other waves wait at a barrier that wave 0 never reaches.
__global__ void barrier_that_never_opens(const int* flag, int* out) {
  if (threadIdx.x < 64)
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
  __syncthreads();
  out[threadIdx.x] = 1;
}
// Half of the waves take one barrier, half another one: cards count arrivals, not places.
__global__ void divergent_barrier(int* out) {
  if (threadIdx.x < 64)
    __syncthreads();
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}
// Waves that end do not count.
__global__ void barrier_of_some(int* out) {
  if (threadIdx.x >= 128) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void store_out_of_bounds(int* p, int distance) {
  if (threadIdx.x >= 5) return;
  p[threadIdx.x * distance] = 1;
}
constexpr int kStoreLine = __LINE__ - 2;
__global__ void misaligned_atomic(char* p, int by) {
  int* at = reinterpret_cast<int*>(p + threadIdx.x * 8 + (threadIdx.x == 9 ? by : 0));
  __hip_atomic_fetch_add(at, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
constexpr int kAtomicLine = __LINE__ - 2;
__global__ void misaligned_shared_atomic(int* out, int by) {
  __shared__ long long slots[64];
  slots[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(reinterpret_cast<int*>(reinterpret_cast<char*>(slots) + threadIdx.x * 8 + (threadIdx.x == 9 ? by : 0)), 1);
  __syncthreads();
  out[threadIdx.x] = static_cast<int>(slots[threadIdx.x]);
}
__global__ void beyond_shared(int* out, int index) {
  __shared__ volatile int tile[64];
  tile[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  tile[index + threadIdx.x] = 7;
  __syncthreads();
  out[threadIdx.x] = tile[index + threadIdx.x] + tile[threadIdx.x] * 100;
}
__device__ __attribute__((noinline)) int recurse(int depth, volatile int* before) {
  volatile int frame[64];
  frame[depth % 64] = depth + before[depth % 64];
  const int below = depth == 0 ? 0 : recurse(depth - 1, frame);
  return below + frame[(depth + below) & 63];
}
__global__ void recursion(int* out, int depth) { out[threadIdx.x] = recurse(depth, out); }
__global__ void call_into_data(void (*f)()) { f(); }
__global__ void increment(int* p) { p[threadIdx.x] += 1; }
__global__ void sum_from(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x] + 3; }
constexpr int kSumLine = __LINE__ - 1;
__global__ void copy_quads(const int4* p, int4* out) { out[threadIdx.x] = p[threadIdx.x]; }
__global__ void fill_with_nine(int* p) { p[threadIdx.x] = 9; }

// What is written to standard error while f() runs.
template<class F> std::string report_of(F f) {
  std::fflush(stderr);
  std::FILE* file = std::tmpfile();
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  f();
  dup2(before, STDERR_FILENO);
  close(before);
  std::string text(static_cast<size_t>(std::ftell((std::fseek(file, 0, SEEK_END), file))), ' ');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}
void expect(const std::string& report, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts)
    if (report.find(part) == std::string::npos) e2e::fail(__FILE__, __LINE__, "no \"" + part + "\" in: " + report);
}
#ifdef E2E_LINES
std::string source(int line) { return "bad_kernels.hip:" + std::to_string(line); }
#else
std::string source(int) { return {}; }
#endif
// Endless kernels end after a second. The runtime reads the environment when the first function of HIP is called.
const int limit_is_set = setenv("OMNIHIP_SOFT_TIMEOUT_S", "1", 1);

void check_alive() {
  (void)hipGetLastError();
  e2e::Device<int> data(64);
  increment<<<1, 64>>>(data);
  HIP_OK(e2e::finish());
  CHECK_EQ(data.download()[63], 1);
}

// The launch fails with this error, and its report holds all of `parts`.
template<class F> void expect_report(hipError_t wanted, std::initializer_list<std::string> parts, F launch) {
  const std::string report = report_of([&] {
    launch();
    CHECK_EQ(e2e::finish(), wanted);
  });
  expect(report, parts);
  check_alive();
}

} // namespace

#define SOFTWARE_ONLY() E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "the reports are the software GPU's")

E2E_CASE(endless_loops_end) {
  SOFTWARE_ONLY();
  CHECK_EQ(limit_is_set, 0);
  e2e::Device<int> memory(256);
  expect_report(hipErrorLaunchTimeOut, {"endless_loop", "work-group (", " at '", "OMNIHIP_SOFT_TIMEOUT_S"},
                [&] { endless_loop<<<8, 256>>>(memory); });
  expect_report(hipErrorLaunchTimeOut, {"endless_in_one_lane", "wave"}, [&] { endless_in_one_lane<<<1, 256>>>(memory); });
  expect_report(hipErrorLaunchTimeOut, {"endless_barriers", "wave"}, [&] { endless_barriers<<<2, 256>>>(memory); });
}
E2E_CASE(kernels_that_wait_for_ever_end) {
  SOFTWARE_ONLY();
  e2e::Device<int> memory(256);
  expect_report(hipErrorLaunchTimeOut, {"spin_on_memory", source(kSpinLine)}, [&] { spin_on_memory<<<4, 64>>>(memory); });
  expect_report(hipErrorLaunchTimeOut, {"barrier_that_never_opens", " at '", "at the barrier in front of"},
                [&] { barrier_that_never_opens<<<1, 256>>>(memory, memory); });
}
E2E_CASE(another_stream_runs_beside_an_endless_kernel) {
  SOFTWARE_ONLY();
  hipStream_t a, b;
  HIP_OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  HIP_OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  e2e::Device<int> memory(64);
  e2e::Device<int> flag(1);
  const std::string report = report_of([&] {
    spin_on_memory<<<1, 64, 0, a>>>(flag);
    increment<<<1, 64, 0, b>>>(memory);
    HIP_OK(hipStreamSynchronize(b));
    CHECK_EQ(hipStreamSynchronize(a), hipErrorLaunchTimeOut);
  });
  expect(report, {"spin_on_memory"});
  (void)hipGetLastError();
  increment<<<1, 64, 0, a>>>(memory); // the stream itself goes on
  HIP_OK(hipStreamSynchronize(a));
  CHECK_EQ(memory.download()[63], 2);
  HIP_OK(hipStreamDestroy(a));
  HIP_OK(hipStreamDestroy(b));
}
E2E_CASE(barriers_that_not_all_threads_take) {
  e2e::Device<int> out(256);
  divergent_barrier<<<1, 128>>>(out);
  HIP_OK(e2e::finish());
  CHECK_EQ(out.download()[127], 1);
  barrier_of_some<<<1, 256>>>(out);
  HIP_OK(e2e::finish());
  CHECK_EQ(out.download()[100], 1);
}
E2E_CASE(a_store_out_of_bounds) {
  SOFTWARE_ONLY();
  e2e::Device<int> data(100000); // more than shares its pages with others
  expect_report(hipErrorIllegalAddress,
                {"store_out_of_bounds", "_store_", "work-group (0, 0, 0)", "bytes past the end of the 400000-byte allocation", source(kStoreLine)},
                [&] { store_out_of_bounds<<<1, 64>>>(data, 100250); });
}
E2E_CASE(an_access_after_free) {
  SOFTWARE_ONLY();
  int* p = nullptr;
  HIP_OK(hipMalloc(reinterpret_cast<void**>(&p), 1 << 20));
  HIP_OK(hipFree(p));
  expect_report(hipErrorIllegalAddress, {"is byte 0 of the 1048576-byte allocation", "which has been freed", source(kStoreLine)},
                [&] { store_out_of_bounds<<<1, 64>>>(p, 1); });
}
E2E_CASE(misaligned_atomics) {
  SOFTWARE_ONLY();
  e2e::Device<char> data(1024);
  misaligned_atomic<<<1, 64>>>(data, 4); // aligned
  HIP_OK(e2e::finish());
  char address[32];
  std::snprintf(address, sizeof(address), "%p", static_cast<void*>(data + 9 * 8 + 2));
  expect_report(hipErrorIllegalAddress,
                {"misaligned_atomic", "_atomic_add", address, "not a multiple of the atomic's 4 bytes", "lane 9", source(kAtomicLine)},
                [&] { misaligned_atomic<<<1, 64>>>(data, 2); });
  e2e::Device<int> out(64);
  expect_report(hipErrorIllegalAddress, {"misaligned_shared_atomic", "not a multiple of the atomic's 4 bytes", "of LDS", "lane 9"},
                [&] { misaligned_shared_atomic<<<1, 64>>>(out, 1); });
}
// Cards give 0 and drop stores without a word (the ISA's documents, "LDS out of range"), and programs rely on it.
E2E_CASE(shared_memory_out_of_range_is_silent) {
  SOFTWARE_ONLY();
  e2e::Device<int> out(64);
  beyond_shared<<<1, 64>>>(out, 1 << 18);
  HIP_OK(e2e::finish());
  const auto got = out.download();
  for (int k = 0; k < 64; ++k) CHECK_AT(k, got[size_t(k)], (k + 1) * 100);
}
E2E_CASE(recursion_too_deep) {
  SOFTWARE_ONLY();
  e2e::Device<int> out(64);
  recursion<<<1, 64>>>(out, 3);
  HIP_OK(e2e::finish());
  expect_report(hipErrorIllegalAddress, {"Kernel ", "recursion", "overflows the stack", "hipLimitStackSize", "lanes 0-"},
                [&] { recursion<<<1, 64>>>(out, 100000); });
}
E2E_CASE(a_call_into_data) {
  SOFTWARE_ONLY();
  e2e::Device<int> data(25000);
  expect_report(hipErrorLaunchFailure, {"call_into_data", "where no code object has an instruction", "of the 100000-byte allocation", "It comes from 's_"},
                [&] { call_into_data<<<1, 64>>>(reinterpret_cast<void (*)()>(data.data())); });
}

static bool strict_reads() {
  const char* const value = std::getenv("OMNIHIP_SOFT_STRICT_READS");
  return value && *value == '1';
}
// Cards have memory behind an allocation's end, where kernels that AMD wrote by hand read whole tiles.
E2E_CASE(reads_close_behind_an_allocation_go_on) {
  SOFTWARE_ONLY();
  E2E_LEAVE_OUT_IF(strict_reads(), "they are errors");
  constexpr int kInts = 25 * 1024; // whole pages, and not in a slab
  e2e::Device<int> out(256);
  int* memory = nullptr;
  HIP_OK(hipMalloc(reinterpret_cast<void**>(&memory), kInts * sizeof(int)));
  HIP_OK(hipMemset(memory, 1, kInts * sizeof(int)));
  const auto check_sums = [&] {
    const auto sums = out.download();
    for (int k = 0; k < 256; ++k) CHECK_EQ(sums[k], k < 128 ? 0x01010101 + 3 : 3);
  };
  const std::string report = report_of([&] {
    sum_from<<<1, 256>>>(memory + kInts - 128, out);
    HIP_OK(e2e::finish());
  });
  check_sums();
  expect(report, {"Kernel ", "sum_from", "reads behind an allocation, and gets zeros", source(kSumLine),
                  "past the end of the 102400-byte allocation", "OMNIHIP_SOFT_STRICT_READS"});
  // The same instruction is not named again, and one that crosses the end has the allocation's part.
  int* other = nullptr;
  HIP_OK(hipMalloc(reinterpret_cast<void**>(&other), kInts * sizeof(int)));
  HIP_OK(hipMemset(other, 1, kInts * sizeof(int)));
  const std::string again = report_of([&] {
    sum_from<<<1, 256>>>(other + kInts - 128, out);
    HIP_OK(e2e::finish());
  });
  check_sums();
  CHECK_EQ(again.find("sum_from"), std::string::npos);
  copy_quads<<<1, 64>>>(reinterpret_cast<const int4*>(memory + kInts - 132), reinterpret_cast<int4*>(static_cast<int*>(out)));
  HIP_OK(e2e::finish());
  const auto quads = out.download();
  for (int k = 0; k < 256; ++k) CHECK_EQ(quads[k], k < 132 ? 0x01010101 : 0);

  // Writes there are errors, and so are reads farther away and of memory that was freed.
  expect_report(hipErrorIllegalAddress, {"fill_with_nine", "past the end of the 102400-byte allocation"},
                [&] { fill_with_nine<<<1, 64>>>(memory + kInts); });
  expect_report(hipErrorIllegalAddress, {"sum_from"}, [&] { sum_from<<<1, 64>>>(memory + kInts + (1 << 26), out); });
  HIP_OK(hipFree(memory));
  expect_report(hipErrorIllegalAddress, {"sum_from", "which has been freed"}, [&] { sum_from<<<1, 64>>>(memory + kInts - 64, out); });
  expect_report(hipErrorIllegalAddress, {"sum_from"}, [&] { sum_from<<<1, 64>>>(memory + kInts, out); });
  HIP_OK(hipFree(other));
}
E2E_CASE(reads_close_behind_an_allocation_are_errors_where_that_is_asked_for) {
  E2E_LEAVE_OUT_IF(!strict_reads(), "OMNIHIP_SOFT_STRICT_READS is not 1");
  constexpr int kInts = 25 * 1024;
  e2e::Device<int> memory(kInts), out(256);
  expect_report(hipErrorIllegalAddress, {"sum_from", "past the end of the 102400-byte allocation"},
                [&] { sum_from<<<1, 256>>>(memory + kInts - 128, out); });
}
