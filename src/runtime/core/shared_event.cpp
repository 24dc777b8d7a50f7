#include "runtime/core/shared_event.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace hip::core {

struct SharedEvent::Words {
  std::atomic<uint64_t> records; // made so far
  uint64_t reached[kRecords];    // the number of the last record with this word that a device reached
};

namespace {

struct HandleData {
  uint64_t magic;
  int32_t process, descriptor;
  uint64_t inode;
};
static_assert(sizeof(HandleData) <= sizeof(SharedEventHandle));
constexpr uint64_t kMagic = 0x746e65767069686f; // "ohipvent" in memory

} // namespace

// ---- the page ------------------------------------------------------------------------------------------------------

Status SharedEvent::Mapping::register_page() {
  if (device_.properties().memory_is_host_memory) return {};
  RT_TRY(device_.hal().register_host(page_.memory(), SharedPage::kBytes));
  registered_ = true;
  return {};
}

SharedEvent::Mapping::~Mapping() {
  if (registered_) static_cast<void>(device_.hal().unregister_host(page_.memory()));
}

Status SharedEvent::Mapping::keep_for(backend::Queue& queue) {
  RT_TRY_ASSIGN(Ref<backend::Completion> point, queue.record({.timed = false}));
  std::lock_guard lock(mutex_);
  std::erase_if(uses_, [](const auto& use) { return use->done(); });
  uses_.push_back(std::move(point));
  return {};
}

bool SharedEvent::Mapping::in_use() {
  std::lock_guard lock(mutex_);
  return std::any_of(uses_.begin(), uses_.end(), [](const auto& use) { return !use->done(); });
}

Status SharedEvent::Mapping::fault() {
  static_cast<void>(in_use()); // some drivers tell of a fault only when they are asked for work
  return device_.hal().fault();
}

void SharedEvent::retire(std::unique_ptr<Mapping> mapping) {
  struct Retired {
    Mutex mutex;
    std::vector<std::unique_ptr<Mapping>> mappings;
  };
  static Retired* const retired = new Retired; // never destroyed: work may outlive static objects
  std::vector<std::unique_ptr<Mapping>> candidates;
  {
    std::lock_guard lock(retired->mutex);
    std::swap(candidates, retired->mappings);
  }
  if (mapping) candidates.push_back(std::move(mapping));
  std::erase_if(candidates, [](const auto& old) { return !old->in_use(); });
  std::lock_guard lock(retired->mutex);
  for (auto& kept : candidates) retired->mappings.push_back(std::move(kept));
}

// ---- making --------------------------------------------------------------------------------------------------------

Result<std::unique_ptr<SharedEvent>> SharedEvent::make(Device& device, SharedFile file) {
  static_assert(sizeof(Words) == SharedPage::kBytes);
  if (!device.properties().stream_values)
    return error(ErrorCode::NotSupported, "Device {} cannot have events of several processes.", device.ordinal());
  retire(nullptr);
  RT_TRY_ASSIGN(SharedPage page, SharedPage::map(std::move(file)));
  auto mapping = std::make_unique<Mapping>(device, std::move(page));
  RT_TRY(mapping->register_page());
  return std::unique_ptr<SharedEvent>(new SharedEvent(std::move(mapping)));
}

Result<std::unique_ptr<SharedEvent>> SharedEvent::create(Device& device) {
  RT_TRY_ASSIGN(SharedFile file, SharedFile::create(SharedPage::kBytes)); // zeros: no record
  return make(device, std::move(file));
}

Result<std::unique_ptr<SharedEvent>> SharedEvent::open(Device& device, const SharedEventHandle& handle) {
  HandleData data;
  std::memcpy(&data, handle.data(), sizeof data);
  if (data.magic != kMagic) return error(ErrorCode::InvalidValue, "The handle is none of an event.");
  if (data.process == ::getpid())
    return error(ErrorCode::InvalidContext, "The handle is of this process's own event; other processes open it.");
  size_t bytes = 0;
  RT_TRY_ASSIGN(SharedFile file, SharedFile::open(data.process, data.descriptor, data.inode, bytes));
  if (bytes != SharedPage::kBytes) return error(ErrorCode::InvalidValue, "The handle is none of an event.");
  return make(device, std::move(file));
}

SharedEvent::~SharedEvent() {
  if (mapping_->in_use()) retire(std::move(mapping_));
}

SharedEventHandle SharedEvent::handle() const {
  const HandleData data{kMagic, ::getpid(), mapping_->file().descriptor(), mapping_->file().inode()};
  SharedEventHandle handle{};
  std::memcpy(handle.data(), &data, sizeof data);
  return handle;
}

// ---- records and waits ---------------------------------------------------------------------------------------------

backend::ValueWait SharedEvent::wait_for(uint64_t record) const noexcept {
  return {.address = &words().reached[record % kRecords],
          .value = record,
          .condition = backend::ValueCondition::GreaterOrEqual,
          .bytes = sizeof(uint64_t)};
}

backend::ValueWait SharedEvent::newest() const noexcept {
  return wait_for(words().records.load(std::memory_order_acquire));
}

// The word must be free: whoever reached it before the earlier record that has the same word would be overwritten by
// that, and its waiters would never see it.
uint64_t SharedEvent::take_record() {
  uint64_t last = words().records.load(std::memory_order_acquire);
  do {
    if (last >= kRecords && !wait_for(last + 1 - kRecords).holds()) return 0;
  } while (!words().records.compare_exchange_weak(last, last + 1, std::memory_order_acq_rel));
  return last + 1;
}

// A device that is lost writes no words, so that only its fault ends the wait.
Status SharedEvent::wait(const backend::ValueWait& record) const {
  Status fault;
  const bool reached = record.wait_on_host([&] {
    fault = mapping_->fault();
    return !fault.ok();
  });
  return reached ? Status() : fault;
}

Status SharedEvent::wait_for_room() const {
  const uint64_t last = words().records.load(std::memory_order_acquire);
  return last >= kRecords ? wait(wait_for(last + 1 - kRecords)) : Status();
}

Status SharedEvent::write(backend::Queue& queue, uint64_t number) {
  uint64_t* const word = &words().reached[number % kRecords];
  Status status = queue.write_value(word, number, sizeof *word);
  if (status.ok()) status = mapping_->keep_for(queue);
  // Nobody waits for a record that never comes.
  if (!status.ok()) __atomic_store_n(word, number, __ATOMIC_RELEASE);
  return status;
}

Status SharedEvent::record(backend::Queue& queue) {
  uint64_t number;
  while ((number = take_record()) == 0) RT_TRY(wait_for_room());
  return write(queue, number);
}

Status SharedEvent::record(Stream& stream) {
  for (;;) {
    bool full = false;
    RT_TRY(stream.record_by([&](backend::Queue& queue) -> Status {
      const uint64_t number = take_record();
      full = number == 0;
      return full ? Status() : write(queue, number);
    }));
    if (!full) return {};
    RT_TRY(wait_for_room());
  }
}

Status SharedEvent::hold(backend::Queue& queue) {
  const backend::ValueWait wait = newest();
  if (wait.holds()) return {};
  RT_TRY(queue.wait_value(wait));
  return mapping_->keep_for(queue);
}

Status SharedEvent::query() const {
  if (newest().holds()) return {};
  RT_TRY(mapping_->fault());
  return Status(ErrorCode::NotReady, {});
}

Status SharedEvent::synchronize() const { return wait(newest()); }

} // namespace hip::core
