// runtime/backend/aql/kernel_printf.h - the memory behind hidden_printf_buffer (device printf lowered as "buffered"):
// one per queue, written by a kernel, drained and emptied before anything behind that kernel starts.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/codeobject/metadata.h"

namespace hip::aql {

class KernelPrintf {
public:
  static Result<std::unique_ptr<KernelPrintf>> create(Agent& agent);
  ~KernelPrintf();
  KernelPrintf(const KernelPrintf&) = delete;
  KernelPrintf& operator=(const KernelPrintf&) = delete;

  uint64_t buffer_address() const noexcept { return reinterpret_cast<uint64_t>(buffer_.data()); }
  // Prints what the kernel wrote, to standard output and standard error as its records say, and empties the buffer.
  void drain(std::span<const codeobject::PrintfFormat> formats) noexcept;

private:
  KernelPrintf(Agent& agent, std::span<std::byte> buffer) noexcept : agent_(agent), buffer_(buffer) {}
  Agent& agent_;
  std::span<std::byte> buffer_;
};

} // namespace hip::aql
