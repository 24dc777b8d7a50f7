// The functions for the calling thread's own default stream (_spt): stream 0 is that stream for them. What they copy
// and fill is in errors_copy_test.cpp, what they capture in errors_capture_test.cpp.
#include "registered.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace {

const hipChannelFormatDesc kByte{8, 0, 0, 0, hipChannelFormatKindUnsigned};

struct Calls {
  int host = 0, callback = 0;
  static void count_host(void* self) { ++static_cast<Calls*>(self)->host; }
  static void count_callback(hipStream_t, hipError_t, void* self) { ++static_cast<Calls*>(self)->callback; }
};

} // namespace

TEST_CASE("Streams, events and host functions of the thread's own stream") {
  unsigned flags = 77;
  int priority = 77, least = 0, greatest = 0;
  OK(hipStreamGetFlags_spt(nullptr, &flags));
  unsigned expected = 0;
  OK(hipStreamGetFlags(hipStreamPerThread, &expected));
  CHECK(flags == expected);
  OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  OK(hipStreamGetPriority_spt(nullptr, &priority));
  CHECK((priority <= least && priority >= greatest));

  hipEvent_t event;
  OK(hipEventCreate(&event));
  Calls calls;
  OK(hipLaunchHostFunc_spt(nullptr, Calls::count_host, &calls));
  OK(hipStreamAddCallback_spt(nullptr, Calls::count_callback, &calls, 0));
  OK(hipEventRecord_spt(event, nullptr));
  OK(hipStreamWaitEvent_spt(nullptr, event, 0));
  OK(hipStreamSynchronize_spt(nullptr));
  CHECK((calls.host == 1 && calls.callback == 1));
  OK(hipStreamQuery_spt(nullptr));
  OK(hipEventQuery(event));
  FAILS(hipStreamWaitEvent_spt(nullptr, nullptr, 0), hipErrorInvalidHandle);
  FAILS(hipEventRecord_spt(nullptr, nullptr), hipErrorInvalidHandle);
  FAILS(hipStreamAddCallback_spt(nullptr, Calls::count_callback, nullptr, 1), hipErrorInvalidValue);
  OK(hipEventDestroy(event));
}

// Work that another thread has in its own stream is not asked about.
TEST_CASE("The thread's own stream is busy for itself alone") {
  if (!kernels_run()) return; // nor do host functions, beside the caller
  struct Gate {
    std::atomic<bool> open{false};
    static void wait(void* self) {
      while (!static_cast<Gate*>(self)->open.load()) std::this_thread::yield();
    }
  } gate;
  OK(hipLaunchHostFunc_spt(nullptr, Gate::wait, &gate));
  const hipError_t here = hipStreamQuery_spt(nullptr);
  hipError_t elsewhere = hipErrorUnknown;
  std::thread([&] { elsewhere = hipStreamQuery_spt(nullptr); }).join();
  gate.open = true;
  OK(hipStreamSynchronize_spt(nullptr));
  CHECK(here == hipErrorNotReady);
  CHECK(elsewhere == hipSuccess);
  OK(hipStreamQuery_spt(nullptr));
}

TEST_CASE("Copies with variables in the thread's own stream") {
  Registered code("kernels.hipfb");
  const int values[4] = {10, 20, 30, 40};
  int back[4] = {};
  OK(hipMemcpyToSymbol_spt(code.factors, values, 16, 0, hipMemcpyHostToDevice));
  OK(hipMemcpyFromSymbol_spt(back, code.factors, 16, 0, hipMemcpyDeviceToHost));
  CHECK(std::memcmp(back, values, sizeof back) == 0);
  OK(hipMemcpyToSymbolAsync_spt(code.factors, values + 2, 8, 0, hipMemcpyHostToDevice, nullptr));
  OK(hipMemcpyFromSymbolAsync_spt(back, code.factors, 8, 4, hipMemcpyDeviceToHost, nullptr));
  OK(hipStreamSynchronize_spt(nullptr));
  CHECK((back[0] == 40 && back[1] == 30));

  // And of all forms, what leaves the variable or has no direction.
  const auto kNoKind = static_cast<hipMemcpyKind>(77);
  FAILS(hipMemcpyToSymbol(code.factors, values, 16, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpyToSymbol_spt(code.factors, values, 16, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpyToSymbolAsync(code.factors, values, 17, 0, hipMemcpyHostToDevice, nullptr), hipErrorInvalidValue);
  FAILS(hipMemcpyToSymbolAsync_spt(code.factors, values, 17, 0, hipMemcpyHostToDevice, nullptr), hipErrorInvalidValue);
  FAILS(hipMemcpyFromSymbol(back, code.factors, 16, 1, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  FAILS(hipMemcpyFromSymbol_spt(back, code.factors, 16, 1, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  FAILS(hipMemcpyFromSymbolAsync(back, code.factors, 17, 0, hipMemcpyDeviceToHost, nullptr), hipErrorInvalidValue);
  FAILS(hipMemcpyFromSymbolAsync_spt(back, code.factors, 17, 0, hipMemcpyDeviceToHost, nullptr), hipErrorInvalidValue);
  FAILS(hipMemcpyFromSymbol(back, code.factors, 4, 0, kNoKind), hipErrorInvalidMemcpyDirection);
  FAILS(hipMemcpyToSymbol(code.factors, values, 4, 0, kNoKind), hipErrorInvalidMemcpyDirection);
}

TEST_CASE("Functions are found by name, for the thread's own stream too") {
  void *plain = nullptr, *own = nullptr, *copy = nullptr;
  hipDriverEntryPointQueryResult status{};
  hipDriverProcAddressQueryResult result{};
  OK(hipGetDriverEntryPoint("hipMemcpy", &plain, 0, &status));
  CHECK(status == hipDriverEntryPointSuccess);
  CHECK(plain ==
        reinterpret_cast<void*>(static_cast<hipError_t (*)(void*, const void*, size_t, hipMemcpyKind)>(&::hipMemcpy)));
  OK(hipGetDriverEntryPoint_spt("hipMemcpy", &own, 0, &status));
  OK(hipGetProcAddress_spt("hipMemcpy", &copy, HIP_VERSION, 0, &result));
  CHECK(copy == own);
  FAILS(hipGetDriverEntryPoint("hipNoSuchThing", &plain, 0, &status), hipErrorNotFound);
  CHECK(status == hipDriverEntryPointSymbolNotFound);
}

TEST_CASE("Rows of arrays, by every form", "[api][images]") {
  if (!has_images()) return;
  constexpr size_t kWidth = 64, kHeight = 4;
  hipArray_t a = nullptr, b = nullptr, line = nullptr, other = nullptr;
  OK(hipMallocArray(&a, &kByte, kWidth, kHeight, 0));
  OK(hipMallocArray(&b, &kByte, kWidth, kHeight, 0));
  OK(hipMallocArray(&line, &kByte, kWidth, 0, 0));
  OK(hipMallocArray(&other, &kByte, kWidth, 0, 0));
  std::vector<unsigned char> from(kWidth * kHeight), to(from.size());
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7 + 1);
  const auto round = [&](auto&& write, auto&& read) {
    std::fill(to.begin(), to.end(), 0);
    OK(write());
    OK(hipStreamSynchronize(hipStreamPerThread));
    OK(hipDeviceSynchronize());
    OK(read());
    OK(hipStreamSynchronize(hipStreamPerThread));
    OK(hipDeviceSynchronize());
    CHECK(to == from);
    std::reverse(from.begin(), from.end()); // other bytes for the next
  };
  const size_t n = from.size();
  round([&] { return hipMemcpy2DToArray_spt(a, 0, 0, from.data(), kWidth, kWidth, kHeight, hipMemcpyHostToDevice); },
        [&] { return hipMemcpy2DFromArray_spt(to.data(), kWidth, a, 0, 0, kWidth, kHeight, hipMemcpyDeviceToHost); });
  round(
      [&] {
        return hipMemcpy2DToArrayAsync_spt(a, 0, 0, from.data(), kWidth, kWidth, kHeight, hipMemcpyHostToDevice,
                                           nullptr);
      },
      [&] {
        return hipMemcpy2DFromArrayAsync_spt(to.data(), kWidth, a, 0, 0, kWidth, kHeight, hipMemcpyDeviceToHost,
                                             nullptr);
      });
  round([&] { return hipMemcpyToArray(a, 0, 0, from.data(), n, hipMemcpyHostToDevice); },
        [&] { return hipMemcpyFromArray_spt(to.data(), a, 0, 0, n, hipMemcpyDeviceToHost); });

  // One-dimensional arrays by the driver's functions.
  from.resize(kWidth);
  to.resize(kWidth);
  void* memory = nullptr;
  OK(hipMalloc(&memory, kWidth));
  round([&] { return hipMemcpyHtoA(line, 0, from.data(), kWidth); },
        [&] { return hipMemcpyAtoHAsync(to.data(), line, 0, kWidth, nullptr); });
  round([&] { return hipMemcpyHtoAAsync(line, 0, from.data(), kWidth, nullptr); },
        [&] { return hipMemcpyAtoH(to.data(), line, 0, kWidth); });
  round(
      [&] {
        OK(hipMemcpy(memory, from.data(), kWidth, hipMemcpyHostToDevice));
        OK(hipMemcpyDtoA(line, 0, memory, kWidth));
        OK(hipMemcpyAtoA(other, 0, line, 0, kWidth));
        return hipMemset(memory, 0, kWidth);
      },
      [&] {
        OK(hipMemcpyAtoD(memory, other, 0, kWidth));
        return hipMemcpy(to.data(), memory, kWidth, hipMemcpyDeviceToHost);
      });

  struct Row {
    const char* name;
    hipError_t result, expected;
  };
  const auto kNoKind = static_cast<hipMemcpyKind>(77);
  const hipMemcpyKind kIn = hipMemcpyHostToDevice, kOut = hipMemcpyDeviceToHost;
  std::vector<unsigned char> host(n);
  unsigned char* const h = host.data();
  const size_t w = kWidth;
  const Row rows[] = {
#define ROW(function, expected, ...) {#function, function(__VA_ARGS__), expected}
      // A null address.
      ROW(hipMemcpy2DToArray, hipErrorInvalidValue, a, 0, 0, nullptr, w, w, 1, kIn),
      ROW(hipMemcpy2DToArrayAsync, hipErrorInvalidValue, a, 0, 0, nullptr, w, w, 1, kIn, nullptr),
      ROW(hipMemcpy2DToArray_spt, hipErrorInvalidValue, a, 0, 0, nullptr, w, w, 1, kIn),
      ROW(hipMemcpy2DToArrayAsync_spt, hipErrorInvalidValue, a, 0, 0, nullptr, w, w, 1, kIn, nullptr),
      ROW(hipMemcpy2DFromArray, hipErrorInvalidValue, nullptr, w, a, 0, 0, w, 1, kOut),
      ROW(hipMemcpy2DFromArrayAsync, hipErrorInvalidValue, nullptr, w, a, 0, 0, w, 1, kOut, nullptr),
      ROW(hipMemcpy2DFromArray_spt, hipErrorInvalidValue, nullptr, w, a, 0, 0, w, 1, kOut),
      ROW(hipMemcpy2DFromArrayAsync_spt, hipErrorInvalidValue, nullptr, w, a, 0, 0, w, 1, kOut, nullptr),
      ROW(hipMemcpyToArray, hipErrorInvalidValue, a, 0, 0, nullptr, w, kIn),
      ROW(hipMemcpyFromArray, hipErrorInvalidValue, nullptr, a, 0, 0, w, kOut),
      ROW(hipMemcpyFromArray_spt, hipErrorInvalidValue, nullptr, a, 0, 0, w, kOut),
      ROW(hipMemcpyHtoA, hipErrorInvalidValue, line, 0, nullptr, w),
      ROW(hipMemcpyHtoAAsync, hipErrorInvalidValue, line, 0, nullptr, w, nullptr),
      ROW(hipMemcpyAtoH, hipErrorInvalidValue, nullptr, line, 0, w),
      ROW(hipMemcpyAtoHAsync, hipErrorInvalidValue, nullptr, line, 0, w, nullptr),
      ROW(hipMemcpyDtoA, hipErrorInvalidValue, line, 0, nullptr, w),
      ROW(hipMemcpyAtoD, hipErrorInvalidValue, nullptr, line, 0, w),
      // What leaves the array.
      ROW(hipMemcpyAtoA, hipErrorInvalidValue, other, 1, line, 0, w),
      ROW(hipMemcpy2DArrayToArray, hipErrorInvalidValue, b, 0, 0, a, 0, 0, w + 1, 1, hipMemcpyDeviceToDevice),
      ROW(hipMemcpyToArray, hipErrorInvalidValue, a, 0, 0, h, n + 1, kIn),
      // A pitch that is less than a row.
      ROW(hipMemcpy2DToArray, hipErrorInvalidPitchValue, a, 0, 0, h, w - 1, w, 2, kIn),
      ROW(hipMemcpy2DToArrayAsync, hipErrorInvalidPitchValue, a, 0, 0, h, w - 1, w, 2, kIn, nullptr),
      ROW(hipMemcpy2DToArray_spt, hipErrorInvalidPitchValue, a, 0, 0, h, w - 1, w, 2, kIn),
      ROW(hipMemcpy2DToArrayAsync_spt, hipErrorInvalidPitchValue, a, 0, 0, h, w - 1, w, 2, kIn, nullptr),
      ROW(hipMemcpy2DFromArray, hipErrorInvalidPitchValue, h, w - 1, a, 0, 0, w, 2, kOut),
      ROW(hipMemcpy2DFromArrayAsync, hipErrorInvalidPitchValue, h, w - 1, a, 0, 0, w, 2, kOut, nullptr),
      ROW(hipMemcpy2DFromArray_spt, hipErrorInvalidPitchValue, h, w - 1, a, 0, 0, w, 2, kOut),
      ROW(hipMemcpy2DFromArrayAsync_spt, hipErrorInvalidPitchValue, h, w - 1, a, 0, 0, w, 2, kOut, nullptr),
      // No direction.
      ROW(hipMemcpy2DToArray, hipErrorInvalidMemcpyDirection, a, 0, 0, h, w, w, 1, kNoKind),
      ROW(hipMemcpy2DToArrayAsync, hipErrorInvalidMemcpyDirection, a, 0, 0, h, w, w, 1, kNoKind, nullptr),
      ROW(hipMemcpy2DToArray_spt, hipErrorInvalidMemcpyDirection, a, 0, 0, h, w, w, 1, kNoKind),
      ROW(hipMemcpy2DToArrayAsync_spt, hipErrorInvalidMemcpyDirection, a, 0, 0, h, w, w, 1, kNoKind, nullptr),
      ROW(hipMemcpy2DFromArray, hipErrorInvalidMemcpyDirection, h, w, a, 0, 0, w, 1, kNoKind),
      ROW(hipMemcpy2DFromArrayAsync, hipErrorInvalidMemcpyDirection, h, w, a, 0, 0, w, 1, kNoKind, nullptr),
      ROW(hipMemcpy2DFromArray_spt, hipErrorInvalidMemcpyDirection, h, w, a, 0, 0, w, 1, kNoKind),
      ROW(hipMemcpy2DFromArrayAsync_spt, hipErrorInvalidMemcpyDirection, h, w, a, 0, 0, w, 1, kNoKind, nullptr),
      ROW(hipMemcpyToArray, hipErrorInvalidMemcpyDirection, a, 0, 0, h, w, kNoKind),
      ROW(hipMemcpyFromArray, hipErrorInvalidMemcpyDirection, h, a, 0, 0, w, kNoKind),
      ROW(hipMemcpyFromArray_spt, hipErrorInvalidMemcpyDirection, h, a, 0, 0, w, kNoKind),
      ROW(hipMemcpy2DArrayToArray, hipErrorInvalidMemcpyDirection, b, 0, 0, a, 0, 0, w, 1, kNoKind),
#undef ROW
  };
  for (const Row& row : rows) {
    INFO(row.name);
    CHECK(row.result == row.expected);
  }
  (void)hipGetLastError();
  OK(hipFree(memory));
  for (hipArray_t array : {a, b, line, other}) OK(hipFreeArray(array));
}
