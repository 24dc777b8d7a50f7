// Random sequences of calls with good, stale and garbage arguments: whatever comes, the answer is an error code, never a crash.
// The seed is fixed, so a failure comes again.
#include "test_seed.h"
#include "testing.h"

#include <random>

namespace {

// Live, dead and never-born values of one kind of handle.
template <class H> struct Pool {
  H pick(std::mt19937& random) {
    const unsigned choice = random() % 8;
    if (choice == 0) return nullptr;
    if (choice == 1) return reinterpret_cast<H>(uintptr_t{random()} << 16 ^ random());
    if (choice == 2) return reinterpret_cast<H>(uintptr_t{random() % 4});
    return all.empty() ? nullptr : all[random() % all.size()];
  }
  void add(H h) {
    if (h && all.size() < 200) all.push_back(h);
  }
  std::vector<H> all;
};

} // namespace

TEST_CASE("Random calls with any arguments") {
  std::mt19937 random(hip::testing::seeded(20240229));
  Pool<hipStream_t> streams;
  Pool<hipEvent_t> events;
  Pool<hipModule_t> modules;
  Pool<hipFunction_t> functions;
  Pool<void*> memory;
  const auto image = read_file("kernels.hipfb");
  char host[4096] = {};
  uint64_t successes = 0, failures = 0;
  auto note = [&](hipError_t e) { ++(e == hipSuccess ? successes : failures); };
  // Sizes about the sizes of the allocations; never so large that a copy into `host` could be accepted.
  auto size = [&]() -> size_t { return random() % 16 == 0 ? SIZE_MAX - random() % 64 : random() % 2048; };
  auto device = [&] { return static_cast<int>(random() % 4) - 1; };

  for (int step = 0; step < 20000; ++step) {
    switch (random() % 30) {
    case 0: {
      hipStream_t s = nullptr;
      note(hipStreamCreateWithFlags(&s, random() % 3));
      streams.add(s);
      break;
    }
    case 1: note(hipStreamDestroy(streams.pick(random))); break;
    case 2: note(hipStreamSynchronize(streams.pick(random))); break;
    case 3: note(hipStreamQuery(streams.pick(random))); break;
    case 4: {
      hipEvent_t e = nullptr;
      note(hipEventCreateWithFlags(&e, random() % 8));
      events.add(e);
      break;
    }
    case 5: note(hipEventDestroy(events.pick(random))); break;
    case 6: note(hipEventRecord(events.pick(random), streams.pick(random))); break;
    case 7: note(hipStreamWaitEvent(streams.pick(random), events.pick(random), random() % 3)); break;
    case 8: {
      float ms;
      note(hipEventElapsedTime(&ms, events.pick(random), events.pick(random)));
      break;
    }
    case 9: {
      void* p = nullptr;
      note(hipMalloc(&p, random() % 16 == 0 ? SIZE_MAX - random() % 64 : random() % 4096));
      memory.add(p);
      break;
    }
    case 10: note(hipFree(memory.pick(random))); break;
    case 11: {
      void* p = nullptr;
      note(hipHostMalloc(&p, random() % 4096, random() % 8));
      memory.add(p);
      break;
    }
    case 12: note(hipHostFree(memory.pick(random))); break;
    // Only addresses that HIP knows, or knew, take part in copies: a wild address is the program's own fault.
    case 13: note(hipMemcpy(memory.all.empty() ? nullptr : memory.all[0], nullptr, size(), hipMemcpyDefault)); break;
    case 14: note(hipMemset(memory.pick(random), static_cast<int>(random()), size())); break;
    case 15: note(hipMemsetD32Async(memory.pick(random), 1, size(), streams.pick(random))); break;
    case 16: {
      hipPointerAttribute_t a;
      note(hipPointerGetAttributes(&a, memory.pick(random)));
      break;
    }
    case 17: {
      hipModule_t m = nullptr;
      if (modules.all.size() < 20) note(hipModuleLoadData(&m, image.data()));
      modules.add(m);
      break;
    }
    case 18: note(hipModuleUnload(modules.pick(random))); break;
    case 19: {
      static const char* const kNames[] = {"scale", "nothing", "counter", "", "absent"};
      hipFunction_t f = nullptr;
      note(hipModuleGetFunction(&f, modules.pick(random), kNames[random() % 5]));
      functions.add(f);
      break;
    }
    case 20: {
      // A launch without arguments: only "nothing" takes it.
      note(hipModuleLaunchKernel(functions.pick(random), random() % 3, 1, 1, random() % 2000, 1, 1, random() % 70000,
                                 streams.pick(random), nullptr, nullptr));
      break;
    }
    case 21: note(hipSetDevice(device())); break;
    case 22: {
      int value;
      note(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(random() % 20000), device()));
      break;
    }
    case 23: note(hipMemset2D(memory.pick(random), size(), 1, size(), size())); break;
    case 24: note(hipMemset3D(make_hipPitchedPtr(memory.pick(random), size(), size(), size()), 1,
                              make_hipExtent(size(), size(), size())));
      break;
    case 25: note(hipMemcpyAsync(host, memory.pick(random), 0, hipMemcpyDefault, streams.pick(random))); break;
    case 26: note(hipLaunchKernel(memory.pick(random), dim3(1), dim3(1), nullptr, 0, streams.pick(random))); break;
    case 27: {
      void* p = nullptr;
      note(hipMallocAsync(&p, random() % 4096, streams.pick(random)));
      memory.add(p);
      break;
    }
    case 28: note(hipFreeAsync(memory.pick(random), streams.pick(random))); break;
    case 29: note(hipFuncSetAttribute(memory.pick(random), hipFuncAttributeMaxDynamicSharedMemorySize, 1)); break;
    }
  }
  CHECK(successes > 2000);
  CHECK(failures > 2000);
  OK(hipSetDevice(0));
  OK(hipDeviceSynchronize());
  OK(hipDeviceReset());
  (void)hipGetLastError();
}
