// Copies of several ranges or boxes in one call, and boxes between devices.
#include "runtime/api/copy_forms.h"
#include "runtime/core/array.h"

#include <algorithm>

namespace hip::api {
namespace {

constexpr size_t kNoIndex = SIZE_MAX; // no single copy is at fault

constexpr unsigned kHints = hipMemcpyFlagPreferOverlapWithCompute | hipMemcpyFlagExtPreferCE;
constexpr unsigned kIndirect = hipMemcpyFlagExtOpIndirectSrc | hipMemcpyFlagExtOpIndirectDst;
constexpr unsigned kOperations = hipMemcpyFlagExtOpSwap | kIndirect;

Status check_order(hipMemcpySrcAccessOrder order, unsigned flags, unsigned known, size_t index) {
  if (order < hipMemcpySrcAccessOrderStream || order > hipMemcpySrcAccessOrderAny)
    return error(ErrorCode::InvalidValue, "The attributes of copy {} have the order {}, which is none.", index,
                 static_cast<int>(order));
  if ((flags & ~known) != 0)
    return error(ErrorCode::InvalidValue, "The attributes of copy {} have the flags {:#x}, which are not known.", index,
                 flags);
  return {};
}

// What a copy of a batch does, from its flags: whether it is a swap.
Result<bool> is_swap(unsigned flags, size_t index) {
  if ((flags & hipMemcpyFlagExtOpSwap) != 0 && (flags & kIndirect) != 0)
    return error(ErrorCode::InvalidValue, "Copy {} is both a swap and indirect.", index);
  if ((flags & kIndirect) != 0)
    return error(ErrorCode::NotSupported,
                 "Copy {} is indirect, which no device here does: give the addresses themselves.", index);
  return (flags & hipMemcpyFlagExtOpSwap) != 0;
}

// Memory of the device's pool, for what a stream does as long as this is there.
class StreamBuffer {
public:
  explicit StreamBuffer(hipStream_t stream) noexcept : stream_(stream) {}
  StreamBuffer(const StreamBuffer&) = delete;
  StreamBuffer& operator=(const StreamBuffer&) = delete;
  ~StreamBuffer() {
    if (!memory_ || try_to([this] { return api::hipFreeAsync(memory_, stream_); })) return;
    // That takes memory of the host, too. Where there is none, the stream is waited for instead.
    if (try_to([this]() -> Status {
          RT_TRY_ASSIGN(const auto pin, core::find_stream(stream_));
          return pin->synchronize();
        }))
      static_cast<void>(try_to([this] { return api::hipFree(memory_); }));
  }
  Status allocate(size_t bytes) { return api::hipMallocAsync(&memory_, bytes, stream_); }
  void* memory() const noexcept { return memory_; }

private:
  template<class F> static bool try_to(F&& f) noexcept {
    try {
      return f().ok();
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  const hipStream_t stream_;
  void* memory_ = nullptr;
};

// Exchanges the first `swapped` bytes of two ranges in stream order, and copies the rest of `bytes` from `a` to `b`.
// What is exchanged goes through memory from the device's pool, in parts.
Status swap_linear(hipStream_t stream, void* a, void* b, size_t bytes, size_t swapped) {
  constexpr size_t kLargestPart = size_t{64} << 20;
  const auto a_begin = reinterpret_cast<uintptr_t>(a), b_begin = reinterpret_cast<uintptr_t>(b);
  if (std::max(a_begin, b_begin) - std::min(a_begin, b_begin) < bytes)
    return error(ErrorCode::InvalidValue, "The two ranges of a swap, {} bytes at {} and {}, overlap.", bytes, a, b);
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  std::vector<core::PreparedTransfer> unused;
  for (const auto& [to, from, count] : {std::tuple(a, b, swapped), std::tuple(b, a, bytes)}) // before anything changes
    RT_TRY(core::copy({&*pin, CopyWait::Async, &unused}, to, from, count, core::CopyKind::Default));

  const size_t part_bytes = std::min(swapped, kLargestPart);
  StreamBuffer buffer(stream);
  RT_TRY(buffer.allocate(part_bytes));
  void* const part = buffer.memory();
  const auto copy = [stream](void* to, const void* from, size_t count) {
    return copy_linear(stream, CopyWait::Async, to, from, count, hipMemcpyDefault);
  };
  for (size_t done = 0; done < swapped; done += part_bytes) {
    const size_t count = std::min(part_bytes, swapped - done);
    char* const a_part = static_cast<char*>(a) + done;
    char* const b_part = static_cast<char*>(b) + done;
    RT_TRY(copy(part, a_part, count));
    RT_TRY(copy(a_part, b_part, count));
    RT_TRY(copy(b_part, part, count));
  }
  if (swapped == bytes) return {};
  return copy(static_cast<char*>(b) + swapped, static_cast<char*>(a) + swapped, bytes - swapped);
}

struct Batch {
  void** dsts;
  void** srcs;
  size_t* sizes;
  size_t* swap_sizes;        // null: swaps exchange all
  const hipExtMemcpyOp* ops; // null: the attributes' flags say it
  size_t count;
  const hipMemcpyAttributes* attributes;
  const size_t* begins; // of the copies that each of the attributes is for
  size_t attribute_count;

  unsigned flags(size_t copy) const noexcept {
    if (ops)
      return static_cast<unsigned>(ops[copy]) << 9; // Swap, IndirectSrc and IndirectDst follow each other in both
    if (attribute_count == 0) return 0;
    return attributes[std::upper_bound(begins, begins + attribute_count, copy) - begins - 1].flags;
  }
};
static_assert(hipExtMemcpyOpSwap << 9 == hipMemcpyFlagExtOpSwap &&
              hipExtMemcpyOpIndirectSrc << 9 == hipMemcpyFlagExtOpIndirectSrc &&
              hipExtMemcpyOpIndirectDst << 9 == hipMemcpyFlagExtOpIndirectDst);

Status check_attributes(const Batch& batch, size_t* fail_index) {
  if (batch.count == 0) return error(ErrorCode::InvalidValue, "A batch has no copies.");
  if (batch.attribute_count != 0 &&
      (batch.attribute_count > batch.count || !batch.attributes || !batch.begins || batch.begins[0] != 0))
    return error(
        ErrorCode::InvalidValue,
        "A batch of {} copies has {} attributes; it takes one for each copy at most, the first from copy 0 on.",
        batch.count, batch.attribute_count);
  for (size_t a = 0; a < batch.attribute_count; ++a) {
    if (a > 0 && (batch.begins[a] <= batch.begins[a - 1] || batch.begins[a] >= batch.count))
      return error(ErrorCode::InvalidValue, "Attributes {} begin at copy {}; they begin behind those before them.", a,
                   batch.begins[a]);
    const hipMemcpyAttributes& attributes = batch.attributes[a];
    Status status = check_order(attributes.srcAccessOrder, attributes.flags, kHints | kOperations, batch.begins[a]);
    if (status.ok()) continue;
    *fail_index = batch.begins[a];
    return status;
  }
  return {};
}

Status submit(const Batch& batch, size_t index, hipStream_t stream) {
  if (batch.ops && (static_cast<unsigned>(batch.ops[index]) & ~unsigned{kOperations >> 9}) != 0)
    return error(ErrorCode::InvalidValue, "Copy {} has the operation {:#x}, which is none.", index,
                 static_cast<unsigned>(batch.ops[index]));
  const size_t bytes = batch.sizes[index];
  if (bytes == 0) return error(ErrorCode::InvalidValue, "Copy {} of {} has 0 bytes.", index, batch.count);
  RT_TRY_ASSIGN(const bool swap, is_swap(batch.flags(index), index));
  if (!swap) return copy_linear(stream, CopyWait::Async, batch.dsts[index], batch.srcs[index], bytes, hipMemcpyDefault);
  const size_t swapped = batch.swap_sizes ? batch.swap_sizes[index] : bytes;
  if (swapped == 0 || swapped > bytes)
    return error(ErrorCode::InvalidValue, "Swap {} exchanges {} bytes; with {} bytes to copy it takes 1 to {}.", index,
                 swapped, bytes, bytes);
  return swap_linear(stream, batch.dsts[index], batch.srcs[index], bytes, swapped);
}

Status copy_batch(const Batch& batch, size_t* fail_index, hipStream_t stream) {
  size_t unused;
  size_t& failed = fail_index ? *fail_index : unused;
  failed = kNoIndex;
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  RT_TRY(check_attributes(batch, &failed));
  for (size_t i = 0; i < batch.count; ++i) {
    Status status = submit(batch, i, stream);
    if (status.ok()) continue;
    failed = i;
    return status;
  }
  // Sources that must be read before the call returns: what was given so far is waited for.
  const auto during_call = [](const hipMemcpyAttributes& attributes) {
    return attributes.srcAccessOrder == hipMemcpySrcAccessOrderDuringApiCall;
  };
  if (pin->captures() || std::none_of(batch.attributes, batch.attributes + batch.attribute_count, during_call))
    return {};
  return pin->synchronize();
}

// The boxes of a batch are those of hipMemcpy3D: an array's in elements, two of memory in bytes.
Result<hipPitchedPtr> to_pitched(const hipMemcpy3DOperand& operand, const hipExtent& extent, size_t element_bytes) {
  const size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width;
  const size_t rows = operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
  size_t row_bytes;
  if (__builtin_mul_overflow(row, element_bytes, &row_bytes))
    return error(ErrorCode::InvalidValue, "Rows of {} elements of {} bytes are larger than the address space.", row,
                 element_bytes);
  return hipPitchedPtr{operand.op.ptr.ptr, row_bytes, row_bytes, rows};
}

Result<hipMemcpy3DParms> to_params(const hipMemcpy3DBatchOp& op, size_t index) {
  RT_TRY(check_order(op.srcAccessOrder, op.flags, kHints, index));
  hipMemcpy3DParms p{};
  p.extent = op.extent;
  p.kind = hipMemcpyDefault;
  size_t element_bytes = 1;
  for (const hipMemcpy3DOperand* operand : {&op.src, &op.dst}) {
    if (operand->type != hipMemcpyOperandTypePointer && operand->type != hipMemcpyOperandTypeArray)
      return error(ErrorCode::InvalidValue, "An operand of copy {} has type {}, which is none.", index,
                   static_cast<int>(operand->type));
    if (operand->type == hipMemcpyOperandTypeArray) {
      RT_TRY_ASSIGN(const auto array, core::find_array(operand->op.array.array));
      element_bytes = array->shape().format.bytes();
    }
  }
  if (op.src.type == hipMemcpyOperandTypeArray) {
    p.srcArray = op.src.op.array.array;
    p.srcPos = {op.src.op.array.offset.x, op.src.op.array.offset.y, op.src.op.array.offset.z};
  } else {
    RT_TRY_ASSIGN(p.srcPtr, to_pitched(op.src, op.extent, element_bytes));
  }
  if (op.dst.type == hipMemcpyOperandTypeArray) {
    p.dstArray = op.dst.op.array.array;
    p.dstPos = {op.dst.op.array.offset.x, op.dst.op.array.offset.y, op.dst.op.array.offset.z};
  } else {
    RT_TRY_ASSIGN(p.dstPtr, to_pitched(op.dst, op.extent, element_bytes));
  }
  return p;
}

Status copy_peer(hipStream_t stream, CopyWait wait, const hipMemcpy3DPeerParms& p) {
  RT_TRY(core::find_device(p.srcDevice).status());
  RT_TRY(core::find_device(p.dstDevice).status());
  hipMemcpy3DParms params{};
  params.srcArray = p.srcArray;
  params.srcPos = p.srcPos;
  params.srcPtr = p.srcPtr;
  params.dstArray = p.dstArray;
  params.dstPos = p.dstPos;
  params.dstPtr = p.dstPtr;
  params.extent = p.extent;
  params.kind = hipMemcpyDefault;
  return copy_3d(stream, wait, params);
}

} // namespace

Status hipMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count, hipMemcpyAttributes* attrs,
                           size_t* attrsIdxs, size_t numAttrs, size_t* failIdx, hipStream_t stream) {
  return copy_batch({dsts, srcs, sizes, nullptr, nullptr, count, attrs, attrsIdxs, numAttrs}, failIdx, stream);
}

Status hipExtMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizesA, size_t* sizesB, hipExtMemcpyWait* waits,
                              hipExtMemcpySignal* signals, hipExtMemcpyOp* ops, size_t count,
                              hipMemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs, size_t* failIdx,
                              hipStream_t stream) {
  if (waits || signals) {
    if (failIdx) *failIdx = kNoIndex;
    RT_TRY(core::find_stream(stream).status());
    return error(ErrorCode::NotSupported,
                 "{} of copies are reserved, and null for now; hipStreamWaitValue64 and "
                 "hipStreamWriteValue64 do the like around a batch.",
                 waits ? "Waits" : "Signals");
  }
  return copy_batch({dsts, srcs, sizesA, sizesB, ops, count, attrs, attrsIdxs, numAttrs}, failIdx, stream);
}

Status hipMemcpy3DBatchAsync(size_t numOps, hipMemcpy3DBatchOp* opList, size_t* failIdx, unsigned long long flags,
                             hipStream_t stream) {
  if (failIdx) *failIdx = kNoIndex;
  if (numOps == 0 || flags != 0)
    return error(ErrorCode::InvalidValue, "A batch has {} copies and the flags {:#x}; it takes some and none.", numOps,
                 flags);
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  bool read_during_call = false;
  for (size_t i = 0; i < numOps; ++i) {
    auto params = to_params(opList[i], i);
    Status status = params.status();
    if (status.ok()) status = copy_3d(stream, CopyWait::Async, *params);
    if (!status.ok()) {
      if (failIdx) *failIdx = i;
      return status;
    }
    read_during_call |= opList[i].srcAccessOrder == hipMemcpySrcAccessOrderDuringApiCall;
  }
  return read_during_call && !pin->captures() ? pin->synchronize() : Status();
}

Status hipMemcpy3DPeer(hipMemcpy3DPeerParms* p) { return copy_peer(nullptr, CopyWait::Blocking, *p); }

Status hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms* p, hipStream_t stream) {
  return copy_peer(stream, CopyWait::Async, *p);
}

} // namespace hip::api
