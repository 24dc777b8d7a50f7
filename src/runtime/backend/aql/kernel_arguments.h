// runtime/backend/aql/kernel_arguments.h - fills a kernel's argument block as its metadata lays it out: explicit
// arguments from the launch, hidden ones (AMDGPUUsage, "Code Object V5 Metadata") from what the back end knows.
#pragma once

#include "runtime/backend/backend.h"
#include "runtime/codeobject/metadata.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hip::aql {

// How many dimensions the grid uses: a packet and a hidden argument tell the kernel.
inline uint16_t grid_dimensions(const backend::Launch& launch) noexcept {
  const auto uses = [&](size_t d) { return launch.grid_items[d] > 1 || launch.group_items[d] > 1; };
  return uses(2) ? 3 : uses(1) ? 2 : 1;
}

// Buffers that hidden arguments point at; 0 where the kernel names none.
struct HiddenPointers {
  uint64_t printf_buffer = 0;
  uint64_t hostcall_buffer = 0;
  uint64_t heap = 0;
  uint64_t multigrid_sync = 0;
  uint64_t default_queue = 0;
  uint64_t completion_action = 0;
  uint64_t queue = 0;
  uint32_t private_base_hi = 0, shared_base_hi = 0;
};

// What a kernel wants, worked out once when it is loaded.
class ArgumentLayout {
public:
  ArgumentLayout() = default;
  explicit ArgumentLayout(const codeobject::KernelInfo& info);

  uint32_t bytes() const noexcept { return bytes_; }
  uint32_t explicit_bytes() const noexcept { return explicit_bytes_; }
  const std::vector<backend::KernelArgument>& explicit_arguments() const noexcept { return explicit_; }
  bool wants(codeobject::ArgKind kind) const noexcept;

  // `block` holds bytes().
  void write(std::byte* block, const backend::Launch& launch, const HiddenPointers& hidden) const noexcept;

private:
  struct Hidden {
    codeobject::ArgKind kind;
    uint32_t offset, bytes;
  };
  std::vector<backend::KernelArgument> explicit_;
  std::vector<Hidden> hidden_;
  uint32_t bytes_ = 0, explicit_bytes_ = 0;
};

} // namespace hip::aql
