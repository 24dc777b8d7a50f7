// Kernels that go wrong: accesses outside every allocation, traps, assertions. Each gives the documented error, the
// report names the kernel, and the process goes on: the next kernel runs. On an NVIDIA GPU the driver gives the device
// up for this process: every later call returns the fault's error.
#define E2E_ABOUT_FAULTS
#include "e2e.h"

#include <cassert>

namespace {

__global__ void store_to(int* p) { p[threadIdx.x] = 1; }
__global__ void load_from(const int* p, int* out) { out[threadIdx.x] = p[threadIdx.x]; }
__global__ void atomic_on(int* p) { atomicAdd(p, 1); }
__global__ void one_lane_goes_astray(int* good, int* bad) {
  int* p = threadIdx.x == 37 ? bad : good + threadIdx.x;
  *p = 5;
}
__global__ void far_beyond(int* p, long long distance) { p[distance] = 1; }
__global__ void scalar_load(const int* const* table, int* out) { *out = **table; }
__global__ void call_nowhere(void (*f)()) { f(); }
__global__ void trap_now() { __builtin_trap(); }
__global__ void assert_below(unsigned limit) { assert(threadIdx.x < limit); }
__global__ void abort_in_lane() {
  if (threadIdx.x == 3) abort();
}
// Two instructions that are reserved on gfx9, and on which LLVM's disassembler crashes: v_mad_u64_u32 with a literal,
// and an add with a reserved SDWA select.
__global__ void reserved_words(int* p, int when) {
#if defined(__GFX9__)
  if (p[0] == when) asm volatile(".long 0xd1e81006\n.long 0x0421ffff\n.long 0x020000f9\n.long 0x06070501");
#else
  if (p[0] == when) __builtin_trap();
#endif
  p[threadIdx.x + 1] = 7;
}
__global__ void increment(int* p) { p[threadIdx.x] += 1; }

// The process, the device and the memory are as before.
void check_alive() {
  (void)hipGetLastError(); // of the fault, which has been looked at
  if (e2e::on_nvidia()) {
    const hipError_t status = hipDeviceSynchronize();
    CHECK(status != hipSuccess);
    void* p = nullptr;
    CHECK_EQ(hipMalloc(&p, 64), status);
    increment<<<1, 64>>>(nullptr);
    CHECK_EQ(hipGetLastError(), status);
    return;
  }
  e2e::Device<int> data(64);
  increment<<<2, 64>>>(data);
  HIP_OK(e2e::finish());
  const auto got = data.download();
  int sum = 0;
  for (const int x : got) sum += x;
  CHECK(sum >= 64 && sum <= 128); // two blocks may race, none may be lost altogether
}

template<class F> void expect_illegal_address(F launch) {
  launch();
  CHECK_EQ(e2e::finish(), hipErrorIllegalAddress);
  CHECK_EQ(hipGetLastError(), hipErrorIllegalAddress);
  check_alive();
}

} // namespace

E2E_CASE(store_to_null) {
  expect_illegal_address([] { store_to<<<1, 64>>>(nullptr); });
}
E2E_CASE(load_from_null) {
  e2e::Device<int> out(64);
  expect_illegal_address([&] { load_from<<<1, 64>>>(nullptr, out); });
}
E2E_CASE(wild_pointers) {
  for (const uint64_t address :
       {0x10ull, 0xdeadbeef000ull, 0x7fffffffff000ull, 0xffff800000000000ull, 0x123456789abcdef0ull})
    expect_illegal_address([&] { store_to<<<1, 64>>>(reinterpret_cast<int*>(address)); });
}
E2E_CASE(atomic_on_wild_pointer) {
  expect_illegal_address([] { atomic_on<<<1, 64>>>(reinterpret_cast<int*>(0xdeadbeef000)); });
}
E2E_CASE(one_lane_of_many) {
  e2e::Device<int> good(64);
  expect_illegal_address([&] { one_lane_goes_astray<<<1, 64>>>(good, reinterpret_cast<int*>(0x1000)); });
}
E2E_CASE(scalar_access) {
  e2e::Device<int> out(1);
  e2e::Device<const int*> table(std::vector<const int*>{reinterpret_cast<const int*>(0xdead0000)});
  expect_illegal_address([&] { scalar_load<<<1, 64>>>(table, out); });
}
E2E_CASE(far_out_of_bounds) {
  e2e::Device<int> data(16);
  expect_illegal_address([&] { far_beyond<<<1, 1>>>(data, 1LL << 38); });
  expect_illegal_address([&] { far_beyond<<<1, 1>>>(data, -(1LL << 40)); });
}
E2E_CASE(use_after_free) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "the driver keeps freed memory mapped");
  int* p = nullptr;
  HIP_OK(hipMalloc(reinterpret_cast<void**>(&p), 1 << 20));
  HIP_OK(hipFree(p));
  expect_illegal_address([&] { store_to<<<1, 64>>>(p); });
}
E2E_CASE(host_memory_that_nobody_registered) {
  // A page that is not even mapped for the host: unregistered memory itself may be accessible on some devices.
  expect_illegal_address([] { store_to<<<1, 64>>>(reinterpret_cast<int*>(0x5000)); });
}
E2E_CASE(call_through_a_wild_pointer) {
  call_nowhere<<<1, 64>>>(reinterpret_cast<void (*)()>(0x4000));
  const hipError_t status = e2e::finish();
  CHECK(status == hipErrorIllegalAddress || status == hipErrorLaunchFailure);
  check_alive();
}
E2E_CASE(trap) {
  trap_now<<<1, 64>>>();
  CHECK_EQ(e2e::finish(), hipErrorLaunchFailure);
  check_alive();
}
E2E_CASE(events_tell_of_failures_before_them) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "the device is lost with the first fault");
  hipEvent_t event;
  HIP_OK(hipEventCreate(&event));
  const auto fail = [&] {
    trap_now<<<1, 64>>>();
    HIP_OK(hipEventRecord(event, nullptr));
  };
  fail();
  CHECK_EQ(hipEventSynchronize(event), hipErrorLaunchFailure);
  HIP_OK(hipDeviceSynchronize()); // it has been told
  fail();
  hipError_t result = hipErrorNotReady;
  while (result == hipErrorNotReady) result = hipEventQuery(event);
  CHECK_EQ(result, hipErrorLaunchFailure);
  HIP_OK(hipDeviceSynchronize());
  HIP_OK(hipEventDestroy(event));
  check_alive();
}

E2E_CASE(reserved_words_count_only_when_executed) {
  e2e::Device<int> data(65);
  reserved_words<<<1, 64>>>(data, 12345);
  HIP_OK(e2e::finish());
  const auto got = data.download();
  for (int k = 1; k <= 64; ++k) CHECK_EQ(got[size_t(k)], 7);
  reserved_words<<<1, 64>>>(data, 0);
  CHECK(e2e::finish() != hipSuccess);
  check_alive();
}
E2E_CASE(an_assertion_fails) {
  assert_below<<<2, 64>>>(50);
  const hipError_t status = e2e::finish();
  CHECK_EQ(status, hipErrorAssert);
  check_alive();
}
E2E_CASE(abort_of_one_lane) {
  abort_in_lane<<<1, 64>>>();
  CHECK_EQ(e2e::finish(), hipErrorLaunchFailure);
  check_alive();
}
E2E_CASE(faults_among_the_small_kernels_of_a_graph) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "the device is lost with the first fault");
  e2e::Device<int> data(64);
  hipStream_t stream;
  HIP_OK(hipStreamCreate(&stream));
  HIP_OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  for (int i = 0; i < 20; ++i) {
    if (i == 7) store_to<<<1, 64, 0, stream>>>(nullptr);
    increment<<<1, 64, 0, stream>>>(data);
    if (i == 13) trap_now<<<1, 64, 0, stream>>>();
  }
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP_OK(hipStreamEndCapture(stream, &graph));
  HIP_OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int run = 1; run <= 300; ++run) {
    HIP_OK(hipGraphLaunch(exec, stream));
    CHECK_EQ(hipStreamSynchronize(stream), hipErrorIllegalAddress); // of two faults the first one is told
    CHECK_EQ(hipGetLastError(), hipErrorIllegalAddress);
    const auto got = data.download();
    CHECK(std::all_of(got.begin(), got.end(), [&](int x) { return x == 20 * run; }));
  }
  HIP_OK(hipGraphExecDestroy(exec));
  HIP_OK(hipGraphDestroy(graph));
  HIP_OK(hipStreamDestroy(stream));
  check_alive();
}
E2E_CASE(fault_in_one_stream_only) {
  hipStream_t a, b;
  HIP_OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  HIP_OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  e2e::Device<int> data(64);
  store_to<<<1, 64, 0, a>>>(nullptr);
  CHECK_EQ(hipStreamSynchronize(a), hipErrorIllegalAddress);
  if (!e2e::on_nvidia()) {
    increment<<<1, 64, 0, b>>>(data);
    HIP_OK(hipStreamSynchronize(b));
    CHECK_EQ(data.download()[63], 1);
  }
  (void)hipStreamDestroy(a);
  (void)hipStreamDestroy(b);
  check_alive();
}
// They wait for the kernel, and a program that asks nothing but them would never hear of its fault if they kept it.
E2E_CASE(calls_that_wait_by_themselves_lose_no_fault) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "the device is lost with the first fault");
  int* memory = nullptr;
  HIP_OK(hipMalloc(reinterpret_cast<void**>(&memory), 4096));
  alignas(4096) static char of_host[4096];
  HIP_OK(hipHostRegister(of_host, sizeof of_host, 0));
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.location.type = hipMemLocationTypeDevice;
  size_t unit = 0;
  HIP_OK(hipMemGetAllocationGranularity(&unit, &properties, hipMemAllocationGranularityRecommended));
  hipMemGenericAllocationHandle_t physical;
  void* mapped = nullptr;
  const hipMemAccessDesc access{properties.location, hipMemAccessFlagsProtReadWrite};
  HIP_OK(hipMemCreate(&physical, unit, &properties, 0));
  HIP_OK(hipMemAddressReserve(&mapped, unit, 0, nullptr, 0));
  HIP_OK(hipMemMap(mapped, unit, 0, physical, 0));
  HIP_OK(hipMemSetAccess(mapped, unit, &access, 1));

  hipStream_t stream;
  HIP_OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  const auto check = [&](auto call) {
    for (const hipStream_t faulty : {hipStream_t{nullptr}, stream}) store_to<<<1, 64, 0, faulty>>>(nullptr);
    CHECK_EQ(call(), hipSuccess);
    CHECK_EQ(hipStreamSynchronize(stream), hipErrorIllegalAddress);
    CHECK_EQ(hipStreamSynchronize(nullptr), hipErrorIllegalAddress);
    check_alive();
  };
  check([&] { return hipFree(memory); });
  check([&] { return hipHostUnregister(of_host); });
  check([&] { return hipMemUnmap(mapped, unit); });
  HIP_OK(hipMemAddressFree(mapped, unit));
  HIP_OK(hipMemRelease(physical));
  HIP_OK(hipStreamDestroy(stream));
}
E2E_CASE(copy_behind_a_fault_fails_too) {
  store_to<<<1, 64>>>(nullptr);
  int value = 0;
  e2e::Device<int> data(1); // allocation and memset may already see the fault
  (void)hipMemcpy(&value, data, sizeof(value), hipMemcpyDeviceToHost);
  (void)hipDeviceSynchronize();
  CHECK_EQ(hipGetLastError(), hipErrorIllegalAddress);
  check_alive();
}
