// runtime/hsa/queue_entries.cpp - queues of the interface.
#include "runtime/hsa/entry.h"

#include <bit>
#include <sched.h>

using namespace hip::hsa;
using hip::aql::QueueBlock;

namespace {

constexpr uint32_t kMaxQueuePackets = 131072;

QueueBlock& block_of(const hsa_queue_t* queue) noexcept {
  return *reinterpret_cast<QueueBlock*>(const_cast<hsa_queue_t*>(queue));
}

hsa_status_t check_shape(uint32_t packets, hsa_queue_type32_t type) {
  if (packets == 0 || !std::has_single_bit(packets) || packets > kMaxQueuePackets)
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "A queue of {} packets: a power of two up to {} is wanted.",
                  packets, kMaxQueuePackets);
  if (type > HSA_QUEUE_TYPE_COOPERATIVE) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return HSA_STATUS_SUCCESS;
}

// Producers that hand the write index over by compare and exchange spin for each other. Where they are more than the
// cores, the one whose turn it is would wait for a core until another has spun for its whole time slice.
void lost_exchange() noexcept {
  constexpr unsigned kPerYield = 32;
  thread_local unsigned count = 0;
  if (++count % kPerYield == 0) ::sched_yield();
}

} // namespace

hsa_status_t hsa_queue_create(hsa_agent_t handle, uint32_t packets, hsa_queue_type32_t type,
                              void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data, uint32_t, uint32_t,
                              hsa_queue_t** out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    Agent* const agent = runtime.find(handle);
    if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!agent->is_gpu()) return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
    if (!out) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    HSA_TRY(check_shape(packets, type));
    hip::Result<std::unique_ptr<UserQueue>> queue =
        UserQueue::create(*agent, {packets, type, callback, data}, runtime.signals(), runtime.callbacks(),
                          [&runtime](Agent& of, const hip::Status& fault) { runtime.memory_fault(of, fault); });
    if (!queue.ok()) return to_hsa(queue.status());
    *out = (*queue)->handle();
    runtime.add(std::move(*queue));
    return HSA_STATUS_SUCCESS;
  });
}

// A queue whose packets the host consumes needs a packet processor of the caller's, which AMD's runtime offers for one
// purpose alone (agent dispatches), and no known program uses.
hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t packets, hsa_queue_type32_t type, uint32_t,
                                   hsa_signal_t doorbell, hsa_queue_t** queue) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!runtime.find_pool(region.handle)) return HSA_STATUS_ERROR_INVALID_REGION;
    if (!queue || doorbell.handle == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    HSA_TRY(check_shape(packets, type));
    return refuse(kNotSupported, "Queues that the host consumes are not supported.");
  });
}

hsa_status_t hsa_queue_destroy(hsa_queue_t* queue) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    return queue ? runtime.destroy(queue) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_queue_inactivate(hsa_queue_t* handle) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    UserQueue* const queue = runtime.find(handle);
    if (!queue) return HSA_STATUS_ERROR_INVALID_QUEUE;
    queue->inactivate();
    return HSA_STATUS_SUCCESS;
  });
}

// ---- indices -----------------------------------------------------------------------------------------------------

#define HSA_INDEX_LOADS(index, order, cxx_order)                                                                       \
  uint64_t hsa_queue_load_##index##_index_##order(const hsa_queue_t* queue) {                                          \
    return block_of(queue).index##_dispatch_id.load(cxx_order);                                                        \
  }
#define HSA_INDEX_STORES(index, order, cxx_order)                                                                      \
  void hsa_queue_store_##index##_index_##order(const hsa_queue_t* queue, uint64_t value) {                             \
    block_of(queue).index##_dispatch_id.store(value, cxx_order);                                                       \
  }
HSA_INDEX_LOADS(read, relaxed, std::memory_order_relaxed)
HSA_INDEX_LOADS(read, scacquire, std::memory_order_acquire)
HSA_INDEX_LOADS(write, relaxed, std::memory_order_relaxed)
HSA_INDEX_LOADS(write, scacquire, std::memory_order_acquire)
HSA_INDEX_STORES(write, relaxed, std::memory_order_relaxed)
HSA_INDEX_STORES(write, screlease, std::memory_order_release)
HSA_INDEX_STORES(read, relaxed, std::memory_order_relaxed)
HSA_INDEX_STORES(read, screlease, std::memory_order_release)

#define HSA_INDEX_CHANGES(order, cxx_order)                                                                            \
  uint64_t hsa_queue_add_write_index_##order(const hsa_queue_t* queue, uint64_t value) {                               \
    return block_of(queue).write_dispatch_id.fetch_add(value, cxx_order);                                              \
  }                                                                                                                    \
  uint64_t hsa_queue_cas_write_index_##order(const hsa_queue_t* queue, uint64_t expected, uint64_t value) {            \
    if (!block_of(queue).write_dispatch_id.compare_exchange_strong(expected, value, cxx_order,                         \
                                                                   std::memory_order_relaxed))                         \
      lost_exchange();                                                                                                 \
    return expected;                                                                                                   \
  }
HSA_INDEX_CHANGES(relaxed, std::memory_order_relaxed)
HSA_INDEX_CHANGES(scacquire, std::memory_order_acquire)
HSA_INDEX_CHANGES(screlease, std::memory_order_release)
HSA_INDEX_CHANGES(scacq_screl, std::memory_order_acq_rel)

// ---- AMD's -------------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t* handle, hsa_amd_queue_priority_t priority) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    UserQueue* const queue = runtime.find(handle);
    if (!queue) return HSA_STATUS_ERROR_INVALID_QUEUE;
    switch (priority) {
    case HSA_AMD_QUEUE_PRIORITY_LOW: // the agents' numbers: lower is sooner
      return queue->set_priority(1);
    case HSA_AMD_QUEUE_PRIORITY_NORMAL:
      return queue->set_priority(0);
    case HSA_AMD_QUEUE_PRIORITY_HIGH:
      return queue->set_priority(-1);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t* handle, uint32_t bits, const uint32_t* mask) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    UserQueue* const queue = runtime.find(handle);
    if (!queue) return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (bits % 32 != 0 || (bits != 0 && !mask)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return queue->set_mask(
        std::span(mask, bits / 32)); // bits beyond the units that there are mean nothing, as with ROCr
  });
}

hsa_status_t hsa_amd_queue_cu_get_mask(const hsa_queue_t* handle, uint32_t bits, uint32_t* mask) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const UserQueue* const queue = runtime.find(handle);
    if (!queue) return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (bits == 0 || bits % 32 != 0 || !mask) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const uint32_t units = queue->agent().properties().compute_units;
    const UnitMask set = queue->mask();
    for (uint32_t word = 0; word < bits / 32; ++word) {
      mask[word] = set.empty() ? UINT32_MAX : word < set.size() ? set[word] : 0;
      if (units < (word + 1) * 32) mask[word] &= units <= word * 32 ? 0 : (1u << (units - word * 32)) - 1;
    }
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_queue_get_info(hsa_queue_t* handle, hsa_queue_info_attribute_t attribute, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    UserQueue* const queue = runtime.find(handle);
    if (!queue) return HSA_STATUS_ERROR_INVALID_QUEUE;
    if (!value) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_AMD_QUEUE_INFO_AGENT:
      return answer(value, queue->agent().handle());
    case HSA_AMD_QUEUE_INFO_DOORBELL_ID:
      return answer<uint64_t>(value, queue->block().doorbell_signal);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}
