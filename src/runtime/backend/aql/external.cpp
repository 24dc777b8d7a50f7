#include "runtime/backend/aql/external.h"

#include "runtime/backend/aql/agent.h"
#include "runtime/base/descriptor.h"
#include "runtime/base/log.h"
#include "runtime/base/shared_file.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hip::aql {
namespace {

class EventDescriptor final : public HostSemaphore {
public:
  explicit EventDescriptor(int descriptor) noexcept : file_(descriptor) {}

  void signal(uint64_t /*opaque semaphores have no value*/, const GivesUp& gives_up) noexcept override {
    const uint64_t one = 1;
    transfer(POLLOUT, gives_up, [&] { return ::write(file_.descriptor(), &one, sizeof one); });
  }
  void wait(uint64_t, const GivesUp& gives_up) noexcept override {
    uint64_t taken;
    transfer(POLLIN, gives_up, [&] { return ::read(file_.descriptor(), &taken, sizeof taken); });
  }

private:
  // Until it succeeds: the descriptor may be non-blocking, and others may have been quicker.
  template<class F> void transfer(short ready, const GivesUp& gives_up, const F& f) noexcept {
    constexpr int kLookMs = 20;
    for (;;) {
      pollfd events{file_.descriptor(), ready, 0};
      if (::poll(&events, 1, kLookMs) == 0) {
        if (gives_up()) return;
        continue;
      }
      if (f() == sizeof(uint64_t)) return;
      if (errno == EAGAIN || errno == EINTR) continue;
      log(LogLevel::Fault, "An external semaphore (eventfd {}) fails: {}. Was the descriptor closed?",
          file_.descriptor(), std::strerror(errno));
      return;
    }
  }

  const SharedFile file_;
};

class TimelineFile final : public HostSemaphore {
public:
  TimelineFile(int descriptor, void* memory) noexcept : file_(descriptor), memory_(memory) {}
  ~TimelineFile() override { ::munmap(memory_, SharedPage::kBytes); }

  void signal(uint64_t value, const GivesUp&) noexcept override {
    auto* const word = static_cast<uint64_t*>(memory_);
    uint64_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (now < value && !__atomic_compare_exchange_n(word, &now, value, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
  }
  void wait(uint64_t value, const GivesUp& gives_up) noexcept override {
    backend::ValueWait{.address = memory_, .value = value}.wait_on_host(gives_up); // until it is at least that
  }

private:
  const SharedFile file_;
  void* const memory_;
};

Result<Ref<backend::ExternalSemaphore>> import_timeline(int descriptor, const std::string& name) {
  const auto bytes = size_of_descriptor(descriptor);
  if (!bytes.ok() || bytes.value() < sizeof(uint64_t))
    return error(ErrorCode::InvalidValue,
                 "File descriptor {} ({}) is no timeline semaphore; here one is a file whose first eight bytes are its "
                 "value.",
                 descriptor, name);
  void* const memory = ::mmap(nullptr, SharedPage::kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED)
    return error(ErrorCode::InvalidValue, "File descriptor {} ({}) cannot be mapped for reading and writing: {}.",
                 descriptor, name, std::strerror(errno));
  return Ref<backend::ExternalSemaphore>(make_ref<TimelineFile>(descriptor, memory));
}

} // namespace

Result<Ref<backend::ExternalSemaphore>> HostSemaphore::import(const backend::ExternalSemaphoreSource& source) {
  RT_TRY_ASSIGN(const std::string name, name_of_descriptor(source.descriptor));
  if (source.kind == backend::SemaphoreKind::Timeline) return import_timeline(source.descriptor, name);
  if (name != kEventDescriptorName)
    return error(ErrorCode::InvalidValue,
                 "File descriptor {} ({}) is no opaque semaphore; without a graphics driver one is an eventfd.",
                 source.descriptor, name);
  return Ref<backend::ExternalSemaphore>(make_ref<EventDescriptor>(source.descriptor));
}

Result<Ref<backend::ExternalMemory>> External::import_memory(const backend::ExternalMemorySource& source) {
  RT_TRY(agent_.usable());
  return agent_.import_memory(source);
}

} // namespace hip::aql
