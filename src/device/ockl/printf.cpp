// printf of device code. clang lowers a call to __ockl_printf_begin and one append per argument (hostcall kind), or to
// __printf_alloc and stores (buffered kind). A kernel that got no hostcall buffer prints nothing.
#include "../abi/printf_buffer.h"
#include "hostcall.h"

using namespace hip::device;

namespace {

// Sends `count` quadwords of the message; returns the descriptor for the next packet, or the answer when `last`.
OCKL_CONVERGENT uint64_t send(uint64_t descriptor, unsigned count, bool last, uint64_t a0, uint64_t a1 = 0,
                              uint64_t a2 = 0, uint64_t a3 = 0, uint64_t a4 = 0, uint64_t a5 = 0, uint64_t a6 = 0) {
  if (!has_hostcall()) return 0;
  constexpr uint64_t kLengthMask = uint64_t{kMessageMaxQuadwords} << kMessageLengthShift;
  descriptor = (descriptor & ~(kLengthMask | kMessageEnd)) | uint64_t{count} << kMessageLengthShift;
  if (last) descriptor |= kMessageEnd;
  const ockl_long2 answer =
      hostcall(hidden<uint64_t>(kHiddenHostcallBuffer), kHostcallPrintf, descriptor, a0, a1, a2, a3, a4, a5, a6);
  return static_cast<uint64_t>(answer.x);
}

OCKL_CONVERGENT uint64_t begin(uint64_t control) { return send(kMessageBegin, 1, false, control); }

// Up to eight bytes of text as a quadword, from the byte `offset` on of `length`.
uint64_t text_word(const char* text, uint64_t offset, uint64_t length) {
  uint64_t word = 0;
  for (unsigned i = 0; i < 8 && offset + i < length; ++i)
    word |= static_cast<uint64_t>(static_cast<unsigned char>(text[offset + i])) << (8 * i);
  return word;
}

// Text of `length` bytes, NUL included, in packets of 56 bytes. A null pointer is sent as one empty quadword.
OCKL_CONVERGENT uint64_t send_text(uint64_t descriptor, const char* text, uint64_t length, bool last) {
  if (text == nullptr || length == 0) return send(descriptor, 1, last, 0);
  constexpr uint64_t kPacketBytes = 8 * kMessageMaxQuadwords;
  for (uint64_t at = 0; at < length; at += kPacketBytes) {
    const uint64_t rest = length - at;
    const unsigned count = rest < kPacketBytes ? static_cast<unsigned>((rest + 7) / 8) : kMessageMaxQuadwords;
    descriptor =
        send(descriptor, count, last && rest <= kPacketBytes, text_word(text, at, length),
             text_word(text, at + 8, length), text_word(text, at + 16, length), text_word(text, at + 24, length),
             text_word(text, at + 32, length), text_word(text, at + 40, length), text_word(text, at + 48, length));
  }
  return descriptor;
}

} // namespace

extern "C" {

OCKL_CONVERGENT uint64_t __ockl_printf_begin(uint64_t) { return begin(0); }
OCKL_CONVERGENT uint64_t __ockl_fprintf_stdout_begin() { return begin(0); }
OCKL_CONVERGENT uint64_t __ockl_fprintf_stderr_begin() { return begin(kPrintfToStderr); }

OCKL_CONVERGENT uint64_t __ockl_fprintf_append_args(uint64_t descriptor, uint32_t count, uint64_t a0, uint64_t a1,
                                                    uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                                                    uint32_t is_last) {
  return send(descriptor, count, is_last != 0, a0, a1, a2, a3, a4, a5, a6);
}
OCKL_CONVERGENT uint64_t __ockl_printf_append_args(uint64_t descriptor, uint32_t count, uint64_t a0, uint64_t a1,
                                                   uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                                                   uint32_t is_last) {
  return send(descriptor, count, is_last != 0, a0, a1, a2, a3, a4, a5, a6);
}
OCKL_CONVERGENT uint64_t __ockl_fprintf_append_string_n(uint64_t descriptor, const char* text, uint64_t length,
                                                        uint32_t is_last) {
  return send_text(descriptor, text, length, is_last != 0);
}
OCKL_CONVERGENT uint64_t __ockl_printf_append_string_n(uint64_t descriptor, const char* text, uint64_t length,
                                                       uint32_t is_last) {
  return send_text(descriptor, text, length, is_last != 0);
}

// Room for a record of `bytes` in the printf buffer, or null when it is full or there is none.
OCKL_GLOBAL char* __printf_alloc(uint32_t bytes) {
  auto* header = reinterpret_cast<OCKL_GLOBAL PrintfBufferHeader*>(hidden<uint64_t>(kHiddenPrintfBuffer));
  if (header == nullptr) return nullptr;
  uint32_t used = __scoped_atomic_load_n(&header->used_bytes, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  do {
    if (used + bytes > header->capacity_bytes || used + bytes < used) return nullptr;
  } while (!__scoped_atomic_compare_exchange_n(&header->used_bytes, &used, used + bytes, false, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));
  return reinterpret_cast<OCKL_GLOBAL char*>(header + 1) + used;
}

// What a failed assertion prints: "file:line: function: Device-side assertion `expression' failed. block: ..., thread:
// ...". The kernel traps after it.
[[noreturn]] OCKL_CONVERGENT void __ockl_assert_fail(const char* expression, const char* file, uint32_t line,
                                                     const char* function) {
  static const char kFormat[] =
      "%s:%u: %s: Device-side assertion `%s' failed. Block (%u, %u, %u), thread (%u, %u, %u).\n";
  const auto length = [](const char* s) {
    uint64_t n = 0;
    while (s[n] != 0) ++n;
    return n + 1;
  };
  uint64_t message = __ockl_fprintf_stderr_begin();
  message = send_text(message, kFormat, sizeof(kFormat), false);
  message = send_text(message, file, length(file), false);
  message = send(message, 1, false, line);
  message = send_text(message, function, length(function), false);
  message = send_text(message, expression, length(expression), false);
  message = send(message, 6, true, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                 __builtin_amdgcn_workgroup_id_z(), __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                 __builtin_amdgcn_workitem_id_z());
  asm volatile("s_nop 13"); // by which the software GPU tells an assertion from other traps (engine/wave/fault.cpp)
  __builtin_trap();
}

} // extern "C"
