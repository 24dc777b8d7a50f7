// runtime/core/shared_event.h - an event of several processes (hipEventInterprocess): a page of shared memory in which
// each record has a number, and the device writes the number to the record's word when it gets there. Waiting is
// waiting for that word. Thread safety: any thread, any process. Memory ordering: who sees a record done sees what was
// done before it.
#pragma once

#include "runtime/base/shared_file.h"
#include "runtime/core/device.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace hip::core {

using SharedEventHandle = std::array<std::byte, 64>;

class SharedEvent {
public:
  // Error: NotSupported on a device without values in stream order.
  static Result<std::unique_ptr<SharedEvent>> create(Device& device);
  // Errors: InvalidValue for no handle, or one whose process has gone; InvalidContext for an event of this process.
  static Result<std::unique_ptr<SharedEvent>> open(Device& device, const SharedEventHandle& handle);
  // Waits for nothing: what was given to streams keeps the page for itself.
  ~SharedEvent();

  // Good while the event lives in the process that made it.
  SharedEventHandle handle() const;
  // Behind what the stream, or the queue, was given so far. Blocks while the record kRecords before this one is not
  // reached: without the stream's lock in the first form. A process that ends in between, or loses its device, leaves
  // its records unreached.
  Status record(Stream& stream);
  Status record(backend::Queue& queue);
  // Later work of the queue waits for the newest record of any process; for nothing when there is none.
  Status hold(backend::Queue& queue);
  // NotReady without a message while the newest record is not reached. Errors of both, and of record(): what has ended
  // the event's device, where a record is not reached that was asked for.
  Status query() const;
  Status synchronize() const;

  // So many records may be on their way to devices at once.
  static constexpr size_t kRecords = SharedPage::kBytes / sizeof(uint64_t) - 1;

private:
  struct Words;
  // The page, and the work of this process that uses it.
  class Mapping {
  public:
    Mapping(Device& device, SharedPage page) noexcept : device_(device), page_(std::move(page)) {}
    ~Mapping();
    Status register_page();
    Words& words() const noexcept { return *static_cast<Words*>(page_.memory()); }
    const SharedFile& file() const noexcept { return page_.file(); }
    // What the queue was given so far uses the page.
    Status keep_for(backend::Queue& queue);
    bool in_use();
    // What has ended the device.
    Status fault();

  private:
    Device& device_;
    const SharedPage page_;
    bool registered_ = false; // with the device, as host memory
    Mutex mutex_;
    std::vector<Ref<backend::Completion>> uses_;
  };
  explicit SharedEvent(std::unique_ptr<Mapping> mapping) noexcept : mapping_(std::move(mapping)) {}
  static Result<std::unique_ptr<SharedEvent>> make(Device& device, SharedFile file);
  // Keeps mappings whose events have gone until their work is done; null: looks which are.
  static void retire(std::unique_ptr<Mapping> mapping);
  Words& words() const noexcept { return mapping_->words(); }
  // The number of a new record; 0 while its word is not free.
  uint64_t take_record();
  Status wait_for_room() const;
  // On the host.
  Status wait(const backend::ValueWait& record) const;
  Status write(backend::Queue& queue, uint64_t number);
  backend::ValueWait wait_for(uint64_t record) const noexcept;
  backend::ValueWait newest() const noexcept;

  std::unique_ptr<Mapping> mapping_;
};

} // namespace hip::core
