// Memory operations in stream order.
#include "runtime/core/stream_value.h"

#include "runtime/api/graph_params.h"

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

Result<std::vector<ValueOperation>> value_operations(const hipStreamBatchMemOpParams* batch, unsigned count,
                                                     unsigned flags) {
  if (count == 0 || count > kMostOperations || flags != 0)
    return error(ErrorCode::InvalidValue,
                 "A batch has {} operations and the flags {:#x}; it takes 1 to {} and no flags.", count, flags,
                 kMostOperations);
  if (!batch) return error(ErrorCode::InvalidValue, "The list of {} operations is null.", count);
  std::vector<ValueOperation> operations;
  for (unsigned i = 0; i < count; ++i) {
    const hipStreamBatchMemOpParams& p = batch[i];
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
  return operations;
}

// A node's parameters with the list that they point at.
struct GivenBatch {
  hipBatchMemOpNodeParams params{};
  std::vector<hipStreamBatchMemOpParams> list;
  void set_list(std::vector<hipStreamBatchMemOpParams> operations) {
    list = std::move(operations);
    params.count = static_cast<unsigned>(list.size());
    params.paramArray = list.data();
  }
};

// What was captured, as a batch; a wait's mask has no place there.
std::vector<hipStreamBatchMemOpParams> as_list(const std::vector<ValueOperation>& operations) {
  std::vector<hipStreamBatchMemOpParams> list;
  for (const ValueOperation& operation : operations) {
    hipStreamBatchMemOpParams& p = list.emplace_back();
    p = {};
    if (const auto* const write = std::get_if<ValueWrite>(&operation)) {
      p.writeValue.operation = write->bytes == 4 ? hipStreamMemOpWriteValue32 : hipStreamMemOpWriteValue64;
      p.writeValue.address = write->address;
      p.writeValue.value64 = write->value;
    } else {
      const ValueWait& wait = std::get<ValueWait>(operation);
      p.waitValue.operation = wait.bytes == 4 ? hipStreamMemOpWaitValue32 : hipStreamMemOpWaitValue64;
      p.waitValue.address = const_cast<void*>(wait.address);
      p.waitValue.value64 = wait.value;
      p.waitValue.flags = static_cast<unsigned>(wait.condition);
    }
  }
  return list;
}

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
  RT_TRY_ASSIGN(const std::vector<ValueOperation> operations, value_operations(paramArray, count, flags));
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  return core::submit_values(*pin, operations);
}

// ---- nodes of graphs -----------------------------------------------------------------------------------------------

Result<core::Operation> batch_operation(const hipBatchMemOpNodeParams& params) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (params.ctx) {
    RT_TRY_ASSIGN(device, device_of(params.ctx));
  }
  RT_TRY_ASSIGN(std::vector<ValueOperation> operations,
                value_operations(params.paramArray, params.count, params.flags));
  RT_TRY(core::check_values(*device, operations));
  auto given = std::make_shared<GivenBatch>();
  given->params = params;
  given->set_list({params.paramArray, params.paramArray + params.count});
  return core::Operation(core::BatchOperation{std::move(operations), std::move(given)});
}

hipBatchMemOpNodeParams batch_params(core::BatchOperation& batch) {
  if (!batch.given) {
    auto made = std::make_shared<GivenBatch>();
    made->set_list(as_list(batch.operations));
    batch.given = std::move(made);
  }
  return static_cast<GivenBatch*>(batch.given.get())->params;
}

} // namespace hip::api
