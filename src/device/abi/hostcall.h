/* Hostcalls: how a kernel asks the host for a service (printf, a function call, memory). Host and device share this
 * layout; programs built by AMD's compiler bring their own device side, so it is that of the HIP ABI.
 *
 * The buffer holds N packets, N a power of two. A packet belongs to one wave at a time: the wave takes it from the free
 * stack, fills its header and one payload slot per active lane, pushes it on the ready stack, rings the doorbell and
 * waits until the host has cleared the header's ready bit; then it reads the answers and pushes the packet on the free
 * stack. Packets are named by tagged indices: the low bits (index_mask) are the index, the bits above a tag that the
 * wave counts up when it gives the packet back; 0 is the empty stack, so a tag is never 0.
 * Memory ordering: pushes release and the host's take of the ready stack acquires; clearing the ready bit releases and
 * the wave's last poll acquires. All at system scope. */
#ifndef HIP_DEVICE_ABI_HOSTCALL_H
#define HIP_DEVICE_ABI_HOSTCALL_H

#include <stddef.h>
#include <stdint.h>

enum { kHostcallLanes = 64, kHostcallSlotWords = 8 };

/* Services, and what a lane's slot holds. Answers come back in words 0 and 1. */
enum HostcallService {
  kHostcallFunctionCall = 1, /* 0: uint64_t[2] (*)(const uint64_t[7]) as void(*)(out, in); 1-7: input */
  kHostcallPrintf = 2,       /* 0: message descriptor; 1-7: data. Answer 0: descriptor, or characters printed */
  kHostcallDeviceMemory = 3, /* 0: memory to free, else 1: bytes to allocate. Answer 0: memory or 0 */
  kHostcallSanitizer = 4
};

typedef struct HostcallPacketHeader {
  uint64_t next; /* tagged index of the packet below on the same stack */
  uint64_t active_mask;
  uint32_t service;
  uint32_t control; /* bit 0: the host has not answered yet */
} HostcallPacketHeader;

enum { kHostcallControlReady = 1 };

typedef struct HostcallPayload {
  uint64_t slots[kHostcallLanes][kHostcallSlotWords];
} HostcallPayload;

typedef struct HostcallBuffer {
  HostcallPacketHeader* headers;
  HostcallPayload* payloads;
  uint64_t doorbell; /* handle of a signal (its address), 0 when the host polls */
  uint64_t free_stack;
  uint64_t ready_stack;
  uint64_t index_mask;
} HostcallBuffer;

/* Descriptor of a message that travels in several packets: the bits below, and the host's number of the message. */
enum {
  kMessageBegin = 1,
  kMessageEnd = 2,
  kMessageLengthShift = 5, /* three bits: quadwords in this packet, at most 7 */
  kMessageIdShift = 8,
  kMessageMaxQuadwords = 7
};

/* First quadword of a printf message. Then the format text with its NUL, padded to 8 bytes, then the arguments: 8 bytes
 * each, strings like the format. */
enum { kPrintfToStderr = 1 };

/* The fields of a signal (amd_signal_t of the HSA ABI) that a doorbell needs. */
typedef struct HostcallSignal {
  int64_t kind;
  int64_t value;
  uint64_t event_mailbox; /* address, 0 when nobody sleeps on an interrupt */
  uint32_t event_id;
} HostcallSignal;

#ifdef __cplusplus
static_assert(sizeof(HostcallPacketHeader) == 24 && sizeof(HostcallPayload) == 4096 && sizeof(HostcallBuffer) == 48,
              "The layout is part of the ABI.");
static_assert(offsetof(HostcallPacketHeader, active_mask) == 8 && offsetof(HostcallPacketHeader, service) == 16 &&
                  offsetof(HostcallPacketHeader, control) == 20,
              "The layout is part of the ABI.");
static_assert(offsetof(HostcallBuffer, payloads) == 8 && offsetof(HostcallBuffer, doorbell) == 16 &&
                  offsetof(HostcallBuffer, free_stack) == 24 && offsetof(HostcallBuffer, ready_stack) == 32 &&
                  offsetof(HostcallBuffer, index_mask) == 40,
              "The layout is part of the ABI.");
static_assert(sizeof(HostcallSignal) == 32 && offsetof(HostcallSignal, value) == 8 &&
                  offsetof(HostcallSignal, event_mailbox) == 16 && offsetof(HostcallSignal, event_id) == 24,
              "The layout is part of the ABI.");
#endif

#endif
