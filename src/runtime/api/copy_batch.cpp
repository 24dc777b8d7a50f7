// Copies of several ranges or boxes in one call, and boxes between devices.
#include "runtime/api/copy_forms.h"
#include "runtime/core/array.h"

namespace hip::api {
namespace {

constexpr size_t kNoIndex = SIZE_MAX; // no single copy is at fault

Status check_order(hipMemcpySrcAccessOrder order, unsigned flags, size_t index) {
  if (order < hipMemcpySrcAccessOrderStream || order > hipMemcpySrcAccessOrderAny)
    return error(ErrorCode::InvalidValue, "The attributes of copy {} have the order {}, which is none.", index,
                 static_cast<int>(order));
  if (flags != hipMemcpyFlagDefault && flags != hipMemcpyFlagPreferOverlapWithCompute)
    return error(ErrorCode::InvalidValue, "The attributes of copy {} have the flags {:#x}, which are not known.", index,
                 flags);
  return {};
}

// The boxes of a batch are those of hipMemcpy3D: an array's in elements, two of memory in bytes.
hipPitchedPtr to_pitched(const hipMemcpy3DOperand& operand, const hipExtent& extent, size_t element_bytes) {
  const size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width;
  const size_t rows = operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
  return hipPitchedPtr{operand.op.ptr.ptr, row * element_bytes, row * element_bytes, rows};
}

Result<hipMemcpy3DParms> to_params(const hipMemcpy3DBatchOp& op, size_t index) {
  RT_TRY(check_order(op.srcAccessOrder, op.flags, index));
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
    p.srcPtr = to_pitched(op.src, op.extent, element_bytes);
  }
  if (op.dst.type == hipMemcpyOperandTypeArray) {
    p.dstArray = op.dst.op.array.array;
    p.dstPos = {op.dst.op.array.offset.x, op.dst.op.array.offset.y, op.dst.op.array.offset.z};
  } else {
    p.dstPtr = to_pitched(op.dst, op.extent, element_bytes);
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
  if (failIdx) *failIdx = kNoIndex;
  if (count == 0) return error(ErrorCode::InvalidValue, "A batch has no copies.");
  if (numAttrs != 0 && (numAttrs > count || !attrs || !attrsIdxs || attrsIdxs[0] != 0))
    return error(
        ErrorCode::InvalidValue,
        "A batch of {} copies has {} attributes; it takes one for each copy at most, the first from copy 0 on.", count,
        numAttrs);
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  bool read_during_call = false;
  for (size_t a = 0; a < numAttrs; ++a) {
    if (a > 0 && (attrsIdxs[a] <= attrsIdxs[a - 1] || attrsIdxs[a] >= count))
      return error(ErrorCode::InvalidValue, "Attributes {} begin at copy {}; they begin behind those before them.", a,
                   attrsIdxs[a]);
    if (Status status = check_order(attrs[a].srcAccessOrder, attrs[a].flags, attrsIdxs[a]); !status.ok()) {
      if (failIdx) *failIdx = attrsIdxs[a];
      return status;
    }
    read_during_call |= attrs[a].srcAccessOrder == hipMemcpySrcAccessOrderDuringApiCall;
  }
  for (size_t i = 0; i < count; ++i) {
    Status status = sizes[i] == 0 ? error(ErrorCode::InvalidValue, "Copy {} of {} has 0 bytes.", i, count)
                                  : copy_linear(stream, CopyWait::Async, dsts[i], srcs[i], sizes[i], hipMemcpyDefault);
    if (status.ok()) continue;
    if (failIdx) *failIdx = i;
    return status;
  }
  // Sources that must be read before the call returns: what was given so far is waited for.
  return read_during_call && !pin->captures() ? pin->synchronize() : Status();
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
