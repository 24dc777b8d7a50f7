#include "runtime/codeobject/kernel_descriptor.h"

namespace hip::codeobject {

uint32_t KernelDescriptor::property_user_sgprs() const noexcept {
  return (enable_sgpr_private_segment_buffer() ? 4u : 0u) + (enable_sgpr_dispatch_ptr() ? 2u : 0u) +
         (enable_sgpr_queue_ptr() ? 2u : 0u) + (enable_sgpr_kernarg_segment_ptr() ? 2u : 0u) +
         (enable_sgpr_dispatch_id() ? 2u : 0u) + (enable_sgpr_flat_scratch_init() ? 2u : 0u) +
         (enable_sgpr_private_segment_size() ? 1u : 0u);
}

} // namespace hip::codeobject
