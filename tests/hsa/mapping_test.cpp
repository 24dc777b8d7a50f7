// Virtual memory: addresses, memory, and the mapping of one to the other apart.
#include "testing.h"

#include "environment_variable.h"

#include <algorithm>
#include <unistd.h>

using namespace hip::test;

namespace {

constexpr size_t kBytes = 64 * 1024;

// One piece of memory per 64 KiB of addresses.
struct Mapped {
  char* base = nullptr;
  size_t count;
  Mapped(const Hsa& hsa, size_t pieces) : count(pieces) {
    void* reserved = nullptr;
    REQUIRE_HSA(hsa_amd_vmem_address_reserve(&reserved, count * kBytes, 0, 0));
    base = static_cast<char*>(reserved);
    for (size_t i = 0; i < count; ++i) {
      hsa_amd_vmem_alloc_handle_t memory;
      REQUIRE_HSA(hsa_amd_vmem_handle_create(hsa.device, kBytes, MEMORY_TYPE_NONE, 0, &memory));
      REQUIRE_HSA(hsa_amd_vmem_map(base + i * kBytes, kBytes, 0, memory, 0));
      REQUIRE_HSA(hsa_amd_vmem_handle_release(memory));
    }
  }
  ~Mapped() {
    for (size_t i = 0; i < count; ++i) CHECK(hsa_amd_vmem_unmap(base + i * kBytes, kBytes) == HSA_STATUS_SUCCESS);
    CHECK(hsa_amd_vmem_address_free(base, count * kBytes) == HSA_STATUS_SUCCESS);
  }
  Mapped(const Mapped&) = delete;
};

hsa_status_t set_access(void* base, size_t bytes, const std::vector<hsa_amd_memory_access_desc_t>& access) {
  return hsa_amd_vmem_set_access(base, bytes, access.data(), access.size());
}

hsa_access_permission_t access_of(void* address, hsa_agent_t agent) {
  hsa_access_permission_t permission;
  REQUIRE_HSA(hsa_amd_vmem_get_access(address, &permission, agent));
  return permission;
}

// Whether the host may write there: the kernel is asked to, which fails where a store would end the program.
bool host_writes(void* address) {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  REQUIRE(::write(pipe[1], "x", 1) == 1);
  const bool written = ::read(pipe[0], address, 1) == 1;
  ::close(pipe[0]);
  ::close(pipe[1]);
  return written;
}

} // namespace

TEST_CASE("Virtual memory: addresses, memory and access apart", "[hsa][memory][misuse]") {
  Hsa hsa;
  void* base = nullptr;
  REQUIRE_HSA(hsa_amd_vmem_address_reserve(&base, 2 * kBytes, 0, 0));
  const auto type_of = [](const void* pointer) {
    hsa_amd_pointer_info_t info{};
    info.size = sizeof info;
    REQUIRE_HSA(hsa_amd_pointer_info(pointer, &info, nullptr, nullptr, nullptr));
    return info.type;
  };
  CHECK(type_of(static_cast<char*>(base) + kBytes) == HSA_EXT_POINTER_TYPE_RESERVED_ADDR);
  hsa_amd_vmem_alloc_handle_t memory;
  REQUIRE_HSA(hsa_amd_vmem_handle_create(hsa.device, kBytes, MEMORY_TYPE_NONE, 0, &memory));
  void* const second = static_cast<char*>(base) + kBytes;
  REQUIRE_HSA(hsa_amd_vmem_map(base, kBytes, 0, memory, 0));
  REQUIRE_HSA(hsa_amd_vmem_map(second, kBytes, 0, memory, 0)); // the same memory twice
  CHECK(type_of(static_cast<char*>(base) + 8) == HSA_EXT_POINTER_TYPE_HSA_VMEM);
  CHECK(hsa_amd_memory_pool_free(base) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  hsa_access_permission_t permission;
  REQUIRE_HSA(hsa_amd_vmem_get_access(base, &permission, hsa.gpu));
  CHECK(permission == HSA_ACCESS_PERMISSION_NONE);
  const hsa_amd_memory_access_desc_t access{HSA_ACCESS_PERMISSION_RW, hsa.gpu};
  REQUIRE_HSA(hsa_amd_vmem_set_access(base, 2 * kBytes, &access, 1));
  REQUIRE_HSA(hsa_amd_vmem_get_access(second, &permission, hsa.gpu));
  CHECK(permission == HSA_ACCESS_PERMISSION_RW);
  static_cast<int*>(base)[5] = 99;
  CHECK(static_cast<int*>(second)[5] == 99);

  hsa_amd_vmem_alloc_handle_t again;
  REQUIRE_HSA(hsa_amd_vmem_retain_alloc_handle(&again, second));
  hsa_amd_memory_pool_t pool;
  hsa_amd_memory_type_t type;
  REQUIRE_HSA(hsa_amd_vmem_get_alloc_properties_from_handle(again, &pool, &type));
  CHECK(pool.handle == hsa.device.handle);
  CHECK(type == MEMORY_TYPE_NONE);
  int descriptor = -1;
  REQUIRE_HSA(hsa_amd_vmem_export_shareable_handle(&descriptor, memory, 0));
  hsa_amd_vmem_alloc_handle_t imported;
  REQUIRE_HSA(hsa_amd_vmem_import_shareable_handle(descriptor, &imported));
  ::close(descriptor);
  REQUIRE_HSA(hsa_amd_vmem_handle_release(imported));
  REQUIRE_HSA(hsa_amd_vmem_handle_release(again));
  REQUIRE_HSA(hsa_amd_vmem_handle_release(memory));
  CHECK(hsa_amd_vmem_handle_release(memory) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  CHECK(hsa_amd_vmem_address_free(base, 2 * kBytes) != HSA_STATUS_SUCCESS); // something is mapped
  REQUIRE_HSA(hsa_amd_vmem_unmap(base, kBytes));
  CHECK(hsa_amd_vmem_unmap(base, kBytes) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  REQUIRE_HSA(hsa_amd_vmem_unmap(second, kBytes));
  REQUIRE_HSA(hsa_amd_vmem_address_free(base, 2 * kBytes));
  CHECK(hsa_amd_vmem_address_reserve(&base, 100, 0, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("An agent's permission stays when another agent's is set", "[hsa][memory][misuse]") {
  Hsa hsa;
  GroupRunner runner{hsa};
  Mapped memory(hsa, 1);
  constexpr hsa_access_permission_t kAll[] = {HSA_ACCESS_PERMISSION_NONE, HSA_ACCESS_PERMISSION_RO,
                                              HSA_ACCESS_PERMISSION_RW};
  const auto set = [&](const std::vector<hsa_amd_memory_access_desc_t>& access) {
    REQUIRE_HSA(set_access(memory.base, kBytes, access));
  };
  for (const hsa_access_permission_t of_gpu : kAll)
    for (const hsa_access_permission_t of_host : kAll)
      for (const bool gpu_first : {true, false})
        for (const bool together : {true, false}) {
          CAPTURE(of_gpu, of_host, gpu_first, together);
          set({{HSA_ACCESS_PERMISSION_NONE, hsa.host}, {HSA_ACCESS_PERMISSION_NONE, hsa.gpu}});
          const hsa_amd_memory_access_desc_t gpu{of_gpu, hsa.gpu}, host{of_host, hsa.host};
          if (together)
            set(gpu_first ? std::vector{gpu, host} : std::vector{host, gpu});
          else
            for (const hsa_amd_memory_access_desc_t& each : {gpu_first ? gpu : host, gpu_first ? host : gpu})
              set({each});
          CHECK(access_of(memory.base, hsa.gpu) == of_gpu);
          CHECK(access_of(memory.base, hsa.host) == of_host);
          // Pages have one protection, so each of them may do what one of them may.
          const bool writes = of_gpu == HSA_ACCESS_PERMISSION_RW || of_host == HSA_ACCESS_PERMISSION_RW;
          CHECK(host_writes(memory.base) == writes);
          CHECK(runner.add(memory.base) == (writes ? HSA_STATUS_SUCCESS : kMemoryFault));
        }
}

TEST_CASE("Each mapping has permissions of its own", "[hsa][memory][misuse]") {
  Hsa hsa;
  Mapped memory(hsa, 3);
  char* const second = memory.base + kBytes;
  REQUIRE_HSA(set_access(second, kBytes, {{HSA_ACCESS_PERMISSION_RW, hsa.host}}));
  REQUIRE_HSA(set_access(memory.base, 3 * kBytes, {{HSA_ACCESS_PERMISSION_RO, hsa.gpu}}));
  for (const size_t i : {0, 1, 2}) {
    char* const each = memory.base + i * kBytes;
    CHECK(access_of(each, hsa.gpu) == HSA_ACCESS_PERMISSION_RO);
    CHECK(access_of(each, hsa.host) == (i == 1 ? HSA_ACCESS_PERMISSION_RW : HSA_ACCESS_PERMISSION_NONE));
    CHECK(host_writes(each) == (i == 1));
  }
  REQUIRE_HSA(set_access(second, kBytes, {{HSA_ACCESS_PERMISSION_NONE, hsa.host}}));
  CHECK_FALSE(host_writes(second));
}

TEST_CASE("Permissions of two GPUs and the host", "[hsa][memory]") {
  const hip::EnvironmentVariable devices("OMNIHIP_SOFT_DEVICES", "2");
  Hsa hsa; // whose GPU is the first
  hsa_agent_t gpus[2] = {hsa.gpu, {}};
  REQUIRE_HSA(hsa_iterate_agents(
      [](hsa_agent_t agent, void* data) {
        auto* const both = static_cast<hsa_agent_t*>(data);
        hsa_device_type_t type;
        REQUIRE_HSA(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
        if (type == HSA_DEVICE_TYPE_GPU && agent.handle != both[0].handle) both[1] = agent;
        return HSA_STATUS_SUCCESS;
      },
      gpus));
  REQUIRE(gpus[1].handle != 0);
  GroupRunner runner{hsa};
  Mapped memory(hsa, 1);
  REQUIRE_HSA(set_access(memory.base, kBytes, {{HSA_ACCESS_PERMISSION_RW, gpus[0]}}));
  REQUIRE_HSA(
      set_access(memory.base, kBytes, {{HSA_ACCESS_PERMISSION_RO, gpus[1]}, {HSA_ACCESS_PERMISSION_RO, hsa.host}}));
  CHECK(access_of(memory.base, gpus[0]) == HSA_ACCESS_PERMISSION_RW);
  CHECK(access_of(memory.base, gpus[1]) == HSA_ACCESS_PERMISSION_RO);
  CHECK(access_of(memory.base, hsa.host) == HSA_ACCESS_PERMISSION_RO);
  CHECK(runner.add(memory.base) == HSA_STATUS_SUCCESS);
}

TEST_CASE("Mapped memory gives its handle after the last one was released", "[hsa][memory][misuse]") {
  Hsa hsa;
  const auto available = [&] {
    uint64_t bytes = 0;
    REQUIRE_HSA(hsa_agent_get_info(hsa.gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_MEMORY_AVAIL), &bytes));
    return bytes;
  };
  const uint64_t before = available();
  void* reserved = nullptr;
  REQUIRE_HSA(hsa_amd_vmem_address_reserve(&reserved, 2 * kBytes, 0, 0));
  char* const base = static_cast<char*>(reserved);
  hsa_amd_vmem_alloc_handle_t memory, again{};
  REQUIRE_HSA(hsa_amd_vmem_handle_create(hsa.device, kBytes, MEMORY_TYPE_PINNED, 0, &memory));
  REQUIRE_HSA(hsa_amd_vmem_map(base, kBytes, 0, memory, 0));
  REQUIRE_HSA(hsa_amd_vmem_handle_release(memory));
  // Nothing can be done by a handle that was released.
  CHECK(hsa_amd_vmem_handle_release(memory) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  CHECK(hsa_amd_vmem_map(base + kBytes, kBytes, 0, memory, 0) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  int descriptor = -1;
  CHECK(hsa_amd_vmem_export_shareable_handle(&descriptor, memory, 0) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  hsa_amd_memory_pool_t pool;
  hsa_amd_memory_type_t type;
  CHECK(hsa_amd_vmem_get_alloc_properties_from_handle(memory, &pool, &type) == HSA_STATUS_ERROR_INVALID_ALLOCATION);

  REQUIRE_HSA(hsa_amd_vmem_retain_alloc_handle(&again, base + 100));
  CHECK(again.handle == memory.handle);
  REQUIRE_HSA(hsa_amd_vmem_get_alloc_properties_from_handle(again, &pool, &type));
  CHECK(pool.handle == hsa.device.handle);
  CHECK(type == MEMORY_TYPE_PINNED);
  REQUIRE_HSA(hsa_amd_vmem_map(base + kBytes, kBytes, 0, again, 0));
  REQUIRE_HSA(hsa_amd_vmem_unmap(base, kBytes));
  REQUIRE_HSA(hsa_amd_vmem_handle_release(again));
  // The other mapping has it still, and a reference keeps it without any mapping.
  REQUIRE_HSA(hsa_amd_vmem_retain_alloc_handle(&again, base + kBytes));
  CHECK(again.handle == memory.handle);
  REQUIRE_HSA(hsa_amd_vmem_unmap(base + kBytes, kBytes));
  CHECK(hsa_amd_vmem_retain_alloc_handle(&again, base + kBytes) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  REQUIRE_HSA(hsa_amd_vmem_map(base, kBytes, 0, again, 0));
  REQUIRE_HSA(hsa_amd_vmem_handle_release(again));
  CHECK(available() < before);
  REQUIRE_HSA(hsa_amd_vmem_unmap(base, kBytes));
  CHECK(available() == before); // neither references nor mappings are left
  CHECK(hsa_amd_vmem_handle_release(again) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  REQUIRE_HSA(hsa_amd_vmem_address_free(base, 2 * kBytes));
}
