// runtime/backend/aql/soft/job.h - a packet's work that several threads may share: the work-groups of a grid, or the
// pieces of a large copy.
#pragma once

#include "runtime/backend/aql/packets.h"
#include "runtime/base/status.h"
#include "runtime/engine/engine.h"

#include <cstdint>
#include <memory>

namespace hip::aql::soft {

class SoftQueue;

// What a thread needs to execute work, made when first needed. Used by one thread at a time.
struct Executor {
  std::unique_ptr<engine::Worker> worker;
};

class Job {
public:
  virtual ~Job() = default;
  // Takes pieces and does them until none is left to take. Any number of threads at once.
  virtual void run(Executor& executor) noexcept = 0;
  // No piece is left to take.
  virtual bool exhausted() const noexcept = 0;
  virtual uint64_t pieces() const noexcept = 0;
  // After every run() has returned.
  virtual Status status() const = 0;

private:
  friend class SoftQueue;
  friend class Scheduler;
  // Of the packet:
  SoftQueue* queue_ = nullptr;
  uint64_t packet_ = 0;
  uint64_t kernel_object_ = 0; // 0: no kernel
  uint64_t completion_ = 0;    // signal handle
  uint64_t start_ns_ = 0;
  // Of the scheduler's list, under its lock:
  Job* previous_ = nullptr;
  Job* next_ = nullptr;
  uint32_t runners_ = 0;
  uint32_t helpers_ = 0; // threads that took part
  bool listed_ = false;
};

} // namespace hip::aql::soft
