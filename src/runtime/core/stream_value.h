// runtime/core/stream_value.h - writes of words, and waits for words, in the order of a stream (hipStreamWriteValue,
// hipStreamWaitValue, hipStreamBatchMemOp).
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/core/stream.h"

#include <span>
#include <variant>

namespace hip::core {

struct ValueWrite {
  void* address = nullptr;
  uint64_t value = 0;
  uint32_t bytes = 8; // 4 or 8
};
using ValueOperation = std::variant<ValueWrite, backend::ValueWait>;

// Errors: InvalidValue for a null or unaligned address, for memory that HIP does not know, and for mapped memory whose
// access (hipMemSetAccess) does not allow it; NotSupported where the device cannot.
Status check_values(const Device& device, std::span<const ValueOperation> operations);
// As the queue's next work, without checks.
Status submit_values(backend::Queue& queue, std::span<const ValueOperation> operations);
// All or none: the operations are checked before the first is submitted, and no other thread's work comes between. A
// stream that is captured records them. Errors: as check_values.
Status submit_values(Stream& stream, std::span<const ValueOperation> operations);

} // namespace hip::core
