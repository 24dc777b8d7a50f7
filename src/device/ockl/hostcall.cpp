// The kernel's side of a hostcall (abi/hostcall.h). One wave makes one call for all its active lanes together.
#include "hostcall.h"

namespace hip::device {
namespace {

template <class T> T load(T* address, int order) { return __scoped_atomic_load_n(address, order, __MEMORY_SCOPE_SYSTEM); }

// Both run on one lane. The tag in a packet's name makes a stale compare-and-swap fail.
uint64_t pop(HostcallBuffer* buffer) {
  uint64_t top = load(&buffer->free_stack, __ATOMIC_ACQUIRE);
  for (;;) {
    while (top == 0) { // all packets are in use; their waves will give them back
      __builtin_amdgcn_s_sleep(1);
      top = load(&buffer->free_stack, __ATOMIC_ACQUIRE);
    }
    const uint64_t below = load(&buffer->headers[top & buffer->index_mask].next, __ATOMIC_RELAXED);
    if (__scoped_atomic_compare_exchange_n(&buffer->free_stack, &top, below, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE,
                                           __MEMORY_SCOPE_SYSTEM))
      return top;
  }
}

void push(HostcallBuffer* buffer, uint64_t* stack, uint64_t packet) {
  HostcallPacketHeader* header = &buffer->headers[packet & buffer->index_mask];
  uint64_t top = load(stack, __ATOMIC_RELAXED);
  do {
    __scoped_atomic_store_n(&header->next, top, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
  } while (!__scoped_atomic_compare_exchange_n(stack, &top, packet, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED,
                                               __MEMORY_SCOPE_SYSTEM));
}

// The packet's name for its next use.
uint64_t next_name(const HostcallBuffer* buffer, uint64_t packet) {
  const uint64_t name = packet + buffer->index_mask + 1;
  return name == 0 ? buffer->index_mask + 1 : name;
}

void ring(uint64_t doorbell) {
  if (doorbell == 0) return;
  auto* signal = reinterpret_cast<HostcallSignal*>(doorbell);
  __scoped_atomic_fetch_add(&signal->value, 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
  if (signal->event_mailbox == 0) return;
  auto* mailbox = reinterpret_cast<uint64_t*>(signal->event_mailbox);
  __scoped_atomic_store_n(mailbox, static_cast<uint64_t>(signal->event_id), __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
  constexpr int kMessageInterrupt = 1;
  __builtin_amdgcn_s_sendmsg(kMessageInterrupt, first_lane(signal->event_id) & 0xffffffu);
}

} // namespace

OCKL_CONVERGENT ockl_long2 hostcall(uint64_t buffer_address, uint32_t service, uint64_t a0, uint64_t a1, uint64_t a2,
                                    uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7) {
  auto* buffer = reinterpret_cast<HostcallBuffer*>(first_lane(buffer_address));
  const bool leader = is_first_lane();
  uint64_t packet = 0;
  if (leader) packet = pop(buffer);
  packet = first_lane(packet);

  HostcallPacketHeader* header = &buffer->headers[packet & buffer->index_mask];
  uint64_t* slot = buffer->payloads[packet & buffer->index_mask].slots[lane_id()];
  const uint64_t active = active_lanes();
  slot[0] = a0;
  slot[1] = a1;
  slot[2] = a2;
  slot[3] = a3;
  slot[4] = a4;
  slot[5] = a5;
  slot[6] = a6;
  slot[7] = a7;
  // The leader's release below covers what the other lanes of its wave wrote before it.
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  if (leader) {
    header->active_mask = active;
    header->service = service;
    __scoped_atomic_store_n(&header->control, static_cast<uint32_t>(kHostcallControlReady), __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_SYSTEM);
    push(buffer, &buffer->ready_stack, packet);
    ring(buffer->doorbell);
    while ((load(&header->control, __ATOMIC_ACQUIRE) & kHostcallControlReady) != 0) __builtin_amdgcn_s_sleep(1);
  }
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
  const ockl_long2 answer = {static_cast<long>(slot[0]), static_cast<long>(slot[1])};
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  if (leader) push(buffer, &buffer->free_stack, next_name(buffer, packet));
  return answer;
}

} // namespace hip::device

using namespace hip::device;

extern "C" {

OCKL_CONVERGENT ockl_long2 __ockl_hostcall_internal(void* buffer, uint32_t service, uint64_t a0, uint64_t a1, uint64_t a2,
                                                    uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7) {
  return hostcall(reinterpret_cast<uint64_t>(buffer), service, a0, a1, a2, a3, a4, a5, a6, a7);
}
OCKL_CONVERGENT ockl_long2 __ockl_hostcall_preview(uint32_t service, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3,
                                                   uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7) {
  return hostcall(hidden<uint64_t>(kHiddenHostcallBuffer), service, a0, a1, a2, a3, a4, a5, a6, a7);
}
OCKL_CONVERGENT ockl_long2 __ockl_call_host_function(uint64_t function, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3,
                                                     uint64_t a4, uint64_t a5, uint64_t a6) {
  return hostcall(hidden<uint64_t>(kHiddenHostcallBuffer), kHostcallFunctionCall, function, a0, a1, a2, a3, a4, a5, a6);
}

} // extern "C"
