// runtime/backend/aql/hsa/hsa_cards.cpp - the cards that AMD's runtime shows, and what it tells of them while they
// work.
#include "runtime/backend/aql/hsa/hsa_agent.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"

#include <chrono>
#include <cstdlib>

namespace hip::aql::hsa {

Result<hsa_amd_memory_pool_t> find_pool(const Library& hsa, hsa_agent_t agent, uint32_t flags) {
  struct Search {
    const Library& hsa;
    uint32_t flags;
    hsa_amd_memory_pool_t found{0};
  } search{hsa, flags};
  const hsa_status_t status = hsa.hsa_amd_agent_iterate_memory_pools(
      agent,
      [](hsa_amd_memory_pool_t pool, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        hsa_amd_segment_t segment = HSA_AMD_SEGMENT_GROUP;
        uint32_t has = 0;
        constexpr const char* kCall = "hsa_amd_memory_pool_get_info";
        for (const hsa_status_t answer :
             {wanted.hsa.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment),
              wanted.hsa.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &has)})
          if (!wanted.hsa.note(answer, kCall)) return HSA_STATUS_SUCCESS; // a pool of which nothing is known
        if (segment != HSA_AMD_SEGMENT_GLOBAL || (has & wanted.flags) != wanted.flags) return HSA_STATUS_SUCCESS;
        wanted.found = pool;
        return HSA_STATUS_INFO_BREAK;
      },
      &search);
  RT_TRY(hsa.check(status, "hsa_amd_agent_iterate_memory_pools"));
  return search.found;
}

namespace {

uint64_t now_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

constexpr uint64_t kExitPatienceNs = 2'000'000'000; // as long as software GPUs have at the end of a process
std::atomic<uint64_t> end_of_waits{UINT64_MAX};

std::mutex watched_mutex;
std::vector<HsaAgent*>* watched =
    nullptr; // never destroyed: AMD's runtime may tell something at the end of the process

// Called by AMD's runtime, which ends the process where nobody takes the event.
hsa_status_t on_event(const hsa_amd_event_t* event, void*) {
  hsa_agent_t card{};
  switch (event->event_type) {
  case HSA_AMD_GPU_MEMORY_FAULT_EVENT:
    card = event->memory_fault.agent;
    break;
  case HSA_AMD_GPU_HW_EXCEPTION_EVENT:
    card = event->hw_exception.agent;
    break;
  case HSA_AMD_GPU_MEMORY_ERROR_EVENT:
    card = event->memory_error.agent;
    break;
  }
  hsa_status_t taken = HSA_STATUS_ERROR;
  std::lock_guard guard(watched_mutex);
  for (HsaAgent* const agent : *watched)
    if (agent->gpu().handle == card.handle) {
      agent->lose(*event);
      taken = HSA_STATUS_SUCCESS;
    }
  return taken;
}

} // namespace

uint64_t end_of_waits_ns() noexcept { return end_of_waits.load(std::memory_order_relaxed); }

Status watch_card(HsaAgent& agent) {
  std::lock_guard guard(watched_mutex);
  if (!watched) {
    watched = new std::vector<HsaAgent*>;
    agent.hsa().note(agent.hsa().hsa_amd_register_system_event_handler(on_event, nullptr),
                     "hsa_amd_register_system_event_handler");
  }
  watched->push_back(&agent);
  return Status();
}

void forget_card(HsaAgent& agent) noexcept {
  std::lock_guard guard(watched_mutex);
  if (watched) std::erase(*watched, &agent);
}

namespace {

// Memory moves where the kernel driver moves it (HMM). Cards that can wait for pages (XNACK) reach all memory of the
// process, others what they are given access to.
SharedMemory shared_memory(const Library& hsa) {
  const auto says = [&hsa](int attribute) {
    bool value = false;
    return hsa.note(hsa.hsa_system_get_info(static_cast<hsa_system_info_t>(attribute), &value),
                    "hsa_system_get_info") &&
           value;
  };
  if (!says(HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED)) return SharedMemory::None;
  return says(HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT) ? SharedMemory::Everywhere : SharedMemory::WhereAsked;
}

Result<std::shared_ptr<const Cards>> find_cards() {
  RT_TRY_ASSIGN(const Library* const library, Library::load());
  const Library& hsa = *library;
  RT_TRY(hsa.usable());
  auto cards = std::make_shared<Cards>(hsa);
  RT_TRY(hsa.check(hsa.hsa_iterate_agents(
                       [](hsa_agent_t agent, void* data) {
                         auto& found = *static_cast<Cards*>(data);
                         hsa_device_type_t type{};
                         if (!found.hsa.note(found.hsa.hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type),
                                             "hsa_agent_get_info"))
                           return HSA_STATUS_SUCCESS; // it is left out
                         if (type == HSA_DEVICE_TYPE_GPU) found.gpus.push_back(agent);
                         if (type == HSA_DEVICE_TYPE_CPU && found.host.handle == 0) found.host = agent;
                         return HSA_STATUS_SUCCESS;
                       },
                       cards.get()),
                   "hsa_iterate_agents"));
  if (cards->host.handle == 0) return error(ErrorCode::NotSupported, "{} shows no agent that is the host.", hsa.file);
  constexpr uint32_t kKernarg =
      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
  RT_TRY_ASSIGN(cards->host_memory, find_pool(hsa, cards->host, kKernarg));
  RT_TRY_ASSIGN(const int64_t limit_s, env_number(Env::OMNIHIP_HSA_TIMEOUT_S, 0, INT32_MAX));
  cards->limit_ns = static_cast<uint64_t>(limit_s) * 1'000'000'000;
  if (!cards->gpus.empty() && cards->host_memory.handle == 0)
    return error(ErrorCode::NotSupported, "{} offers no memory for kernel arguments.", hsa.file);
  cards->shared = shared_memory(hsa);
  uint64_t frequency = 0, ticks = 0;
  RT_TRY(hsa.check(hsa.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency), "hsa_system_get_info"));
  RT_TRY(hsa.check(hsa.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &ticks), "hsa_system_get_info"));
  if (frequency != 0) cards->ns_per_tick = 1e9 / static_cast<double>(frequency);
  cards->clock_offset_ns =
      static_cast<int64_t>(now_ns()) - static_cast<int64_t>(static_cast<double>(ticks) * cards->ns_per_tick);
  static std::once_flag once;
  std::call_once(once, [] { std::atexit([] { end_of_waits.store(now_ns() + kExitPatienceNs); }); });
  return std::shared_ptr<const Cards>(std::move(cards));
}

} // namespace

} // namespace hip::aql::hsa

namespace hip::aql {

Result<std::vector<std::unique_ptr<Agent>>> create_hsa_agents() {
  std::vector<std::unique_ptr<Agent>> agents;
  RT_TRY_ASSIGN(const std::shared_ptr<const hsa::Cards> cards, hsa::find_cards());
  for (const hsa_agent_t gpu : cards->gpus) {
    Result<std::unique_ptr<Agent>> agent = hsa::HsaAgent::create(cards, gpu);
    if (agent.ok())
      agents.push_back(std::move(*agent));
    else
      log(LogLevel::Error, "A GPU of AMD's runtime is left out: {}", agent.status().message());
  }
  return agents;
}

} // namespace hip::aql
