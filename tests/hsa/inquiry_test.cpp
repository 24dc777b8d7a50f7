// What can be asked, and what is said but changes nothing here: extensions, caches, instruction sets, executables,
// pools and agents, times; and cooperative queues.
#include "testing.h"

#include <hsa/hsa_ven_amd_loader.h>

#include <algorithm>
#include <set>

using namespace hip::test;

namespace {

template<class T> T attribute(const std::function<hsa_status_t(void*)>& ask) {
  T value{};
  REQUIRE_HSA(ask(&value));
  return value;
}

template<class Handle> std::vector<Handle> all_of(const std::function<hsa_status_t(std::vector<Handle>&)>& iterate) {
  std::vector<Handle> all;
  REQUIRE_HSA(iterate(all));
  return all;
}
template<class Handle> hsa_status_t note(Handle handle, void* all) {
  static_cast<std::vector<Handle>*>(all)->push_back(handle);
  return HSA_STATUS_SUCCESS;
}

} // namespace

TEST_CASE("Extensions are told by number, version and agent", "[hsa][inquiry]") {
  Hsa hsa;
  const char* name = nullptr;
  REQUIRE_HSA(hsa_extension_get_name(HSA_EXTENSION_AMD_LOADER, &name));
  CHECK(std::string(name) == "HSA_EXTENSION_AMD_LOADER");
  CHECK(hsa_extension_get_name(77, &name) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_extension_get_name(HSA_EXTENSION_AMD_LOADER, nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  struct Row {
    uint16_t extension, major, minor;
    bool of_system;
  };
  for (const Row& row : {Row{HSA_EXTENSION_AMD_LOADER, 1, 3, true}, Row{HSA_EXTENSION_AMD_LOADER, 1, 4, false},
                         Row{HSA_EXTENSION_AMD_LOADER, 2, 0, false}, Row{HSA_EXTENSION_IMAGES, 1, 0, true},
                         Row{HSA_EXTENSION_FINALIZER, 1, 0, false}}) {
    INFO(row.extension << " " << row.major << "." << row.minor);
    bool supported = !row.of_system;
    REQUIRE_HSA(hsa_system_extension_supported(row.extension, row.major, row.minor, &supported));
    CHECK(supported == row.of_system);
    REQUIRE_HSA(hsa_agent_extension_supported(row.extension, hsa.gpu, row.major, row.minor, &supported));
    CHECK(supported == row.of_system);
    REQUIRE_HSA(hsa_agent_extension_supported(row.extension, hsa.host, row.major, row.minor, &supported));
    CHECK_FALSE(supported);
  }
  uint16_t minor = 77;
  bool supported = false;
  REQUIRE_HSA(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, &minor, &supported));
  CHECK((supported && minor == 3));
  REQUIRE_HSA(hsa_agent_major_extension_supported(HSA_EXTENSION_AMD_LOADER, hsa.gpu, 1, &minor, &supported));
  CHECK((supported && minor == 3));
  REQUIRE_HSA(hsa_agent_major_extension_supported(HSA_EXTENSION_AMD_LOADER, hsa.host, 1, &minor, &supported));
  CHECK_FALSE(supported);
  REQUIRE_HSA(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 2, &minor, &supported));
  CHECK_FALSE(supported);
  CHECK(hsa_system_extension_supported(77, 1, 0, &supported) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_agent_major_extension_supported(HSA_EXTENSION_IMAGES, {1}, 1, &minor, &supported) ==
        HSA_STATUS_ERROR_INVALID_AGENT);
}

TEST_CASE("Agents have caches, one instruction set and no exceptions", "[hsa][inquiry]") {
  Hsa hsa;
  const auto caches =
      all_of<hsa_cache_t>([&](auto& all) { return hsa_agent_iterate_caches(hsa.gpu, note<hsa_cache_t>, &all); });
  CHECK(caches.size() >= 2);
  std::set<uint8_t> levels;
  for (const hsa_cache_t cache : caches) {
    const auto ask = [&](hsa_cache_info_t what) {
      return [=](void* value) { return hsa_cache_get_info(cache, what, value); };
    };
    std::string name(attribute<uint32_t>(ask(HSA_CACHE_INFO_NAME_LENGTH)), '\0');
    REQUIRE_HSA(hsa_cache_get_info(cache, HSA_CACHE_INFO_NAME, name.data()));
    CHECK_THAT(name, Catch::Contains(" L"));
    levels.insert(attribute<uint8_t>(ask(HSA_CACHE_INFO_LEVEL)));
    CHECK(attribute<uint32_t>(ask(HSA_CACHE_INFO_SIZE)) >= 1024);
  }
  CHECK(levels == std::set<uint8_t>{1, 2});
  uint32_t word = 0;
  CHECK(hsa_cache_get_info({1}, HSA_CACHE_INFO_SIZE, &word) == HSA_STATUS_ERROR_INVALID_CACHE);
  CHECK(hsa_agent_iterate_caches(hsa.gpu, nullptr, nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT);

  const auto isas =
      all_of<hsa_isa_t>([&](auto& all) { return hsa_agent_iterate_isas(hsa.gpu, note<hsa_isa_t>, &all); });
  REQUIRE(isas.size() == 1);
  CHECK(all_of<hsa_isa_t>([&](auto& all) { return hsa_agent_iterate_isas(hsa.host, note<hsa_isa_t>, &all); }).empty());
  uint32_t length = 0;
  REQUIRE_HSA(hsa_isa_get_info(isas[0], HSA_ISA_INFO_NAME_LENGTH, 0, &length));
  CHECK(length > 10);
  CHECK(hsa_isa_get_info(isas[0], HSA_ISA_INFO_NAME_LENGTH, 1, &length) == HSA_STATUS_ERROR_INVALID_INDEX);
  CHECK(hsa_isa_get_info({1}, HSA_ISA_INFO_NAME_LENGTH, 0, &length) == HSA_STATUS_ERROR_INVALID_ISA);
  uint16_t policies = 77;
  REQUIRE_HSA(hsa_isa_get_exception_policies(isas[0], HSA_PROFILE_BASE, &policies));
  CHECK(policies == 0);
  policies = 77;
  REQUIRE_HSA(hsa_agent_get_exception_policies(hsa.gpu, HSA_PROFILE_BASE, &policies));
  CHECK(policies == 0);
  CHECK(hsa_agent_get_exception_policies({1}, HSA_PROFILE_BASE, &policies) == HSA_STATUS_ERROR_INVALID_AGENT);
  hsa_round_method_t method{};
  REQUIRE_HSA(hsa_isa_get_round_method(isas[0], HSA_FP_TYPE_32, HSA_FLUSH_MODE_NON_FTZ, &method));
  CHECK(method == HSA_ROUND_METHOD_SINGLE);
  CHECK(hsa_isa_get_round_method(isas[0], HSA_FP_TYPE_32, HSA_FLUSH_MODE_NON_FTZ, nullptr) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  uint32_t none = 77; // there are no images
  REQUIRE_HSA(hsa_amd_image_get_info_max_dim(
      hsa.gpu, static_cast<hsa_agent_info_t>(HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS), &none));
  CHECK(none == 0);
}

TEST_CASE("Executables tell what they are, and hold their agents' symbols", "[hsa][inquiry]") {
  Hsa hsa;
  Kernels kernels(hsa);
  const auto ask = [](hsa_executable_t executable, hsa_executable_info_t what) {
    return [=](void* value) { return hsa_executable_get_info(executable, what, value); };
  };
  CHECK(attribute<hsa_profile_t>(ask(kernels.executable, HSA_EXECUTABLE_INFO_PROFILE)) == HSA_PROFILE_BASE);
  CHECK(attribute<hsa_executable_state_t>(ask(kernels.executable, HSA_EXECUTABLE_INFO_STATE)) ==
        HSA_EXECUTABLE_STATE_FROZEN);
  hsa_executable_t made[2];
  REQUIRE_HSA(hsa_executable_create(HSA_PROFILE_BASE, HSA_EXECUTABLE_STATE_UNFROZEN, "", &made[0]));
  REQUIRE_HSA(hsa_executable_create(HSA_PROFILE_BASE, HSA_EXECUTABLE_STATE_FROZEN, "", &made[1]));
  CHECK(attribute<hsa_executable_state_t>(ask(made[0], HSA_EXECUTABLE_INFO_STATE)) == HSA_EXECUTABLE_STATE_UNFROZEN);
  CHECK(attribute<hsa_executable_state_t>(ask(made[1], HSA_EXECUTABLE_INFO_STATE)) == HSA_EXECUTABLE_STATE_FROZEN);
  CHECK(hsa_executable_create(HSA_PROFILE_BASE, static_cast<hsa_executable_state_t>(7), "", &made[1]) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  uint32_t valid = 77;
  REQUIRE_HSA(hsa_executable_validate(kernels.executable, &valid));
  CHECK(valid == 0);
  valid = 77;
  REQUIRE_HSA(hsa_executable_validate_alt(kernels.executable, "", &valid));
  CHECK(valid == 0);
  CHECK(hsa_executable_readonly_variable_define(made[1], hsa.gpu, "elsewhere", &valid) != HSA_STATUS_SUCCESS); // frozen
  hsa_code_object_reader_t reader;
  REQUIRE_HSA(hsa_code_object_reader_create_from_memory(kernels.file.data(), kernels.file.size(), &reader));
  CHECK(hsa_executable_load_program_code_object(made[0], reader, "", nullptr) ==
        HSA_STATUS_ERROR_INVALID_CODE_OBJECT); // programs' were HSAIL's
  REQUIRE_HSA(hsa_code_object_reader_destroy(reader));
  for (const hsa_executable_t each : made) REQUIRE_HSA(hsa_executable_destroy(each));

  hsa_executable_symbol_t symbol;
  REQUIRE_HSA(hsa_executable_get_symbol(kernels.executable, nullptr, "add.kd", hsa.gpu, 0, &symbol));
  CHECK(symbol.handle == kernels.symbol("add.kd").handle);
  CHECK(hsa_executable_get_symbol(kernels.executable, "module", "add.kd", hsa.gpu, 0, &symbol) ==
        HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  std::vector<uint64_t> of_all, of_agent, of_program;
  const auto remember = [](hsa_executable_t, hsa_executable_symbol_t each, void* all) {
    static_cast<std::vector<uint64_t>*>(all)->push_back(each.handle);
    return HSA_STATUS_SUCCESS;
  };
  REQUIRE_HSA(hsa_executable_iterate_symbols(kernels.executable, remember, &of_all));
  REQUIRE_HSA(hsa_executable_iterate_program_symbols(kernels.executable, remember, &of_program));
  REQUIRE_HSA(hsa_executable_iterate_agent_symbols(
      kernels.executable, hsa.gpu,
      [](hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t each, void* all) {
        static_cast<std::vector<uint64_t>*>(all)->push_back(each.handle);
        return HSA_STATUS_SUCCESS;
      },
      &of_agent));
  CHECK(of_all.size() > 5);
  CHECK(of_all == of_agent);
  CHECK(of_program.empty());
  CHECK(hsa_executable_iterate_symbols({1}, remember, &of_all) == HSA_STATUS_ERROR_INVALID_EXECUTABLE);
}

TEST_CASE("Agents and pools: who reaches what, and what moves", "[hsa][inquiry]") {
  Hsa hsa;
  const auto ask = [](hsa_agent_t agent, hsa_amd_memory_pool_t pool, hsa_amd_agent_memory_pool_info_t what) {
    return [=](void* value) { return hsa_amd_agent_memory_pool_get_info(agent, pool, what, value); };
  };
  for (const hsa_amd_memory_pool_t pool : {hsa.fine, hsa.kernarg, hsa.device})
    for (const hsa_agent_t agent : {hsa.gpu, hsa.host})
      CHECK(attribute<hsa_amd_memory_pool_access_t>(ask(agent, pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS)) !=
            HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED);
  CHECK(attribute<uint32_t>(ask(hsa.gpu, hsa.device, HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS)) == 0);
  CHECK(attribute<uint32_t>(ask(hsa.gpu, hsa.fine, HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS)) == 1);
  const auto link =
      attribute<hsa_amd_memory_pool_link_info_t>(ask(hsa.gpu, hsa.fine, HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO));
  CHECK((link.coherent_support && link.link_type == HSA_AMD_LINK_INFO_TYPE_PCIE));
  uint32_t word = 0;
  CHECK(hsa_amd_agent_memory_pool_get_info(hsa.gpu, {1}, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &word) == kInvalidPool);
  bool moves = true;
  REQUIRE_HSA(hsa_amd_memory_pool_can_migrate(hsa.fine, hsa.device, &moves));
  CHECK_FALSE(moves);
  auto* const memory = hsa.allocate<uint32_t>(hsa.fine, 16);
  CHECK(hsa_amd_memory_migrate(memory, hsa.device, 0) != HSA_STATUS_SUCCESS);
  CHECK(hsa_amd_memory_migrate(nullptr, hsa.device, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_amd_memory_pool_free(memory));
  REQUIRE_HSA(hsa_memory_register(&word, sizeof word));
  REQUIRE_HSA(hsa_memory_deregister(&word, sizeof word));
  CHECK(hsa_memory_register(nullptr, 1) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  hsa_amd_coherency_type_t coherency{};
  REQUIRE_HSA(hsa_amd_coherency_set_type(hsa.gpu, HSA_AMD_COHERENCY_TYPE_COHERENT));
  REQUIRE_HSA(hsa_amd_coherency_get_type(hsa.gpu, &coherency));
  CHECK(coherency == HSA_AMD_COHERENCY_TYPE_COHERENT);
  CHECK(hsa_amd_coherency_get_type(hsa.host, &coherency) == HSA_STATUS_ERROR_INVALID_AGENT);
  uint32_t engines = 77;
  REQUIRE_HSA(hsa_amd_memory_get_preferred_copy_engine(hsa.gpu, hsa.host, &engines));
  CHECK(engines == 0); // none is better than another
  uint8_t flags[8] = {};
  CHECK(hsa_amd_enable_logging(flags, nullptr) == kNotSupported); // OMNIHIP_LOG does
}

TEST_CASE("Times of packets are the system's, and a queue tells whose it is", "[hsa][inquiry]") {
  Hsa hsa;
  Kernels kernels(hsa);
  hsa_queue_t* const queue = hsa.queue();
  REQUIRE_HSA(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  REQUIRE_HSA(hsa_amd_profiling_async_copy_enable(true));
  const auto now = [] {
    uint64_t time = 0;
    REQUIRE_HSA(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &time));
    return time;
  };
  const uint64_t before = now();
  const hsa_signal_t done = hsa.signal(1);
  dispatch(queue, kernels.kernel("count"), nullptr, 1, done);
  CHECK(wait_below(done, 1) == 0);
  const uint64_t after = now();
  hsa_amd_profiling_dispatch_time_t time{};
  REQUIRE_HSA(hsa_amd_profiling_get_dispatch_time(hsa.gpu, done, &time));
  CHECK((before <= time.start && time.start <= time.end && time.end <= after));
  uint64_t converted = 0;
  REQUIRE_HSA(hsa_amd_profiling_convert_tick_to_system_domain(hsa.gpu, time.start, &converted));
  CHECK((before <= converted && converted <= after));
  CHECK(hsa_amd_profiling_convert_tick_to_system_domain(hsa.host, time.start, &converted) ==
        HSA_STATUS_ERROR_INVALID_AGENT);
  hsa_agent_t agent{};
  REQUIRE_HSA(hsa_amd_queue_get_info(queue, HSA_AMD_QUEUE_INFO_AGENT, &agent));
  CHECK(agent.handle == hsa.gpu.handle);
  uint64_t doorbell = 0;
  REQUIRE_HSA(hsa_amd_queue_get_info(queue, HSA_AMD_QUEUE_INFO_DOORBELL_ID, &doorbell));
  CHECK(doorbell == queue->doorbell_signal.handle);
  CHECK(hsa_amd_queue_get_info(queue, static_cast<hsa_queue_info_attribute_t>(77), &doorbell) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("Queues of each type execute, and those that the host consumes are refused", "[hsa][inquiry]") {
  Hsa hsa;
  Kernels kernels(hsa);
  for (const hsa_queue_type32_t type : {HSA_QUEUE_TYPE_MULTI, HSA_QUEUE_TYPE_SINGLE, HSA_QUEUE_TYPE_COOPERATIVE}) {
    hsa_queue_t* const queue = hsa.queue(64, type);
    CHECK(queue->type == type);
    auto* const data = hsa.allocate<uint32_t>(hsa.fine, 64 * 4);
    std::fill_n(data, 64 * 4, 1u);
    auto* const arguments = hsa.allocate<AddArguments>(hsa.kernarg, 1);
    *arguments = {data, 41};
    const hsa_signal_t done = hsa.signal(1);
    dispatch(queue, kernels.kernel("add"), arguments, 4, done);
    CHECK(wait_below(done, 1) == 0);
    CHECK(std::count(data, data + 64 * 4, 42u) == 64 * 4);
    REQUIRE_HSA(hsa_queue_destroy(queue));
  }
  hsa_queue_t* none = nullptr;
  CHECK(hsa_soft_queue_create({hsa.fine.handle}, 64, HSA_QUEUE_TYPE_MULTI, 0, hsa.signal(0), &none) == kNotSupported);
  CHECK(hsa_soft_queue_create({1}, 64, HSA_QUEUE_TYPE_MULTI, 0, hsa.signal(0), &none) ==
        HSA_STATUS_ERROR_INVALID_REGION);
  CHECK(none == nullptr);
}
