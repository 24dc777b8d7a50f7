#include "testing.h"

#include <chrono>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace {

hipMemAllocationProp properties(hipMemAllocationHandleType type = hipMemHandleTypeNone) {
  hipMemAllocationProp prop{};
  prop.type = hipMemAllocationTypePinned;
  prop.requestedHandleType = type;
  prop.location.type = hipMemLocationTypeDevice;
  return prop;
}

bool has_virtual_memory() {
  int supported = 0;
  OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
  return supported == 1;
}

// One allocation, mapped at two addresses.
struct MappedTwice {
  explicit MappedTwice(size_t least_bytes) {
    const hipMemAllocationProp prop = properties();
    size_t unit = 0;
    OK(hipMemGetAllocationGranularity(&unit, &prop, hipMemAllocationGranularityMinimum));
    bytes = (least_bytes + unit - 1) / unit * unit;
    OK(hipMemCreate(&memory, bytes, &prop, 0));
    for (char** at : {&first, &second}) {
      OK(hipMemAddressReserve(reinterpret_cast<void**>(at), bytes, 0, nullptr, 0));
      OK(hipMemMap(*at, bytes, 0, memory, 0));
    }
  }
  ~MappedTwice() {
    for (char* at : {first, second}) {
      (void)hipMemUnmap(at, bytes); // a test may have done it
      (void)hipMemAddressFree(at, bytes);
    }
    (void)hipMemRelease(memory);
    (void)hipGetLastError();
  }
  hipError_t set_access(char* at, hipMemAccessFlags flags) const {
    const hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, flags};
    return hipMemSetAccess(at, bytes, &access, 1);
  }
  hipMemGenericAllocationHandle_t memory = nullptr;
  char *first = nullptr, *second = nullptr;
  size_t bytes = 0;
};

} // namespace

TEST_CASE("Virtual memory") {
  hipMemAllocationProp prop = properties(hipMemHandleTypePosixFileDescriptor);
  size_t unit = 0;
  if (!has_virtual_memory()) {
    FAILS(hipMemGetAllocationGranularity(&unit, &prop, hipMemAllocationGranularityMinimum), hipErrorNotSupported);
    // Nothing can be a handle, or mapped, then.
    const auto handle = garbage_handle<hipMemGenericAllocationHandle_t>();
    hipMemGenericAllocationHandle_t retained = nullptr;
    unsigned long long flags = 0;
    FAILS(hipMemRelease(handle), hipErrorNotSupported);
    FAILS(hipMemGetAllocationPropertiesFromHandle(&prop, handle), hipErrorNotSupported);
    FAILS(hipMemRetainAllocationHandle(&retained, &unit), hipErrorNotSupported);
    FAILS(hipMemGetAccess(&flags, &prop.location, &unit), hipErrorNotSupported);
    return;
  }
  OK(hipMemGetAllocationGranularity(&unit, &prop, hipMemAllocationGranularityMinimum));
  void* base = nullptr;
  OK(hipMemAddressReserve(&base, 2 * unit, 0, nullptr, 0));
  char* const second = static_cast<char*>(base) + unit;
  hipMemGenericAllocationHandle_t memory = nullptr, imported = nullptr, retained = nullptr;
  OK(hipMemCreate(&memory, unit, &prop, 0));
  OK(hipMemMap(base, unit, 0, memory, 0));
  FAILS(hipMemMap(base, unit, 0, memory, 0), hipErrorInvalidValue);
  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  OK(hipMemSetAccess(base, unit, &access, 1));
  OK(hipMemset(base, 5, unit));
  OK(hipDeviceSynchronize());
  int descriptor = -1;
  OK(hipMemExportToShareableHandle(&descriptor, memory, hipMemHandleTypePosixFileDescriptor, 0));
  OK(hipMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(intptr_t{descriptor}),
                                     hipMemHandleTypePosixFileDescriptor));
  hipMemGenericAllocationHandle_t by_address = nullptr;
  OK(hipMemImportFromShareableHandle(&by_address, &descriptor, hipMemHandleTypePosixFileDescriptor)); // as in HIP 6
  OK(hipMemRelease(by_address));
  ::close(descriptor);
  OK(hipMemMap(second, unit, 0, imported, 0));
  OK(hipMemSetAccess(second, unit, &access, 1));
  std::vector<char> host(unit);
  OK(hipMemcpy(host.data(), second, unit, hipMemcpyDeviceToHost));
  CHECK(host == std::vector<char>(unit, 5));
  OK(hipMemRetainAllocationHandle(&retained, base));
  CHECK(retained == memory);
  OK(hipMemRelease(retained));
  OK(hipMemRelease(memory));
  FAILS(hipMemRelease(memory), hipErrorInvalidValue);
  OK(hipMemRelease(imported));
  FAILS(hipMemAddressFree(base, 2 * unit), hipErrorInvalidValue); // memory is mapped there
  FAILS(hipFree(base), hipErrorInvalidValue);
  OK(hipMemUnmap(base, 2 * unit));
  FAILS(hipMemUnmap(base, unit), hipErrorInvalidValue);
  OK(hipMemAddressFree(base, 2 * unit));
  FAILS(hipMemAddressFree(base, 2 * unit), hipErrorInvalidValue);
}

TEST_CASE("Sizes of virtual memory that no address space has") {
  if (!has_virtual_memory()) return;
  MappedTwice memory(1);
  OK(memory.set_access(memory.first, hipMemAccessFlagsProtReadWrite));
  void* address = nullptr;
  for (const size_t bytes : {size_t{0} - memory.bytes, size_t{1} << 63, size_t{1} << 50})
    FAILS(hipMemAddressReserve(&address, bytes, 0, nullptr, 0), hipErrorOutOfMemory);
  const auto base = reinterpret_cast<size_t>(memory.first);
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - base + 1, SIZE_MAX - base, memory.bytes + 1}) {
    FAILS(hipMemset(memory.first, 0, bytes), hipErrorInvalidValue);
    FAILS(hipMemcpy(memory.first, memory.first + 1, bytes, hipMemcpyDefault), hipErrorInvalidValue);
  }
  OK(hipMemset(memory.first, 0, memory.bytes));
  OK(hipDeviceSynchronize());
}

TEST_CASE("Memory is unmapped, and loses access, behind the work that uses it") {
  if (!has_virtual_memory() || on_nvidia()) return; // the driver of the tests does all work at once
  unsigned* flag = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&flag), sizeof *flag, hipHostMallocDefault));
  hipStream_t stream = nullptr;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  for (const hipMemAccessFlags left : {hipMemAccessFlagsProtRead, hipMemAccessFlagsProtNone}) {
    for (const bool unmaps : {false, true}) {
      INFO("access " << left << ", unmaps " << unmaps);
      MappedTwice memory(4 << 20);
      OK(memory.set_access(memory.first, hipMemAccessFlagsProtReadWrite));
      OK(memory.set_access(memory.second, hipMemAccessFlagsProtReadWrite));
      OK(hipMemset(memory.first, 1, memory.bytes));
      OK(hipDeviceSynchronize());
      *flag = 0;
      OK(hipStreamWaitValue32(stream, flag, 1, hipStreamWaitValueEq, ~0u));
      OK(hipMemsetAsync(memory.first, 7, memory.bytes, stream));
      std::thread later([flag] { // long enough for a call that does not wait to have returned
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        __atomic_store_n(flag, 1u, __ATOMIC_RELEASE);
      });
      const hipError_t result =
          unmaps ? hipMemUnmap(memory.first, memory.bytes) : memory.set_access(memory.first, left);
      const bool flag_was_set = __atomic_load_n(flag, __ATOMIC_ACQUIRE) == 1;
      later.join();
      OK(result);
      CHECK(flag_was_set);
      OK(hipStreamSynchronize(stream));
      std::vector<char> host(memory.bytes);
      OK(hipMemcpy(host.data(), memory.second, memory.bytes, hipMemcpyDeviceToHost));
      CHECK(host == std::vector<char>(memory.bytes, 7));
    }
  }
  OK(hipStreamDestroy(stream));
  OK(hipHostFree(flag));
}

TEST_CASE("Values in mapped memory that may not be accessed so") {
  if (!has_virtual_memory() || on_nvidia()) return; // CUDA's access is all or nothing
  MappedTwice memory(1);
  void* const word = memory.first;
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  hipStreamBatchMemOpParams batch[2] = {};
  batch[0].waitValue.operation = hipStreamMemOpWaitValue32;
  batch[0].waitValue.address = word;
  batch[0].waitValue.flags = hipStreamWaitValueGte;
  batch[1].writeValue.operation = hipStreamMemOpWriteValue64;
  batch[1].writeValue.address = word;
  hipBatchMemOpNodeParams params{};
  OK(hipCtxGetCurrent(&params.ctx));
  params.paramArray = batch;
  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr;
  OK(hipGraphCreate(&graph, 0));
  const auto writes_fail = [&] {
    FAILS(hipStreamWriteValue32(nullptr, word, 1, 0), hipErrorInvalidValue);
    FAILS(hipStreamWriteValue64(stream, word, 1, 0), hipErrorInvalidValue);
    FAILS(hipStreamBatchMemOp(stream, 1, batch + 1, 0), hipErrorInvalidValue);
    params.count = 2;
    FAILS(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params), hipErrorInvalidValue);
  };
  writes_fail(); // nobody may access it yet
  FAILS(hipStreamWaitValue32(stream, word, 0, hipStreamWaitValueGte, ~0u), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue64(nullptr, word, 0, hipStreamWaitValueGte, ~0ull), hipErrorInvalidValue);
  FAILS(hipStreamBatchMemOp(stream, 1, batch, 0), hipErrorInvalidValue);
  params.count = 1;
  FAILS(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params), hipErrorInvalidValue);

  OK(memory.set_access(memory.first, hipMemAccessFlagsProtRead));
  writes_fail();
  if (on_software()) { // the host may not reach a card's memory to look at it
    OK(hipStreamWaitValue32(stream, word, 0, hipStreamWaitValueGte, ~0u));
    params.count = 1;
    OK(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
  }
  OK(memory.set_access(memory.first, hipMemAccessFlagsProtReadWrite));
  OK(hipStreamWriteValue64(stream, word, 0x123456789abcdef0, 0));
  OK(hipStreamSynchronize(stream));
  uint64_t value = 0;
  OK(hipMemcpy(&value, word, sizeof value, hipMemcpyDeviceToHost));
  CHECK(value == 0x123456789abcdef0);
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("A graph's values in memory that lost its access, or was unmapped, since the nodes were made") {
  if (!has_virtual_memory()) return;
  MappedTwice memory(1);
  OK(memory.set_access(memory.first, hipMemAccessFlagsProtReadWrite));
  uint64_t* pinned = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), sizeof *pinned, hipHostMallocDefault));
  hipStreamBatchMemOpParams first{}, second{};
  first.writeValue.operation = second.writeValue.operation = hipStreamMemOpWriteValue64;
  first.writeValue.address = pinned;
  second.writeValue.address = memory.first;
  first.writeValue.value64 = second.writeValue.value64 = 0x123456789abcdef0;
  hipBatchMemOpNodeParams params{};
  OK(hipCtxGetCurrent(&params.ctx));
  params.count = 1;
  hipGraph_t graph = nullptr;
  hipGraphNode_t nodes[2] = {};
  hipGraphExec_t exec = nullptr;
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  OK(hipGraphCreate(&graph, 0));
  params.paramArray = &first;
  OK(hipGraphAddBatchMemOpNode(&nodes[0], graph, nullptr, 0, &params));
  params.paramArray = &second;
  OK(hipGraphAddBatchMemOpNode(&nodes[1], graph, &nodes[0], 1, &params));
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  const auto runs = [&] {
    *pinned = 0;
    OK(hipMemset(memory.first, 0, sizeof(uint64_t)));
    OK(hipGraphLaunch(exec, stream));
    OK(hipStreamSynchronize(stream));
    uint64_t value = 0;
    OK(hipMemcpy(&value, memory.first, sizeof value, hipMemcpyDeviceToHost));
    CHECK(value == 0x123456789abcdef0);
    CHECK(*pinned == 0x123456789abcdef0);
  };
  const auto fails = [&] {
    *pinned = 7;
    FAILS(hipGraphLaunch(exec, stream), hipErrorInvalidValue);
    OK(hipStreamSynchronize(stream));
    CHECK(*pinned == 7); // nothing of the graph is done
  };
  runs();
  for (const hipMemAccessFlags left : {hipMemAccessFlagsProtRead, hipMemAccessFlagsProtNone}) {
    if (left == hipMemAccessFlagsProtRead && on_nvidia()) continue; // CUDA's access is all or nothing
    OK(memory.set_access(memory.first, left));
    fails();
    OK(memory.set_access(memory.first, hipMemAccessFlagsProtReadWrite));
    runs();
  }
  OK(hipMemUnmap(memory.first, memory.bytes));
  fails();
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
  OK(hipHostFree(pinned));
}

TEST_CASE("A descriptor of device memory") {
  constexpr size_t kBytes = 1 << 20, kPart = 4096;
  char *memory = nullptr, *small = nullptr, *pinned = nullptr;
  int descriptor = -1;
  OK(hipMalloc(reinterpret_cast<void**>(&memory), kBytes));
  OK(hipMalloc(reinterpret_cast<void**>(&small), 64));
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), kBytes, hipHostMallocDefault));
  constexpr auto kKind = hipMemRangeHandleTypeDmaBufFd;
  FAILS(hipMemGetHandleForAddressRange(nullptr, memory, kBytes, kKind, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, nullptr, kBytes, kKind, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, 0, kKind, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, hipMemRangeHandleTypeMax, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, kKind, 8), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes + 1, kKind, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, pinned, kBytes, kKind, 0), hipErrorInvalidValue);
  if (has_virtual_memory() && kernels_run()) {
    OK(hipMemset(memory, 3, kBytes));
    OK(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, kKind, 0));
    auto* const mapped = static_cast<char*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
    REQUIRE(mapped != MAP_FAILED);
    ::close(descriptor);
    CHECK((mapped[0] == 3 && mapped[kBytes - 1] == 3)); // what was in the memory
    OK(hipMemset(memory + kPart, 5, kPart));
    OK(hipDeviceSynchronize());
    CHECK((mapped[kPart] == 5 && mapped[2 * kPart - 1] == 5 && mapped[2 * kPart] == 3));
    mapped[7] = 9;
    char read = 0;
    OK(hipMemcpy(&read, memory + 7, 1, hipMemcpyDeviceToHost));
    CHECK(read == 9);
    ::munmap(mapped, kBytes);
    FAILS(hipMemGetHandleForAddressRange(&descriptor, memory + kPart, kPart, kKind, 0),
          hipErrorNotSupported); // an offset
  } else {
    FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, kKind, 0), hipErrorNotSupported);
  }
  OK(hipHostFree(pinned));
  OK(hipFree(small));
  OK(hipFree(memory));
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, kKind, 0), hipErrorInvalidValue);
}

TEST_CASE("Memory for other processes, within one") {
  hipIpcMemHandle_t handle{};
  void *memory = nullptr, *opened = nullptr, *pinned = nullptr;
  OK(hipMalloc(&memory, 1000));
  OK(hipHostMalloc(&pinned, 1000, hipHostMallocDefault));
  FAILS(hipIpcGetMemHandle(nullptr, memory), hipErrorInvalidValue);
  FAILS(hipIpcGetMemHandle(&handle, nullptr), hipErrorInvalidValue);
  FAILS(hipIpcGetMemHandle(&handle, pinned), hipErrorInvalidValue);
  FAILS(hipIpcGetMemHandle(&handle, static_cast<char*>(memory) + 1000), hipErrorInvalidValue);
  if (has_virtual_memory()) {
    std::vector<char> host(1000, 3);
    OK(hipMemcpy(memory, host.data(), host.size(), hipMemcpyHostToDevice));
    OK(hipIpcGetMemHandle(&handle, memory));
    FAILS(hipIpcOpenMemHandle(&opened, handle, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidContext);
    FAILS(hipIpcOpenMemHandle(&opened, handle, 7), hipErrorInvalidValue);
    FAILS(hipIpcOpenMemHandle(nullptr, handle, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidValue);
    host.assign(1000, 0);
    OK(hipMemcpy(host.data(), memory, host.size(), hipMemcpyDeviceToHost));
    CHECK(host == std::vector<char>(1000, 3));
  } else {
    FAILS(hipIpcGetMemHandle(&handle, memory), hipErrorNotSupported);
  }
  FAILS(hipIpcCloseMemHandle(memory), hipErrorInvalidValue);
  FAILS(hipIpcCloseMemHandle(nullptr), hipErrorInvalidValue);
  OK(hipHostFree(pinned));
  OK(hipFree(memory));
  FAILS(hipIpcGetMemHandle(&handle, memory), hipErrorInvalidValue);
}
