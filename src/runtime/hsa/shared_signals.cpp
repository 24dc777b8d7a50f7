#include "runtime/hsa/shared_signals.h"

#include "runtime/base/shared_file.h"

#include <cstring>
#include <new>
#include <unistd.h>

namespace hip::hsa {

namespace {

constexpr size_t kPageBytes = 4096;

struct SignalName {
  uint64_t magic;
  int32_t process, descriptor;
  uint64_t inode, reserved;
};
static_assert(sizeof(SignalName) == sizeof(hsa_amd_ipc_signal_t));
constexpr uint64_t kMagic = 0x6d61736973696873; // "hsisisam" in memory

} // namespace

SharedSignals::~SharedSignals() {
  for (const auto& [signal, page] : pages_) {
    signals_.forget(*signal);
    unmap(signal, page);
  }
}

Result<aql::Signal*> SharedSignals::map(Page page) {
  RT_TRY_ASSIGN(void* const base, virtual_.reserve(kPageBytes, kPageBytes, nullptr));
  Status status = virtual_.map(base, kPageBytes, 0, page.memory);
  page.mapped = status.ok();
  if (status.ok()) status = virtual_.set_access(base, kPageBytes, gpu_.device(), backend::PoolAccess::ReadWrite);
  auto* const signal = static_cast<aql::Signal*>(base);
  if (status.ok() && !signals_.adopt(*signal))
    status = error(ErrorCode::OutOfMemory, "There are too many shared signals.");
  if (!status.ok()) {
    unmap(base, page);
    return status;
  }
  std::lock_guard guard(mutex_);
  pages_[signal] = std::move(page);
  return signal;
}

void SharedSignals::unmap(void* base, const Page& page) noexcept {
  const auto report = [](const Status& status) {
    if (!status.ok()) log(LogLevel::Warning, "Destroying a shared signal: {}", status.message());
  };
  if (page.mapped) report(virtual_.unmap(base, kPageBytes));
  report(virtual_.release(base, kPageBytes));
  if (page.descriptor >= 0) ::close(page.descriptor);
}

Result<aql::Signal*> SharedSignals::create(int64_t value) {
  Page page;
  RT_TRY_ASSIGN(page.memory, virtual_.create(kPageBytes, {.exportable = true}));
  RT_TRY_ASSIGN(page.descriptor, page.memory->export_descriptor());
  RT_TRY_ASSIGN(aql::Signal* const signal, map(std::move(page)));
  new (signal) aql::Signal;
  signal->kind = aql::Signal::kUser;
  signal->value.store(value, std::memory_order_release);
  return signal;
}

hsa_status_t SharedSignals::handle_of(aql::Signal& signal, hsa_amd_ipc_signal_t* handle) {
  std::lock_guard guard(mutex_);
  const auto found = pages_.find(&signal);
  if (found == pages_.end() || found->second.descriptor < 0 || !handle)
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT,
                  "The signal was not created with HSA_AMD_SIGNAL_IPC by this process.");
  size_t bytes = 0;
  const int copy = ::dup(found->second.descriptor);
  Result<SharedFile> file = SharedFile::adopt(copy, bytes);
  if (!file.ok()) return to_hsa(file.status());
  const SignalName name{kMagic, ::getpid(), found->second.descriptor, file->inode(), 0};
  std::memcpy(handle, &name, sizeof name);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t SharedSignals::attach(const hsa_amd_ipc_signal_t& handle, aql::Signal** out) {
  SignalName name;
  std::memcpy(&name, &handle, sizeof name);
  if (name.magic != kMagic) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  size_t bytes = 0;
  Result<SharedFile> file = SharedFile::open(name.process, name.descriptor, name.inode, bytes);
  if (!file.ok()) return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{}", file.status().message());
  Page page;
  Result<Ref<backend::PhysicalMemory>> memory = virtual_.import(file->descriptor());
  if (!memory.ok()) return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{}", memory.status().message());
  page.memory = std::move(*memory);
  Result<aql::Signal*> signal = map(std::move(page));
  if (!signal.ok()) return to_hsa(signal.status());
  *out = *signal;
  return HSA_STATUS_SUCCESS;
}

bool SharedSignals::destroy(aql::Signal& signal) noexcept {
  Page page;
  {
    std::lock_guard guard(mutex_);
    const auto found = pages_.find(&signal);
    if (found == pages_.end()) return false;
    page = std::move(found->second);
    pages_.erase(found);
  }
  signals_.forget(signal);
  unmap(&signal, page);
  return true;
}

} // namespace hip::hsa
