// Memory operations in stream order.
#include "runtime/core/stream_value.h"

#include "runtime/api/api.h"

#include <vector>

namespace hip::api {
namespace {

using backend::ValueCondition;
using backend::ValueWait;
using core::ValueOperation;
using core::ValueWrite;

Result<ValueCondition> to_condition(unsigned flags) {
  if (flags > hipStreamWaitValueNor)
    return error(ErrorCode::InvalidValue,
                 "The flags of a wait for a value are {:#x}; they are one of the four conditions.", flags);
  return static_cast<ValueCondition>(flags); // the same numbers
}

Status submit(hipStream_t stream, const ValueOperation& operation) {
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  return core::submit_values(*pin, std::span(&operation, 1));
}

Status wait(hipStream_t stream, void* ptr, uint64_t value, unsigned flags, uint64_t mask, uint32_t bytes) {
  RT_TRY_ASSIGN(const ValueCondition condition, to_condition(flags));
  return submit(stream, ValueWait{ptr, value, mask, condition, bytes});
}

// HIP's documentation reserves the flags; programs written for CUDA give its default, 0.
Status write(hipStream_t stream, void* ptr, uint64_t value, unsigned flags, uint32_t bytes) {
  if (flags != 0)
    return error(ErrorCode::InvalidValue, "The flags of a written value are {:#x}; they must be 0.", flags);
  return submit(stream, ValueWrite{ptr, value, bytes});
}

constexpr unsigned kMostOperations = 256; // as CUDA's

} // namespace

Status hipStreamWaitValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags, uint32_t mask) {
  return wait(stream, ptr, value, flags, mask, 4);
}

Status hipStreamWaitValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags, uint64_t mask) {
  return wait(stream, ptr, value, flags, mask, 8);
}

Status hipStreamWriteValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags) {
  return write(stream, ptr, value, flags, 4);
}

Status hipStreamWriteValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags) {
  return write(stream, ptr, value, flags, 8);
}

Status hipStreamBatchMemOp(hipStream_t stream, unsigned int count, hipStreamBatchMemOpParams* paramArray,
                           unsigned int flags) {
  if (count == 0 || count > kMostOperations || flags != 0)
    return error(ErrorCode::InvalidValue,
                 "A batch has {} operations and the flags {:#x}; it takes 1 to {} and no flags.", count, flags,
                 kMostOperations);
  std::vector<ValueOperation> operations;
  for (unsigned i = 0; i < count; ++i) {
    const hipStreamBatchMemOpParams& p = paramArray[i];
    const bool is_wait = p.operation == hipStreamMemOpWaitValue32 || p.operation == hipStreamMemOpWaitValue64;
    const uint32_t bytes =
        p.operation == hipStreamMemOpWaitValue32 || p.operation == hipStreamMemOpWriteValue32 ? 4 : 8;
    if (is_wait) {
      RT_TRY_ASSIGN(const ValueCondition condition, to_condition(p.waitValue.flags));
      operations.push_back(ValueWait{p.waitValue.address, bytes == 4 ? p.waitValue.value : p.waitValue.value64,
                                     ~uint64_t{0}, condition, bytes});
    } else if (p.operation == hipStreamMemOpWriteValue32 || p.operation == hipStreamMemOpWriteValue64) {
      if (p.writeValue.flags != 0)
        return error(ErrorCode::InvalidValue, "Operation {} of {} has the flags {:#x}; a write has none.", i, count,
                     p.writeValue.flags);
      operations.push_back(
          ValueWrite{p.writeValue.address, bytes == 4 ? p.writeValue.value : p.writeValue.value64, bytes});
    } else if (p.operation != hipStreamMemOpBarrier && p.operation != hipStreamMemOpFlushRemoteWrites) {
      // Barriers and flushes need nothing more than the order of the stream.
      return error(ErrorCode::InvalidValue, "Operation {} of {} is {}, which is none.", i, count,
                   static_cast<int>(p.operation));
    }
  }
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  return core::submit_values(*pin, operations);
}

} // namespace hip::api
