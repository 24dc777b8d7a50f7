// runtime/hsa_check/queue_calls.cpp - queues.
#include "runtime/hsa_check/book.h"

namespace hip::hsa_check {

namespace {

void tell_error(hsa_status_t status, hsa_queue_t* source, void* data) {
  const auto* const queue = static_cast<const hsa_queue_t*>(data);
  QueueError user{};
  {
    auto guard = book().lock();
    if (const auto found = book().queues.find(queue); found != book().queues.end()) {
      found->second->lost = true;
      user = found->second->user;
      book().drop(queue);
    }
  }
  if (user.callback) user.callback(status, source, user.data);
}

// What the runtime gives to the callback is known when the queue is: it finds the queue by its own handle.
void on_error(hsa_status_t status, hsa_queue_t* source, void*) { tell_error(status, source, source); }

bool known(const hsa_queue_t* queue, std::string_view where) {
  auto guard = book().lock();
  return book().usable(queue, where) != nullptr;
}

} // namespace

hsa_status_t calls::hsa_queue_create(hsa_agent_t agent, uint32_t packets, hsa_queue_type32_t type,
                                     void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data,
                                     uint32_t private_bytes, uint32_t group_bytes, hsa_queue_t** out) {
  const hsa_status_t status =
      next.hsa_queue_create(agent, packets, type, on_error, nullptr, private_bytes, group_bytes, out);
  if (status != HSA_STATUS_SUCCESS) return status;
  auto made = std::make_unique<Queue>();
  hsa_queue_t& queue = **out;
  made->handle = &queue;
  made->agent = agent;
  made->packets = queue.size;
  made->type = type;
  made->features = queue.features;
  made->base = queue.base_address;
  made->id = queue.id;
  made->user = {callback, data};
  auto guard = book().lock();
  book().signals[queue.doorbell_signal.handle].doorbell_of = &queue;
  book().destroyed_signals.erase(queue.doorbell_signal.handle);
  book().queues[&queue] = std::move(made);
  return status;
}

// The queue leaves the book first: afterwards another thread may get a queue at the same address.
hsa_status_t calls::hsa_queue_destroy(hsa_queue_t* queue) {
  if (!queue) return next.hsa_queue_destroy(queue);
  std::unique_ptr<Queue> gone;
  Signal doorbell;
  const uint64_t doorbell_handle = [&]() -> uint64_t {
    auto guard = book().lock();
    if (!book().usable(queue, "hsa_queue_destroy")) return 0;
    const uint64_t handle = queue->doorbell_signal.handle;
    book().drop(queue);
    const auto found = book().queues.find(queue);
    gone = std::move(found->second);
    book().queues.erase(found);
    doorbell = std::move(book().signals[handle]);
    book().signals.erase(handle);
    book().destroyed_signals.insert(handle);
    return handle;
  }();
  if (!gone) return HSA_STATUS_ERROR_INVALID_QUEUE;
  const hsa_status_t status = next.hsa_queue_destroy(queue);
  if (status == HSA_STATUS_SUCCESS) return status;
  auto guard = book().lock(); // it is still there
  book().queues[queue] = std::move(gone);
  book().signals[doorbell_handle] = std::move(doorbell);
  book().destroyed_signals.erase(doorbell_handle);
  return status;
}

#define HSA_OF_QUEUE(name, Queue, parameters, arguments)                                                               \
  hsa_status_t calls::name parameters {                                                                                \
    return !queue || known(queue, #name) ? next.name arguments : HSA_STATUS_ERROR_INVALID_QUEUE;                       \
  }
HSA_OF_QUEUE(hsa_queue_inactivate, , (hsa_queue_t * queue), (queue))
HSA_OF_QUEUE(hsa_amd_queue_set_priority, , (hsa_queue_t * queue, hsa_amd_queue_priority_t priority), (queue, priority))
HSA_OF_QUEUE(hsa_amd_queue_cu_set_mask, , (const hsa_queue_t* queue, uint32_t bits, const uint32_t* mask),
             (queue, bits, mask))
HSA_OF_QUEUE(hsa_amd_profiling_set_profiler_enabled, , (hsa_queue_t * queue, int enable), (queue, enable))

#define HSA_INDEX(name, parameters, arguments)                                                                         \
  uint64_t calls::name parameters { return known(queue, #name) ? next.name arguments : 0; }
#define HSA_INDEX_LOAD(name) HSA_INDEX(name, (const hsa_queue_t* queue), (queue))
HSA_INDEX_LOAD(hsa_queue_load_read_index_scacquire)
HSA_INDEX_LOAD(hsa_queue_load_read_index_relaxed)
HSA_INDEX_LOAD(hsa_queue_load_write_index_scacquire)
HSA_INDEX_LOAD(hsa_queue_load_write_index_relaxed)
#define HSA_INDEX_ADD(name) HSA_INDEX(name, (const hsa_queue_t* queue, uint64_t value), (queue, value))
HSA_INDEX_ADD(hsa_queue_add_write_index_scacq_screl)
HSA_INDEX_ADD(hsa_queue_add_write_index_scacquire)
HSA_INDEX_ADD(hsa_queue_add_write_index_relaxed)
HSA_INDEX_ADD(hsa_queue_add_write_index_screlease)
#define HSA_INDEX_CAS(name)                                                                                            \
  HSA_INDEX(name, (const hsa_queue_t* queue, uint64_t expected, uint64_t value), (queue, expected, value))
HSA_INDEX_CAS(hsa_queue_cas_write_index_scacq_screl)
HSA_INDEX_CAS(hsa_queue_cas_write_index_scacquire)
HSA_INDEX_CAS(hsa_queue_cas_write_index_relaxed)
HSA_INDEX_CAS(hsa_queue_cas_write_index_screlease)
#define HSA_INDEX_STORE(name)                                                                                          \
  void calls::name(const hsa_queue_t* queue, uint64_t value) {                                                         \
    if (known(queue, #name)) next.name(queue, value);                                                                  \
  }
HSA_INDEX_STORE(hsa_queue_store_write_index_relaxed)
HSA_INDEX_STORE(hsa_queue_store_write_index_screlease)

} // namespace hip::hsa_check
