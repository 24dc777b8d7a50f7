#include "runtime/hsa/runtime.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/base/visible_devices.h"
#include "runtime/hsa/debugger.h"
#include "runtime/hsa/tables.h"

namespace hip::hsa {

namespace {

constexpr uint32_t kMostReferences = INT32_MAX;

std::recursive_mutex state_mutex;        // tools call functions while they are loaded
uint32_t references = 0;                 // guarded by state_mutex
std::atomic<Runtime*> instance{nullptr}; // changed with state_mutex locked

using Gpus = std::vector<std::unique_ptr<aql::Agent>>;

// Those that ROCR_VISIBLE_DEVICES names, in its order.
Gpus visible(Gpus gpus) {
  if (!env_is_set(Env::ROCR_VISIBLE_DEVICES)) return gpus;
  std::vector<std::string> uuids;
  for (const std::unique_ptr<aql::Agent>& gpu : gpus) {
    const auto& uuid = gpu->properties().uuid;
    uuids.push_back("GPU-" + std::string(reinterpret_cast<const char*>(uuid.data()), uuid.size()));
  }
  const std::vector<std::string_view> names(uuids.begin(), uuids.end());
  Gpus chosen;
  for (const size_t index : select_devices(env_text(Env::ROCR_VISIBLE_DEVICES), names))
    chosen.push_back(std::move(gpus[index]));
  return chosen;
}

std::vector<UnitMask> unit_limits(const Gpus& gpus) {
  size_t most_units = 0;
  for (const std::unique_ptr<aql::Agent>& gpu : gpus)
    most_units = std::max<size_t>(most_units, gpu->properties().compute_units);
  UnitMasks masks = parse_unit_masks(env_text(Env::HSA_CU_MASK), gpus.size(), most_units);
  if (!masks.problem.empty()) log(LogLevel::Fault, "HSA_CU_MASK: {}", masks.problem);
  for (size_t i = 0; i < gpus.size(); ++i) { // of these ROCr leaves all units to the queues
    const backend::DeviceProperties& gpu = gpus[i]->properties();
    if (!has_unit_pairs(gpu) || takes_whole_pairs(masks.of_gpu[i], gpu.compute_units)) continue;
    log(LogLevel::Fault,
        "HSA_CU_MASK: GPU {} ({}) has work-group processors, and its mask names one of two compute units without the "
        "other. It counts for nothing.",
        i, gpu.name);
    masks.of_gpu[i].clear();
  }
  return std::move(masks.of_gpu);
}

} // namespace

Runtime* Runtime::current() noexcept { return instance.load(std::memory_order_acquire); }

hsa_status_t Runtime::acquire() {
  std::lock_guard guard(state_mutex);
  if (references == kMostReferences) return HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
  if (references == 0) {
    start_debugger_list(); // as ROCr, also where the runtime does not begin
    std::unique_ptr<Runtime> runtime(new Runtime);
    if (Status status = runtime->initialize(); !status.ok()) {
      to_hsa(status);
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    instance.store(runtime.get(), std::memory_order_release);
    ++references; // a tool may ask for one more
    check_api_table();
    runtime.release()->tools_.load();
    return HSA_STATUS_SUCCESS;
  }
  ++references;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Runtime::release() {
  std::lock_guard guard(state_mutex);
  if (references == 0) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (references > 1) {
    --references;
    return HSA_STATUS_SUCCESS;
  }
  instance.load()->tools_.unload(); // they may still call
  references = 0;
  delete instance.exchange(nullptr);
  return HSA_STATUS_SUCCESS;
}

Status Runtime::initialize() {
  RT_TRY_ASSIGN(std::vector<std::unique_ptr<aql::Agent>> gpus, aql::create_soft_agents());
  gpus = visible(std::move(gpus));
  std::vector<UnitMask> limits = unit_limits(gpus);
  aql::Agent* const first = gpus.empty() ? nullptr : gpus[0].get();
  agents_.push_back(Agent::host(first));
  for (size_t i = 0; i < gpus.size(); ++i)
    agents_.push_back(Agent::of_gpu(std::move(gpus[i]), static_cast<uint32_t>(i + 1), std::move(limits[i])));
  if (!first) return Status();
  signals_ = std::make_unique<Signals>(*first);
  memory_ = std::make_unique<Memory>(*first, *agents_[1]->pools()[0], *agents_[0]->pools()[0]);
  callbacks_ = std::make_unique<Callbacks>(*signals_);
  shared_virtual_memory_ = std::make_unique<SharedVirtualMemory>(agents_, *memory_, *signals_, *callbacks_);
  mappings_ = std::make_unique<Mappings>(*agents_[1], *memory_, *shared_virtual_memory_);
  shared_signals_ = std::make_unique<SharedSignals>(*agents_[1], *signals_);
  shared_memory_ = std::make_unique<SharedMemory>(*agents_[1], *memory_);
  copies_ = std::make_unique<Copies>(*first);
  return Status();
}

// Queues and copies end before what they use; nobody is called any more once the callbacks have ended.
Runtime::~Runtime() {
  queues_.clear();
  copies_.reset();
  callbacks_.reset();
  executables_.clear();
}

Agent* Runtime::find(hsa_agent_t handle) const noexcept {
  for (const std::unique_ptr<Agent>& agent : agents_)
    if (agent->handle().handle == handle.handle) return agent.get();
  return nullptr;
}

const Pool* Runtime::find_pool(uint64_t handle) const noexcept {
  for (const std::unique_ptr<Agent>& agent : agents_)
    for (const std::unique_ptr<Pool>& pool : agent->pools())
      if (reinterpret_cast<uint64_t>(pool.get()) == handle) return pool.get();
  return nullptr;
}

const Isa* Runtime::find(hsa_isa_t handle) const noexcept {
  for (const std::unique_ptr<Agent>& agent : agents_)
    if (agent->isa() && reinterpret_cast<uint64_t>(agent->isa()) == handle.handle) return agent->isa();
  return nullptr;
}

void Runtime::add(std::unique_ptr<UserQueue> queue) {
  std::lock_guard guard(mutex_);
  queues_[queue->handle()] = std::move(queue);
}

UserQueue* Runtime::find(const hsa_queue_t* queue) const {
  std::lock_guard guard(mutex_);
  const auto found = queues_.find(queue);
  return found == queues_.end() ? nullptr : found->second.get();
}

hsa_status_t Runtime::destroy(hsa_queue_t* queue) {
  std::unique_ptr<UserQueue> gone;
  std::lock_guard guard(mutex_);
  const auto found = queues_.find(queue);
  if (found == queues_.end()) return HSA_STATUS_ERROR_INVALID_QUEUE;
  gone = std::move(found->second);
  queues_.erase(found);
  return HSA_STATUS_SUCCESS;
}

namespace {

template<class T> T* find_in(const std::map<uint64_t, std::unique_ptr<T>>& all, uint64_t handle) {
  const auto found = all.find(handle);
  return found == all.end() ? nullptr : found->second.get();
}

template<class T> T* add_to(std::map<uint64_t, std::unique_ptr<T>>& all, std::unique_ptr<T> one) {
  T* const pointer = one.get();
  all[reinterpret_cast<uint64_t>(pointer)] = std::move(one);
  return pointer;
}

} // namespace

Executable* Runtime::add(std::unique_ptr<Executable> executable) {
  std::lock_guard guard(mutex_);
  return add_to(executables_, std::move(executable));
}

Reader* Runtime::add(std::unique_ptr<Reader> reader) {
  std::lock_guard guard(mutex_);
  return add_to(readers_, std::move(reader));
}

Executable* Runtime::find(hsa_executable_t handle) const {
  std::lock_guard guard(mutex_);
  return find_in(executables_, handle.handle);
}

Reader* Runtime::find(hsa_code_object_reader_t handle) const {
  std::lock_guard guard(mutex_);
  return find_in(readers_, handle.handle);
}

hsa_status_t Runtime::destroy(hsa_executable_t handle) {
  std::lock_guard guard(mutex_);
  return executables_.erase(handle.handle) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
}

hsa_status_t Runtime::destroy(hsa_code_object_reader_t handle) {
  std::lock_guard guard(mutex_);
  return readers_.erase(handle.handle) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
}

hsa_status_t Runtime::for_each_executable(const std::function<hsa_status_t(Executable&)>& what) const {
  std::vector<Executable*> all;
  {
    std::lock_guard guard(mutex_);
    for (const auto& [handle, executable] : executables_) all.push_back(executable.get());
  }
  for (Executable* const executable : all) HSA_TRY(what(*executable));
  return HSA_STATUS_SUCCESS;
}

void Runtime::add_event_handler(EventHandler handler, void* data) {
  std::lock_guard guard(mutex_);
  event_handlers_.emplace_back(handler, data);
}

void Runtime::memory_fault(Agent& agent, const Status&) {
  hsa_amd_event_t event{};
  event.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT;
  event.memory_fault.agent = agent.handle();
  event.memory_fault.fault_reason_mask = HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
  std::vector<std::pair<EventHandler, void*>> handlers;
  {
    std::lock_guard guard(mutex_);
    handlers = event_handlers_;
  }
  for (const auto& [handler, data] : handlers) handler(&event, data);
}

} // namespace hip::hsa
