// Memory: pools, regions, copies, pointers, and memory of other processes.
#include "testing.h"

#include <numeric>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace hip::test;

TEST_CASE("Pools give memory that is what the pool says", "[hsa][memory][misuse]") {
  Hsa hsa;
  for (const hsa_amd_memory_pool_t pool : {hsa.fine, hsa.kernarg, hsa.device}) {
    bool allowed = false;
    size_t granule = 0, most = 0;
    REQUIRE_HSA(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed));
    REQUIRE_HSA(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &granule));
    REQUIRE_HSA(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE, &most));
    REQUIRE(allowed);
    char* const memory = hsa.allocate<char>(pool, 100);
    CHECK(reinterpret_cast<uintptr_t>(memory) % granule == 0);
    std::memset(memory, 7, granule); // sizes are rounded up
    hsa_amd_pointer_info_t info{};
    info.size = sizeof info;
    uint32_t count = 0;
    hsa_agent_t* agents = nullptr;
    REQUIRE_HSA(hsa_amd_pointer_info(memory + 50, &info, std::malloc, &count, &agents));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_HSA);
    CHECK(info.agentBaseAddress == memory);
    CHECK(info.sizeInBytes == granule);
    CHECK(info.agentOwner.handle == (pool.handle == hsa.device.handle ? hsa.gpu : hsa.host).handle);
    CHECK(count >= 2);
    std::free(agents);
    int mine = 0;
    REQUIRE_HSA(hsa_amd_pointer_info_set_userdata(memory, &mine));
    REQUIRE_HSA(hsa_amd_pointer_info(memory, &info, nullptr, nullptr, nullptr));
    CHECK(info.userData == &mine);
    void* none = nullptr;
    CHECK(hsa_amd_memory_pool_allocate(pool, most + 1, 0, &none) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK(hsa_amd_memory_pool_allocate(pool, 0, 0, &none) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(hsa_amd_memory_pool_allocate(pool, 8, 1u << 20, &none) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    REQUIRE_HSA(hsa_amd_memory_pool_free(memory));
    CHECK(hsa_amd_memory_pool_free(memory) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    REQUIRE_HSA(hsa_amd_pointer_info(memory, &info, nullptr, nullptr, nullptr));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);
  }
  void* none = nullptr;
  CHECK(hsa_amd_memory_pool_allocate({0}, 8, 0, &none) == kInvalidPool);
  REQUIRE_HSA(hsa_amd_memory_pool_free(nullptr));
}

TEST_CASE("Somebody hears when memory is freed", "[hsa][memory]") {
  Hsa hsa;
  char* const memory = hsa.allocate<char>(hsa.fine, 8);
  void* freed = nullptr;
  const auto farewell = [](void* base, void* data) { *static_cast<void**>(data) = base; };
  const auto ignored = [](void*, void*) { FAIL("This callback was taken back."); };
  REQUIRE_HSA(hsa_amd_register_deallocation_callback(memory + 4, farewell, &freed));
  REQUIRE_HSA(hsa_amd_register_deallocation_callback(memory, ignored, nullptr));
  REQUIRE_HSA(hsa_amd_deregister_deallocation_callback(memory, ignored));
  CHECK(hsa_amd_deregister_deallocation_callback(memory, ignored) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_amd_memory_pool_free(memory));
  CHECK(freed == memory + 4); // the pointer that it was asked for
  CHECK(hsa_amd_register_deallocation_callback(memory, farewell, nullptr) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  CHECK(hsa_amd_deregister_deallocation_callback(memory, farewell) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("Copies begin after their signals and end with one", "[hsa][memory]") {
  Hsa hsa;
  constexpr size_t kCount = 1 << 20;
  auto* const from = hsa.allocate<uint32_t>(hsa.fine, kCount);
  auto* const to = hsa.allocate<uint32_t>(hsa.device, kCount);
  std::iota(from, from + kCount, 17u);
  std::vector<hsa_signal_t> gates;
  for (int i = 0; i < 7; ++i) gates.push_back(hsa.signal(1));
  const hsa_signal_t done = hsa.signal(1), meanwhile = hsa.signal(1);
  REQUIRE_HSA(hsa_amd_memory_async_copy(to, hsa.gpu, from, hsa.host, kCount * 4, 7, gates.data(), done));
  // Another copy is not held up by one that waits.
  auto* const other = hsa.allocate<uint32_t>(hsa.device, 4);
  REQUIRE_HSA(hsa_amd_memory_async_copy(other, hsa.gpu, from, hsa.host, 16, 0, nullptr, meanwhile));
  CHECK(wait_below(meanwhile, 1) == 0);
  CHECK(other[3] == 20);
  CHECK(hsa_signal_load_relaxed(done) == 1);
  for (const hsa_signal_t gate : gates) hsa_signal_store_screlease(gate, 0);
  CHECK(wait_below(done, 1) == 0);
  CHECK(std::equal(from, from + kCount, to));
  hsa_amd_profiling_async_copy_time_t time{};
  REQUIRE_HSA(hsa_amd_profiling_get_async_copy_time(done, &time));
  CHECK(time.end >= time.start);
  CHECK(time.start != 0);

  REQUIRE_HSA(hsa_amd_memory_fill(to, 0xdeadbeef, kCount));
  CHECK(std::count(to, to + kCount, 0xdeadbeef) == kCount);
  REQUIRE_HSA(hsa_memory_copy(to, from, 400));
  CHECK(to[99] == 116);
  CHECK(to[100] == 0xdeadbeef);
}

TEST_CASE("A copy of a box takes rows and slices apart", "[hsa][memory]") {
  Hsa hsa;
  auto* const from = hsa.allocate<uint8_t>(hsa.fine, 4096);
  auto* const to = hsa.allocate<uint8_t>(hsa.device, 4096);
  for (int i = 0; i < 4096; ++i) from[i] = static_cast<uint8_t>(i * 7);
  std::memset(to, 0, 4096);
  const hsa_pitched_ptr_t dst{to, 32, 32 * 8}, src{from, 64, 64 * 10};
  const hsa_dim3_t dst_offset{1, 2, 1}, src_offset{5, 3, 2}, range{20, 4, 3};
  const hsa_signal_t done = hsa.signal(1);
  REQUIRE_HSA(hsa_amd_memory_async_copy_rect(&dst, &dst_offset, &src, &src_offset, &range, hsa.gpu, hsaHostToDevice, 0,
                                             nullptr, done));
  REQUIRE(wait_below(done, 1) == 0);
  for (uint32_t z = 0; z < 8; ++z)
    for (uint32_t y = 0; y < 8; ++y)
      for (uint32_t x = 0; x < 32; ++x) {
        const bool inside = x - 1 < 20 && y - 2 < 4 && z - 1 < 3;
        const uint8_t expected = inside ? from[(x - 1 + 5) + (y - 2 + 3) * 64 + (z - 1 + 2) * 640] : 0;
        REQUIRE(to[x + y * 32 + z * 256] == expected);
      }
  const hsa_pitched_ptr_t narrow{to, 10, 256};
  CHECK(hsa_amd_memory_async_copy_rect(&narrow, &dst_offset, &src, &src_offset, &range, hsa.gpu, hsaHostToDevice, 0,
                                       nullptr, done) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("A copy that fails leaves a negative value", "[hsa][memory][misuse]") {
  Hsa hsa;
  char* const memory = hsa.allocate<char>(hsa.device, 4096);
  char* const gone = hsa.allocate<char>(hsa.device, 4096);
  REQUIRE_HSA(hsa_amd_memory_pool_free(gone));
  const hsa_signal_t done = hsa.signal(1);
  REQUIRE_HSA(hsa_amd_memory_async_copy(memory, hsa.gpu, gone, hsa.gpu, 4096, 0, nullptr, done));
  CHECK(wait_below(done, 1) < 0);
  CHECK(hsa_memory_copy(memory, gone, 16) == HSA_STATUS_ERROR);
  CHECK(hsa_memory_copy(nullptr, memory, 16) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_memory_async_copy(memory, {0}, gone, hsa.gpu, 16, 0, nullptr, done) == HSA_STATUS_ERROR_INVALID_AGENT);
  CHECK(hsa_amd_memory_async_copy(memory, hsa.gpu, gone, hsa.gpu, 16, 0, nullptr, {0}) ==
        HSA_STATUS_ERROR_INVALID_SIGNAL);
  CHECK(hsa_amd_memory_async_copy(memory, hsa.gpu, gone, hsa.gpu, 16, 1, nullptr, done) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("Nobody sees a copy that fails as one that has ended well", "[hsa][memory][misuse]") {
  Hsa hsa;
  char* const memory = hsa.allocate<char>(hsa.device, 4096);
  char* const gone = hsa.allocate<char>(hsa.device, 4096);
  REQUIRE_HSA(hsa_amd_memory_pool_free(gone));
  for (int i = 0; i < 300; ++i) {
    const hsa_signal_t done = hsa.signal(1);
    REQUIRE_HSA(hsa_amd_memory_async_copy(memory, hsa.gpu, gone, hsa.gpu, 4096, 0, nullptr, done));
    hsa_signal_value_t seen;
    while ((seen = hsa_signal_load_scacquire(done)) == 1) {
    }
    REQUIRE(seen < 0);
    hsa_signal_store_screlease(done, 5); // is the program's again
    REQUIRE(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_NE, 5, 20'000, HSA_WAIT_STATE_BLOCKED) == 5);
    REQUIRE_HSA(hsa_signal_destroy(done));
  }
  REQUIRE_HSA(hsa_amd_memory_pool_free(memory));
}

TEST_CASE("A copy to memory that the process may not write fails, the process goes on", "[hsa][memory][misuse]") {
  Hsa hsa;
  const size_t bytes = GENERATE(size_t(1), size_t(512)) * 4096; // within the call, or by an engine
  char* const memory = hsa.allocate<char>(hsa.device, bytes);
  void* const constant = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(constant != MAP_FAILED);
  const hsa_signal_t done = hsa.signal(1);
  REQUIRE_HSA(hsa_amd_memory_async_copy(constant, hsa.host, memory, hsa.gpu, bytes, 0, nullptr, done));
  CHECK(wait_below(done, 1) < 0);
  CHECK(hsa_memory_copy(constant, memory, bytes) == HSA_STATUS_ERROR);
  CHECK(hsa_amd_memory_fill(constant, 1, bytes / 4) == HSA_STATUS_ERROR);
  CHECK(hsa_memory_copy(memory, constant, bytes) == HSA_STATUS_SUCCESS);
  ::munmap(constant, bytes);
  CHECK(hsa_memory_copy(memory, constant, bytes) == HSA_STATUS_ERROR);
  REQUIRE_HSA(hsa_amd_memory_pool_free(memory));
  REQUIRE_HSA(hsa_signal_destroy(done));
}

TEST_CASE("Memory of pools as descriptors", "[hsa][memory][misuse]") {
  Hsa hsa;
  bool supported = false;
  constexpr auto kSupported = static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED);
  REQUIRE_HSA(hsa_system_get_info(kSupported, &supported));
  CHECK(supported);
  const hsa_amd_memory_pool_t pool = GENERATE(true, false) ? hsa.device : hsa.fine;
  const size_t bytes = GENERATE(size_t(4096), size_t(1) << 20); // beside others, and alone
  char* const memory = hsa.allocate<char>(pool, bytes);
  REQUIRE_HSA(hsa_amd_memory_fill(memory, 0x07070707, bytes / 4));
  int descriptor = -1;
  uint64_t offset = 1;
  REQUIRE_HSA(hsa_amd_portable_export_dmabuf(memory + 100, bytes - 100, &descriptor, &offset));
  auto* const whole =
      static_cast<char*>(::mmap(nullptr, offset + bytes - 100, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
  REQUIRE(whole != MAP_FAILED);
  char* const seen = whole + offset - 100;
  CHECK((seen[100] == 7 && seen[bytes - 1] == 7));
  REQUIRE_HSA(hsa_amd_memory_fill(memory + 200, 0x08080808, 1));
  CHECK((seen[199] == 7 && seen[200] == 8 && seen[203] == 8 && seen[204] == 7));

  // Another part of the program takes the descriptor.
  void* imported = nullptr;
  size_t imported_bytes = 0, metadata_bytes = 5;
  REQUIRE_HSA(
      hsa_amd_interop_map_buffer(1, &hsa.gpu, descriptor, 0, &imported_bytes, &imported, &metadata_bytes, nullptr));
  CHECK(imported_bytes >= offset + bytes - 100);
  CHECK(metadata_bytes == 0);
  char* const there = static_cast<char*>(imported) + offset - 100;
  REQUIRE_HSA(hsa_amd_memory_fill(there + 300, 0x09090909, 1));
  char copy = 0;
  REQUIRE_HSA(hsa_memory_copy(&copy, memory + 300, 1));
  CHECK(copy == 9);
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  REQUIRE_HSA(hsa_amd_pointer_info(there, &info, nullptr, nullptr, nullptr));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_GRAPHICS);
  CHECK(hsa_amd_interop_unmap_buffer(memory) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_amd_interop_unmap_buffer(imported));
  CHECK(hsa_amd_interop_unmap_buffer(imported) == HSA_STATUS_ERROR_INVALID_ARGUMENT);

  REQUIRE_HSA(hsa_amd_portable_close_dmabuf(descriptor));
  CHECK(hsa_amd_portable_close_dmabuf(descriptor) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_interop_map_buffer(1, &hsa.gpu, descriptor, 0, &imported_bytes, &imported, nullptr, nullptr) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_portable_export_dmabuf(memory, bytes + 1, &descriptor, &offset) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_portable_export_dmabuf(&offset, 8, &descriptor, &offset) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_portable_export_dmabuf(memory, 0, &descriptor, &offset) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_portable_export_dmabuf_v2(memory, 8, &descriptor, &offset, 2) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_amd_memory_pool_free(memory));
  CHECK(seen[300] == 9); // the mapping keeps the memory
  ::munmap(whole, offset + bytes - 100);
}

TEST_CASE("Copy engines are named by bits", "[hsa][memory]") {
  Hsa hsa;
  uint32_t mask = 0;
  REQUIRE_HSA(hsa_amd_memory_copy_engine_status(hsa.gpu, hsa.host, &mask));
  REQUIRE(mask != 0);
  auto* const from = hsa.allocate<int>(hsa.fine, 16);
  auto* const to = hsa.allocate<int>(hsa.device, 16);
  std::iota(from, from + 16, 1);
  for (uint32_t bit = 1; bit != 0 && bit <= mask; bit <<= 1) {
    if ((mask & bit) == 0) continue;
    std::memset(to, 0, 64);
    const hsa_signal_t done = hsa.signal(1);
    REQUIRE_HSA(hsa_amd_memory_async_copy_on_engine(to, hsa.gpu, from, hsa.host, 64, 0, nullptr, done,
                                                    static_cast<hsa_amd_sdma_engine_id_t>(bit), false));
    REQUIRE(wait_below(done, 1) == 0);
    CHECK(to[15] == 16);
  }
  const hsa_signal_t done = hsa.signal(1);
  CHECK(hsa_amd_memory_async_copy_on_engine(to, hsa.gpu, from, hsa.host, 64, 0, nullptr, done,
                                            static_cast<hsa_amd_sdma_engine_id_t>(3),
                                            false) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("Regions are the pools of the specification", "[hsa][memory]") {
  Hsa hsa;
  struct Seen {
    int kernarg = 0, group = 0, global = 0;
    hsa_region_t region{};
  } seen;
  REQUIRE_HSA(hsa_agent_iterate_regions(
      hsa.gpu,
      [](hsa_region_t region, void* data) {
        auto& mine = *static_cast<Seen*>(data);
        hsa_region_segment_t segment;
        uint32_t flags = 0;
        REQUIRE_HSA(hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment));
        REQUIRE_HSA(hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags));
        mine.group += segment == HSA_REGION_SEGMENT_GROUP;
        mine.global += segment == HSA_REGION_SEGMENT_GLOBAL;
        if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG) {
          ++mine.kernarg;
          mine.region = region;
        }
        return HSA_STATUS_SUCCESS;
      },
      &seen));
  CHECK(seen.kernarg == 1);
  CHECK(seen.group == 1);
  CHECK(seen.global >= 3);
  void* memory = nullptr;
  REQUIRE_HSA(hsa_memory_allocate(seen.region, 64, &memory));
  REQUIRE_HSA(hsa_memory_assign_agent(memory, hsa.gpu, HSA_ACCESS_PERMISSION_RW));
  REQUIRE_HSA(hsa_memory_free(memory));
  CHECK(hsa_memory_allocate({0}, 64, &memory) == HSA_STATUS_ERROR_INVALID_REGION);
}

TEST_CASE("Another process maps an allocation", "[hsa][memory]") {
  Hsa hsa;
  auto* const numbers = hsa.allocate<uint32_t>(hsa.device, 4096);
  std::iota(numbers, numbers + 4096, 100u);
  hsa_amd_ipc_memory_t handles[2], &handle = handles[0];
  REQUIRE_HSA(hsa_amd_ipc_memory_create(numbers, 4096 * 4, &handle));
  hsa_signal_t shared{};
  REQUIRE_HSA(hsa_amd_signal_create(5, 0, nullptr, HSA_AMD_SIGNAL_IPC, &shared));
  REQUIRE_HSA(hsa_amd_ipc_signal_create(shared, &handles[1]));
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  // A new program, for a runtime does not survive fork: this one again, with the test that is hidden below.
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[0], 0);
    ::close(pipe[1]);
    ::execl("/proc/self/exe", "hsa_runtime", "The other process", nullptr);
    ::_exit(9);
  }
  ::close(pipe[0]);
  REQUIRE(::write(pipe[1], handles, sizeof handles) == sizeof handles);
  CHECK(wait_below(shared, 5) == 4); // the other process has changed it
  hsa_signal_store_screlease(shared, 1);
  ::close(pipe[1]);
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(numbers[7] == 1107);
  REQUIRE_HSA(hsa_signal_destroy(shared));

  void* mapped = nullptr;
  hsa_amd_ipc_memory_t wrong{};
  CHECK(hsa_amd_ipc_memory_attach(&wrong, 16, 0, nullptr, &mapped) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_ipc_memory_create(numbers + 1, 16, &handle) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_ipc_memory_create(numbers, 1 << 20, &handle) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_ipc_memory_detach(numbers) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("A process maps its own allocation once more", "[hsa][memory]") {
  Hsa hsa;
  auto* const numbers = hsa.allocate<uint32_t>(hsa.device, 4096);
  std::iota(numbers, numbers + 4096, 100u);
  hsa_amd_ipc_memory_t handle{};
  REQUIRE_HSA(hsa_amd_ipc_memory_create(numbers, 4096 * 4, &handle));
  void* mapped = nullptr;
  REQUIRE_HSA(hsa_amd_ipc_memory_attach(&handle, 4096 * 4, 1, &hsa.gpu, &mapped));
  CHECK(mapped != numbers);
  Kernels kernels(hsa);
  auto* const arguments = hsa.allocate<AddArguments>(hsa.kernarg, 1);
  *arguments = {static_cast<uint32_t*>(mapped), 1000};
  hsa_queue_t* const queue = hsa.queue();
  const hsa_signal_t done = hsa.signal(1);
  dispatch(queue, kernels.kernel("add"), arguments, 64, done);
  REQUIRE(wait_below(done, 1) == 0);
  CHECK(numbers[7] == 1107); // it is one memory
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  REQUIRE_HSA(hsa_amd_pointer_info(mapped, &info, nullptr, nullptr, nullptr));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_IPC);
  REQUIRE_HSA(hsa_amd_ipc_memory_detach(mapped));
  CHECK(hsa_amd_ipc_memory_detach(mapped) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(numbers[8] == 1108);
  REQUIRE_HSA(hsa_amd_memory_pool_free(numbers));
  CHECK(hsa_amd_ipc_memory_attach(&handle, 4096 * 4, 1, &hsa.gpu, &mapped) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("The other process", "[.]") {
  hsa_amd_ipc_memory_t handles[2], &handle = handles[0];
  REQUIRE(::read(0, handles, sizeof handles) == sizeof handles);
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_signal_t shared{};
  REQUIRE_HSA(hsa_amd_ipc_signal_attach(&handles[1], &shared));
  CHECK(hsa_signal_load_relaxed(shared) == 5);
  hsa_queue_t* const queue = hsa.queue();
  dispatch(queue, kernels.kernel("count"), nullptr, 1, shared); // completes a signal of the other process
  CHECK(wait_below(shared, 2) == 1);
  REQUIRE_HSA(hsa_queue_destroy(queue));
  REQUIRE_HSA(hsa_signal_destroy(shared));
  void* mapped = nullptr;
  CHECK(hsa_amd_ipc_memory_attach(&handle, 1 << 20, 1, &hsa.gpu, &mapped) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_amd_ipc_memory_attach(&handle, 4096 * 4, 1, &hsa.gpu, &mapped));
  auto* const numbers = static_cast<uint32_t*>(mapped);
  CHECK(numbers[7] == 107);
  numbers[7] += 1000;
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  REQUIRE_HSA(hsa_amd_pointer_info(numbers + 9, &info, nullptr, nullptr, nullptr));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_IPC);
  CHECK(info.agentBaseAddress == mapped);
  REQUIRE_HSA(hsa_amd_ipc_memory_detach(mapped));
}
