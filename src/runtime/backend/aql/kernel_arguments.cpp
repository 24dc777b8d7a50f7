#include "runtime/backend/aql/kernel_arguments.h"

#include <algorithm>
#include <cstring>

namespace hip::aql {

using codeobject::ArgKind;

ArgumentLayout::ArgumentLayout(const codeobject::KernelInfo& info) : bytes_(info.kernarg_segment_size) {
  for (const codeobject::KernelArg& arg : info.args) {
    if (is_hidden(arg.kind)) {
      if (arg.kind != ArgKind::HiddenNone) hidden_.push_back({arg.kind, arg.offset, arg.size});
    } else {
      explicit_.push_back({arg.offset, arg.size});
      explicit_bytes_ = std::max(explicit_bytes_, arg.offset + arg.size);
    }
  }
}

bool ArgumentLayout::wants(ArgKind kind) const noexcept {
  return std::any_of(hidden_.begin(), hidden_.end(), [kind](const Hidden& h) { return h.kind == kind; });
}

namespace {

uint64_t hidden_value(ArgKind kind, const backend::Launch& launch, const HiddenPointers& hidden) noexcept {
  // Whole work-groups only; the partial last one is told by the remainder.
  const auto count = [&](int d) { return launch.grid_items[d] / launch.group_items[d]; };
  const auto remainder = [&](int d) { return launch.grid_items[d] % launch.group_items[d]; };
  switch (kind) {
  case ArgKind::HiddenBlockCountX:
    return count(0);
  case ArgKind::HiddenBlockCountY:
    return count(1);
  case ArgKind::HiddenBlockCountZ:
    return count(2);
  case ArgKind::HiddenGroupSizeX:
    return launch.group_items[0];
  case ArgKind::HiddenGroupSizeY:
    return launch.group_items[1];
  case ArgKind::HiddenGroupSizeZ:
    return launch.group_items[2];
  case ArgKind::HiddenRemainderX:
    return remainder(0);
  case ArgKind::HiddenRemainderY:
    return remainder(1);
  case ArgKind::HiddenRemainderZ:
    return remainder(2);
  case ArgKind::HiddenGridDims:
    return grid_dimensions(launch);
  case ArgKind::HiddenPrintfBuffer:
    return hidden.printf_buffer;
  case ArgKind::HiddenHostcallBuffer:
    return hidden.hostcall_buffer;
  case ArgKind::HiddenMultigridSyncArg:
    return hidden.multigrid_sync;
  case ArgKind::HiddenHeapV1:
    return hidden.heap;
  case ArgKind::HiddenDefaultQueue:
    return hidden.default_queue;
  case ArgKind::HiddenCompletionAction:
    return hidden.completion_action;
  case ArgKind::HiddenDynamicLdsSize:
    return launch.dynamic_lds_bytes;
  case ArgKind::HiddenPrivateBase:
    return hidden.private_base_hi;
  case ArgKind::HiddenSharedBase:
    return hidden.shared_base_hi;
  case ArgKind::HiddenQueuePtr:
    return hidden.queue;
  default:
    return 0; // HIP has no global offset
  }
}

} // namespace

void ArgumentLayout::write(std::byte* block, const backend::Launch& launch,
                           const HiddenPointers& hidden) const noexcept {
  if (launch.argument_pointers) {
    for (size_t i = 0; i < explicit_.size(); ++i)
      std::memcpy(block + explicit_[i].offset, launch.argument_pointers[i], explicit_[i].bytes);
  } else if (!explicit_.empty()) {
    const size_t given = std::min<size_t>(launch.packed_arguments.size(), explicit_bytes_);
    std::memcpy(block, launch.packed_arguments.data(), given);
    std::memset(block + given, 0, explicit_bytes_ - given);
  }
  if (!hidden_.empty()) {
    // The hidden block has gaps that later compilers may use: they must read as 0.
    const uint32_t begin = hidden_.front().offset;
    std::memset(block + begin, 0, bytes_ - begin);
    for (const Hidden& h : hidden_) {
      const uint64_t value = hidden_value(h.kind, launch, hidden);
      std::memcpy(block + h.offset, &value, std::min<size_t>(h.bytes, sizeof(value)));
    }
  }
}

} // namespace hip::aql
