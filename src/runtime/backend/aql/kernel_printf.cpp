#include "runtime/backend/aql/kernel_printf.h"

#include "runtime/backend/aql/printf/printf_buffer.h"
#include "runtime/base/log.h"

namespace hip::aql {

namespace {
// What a kernel's output may take until the kernel ends; the size that ROCm gives it.
constexpr size_t kBufferBytes = 4 * 1024 * 1024;
} // namespace

Result<std::unique_ptr<KernelPrintf>> KernelPrintf::create(Agent& agent) {
  RT_TRY_ASSIGN(void* const memory, agent.allocate(kBufferBytes, 4096, AgentMemory::HostPinned));
  const std::span<std::byte> buffer(static_cast<std::byte*>(memory), kBufferBytes);
  reset_printf_buffer(buffer);
  return std::unique_ptr<KernelPrintf>(new KernelPrintf(agent, buffer));
}

KernelPrintf::~KernelPrintf() {
  if (!agent_.usable().ok()) return; // the kernel may still write into it
  if (Status status = agent_.free(buffer_.data()); !status.ok())
    log(LogLevel::Warning, "Freeing a printf buffer: {}", status.message());
}

void KernelPrintf::drain(std::span<const codeobject::PrintfFormat> formats) noexcept {
  if (!printf_buffer_used(buffer_)) return;
  if (Status status = print_printf_buffer(buffer_, formats, write_printf_text); !status.ok())
    log(LogLevel::Error, "Device printf: {}", status.message());
  reset_printf_buffer(buffer_);
}

} // namespace hip::aql
