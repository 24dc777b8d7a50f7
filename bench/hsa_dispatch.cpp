// What a dispatch through libhsa-runtime64 costs, beside a launch through libamdhip64, of a kernel that does nothing.
// Argument: a code object with a kernel `nothing`. Prints the median microseconds of one, waited for one by one and a
// thousand at once.
#include <hip/hip_runtime_api.h>
#include <hsa/hsa_ext_amd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

namespace {

void check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

double median_us(int count, const std::function<void(int)>& work) {
  std::vector<double> rounds;
  for (int round = 0; round < 31; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work(count);
    rounds.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
                     count);
  }
  std::nth_element(rounds.begin(), rounds.begin() + 15, rounds.end());
  return rounds[15];
}

struct Hsa {
  hsa_agent_t gpu{};
  hsa_queue_t* queue = nullptr;
  hsa_signal_t done{};
  uint64_t kernel = 0;

  explicit Hsa(const std::vector<char>& code) {
    check(hsa_init() == HSA_STATUS_SUCCESS, "hsa_init");
    hsa_iterate_agents(
        [](hsa_agent_t agent, void* found) {
          hsa_device_type_t type;
          hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
          if (type == HSA_DEVICE_TYPE_GPU) *static_cast<hsa_agent_t*>(found) = agent;
          return HSA_STATUS_SUCCESS;
        },
        &gpu);
    check(hsa_queue_create(gpu, 4096, HSA_QUEUE_TYPE_SINGLE, nullptr, nullptr, 0, 0, &queue) == HSA_STATUS_SUCCESS,
          "hsa_queue_create");
    check(hsa_signal_create(0, 0, nullptr, &done) == HSA_STATUS_SUCCESS, "hsa_signal_create");
    hsa_executable_t executable;
    hsa_code_object_reader_t reader;
    hsa_executable_symbol_t symbol;
    hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable);
    hsa_code_object_reader_create_from_memory(code.data(), code.size(), &reader);
    check(hsa_executable_load_agent_code_object(executable, gpu, reader, nullptr, nullptr) == HSA_STATUS_SUCCESS,
          "loading");
    hsa_executable_freeze(executable, nullptr);
    check(hsa_executable_get_symbol_by_name(executable, "nothing.kd", &gpu, &symbol) == HSA_STATUS_SUCCESS,
          "the kernel");
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel);
  }

  // Every packet waits for the one before it, as in a stream of HIP.
  void dispatch(hsa_signal_t completion) {
    const uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size) {
    }
    auto* const packet = static_cast<hsa_kernel_dispatch_packet_t*>(queue->base_address) + index % queue->size;
    hsa_kernel_dispatch_packet_t p{};
    p.workgroup_size_x = 64;
    p.workgroup_size_y = p.workgroup_size_z = p.grid_size_y = p.grid_size_z = 1;
    p.grid_size_x = 64;
    p.kernel_object = kernel;
    p.completion_signal = completion;
    std::memcpy(reinterpret_cast<char*>(packet) + 4, reinterpret_cast<char*>(&p) + 4, 60);
    const uint32_t first = HSA_PACKET_TYPE_KERNEL_DISPATCH | 1 << HSA_PACKET_HEADER_BARRIER |
                           HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                           HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE | 1u << 16;
    __atomic_store_n(&packet->full_header, first, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(index));
  }
  void wait() { hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED); }
  void one_by_one(int count) {
    for (int i = 0; i < count; ++i) {
      hsa_signal_store_relaxed(done, 1);
      dispatch(done);
      wait();
    }
  }
  void at_once(int count) {
    hsa_signal_store_relaxed(done, 1);
    for (int i = 1; i < count; ++i) dispatch({0});
    dispatch(done);
    wait();
  }
};

struct Hip {
  hipFunction_t kernel{};
  explicit Hip(const std::vector<char>& code) {
    hipModule_t module;
    check(hipModuleLoadData(&module, code.data()) == hipSuccess, "hipModuleLoadData");
    check(hipModuleGetFunction(&kernel, module, "nothing") == hipSuccess, "hipModuleGetFunction");
  }
  void launch() { (void)hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr); }
  void one_by_one(int count) {
    for (int i = 0; i < count; ++i) {
      launch();
      (void)hipStreamSynchronize(nullptr);
    }
  }
  void at_once(int count) {
    for (int i = 0; i < count; ++i) launch();
    (void)hipStreamSynchronize(nullptr);
  }
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: hsa_dispatch CODE_OBJECT\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<char> code{std::istreambuf_iterator<char>(file), {}};
  check(!code.empty(), "reading the code object");
  Hsa hsa(code);
  Hip hip(code);
  for (int again = 0; again < 2; ++again) {
    std::printf("hsa: dispatch and wait %.2f us\n", median_us(2000, [&](int n) { hsa.one_by_one(n); }));
    std::printf("hip: launch and synchronize %.2f us\n", median_us(2000, [&](int n) { hip.one_by_one(n); }));
    std::printf("hsa: 1000 dispatches %.2f us each\n", median_us(1000, [&](int n) { hsa.at_once(n); }));
    std::printf("hip: 1000 launches %.2f us each\n", median_us(1000, [&](int n) { hip.at_once(n); }));
  }
}
