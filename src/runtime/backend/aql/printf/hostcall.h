// runtime/backend/aql/printf/hostcall.h - hostcalls: kernels ask the host for a service (printf, a function call,
// memory) through packets in a buffer that both see (hidden_hostcall_buffer; layout in device/abi/hostcall.h). Use:
// allocate HostcallServer::buffer_bytes(n) bytes of fine-grained memory, construct a server on it, put the buffer's
// address into the kernel's hidden argument, and call process_ready() whenever the doorbell signal changes (or in a
// polling loop). A wave waits until its packet is answered, so somebody must call while kernels run. Thread safety:
// process_ready may be called by several threads; one of them works, the others return at once. Memory ordering: a
// wave's payload is acquired with the ready stack and released with the packet's control word.
#pragma once

#include "runtime/backend/aql/printf/message.h"
#include "runtime/base/status.h"

#include <atomic>
#include <cstdint>

namespace hip::aql {

// What the server needs of its surroundings.
struct HostcallServices {
  PrintfSink print = write_printf_text;
  // Device memory for malloc and free in kernels. A null result tells the kernel that there is none.
  std::function<void*(size_t bytes)> allocate;
  std::function<void(void* base)> free;
};

class HostcallServer {
public:
  // `packets` is a power of two: how many waves may have a call under way before others wait for a free packet.
  static size_t buffer_bytes(uint32_t packets) noexcept;

  // Lays the buffer out in `memory` (buffer_bytes(packets) bytes, 64-byte aligned, the same address on host and
  // device). `doorbell` is the handle that device code signals after it has made a packet ready; 0 when the host polls.
  HostcallServer(void* memory, uint32_t packets, uint64_t doorbell, HostcallServices services);
  HostcallServer(const HostcallServer&) = delete;
  HostcallServer& operator=(const HostcallServer&) = delete;

  void* buffer() const noexcept { return memory_; }
  // A packet waits for the host. One load.
  bool ready() const noexcept;
  // Answers all packets that are ready, in the order in which they became so. Returns how many lanes were served.
  size_t process_ready();
  // The first request that could not be served since the last call (unknown service), and clears it.
  Status take_error();

private:
  void serve(uint32_t packet_index, size_t& lanes_served);
  void serve_lane(uint32_t service, std::span<uint64_t, kHostcallSlotWords> slot);

  void* memory_;
  uint32_t packets_;
  HostcallServices services_;
  MessageAssembler messages_;
  std::atomic_flag working_;
  std::atomic_flag error_lock_;
  Status error_;
};

} // namespace hip::aql
