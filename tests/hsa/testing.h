// tests/hsa/testing.h - what the tests of libhsa-runtime64 share: a runtime for the length of a test, memory, and
// packets.
#pragma once

#include <hsa/hsa_ext_amd.h>

#include <catch2/catch.hpp>

#include <atomic>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#define REQUIRE_HSA(...) REQUIRE((__VA_ARGS__) == HSA_STATUS_SUCCESS)

namespace hip::test {

inline constexpr auto kMemoryFault = static_cast<hsa_status_t>(HSA_STATUS_ERROR_MEMORY_FAULT);
inline constexpr auto kInvalidPool = static_cast<hsa_status_t>(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
inline constexpr auto kNotSupported = static_cast<hsa_status_t>(HSA_STATUS_ERROR_NOT_SUPPORTED);
inline constexpr uint64_t kForever = UINT64_MAX;

// hsa_init and hsa_shut_down around a test.
struct Hsa {
  hsa_agent_t host{}, gpu{};
  hsa_amd_memory_pool_t fine{}, kernarg{}, device{};

  Hsa() {
    REQUIRE_HSA(hsa_init());
    REQUIRE_HSA(hsa_iterate_agents(
        [](hsa_agent_t agent, void* self) {
          hsa_device_type_t type;
          REQUIRE_HSA(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
          hsa_agent_t& place =
              type == HSA_DEVICE_TYPE_GPU ? static_cast<Hsa*>(self)->gpu : static_cast<Hsa*>(self)->host;
          if (place.handle == 0) place = agent;
          return HSA_STATUS_SUCCESS;
        },
        this));
    REQUIRE(gpu.handle != 0);
    fine = pool(host, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    kernarg = pool(host, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
    device = pool(gpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
  }
  ~Hsa() { CHECK(hsa_shut_down() == HSA_STATUS_SUCCESS); }
  Hsa(const Hsa&) = delete;

  static hsa_amd_memory_pool_t pool(hsa_agent_t agent, uint32_t flags) {
    struct Search {
      uint32_t flags;
      hsa_amd_memory_pool_t found;
    } search{flags, {0}};
    hsa_amd_agent_iterate_memory_pools(
        agent,
        [](hsa_amd_memory_pool_t each, void* data) {
          auto& wanted = *static_cast<Search*>(data);
          hsa_amd_segment_t segment;
          uint32_t has = 0;
          REQUIRE_HSA(hsa_amd_memory_pool_get_info(each, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
          REQUIRE_HSA(hsa_amd_memory_pool_get_info(each, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &has));
          if (segment != HSA_AMD_SEGMENT_GLOBAL || has != wanted.flags) return HSA_STATUS_SUCCESS;
          wanted.found = each;
          return HSA_STATUS_INFO_BREAK;
        },
        &search);
    REQUIRE(search.found.handle != 0);
    return search.found;
  }

  template<class T> T* allocate(hsa_amd_memory_pool_t from, size_t count) {
    void* memory = nullptr;
    REQUIRE_HSA(hsa_amd_memory_pool_allocate(from, count * sizeof(T), 0, &memory));
    return static_cast<T*>(memory);
  }

  hsa_signal_t signal(int64_t value) {
    hsa_signal_t made;
    REQUIRE_HSA(hsa_signal_create(value, 0, nullptr, &made));
    return made;
  }

  hsa_queue_t* queue(uint32_t packets = 64, hsa_queue_type32_t type = HSA_QUEUE_TYPE_MULTI,
                     void (*callback)(hsa_status_t, hsa_queue_t*, void*) = nullptr, void* data = nullptr) {
    hsa_queue_t* made = nullptr;
    REQUIRE_HSA(hsa_queue_create(gpu, packets, type, callback, data, UINT32_MAX, UINT32_MAX, &made));
    return made;
  }
};

inline std::vector<char> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

// The kernels of kernels.hip, loaded.
struct Kernels {
  static inline uint32_t elsewhere = 4711; // what the code's undefined variable is

  std::vector<char> file = read_file(OMNIHIP_TEST_DATA "/hsa_kernels.co");
  hsa_executable_t executable{};
  hsa_agent_t gpu;
  uint32_t* variable = nullptr; // `elsewhere` in memory of the agent

  explicit Kernels(Hsa& hsa) : gpu(hsa.gpu) {
    REQUIRE_HSA(
        hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
    variable = hsa.allocate<uint32_t>(hsa.fine, 1);
    *variable = elsewhere;
    REQUIRE_HSA(hsa_executable_agent_global_variable_define(executable, gpu, "elsewhere", variable));
    hsa_code_object_reader_t reader;
    REQUIRE_HSA(hsa_code_object_reader_create_from_memory(file.data(), file.size(), &reader));
    REQUIRE_HSA(hsa_executable_load_agent_code_object(executable, gpu, reader, nullptr, nullptr));
    REQUIRE_HSA(hsa_executable_freeze(executable, nullptr));
    REQUIRE_HSA(hsa_code_object_reader_destroy(reader));
  }
  ~Kernels() {
    CHECK(hsa_executable_destroy(executable) == HSA_STATUS_SUCCESS);
    CHECK(hsa_amd_memory_pool_free(variable) == HSA_STATUS_SUCCESS);
  }

  hsa_executable_symbol_t symbol(const char* name) const {
    hsa_executable_symbol_t found;
    REQUIRE_HSA(hsa_executable_get_symbol_by_name(executable, name, &gpu, &found));
    return found;
  }
  uint64_t kernel(const std::string& name) const {
    uint64_t object = 0;
    REQUIRE_HSA(hsa_executable_symbol_get_info(symbol((name + ".kd").c_str()), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT,
                                               &object));
    return object;
  }
};

inline constexpr uint16_t kFences = HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
inline constexpr uint16_t header(hsa_packet_type_t type, bool barrier = false) {
  return static_cast<uint16_t>(type | (barrier ? 1 : 0) << HSA_PACKET_HEADER_BARRIER | kFences);
}

inline void ring(hsa_queue_t* queue, uint64_t index) {
  hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

// Writes a packet, whose header is `first`, where it was reserved: its other bytes first.
template<class Packet>
void write(hsa_queue_t* queue, uint64_t index, const Packet& packet, uint16_t first, uint16_t second = 0) {
  static_assert(sizeof(Packet) == 64);
  while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size) {
  }
  char* const slot = static_cast<char*>(queue->base_address) + index % queue->size * 64;
  std::memcpy(slot + 4, reinterpret_cast<const char*>(&packet) + 4, 60);
  __atomic_store_n(reinterpret_cast<uint32_t*>(slot), first | uint32_t(second) << 16, __ATOMIC_RELEASE);
}

template<class Packet> uint64_t submit(hsa_queue_t* queue, const Packet& packet, uint16_t first, uint16_t second = 0) {
  const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
  write(queue, index, packet, first, second);
  ring(queue, index);
  return index;
}

// One-dimensional groups of 64.
inline hsa_kernel_dispatch_packet_t dispatch_packet(uint64_t kernel, void* arguments, uint32_t groups,
                                                    hsa_signal_t completion) {
  hsa_kernel_dispatch_packet_t packet{};
  packet.workgroup_size_x = 64;
  packet.workgroup_size_y = packet.workgroup_size_z = packet.grid_size_y = packet.grid_size_z = 1;
  packet.grid_size_x = groups * 64;
  packet.kernel_object = kernel;
  packet.kernarg_address = arguments;
  packet.completion_signal = completion;
  return packet;
}
inline void dispatch(hsa_queue_t* queue, uint64_t kernel, void* arguments, uint32_t groups, hsa_signal_t completion,
                     bool barrier = false) {
  submit(queue, dispatch_packet(kernel, arguments, groups, completion),
         header(HSA_PACKET_TYPE_KERNEL_DISPATCH, barrier), 1);
}

inline int64_t wait_below(hsa_signal_t signal, int64_t value) {
  return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, value, kForever, HSA_WAIT_STATE_BLOCKED);
}

struct AddArguments {
  uint32_t* data;
  uint32_t amount;
};

// Runs one group of 64 in a queue of its own: success, or what the queue says of its end.
struct GroupRunner {
  Hsa& hsa;
  Kernels kernels{hsa};

  hsa_status_t run(const char* kernel, const void* arguments, size_t bytes) {
    std::atomic<int> report{HSA_STATUS_SUCCESS};
    hsa_queue_t* const queue = hsa.queue(
        64, HSA_QUEUE_TYPE_MULTI,
        [](hsa_status_t status, hsa_queue_t*, void* data) { static_cast<std::atomic<int>*>(data)->store(status); },
        &report);
    char* const place = hsa.allocate<char>(hsa.kernarg, bytes);
    std::memcpy(place, arguments, bytes);
    const hsa_signal_t done = hsa.signal(1);
    dispatch(queue, kernels.kernel(kernel), place, 1, done);
    while (report.load() == HSA_STATUS_SUCCESS && hsa_signal_load_scacquire(done) != 0) {
    }
    REQUIRE_HSA(hsa_queue_destroy(queue));
    REQUIRE_HSA(hsa_signal_destroy(done));
    REQUIRE_HSA(hsa_amd_memory_pool_free(place));
    return static_cast<hsa_status_t>(report.load());
  }
  hsa_status_t add(void* data) {
    const AddArguments arguments{static_cast<uint32_t*>(data), 5};
    return run("add", &arguments, sizeof arguments);
  }
  hsa_status_t read(void* flag) {
    auto* const out = hsa.allocate<uint32_t>(hsa.fine, 1);
    const struct {
      void* flag;
      uint32_t* out;
    } arguments{flag, out};
    const hsa_status_t status = run("wait_for", &arguments, sizeof arguments);
    if (status == HSA_STATUS_SUCCESS) CHECK(*out == 1);
    REQUIRE_HSA(hsa_amd_memory_pool_free(out));
    return status;
  }
};

} // namespace hip::test
