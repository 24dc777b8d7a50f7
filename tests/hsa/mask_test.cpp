// HSA_CU_MASK and ROCR_VISIBLE_DEVICES, which hsa_init reads, and queues whose masks and priorities change.
#include "testing.h"

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace hip::test;

namespace {

constexpr auto kReduced = static_cast<hsa_status_t>(HSA_STATUS_CU_MASK_REDUCED);

// Variables for the length of a case.
class Environment {
public:
  void set(const char* name, const char* value) {
    const char* const before = std::getenv(name);
    before_.emplace_back(name, before ? std::string(before) : std::string());
    setenv(name, value, 1);
  }
  ~Environment() {
    for (const auto& [name, value] : before_) value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  }

private:
  std::vector<std::pair<const char*, std::string>> before_;
};

std::vector<hsa_agent_t> gpus() {
  std::vector<hsa_agent_t> found;
  REQUIRE_HSA(hsa_iterate_agents(
      [](hsa_agent_t agent, void* data) {
        hsa_device_type_t type;
        REQUIRE_HSA(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
        if (type == HSA_DEVICE_TYPE_GPU) static_cast<std::vector<hsa_agent_t>*>(data)->push_back(agent);
        return HSA_STATUS_SUCCESS;
      },
      &found));
  return found;
}

hsa_queue_t* queue_of(hsa_agent_t agent) {
  hsa_queue_t* queue = nullptr;
  REQUIRE_HSA(hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &queue));
  return queue;
}

// The first 64 units.
uint64_t mask_of(hsa_queue_t* queue) {
  uint32_t words[2];
  REQUIRE_HSA(hsa_amd_queue_cu_get_mask(queue, 64, words));
  return words[0] | uint64_t{words[1]} << 32;
}

// What is written to standard error meanwhile.
std::string written(const std::function<void()>& run) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file);
  std::fflush(stderr);
  const int before = dup(2);
  dup2(fileno(file), 2);
  run();
  dup2(before, 2);
  close(before);
  std::rewind(file);
  std::string text(1 << 12, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

constexpr uint64_t kAll = (uint64_t{1} << 40) - 1; // of 40 units

} // namespace

TEST_CASE("HSA_CU_MASK says on which compute units the queues of which GPUs execute", "[hsa][mask]") {
  struct Row {
    const char* text;
    uint64_t first, second, third; // masks of new queues of three GPUs
    const char* problem;           // a part of the message; empty: there is none
  };
  const Row rows[] = {
      {"0:0", 1, kAll, kAll, ""},
      {"0:0-3,32-33,7", 0x30000008full, kAll, kAll, ""},
      {"1-2 : 0x337F", kAll, 0x337f, 0x337f, ""},
      {"0,2:0X8000000001;1:5", 0x8000000001ull, 1u << 5, 0x8000000001ull, ""},
      {" 2 :\t1 - 2 ; ", kAll, kAll, 6, ""},
      {"0:1,50;7:3", 2, kAll, kAll, "none of the 3 GPUs"},
      {"0-9:39", uint64_t{1} << 39, uint64_t{1} << 39, uint64_t{1} << 39, ""},
      {"0:0xffffffffffffffffffff", kAll, kAll, kAll, ""},
      // What is wrong, and what follows it, counts for nothing.
      {"0:1;1:x;2:3", 2, kAll, kAll, "\"1:x\""},
      {"0:0x0", kAll, kAll, kAll, "none of the 40 compute units"},
      {"0:0x", kAll, kAll, kAll, "no digits"},
      {"0:0x12g", kAll, kAll, kAll, "hexadecimal"},
      {"0:40", kAll, kAll, kAll, "none of the 40 compute units"},
      {"0:3-1", kAll, kAll, kAll, "ends before it begins"},
      {"0:1,1", kAll, kAll, kAll, "compute unit 1 is named twice"},
      {"0,0:1", kAll, kAll, kAll, "GPU 0 is named twice"},
      {"0:1;0-1:2", 2, kAll, kAll, "GPU 0 is named twice"},
      {"0", kAll, kAll, kAll, "a colon"},
      {"0:1:2", kAll, kAll, kAll, "a colon"},
      {"0:", kAll, kAll, kAll, "no number"},
      {":1", kAll, kAll, kAll, "no number"},
      {"0:1,", kAll, kAll, kAll, "no number"},
      {"0:1-2-3", kAll, kAll, kAll, "no number"},
      {"0:-1", kAll, kAll, kAll, "no number"},
      {"0:99999999999999999999999", kAll, kAll, kAll, "no number"},
  };
  Environment environment;
  environment.set("OMNIHIP_SOFT_DEVICES", "3");
  environment.set("OMNIHIP_SOFT_THREADS", "40");
  for (const Row& row : rows) {
    INFO(row.text);
    Environment variable;
    variable.set("HSA_CU_MASK", row.text);
    const std::string text = written([&] {
      Hsa hsa;
      const std::vector<hsa_agent_t> agents = gpus();
      REQUIRE(agents.size() == 3);
      const uint64_t wanted[3] = {row.first, row.second, row.third};
      for (size_t i = 0; i < 3; ++i) {
        hsa_queue_t* const queue = queue_of(agents[i]);
        CHECK(mask_of(queue) == wanted[i]);
        REQUIRE_HSA(hsa_queue_destroy(queue));
      }
    });
    if (*row.problem == '\0') {
      CHECK(text == "");
    } else {
      CHECK_THAT(text, Catch::Contains("HSA_CU_MASK") && Catch::Contains(row.problem));
    }
  }
}

TEST_CASE("A queue's own mask is reduced to what HSA_CU_MASK leaves", "[hsa][mask]") {
  Environment environment;
  environment.set("OMNIHIP_SOFT_THREADS", "40");
  environment.set("HSA_CU_MASK", "0:1-3");
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  CHECK(mask_of(queue) == 0xe);
  const auto set = [&](uint64_t mask) {
    const uint32_t words[2] = {static_cast<uint32_t>(mask), static_cast<uint32_t>(mask >> 32)};
    return hsa_amd_queue_cu_set_mask(queue, 64, words);
  };
  CHECK(set(kAll) == kReduced);
  CHECK(mask_of(queue) == 0xe);
  REQUIRE_HSA(set(0x6));
  CHECK(mask_of(queue) == 0x6);
  CHECK(set(uint64_t{1} << 35 | 0x4) == kReduced);
  CHECK(mask_of(queue) == 0x4);
  REQUIRE_HSA(hsa_amd_queue_cu_set_mask(queue, 0, nullptr)); // all that there are
  CHECK(mask_of(queue) == 0xe);
  const hsa_signal_t done = hsa.signal(1);
  dispatch(queue, kernels.kernel("count"), nullptr, 8, done);
  CHECK(wait_below(done, 1) == 0);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("Waves name the compute units that a queue's mask leaves, and all of these", "[hsa][mask]") {
  Environment environment;
  environment.set("OMNIHIP_SOFT_THREADS", "40");
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  constexpr uint32_t kGroups = 160;
  auto* const ids = hsa.allocate<uint32_t>(hsa.fine, kGroups);
  auto* const arguments = hsa.allocate<uint32_t*>(hsa.kernarg, 1);
  *arguments = ids;
  const auto named = [&] {
    const hsa_signal_t done = hsa.signal(1);
    dispatch(queue, kernels.kernel("hardware_ids"), arguments, kGroups, done);
    REQUIRE(wait_below(done, 1) == 0);
    uint64_t units = 0;
    for (uint32_t i = 0; i < kGroups; ++i) units |= uint64_t{1} << ((ids[i] >> 8 & 15) | (ids[i] >> 13 & 7) << 4);
    return units;
  };
  CHECK(named() == kAll);
  for (const uint64_t mask : {uint64_t{1}, uint64_t{0x8000000001}, uint64_t{0x30c}, uint64_t{0xf0f0f0f0f0}, kAll}) {
    const uint32_t words[2] = {static_cast<uint32_t>(mask), static_cast<uint32_t>(mask >> 32)};
    REQUIRE_HSA(hsa_amd_queue_cu_set_mask(queue, 64, words));
    CHECK(named() == mask);
  }
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("A queue's mask and priority change while its kernel runs, for the packets behind that", "[hsa][mask]") {
  Environment environment;
  environment.set("OMNIHIP_SOFT_THREADS", "4");
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  struct Arguments {
    uint32_t *flag, *out;
  };
  auto* const words = hsa.allocate<uint32_t>(hsa.fine, 2);
  words[0] = words[1] = 0;
  auto* const arguments = hsa.allocate<Arguments>(hsa.kernarg, 1);
  *arguments = {&words[0], &words[1]};
  const hsa_signal_t first = hsa.signal(1), second = hsa.signal(1);
  dispatch(queue, kernels.kernel("begin_and_wait_for"), arguments, 1, first);
  while (__atomic_load_n(&words[1], __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  const uint32_t some = 0x5, all = 0xf;
  REQUIRE_HSA(hsa_amd_queue_cu_set_mask(queue, 32, &some));
  REQUIRE_HSA(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
  CHECK(mask_of(queue) == some);
  // A queue on a part of the units executes one kernel at a time; on all, this one ends the first one.
  dispatch(queue, kernels.kernel("set_flag"), arguments, 1, second);
  CHECK(hsa_signal_wait_relaxed(second, HSA_SIGNAL_CONDITION_LT, 1, 20'000'000, HSA_WAIT_STATE_BLOCKED) == 1);
  REQUIRE_HSA(hsa_amd_queue_cu_set_mask(queue, 32, &all));
  CHECK(wait_below(second, 1) == 0);
  CHECK(wait_below(first, 1) == 0);
  CHECK(words[1] == 2);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("No packet is lost while a queue's mask and priority change", "[hsa][mask]") {
  Environment environment;
  environment.set("OMNIHIP_SOFT_THREADS", "4");
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  std::atomic<bool> over{false};
  std::atomic<int> refused{0};
  std::thread changer([&] {
    const uint32_t masks[] = {0x3, 0xf, 0x4};
    const hsa_amd_queue_priority_t priorities[] = {HSA_AMD_QUEUE_PRIORITY_HIGH, HSA_AMD_QUEUE_PRIORITY_NORMAL,
                                                   HSA_AMD_QUEUE_PRIORITY_LOW, HSA_AMD_QUEUE_PRIORITY_NORMAL};
    for (size_t i = 0; !over.load(); ++i) {
      refused += hsa_amd_queue_set_priority(queue, priorities[i % 4]) != HSA_STATUS_SUCCESS;
      refused += hsa_amd_queue_cu_set_mask(queue, 32, &masks[i % 3]) != HSA_STATUS_SUCCESS;
    }
  });
  constexpr uint32_t kRounds = 1000, kGroups = 8;
  const uint64_t kernel = kernels.kernel("count");
  const hsa_signal_t done = hsa.signal(0);
  uint32_t completed = 0;
  for (bool all = true; all && completed < kRounds; completed += all) {
    hsa_signal_store_relaxed(done, 2);
    for (int i = 0; i < 2; ++i) dispatch(queue, kernel, nullptr, kGroups, done);
    all = hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, 30'000'000'000, HSA_WAIT_STATE_BLOCKED) == 0;
  }
  over.store(true);
  changer.join();
  CHECK(completed == kRounds);
  CHECK(refused.load() == 0);
  uint64_t address = 0;
  REQUIRE_HSA(
      hsa_executable_symbol_get_info(kernels.symbol("counter"), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address));
  CHECK(*reinterpret_cast<uint32_t*>(address) == 7 + completed * 2 * kGroups * 64);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("Masks take the compute units of work-group processors by twos", "[hsa][mask]") {
  Environment environment;
  environment.set("OMNIHIP_SOFT_DEVICES", "2");
  environment.set("OMNIHIP_SOFT_TARGET", "gfx1100,gfx942");
  environment.set("OMNIHIP_SOFT_THREADS", "40");
  constexpr auto kInvalid = HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto set = [](hsa_queue_t* queue, uint64_t mask) {
    const uint32_t words[2] = {static_cast<uint32_t>(mask), static_cast<uint32_t>(mask >> 32)};
    return hsa_amd_queue_cu_set_mask(queue, 64, words);
  };
  {
    Hsa hsa;
    hsa_queue_t* const in_pairs = queue_of(gpus()[0]);
    hsa_queue_t* const one_by_one = queue_of(gpus()[1]);
    CHECK(mask_of(in_pairs) == kAll);
    REQUIRE_HSA(set(in_pairs, 0x33));
    CHECK(mask_of(in_pairs) == 0x33);
    for (const uint64_t wrong : {uint64_t{0x1}, uint64_t{0x2}, uint64_t{0x5}, uint64_t{0x6}, uint64_t{0x7},
                                 uint64_t{1} << 31, uint64_t{1} << 38, uint64_t{3} << 31}) {
      INFO(std::hex << wrong);
      CHECK(set(in_pairs, wrong) == kInvalid);
      CHECK(mask_of(in_pairs) == 0x33); // as it was
      REQUIRE_HSA(set(one_by_one, wrong));
      CHECK(mask_of(one_by_one) == wrong);
    }
    REQUIRE_HSA(set(in_pairs, uint64_t{3} << 38 | uint64_t{1} << 40)); // there is no unit 40
    CHECK(mask_of(in_pairs) == uint64_t{3} << 38);
    REQUIRE_HSA(hsa_amd_queue_cu_set_mask(in_pairs, 0, nullptr));
    CHECK(mask_of(in_pairs) == kAll);
  }
  {
    Environment variable;
    variable.set("HSA_CU_MASK", "0-1:0-3");
    Hsa hsa;
    hsa_queue_t* const queue = queue_of(gpus()[0]);
    CHECK(mask_of(queue) == 0xf);
    CHECK(set(queue, 0x30c) == kReduced);
    CHECK(mask_of(queue) == 0xc);
    CHECK(set(queue, 0x304) == kInvalid); // what is left of it is half of a pair
  }
  Environment variable;
  variable.set("HSA_CU_MASK", "0-1:0-2");
  const std::string text = written([&] {
    Hsa hsa;
    hsa_queue_t* const queue = queue_of(gpus()[0]);
    CHECK(mask_of(queue) == kAll);
    CHECK(mask_of(queue_of(gpus()[1])) == 7);
  });
  CHECK_THAT(text, Catch::Contains("HSA_CU_MASK: GPU 0 (") && Catch::Contains("counts for nothing"));
}

TEST_CASE("ROCR_VISIBLE_DEVICES chooses GPUs and their order, and HSA_CU_MASK counts what is left", "[hsa][mask]") {
  Environment environment;
  environment.set("OMNIHIP_SOFT_DEVICES", "3");
  environment.set("OMNIHIP_SOFT_TARGET", "gfx942,gfx90a,gfx1100");
  environment.set("OMNIHIP_SOFT_THREADS", "40");
  const auto name = [](hsa_agent_t agent) {
    char text[64];
    REQUIRE_HSA(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, text));
    return std::string(text);
  };
  std::string uuid(21, '\0');
  {
    Hsa hsa;
    const std::vector<hsa_agent_t> agents = gpus();
    REQUIRE(agents.size() == 3);
    REQUIRE_HSA(hsa_agent_get_info(agents[1], static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_UUID), uuid.data()));
  }
  environment.set("ROCR_VISIBLE_DEVICES", (std::string("2,") + uuid.c_str()).c_str());
  environment.set("HSA_CU_MASK", "1:0");
  Hsa hsa;
  const std::vector<hsa_agent_t> agents = gpus();
  REQUIRE(agents.size() == 2);
  CHECK(name(agents[0]) == "gfx1100");
  CHECK(name(agents[1]) == "gfx90a");
  CHECK(mask_of(queue_of(agents[0])) == kAll);
  CHECK(mask_of(queue_of(agents[1])) == 1);
}

TEST_CASE("ROCR_VISIBLE_DEVICES that names no GPU leaves the host alone", "[hsa][mask][misuse]") {
  Environment environment;
  environment.set("ROCR_VISIBLE_DEVICES", "9");
  REQUIRE_HSA(hsa_init());
  CHECK(gpus().empty());
  hsa_signal_t signal;
  CHECK(hsa_signal_create(1, 0, nullptr, &signal) == HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  REQUIRE_HSA(hsa_shut_down());
}
