#include "runtime/backend/aql/hostcall_service.h"

#include "runtime/backend/aql/device.h"
#include "runtime/base/log.h"
#include "runtime/base/start_thread.h"

#include <algorithm>
#include <new>

namespace hip::aql {

namespace {
constexpr uint32_t kPackets = 1024; // waves with a call under way; a power of two
// Device code rings the doorbell through HostcallSignal, which is the beginning of a Signal.
static_assert(offsetof(Signal, kind) == offsetof(HostcallSignal, kind) &&
              offsetof(Signal, value) == offsetof(HostcallSignal, value) &&
              offsetof(Signal, event_mailbox_ptr) == offsetof(HostcallSignal, event_mailbox) &&
              offsetof(Signal, event_id) == offsetof(HostcallSignal, event_id));
constexpr auto kShortestNap = std::chrono::microseconds(20);
constexpr auto kLongestNap = std::chrono::microseconds(500);
} // namespace

Result<std::unique_ptr<HostcallService>> HostcallService::create(Device& device) {
  std::unique_ptr<HostcallService> service(new HostcallService(device));
  Agent& agent = device.agent();
  RT_TRY_ASSIGN(service->memory_,
                agent.allocate(HostcallServer::buffer_bytes(kPackets), 4096, AgentMemory::HostPinned));
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
  stopping_.store(true, std::memory_order_seq_cst);
  wake();
  if (thread_.joinable()) generation_.inherited() ? thread_.detach() : thread_.join();
  if (!device_.agent().usable().ok()) return; // kernels may still use it
  for (void* const memory : {memory_, static_cast<void*>(doorbell_)})
    if (memory)
      if (Status status = device_.agent().free(memory); !status.ok())
        log(LogLevel::Warning, "Freeing what hostcalls need: {}", status.message());
}

void HostcallService::wake() noexcept {
  if (asleep_.load(std::memory_order_seq_cst) == 0) return;
  asleep_.store(0, std::memory_order_seq_cst);
  asleep_.notify_one();
}

void HostcallService::watch(Ref<Point> kernel) {
  {
    std::lock_guard guard(mutex_);
    watched_.push_back(std::move(kernel));
  }
  wake();
}

Result<std::unique_ptr<HostcallService::Watch>> HostcallService::make_watch() {
  std::lock_guard guard(mutex_);
  if (!thread_.joinable()) RT_TRY(start_thread(thread_, [this] { listen(); }));
  watches_.reserve(watches_.size() + 1);
  std::unique_ptr<Watch> watch(new Watch(*this));
  watches_.push_back(watch.get());
  return watch;
}

HostcallService::Watch::~Watch() {
  // In a child process after fork there is no listener to look at the list, and it may have held the lock.
  if (!service_.generation_.inherited()) {
    std::lock_guard guard(service_.mutex_);
    std::erase(service_.watches_, this);
  }
  if (Point* const last = last_.load(std::memory_order_acquire)) last->release();
}

void HostcallService::Watch::kernel(Ref<Point> kernel) noexcept {
  if (Point* const before = last_.exchange(kernel.detach(), std::memory_order_seq_cst)) before->release();
  service_.wake();
}

bool HostcallService::Watch::under_way() noexcept {
  Ref<Point> last = Ref<Point>::adopt(last_.exchange(nullptr, std::memory_order_seq_cst));
  if (!last || last->done()) return false;
  Point* nobody = nullptr; // the point goes back, unless kernel() has stored a newer one meanwhile
  if (last_.compare_exchange_strong(nobody, last.get(), std::memory_order_seq_cst)) static_cast<void>(last.detach());
  return true;
}

bool HostcallService::kernels_under_way() {
  std::lock_guard guard(mutex_);
  std::erase_if(watched_, [](const Ref<Point>& kernel) { return kernel->done(); });
  bool any = !watched_.empty();
  for (Watch* const watch : watches_) any |= watch->under_way();
  return any;
}

// The software agent does not interrupt the host when a kernel rings the doorbell, so the listener polls: often after a
// call, less and less often while none comes.
void HostcallService::listen() noexcept {
  auto nap = kShortestNap;
  for (;;) {
    while (server_->ready()) {
      server_->process_ready();
      nap = kShortestNap;
    }
    if (Status status = server_->take_error(); !status.ok())
      log(LogLevel::Error, "A call from a kernel: {}", status.message());
    if (stopping_.load(std::memory_order_seq_cst)) return;
    if (kernels_under_way()) {
      std::this_thread::sleep_for(nap);
      nap = std::min(nap * 2, kLongestNap);
      continue;
    }
    nap = kShortestNap;
    // A thread that adds a kernel after the look below finds asleep_ set and wakes the listener.
    asleep_.store(1, std::memory_order_seq_cst);
    if (kernels_under_way() || stopping_.load(std::memory_order_seq_cst))
      asleep_.store(0, std::memory_order_relaxed);
    else
      asleep_.wait(1, std::memory_order_seq_cst);
  }
}

} // namespace hip::aql
