// runtime/hsa/copy_entries.cpp - copies and fills.
#include "runtime/hsa/entry.h"

#include <bit>

using namespace hip::hsa;
using hip::aql::Transfer;

namespace {

Transfer linear(void* dst, const void* src, size_t bytes) noexcept {
  Transfer t;
  t.dst = {dst, bytes, bytes};
  t.src = {const_cast<void*>(src), bytes, bytes};
  t.extent = {bytes, 1, 1};
  return t;
}

// Does the transfer, here if it is small, and waits for its end.
hsa_status_t transfer_now(Runtime& runtime, const Transfer& transfer) {
  if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  hip::Result<bool> done = runtime.first_gpu()->gpu().transfer_now(transfer);
  if (!done.ok()) return to_hsa(done.status());
  if (*done) return HSA_STATUS_SUCCESS;
  hip::Result<hip::aql::Signal*> signal = runtime.signals().create(1);
  if (!signal.ok()) return to_hsa(signal.status());
  hip::Status begun = runtime.copies().copy(transfer, {}, *signal, Copies::kAny);
  int64_t left = -1;
  if (begun.ok())
    left = runtime.signals().wait(**signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  runtime.signals().destroy(**signal);
  if (!begun.ok()) return to_hsa(begun);
  return left == 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

hsa_status_t begin(Runtime& runtime, const Transfer& transfer, uint32_t count, const hsa_signal_t* dependencies,
                   hsa_signal_t completion, unsigned engine) {
  if ((count > 0) != (dependencies != nullptr)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (completion.handle == 0) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  return to_hsa(runtime.copies().copy(transfer, {dependencies, count}, to_signal(completion), engine));
}

hsa_status_t copy_linear(Runtime& runtime, void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                         size_t bytes, uint32_t count, const hsa_signal_t* dependencies, hsa_signal_t completion,
                         unsigned engine) {
  if (!dst || !src) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!runtime.find(dst_agent) || !runtime.find(src_agent)) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (bytes == 0) return HSA_STATUS_SUCCESS;
  return begin(runtime, linear(dst, src, bytes), count, dependencies, completion, engine);
}

} // namespace

hsa_status_t hsa_memory_copy(void* dst, const void* src, size_t bytes) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!dst || !src) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return bytes == 0 ? HSA_STATUS_SUCCESS : transfer_now(runtime, linear(dst, src, bytes));
  });
}

hsa_status_t hsa_amd_memory_fill(void* base, uint32_t value, size_t words) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!base || reinterpret_cast<uintptr_t>(base) % sizeof value != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (words == 0) return HSA_STATUS_SUCCESS;
    Transfer t = linear(base, nullptr, words * sizeof value);
    t.pattern = value | uint64_t(value) << 32;
    t.pattern_bytes = sizeof value;
    return transfer_now(runtime, t);
  });
}

hsa_status_t hsa_amd_memory_async_copy(void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                                       size_t bytes, uint32_t count, const hsa_signal_t* dependencies,
                                       hsa_signal_t completion) {
  return entry([&](Runtime& runtime) {
    return copy_linear(runtime, dst, dst_agent, src, src_agent, bytes, count, dependencies, completion, Copies::kAny);
  });
}

hsa_status_t hsa_amd_memory_async_copy_on_engine(void* dst, hsa_agent_t dst_agent, const void* src,
                                                 hsa_agent_t src_agent, size_t bytes, uint32_t count,
                                                 const hsa_signal_t* dependencies, hsa_signal_t completion,
                                                 hsa_amd_sdma_engine_id_t engine, bool) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const auto bit = static_cast<uint32_t>(engine);
    if (!std::has_single_bit(bit) || std::countr_zero(bit) >= int(Copies::kEngines))
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{:#x} is not one copy engine of {}.", bit, Copies::kEngines);
    return copy_linear(runtime, dst, dst_agent, src, src_agent, bytes, count, dependencies, completion,
                       static_cast<unsigned>(std::countr_zero(bit)));
  });
}

hsa_status_t hsa_amd_memory_async_copy_rect(const hsa_pitched_ptr_t* dst, const hsa_dim3_t* dst_offset,
                                            const hsa_pitched_ptr_t* src, const hsa_dim3_t* src_offset,
                                            const hsa_dim3_t* range, hsa_agent_t copy_agent, hsa_amd_copy_direction_t,
                                            uint32_t count, const hsa_signal_t* dependencies, hsa_signal_t completion) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!dst || !dst_offset || !src || !src_offset || !range) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Agent* const agent = runtime.find(copy_agent);
    if (!agent || !agent->is_gpu()) return HSA_STATUS_ERROR_INVALID_AGENT;
    const auto region = [](const hsa_pitched_ptr_t& pointer, const hsa_dim3_t& offset) -> hip::backend::Region {
      std::byte* const base =
          static_cast<std::byte*>(pointer.base) + offset.z * pointer.slice + offset.y * pointer.pitch + offset.x;
      return {base, pointer.pitch, pointer.slice};
    };
    if (range->x == 0 || range->y == 0 || range->z == 0) return HSA_STATUS_SUCCESS;
    const auto fits = [&](const hsa_pitched_ptr_t& p) {
      return p.base && (range->y == 1 || p.pitch >= range->x) &&
             (range->z == 1 || p.slice >= (range->y - 1) * p.pitch + range->x);
    };
    if (!fits(*dst) || !fits(*src)) return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "Rows of a copy overlap.");
    Transfer t;
    t.dst = region(*dst, *dst_offset);
    t.src = region(*src, *src_offset);
    t.extent = {range->x, range->y, range->z};
    return begin(runtime, t, count, dependencies, completion, Copies::kAny);
  });
}

hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t dst, hsa_agent_t src, uint32_t* mask) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!runtime.find(dst) || !runtime.find(src)) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!mask) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *mask = runtime.copies().idle_engines();
    return *mask != 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  });
}

hsa_status_t hsa_amd_memory_get_preferred_copy_engine(hsa_agent_t dst, hsa_agent_t src, uint32_t* mask) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!runtime.find(dst) || !runtime.find(src)) return HSA_STATUS_ERROR_INVALID_AGENT;
    return mask ? answer<uint32_t>(mask, 0) : HSA_STATUS_ERROR_INVALID_ARGUMENT; // none is better than another
  });
}
