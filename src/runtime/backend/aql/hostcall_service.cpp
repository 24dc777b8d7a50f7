#include "runtime/backend/aql/hostcall_service.h"

#include "runtime/backend/aql/device.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <new>

namespace hip::aql {

namespace {
constexpr uint32_t kPackets = 1024; // waves with a call under way; a power of two
constexpr auto kShortestNap = std::chrono::microseconds(20);
constexpr auto kLongestNap = std::chrono::microseconds(500);
} // namespace

Result<std::unique_ptr<HostcallService>> HostcallService::create(Device& device) {
  std::unique_ptr<HostcallService> service(new HostcallService(device));
  Agent& agent = device.agent();
  RT_TRY_ASSIGN(service->memory_,
                agent.allocate(HostcallServer::buffer_bytes(kPackets), 4096, AgentMemory::FineGrained));
  RT_TRY_ASSIGN(void* const doorbell, agent.allocate(sizeof(Signal), alignof(Signal), AgentMemory::Control));
  service->doorbell_ = new (doorbell) Signal;
  service->doorbell_->kind = Signal::kUser;
  service->doorbell_->value.store(1, std::memory_order_relaxed);
  HostcallServices services;
  services.allocate = [&agent](size_t bytes) -> void* {
    Result<void*> memory = agent.allocate(bytes, 4096, AgentMemory::Device);
    return memory.ok() ? *memory : nullptr;
  };
  services.free = [&agent](void* base) {
    if (Status status = agent.free(base); !status.ok())
      log(LogLevel::Error, "A kernel frees device memory: {}", status.message());
  };
  service->server_ =
      std::make_unique<HostcallServer>(service->memory_, kPackets, to_handle(service->doorbell_), std::move(services));
  return service;
}

HostcallService::~HostcallService() {
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (void* const memory : {memory_, static_cast<void*>(doorbell_)})
    if (memory)
      if (Status status = device_.agent().free(memory); !status.ok())
        log(LogLevel::Warning, "Freeing what hostcalls need: {}", status.message());
}

void HostcallService::watch(Ref<Point> kernel) {
  std::lock_guard guard(mutex_);
  watched_.push_back(std::move(kernel));
  if (!thread_.joinable())
    thread_ = std::thread([this] { listen(); });
  else if (watched_.size() == 1)
    changed_.notify_one();
}

bool HostcallService::kernels_under_way() {
  std::erase_if(watched_, [](const Ref<Point>& kernel) { return kernel->done(); });
  return !watched_.empty();
}

// The software agent does not interrupt the host when a kernel rings the doorbell, so the listener looks: often after a
// call, ever less often while none comes.
void HostcallService::listen() noexcept {
  auto nap = kShortestNap;
  for (;;) {
    while (server_->ready()) {
      server_->process_ready();
      nap = kShortestNap;
    }
    if (Status status = server_->take_error(); !status.ok())
      log(LogLevel::Error, "A call from a kernel: {}", status.message());
    {
      std::unique_lock lock(mutex_);
      if (stopping_) return;
      if (!kernels_under_way()) {
        changed_.wait(lock, [this] { return stopping_ || !watched_.empty(); });
        nap = kShortestNap;
        continue;
      }
    }
    std::this_thread::sleep_for(nap);
    nap = std::min(nap * 2, kLongestNap);
  }
}

} // namespace hip::aql
